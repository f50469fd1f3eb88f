"""Strings that break careless software: the list of naughty strings where it lies at hand, and some more."""

import json
from pathlib import Path

LIST = Path(__file__).parents[3] / "shared" / "data" / "hostile" / "blns.json"
BY_HAND = (
    "'; DROP TABLE utterances; --",
    "\x01\x02\x1b[31m\x7f\x85\xa0",
    "\u202eright to left\u2066",
    "Z̮̞̠͙͔ͅa̰̗̬͎̱l͈g͉̝o",
    "👩‍👩‍👧‍👧 🏳️‍🌈",
    "\ufeff\ufffe\uffff\U0010ffff",
    "Å vs Å",  # two normal forms of one letter
    "<script>alert(1)</script>",
    "{{ 7 * 7 }} ${7*7} %s %n",
    "NULL",
    "1E+02",
    "\r\n\t ",
)


def naughty_strings() -> list[str]:
    listed = json.loads(LIST.read_text()) if LIST.exists() else []
    return [text for text in dict.fromkeys([*BY_HAND, *listed]) if text]
