from pathlib import Path

import pytest

from kg_assets.maintenance.novelty_senses import senses_of
from kg_assets.novelty.senses import Meaning, default_senses


@pytest.mark.parametrize(
    ("word", "known", "meaning"),
    [
        ("large", ["big", "dog"], "same"),
        ("running", ["runs"], "same"),
        ("person", ["women"], "wider"),
        ("animal", ["dog", "small"], "wider"),
        ("small", ["big"], "opposite"),
        ("sells", ["bought"], "opposite"),
        ("dog", ["animal"], "narrower"),
        ("train", ["bus"], "sibling"),
        ("dog", ["harbour"], "unrelated"),
        ("zzyzx", ["zzyzx"], "same"),
        ("zzyzx", ["dog"], "unrelated"),
        ("dog", [], "unrelated"),
    ],
)
def test_words_mean_something_to_each_other(word: str, known: list[str], meaning: Meaning) -> None:
    assert default_senses().meanings([word], known) == [meaning]


def test_what_a_word_is_to_any_of_the_known_ones_counts_the_nearest_first() -> None:
    assert default_senses().meanings(["dog", "animal"], ["cat", "poodle", "dog"]) == ["same", "wider"]


LICENCE = "  1 as WordNet's files begin\n"
FILES = {
    "index.noun": "bird n 1 1 @ 1 0 00000020\nanimal n 1 0 1 0 00000010\ngoose n 1 1 @ 1 0 00000030\n",
    "data.noun": (
        "00000010 05 n 01 animal 0 000 | lives\n00000020 05 n 01 bird 0 001 @ 00000010 n 0000 | flies\n"
        "00000030 05 n 01 goose 0 001 @ 00000020 n 0000 | honks\n"
    ),
    "noun.exc": "geese goose\n",
    "index.verb": "come v 1 1 ! 1 0 00000040\ngo v 1 1 ! 1 0 00000050\n",
    "data.verb": (
        "00000040 38 v 01 come 0 001 ! 00000050 v 0101 01 + 02 00 | here\n"
        "00000050 38 v 01 go 0 001 ! 00000040 v 0101 01 + 02 00 | there\n"
    ),
    "verb.exc": "went go\n",
    "index.adj": "glad a 1 1 & 1 0 00000060\nhappy a 1 1 & 1 0 00000070\n",
    "data.adj": "00000060 00 s 01 glad 0 001 & 00000070 a 0000 | !\n00000070 00 a 01 happy 0 000 | :)\n",
    "adj.exc": "",
}


def test_the_senses_are_made_from_the_files_of_wordnet(tmp_path: Path) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(LICENCE + text if "exc" not in name else text, encoding="utf-8")
    senses = senses_of(tmp_path, ["geese", "animals", "went", "coming", "glad", "happier", "##s", "7", "tree"])
    assert sorted(senses.words) == ["animals", "coming", "geese", "glad", "went"]
    assert senses.meanings(["animals", "went", "glad"], ["geese", "coming"]) == ["wider", "opposite", "unrelated"]
    assert senses.meanings(["geese"], ["animals"]) == ["narrower"]
