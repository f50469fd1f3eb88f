"""How kg_assets/novelty/senses.json.gz was made; `python benchmarks/novelty_senses.py` makes it again.

From the files of WordNet 3.0 (Fellbaum 1998; the Debian package `wordnet-base` carries them), whose format is that of
its manual pages wndb(5WN) and morphy(7WN). Kept are the words that the encoder knows whole, inflected forms too, with
their commonest senses, and all that is wider than these.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from kg_assets.novelty.senses import Senses

PARTS = {"n": "noun", "v": "verb", "a": "adj"}
COMMONEST = 3  # senses of a lemma; on made-up pairs two, four and six were no better
ENDINGS = {  # of a word, and of its lemma: morphy's rules of detachment
    "n": ("s ", "ses s", "xes x", "zes z", "ches ch", "shes sh", "men man", "ies y"),
    "v": ("s ", "ies y", "es e", "es ", "ed e", "ed ", "ing e", "ing "),
    "a": ("er ", "est ", "er e", "est e"),
}
WORD = re.compile("[a-z]{2,}")
POINTERS = {"@": "wider", "@i": "wider", "&": "near", "!": "opposites"}

Table = dict[str, set[str]]


def senses_of(wordnet: Path, vocabulary: Iterable[str]) -> Senses:
    """`wordnet` is the folder of the files index.noun, data.noun, noun.exc and their like."""
    index = {part: dict(_index(wordnet / f"index.{name}", part)) for part, name in PARTS.items()}
    irregular = {part: _irregular(wordnet / f"{name}.exc") for part, name in PARTS.items()}
    tables = _pointers(wordnet)
    words = {
        word: [
            sense
            for part in PARTS
            for lemma in _lemmas(word, part, index[part], irregular[part])
            for sense in index[part][lemma][:COMMONEST]
        ]
        for word in sorted(set(vocabulary))
        if WORD.fullmatch(word)
    }
    kept = _with_all_above({sense for senses in words.values() for sense in senses}, tables["wider"])
    number = {sense: place for place, sense in enumerate(kept)}

    def numbers(senses: Iterable[str]) -> tuple[int, ...]:
        return tuple(sorted({number[sense] for sense in senses if sense in number}))

    def by_number(table: Table) -> dict[int, tuple[int, ...]]:
        found = {number[sense]: numbers(others) for sense, others in table.items() if sense in number}
        return {sense: found[sense] for sense in sorted(found) if found[sense]}

    return Senses(
        {word: numbers(senses) for word, senses in words.items() if senses},
        tuple(numbers(tables["wider"].get(sense, ())) for sense in kept),
        by_number(tables["near"]),
        by_number(tables["opposites"]),
    )


def _lines(path: Path) -> Iterator[list[str]]:
    """Fields of each line, without the licence above and the gloss behind."""
    for line in path.read_text(encoding="latin-1").splitlines():
        if not line.startswith(" "):
            yield line.partition("|")[0].split()


def _index(path: Path, part: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each lemma with its senses, the commonest first."""
    for lemma, _, _, pointers, *rest in _lines(path):
        yield lemma, tuple(part + offset for offset in rest[int(pointers) + 2 :])


def _irregular(path: Path) -> dict[str, list[str]]:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for form, *lemmas in _lines(path):
        found[form] += lemmas
    return found


def _pointers(wordnet: Path) -> dict[str, Table]:
    """By name of the table, from sense to senses."""
    found: dict[str, Table] = {name: {} for name in set(POINTERS.values())}
    for part, name in PARTS.items():
        for offset, _, _, words, *rest in _lines(wordnet / f"data.{name}"):
            start = 2 * int(words, 16)
            for place in range(start + 1, start + 1 + 4 * int(rest[start]), 4):
                symbol, target, target_part, _ = rest[place : place + 4]
                if symbol in POINTERS:
                    table = found[POINTERS[symbol]]
                    table.setdefault(part + offset, set()).add(target_part.replace("s", "a") + target)
    return found


def _lemmas(word: str, part: str, index: dict[str, tuple[str, ...]], irregular: dict[str, list[str]]) -> list[str]:
    """As morphy finds them: irregular forms and the word itself, else what is left without an ending."""
    found = [lemma for lemma in (*irregular.get(word, ()), word) if lemma in index]
    if not found:
        pairs = (each.split(" ") for each in ENDINGS[part])
        cut = (word.removesuffix(ending) + lemma for ending, lemma in pairs if word.endswith(ending))
        found = [lemma for lemma in cut if lemma in index]
    return list(dict.fromkeys(found))


def _with_all_above(senses: set[str], wider: Table) -> list[str]:
    found: set[str] = set()
    level = senses
    while level - found:
        found |= level
        level = {above for sense in level for above in wider.get(sense, ())}
    return sorted(found)
