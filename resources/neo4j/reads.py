"""The reading half of `ports.GraphStore`: every call is made of one view of the graph."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from kg_assets.model import Entity, EntityState, Fact, Micros
from resources.neo4j.reading import View


class Reads(ABC):
    """Whoever has views can be read."""

    @abstractmethod
    def _view(self, known_at: Micros | None = None) -> View: ...

    def slot(self, slot: str) -> list[Fact]:
        return self._view().slot(slot)

    def slot_hashes(self) -> list[str]:
        return self._view().slot_hashes()

    def facts(
        self,
        *,
        valid_at: Micros | None,
        known_at: Micros | None,
        subjects: Sequence[str] | None = None,
        predicates: Sequence[str] | None = None,
        objects: Sequence[str] | None = None,
        limit: int = 100,
        after: str = "",
    ) -> list[Fact]:
        return self._view(known_at).facts(
            valid_at=valid_at,
            known_at=known_at,
            subjects=subjects,
            predicates=predicates,
            objects=objects,
            limit=limit,
            after=after,
        )

    def history(self, fact_id: str) -> list[Fact]:
        return self._view().history(fact_id)

    def fact_ids(self, beginning: str, limit: int) -> list[str]:
        return self._view().fact_ids(beginning, limit)

    def fact_versions(self, version_ids: Sequence[str]) -> list[Fact]:
        return self._view().fact_versions(version_ids)

    def facts_of_utterances(self, utterance_ids: Sequence[str]) -> dict[str, list[str]]:
        return self._view().facts_of_utterances(utterance_ids)

    def changed_facts(self, *, after_journal_seq: int, limit: int) -> list[Fact]:
        return self._view().changed_facts(after_journal_seq=after_journal_seq, limit=limit)

    def entities(self, ids: Sequence[str], known_at: Micros | None = None) -> list[Entity]:
        return self._view(known_at).entities(ids, known_at)

    def entities_by_key(self, keys: Sequence[str], known_at: Micros | None = None) -> dict[str, Entity]:
        return self._view(known_at).entities_by_key(keys, known_at)

    def entity_states(self, ids: Sequence[str] | None = None) -> list[EntityState]:
        return self._view().entity_states(ids)

    def all_entities(self) -> list[Entity]:
        return self._view().all_entities()
