"""The open voter: what speakers and those they name do, have and are, in their own words, where no pattern reads it.

Off by default. Its predicates are the ontology's where a verb says plainly what one of them says, otherwise
provisional, and its confidence is low: it finds much more, and more of it will not matter tomorrow.
"""

from collections.abc import Iterator
from typing import NamedTuple

from kg_assets.text.chunks import Times
from kg_assets.text.clauses import Aspect, Statement
from kg_assets.text.frames.stating import usable
from kg_assets.text.lexicon import (
    BREEDS,
    CONDITIONS,
    FEATURES,
    GROUPS,
    PLURAL_SPECIES,
    RELATIONS,
    SPECIES,
    VERBS,
    among,
    bag,
)
from kg_assets.text.phrases import Phrase, phrase_of
from kg_assets.text.sentences import Sentence
from kg_assets.triples.open_extraction import OpenTriple, open_triples
from kg_assets.triples.open_phrases import COPULA, Span, core
from kg_assets.triples.parsed import Tree, Word

# Verbs that say what a predicate of the ontology says, whatever their object is.
PLAIN = {
    "like": "likes",
    "love": "likes",
    "enjoy": "likes",
    "adore": "likes",
    "prefer": "likes",
    "hate": "dislikes",
    "dislike": "dislikes",
    "despise": "dislikes",
    "have": "owns",
    "own": "owns",
    "eat": "eats",
    "drink": "drinks",
    "watch": "watches",
    "read": "reads",
    "listen to": "listens_to",
    "wear": "wears",
    "cook": "cooks",
    "collect": "collects",
    "fear": "fears",
    "bake": "cooks",
    "play": "plays",
    "want to be": "wants_to_be",
    "want to become": "wants_to_be",
    "believe in": "believes_in",
}
_BLOCKED = bag("would 'd could should might may must ought ca will 'll wo shall gonna if")
_AUXILIARIES = bag(
    "am 'm m is 's are 're was were be been being do does did have has 've had will to can not n't never"
)
_KEPT = frozenset({"IN", "TO", "RP", "VB", "VBG"})  # tags of what follows the verb in a predicate's name
_OWN = bag("i we")
_MINE = bag("my our mine")
_FAMILY = frozenset(
    {"mother", "father", "mom", "dad", "mum"}  # everyone has them: only a name or a fact of theirs is worth keeping
)


