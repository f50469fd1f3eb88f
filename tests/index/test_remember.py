import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kg_assets.errors import Conflict
from kg_assets.index.remember import Receipt, remember
from kg_assets.journal import first_broken, item_hashes, row_hash
from kg_assets.model import Draft, Encoded, Origin
from kg_assets.novelty.scoring import Thresholds
from kg_assets.ports import Memory
from kg_assets.text.ontology import load_ontology
from kg_assets.text.tokens import terms
from kg_assets.utterances.formats import read
from kg_assets.utterances.lines import Problem
from kg_assets.utterances.sealing import hash_of, seal_pending
from resources.embedder import build_embedder
from resources.sqlite import SqliteStores
from tests.novelty.drafts import SAID_AT, draft
from tests.novelty.memories import believe, fact_ids, new_memory
from tests.utterances.naughty import naughty_strings

ORIGIN = Origin(actor="user", cause="test")
TEXTS = [
    "Hi!",
    "I moved to Lisbon in May.",
    "I moved to Lisbon in May.",
    "My sister Anna lives in Porto with her dog Max.",
    "Where do you live?",
    "Anna is a nurse, I visit her in Porto every summer.",
    "日本語 🎉",
]


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    opened = new_memory(tmp_path)
    yield opened
    opened.close()


def said(memory: Memory, drafts: Sequence[Draft], **more: Any) -> list[Receipt]:
    settings: dict[str, Any] = {
        "embedder": build_embedder("hashing"),
        "ontology": load_ontology(),
        "thresholds": Thresholds(),
        "origin": ORIGIN,
        "clock": lambda: SAID_AT,
        "cap_at_batch": False,
    }
    return remember(memory, drafts, **{**settings, **more})


def test_a_receipt_means_durable_scored_and_retrievable(memory: Memory) -> None:
    drafts = [draft(text) for text in TEXTS]
    receipts = said(memory, drafts)
    assert [(each.id, each.seq, each.repeated) for each in receipts] == [
        (each.id, seq, False) for seq, each in enumerate(drafts, start=1)
    ]
    assert memory.ledger.watermark().log == len(TEXTS)
    stored = memory.ledger.utterances(range(1, len(TEXTS) + 1))
    assert [each.text for each in stored] == TEXTS
    assert [each.content_hash for each in stored] == [hash_of(each) for each in drafts]
    assert memory.ledger.novelty([each.seq for each in receipts]) == [each.novelty for each in receipts]
    items = sorted(memory.ledger.items_after(0), key=lambda item: item.seq)
    assert [(item.kind, item.ref, item.text, item.provisional) for item in items] == [
        ("utterance", each.id, each.text, True) for each in drafts
    ]
    assert {item.index_version for item in items} == {build_embedder("hashing").version}
    assert memory.ledger.pending("seal", ["immediate", "batch", "log"]) == [each.seq for each in receipts]


def test_each_utterance_is_one_journal_entry_without_its_text(memory: Memory) -> None:
    (receipt,) = said(memory, [draft("My secret is Zanzibar")])
    (entry,) = memory.ledger.journal_after(0, 10)
    assert (entry.op, entry.actor, entry.cause) == ("remember", "user", "test")
    payload = msgspec.json.decode(entry.payload or b"")
    assert payload == {
        "id": receipt.id,
        "seq": 1,
        "content_hash": memory.ledger.utterances([1])[0].content_hash,
        "score": receipt.novelty.score,
        "route": receipt.novelty.route,
        "novelty": row_hash(receipt.novelty),
        "items": item_hashes(memory.ledger.items([receipt.id])),
    }


def test_the_same_again_changes_nothing_and_gives_the_old_scores(memory: Memory) -> None:
    drafts = [draft(text) for text in TEXTS]
    first = said(memory, drafts)
    head = memory.ledger.head()
    again = said(memory, drafts, clock=lambda: SAID_AT + 5, cap_at_batch=True)
    assert memory.ledger.head() == head
    assert again == [msgspec.structs.replace(each, repeated=True) for each in first]


def test_one_id_with_other_content_is_a_conflict_and_nothing_is_written(memory: Memory) -> None:
    old = draft("I like tea")
    said(memory, [old])
    head = memory.ledger.head()
    changed = msgspec.structs.replace(old, text="I like coffee")
    with pytest.raises(Conflict, match=f"id '{old.id}' is taken by an utterance with other content"):
        said(memory, [draft("Good"), changed])
    assert memory.ledger.head() == head
    assert len(memory.ledger.items_after(0)) == 1


def test_an_id_that_stands_twice_in_one_call_is_stored_once(memory: Memory) -> None:
    one, other = draft("I like tea"), draft("I like coffee")
    receipts = said(memory, [one, other, one])
    assert [(each.seq, each.repeated) for each in receipts] == [(1, False), (2, False), (1, True)]
    with pytest.raises(Conflict, match="stands twice in one call"):
        said(memory, [draft("x"), one, msgspec.structs.replace(one, said_at=1)])
    assert memory.ledger.head().seq == 2


def test_nothing_to_remember_changes_nothing(memory: Memory) -> None:
    head = memory.ledger.head()
    assert said(memory, []) == []
    assert memory.ledger.head() == head


def test_only_what_is_new_is_encoded_and_before_the_transaction(memory: Memory) -> None:
    class Watching:
        """Passes on to the real encoder, notes what it is asked, and that the memory could still be written to."""

        def __init__(self) -> None:
            self.inner = build_embedder("hashing")
            self.version, self.dim, self.projection = self.inner.version, self.inner.dim, self.inner.projection
            self.texts: list[str] = []

        def encode(self, texts: Sequence[str]) -> list[Encoded]:
            with memory.transaction():  # raises inside another transaction
                self.texts += texts
            return self.inner.encode(texts)

    watching, first, second = Watching(), draft("I like tea"), draft("I like coffee")
    said(memory, [first], embedder=watching)
    said(memory, [first, second, second], embedder=watching)
    assert [text.strip() for text in watching.texts] == ["Ana: I like tea", "Ana: I like coffee"]


