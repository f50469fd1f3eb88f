import json
import tracemalloc
from pathlib import Path

import pytest

from kg_assets.errors import InvalidInput
from kg_assets.model import Draft
from kg_assets.text.instants import format_instant
from kg_assets.utterances.formats import read, recognised
from kg_assets.utterances.lines import LINE_BYTES, Problem
from tests.utterances.naughty import naughty_strings

AT = "2026-05-30T18:04:00Z"


def drafts(path: Path, name: str) -> list[Draft]:
    return [item for _, item in read(path, name) if isinstance(item, Draft)]


def problems(path: Path, name: str) -> list[tuple[str, str]]:
    return [(item.where, item.message) for _, item in read(path, name) if isinstance(item, Problem)]


def one(**fields: object) -> bytes:
    return json.dumps({"text": "Hello", "said_at": AT, **fields}).encode()


# ---------------------------------------------------------------------------------------------------- JSON lines


def test_each_bad_line_is_reported_and_the_good_ones_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    lines = [
        b"\xef\xbb\xbf" + one(id="a"),
        b'{"text": "cut off',
        one(said_at="2026-02-30T00:00:00Z"),
        b'{"text": "no time"}',
        one(mood="gay"),
        one(text="x" * 1_000_000),
        one(text="x" * 2_000_000),
        b'{"text": "caf\xe9", "said_at": "' + AT.encode() + b'"}',
        one(speaker=""),
        b"",
        b"[1]",
        b'{"text": "\\ud800", "said_at": "' + AT.encode() + b'"}',
        b'{"text": "a", "text": "b", "said_at": "' + AT.encode() + b'"}',
        b'{"text": "a", "salience": NaN, "said_at": "' + AT.encode() + b'"}',
        b'{"text": "a", "salience": ' + b"9" * 5000 + b', "said_at": "' + AT.encode() + b'"}',
        b'{"metadata": ' + b"[" * 100_000,
        one(id="b") + b"\r",
        one(id="c"),
    ]
    path.write_bytes(b"\n".join(lines))
    assert [draft.id for draft in drafts(path, "jsonl")] == ["a", "b", "c"]
    expected = {
        2: "is not JSON (Unterminated string starting at at character 10); write one object a line",
        3: "said_at: '2026-02-30T00:00:00Z' is not a possible time",
        4: "said_at: is missing",
        5: "unknown field 'mood'",
        6: "text: is 1000000 bytes of UTF-8 and the limit is 65536",
        7: f"the line has {len(lines[6]) + 1} bytes and the limit is {LINE_BYTES}; split it",
        8: "is not UTF-8 (byte 14 of the line is 0xe9); save the file as UTF-8",
        9: "speaker: is empty",
        11: "is JSON but no object",
        12: "text: holds half of a surrogate pair",
        13: "'text' stands twice in one object; keep one",
        14: "salience: nan is not one from 0 up",
        15: "holds a number that is too long",
        16: "is nested too deeply",
    }
    found = problems(path, "jsonl")
    assert [where for where, _ in found] == [f"log.jsonl:{number}" for number in expected]
    for (_, message), beginning in zip(found, expected.values(), strict=True):
        assert message.startswith(beginning)


def test_an_absent_id_is_the_same_for_the_same_file_and_another_for_another(tmp_path: Path) -> None:
    first, copy, other = tmp_path / "a.jsonl", tmp_path / "b.jsonl", tmp_path / "c.jsonl"
    first.write_bytes(one() + b"\n" + one())
    copy.write_bytes(first.read_bytes())
    other.write_bytes(one() + b"\n" + one() + b"\n")
    ids = [draft.id for draft in drafts(first, "jsonl")]
    assert ids == [draft.id for draft in drafts(copy, "jsonl")]
    assert len({*ids, *(draft.id for draft in drafts(other, "jsonl"))}) == 4


def test_naughty_strings_come_out_of_a_file_unchanged(tmp_path: Path) -> None:
    path, texts = tmp_path / "log.jsonl", [text for text in naughty_strings() if text.strip()]
    path.write_bytes(b"\n".join(one(text=text) for text in texts))
    assert [draft.text for draft in drafts(path, "jsonl")] == texts


