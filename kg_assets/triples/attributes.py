"""What is asked for by its bare name: "Occupation?" – "Tram driver."; "What's your dog's name, breed and age?" –
"Rufus, border terrier, 5." Each value as a sentence, or as a note of the one who answers.
"""

import re

from kg_assets.text.lexicon import NOTE_KEYS, bag

_LED = bag("first next then and ok okay now finally last lastly also any your the current main known which what please")
_OTHERWISE = {
    "role": "job", "position": "job", "current role": "job", "line of work": "job", "injuries": "conditions",
    "symptoms": "conditions", "health problems": "conditions", "instruments": "instrument", "breed": "breed",
    "date of birth": "dob", "dietary restrictions": "diet",
}  # fmt: skip
_WORDED = {
    "name": "{whose} name is {words}.",
    "age": "{who} {be} {words} years old.",
    "works_as": "{who} work{s} as {words}.",
    "works_at": "{who} work{s} at {words}.",
    "lives_in": "{who} live{s} in {words}.",
    "comes_from": "{who} {be} from {words}.",
    "studies_at": "{who} stud{ies} at {words}.",
    "birthday": "{whose} birthday is {words}.",
    "born_on": "{who} {was} born on {words}.",
    "breed": "{who} {be} a {words}.",
}
_IN = re.compile(r"^(?:in|at|from|near|on) ", re.IGNORECASE)


def key_of(question: str) -> str:
    """The note key that a question consists of, "" where it asks otherwise: "First, allergies?" → "allergies"."""
    words = re.findall(r"[\w'’-]+", question.casefold())
    while words and words[0] in _LED:
        words = words[1:]
    key = " ".join(words)
    key = _OTHERWISE.get(key, key)
    favourite = len(words) in (2, 3) and words[0] in ("favourite", "favorite")
    return key if key in NOTE_KEYS or key == "breed" or favourite else ""


def worded(key: str, words: str, owner: str = "") -> str:
    """A value of somebody ("my dog"), of the speaker where nobody is named; "" where it cannot be said."""
    key = _OTHERWISE.get(key, key)
    predicate = NOTE_KEYS.get(key, key)
    if not owner and (key.startswith(("favourite ", "favorite "))):
        return f"My {key} is {words}."
    if predicate not in _WORDED:
        return "" if owner else f"{key}: {words}"
    if predicate == "age":
        words = re.sub(r"\s*(?:years?(?: old)?|yo)$", "", words, flags=re.IGNORECASE)
    if predicate in ("lives_in", "comes_from", "works_at", "studies_at"):
        words = _IN.sub("", words)
    forms = {"who": "I", "whose": "My", "be": "am", "was": "was", "s": "", "ies": "y"}
    if owner:
        named = owner[:1].upper() + owner[1:]
        forms = {"who": named, "whose": f"{named}'s", "be": "is", "was": "was", "s": "s", "ies": "ies"}
    return _WORDED[predicate].format(words=words, **forms)