def test_an_import_is_kept_off_the_immediate_path(memory: Memory) -> None:
    believe(memory, ("lives_in", "Porto"))
    (capped,) = said(memory, [draft("I live in Rome")], cap_at_batch=True)
    (plain,) = said(memory, [draft("I live in Rome")])
    assert (capped.novelty.route, plain.novelty.route) == ("batch", "immediate")
    assert capped.novelty.score >= 70
    assert capped.novelty.conflicts == plain.novelty.conflicts == fact_ids(memory, "lives_in")
    assert memory.ledger.pending("extract", ["immediate"]) == [plain.seq]


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    texts=st.lists(st.sampled_from(TEXTS), min_size=1, max_size=10),
    cuts=st.lists(st.integers(1, 4), min_size=10, max_size=10),
)
def test_a_batch_gives_what_one_by_one_gives(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str], cuts: list[int]
) -> None:
    drafts = [draft(text) for text in texts]
    outcomes = []
    for sizes in ([len(drafts)], [1] * len(drafts), cuts):
        opened = new_memory(tmp_path_factory.mktemp("memory"))
        rest, receipts = list(drafts), []
        for size in sizes:
            receipts += said(opened, rest[:size])
            rest = rest[size:]
        used = {term for text in texts for term in terms(text)}
        outcomes.append((receipts, opened.ledger.term_counts(used), opened.ledger.term_totals()))
        opened.close()
    assert outcomes[0] == outcomes[1] == outcomes[2]


def test_a_second_ingest_of_the_same_file_changes_nothing(memory: Memory, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    lines = [json.dumps({"text": text, "said_at": "2026-05-30T18:04:00Z"}) for text in TEXTS]
    path.write_text("\n".join([*lines[:3], "{not json", json.dumps({"text": "no time"}), *lines[3:]]))

    def ingest() -> list[str]:
        found = [item for _, item in read(path, "jsonl")]
        said(memory, [item for item in found if isinstance(item, Draft)], cap_at_batch=True)
        return [item.where for item in found if isinstance(item, Problem)]

    assert ingest() == ["log.jsonl:4", "log.jsonl:5"]
    head = memory.ledger.head()
    assert head.seq == len(TEXTS)
    assert ingest() == ["log.jsonl:4", "log.jsonl:5"]
    assert memory.ledger.head() == head


def test_naughty_strings_come_back_to_the_letter(memory: Memory) -> None:
    texts = naughty_strings()
    drafts = [
        msgspec.structs.replace(draft(text), speaker=text if text.strip() else "Ana", metadata={text: [text]})
        for text in texts
    ]
    receipts = said(memory, drafts)
    stored = memory.ledger.utterances([each.seq for each in receipts])
    assert [(each.text, each.speaker, each.metadata) for each in stored] == [
        (each.text, each.speaker, each.metadata) for each in drafts
    ]
    assert {item.ref: item.text for item in memory.ledger.items_after(0)} == {each.id: each.text for each in drafts}
    assert seal_pending(memory, origin=ORIGIN, clock=lambda: SAID_AT).utterances == len(texts)
    assert first_broken(memory.ledger.journal_after(0, 10_000)) is None
    assert said(memory, drafts)[-1].repeated


def test_a_failure_inside_leaves_nothing_half_written(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    head = memory.ledger.head()

    def broken(_: object) -> None:
        raise OSError("disk full")

    with monkeypatch.context() as patched:
        patched.setattr(memory.ledger, "add_journal", broken)  # the last write of the transaction
        with pytest.raises(OSError, match="disk full"):
            said(memory, [draft("I like tea")])
    assert memory.ledger.head() == head
    assert memory.ledger.items_after(0) == []
    assert memory.ledger.term_totals() == (0, 0)
    assert said(memory, [draft("I like tea")])[0].seq == 1


def test_writers_of_the_same_drafts_store_each_once(tmp_path: Path) -> None:
    stores = SqliteStores(tmp_path, b"secret", clock=lambda: SAID_AT)
    info = stores.create("test", "ana", now=SAID_AT)
    drafts = [draft(f"Turn {number} of the talk") for number in range(60)]

    def write(step: int) -> list[Receipt]:
        opened = stores.open(info.id)
        receipts = []
        for start in range(0, len(drafts), step):
            receipts += said(opened, drafts[start : start + step])
        opened.close()
        return receipts

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(write, (1, 2, 5, 60)))
    opened = stores.open(info.id)
    assert [{each.id: each.seq for each in receipts} for receipts in found] == [
        {each.id: each.seq for each in opened.ledger.utterances_after(0, 1000)}
    ] * 4
    assert sum(not each.repeated for receipts in found for each in receipts) == len(drafts)
    assert first_broken(opened.ledger.journal_after(0, 1000)) is None
    opened.close()


def test_two_memories_do_not_know_each_other(tmp_path: Path) -> None:
    stores = SqliteStores(tmp_path, b"secret", clock=lambda: SAID_AT)
    ana, ben = (stores.open(stores.create("test", name, now=SAID_AT).id) for name in ("ana", "ben"))
    for _ in range(3):
        said(ana, [draft("The ferry to Zanzibar was late")])
    (again,), (new,) = (said(each, [draft("The ferry to Zanzibar was late")]) for each in (ana, ben))
    assert new.novelty.score > again.novelty.score
    assert (new.seq, again.seq) == (1, 4)
