"""Words, JSON and messages on the two output streams."""

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

SHORT_ID = 10

# What people said is shown, never executed: control characters could move the cursor or rename the window.
_CONTROLS = {code: "\N{REPLACEMENT CHARACTER}" for code in (*range(32), *range(127, 160)) if chr(code) not in "\n\t"}


def plain(text: str) -> str:
    return text.translate(_CONTROLS)


def short(identifier: str) -> str:
    """The beginning of an id, which commands accept in its place."""
    return identifier[:SHORT_ID]


def say(text: str) -> None:
    print(plain(text))


def note(text: str) -> None:
    """A remark beside the result."""
    print(plain(text), file=sys.stderr, flush=True)


def complain(text: str) -> None:
    """Something that was not done, and what to do."""
    print(f"palimpsest: {plain(text)}", file=sys.stderr, flush=True)


def show_json(view: Any) -> None:
    import msgspec

    print(msgspec.json.format(msgspec.json.encode(view), indent=2).decode(), flush=True)


def show_json_line(view: Any) -> None:
    import msgspec

    print(msgspec.json.encode(view).decode())


def console() -> "Console":
    """For tables and trees; texts go in as `Text`, so that brackets in them are no markup."""
    from rich.console import Console

    return Console(highlight=False)
