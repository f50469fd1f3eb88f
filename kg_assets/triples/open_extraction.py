"""Open extraction: what a sentence says in its own words, whatever the predicate is.

From a dependency parse come subject–verb–object, copula, passive, relative and participial clauses, appositions,
what prepositions add one by one ("served as Prime Minister of → Australia"), and each member of a list by itself.
Spans are short. Clause types follow ClausIE (Del Corro and Gemulla, 2013); that a prepositional phrase goes into the
predicate except for its noun follows the annotation guidelines of BenchIE (Gashteovski et al., 2022).
"""

from collections.abc import Iterator
from typing import NamedTuple

from kg_assets.text.lexicon import bag
from kg_assets.triples.open_phrases import (
    COPULA,
    Span,
    core,
    is_larger_place,
    is_relative,
    members,
    unbroken,
    whole,
    written,
)
from kg_assets.triples.parsed import Tree, Word

_SUBJECTS = ("nsubj", "nsubjpass")
_DIRECT = ("dobj", "attr", "acomp", "oprd")
_BEFORE_PREPOSITIONS = frozenset({"instead", "because", "due", "along", "prior", "together", "apart", "out", "away"})
_CIRCUMSTANCES = frozenset({"after", "before", "until", "because", "since"})
_OPENING_NOUNS = bag(
    "accordance account addition behalf case charge connection contrast exchange favor favour front light means need "
    "order place regard relation respect response search spite support terms top view virtue way"
)
_MOST = 60  # triples of one sentence
_MOST_STEPS = 40  # verbs between one and the verb that has its subject
_DEEPEST = 4  # prepositional phrases in a chain
_LONGEST_CLAUSE = 40  # words


class OpenTriple(NamedTuple):
    """Three spans of one sentence: places of words, and the words themselves."""

    subject: Span
    predicate: Span
    object: Span


def open_triples(tree: Tree) -> list[OpenTriple]:
    """Every triple of a sentence once, in the order of its verbs."""
    found: dict[OpenTriple, None] = {}
    for triple in _triples(tree):
        if triple.object and triple.predicate and triple.subject:
            found.setdefault(OpenTriple(*(unbroken(tree, part) for part in triple)))
        if len(found) >= _MOST:
            break
    return list(found)


def as_words(tree: Tree, triple: OpenTriple) -> tuple[str, str, str]:
    """Subject, predicate and object as written."""
    return (
        written(tree, triple.subject),
        written(tree, triple.predicate),
        written(tree, triple.object),
    )


def covered(tree: Tree, triple: OpenTriple) -> tuple[int, int]:
    """Where a triple stands: from its first character to behind its last."""
    words = [tree.words[place] for part in triple for place in part if place != COPULA]
    return min(word.start for word in words), max(word.end for word in words)


def is_negated(tree: Tree, triple: OpenTriple) -> bool:
    return any(tree.words[place].dep == "neg" for place in triple.predicate if place != COPULA)


def _triples(tree: Tree) -> Iterator[OpenTriple]:
    for word in tree.words:
        if word.is_verb and word.dep not in ("aux", "auxpass", "amod", "compound", "xcomp"):
            for subject in _subjects(tree, word):
                yield from _of_verb(tree, subject, word)
        elif word.dep == "appos":
            yield from _apposition(tree, word)


# ---------------------------------------------------------------------------------------------------------- subjects


def _subjects(tree: Tree, verb: Word, steps: int = 0) -> list[Span]:
    """Who does it: the verb's own subject, the noun a clause describes, or the subject of the verb above."""
    own = tree.child(verb, *_SUBJECTS) or tree.child(verb, "expl")
    above = tree.words[verb.head]
    if own is not None and is_relative(own):
        described = _described(tree, verb)
        return [whole(tree, described)] if described is not None else []
    if own is not None:
        return [whole(tree, each) for each in tree.conjuncts(own) if not is_larger_place(tree, own, each)]
    if tree.child(verb, "csubj") is not None or steps > _MOST_STEPS:
        return []
    if verb.dep == "acl" and verb.tag in ("VBG", "VBN", "VBD"):
        return [core(tree, above)]
    if verb.dep == "conj" and above.is_verb:
        return _subjects(tree, above, steps + 1)
    if verb.dep == "xcomp" or (verb.dep == "advcl" and verb.tag in ("VBG", "VBN")):
        governor = next((each for each in tree.above(verb) if each.is_verb), None)
        return _subjects(tree, governor, steps + 1) if governor is not None else []
    if verb.dep == "pcomp" and verb.tag == "VBG" and tree.words[above.head].is_verb:
        return _subjects(tree, tree.words[above.head], steps + 1)
    return []


