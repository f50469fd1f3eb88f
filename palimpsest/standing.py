"""Where the memories of a home stand."""

import msgspec

from kg_assets.graph.generations import is_stale
from kg_assets.graph.policies import Policy
from kg_assets.model import Watermark
from palimpsest.home import Home


class MemoryStanding(msgspec.Struct, frozen=True, kw_only=True):
    """`waiting` counts utterances and slots by stage and route, such as "extract/batch". `generation` of belief serves;
    `up_to_date`: it was made by the ontology and policy of today."""

    user: str
    memory: str
    shard: str
    multi_speaker: bool
    watermark: Watermark
    waiting: dict[str, int]
    generation: int
    up_to_date: bool


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    home: str
    memories: list[MemoryStanding]


def standing_of(home: Home) -> Standing:
    """Every memory, by name."""
    memories, policy = [], Policy(home.settings.belief.policy)
    for info in sorted(home.stores.memories(), key=lambda info: (info.name, info.id)):
        with home.opened(info) as memory:
            counts = memory.ledger.pending_counts()
            memories.append(
                MemoryStanding(
                    user=info.name,
                    memory=info.id,
                    shard=info.shard,
                    multi_speaker=info.multi_speaker,
                    watermark=memory.ledger.watermark(),
                    waiting={f"{stage}/{route}": count for (stage, route), count in sorted(counts.items()) if count},
                    generation=memory.graph.generation,
                    up_to_date=not is_stale(memory, home.ontology, policy),
                )
            )
    return Standing(home=str(home.settings.home), memories=memories)
