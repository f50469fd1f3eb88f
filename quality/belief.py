"""Rules of belief that no single row shows: one value at a time, stored hashes, and an unbroken journal. Pure."""

from collections import defaultdict
from collections.abc import Sequence

from kg_assets.graph.soundness import overlapping, twice
from kg_assets.graph.state import slot_hash
from kg_assets.model import Fact
from kg_assets.ports import Memory
from kg_assets.text.ontology import Ontology
from quality.contracts import EXAMPLES, Finding
from quality.frames import CHUNK, current_facts
from quality.trail import walk


def one_value_at_a_time(memory: Memory, ontology: Ontology) -> list[Finding]:
    """No statement twice over one interval, and no two values of a functional slot at the same valid time."""
    facts = [fact for chunk in current_facts(memory) for fact in chunk]
    rules = {"a statement stands once per interval": twice(facts), "one value at a time": overlapping(facts, ontology)}
    return [_finding(memory, rule, ids) for rule, ids in rules.items() if ids]


def stored_hashes(memory: Memory) -> list[Finding]:
    """The slot hashes that were stored with belief are those of the rows that are there."""
    with memory.snapshot():
        slots: dict[str, list[Fact]] = defaultdict(list)
        for chunk in current_facts(memory):
            for fact in chunk:
                slots[fact.belief.slot].append(fact)
        stored = {each for each in memory.graph.slot_hashes() if each}
    found = {slot_hash(fact.belief for fact in facts): slot for slot, facts in slots.items()}
    wrong = [slot.partition("|")[0] for each, slot in found.items() if each not in stored]
    gone = [each for each in stored if each not in found]
    rules = {"belief is what its hash says": wrong, "belief is there that a hash was stored for": gone}
    return [_finding(memory, rule, ids) for rule, ids in rules.items() if ids]


def journal_is_whole(memory: Memory, ontology: Ontology) -> list[Finding]:
    """The chain from the first entry to the head, and every row as its entries tell."""
    found = walk(memory, ontology=ontology)
    return [_finding(memory, found.broken, [str(found.entries + 1)])] if found.broken else []


def every_utterance_is_an_item(memory: Memory) -> list[Finding]:
    with memory.snapshot():
        items = memory.ledger.item_ids("utterance") | memory.ledger.item_ids("document")
        seq, missing = 0, []
        while rows := memory.ledger.utterances_after(seq, CHUNK):
            missing += [row.id for row in rows if row.id not in items]
            seq = rows[-1].seq
    return [_finding(memory, "every utterance can be found", missing)] if missing else []


def _finding(memory: Memory, rule: str, ids: Sequence[str]) -> Finding:
    return Finding(memory=memory.info.id, rule=rule, rows=max(1, len(ids)), examples=tuple(ids[:EXAMPLES]))