def _described(tree: Tree, verb: Word) -> Word | None:
    """The noun that the relative clause of this verb describes."""
    while verb.dep == "conj":
        verb = tree.words[verb.head]
    return tree.words[verb.head] if verb.dep == "relcl" else None


# ------------------------------------------------------------------------------------------------------------- verbs


def _of_verb(tree: Tree, subject: Span, verb: Word) -> Iterator[OpenTriple]:
    group, last = _group(tree, verb)
    direct = [child for each in (verb, last) if each is not None for child in tree.children(each, *_DIRECT)]
    direct = [each for each in direct if each.i not in group and not is_relative(each)]
    gap = _gap(tree, verb)
    if gap is not None and not direct:
        left = tuple(each.i for each in tree.children(verb, "prep") if not tree.children(each))[:1]  # "I work | in"
        yield OpenTriple(subject, tuple(sorted((*group, *left))), core(tree, gap))
        lead = (*group, *core(tree, gap))
        yield from _with_prepositions(tree, subject, lead, [verb, last])
        return
    leads: list[Span] = []
    for noun in direct[:2]:
        for member in _members(tree, noun):
            span = core(tree, member)
            yield OpenTriple(subject, group, whole(tree, member))
            lead = (*group, *span)
            leads.append(lead)
            yield from _with_prepositions(tree, subject, lead, [member])
    lead = leads[0] if leads else group
    yield from _with_prepositions(tree, subject, lead, [verb] if last is verb else [verb, last])
    yield from _with_purpose(tree, subject, lead, verb)
    placed = lead if leads else (*group, *_first_phrase(tree, verb))
    yield from _with_time(tree, subject, placed, verb)
    yield from _with_circumstance(tree, subject, placed, verb)
    yield from _with_clause(tree, subject, group, last)


def _members(tree: Tree, noun: Word) -> list[Word]:
    return tree.conjuncts(noun) if noun.dep == "acomp" else members(tree, noun)


def _group(tree: Tree, verb: Word) -> tuple[Span, Word]:
    """The verb with auxiliaries, negation and particle, and the infinitives after it ("was able to start")."""
    places = {verb.i, *(each.i for each in tree.children(verb, "aux", "auxpass", "neg", "prt"))}
    first = tree.words[verb.head]
    shared = verb.dep == "conj" and verb.tag in ("VBN", "VBD") and first.tag == "VBN"
    if shared and not tree.children(verb, "aux", "auxpass", *_SUBJECTS):  # "is cut and flushed"
        places |= {each.i for each in tree.children(first, "aux", "auxpass")}
    last = verb
    for _ in range(_DEEPEST):
        through = tree.child(last, "acomp")
        inner = tree.child(last, "xcomp") or (tree.child(through, "xcomp") if through is not None else None)
        if inner is None or not inner.is_verb or tree.child(inner, *_SUBJECTS) is not None:
            break
        if tree.child(last, "dobj") is not None:
            break
        if through is not None and inner.head == through.i:
            places.add(through.i)
        places |= {inner.i, *(each.i for each in tree.children(inner, "aux", "auxpass", "neg", "prt"))}
        last = inner
    return tuple(sorted(places)), last


def _gap(tree: Tree, verb: Word) -> Word | None:
    """What a relative clause with a subject of its own speaks of: "the book he wrote"."""
    if verb.dep != "relcl":
        return None
    own = tree.child(verb, *_SUBJECTS)
    relative = tree.child(verb, "dobj")
    if own is None or is_relative(own) or (relative is not None and not is_relative(relative)):
        return None
    if any(is_relative(each) for each in tree.children(verb, "advmod", "prep")):
        return None
    return tree.words[verb.head]


def _with_prepositions(
    tree: Tree, subject: Span, lead: Span, heads: list[Word], depth: int = 0
) -> Iterator[OpenTriple]:
    """What prepositions add, one noun at a time, and what is said of that noun in turn."""
    for preposition in (each for head in heads for each in tree.children(head, "prep", "agent", "dative")):
        noun = tree.child(preposition, "pobj")
        if noun is not None and not is_relative(noun):
            opens = _opens(tree, preposition, noun)
            for member in members(tree, noun):
                if not opens:
                    yield OpenTriple(subject, (*lead, *_words_of(tree, preposition)), whole(tree, member))
                if depth < _DEEPEST:
                    deeper = (*lead, *_words_of(tree, preposition), *core(tree, member))
                    yield from _with_prepositions(tree, subject, deeper, [member], depth + 1)
        doing = tree.child(preposition, "pcomp")
        if doing is not None and doing.is_verb:
            for done in (each for noun in tree.children(doing, "dobj") for each in members(tree, noun)):
                yield OpenTriple(subject, (*lead, *_words_of(tree, preposition), doing.i), whole(tree, done))
        inner = tree.child(preposition, "prep")
        if inner is not None and noun is None:  # "from out of"
            yield from _with_prepositions(tree, subject, (*lead, preposition.i), [preposition], depth + 1)


