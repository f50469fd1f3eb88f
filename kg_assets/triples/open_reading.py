"""The open voter: what speakers and those they name do, have and are, in their own words, where no pattern reads it.

Off by default. Its predicates are the ontology's where a verb says plainly what one of them says, otherwise
provisional (`open_verbs`), and its confidence is low: it finds much more, and more of it will not matter tomorrow.
"""

from collections.abc import Iterator

from kg_assets.text.chunks import Times
from kg_assets.text.clauses import Aspect, Statement
from kg_assets.text.frames.stating import usable
from kg_assets.text.lexicon import NAMES_OF_MEN, NAMES_OF_WOMEN, NATIONALITIES, RELIGIONS, bag
from kg_assets.text.ontology import Ontology
from kg_assets.text.phrases import PARTITIVES, Phrase, phrase_of
from kg_assets.text.sentences import Sentence
from kg_assets.triples.open_extraction import OpenTriple, open_triples
from kg_assets.triples.open_phrases import COPULA, Span, core
from kg_assets.triples.open_verbs import DOING, LIGHT, LIKING, Group, is_thing, lemma, predicate_of
from kg_assets.triples.parsed import Tree, Word
from kg_assets.triples.verb_lemmas import is_noun

_BLOCKED = bag("would 'd could should might may must ought ca will 'll wo shall gonna if hardly barely scarcely longer")
_NEGATIONS = bag("not n't never")
_OWN = bag("i we")
_MINE = bag("my our mine")
_FAMILY = frozenset(
    {"mother", "father", "mom", "dad", "mum"}  # everyone has them: only a name or a fact of theirs is worth keeping
)
_EMPTY_VERBS = bag("be have do get go come say tell think know guess mean see let make want need seem sound hope thank")
_QUANTITIES = PARTITIVES | bag(
    "kind kinds sort sorts type types couple pair number bunch glass glasses cup cups bottle bottles piece pieces "
    "plate bowl slice can pack bag amount ton variety alot video videos picture pictures photo photos"
)
_NOT_OBJECTS = frozenset({"npadvmod", "ccomp", "advcl", "tmod"})  # bare times, and clauses
_TIMES = bag(
    "second moment minute minutes hour hours day days night nights morning mornings evening evenings afternoon week "
    "weeks weekend weekends month months year years time times while today tomorrow tonight yesterday ages"
)
_KEPT = ("IN", "TO", "RP", "VB", "VBG")  # tags of what follows the verb in a predicate's name
_EXAMPLES = frozenset({"like", "including"})  # "likes things like → hot dogs"
_EXCEPTIONS = frozenset({"except"})  # "eats anything except → broccoli": not that
_PLACING = bag("at in for to from with on")
_NO_NAMES = NATIONALITIES | RELIGIONS
_LONGEST_DEED = 8  # words
_STEPS = 20  # verbs above one another


