"""Noun phrases of a parsed sentence as spans of words, as short as they can be: what open extraction speaks of."""

from kg_assets.triples.parsed import Tree, Word

Span = tuple[int, ...]  # places of words, in order

COPULA = -1  # a copula that stands nowhere: "Arminius, leader of …" is stated with "is"
_LEFT = frozenset(
    {"det", "predet", "poss", "amod", "compound", "nummod", "nmod", "quantmod", "advmod", "npadvmod", "punct"}
)
_RIGHT = frozenset({"nummod", "compound", "case"})
_RELATIVE = frozenset({"which", "who", "that", "whom", "whose", "where", "when"})
_NOMINAL = ("NN", "PRP", "CD", "EX", "DT", "WP", "WDT", "$", "FW", "VBG", "JJ")
_QUOTES = frozenset({"``", "''", '"', "“", "”", "'", "`"})
_OF = "of"
_DEEPEST = 20  # "the end of the end of …"


def core(tree: Tree, noun: Word) -> Span:
    """The noun with what stands before it and belongs to it: "the first Prime Minister" of "… of Australia"."""
    first, last = noun.i, noun.i
    for child in tree.children(noun):
        if child.i < noun.i and child.dep in _LEFT:
            first = min(first, tree.subtree(child)[0].i)
        elif child.i == last + 1 and child.dep in _RIGHT:
            last = child.i
    while first < noun.i and _is_sign(tree.words[first]):
        first += 1
    return tuple(range(first, last + 1))


def whole(tree: Tree, noun: Word, depth: int = 0) -> Span:
    """The core and the "of …" that follows it: "the culture of Bhutan"."""
    span = core(tree, noun)
    for preposition in tree.children(noun, "prep"):
        target = tree.child(preposition, "pobj", "pcomp")
        follows = preposition.lower == _OF and preposition.i == span[-1] + 1
        if not follows or target is None or depth > _DEEPEST:
            continue
        rest = (
            tuple(each.i for each in tree.subtree(target)) if target.dep == "pcomp" else whole(tree, target, depth + 1)
        )
        span = (*span, preposition.i, *rest)
    return span


def unbroken(tree: Tree, span: Span) -> Span:
    """With what hyphens join to its words: the tokeniser makes three words of "re-elected"."""
    if span == (COPULA,):
        return span
    places = dict.fromkeys(span)
    for place in span:
        for step in (1, -1):
            at = place
            while _joins(tree, at, at + step) or _joins(tree, at + step, at):
                at += step
                places.setdefault(at)
    return tuple(sorted(places)) if len(places) > len(span) else span


def _joins(tree: Tree, place: int, other: int) -> bool:
    """Whether a word and the one right behind it are parts of one, of which one is the hyphen."""
    if other != place + 1 or place < 0 or other >= len(tree.words):
        return False
    first, second = tree.words[place], tree.words[other]
    return first.end == second.start and "-" in (first.text, second.text)


def members(tree: Tree, noun: Word) -> list[Word]:
    """The noun and those joined to it; of a place also the larger one behind a comma ("Salt Lake City, Utah")."""
    found = [word for word in tree.conjuncts(noun) if word.tag.startswith(_NOMINAL) or word.i == noun.i]
    places = [each for word in found for each in tree.children(word, "appos") if is_larger_place(tree, word, each)]
    return [*found, *places]


def is_larger_place(tree: Tree, place: Word, larger: Word) -> bool:
    """A bare name behind a name and a comma."""
    return place.tag == "NNP" and larger.tag == "NNP" and larger.dep == "appos" and not tree.children(larger, "det")


def is_relative(word: Word) -> bool:
    return word.lower in _RELATIVE and word.tag in ("WDT", "WP", "WP$", "WRB")


def written(tree: Tree, span: Span) -> str:
    """The words of a span as they stand in the text: one space where words were left out."""
    if span == (COPULA,):
        return "is"
    parts = [tree.words[place].text for place in span]
    for index in range(1, len(span)):
        before, after = tree.words[span[index - 1]], tree.words[span[index]]
        if after.i != before.i + 1 or after.start != before.end:
            parts[index] = f" {parts[index]}"
    return "".join(parts)


def _is_sign(word: Word) -> bool:
    return word.text in _QUOTES or not (word.text[0].isalnum() or word.text[0] in "$€£#")
