"""Which utterances support what is believed now, as recall tells it, held against the fact versions."""

from collections import defaultdict

from kg_assets.ports import Memory
from quality.told_belief import versions

PAGE = 500
BEFORE_ALL = -(2**62)


def support_differs(memory: Memory) -> str | None:
    """Called when the versions are known to be those of the journal. Held in memory: the support of current belief."""
    told: dict[str, set[str]] = defaultdict(set)
    serving = memory.ledger.head().generation
    for fact in versions(memory):
        if fact.recorded_to is None and fact.generation == serving:
            for utterance_id in fact.belief.utterances:
                told[utterance_id].add(fact.id)
    seq = BEFORE_ALL
    while turns := memory.ledger.utterances_after(seq, PAGE):
        seq = turns[-1].seq
        found = memory.graph.facts_of_utterances([turn.id for turn in turns])
        for turn in turns:
            if set(found.get(turn.id, ())) != told[turn.id]:
                return f"the facts that utterance {turn.seq} supports are not those that rest on it"
    return None