class OpenReader:
    """Reads one parsed sentence. `tree` has places relative to `sentence.start`."""

    def __init__(self, text: str, sentence: Sentence, tree: Tree, times: Times, ontology: Ontology) -> None:
        self.text, self.sentence, self.tree, self.times, self.ontology = text, sentence, tree, times, ontology
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
        if triple.predicate == (COPULA,):
            return
        span = triple.object if self._is_object(triple.object) else self._had(triple)
        subject, thing = self._phrase(triple.subject), self._phrase(span)
        if subject is None or thing is None or not usable(thing) or thing.head in _TIMES:
            return
        group = self._group(triple.predicate)
        wish = self._wish(triple.predicate)
        if wish is not None and self._stands(wish):
            yield self._statement(subject, Group(wish, "be", negated=False, aspect="holds"), thing, "wants_to_be")
        if group is None or not self._stands(group.verb) or self._is_blocked(group.verb):
            return
        if group.name == "be" and self._is_name(triple.object) and (called := self._called(subject)) is not None:
            yield self._statement(called, group, thing, "name")
        else:
            yield from self._named(subject, group, thing)

    def _is_object(self, span: Span) -> bool:
        """Whether a span is something, and no clause, bare time or bare number."""
        inside = set(span)
        tops = [self.tree.words[place] for place in span if self.tree.words[place].head not in inside]
        return not any(word.dep in _NOT_OBJECTS or word.tag == "CD" for word in tops)

    def _had(self, triple: OpenTriple) -> Span:
        """The lizard of "I have a lizard sleeping here"; empty for any other clause."""
        verb = self.tree.words[triple.predicate[-1]]
        inner = next((each for each in self.tree.children(verb, "ccomp")), None)
        owned = self.tree.child(inner, "nsubj", "nsubjpass") if inner is not None else None
        return core(self.tree, owned) if owned is not None and lemma(verb) in ("have", "get") else ()

    def _is_name(self, span: Span) -> bool:
        """As in "i am omar": one word that is a name, also in small letters."""
        word = self.tree.words[span[0]]
        listed = word.lower in NAMES_OF_WOMEN or word.lower in NAMES_OF_MEN
        named = word.tag == "NNP" and not is_noun(word.lower) and word.lower not in _NO_NAMES
        return len(span) == 1 and (listed or named)

    def _called(self, subject: Phrase) -> Phrase | None:
        """Who is called so: the speaker, or whose "name" it is; None where it is somebody's relation to somebody."""
        if subject.head == "name":
            return subject.owner
        return subject if subject.head == "i" else None

    def _group(self, span: Span) -> Group | None:
        """The verb with what follows it in a predicate's name; None where that would say something else.

        An adjective belongs to the name ("is proud of"), a quantity does not ("loves all kinds of → films"), and what
        is said of a noun in between is said of that noun ("runs a bakery in → Leeds").
        """
        words = [self.tree.words[place] for place in span]
        lowers = [word.lower for word in words]
        verbs = [word for word in words if word.is_verb and word.dep not in ("aux", "auxpass")]
        if not verbs or not _BLOCKED.isdisjoint(lowers):
            return None
        name = [lemma(verbs[0])]
        rest = words[words.index(verbs[0]) + 1 :]
        nouns = [word for word in rest if word.tag.startswith(("NN", "PRP", "CD"))]
        if nouns:
            last = rest[-1]
            if (
                (last.lower == "of" and rest[-2].lower in _QUANTITIES)
                or last.lower in _EXAMPLES
                or last.lower in _EXCEPTIONS
            ):
                rest = [word for word in rest[:-1] if word.i < nouns[0].i]
            elif last.tag not in ("IN", "TO"):
                return None
            elif name[0] not in LIGHT or not self._is_bare(rest, nouns):
                if not (self._is_of_verb(last, verbs) or self._is_close(last, nouns)):
                    return None
                rest = [last]
        nouns = [word for word in nouns[-1:] if word.dep != "compound"]
        name += [word.lower for word in rest if word.tag in _KEPT or word.dep == "acomp" or word in nouns]
        negated = (not _NEGATIONS.isdisjoint(lowers)) != (bool(nouns) and words[-1].lower in _EXCEPTIONS)
        return Group(verbs[0], " ".join(name), negated, self._aspect(verbs[0], lowers))

    def _is_close(self, preposition: Word, nouns: list[Word]) -> bool:
        """Whether it stands behind the verb's only object, to which the parser may have given it by mistake."""
        return len(nouns) == 1 and nouns[0].dep == "dobj" and preposition.lower in _PLACING

    def _is_bare(self, rest: list[Word], nouns: list[Word]) -> bool:
        """Whether one noun stands between a light verb and the last preposition: "have a passion for"."""
        noun = nouns[-1]
        between = [word for word in rest if word.tag in ("IN", "TO", "RP")]
        one = all(each.dep == "compound" for each in nouns[:-1])
        return one and noun.tag in ("NN", "NNS") and noun.i == rest[-1].i - 1 and len(between) <= 2

    def _is_of_verb(self, preposition: Word, verbs: list[Word]) -> bool:
        """Whether it says more of the verb itself: of "works as a cook at a school" both do."""
        head = self.tree.words[preposition.head]
        as_what = self.tree.words[head.head].lower == "as" and head.dep == "pobj"
        return preposition.head in [verb.i for verb in verbs] or as_what

    def _wish(self, span: Span) -> Word | None:
        """The "become" of "I would love to move there and become → a lawyer"."""
        last = self.tree.words[span[-1]]
        if lemma(last) not in ("be", "become"):
            return None
        top = last
        for _ in range(_STEPS):
            if top.dep not in ("xcomp", "conj") or top.head == top.i:
                break
            top = self.tree.words[top.head]
        wished = not bag("would 'd").isdisjoint(each.lower for each in self.tree.children(top, "aux"))
        return last if top is not last and wished and lemma(top) in LIKING else None

    def _aspect(self, verb: Word, lowers: list[str]) -> Aspect:
        perfect = not bag("have has 've").isdisjoint(lowers)
        past = verb.tag == "VBD" or not bag("was were did had").isdisjoint(lowers)
        return "held" if past and not perfect else "holds"

    def _is_blocked(self, verb: Word) -> bool:
        """Whether something above makes it no fact: "would love to move to a city and | become | a lawyer"."""
        for _ in range(_STEPS):
            if not _BLOCKED.isdisjoint(each.lower for each in self.tree.children(verb, "aux", "mark", "advmod")):
                return True
            if verb.dep not in ("xcomp", "conj", "pcomp") or verb.head == verb.i or self.tree.children(verb, "nsubj"):
                return False
            verb = self.tree.words[verb.head]
        return False

    # ----------------------------------------------------------------------------------------------- activities

    def _deeds(self, verb: Word) -> Iterator[Statement]:
        """What someone likes doing or does: "I enjoy surfing", "I travel a lot", "love those critters"."""
        subject = self._doer(verb)
        auxiliaries = [each.lower for each in self.tree.children(verb, "aux", "neg")]
        if subject is None or self._is_blocked(verb):
            return
        negated = not _NEGATIONS.isdisjoint(auxiliaries)
        aspect = self._aspect(verb, auxiliaries)
        group = Group(verb, lemma(verb), negated, aspect)
        inner = self.tree.children(verb, "xcomp", "ccomp", "advcl")
        for each in inner:
            if each.is_verb and each.tag in ("VBG", "VB") and self.tree.child(each, "nsubj") is None:
                able = group.name == "know" and self._says_how(each)
                doing = self._doing(group, each)
                for deed in self.tree.conjuncts(each):
                    yield from self._named(subject, group, self._deed(deed), "has_ability" if able else doing)
        if not inner and group.name not in _EMPTY_VERBS:
            can = "can" in auxiliaries
            yield self._statement(subject, group, self._deed(verb), "has_ability" if can else "does")
        if not self.tree.children(verb, "nsubj", "nsubjpass") and verb.dep == "ROOT":
            for noun in self.tree.children(verb, "dobj", "attr"):
                thing = self._phrase(core(self.tree, noun))
                if thing is not None and usable(thing):
                    yield from self._named(subject, group, thing)

    def _doing(self, group: Group, inner: Word) -> str:
        """What going says of what one goes to do: a deed, or a plan; empty for verbs that say more."""
        intended = any(each.lower == "to" for each in self.tree.children(inner, "aux"))
        if group.name == "go" and intended:
            return "plans_to" if group.verb.tag == "VBG" and group.aspect == "holds" else ""
        return "does" if group.name == "go" or (inner.tag == "VBG" and group.name in DOING) else ""

    def _says_how(self, verb: Word) -> bool:
        return any(each.lower == "how" for each in self.tree.children(verb, "advmod"))

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
        """The activity in the words of the text: the verb with its object and what is behind a preposition."""
        last = verb
        for child in self.tree.children(verb, "dobj", "prt", "acomp", "attr", "advmod"):
            last = max(last, self.tree.words[core(self.tree, child)[-1]])
        for head in (verb, last):
            for preposition in self.tree.children(head, "prep")[:1]:
                noun = self.tree.child(preposition, "pobj")
                behind = self.tree.words[core(self.tree, noun)[-1]] if noun is not None else last
                last = max(last, behind) if behind.i - verb.i < _LONGEST_DEED else last
        start, end = self.sentence.start + verb.start, self.sentence.start + last.end
        said = self.text[start:end]
        return Phrase(said, start, end, tuple(said.casefold().split()))

    def _possession(self, noun: Word) -> Iterator[Statement]:
        """As in "… in my old truck": what is mine, I have."""
        owner = self.tree.child(noun, "poss")
        if owner is None or owner.lower not in _MINE or noun.start + self.sentence.start >= self.open_from:
            return
        phrase = self._phrase(core(self.tree, noun))
        if phrase is None or phrase.head in _FAMILY or not is_thing(phrase):
            return
        verb = next((each for each in self.tree.above(noun) if each.is_verb), noun)
        yield from self._named(self._speaker(noun), Group(verb, "have", negated=False, aspect="holds"), phrase)

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

    def _named(self, subject: Phrase, group: Group, thing: Phrase, predicate: str = "") -> Iterator[Statement]:
        """A statement under the predicate that the verb's words stand for; none where no name would be safe."""
        predicate = predicate or predicate_of(group.name, thing, self.ontology)
        if predicate:
            yield self._statement(subject, group, thing, predicate)

    def _statement(self, subject: Phrase, group: Group, thing: Phrase, predicate: str) -> Statement:
        return Statement(
            subject=subject,
            predicate=predicate,
            object=thing,
            polarity="denied" if group.negated else "affirmed",
            aspect=group.aspect,  # type: ignore[arg-type]
            forward=False,
            span=(min(subject.start, thing.start), thing.end),
        )
