"""Utterances, their scores, term counts, and what waits for a stage."""

from collections.abc import Iterable, Mapping, Sequence

import apsw
from msgspec.json import decode, encode

from kg_assets.errors import Conflict
from kg_assets.model import Micros, NoveltyScore, Route, Stage, Utterance, Watermark
from kg_assets.ports import PLACES
from resources.rows import (
    NOVELTY,
    UTTERANCE,
    novelty_of,
    row_of_novelty,
    row_of_utterance,
    summed_terms,
    utterance_of,
)
from resources.sqlite.session import Session

UNSCORED_ROUTE: Route = "batch"  # of an utterance that has no score yet
_ON_APPEND: tuple[Stage, ...] = ("seal", "extract", "index")


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
        try:
            self._session.write_many(
                f"INSERT INTO utterances ({UTTERANCE}, scored) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)",
                [(*row_of_utterance(utterance), score is not None) for utterance, score, _ in rows],
            )
        except apsw.ConstraintError as ex:
            raise Conflict("an utterance with one of these ids is there already; look it up before appending") from ex
        self._session.write("UPDATE state SET seq = ?", (expected - 1,))
        self._insert_novelty([score for _, score, _ in rows if score is not None])
        self._add_terms((utterance.seq, counts) for utterance, _, counts in rows)
        for stage in _ON_APPEND:
            self.enqueue(stage, [utterance.seq for utterance, _, _ in rows])

    def utterance(self, utterance_id: str) -> Utterance | None:
        row = self._session.row(f"SELECT {UTTERANCE} FROM utterances WHERE id = ?", (utterance_id,))
        return utterance_of(row, decode) if row else None

    def utterances(self, seqs: Sequence[int]) -> list[Utterance]:
        rows = self._session.rows_of(
            f"SELECT {UTTERANCE} FROM utterances WHERE seq IN (SELECT value FROM json_each(?))", seqs
        )
        found = {utterance.seq: utterance for utterance in (utterance_of(row, decode) for row in rows)}
        return [found[seq] for seq in seqs if seq in found]

    def utterances_after(self, seq: int, limit: int) -> list[Utterance]:
        sql = f"SELECT {UTTERANCE} FROM utterances WHERE seq > ? ORDER BY seq LIMIT ?"
        return [utterance_of(row, decode) for row in self._session.rows(sql, (seq, limit))]

    def utterance_count(self) -> int:
        return int(self._session.rows("SELECT count(*) FROM utterances")[0][0])

    def session_before(self, session: str, seq: int, limit: int) -> list[Utterance]:
        sql = f"SELECT {UTTERANCE} FROM utterances WHERE session = ? AND seq < ? ORDER BY seq DESC LIMIT ?"
        return [utterance_of(row, decode) for row in reversed(self._session.rows(sql, (session, seq, limit)))]

    def said_lately(self, session: str, seq: int, since: Micros, most: int) -> int:
        last = "SELECT said_at FROM utterances WHERE session = ? AND seq < ? ORDER BY seq DESC LIMIT ?"
        sql = f"SELECT count(*) FROM ({last}) WHERE said_at >= ?"
        return int(self._session.rows(sql, (session, seq, most, since))[0][0])

    def session_turns(self, session: str) -> list[Utterance]:
        sql = f"SELECT {UTTERANCE} FROM utterances WHERE session = ? ORDER BY seq"
        return [utterance_of(row, decode) for row in self._session.rows(sql, (session,))]

    # scores

    def novelty(self, seqs: Sequence[int]) -> list[NoveltyScore]:
        rows = self._session.rows_of(
            f"SELECT {NOVELTY} FROM novelty WHERE seq IN (SELECT value FROM json_each(?)) ORDER BY seq", seqs
        )
        return [novelty_of(row, decode) for row in rows]

    def unscored(self, limit: int) -> list[Utterance]:
        sql = f"SELECT {UTTERANCE} FROM utterances WHERE scored = 0 ORDER BY seq LIMIT ?"
        return [utterance_of(row, decode) for row in self._session.rows(sql, (limit,))]

    def add_novelty(self, scores: Sequence[NoveltyScore]) -> None:
        self._session.must_write("add_novelty")
        fresh = [
            score for score in scores if not self._session.row("SELECT 1 FROM novelty WHERE seq = ?", (score.seq,))
        ]
        self._insert_novelty(fresh)
        for score in fresh:
            self._session.write("UPDATE utterances SET scored = 1 WHERE seq = ?", (score.seq,))
            self._move_pending(score.seq, score.route)

    def _insert_novelty(self, scores: Sequence[NoveltyScore]) -> None:
        self._session.write_many(
            f"INSERT INTO novelty ({NOVELTY}) VALUES (?,?,?,?,?,?,?)",
            [row_of_novelty(score) for score in scores],
        )

    def _move_pending(self, seq: int, route: Route) -> None:
        """What waited unscored waits under its own route from now on."""
        stages = self._session.rows("SELECT stage FROM pending WHERE seq = ? AND route <> ?", (seq, route))
        for (stage,) in stages:
            self._session.write("DELETE FROM pending WHERE stage = ? AND route <> ? AND seq = ?", (stage, route, seq))
            self._session.write("INSERT OR IGNORE INTO pending VALUES (?,?,?)", (stage, route, seq))
            self._session.queued.add(route)

    # terms

    def term_counts(self, terms: Iterable[str]) -> dict[str, int]:
        sql = "SELECT term, count FROM terms WHERE term IN (SELECT value FROM json_each(?))"
        return dict(self._session.rows_of(sql, sorted(set(terms))))

    def term_places(self, terms: Iterable[str]) -> dict[str, tuple[int, ...]]:
        sql = "SELECT term, places FROM terms WHERE term IN (SELECT value FROM json_each(?))"
        rows = self._session.rows_of(sql, sorted(set(terms)))
        return {term: tuple(decode(places)) for term, places in rows}

    def term_totals(self) -> tuple[int, int]:
        tokens, distinct = self._session.rows("SELECT term_tokens, term_distinct FROM state")[0]
        return tokens, distinct

    def _add_terms(self, rows: Iterable[tuple[int, Mapping[str, int]]]) -> None:
        total, places = summed_terms(rows)
        before = self.term_places(total)
        self._session.write_many(
            """INSERT INTO terms (term, count, places) VALUES (?, ?, ?)
               ON CONFLICT DO UPDATE SET count = count + excluded.count, places = excluded.places""",
            [
                (term, count, encode([*before.get(term, ()), *places[term]][-PLACES:]).decode())
                for term, count in total.items()
            ],
        )
        self._session.write(
            "UPDATE state SET term_tokens = term_tokens + ?, term_distinct = term_distinct + ?",
            (sum(total.values()), len(total) - len(before)),
        )

    # what waits

    def pending(self, stage: Stage, routes: Sequence[Route], limit: int | None = None) -> list[int]:
        sql = """SELECT seq FROM pending WHERE stage = ? AND route IN (SELECT value FROM json_each(?))
                 ORDER BY seq LIMIT ?"""
        rows = self._session.rows(sql, (stage, list(routes), -1 if limit is None else limit))
        return [seq for (seq,) in rows]

    def pending_counts(self) -> dict[tuple[Stage, Route], int]:
        rows = self._session.rows("SELECT stage, route, count FROM pending_counts WHERE count > 0")
        return {(stage, route): count for stage, route, count in rows}

    def enqueue(self, stage: Stage, seqs: Sequence[int]) -> None:
        self._session.must_write("enqueue")
        rows = self._session.rows_of(
            f"""SELECT u.seq, coalesce(n.route, '{UNSCORED_ROUTE}') FROM utterances u LEFT JOIN novelty n USING (seq)
                WHERE u.seq IN (SELECT value FROM json_each(?))""",
            seqs,
        )
        self._session.write_many("INSERT OR IGNORE INTO pending VALUES (?,?,?)", [(stage, r, seq) for seq, r in rows])
        self._session.queued.update(route for _, route in rows)

    def done(self, stage: Stage, seqs: Sequence[int]) -> None:
        self._session.must_write("done")
        self._session.write_many(
            "DELETE FROM pending WHERE stage = ? AND route IN ('immediate', 'batch', 'log') AND seq = ?",
            [(stage, seq) for seq in seqs],
        )

    def watermark(self) -> Watermark:
        (log,) = self._session.rows("SELECT seq FROM state")[0]
        first = [
            self._session.rows("SELECT min(seq) FROM pending WHERE stage = ? AND route = ?", (stage, route))[0][0]
            for stage in ("extract", "derive")
            for route in ("immediate", "batch")
        ]
        return Watermark(log=log, graph=min((seq - 1 for seq in first if seq is not None), default=log))