class OpenReader:
    """Reads one parsed sentence. `tree` has places relative to `sentence.start`."""

    def __init__(self, text: str, sentence: Sentence, tree: Tree, times: Times) -> None:
        self.text, self.sentence, self.tree, self.times = text, sentence, tree, times
        limit = sentence.open_until
        self.open_from = sentence.tokens[limit].start if limit < len(sentence.tokens) else sentence.end + 1
        self.spoken = {token.start for token in sentence.tokens}

    def statements(self) -> Iterator[Statement]:
        if self.sentence.is_question or self.sentence.is_supposed:
            return
        for triple in open_triples(self.tree):
            yield from self._of_triple(triple)
        for word in self.tree.words:
            if word.is_verb and self._stands(word):
                yield from self._deeds(word)
            if word.tag.startswith("NN"):
                yield from self._possession(word)

    # -------------------------------------------------------------------------------------------------- triples

    def _of_triple(self, triple: OpenTriple) -> Iterator[Statement]:
        subject, thing = self._phrase(triple.subject), self._phrase(triple.object)
        if subject is None or thing is None or triple.predicate == (COPULA,) or not usable(thing):
            return
        group = self._group(triple.predicate)
        if group is not None and self._stands(group.verb):
            yield self._statement(subject, group, thing)

    def _group(self, span: Span) -> "_Group | None":
        """The verb and preposition of a predicate; None where something else stands in it, or it is no fact."""
        words = [self.tree.words[place] for place in span]
        lowers = [word.lower for word in words]
        if not _BLOCKED.isdisjoint(lowers):
            return None
        verbs = [word for word in words if word.is_verb and word.dep not in ("aux", "auxpass")]
        if not verbs or any(word.tag.startswith(("NN", "JJ", "PRP", "CD")) for word in words[:-1]):
            preposition = words[-1] if words[-1].tag in ("IN", "TO") else None
            if not verbs or preposition is None:
                return None
        after = [
            word.lower for word in words[words.index(verbs[0]) + 1 :] if word.tag in ("IN", "TO", "RP", "VB", "VBG")
        ]
        name = " ".join([lemma(verbs[0]), *after])
        negated = "not" in lowers or "n't" in lowers or "never" in lowers
        return _Group(verbs[0], name, negated, self._aspect(verbs[0], lowers))

    def _aspect(self, verb: Word, lowers: list[str]) -> Aspect:
        perfect = not bag("have has 've").isdisjoint(lowers)
        past = verb.tag == "VBD" or not bag("was were did had").isdisjoint(lowers)
        return "held" if past and not perfect else "holds"

    # ----------------------------------------------------------------------------------------------- activities

    def _deeds(self, verb: Word) -> Iterator[Statement]:
        """What someone likes doing or does: "I enjoy surfing", "I travel a lot", "love those critters"."""
        subject = self._doer(verb)
        auxiliaries = [each.lower for each in self.tree.children(verb, "aux", "neg")]
        if subject is None or not _BLOCKED.isdisjoint(auxiliaries):
            return
        negated = not bag("not n't never").isdisjoint(auxiliaries)
        aspect = self._aspect(verb, auxiliaries)
        inner = self.tree.children(verb, "xcomp", "ccomp", "advcl")
        for each in inner:
            if each.is_verb and each.tag in ("VBG", "VB") and self.tree.child(each, "nsubj") is None:
                for deed in self.tree.conjuncts(each):
                    yield self._statement(subject, _Group(verb, lemma(verb), negated, aspect), self._deed(deed))
        if not inner and lemma(verb) not in _EMPTY_VERBS:
            yield self._statement(subject, _Group(verb, "do", negated, aspect), self._deed(verb))
        if not self.tree.children(verb, "nsubj", "nsubjpass") and verb.dep == "ROOT":
            for noun in self.tree.children(verb, "dobj", "attr"):
                thing = self._phrase(core(self.tree, noun))
                if thing is not None and usable(thing):
                    yield self._statement(subject, _Group(verb, lemma(verb), negated, aspect), thing)

    def _doer(self, verb: Word) -> Phrase | None:
        """The verb's own subject where it is somebody; the speaker where a sentence opens without one."""
        own = self.tree.child(verb, "nsubj")
        if own is None and verb.dep == "conj":
            own = self.tree.child(self.tree.words[verb.head], "nsubj")
        if own is not None:
            return self._phrase(core(self.tree, own)) if own.lower in _OWN else None
        opening = verb.dep == "ROOT" and verb.tag in ("VBP", "VBD", "VBG")
        return self._speaker(verb) if opening else None

    def _deed(self, verb: Word) -> Phrase:
        """The activity in the words of the text: the verb with its object, or with its first preposition's noun."""
        last = verb
        for child in self.tree.children(verb, "dobj", "prt", "acomp", "attr", "advmod"):
            last = max(last, self.tree.words[core(self.tree, child)[-1]])
        if last is verb:
            for preposition in self.tree.children(verb, "prep")[:1]:
                noun = self.tree.child(preposition, "pobj")
                last = self.tree.words[core(self.tree, noun)[-1]] if noun is not None else last
        start, end = self.sentence.start + verb.start, self.sentence.start + last.end
        said = self.text[start:end]
        return Phrase(said, start, end, tuple(said.casefold().split()))

    def _possession(self, noun: Word) -> Iterator[Statement]:
        """As in "… in my old truck": what is mine, I have."""
        owner = self.tree.child(noun, "poss")
        if owner is None or owner.lower not in _MINE or noun.start + self.sentence.start >= self.open_from:
            return
        phrase = self._phrase(core(self.tree, noun))
        if phrase is None or phrase.head in _FAMILY:
            return
        verb = next((each for each in self.tree.above(noun) if each.is_verb), noun)
        group = _Group(verb, "have", negated=False, aspect="holds")
        yield self._statement(self._speaker(noun), group, phrase)

    # -------------------------------------------------------------------------------------------------- phrases

    def _speaker(self, word: Word) -> Phrase:
        place = self.sentence.start + word.start
        return Phrase("", place, place, ("i",), is_pronoun=True)

    def _stands(self, verb: Word) -> bool:
        place = verb.start + self.sentence.start
        worded = any(sign.isalnum() for sign in verb.text)
        return worded and place < self.open_from and place in self.spoken and verb.dep not in ("aux", "auxpass")

    def _phrase(self, span: Span) -> Phrase | None:
        if not span or span[0] < 0:
            return None
        words = self.tree.words
        start, end = self.sentence.start + words[span[0]].start, self.sentence.start + words[span[-1]].end
        if self.times.at(self.sentence.start + words[span[-1]].start) is not None:
            return None
        tokens = [token for token in self.sentence.tokens if token.end > start and token.start < end]
        return phrase_of(self.text, tokens)

    def _statement(self, subject: Phrase, group: "_Group", thing: Phrase) -> Statement:
        had = _had(thing) if group.name in _HAVING else ""
        return Statement(
            subject=subject,
            predicate=had or PLAIN.get(group.name, _provisional(group.name)),
            object=thing,
            polarity="denied" if group.negated else "affirmed",
            aspect=group.aspect,
            forward=False,
            span=(min(subject.start, thing.start), thing.end),
        )


def _had(phrase: Phrase) -> str:
    """The predicate that what someone has asks for; empty for any other thing."""
    relation = RELATIONS.get(phrase.head) or RELATIONS.get(phrase.head.removesuffix("s"))
    if relation is not None and not relation.inverted:
        return relation.predicate
    if relation is not None or phrase.head in GROUPS:
        return "related_to"
    if among(phrase.words, SPECIES) or among(phrase.words, PLURAL_SPECIES) or among(phrase.words, BREEDS):
        return "has_pet"
    if among(phrase.words, CONDITIONS):
        return "has_condition"
    return "appearance" if among(phrase.words, FEATURES) else ""


class _Group(NamedTuple):
    verb: Word
    name: str
    negated: bool
    aspect: Aspect


_EMPTY_VERBS = bag("be have do get go come say tell think know guess mean see let make want need seem sound hope thank")
_LEMMAS = {
    "am": "be",
    "'m": "be",
    "m": "be",
    "is": "be",
    "'s": "be",
    "are": "be",
    "'re": "be",
    "was": "be",
    "were": "be",
}
_HAVING = frozenset({"have", "own", "get"})
_TAKEN = {"be": "is", "do": "does"}


def lemma(verb: Word) -> str:
    return _LEMMAS.get(verb.lower) or (VERBS[verb.lower].lemma if verb.lower in VERBS else verb.lower)


def _provisional(name: str) -> str:
    """A name that no declared predicate bears, so that nothing is superseded by a guess."""
    return _TAKEN.get(name) or name.replace(" ", "_")
