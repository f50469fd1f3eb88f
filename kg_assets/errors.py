"""The one hierarchy of errors. Each message says what was wrong, where, and what to do."""


class PalimpsestError(Exception):
    """Base of every error that this project raises on purpose."""


class InvalidInput(PalimpsestError):
    """What was sent cannot be accepted; nothing was changed.

    `where` names the place (a JSON pointer, or `file:line`), so that a caller can show it beside the input.
    """

    def __init__(self, message: str, *, where: str = "") -> None:
        super().__init__(f"{where}: {message}" if where else message)
        self.reason = message
        self.where = where


class Conflict(PalimpsestError):
    """An id that is already taken by other content (HTTP 409)."""


class NotFound(PalimpsestError):
    """Nothing of this name in the memory that was asked."""


class NotReady(PalimpsestError):
    """A part that is needed is missing or not set up; the message says which command or extra brings it."""


class Unavailable(PalimpsestError):
    """A service outside did not answer, or refused; what can be done without it goes on.

    `reason` names the kind in a few words, for counts. `for_good`: it will refuse the next request too.
    """

    def __init__(self, message: str, *, reason: str, for_good: bool = False) -> None:
        super().__init__(message)
        self.reason = reason
        self.for_good = for_good


class LeaseLost(PalimpsestError):
    """Another worker took over this memory; the transaction was rolled back and nothing was changed."""


class Corrupt(PalimpsestError):
    """A stored hash does not match its content: a journal entry, a model file, a sealed utterance."""
