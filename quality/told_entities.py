"""What the journal tells of entities, held against the rows: every state that each ever had, and where names lead."""

import msgspec

from kg_assets.model import Entity, EntityChange, EntityState, JournalEntry
from kg_assets.ports import Memory

PAGE = 1000


class ToldEntities:
    """`note` each change of entities in the order of the journal, then `left_over`. Holds all states in memory."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self.names: dict[str, dict[str, Entity]] = {}  # entity → each name it ever had → the entity when it had it
        self.states: dict[int, dict[tuple[str, int], EntityState]] = {}  # generation → (id, opened by) → state
        self._standing: dict[tuple[int, str], tuple[str, int]] = {}  # (generation, id) → key of what stands

    def note(self, entry: JournalEntry, change: EntityChange) -> None:
        states = self.states.setdefault(change.generation, {})
        for entity_id in (*change.dropped, *(each.id for each in change.put)):
            key = self._standing.pop((change.generation, entity_id), None)
            if key is not None:
                closing = {"recorded_to": entry.recorded_at, "closed_by": entry.seq}
                states[key] = msgspec.structs.replace(states[key], **closing)
        for entity in change.put:
            self.names.setdefault(entity.id, {})[entity.name] = entity
            self._standing[change.generation, entity.id] = (entity.id, entry.seq)
            states[entity.id, entry.seq] = EntityState(
                entity=entity,
                generation=change.generation,
                recorded_from=entry.recorded_at,
                recorded_to=None,
                opened_by=entry.seq,
                closed_by=None,
            )

    def left_over(self, generation: int) -> str | None:
        told = self.states.get(generation, {})
        stored = {(each.entity.id, each.opened_by): each for each in self.memory.graph.of(generation).entity_states()}
        for key in sorted(told.keys() | stored.keys()):
            if key not in stored:
                return f"entity {key[0]} is gone, as journal entry {key[1]} made it"
            if told.get(key) != stored[key]:
                return f"entity {key[0]} is not what the journal made it"
        return self._names_lead(generation)

    def _names_lead(self, generation: int) -> str | None:
        """Every name that was ever borne, at the moment when it began to be."""
        graph = self.memory.graph.of(generation)
        moments: dict[int, dict[str, str]] = {}
        for state in self.states.get(generation, {}).values():
            if state.recorded_to == state.recorded_from:
                continue  # changed twice in one transaction: no read ever sees it
            names = dict.fromkeys((state.entity.key, *state.entity.aliases), state.entity.id)
            moments.setdefault(state.recorded_from, {}).update(names)
        for at, leads_to in moments.items():
            keys = sorted(leads_to)
            for start in range(0, len(keys), PAGE):
                wanted = keys[start : start + PAGE]
                found = {key: entity.id for key, entity in graph.entities_by_key(wanted, at).items()}
                if found != {key: leads_to[key] for key in wanted}:
                    return "the names of entities do not lead where the journal led them"
        return None
