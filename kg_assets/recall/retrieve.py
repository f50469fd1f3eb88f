"""Recall: from a question to the items that answer it, each with its reason."""

from time import perf_counter
from typing import Any

import msgspec
import numpy as np

from kg_assets.errors import InvalidInput
from kg_assets.model import Item, Micros
from kg_assets.ports import Embedder
from kg_assets.recall import late_interaction as late
from kg_assets.recall.age import perceived_age
from kg_assets.recall.asking import Asked, RecallRequest, ask_model
from kg_assets.recall.read_model import KINDS, ReadModel
from kg_assets.recall.strategies import DEFAULT, STRATEGIES, Ranked, nearby
from kg_assets.text.tokens import terms

__all__ = ["KINDS", "RecallRequest", "Recalled", "Result", "recall"]

QUESTION_CHARACTERS = 8192  # as much as an encoder reads; more would only be counted by BM25


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """One item that was found. `id` names its source: the utterance, or the fact.

    `facts` holds the fact's own id; which facts an utterance supports is the graph's to say.
    """

    kind: str
    id: str
    text: str
    score: float
    said_at: Micros
    session: str
    speaker: str
    age: str
    metadata: dict[str, Any]
    facts: tuple[str, ...] = ()
    explain: dict[str, Any] | None = None


class Recalled(msgspec.Struct, frozen=True, kw_only=True):
    """Results, best first, with the strategy that ran and how long each step took (milliseconds)."""

    results: tuple[Result, ...]
    strategy: str
    index_version: str
    timing_ms: dict[str, float]


def recall(model: ReadModel, request: RecallRequest, embedder: Embedder, now: Micros) -> Recalled:
    """The best `k` items for a question. `now` only tells how long ago each was said.

    Raises `InvalidInput` for an empty question, an unknown strategy or filters that cannot be read.
    """
    name = _checked(model, request, embedder)
    started = perf_counter()
    encoded = embedder.encode([request.query])[0]
    after_encoding = perf_counter()
    asked = ask_model(model, request, encoded, embedder.projection)
    ranked = STRATEGIES[name](model, asked)
    order = in_order(model, ranked)[: request.k]
    results = tuple(_result(model, asked, ranked, place, now, request.explain) for place in order)
    finished = perf_counter()
    return Recalled(
        results=results,
        strategy=name,
        index_version=model.index_version,
        timing_ms={
            "encode": round((after_encoding - started) * 1e3, 3),
            "rank": round((finished - after_encoding) * 1e3, 3),
            "total": round((finished - started) * 1e3, 3),
        },
    )


def _checked(model: ReadModel, request: RecallRequest, embedder: Embedder) -> str:
    """The strategy's name."""
    name = request.strategy or DEFAULT
    if name not in STRATEGIES:
        raise InvalidInput(f"no strategy is called {name!r}; choose one of {', '.join(STRATEGIES)}", where="/strategy")
    if not request.query.strip():
        raise InvalidInput("is empty; ask something", where="/query")
    if len(request.query) > QUESTION_CHARACTERS:
        raise InvalidInput(f"is longer than {QUESTION_CHARACTERS} characters; ask something shorter", where="/query")
    if request.k < 1:
        raise InvalidInput("must be at least 1", where="/k")
    if embedder.version != model.index_version:
        raise InvalidInput(f"the read model holds {model.index_version}, the question comes as {embedder.version}")
    return name


def in_order(model: ReadModel, ranked: Ranked) -> list[int]:
    """Places in `ranked`, best first; of equal scores the later said, then by id: nothing is left to chance."""
    scores, rows = ranked.scores.tolist(), ranked.rows.tolist()
    return sorted(range(len(rows)), key=lambda n: (-scores[n], -model.items[rows[n]].seq, model.items[rows[n]].id))


def _result(model: ReadModel, asked: Asked, ranked: Ranked, place: int, now: Micros, explain: bool) -> Result:
    row = int(ranked.rows[place])
    item = model.items[row]
    return Result(
        kind=item.kind,
        id=item.ref,
        text=item.text,
        score=float(ranked.scores[place]),
        said_at=item.said_at,
        session=item.session,
        speaker=item.speaker,
        age=perceived_age(item.said_at, now),
        metadata=item.metadata,
        facts=(item.ref,) if item.kind == "fact" else (),
        explain=explained(model, asked, ranked, place, item) if explain else None,
    )


def explained(model: ReadModel, asked: Asked, ranked: Ranked, place: int, item: Item) -> dict[str, Any]:
    """Score per arm; the words shared; for each token of the question its weight, best cosine and how many turns away
    it was met; and what the item's vectors come from."""
    row = ranked.rows[place : place + 1]
    beside = nearby(model, asked, row)
    cosines = late.matches(asked.question, model.tokens, row, beside)[:, :, 0]
    where = [0, *(away for away, _ in beside)]
    said = set(terms(f"{item.speaker} {item.text}"))
    return {
        "arms": {name: round(float(values[place]), 4) for name, values in ranked.parts.items()},
        "words": [term for term in dict.fromkeys(asked.terms) if term in said],
        "tokens": [
            {
                "token": token,
                "weight": round(float(weight), 3),
                "cosine": round(float(cosines[:, number].max()), 3),
                "turns_away": where[int(np.argmax(cosines[:, number]))],
            }
            for number, (token, weight) in enumerate(zip(asked.question.tokens, asked.question.weights, strict=True))
        ],
        "seq": item.seq,
        "provisional": item.provisional,
        "index_version": item.index_version,
    }
