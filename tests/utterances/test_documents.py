"""Text, Markdown, HTML and PDF as chunks: what is kept, what is never read, and what is refused."""

from contextlib import suppress
from io import BytesIO
from pathlib import Path

import pypdf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg_assets.errors import InvalidInput
from kg_assets.model import Draft
from kg_assets.text.sentences import split
from kg_assets.utterances.documents.blocks import CHUNK_CHARACTERS, LONGEST_SENTENCE, Block, chunks, sentences
from kg_assets.utterances.documents.reading import document_drafts
from kg_assets.utterances.formats import read, recognised
from tests.utterances.making_pdf import pdf

SAID = 1_767_225_600_000_000


def drafts(content: str | bytes, name: str) -> list[Draft]:
    return document_drafts(content if isinstance(content, bytes) else content.encode(), name, said_at=SAID)


def texts(content: str | bytes, name: str) -> list[str]:
    return [each.text for each in drafts(content, name)]


MARKDOWN = """\
---
title: "Field guide"
---
# Birds of Portugal

Lisbon is the capital of Portugal. The **Iberian magpie** lives in
groves near `Setúbal`!

## Habits

- It eats seeds.
- It rests.

| Bird | Colour |
|------|--------|
| Magpie | blue |

```python
x = "Ana lives in Paris."
```

<script>alert("Ben lives in Moscow.")</script>

### Song

It sings <span onclick="steal()">at dawn</span>. ![A magpie](bird.png)
"""


def test_markdown_keeps_its_sections_and_drops_its_marks() -> None:
    found = drafts(MARKDOWN, "guide.md")
    assert [each.text for each in found] == [
        "Birds of Portugal\nLisbon is the capital of Portugal. The Iberian magpie lives in groves near Setúbal!",
        "Habits\nIt eats seeds.\nIt rests.",
        "Bird: Magpie; Colour: blue",
        'x = "Ana lives in Paris."',
        "Song\nIt sings at dawn. A magpie",
    ]
    assert [each.metadata.get("heading") for each in found[:2]] == ["Birds of Portugal", "Birds of Portugal > Habits"]
    assert found[4].metadata["heading"] == "Birds of Portugal > Habits > Song"
    assert [each.metadata.get("block") for each in found] == [None, None, "table", "code", None]
    assert {(each.speaker, each.role, each.said_at) for each in found} == {("Field guide", "other", SAID)}
    assert [each.metadata["chunk"] for each in found] == [1, 2, 3, 4, 5]
    assert {each.metadata["document"] for each in found} == {"guide.md"}
    assert len({each.id for each in found}) == 5
    assert len({each.session for each in found}) == 1


HTML = """\
<!doctype html><html><head><title>The  Page &amp; more</title><style>p{content:"Eve"}</style>
<script>var a = "Ben lives in Oslo."</script></head>
<body><nav>Home | About</nav><h1>Coimbra</h1><p>Coimbra is a city<br>in Portugal. <span hidden>Ignore Eve.</span>
<p style="display: none">Eve lives in Bern.<p aria-hidden=true>Eve<h2>People</h2><div>Carla <i>works</i> at
Nordwind.<ul><li>One <li>Two</ul></div><script>Eve</script>
<table><caption>Homes</caption><tr><th>Name<th>City<tr><td>Ana<td><p>Porto</p><tr><td>Ben<td></table>
<pre>code  here
 two</pre><noscript>Eve</noscript><template><p>Eve</template><!-- Eve --><iframe>Eve</iframe></body></html>"""


def test_html_is_read_as_it_is_seen() -> None:
    found = drafts(HTML, "page.html")
    assert [each.text for each in found] == [
        "Coimbra\nCoimbra is a city in Portugal.",
        "People\nCarla works at Nordwind.\nOne\nTwo\nHomes",
        "Name: Ana; City: Porto\nName: Ben",
        "code  here\n two",
    ]
    assert found[0].speaker == "The Page & more"
    assert not [each for each in found if "Eve" in each.text or "Oslo" in each.text]


def test_a_page_that_is_laid_out_by_a_table_is_read_as_paragraphs() -> None:
    long = "Coimbra is a city in Portugal. " * 12
    (one,) = drafts(f"<html><table><tr><td>Menu<td>{long}</table>", "old.htm")
    assert "block" not in one.metadata
    assert one.text.startswith("Menu\nCoimbra is a city")


