"""What words mean to each other: another name, a wider or a narrower word, one of the same kind, the opposite.

After WordNet 3.0 (Fellbaum 1998), of which `senses.json.gz` holds the words that the encoder knows; how it was made
stands in `maintenance/novelty_senses.py`. Of a word that is not among them nothing is known.
"""

import gzip
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Literal

import msgspec

FILE = Path(__file__).parent / "senses.json.gz"

Meaning = Literal["same", "wider", "opposite", "narrower", "sibling", "unrelated"]


class Senses(msgspec.Struct, frozen=True, dict=True):
    """`words` has the commonest senses of each word. By sense `wider` has its hypernyms, `near` what an adjective is
    like, and `opposites` its antonyms."""

    words: Mapping[str, tuple[int, ...]]
    wider: tuple[tuple[int, ...], ...]
    near: Mapping[int, tuple[int, ...]]
    opposites: Mapping[int, tuple[int, ...]]

    def meanings(self, words: Sequence[str], known: Iterable[str]) -> list[Meaning]:
        """What each word is to the known ones, the first of `Meaning` that holds: "animal" is wider than "dog".

        The time is linear in the number of words.
        """
        heard = frozenset(known)
        senses = frozenset(sense for word in heard for sense in self.words.get(word, ()))
        above = frozenset(sense for word in heard for sense in self._above(word))
        parents = self._parents(senses)

        def meaning(word: str) -> Meaning:
            own = frozenset(self.words.get(word, ()))
            if word in heard or (own | _of(self.near, own)) & senses:
                return "same"
            if own & above:
                return "wider"
            if _of(self.opposites, own) & senses:
                return "opposite"
            if self._above(word) & senses:
                return "narrower"
            return "sibling" if self._parents(own) & parents else "unrelated"

        return [meaning(word) for word in words]

    def holds(self, words: Iterable[str]) -> bool:
        """Whether all of these are words of the table, as common nouns are and few names."""
        return all(word in self.words for word in words)

    def _parents(self, senses: Iterable[int]) -> frozenset[int]:
        return frozenset(above for sense in senses for above in self.wider[sense])

    def _above(self, word: str) -> frozenset[int]:
        """All that is wider than a word."""
        if word not in self._closures:
            found: set[int] = set()
            level = self._parents(self.words.get(word, ()))
            while level - found:
                found |= level
                level = self._parents(level)
            self._closures[word] = frozenset(found)
        return self._closures[word]

    @cached_property
    def _closures(self) -> dict[str, frozenset[int]]:
        return {}


def _of(table: Mapping[int, Sequence[int]], senses: Iterable[int]) -> frozenset[int]:
    return frozenset(found for sense in senses for found in table.get(sense, ()))


@cache
def default_senses() -> Senses:
    return msgspec.json.decode(gzip.decompress(FILE.read_bytes()), type=Senses)
