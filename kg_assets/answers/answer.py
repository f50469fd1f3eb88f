"""What answering hands back, and the circumstances that it works under."""

import msgspec

from kg_assets.answers.cypher import Hop
from kg_assets.graph.inference import Conclusion
from kg_assets.model import Entity, Micros
from kg_assets.ports import Memory
from kg_assets.text.ontology import Ontology


class Inferred(msgspec.Struct, frozen=True, kw_only=True):
    """One conclusion that an answer rests on: by which rule, how sure, and from which facts."""

    rule: str
    confidence: float
    premises: tuple[str, ...]


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What the HTTP contract of `/v1/ask` says, field for field. `inferred`: what of it nobody told."""

    known: bool
    answer: str
    values: tuple[str, ...] = ()
    route: str = "fact"
    authority: str | None = None
    facts: tuple[str, ...] = ()
    memories: tuple[str, ...] = ()
    path: tuple[str, ...] = ()
    cypher: str | None = None
    trace: str | None = None
    inferred: tuple[Inferred, ...] = ()


NOT_KNOWN = Answer(known=False, answer="not known", route="context")
WHOSE = Answer(
    known=False, answer="Several people speak in this memory; ask about one of them by name.", route="context"
)


class Reached(msgspec.Struct, frozen=True, kw_only=True):
    """An entity and the way to it: in words, and as the steps that led there.

    None is a step of no single moment, or one that nobody told: then it rests on a conclusion.
    """

    entity: Entity
    path: tuple[str, ...]
    hops: tuple[Hop | None, ...] = ()
    rests_on: tuple[Conclusion, ...] = ()


class Asking(msgspec.Struct, frozen=True, kw_only=True):
    """The circumstances of one question."""

    memory: Memory
    ontology: Ontology
    now: Micros
    valid_at: Micros | None
    known_at: Micros | None
