"""What people said is shown, never executed by the terminal."""

import pytest

from palimpsest.printing import plain, say
from palimpsest.views import table


def test_control_characters_are_replaced() -> None:
    assert plain("a\x1b[2Jb\x07c\x9bd\r\x00") == "a�[2Jb�c�d��"
    assert plain("lines\nand\ttabs, naïve 🙂") == "lines\nand\ttabs, naïve 🙂"


def test_brackets_in_texts_are_no_markup(capsys: pytest.CaptureFixture[str]) -> None:
    from rich.console import Console

    Console(width=80).print(table("text", rows=[("[bold]loud[/bold] [/]",)]))
    say("[red]plain")
    out = capsys.readouterr().out
    assert "[bold]loud[/bold] [/]" in out
    assert "[red]plain" in out
