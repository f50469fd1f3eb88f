"""A parsed sentence as light frozen words, and the questions that patterns ask of it. No parser in here."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple


class Word(NamedTuple):
    """One word: its tag (Penn Treebank), its dependency on the word `head`, and where it starts in the sentence."""

    i: int
    text: str
    lower: str
    tag: str
    dep: str
    head: int
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def is_verb(self) -> bool:
        return self.tag.startswith("VB") or self.tag == "MD"


class Tree:
    """The words of one sentence with their children. `words[i].i == i`."""

    def __init__(self, words: Sequence[Word]) -> None:
        self.words = tuple(words)
        self._children: list[list[Word]] = [[] for _ in self.words]
        for word in self.words:
            if word.head != word.i:
                self._children[word.head].append(word)

    def children(self, word: Word, *deps: str) -> list[Word]:
        """The children of a word, in order; only those with one of these dependencies, where any are given."""
        return [each for each in self._children[word.i] if not deps or each.dep in deps]

    def child(self, word: Word, *deps: str) -> Word | None:
        return next(iter(self.children(word, *deps)), None)

    def conjuncts(self, word: Word) -> list[Word]:
        """The word and those joined to it by commas and "and"."""
        found = [word]
        for each in found:
            found += [other for other in self.children(each, "conj") if other not in found]
        return found

    def above(self, word: Word) -> Iterator[Word]:
        """The word's ancestors, nearest first."""
        while word.head != word.i:
            word = self.words[word.head]
            yield word

    def subtree(self, word: Word) -> list[Word]:
        """The word and all below it, in order."""
        found = [word]
        for each in found:
            found += self._children[each.i]
        return sorted(found)
