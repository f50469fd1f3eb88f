"""Where the memories of a home stand."""

import msgspec

from kg_assets.errors import InvalidInput, NotReady
from kg_assets.graph.generations import is_stale, read_otherwise
from kg_assets.graph.policies import Policy
from kg_assets.model import Watermark
from palimpsest.home import Home, language_voter_of, voters_of


class MemoryStanding(msgspec.Struct, frozen=True, kw_only=True):
    """`waiting` counts utterances and slots by stage and route, such as "extract/batch". `generation` of belief serves;
    `up_to_date`: it was made by the ontology and policy of today. `read_otherwise`: how many utterances count in it as
    another extractor than today's read them; null where today's cannot be told, because a part of it is missing."""

    user: str
    memory: str
    shard: str
    multi_speaker: bool
    watermark: Watermark
    waiting: dict[str, int]
    generation: int
    up_to_date: bool
    read_otherwise: int | None


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    home: str
    memories: list[MemoryStanding]


def standing_of(home: Home) -> Standing:
    """Every memory, by name."""
    memories, policy = [], Policy(home.settings.belief.policy)
    extractor = extractor_of(home)
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
                    read_otherwise=None if extractor is None else read_otherwise(memory, extractor),
                )
            )
    return Standing(home=str(home.settings.home), memories=memories)


def extractor_of(home: Home) -> str | None:
    """The version of what reads today; None without its parser, or the key of its language model."""
    try:
        language = language_voter_of(home.settings, home.ontology)
        return voters_of(home.settings).extractor(home.ontology, language.version if language else "").version
    except (InvalidInput, NotReady):
        return None