def test_a_huge_line_is_never_held_whole(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    with path.open("wb") as file:
        for _ in range(64):
            file.write(b"x" * LINE_BYTES)
        file.write(b"\n" + one(id="after"))
    tracemalloc.start()
    found = list(read(path, "jsonl"))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [type(item) for _, item in found] == [Problem, Draft]
    assert peak < 8 * LINE_BYTES


@pytest.mark.parametrize("name", ["jsonl", "locomo", "chat"])
def test_a_file_that_is_not_there_is_said_so(tmp_path: Path, name: str) -> None:
    with pytest.raises(InvalidInput, match=r"cannot be read \(No such file"):
        list(read(tmp_path / "none", name))


@pytest.mark.parametrize(
    ("name", "content", "format_name"),
    [
        ("a.jsonl", b"no JSON at all", "jsonl"),
        ("a.txt", b' \n{"text": "hi"}', "jsonl"),
        ("a.txt", b"\xef\xbb\xbf{", "jsonl"),
        ("a.json", b'[\n  {"qa": []}]', "locomo"),
        ("a.chat", b"[2026-03-14, 18:04] Ana: hi", "chat"),
        ("a.txt", b"14/03/2026, 18:04 - Ana: hi", "chat"),
        ("a.txt", b"", "chat"),
    ],
)
def test_a_format_is_told_from_how_the_file_begins(tmp_path: Path, name: str, content: bytes, format_name: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    assert recognised(path) == format_name


def test_an_unknown_format_names_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="one of jsonl, locomo, chat"):
        list(read(tmp_path / "none", "csv"))


def test_an_empty_file_holds_nothing(tmp_path: Path) -> None:
    path = tmp_path / "empty"
    path.write_bytes(b"")
    assert list(read(path, "jsonl")) == list(read(path, "chat")) == []
    assert problems(path, "locomo") == [
        ("empty", "is not JSON (Expecting value: line 1 column 1 (char 0)); a LoCoMo file is one list of conversations")
    ]


# -------------------------------------------------------------------------------------------------------- LoCoMo


def conversation(**sessions: object) -> dict[str, object]:
    return {"sample_id": "conv-1", "conversation": {"speaker_a": "Ana", "speaker_b": "Ben", **sessions}}


def test_a_conversation_becomes_one_memory_with_its_turns_in_order(tmp_path: Path) -> None:
    path = tmp_path / "locomo.json"
    turns = [
        {"speaker": "Ana", "dia_id": "D1:1", "text": "Hi"},
        {
            "speaker": "Ben",
            "dia_id": "D1:2",
            "text": "Look",
            "query": "a dog",
            "blip_caption": "a photo",
            "img_url": [],
        },
    ]
    later = [{"speaker": "Ana", "dia_id": "D10:1", "text": "Again"}]
    dates = {"session_1_date_time": "1:56 pm on 8 May, 2023", "session_10_date_time": "12:09 am on 13 September, 2023"}
    path.write_text(json.dumps([conversation(session_10=later, session_1=turns, **dates), {"sample_id": 3}]))
    found = list(read(path, "locomo"))
    assert [name for name, _ in found] == ["conv-1", "conv-1", "conv-1", ""]
    said = drafts(path, "locomo")
    assert [(draft.id, draft.session, draft.speaker, draft.role) for draft in said] == [
        ("D1:1", "session_1", "Ana", "other"),
        ("D1:2", "session_1", "Ben", "other"),
        ("D10:1", "session_10", "Ana", "other"),
    ]
    assert [format_instant(draft.said_at) for draft in said] == [
        "2023-05-08T13:56:00Z",
        "2023-05-08T13:56:20Z",
        "2023-09-13T00:09:00Z",
    ]
    assert [draft.metadata for draft in said] == [{}, {"query": "a dog", "blip_caption": "a photo"}, {}]
    assert problems(path, "locomo") == [
        ("locomo.json:conversation 2", "has no sample_id or no conversation; it is left out")
    ]


def test_a_bad_session_or_turn_leaves_the_others(tmp_path: Path) -> None:
    path = tmp_path / "locomo.json"
    good = {"speaker": "Ana", "dia_id": "D4:3", "text": "Hi"}
    path.write_text(
        json.dumps(
            [
                conversation(
                    session_1=[good],
                    session_2=[good],
                    session_2_date_time="1:56 pm on 31 June, 2023",
                    session_3="none",
                    session_4=[{"speaker": "Ana", "text": ""}, "turn", good],
                    session_4_date_time="1:56 pm on 8 May, 2023",
                )
            ]
        )
    )
    assert [draft.id for draft in drafts(path, "locomo")] == ["D4:3"]
    assert [where for where, _ in problems(path, "locomo")] == [
        f"locomo.json:conv-1/{place}" for place in ("session_1", "session_2", "session_3", "D4:1", "D4:2")
    ]


@pytest.mark.parametrize(("content", "why"), [(b"\xff", "not UTF-8"), (b"{}", "is no list"), (b"[" * 9**6, "not JSON")])
def test_a_file_that_is_no_locomo_is_said_so(tmp_path: Path, content: bytes, why: str) -> None:
    path = tmp_path / "locomo.json"
    path.write_bytes(content)
    (problem,) = problems(path, "locomo")
    assert problem[0] == "locomo.json"
    assert why in problem[1]


# ---------------------------------------------------------------------------------------------------------- chat


@pytest.mark.parametrize(
    ("head", "at"),
    [
        ("[2026-03-14, 18:04] ", "2026-03-14T18:04:00Z"),
        ("[2026-03-14 18:04:09] ", "2026-03-14T18:04:09Z"),
        ("2026-03-14 18:04 - ", "2026-03-14T18:04:00Z"),
        ("2026-03-14T18:04 ", "2026-03-14T18:04:00Z"),
        ("14/03/2026, 18:04 - ", "2026-03-14T18:04:00Z"),
        ("[14.03.26, 18:04:09] ", "2026-03-14T18:04:09Z"),
        ("[14/03/2026, 6:04:09\u202fPM] ", "2026-03-14T18:04:09Z"),
        ("\u200e[3/4/26, 12:04 am] ", "2026-04-03T00:04:00Z"),
    ],
)
def test_a_dated_line_opens_a_message(tmp_path: Path, head: str, at: str) -> None:
    path = tmp_path / "chat.txt"
    path.write_text(f"{head}Ana Sá: I said: hello\n")
    (draft,) = drafts(path, "chat")
    assert (draft.speaker, draft.role, draft.text, format_instant(draft.said_at)) == (
        "Ana Sá",
        "other",
        "I said: hello",
        at,
    )


def test_further_lines_belong_to_the_message_before(tmp_path: Path) -> None:
    path = tmp_path / "chat.txt"
    path.write_text("[2026-03-14, 18:04] Ana: One\n\n  two: 18:04\n\n[2026-03-14, 18:05] Ben: Three\n")
    assert [draft.text for draft in drafts(path, "chat")] == ["One\n\n  two: 18:04", "Three"]


def test_a_session_ends_with_the_day_or_after_four_silent_hours(tmp_path: Path) -> None:
    path = tmp_path / "chat.txt"
    times = ["2026-03-14, 08:00", "2026-03-14, 12:00", "2026-03-14, 16:01", "2026-03-14, 23:59", "2026-03-15, 00:01"]
    path.write_text("".join(f"[{time}] Ana: Hi\n" for time in times))
    assert [draft.session.split("/", 1)[1] for draft in drafts(path, "chat")] == [
        "2026-03-14",
        "2026-03-14",
        "2026-03-14/2",
        "2026-03-14/3",
        "2026-03-15",
    ]


def test_bad_chat_lines_are_reported_and_the_good_ones_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "chat.txt"
    path.write_bytes(
        b"Chat with Ana\n"
        b"[2026-03-14, 18:04] Ana: Good\n"
        b"caf\xe9\n"
        b"[03/14/2026, 18:04] Ana: Month first\n"
        b"its second line\n"
        b"[2026-03-14, 18:04] Ana added Ben\n"
        b"[2026-03-14, 18:04] : nobody\n"
        b"[2026-03-14, 18:05] Ana:\n"
        b"[2026-03-14, 18:06] Ana: " + b"long\n" * 20_000 + b"[2026-03-14, 18:07] Ana: Last\n"
    )
    assert [draft.text for draft in drafts(path, "chat")] == ["Good", "Last"]
    found = problems(path, "chat")
    assert [where for where, _ in found] == [f"chat.txt:{number}" for number in (1, 3, 4, 6, 7, 8, 9)]
    reasons = [
        "before any message",
        "not UTF-8",
        "day first",
        "no speaker",
        "speaker: is empty",
        "text: is empty",
        "limit",
    ]
    for (_, message), reason in zip(found, reasons, strict=True):
        assert reason in message


def test_what_stands_before_all_messages_is_told_once(tmp_path: Path) -> None:
    path = tmp_path / "chat.txt"
    path.write_text("Chat with Ana\n\nexported today\nby Ben\n[2026-03-14, 18:04] Ana: Good\n")
    ((where, message),) = problems(path, "chat")
    assert (where, message[:53]) == ("chat.txt:1", "and 2 more, down to chat.txt:4, stand before any mess")
    assert [draft.text for draft in drafts(path, "chat")] == ["Good"]


def test_a_plain_text_is_told_once_to_be_no_chat(tmp_path: Path) -> None:
    path = tmp_path / "diary.txt"
    path.write_text("\nI moved to Lisbon.\n\nIt rains.\nI like it.\n")
    ((where, message),) = problems(path, "chat")
    assert where == "diary.txt:2"
    assert "no line begins a message like [2026-03-14, 18:04] Ana: text" in message
    assert "--format document" in message


def test_two_chats_of_one_day_are_two_conversations(tmp_path: Path) -> None:
    sessions = set()
    for name in ("Ben", "Cleo"):
        path = tmp_path / f"{name}.txt"
        path.write_text(f"[2026-03-14, 18:04] Ana: Hi {name}!\n[2026-03-14, 18:05] {name}: I live in Bern.\n")
        sessions |= {draft.session for draft in drafts(path, "chat")}
    assert len(sessions) == 2
