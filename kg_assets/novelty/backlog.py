"""Scores for utterances that lack one (imports from elsewhere), and the sums that a materialisation shows."""

from collections.abc import Sequence

import msgspec

from kg_assets.journal import content_root, instant, record
from kg_assets.model import Change, Micros, NoveltyScore, Origin, Route, Utterance
from kg_assets.novelty.known import known_of
from kg_assets.novelty.nearness import spoken
from kg_assets.novelty.reading import read
from kg_assets.novelty.scoring import Thresholds, score
from kg_assets.ports import Clock, Embedder, Memory
from kg_assets.text.ontology import Ontology

CHUNK = 500
BINS = 10  # of the histogram, ten points each; 100 falls into the last
CURSOR = "novelty.seq"  # the last utterance that a report has counted


class NoveltyReport(msgspec.Struct, frozen=True, kw_only=True):
    """What came since the last report. `scored` lacked a score; `histogram` has a bin for each ten points."""

    utterances: int
    scored: int
    histogram: tuple[int, ...]
    routes: dict[Route, int]
    contradictions: int


def score_pending(
    memory: Memory,
    *,
    embedder: Embedder,
    ontology: Ontology,
    thresholds: Thresholds,
    origin: Origin,
    clock: Clock,
    chunk: int = CHUNK,
) -> NoveltyReport:
    """Score what has no score yet, and sum up everything since the last call. A score once written is never changed."""
    scored = 0
    while rows := memory.ledger.unscored(chunk):
        with memory.transaction():
            rows = memory.ledger.unscored(chunk)  # again: another worker may have been here
            at = instant(memory.ledger, clock)
            score_stored(
                memory, rows, embedder=embedder, ontology=ontology, thresholds=thresholds, origin=origin, at=at
            )
        scored += len(rows)
    return _report(memory, scored, chunk)


def score_stored(
    memory: Memory,
    rows: Sequence[Utterance],
    *,
    embedder: Embedder,
    ontology: Ontology,
    thresholds: Thresholds,
    origin: Origin,
    at: Micros,
) -> list[NoveltyScore]:
    """Score utterances that are in the log already, each against all the others; inside the caller's transaction."""
    if not rows:
        return []
    readings = [read(row, ontology, multi_speaker=memory.info.multi_speaker) for row in rows]
    known = known_of(memory, readings, ontology, embedder.version)
    encoded = embedder.encode([row.text for row in rows])
    scores = []
    for row, reading, each in zip(rows, readings, encoded, strict=True):
        known.terms.remove(reading.counts)  # its own words are counted already and would make it look familiar
        own = spoken(reading, each, embedder.projection)
        scores.append(score(reading, own, known, thresholds, seq=row.seq, cap_at_batch=True))
        known.terms.add(reading.counts)
    memory.ledger.add_novelty(scores)
    payload = {"seqs": [each.seq for each in scores], "content_root": content_root(scores)}
    record(memory.ledger, [Change(op="score", payload=payload)], origin=origin, at=at)
    return scores


def _report(memory: Memory, scored: int, chunk: int) -> NoveltyReport:
    last, head = int(memory.value(CURSOR) or 0), memory.ledger.head().seq
    found: list[NoveltyScore] = []
    for start in range(last + 1, head + 1, chunk):
        found += memory.ledger.novelty(range(start, min(start + chunk, head + 1)))
    if head > last:
        with memory.transaction():
            memory.set_value(CURSOR, str(head))
    histogram = [0] * BINS
    routes: dict[Route, int] = {"immediate": 0, "batch": 0, "log": 0}
    for each in found:
        histogram[min(int(each.score // (100 / BINS)), BINS - 1)] += 1
        routes[each.route] += 1
    return NoveltyReport(
        utterances=len(found),
        scored=scored,
        histogram=tuple(histogram),
        routes=routes,
        contradictions=sum(bool(each.conflicts) for each in found),
    )
