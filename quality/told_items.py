"""What recall quotes, held against what it stands for: the item of each utterance, and of each version of a fact.

Called after the journal was gone through, so that utterances and versions are known to be those of the journal. Held in
memory: one page of items, how often each name was mentioned, and what `ToldVectors` holds.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import get_args

import msgspec

from kg_assets.errors import Corrupt
from kg_assets.graph.versions import touched_by, versions
from kg_assets.graph.wording import object_name, sentence, wording_version
from kg_assets.index.building import CURSOR, FACT
from kg_assets.index.remember import utterance_item
from kg_assets.model import Assertion, Entity, Fact, Item, JournalEntry, Route, Utterance
from kg_assets.ports import Memory
from kg_assets.text.ontology import Ontology
from quality.told_evidence import read
from quality.told_vectors import ToldVectors

PAGE = 200  # items with their vectors


class Written(msgspec.Struct, frozen=True):
    """The payload of an `index` entry that wrote facts: by which wording (None: not told yet in older memories)."""

    facts: int
    wording: str | None = None


class ToldItems:
    """`note` each entry of the journal, then `left_over`."""

    def __init__(self, memory: Memory, ontology: Ontology) -> None:
        self.memory, self.ontology = memory, ontology
        self.wordings: set[str | None] = set()
        self.vectors = ToldVectors()
        self.serving = memory.graph.generation

    def note(self, entry: JournalEntry) -> None:
        self.vectors.note(entry)
        if entry.op == "index" and (written := read(entry, Written)):
            self.wordings.add(written.wording)

    def left_over(self, names: Mapping[str, Mapping[str, Entity]], gone: Sequence[str] = ()) -> str | None:
        """What is wrong with the items; `names` are those that each entity ever had, by its id, `gone` the versions of
        facts that went with their generation."""
        self.vectors.forget(gone)
        if wrong := self._turns_differ():
            return wrong
        found = 0
        cursor = int(self.memory.value(CURSOR) or 0)
        for facts in pages(self.memory):
            items = self._items([fact.version_id for fact in facts])
            found += len(items)
            evidence = self._evidence(facts, items)
            for fact in facts:
                item = items.get(fact.version_id)
                if item is None and touched_by(fact) <= cursor:
                    return f"the index item of fact version {fact.version_id} is gone"
                if item and self._fact_differs(fact, item, evidence, names, up_to_date=touched_by(fact) <= cursor):
                    return f"the index item of fact version {fact.version_id} does not say what the fact says"
            if wrong := self.vectors.differs(items.values()):
                return wrong
        if (stored := self.memory.ledger.item_count()) != self._turns + found:
            return f"{stored} index items are stored, {self._turns + found} are of utterances and facts"
        return self.vectors.left_over()

    def _turns_differ(self) -> str | None:
        waiting = set(self.memory.ledger.pending("index", get_args(Route)))
        self._turns = seq = 0
        while turns := self.memory.ledger.utterances_after(seq, PAGE):
            seq = turns[-1].seq
            items = self._items([turn.id for turn in turns])
            self._turns += len(items)
            for turn in turns:
                item = items.get(turn.id)
                if item is None and turn.seq not in waiting:
                    return f"the index item of utterance {turn.seq} is gone"
                if item and item != as_said(turn, item):
                    return f"the index item of utterance {turn.seq} does not say what the utterance says"
            if wrong := self.vectors.differs(items.values()):
                return wrong
        return None

    def _items(self, ids: Sequence[str]) -> dict[str, Item]:
        try:
            return {item.id: item for item in self.memory.ledger.items(ids)}
        except Corrupt as ex:  # one of them cannot be read: each alone, to tell which
            if len(ids) == 1:
                raise Corrupt(f"the index item {ids[0]} cannot be read: {ex}") from ex
            return {name: item for each in ids for name, item in self._items([each]).items()}

    def _evidence(self, facts: Sequence[Fact], items: Mapping[str, Item]) -> dict[str, Assertion]:
        ids = {each for fact in facts if fact.version_id in items for each in fact.belief.assertions}
        return {each.id: each for each in self.memory.ledger.assertions(sorted(ids))}

    def _fact_differs(
        self,
        fact: Fact,
        item: Item,
        evidence: Mapping[str, Assertion],
        names: Mapping[str, Mapping[str, Entity]],
        *,
        up_to_date: bool,
    ) -> bool:
        """A fact that was closed since the index was written is not retired yet."""
        said = ((each.said_at, each.seq) for id_ in fact.belief.assertions if (each := evidence.get(id_)))
        said_at, seq = max(said, default=(fact.recorded_from, 0))
        closed = fact.recorded_to is not None
        hidden = closed or fact.generation != self.serving
        stands = msgspec.structs.replace(
            item,
            kind=FACT,
            ref=fact.id,
            seq=seq,
            said_at=said_at,
            session="",
            provisional=False,
            salience=1.0,
            metadata={},
            retired=hidden if up_to_date else item.retired and hidden,
        )
        if item != stands:
            return True
        subjects, objects = (names.get(end or "", {}) for end in (fact.belief.subject_id, fact.belief.object_id))
        if item.speaker not in {fact.belief.subject_key, *subjects}:
            return True
        return not any(self._says(item.text, fact, ends) for ends in named(subjects, objects))

    def _says(self, text: str, fact: Fact, ends: Mapping[str, Entity]) -> bool:
        """By the wording of today; a text that may be of an older one has to name both ends at least."""
        if self.wordings == {wording_version(self.ontology)}:
            return text == sentence(fact, ends, self.ontology)
        subject = ends.get(fact.belief.subject_id)
        return (subject.name if subject else fact.belief.subject_key) in text and object_name(fact, ends) in text


def named(subjects: Mapping[str, Entity], objects: Mapping[str, Entity]) -> Iterator[dict[str, Entity]]:
    """Every pair of names that two ends ever had, the newest first: what is believed no more keeps those of then."""
    for ends in product((*reversed([*subjects.values()]), None), (*reversed([*objects.values()]), None)):
        yield {end.id: end for end in ends if end}


def as_said(turn: Utterance, item: Item) -> Item:
    """The item of this utterance, with the vectors and the place in the index that this one has."""
    made = utterance_item(
        turn, (item.pooled, item.tokens, item.token_ids), item.index_version, provisional=item.provisional
    )
    return msgspec.structs.replace(made, revision=item.revision)


def pages(memory: Memory) -> Iterator[list[Fact]]:
    page: list[Fact] = []
    for fact in versions(memory.graph):
        page.append(fact)
        if len(page) == PAGE:
            yield page
            page = []
    if page:
        yield page
