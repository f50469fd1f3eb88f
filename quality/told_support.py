"""Which utterances support what is held, as recall tells it, held against the fact versions of each generation."""

from collections import defaultdict

from kg_assets.graph.versions import BEFORE_ALL, versions
from kg_assets.ports import Memory

PAGE = 500


def support_differs(memory: Memory) -> str | None:
    """Called when the versions are known to be those of the journal. Held in memory: the support of what is held."""
    told: dict[int, dict[str, set[str]]] = {each.generation: defaultdict(set) for each in memory.graph.served()}
    for fact in versions(memory.graph):
        if fact.recorded_to is None:
            supported = told.setdefault(fact.generation, defaultdict(set))
            for utterance_id in fact.belief.utterances:
                supported[utterance_id].add(fact.id)
    seq = BEFORE_ALL
    while turns := memory.ledger.utterances_after(seq, PAGE):
        seq = turns[-1].seq
        for generation, supported in told.items():
            found = memory.graph.of(generation).facts_of_utterances([turn.id for turn in turns])
            for turn in turns:
                if set(found.get(turn.id, ())) != supported[turn.id]:
                    return f"the facts that utterance {turn.seq} supports are not those that rest on it"
    return None