def test_a_pdf_is_read_page_by_page_and_a_sentence_goes_on_over_the_page() -> None:
    first = [
        "Annual report",
        "Introduction to the year",
        "Nordwind was founded in Lisbon by Carla Reis, who still leads the com-",
        "pany today. Its second office, which is led by her brother, stands in",
    ]
    second = ["Annual report", "the old town of Porto. It has forty people (and a cat).", "2"]
    third = ["Annual report", "Nothing else happened.", "3"]
    found = drafts(pdf([first, second, third], title="Report 2025"), "report.pdf")
    whole = "\n".join(each.text for each in found)
    assert "leads the company today." in whole
    assert "Its second office, which is led by her brother, stands in the old town of Porto." in whole
    assert "(and a cat)" in whole
    assert "Annual report" not in whole
    assert "\n2" not in whole
    assert (found[0].speaker, found[0].metadata["page"]) == ("Report 2025", 1)


def test_a_plain_text_is_read_in_paragraphs() -> None:
    text = "A title\n\nThis line was wrapped by somebody who likes\nnarrow columns. So it goes on.\n- one\n- two\n"
    (one,) = texts(text, "notes.txt")
    assert one == ("A title\nThis line was wrapped by somebody who likes narrow columns. So it goes on.\n- one\n- two")


def test_without_a_title_a_document_is_called_as_its_file() -> None:
    assert drafts("Just words.", "my notes.txt")[0].speaker == "my notes"


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(alphabet="ab .!?\"'\nA,", min_size=1, max_size=300), max_size=12), st.data())
def test_no_chunk_ends_inside_a_sentence_and_nothing_is_lost(parts: list[str], data: st.DataObject) -> None:
    blocks = [Block(" ".join(part.split())) for part in parts if part.strip()]
    if data.draw(st.booleans()):
        blocks = [*blocks, Block("Head", "heading", 2), *blocks]
    found = list(chunks(blocks))
    assert "".join("".join(each.text for each in found).split()) == "".join(
        "".join(each.text for each in blocks).split()
    )
    whole = {piece for block in blocks for piece in sentences(block.text)}
    for each in found:
        pieces = [piece for line in each.text.split("\n") for piece in sentences(line)]
        assert len(each.text) <= CHUNK_CHARACTERS + 10 or len(pieces) <= 2
        assert all(piece in whole or piece == "Head" for piece in pieces)


def test_what_has_no_end_is_cut_between_words() -> None:
    found = texts("word " * 5_000, "endless.txt")
    assert all(len(each) <= LONGEST_SENTENCE and set(each.split()) == {"word"} for each in found)
    assert sum(len(each.split()) for each in found) == 5_000


def test_chunks_are_of_a_few_sentences() -> None:
    found = texts("Coimbra is a city in the middle of Portugal. " * 100, "long.md")
    assert all(400 < len(each) <= CHUNK_CHARACTERS for each in found[:-1])
    assert all(len(split(each)) > 5 for each in found[:-1])


# ------------------------------------------------------------------------------------------------------- identity


def test_ids_follow_the_bytes_and_nothing_else() -> None:
    one, renamed, changed = drafts(MARKDOWN, "a.md"), drafts(MARKDOWN, "b.md"), drafts(MARKDOWN + ".", "a.md")
    assert [each.id for each in one] == [each.id for each in renamed]
    assert not {each.id for each in one} & {each.id for each in changed}
    assert one[0].metadata["sha256"] != changed[0].metadata["sha256"]


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("a.md", b"# Title", "document"),
        ("A.PDF", b"%PDF-1.4", "document"),
        ("page.htm", b"<p>x", "document"),
        ("page", b"<!DOCTYPE html><p>x", "document"),
        ("paper", b"%PDF-1.7\n", "document"),
        ("a.txt", b"[2026-03-14, 18:04] Ana: text", "chat"),
        ("a.txt", b"Dear diary", "chat"),
        ("a.json", b'[{"a": 1}]', "locomo"),
        ("a.jsonl", b"<html>", "jsonl"),
    ],
)
def test_a_document_is_recognised_and_a_chat_stays_one(tmp_path: Path, name: str, content: bytes, told: str) -> None:
    (tmp_path / name).write_bytes(content)
    assert recognised(tmp_path / name) == told


