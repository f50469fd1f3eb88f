"""The one form of a user's name: in a token, in the header that names another, and on the command line."""

from kg_assets.errors import InvalidInput

MAX_CHARACTERS = 512


def checked_subject(text: str, *, where: str) -> str:
    """The name as it came, for it names a memory to the letter. Raises `InvalidInput`.

    Blanks around it are refused and not cut off: else one name would open the memory of another, or of nobody.
    """
    if not text.strip() or len(text) > MAX_CHARACTERS:
        raise InvalidInput(f"a user's name has 1 to {MAX_CHARACTERS} characters", where=where)
    if text != text.strip():
        raise InvalidInput("the user's name begins or ends with a blank; leave it out", where=where)
    try:
        text.encode()
    except UnicodeEncodeError as ex:
        raise InvalidInput("the user's name is not UTF-8", where=where) from ex
    if "\0" in text:
        raise InvalidInput("the user's name holds the character NUL", where=where)
    return text
