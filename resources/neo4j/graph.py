"""One memory's graph in Neo4j, which follows the ledger. See docs/adr/0006-two-stores-one-commit.md."""

import logging
from collections.abc import Collection

from neo4j.exceptions import DriverError, Neo4jError

from kg_assets.errors import NotReady
from kg_assets.model import Flip, GraphChange, GraphRows, Micros, Served
from kg_assets.ports import Ledger
from resources.neo4j import schema
from resources.neo4j.connection import Bound, Run, Writing
from resources.neo4j.forgetting import forget
from resources.neo4j.reading import View
from resources.neo4j.reads import Reads
from resources.neo4j.replaying import began_anew, changes_of
from resources.neo4j.writing import Applied, Reached, applied_upto, evidence_of, lock, write
from resources.postgres.graph import flip, forget_flips, served
from resources.postgres.session import Session

CHUNK = 500  # journal entries of one step of catching up

_log = logging.getLogger("palimpsest.neo4j")


class Neo4jGraph(Reads):
    """Implements `ports.GraphStore` and `GraphBeside`: the ledger commits first, and this graph after it.

    A read is made as of the last journal entry that the ledger has committed (or that its snapshot saw). Where the
    graph has not come that far, it catches up from the journal first; where it is further, rows tell by their journal
    entries what had been so far. `known` are the predicates with a relation type of their own.
    """

    def __init__(self, bound: Bound, session: Session, ledger: Ledger, known: Collection[str]) -> None:
        self._bound, self._session, self._ledger, self._known = bound, session, ledger, known
        self._reached = 0  # the graph was seen to have come this far; it never goes back
        self._start: int | None = None  # where the ledger's graph stood when this transaction began
        self._newest = 0  # the last journal entry that was applied in this transaction
        self._waiting: list[Applied] = []  # applied and not sent yet
        self._forgot = False  # in this transaction: then it comes as far as the journal
        self._writing: tuple[Writing, Reached] | None = None

    # generations

    @property
    def generation(self) -> int:
        return self._standing()[1]

    def of(self, generation: int) -> "OneGeneration":
        return OneGeneration(self, generation)

    def served(self) -> list[Served]:
        return served(self._session)

    # writing

    def apply(self, change: GraphChange, *, recorded_at: Micros, journal_seq: int) -> None:
        """Decisions of a slot change are ledger rows and are not written here. The ledger says which generation
        serves, so that a reader finds both as of one commit."""
        self._session.must_write("apply")
        self._session.new_revision()
        if self._start is None:
            self._start = self._standing()[0]
        self._newest = max(self._newest, journal_seq)
        self._waiting.append(Applied(change, recorded_at, journal_seq))
        if isinstance(change, Flip):
            flip(self._session, change, recorded_at, journal_seq)

    def forget(self, rows: GraphRows) -> None:
        """Sent at once: what is applied after it builds on it."""
        self._session.must_write("forget")
        self._session.new_revision()
        if self._start is None:
            self._start = self._standing()[0]
        self._send()
        writing, reached = self._writing or self._begin()
        forget(writing.run, rows)
        self._writing, self._forgot = (writing, reached), True

    def clear(self) -> None:
        """Sent at once, and the lock is taken again: it went with the rest."""
        self._session.must_write("clear")
        self._session.new_revision()
        if self._start is None:
            self._start = self._standing()[0]
        self._waiting.clear()
        writing, _ = self._writing or self._begin()
        schema.forget(writing.run)
        self._writing, self._forgot = (writing, lock(writing.run)), True
        forget_flips(self._session)

    def prepare(self) -> None:
        """Send what waits, and let the ledger say, in its own transaction, that the graph comes this far."""
        self._send()
        if self._forgot and self._writing is not None:
            writing, reached = self._writing
            ((self._newest,),) = self._session.rows("SELECT journal_seq FROM state")
            self._writing = (writing, applied_upto(writing.run, Reached(self._newest, reached.generation)))
        if self._start is not None and self._newest > self._start:
            self._session.write("UPDATE state SET graph_seq = %s", (self._newest,))

    def commit(self) -> None:
        """Never raises: the ledger has it, and so it is. The graph catches up when it is next asked."""
        writing, newest = self._writing, self._newest
        self._forget_transaction()
        if writing is None:
            return
        try:
            writing[0].commit()
            self._reached = max(self._reached, newest)
        except (NotReady, DriverError, Neo4jError) as ex:
            _log.warning("memory %s: its graph stays behind entry %d for now (%s)", self._bound.memory_id, newest, ex)

    def rollback(self) -> None:
        if self._writing is not None:
            self._writing[0].rollback()
        self._forget_transaction()

    def _forget_transaction(self) -> None:
        self._start, self._newest, self._writing, self._forgot = None, 0, None, False
        self._waiting.clear()

    def _send(self) -> None:
        if not self._waiting:
            return
        writing, reached = self._writing or self._begin()
        evidence = self._ledger.assertions(evidence_of(self._waiting))
        self._writing = (writing, write(writing.run, reached, self._waiting, evidence, self._known))
        self._waiting.clear()

    def _begin(self) -> tuple[Writing, Reached]:
        """Under the lock of this memory's graph, which has come exactly as far as the ledger."""
        start = self._start or 0
        self._catch_up(start)
        writing = self._bound.begin()
        try:
            reached = lock(writing.run)
        except BaseException:
            writing.rollback()
            raise
        self._writing = (writing, reached)
        if reached.applied <= start:
            return self._writing
        # The ledger is the truth and its write lock is held: it was set back, so the graph begins again from it.
        schema.forget(writing.run)
        writing.commit()
        self._writing, self._reached = None, 0
        return self._begin()

    # catching up

    def _catch_up(self, seq: int) -> None:
        """Replay the journal up to this entry, where the graph has not come so far."""
        if seq <= self._reached:
            return
        self._reached = self._applied()
        while self._reached < seq:
            self._reached = self._bound.write(lambda run: self._replay(run, seq))

    def _applied(self) -> int:
        found = self._bound.read("MATCH (m:Memory {id: $memory}) RETURN coalesce(m.applied, 0)")
        return int(found[0][0]) if found else 0

    def _replay(self, run: Run, seq: int) -> int:
        """One step. Whoever is between its two commits holds the lock: then this waits, and finds all done."""
        reached = lock(run)
        if reached.applied >= seq:
            return reached.applied
        entries = [each for each in self._ledger.journal_after(reached.applied, CHUNK) if each.seq <= seq]
        if not entries:
            raise NotReady(
                f"memory {self._bound.memory_id}: its graph stands at journal entry {reached.applied} and should be at "
                f"{seq}, but the journal ends before; restore the ledger from a backup"
            )
        if began_anew(run, self._ledger, entries, seq):
            return 0
        changes = changes_of(self._ledger, entries)
        evidence = self._ledger.assertions(evidence_of(changes))
        reached = write(run, reached, changes, evidence, self._known)
        run("MATCH (m:Memory {id: $memory}) SET m.applied = $seq", seq=entries[-1].seq)
        return entries[-1].seq

    # reading

    def _standing(self) -> tuple[int, int]:
        """(last journal entry of the graph, generation), as the ledger of this transaction or snapshot has them."""
        row = self._session.row("SELECT graph_seq, generation FROM state")
        return (row[0], row[1]) if row else (0, 0)

    def view(self, generation: int | None = None, known_at: Micros | None = None) -> View:
        """Of this generation; else of the one that served at `known_at`, or serves."""
        self._send()
        seq, serving = self._standing()
        if generation is None and known_at is not None:
            then = [each for each in self.served() if each.recorded_from is None or each.recorded_from <= known_at]
            serving = then[-1].generation
        serving = generation or serving
        if self._writing is not None:
            return View(self._writing[0].run, seq=max(seq, self._newest), generation=serving)
        self._catch_up(seq)
        return View(self._bound.read, seq=seq, generation=serving)

    def _view(self, known_at: Micros | None = None) -> View:
        return self.view(known_at=known_at)


class OneGeneration(Reads):
    """The same graph, bound to one generation; it writes through the graph that it belongs to."""

    def __init__(self, graph: Neo4jGraph, generation: int) -> None:
        self._graph, self.generation = graph, generation

    def of(self, generation: int) -> "OneGeneration":
        return OneGeneration(self._graph, generation)

    def served(self) -> list[Served]:
        return self._graph.served()

    def apply(self, change: GraphChange, *, recorded_at: Micros, journal_seq: int) -> None:
        self._graph.apply(change, recorded_at=recorded_at, journal_seq=journal_seq)

    def forget(self, rows: GraphRows) -> None:
        self._graph.forget(rows)

    def clear(self) -> None:
        self._graph.clear()

    def _view(self, known_at: Micros | None = None) -> View:  # noqa: ARG002
        return self._graph.view(self.generation)