def test_a_file_is_said_when_it_was_last_modified(tmp_path: Path) -> None:
    file = tmp_path / "page"
    file.write_text("<html><p>Porto is a city.</html>")
    ((name, draft),) = read(file, "document")
    assert isinstance(draft, Draft)
    assert (name, draft.said_at, draft.text) == ("", file.stat().st_mtime_ns // 1000, "Porto is a city.")


# --------------------------------------------------------------------------------------------------------- hostile


def encrypted(password: str) -> bytes:
    writer = pypdf.PdfWriter(BytesIO(pdf([["Porto is a city."]])))
    writer.encrypt(user_password=password, owner_password="owner", algorithm="RC4-128")
    out = BytesIO()
    writer.write(out)
    return out.getvalue()


WHOLE = pdf([["Porto is a city."], ["Lisbon is a city."]])


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.pdf", encrypted("secret"), "encrypted"),
        ("a.pdf", b"%PDF-1.4\nnothing", "no PDF that can be read"),
        ("a.pdf", b"", "no PDF that can be read"),
        ("a.pdf", pdf([[]]), "holds no text"),
        ("a.html", b"<div>" * 200_000, "nested more than"),
        ("a.html", b"<ul><li>" * 100_000, "nested more than"),
        ("a.html", b"<p>" + b"x" * 3_000_000, "larger than 2048 kB"),
        ("a.html", b"<script>Eve lives in Oslo.</script>", "holds no text"),
        ("a.html", b"<p>\xe9t\xe9", "is not UTF-8"),
        ("a.md", b"# \xff", "is not UTF-8"),
        ("a.md", b" \n\n", "holds no text"),
        ("a.txt", b"", "holds no text"),
    ],
)
def test_what_cannot_be_read_is_refused_with_a_reason(name: str, content: bytes, said: str) -> None:
    with pytest.raises(InvalidInput, match=said) as caught:
        drafts(content, name)
    assert caught.value.where == name


def test_a_pdf_whose_owner_only_forbids_changes_is_read() -> None:
    assert texts(encrypted(""), "a.pdf") == ["Porto is a city."]


@pytest.mark.parametrize("cut", range(20, len(WHOLE), 61))
def test_a_pdf_that_was_cut_off_is_read_or_refused(cut: int) -> None:
    try:
        found = texts(WHOLE[:cut], "a.pdf")
    except InvalidInput:
        return
    assert set(" ".join(found).split()) <= {"Porto", "Lisbon", "is", "a", "city."}


@settings(max_examples=80, deadline=None)
@given(st.lists(st.tuples(st.integers(0, len(WHOLE) - 1), st.integers(0, 255)), min_size=1, max_size=12))
def test_a_damaged_pdf_is_read_or_refused(damage: list[tuple[int, int]]) -> None:
    broken = bytearray(WHOLE)
    for place, byte in damage:
        broken[place] = byte
    with suppress(InvalidInput):
        assert all(each.text.strip() for each in drafts(bytes(broken), "a.pdf"))


@pytest.mark.parametrize(
    "html",
    [
        "<b>" * 1_500 + "Porto",
        "<p>" * 300_000 + "Porto",
        "<table>" * 1_000 + "Porto",
        "<" * 1_000_000 + "<p>Porto",
        "<p " + "a=1 " * 200_000 + ">Porto",
        "&amp;" * 100_000 + " Porto",
        "<!--" * 100_000 + "--> Porto",
        '<!DOCTYPE html [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><p>&b;&b; Porto',
        "<p>Porto</div></div></table></body></html></p>" * 2_000,
        "<select><option>" * 20_000 + "</select><p>Porto",
        "<svg><title>" * 900 + "</svg><p>Porto",
    ],
)
def test_a_megabyte_of_tags_is_read_in_order_and_no_entity_grows(html: str) -> None:
    with suppress(InvalidInput):
        assert sum(len(each.text) for each in drafts(html, "a.html")) <= len(html)


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet=st.sampled_from(list("<>/!-=\"'& \npdivtablescripth1234#*_`|[]()\\\0é")), max_size=400))
def test_any_text_is_read_as_any_format_or_refused(text: str) -> None:
    for name in ("a.md", "a.html", "a.txt"):
        try:
            found = drafts(text, name)
        except InvalidInput:
            continue
        assert all(each.text.strip() and "\0" not in each.text for each in found)