def _opens(tree: Tree, preposition: Word, noun: Word) -> bool:
    """Whether both are one preposition of several words: "in respect of", "in order to"."""
    bare = preposition.i + 1 == noun.i and noun.lower in _OPENING_NOUNS
    return bare and (noun.lower == "order" or bool(tree.children(noun, "prep")))


def _words_of(tree: Tree, preposition: Word) -> Span:
    """A preposition with what belongs to it: "because of", "such as"."""
    joined = [each.i for each in tree.children(preposition, "pcomp") if not each.is_verb]
    before = [each.i for each in tree.children(preposition, "advmod") if each.lower in _BEFORE_PREPOSITIONS]
    return tuple(sorted({preposition.i, *joined, *before}))


def _with_purpose(tree: Tree, subject: Span, lead: Span, verb: Word) -> Iterator[OpenTriple]:
    """What it was done for: "uses funds | to select | grants" as "uses funds to select → grants"."""
    for inner in tree.children(verb, "advcl", "xcomp"):
        marks = tree.children(inner, "aux")
        if len(marks) == 1 and marks[0].lower == "to" and inner.i not in lead and inner.i > lead[-1]:
            for noun in tree.children(inner, *_DIRECT):
                for member in _members(tree, noun):
                    yield OpenTriple(subject, (*lead, marks[0].i, inner.i), whole(tree, member))


def _with_time(tree: Tree, subject: Span, lead: Span, verb: Word) -> Iterator[OpenTriple]:
    """Bare phrases of time: "five years later", "that night"."""
    for child in tree.children(verb, "npadvmod", "advmod"):
        if child.dep == "npadvmod" or tree.child(child, "npadvmod") is not None:
            yield OpenTriple(subject, lead, tuple(each.i for each in tree.subtree(child)))


def _first_phrase(tree: Tree, verb: Word) -> Span:
    """The first prepositional phrase behind a verb: "with his family" of "was reunited with his family in New York"."""
    for preposition in tree.children(verb, "prep", "agent"):
        noun = tree.child(preposition, "pobj")
        if noun is not None and preposition.i > verb.i:
            return (preposition.i, *core(tree, noun))
    return ()


def _with_circumstance(tree: Tree, subject: Span, lead: Span, verb: Word) -> Iterator[OpenTriple]:
    """When or why: "joined the band after → Mark Portmann left"."""
    for clause in tree.children(verb, "advcl"):
        mark = tree.child(clause, "mark")
        if (
            mark is None
            or clause.i < verb.i
            or mark.lower not in _CIRCUMSTANCES
            or tree.child(clause, *_SUBJECTS) is None
        ):
            continue
        span = _sentence(tree, clause, {mark.i})
        if 0 < len(span) <= _LONGEST_CLAUSE and mark.i < span[0]:
            yield OpenTriple(subject, (*lead, mark.i), span)


def _sentence(tree: Tree, clause: Word, without: set[int]) -> Span:
    """A clause without what is joined to it, and without the signs at its end."""
    joined = {below.i for other in tree.children(clause, "conj", "cc") for below in tree.subtree(other)} | without
    span = tuple(below.i for below in tree.subtree(clause) if below.i not in joined)
    while span and not tree.words[span[-1]].text[0].isalnum():
        span = span[:-1]
    return span


def _with_clause(tree: Tree, subject: Span, group: Span, verb: Word) -> Iterator[OpenTriple]:
    """What is said, thought or shown: the clause as a whole, each joined clause by itself."""
    for clause in tree.children(verb, "ccomp"):
        if clause.i < verb.i:
            continue
        for each in [clause, *tree.children(clause, "conj")]:
            span = _sentence(tree, each, set())
            if len(span) <= _LONGEST_CLAUSE:
                yield OpenTriple(subject, group, span)


def _apposition(tree: Tree, word: Word) -> Iterator[OpenTriple]:
    """As in "Arminius, leader of the Cherusci": stated with the copula that is not there."""
    head = tree.words[word.head]
    if is_larger_place(tree, head, word) or not word.tag.startswith("NN"):
        return
    yield OpenTriple(core(tree, head), (COPULA,), whole(tree, word))
