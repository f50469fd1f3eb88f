"""Utterances, their scores, term counts, and what waits for a stage."""

from collections.abc import Iterable, Mapping, Sequence

from kg_assets.errors import Conflict
from kg_assets.model import Micros, NoveltyScore, Route, Stage, Utterance, Watermark
from kg_assets.ports import PLACES
from resources.postgres.session import Session
from resources.rows import NOVELTY, UTTERANCE, novelty_of, row_of_novelty, row_of_utterance, summed_terms, utterance_of

UNSCORED_ROUTE: Route = "batch"  # of an utterance that has no score yet
_ON_APPEND: tuple[Stage, ...] = ("seal", "extract", "index")

_TAKEN = "SELECT id FROM utterances WHERE id = ANY(%s) LIMIT 1"


class UtteranceRows:
    """The part of the ledger that is written at append."""

    _session: Session

    def append(self, rows: Sequence[tuple[Utterance, NoveltyScore | None, Mapping[str, int]]]) -> None:
        self._session.must_write("append")
        if not rows:
            return
        expected = self._session.rows("SELECT seq FROM state")[0][0] + 1
        for utterance, _, _ in rows:
            if utterance.seq != expected:
                raise Conflict(f"utterance {utterance.id}: has seq {utterance.seq}, the log goes on with {expected}")
            expected += 1
        ids = [utterance.id for utterance, _, _ in rows]
        # Looked up and not left to the constraint, whose error would end the transaction.
        if len(set(ids)) < len(ids) or self._session.rows(_TAKEN, (ids,)):
            raise Conflict("an utterance with one of these ids is there already; look it up before appending")
        self._session.write_many(
            f"""INSERT INTO utterances ({UTTERANCE}, scored)
                VALUES (%s,%s,%s,%s,%s,%s,%s,%s::text[],%s,%s,%s,%s,%s)""",
            [(*row_of_utterance(utterance), score is not None) for utterance, score, _ in rows],
        )
        self._session.write("UPDATE state SET seq = %s", (expected - 1,))
        self._insert_novelty([score for _, score, _ in rows if score is not None])
        self._add_terms((utterance.seq, counts) for utterance, _, counts in rows)
        for stage in _ON_APPEND:
            self.enqueue(stage, [utterance.seq for utterance, _, _ in rows])

    def utterance(self, utterance_id: str) -> Utterance | None:
        row = self._session.row(f"SELECT {UTTERANCE} FROM utterances WHERE id = %s", (utterance_id,))
        return utterance_of(row) if row else None

    def utterances(self, seqs: Sequence[int]) -> list[Utterance]:
        rows = self._session.rows(f"SELECT {UTTERANCE} FROM utterances WHERE seq = ANY(%s::bigint[])", (list(seqs),))
        found = {utterance.seq: utterance for utterance in map(utterance_of, rows)}
        return [found[seq] for seq in seqs if seq in found]

    def utterances_after(self, seq: int, limit: int) -> list[Utterance]:
        sql = f"SELECT {UTTERANCE} FROM utterances WHERE seq > %s ORDER BY seq LIMIT %s"
        return [utterance_of(row) for row in self._session.rows(sql, (seq, limit))]

    def utterance_count(self) -> int:
        return int(self._session.rows("SELECT count(*) FROM utterances")[0][0])

    def session_before(self, session: str, seq: int, limit: int) -> list[Utterance]:
        sql = f"SELECT {UTTERANCE} FROM utterances WHERE session = %s AND seq < %s ORDER BY seq DESC LIMIT %s"
        return [utterance_of(row) for row in reversed(self._session.rows(sql, (session, seq, limit)))]

    def said_lately(self, session: str, seq: int, since: Micros, most: int) -> int:
        last = "SELECT said_at FROM utterances WHERE session = %s AND seq < %s ORDER BY seq DESC LIMIT %s"
        sql = f"SELECT count(*) FROM ({last}) AS last WHERE said_at >= %s"
        return int(self._session.rows(sql, (session, seq, most, since))[0][0])

    def session_turns(self, session: str) -> list[Utterance]:
        sql = f"SELECT {UTTERANCE} FROM utterances WHERE session = %s ORDER BY seq"
        return [utterance_of(row) for row in self._session.rows(sql, (session,))]

    # scores

    def novelty(self, seqs: Sequence[int]) -> list[NoveltyScore]:
        sql = f"SELECT {NOVELTY} FROM novelty WHERE seq = ANY(%s::bigint[]) ORDER BY seq"
        return [novelty_of(row) for row in self._session.rows(sql, (list(seqs),))]

    def unscored(self, limit: int) -> list[Utterance]:
        sql = f"SELECT {UTTERANCE} FROM utterances WHERE NOT scored ORDER BY seq LIMIT %s"
        return [utterance_of(row) for row in self._session.rows(sql, (limit,))]

    def add_novelty(self, scores: Sequence[NoveltyScore]) -> None:
        self._session.must_write("add_novelty")
        rows = self._session.rows(
            "SELECT seq FROM novelty WHERE seq = ANY(%s::bigint[])", ([score.seq for score in scores],)
        )
        known = {seq for (seq,) in rows}
        fresh = [score for score in scores if score.seq not in known]
        self._insert_novelty(fresh)
        self._session.write(
            "UPDATE utterances SET scored = true WHERE seq = ANY(%s::bigint[])", ([score.seq for score in fresh],)
        )
        for score in fresh:
            self._move_pending(score.seq, score.route)

    def _insert_novelty(self, scores: Sequence[NoveltyScore]) -> None:
        self._session.write_many(
            f"INSERT INTO novelty ({NOVELTY}) VALUES (%s,%s,%s,%s,%s,%s::text[],%s)",
            [row_of_novelty(score) for score in scores],
        )

    def _move_pending(self, seq: int, route: Route) -> None:
        """What waited unscored waits under its own route from now on."""
        stages = self._session.rows("DELETE FROM pending WHERE seq = %s AND route <> %s RETURNING stage", (seq, route))
        if stages:
            self._insert_pending([(stage, route, seq) for (stage,) in stages])

    # terms

    def term_counts(self, terms: Iterable[str]) -> dict[str, int]:
        sql = "SELECT term, count FROM terms WHERE term = ANY(%s::text[])"
        return dict(self._session.rows(sql, (sorted(set(terms)),)))

    def term_places(self, terms: Iterable[str]) -> dict[str, tuple[int, ...]]:
        sql = "SELECT term, places FROM terms WHERE term = ANY(%s::text[])"
        return {term: tuple(places) for term, places in self._session.rows(sql, (sorted(set(terms)),))}

    def term_totals(self) -> tuple[int, int]:
        tokens, distinct = self._session.rows("SELECT term_tokens, term_distinct FROM state")[0]
        return tokens, distinct

    def _add_terms(self, rows: Iterable[tuple[int, Mapping[str, int]]]) -> None:
        total, places = summed_terms(rows)
        if not total:
            return
        before = self.term_places(total)
        self._session.write_many(
            """INSERT INTO terms (term, count, places) VALUES (%s, %s, %s)
               ON CONFLICT (memory_id, term)
               DO UPDATE SET count = terms.count + excluded.count, places = excluded.places""",
            [(term, count, [*before.get(term, ()), *places[term]][-PLACES:]) for term, count in total.items()],
        )
        self._session.write(
            "UPDATE state SET term_tokens = term_tokens + %s, term_distinct = term_distinct + %s",
            (sum(total.values()), len(total) - len(before)),
        )

    # what waits

    def pending(self, stage: Stage, routes: Sequence[Route], limit: int | None = None) -> list[int]:
        # One ordered read a route: the index holds the numbers of one stage and route in order.
        sql = """SELECT p.seq FROM unnest(%s::text[]) AS wanted (route), LATERAL (
                     SELECT seq FROM pending WHERE stage = %s AND pending.route = wanted.route ORDER BY seq LIMIT %s) p
                 ORDER BY p.seq LIMIT %s"""
        return [seq for (seq,) in self._session.rows(sql, (list(dict.fromkeys(routes)), stage, limit, limit))]

    def pending_counts(self) -> dict[tuple[Stage, Route], int]:
        rows = self._session.rows("SELECT stage, route, count FROM pending_counts WHERE count > 0")
        return {(stage, route): count for stage, route, count in rows}

    def enqueue(self, stage: Stage, seqs: Sequence[int]) -> None:
        self._session.must_write("enqueue")
        rows = self._session.rows(
            f"""SELECT u.seq, coalesce(n.route, '{UNSCORED_ROUTE}') FROM utterances u LEFT JOIN novelty n USING (seq)
                WHERE u.seq = ANY(%s::bigint[])""",
            (list(seqs),),
        )
        self._insert_pending([(stage, route, seq) for seq, route in rows])

    def _insert_pending(self, rows: Sequence[tuple[str, str, int]]) -> None:
        self._session.write(
            """INSERT INTO pending (stage, route, seq) SELECT * FROM unnest(%s::text[], %s::text[], %s::bigint[])
               ON CONFLICT DO NOTHING""",
            ([row[0] for row in rows], [row[1] for row in rows], [row[2] for row in rows]),
        )
        self._session.queued.update(route for _, route, _ in rows)

    def done(self, stage: Stage, seqs: Sequence[int]) -> None:
        self._session.must_write("done")
        self._session.write("DELETE FROM pending WHERE stage = %s AND seq = ANY(%s::bigint[])", (stage, list(seqs)))

    def watermark(self) -> Watermark:
        sql = """SELECT seq, (SELECT min(p.seq) FROM (VALUES ('extract'), ('derive')) s (stage),
                                  (VALUES ('immediate'), ('batch')) r (route), LATERAL (
                                  SELECT seq FROM pending w WHERE w.stage = s.stage AND w.route = r.route
                                  ORDER BY seq LIMIT 1) p)
                 FROM state"""
        ((log, first),) = self._session.rows(sql)
        return Watermark(log=log, graph=log if first is None else first - 1)
