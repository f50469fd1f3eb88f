"""Noun phrases of a dependency parse, as the same phrases that are found without a parser."""

from collections.abc import Sequence

from kg_assets.text.chunks import Times
from kg_assets.text.lexicon import SPECIES
from kg_assets.text.phrases import PARTITIVES, Phrase, phrase_of
from kg_assets.text.sentences import Sentence, Token
from kg_assets.triples.parsed import Tree, Word
from kg_assets.triples.verb_lemmas import is_noun, is_verb

_LEFT_OF_NOUN = frozenset({"det", "poss", "amod", "compound", "nummod", "nmod", "case", "quantmod", "advmod", "predet"})


class PhraseReader:
    """One parsed sentence and its phrases. `tree` has places relative to `sentence.start`."""

    def __init__(self, text: str, sentence: Sentence, tree: Tree, times: Times) -> None:
        self.text, self.sentence, self.tree, self.times = text, sentence, tree, times
        self.offset = sentence.start
        limit = sentence.open_until
        self.open_from = sentence.tokens[limit].start if limit < len(sentence.tokens) else sentence.end + 1
        self.spoken = {token.start for token in sentence.tokens}  # without what is quoted

    def phrases(self, noun: Word) -> list[Phrase]:
        """A noun phrase and those joined to it; an unmarked one shares the first one's determiner."""
        found: list[Phrase] = []
        if self._is_owner_of_owner(noun):
            return []
        for word in self.tree.conjuncts(noun):
            denied = self.text[self.offset + word.start - 5 : self.offset + word.start].casefold().endswith("not ")
            phrase = None if denied or (word is not noun and word.is_verb) else self.phrase(word)
            if phrase is not None:
                shared = found and not phrase.determiner and phrase.owner is None
                found.append(phrase._replace(determiner=found[0].determiner) if shared else phrase)
        return found

    def phrase(self, noun: Word) -> Phrase | None:
        """The words in front of a noun that belong to it, and a name right behind it ("my sister Anna")."""
        if noun.lower in PARTITIVES and (whole := self._whole(noun)) is not None:
            return self.phrase(whole)
        first, last = noun.i, noun.i
        for child in self.tree.children(noun):
            aged = child.dep == "npadvmod" and noun.lower == "old"  # "34 years old"
            if child.i < noun.i and (aged or child.dep in _LEFT_OF_NOUN) and not self._is_timed(child):
                first = min([first, *(each.i for each in self.tree.subtree(child))])
        last = self._last(noun)
        start, end = self.offset + self.tree.words[first].start, self.offset + self.tree.words[last].end
        phrase = phrase_of(self.text, _between(self.sentence.tokens, start, end))
        if phrase is not None and (animal := _without_name(phrase)) is not None:
            return animal
        common = phrase is not None and phrase.is_name and first == last == 0 and noun.tag in ("NN", "NNS")
        return phrase._replace(is_name=False) if phrase is not None and common else phrase  # "Pets have …"

    def _is_owner_of_owner(self, noun: Word) -> bool:
        """ "My friend Tom's wife": the parser may take "my friend" for the wife."""
        described = self.tree.child(noun, "appos")
        owner = self.tree.child(described, "poss") if described is not None else None
        return owner is not None and owner.i == noun.i + 1 and owner.tag == "NNP"

    def _whole(self, noun: Word) -> Word | None:
        """The "German" of "a bit of German"."""
        of = next((each for each in self.tree.children(noun, "prep") if each.lower == "of"), None)
        return self.tree.child(of, "pobj") if of is not None else None

    def _last(self, noun: Word) -> int:
        """Where the phrase ends: behind "named Max", an apposed name, the "of Porto" of a proper name."""
        for child in self.tree.children(noun):
            adjacent = child.i == noun.i + 1 and child.dep in ("appos", "oprd", "flat") and child.tag == "NNP"
            if adjacent:
                return child.i
            if child.dep == "acl" and child.lower in ("named", "called") and child.i == noun.i + 1:
                name = self.tree.child(child, "oprd", "dobj", "attr")
                return name.i if name is not None else noun.i
            if (
                child.dep == "appos"
                and child.tag == "NNP"
                and child.i == noun.i + 2
                and not self.tree.children(child, "det")
            ):
                return (
                    child.i if self.text[self.offset + noun.end : self.offset + child.start].strip() == "," else noun.i
                )
            if child.lower == "of" and child.i == noun.i + 1:  # "a friend of mine"
                target = self.tree.child(child, "pobj")
                if target is not None and target.lower in ("mine", "ours") and target.i == child.i + 1:
                    return target.i
            if child.lower == "of" and noun.tag == "NNP" and child.i == noun.i + 1:
                target = self.tree.child(child, "pobj")
                if target is not None and target.tag == "NNP":
                    return target.i
        return noun.i

    def _is_timed(self, word: Word) -> bool:
        return self.times.at(self.offset + word.start) is not None


def _without_name(phrase: Phrase) -> Phrase | None:
    """ "My dog toto" of who writes without capitals: the dog, for the last word is no noun."""
    words = phrase.words
    if len(words) < 2 or words[-2] not in SPECIES or phrase.name or is_noun(words[-1]) or is_verb(words[-1]):
        return None
    end = phrase.end - len(words[-1]) - 1
    return phrase._replace(text=phrase.text[: end - phrase.start], end=end, words=words[:-1])


def _between(tokens: Sequence[Token], start: int, end: int) -> list[Token]:
    return [token for token in tokens if token.end > start and token.start < end]
