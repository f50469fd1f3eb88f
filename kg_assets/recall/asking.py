"""A request put to a read model: what may answer it, and what of it each strategy uses."""

from collections.abc import Mapping
from typing import Any

import msgspec
import numpy as np

from kg_assets.model import Encoded, Item, Micros
from kg_assets.recall.filters import Filters, read_filters
from kg_assets.recall.late_interaction import WORD, Question, question
from kg_assets.recall.read_model import KINDS, NEVER, ReadModel, Standing
from kg_assets.text.tokens import terms, words

FIRST_PERSON = frozenset({"i", "me", "my", "mine", "myself", "i'm", "i've", "i'd", "i'll"})


class RecallRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked. `strategy` None is the default one; `filters` as in `filters.read_filters`.

    `known_at` leaves out what was said or recorded later, and facts that were not believed then, `valid_at` facts that
    did not hold then. Without `valid_at` facts of any time are found: recall is asked about the past. Beliefs that were
    given up since `known_at` are found in a model of the past only (`read_model.ReadModels`).
    """

    query: str
    k: int = 10
    strategy: str | None = None
    kinds: tuple[str, ...] = KINDS
    filters: Mapping[str, Any] = {}
    valid_at: Micros | None = None
    known_at: Micros | None = None
    explain: bool = False


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """visible: bool (rows,), what may help to answer (it was known then); wanted: what may be the answer."""

    text: str
    terms: list[str]
    pooled: np.ndarray
    question: Question
    visible: np.ndarray
    wanted: np.ndarray
    speakers: frozenset[str]
    own_person: bool
    k: int


def ask_model(model: ReadModel, request: RecallRequest, encoded: Encoded, projection: np.ndarray) -> Asked:
    """Raises `InvalidInput` for filters that cannot be read."""
    names = model.speaker_names()
    spoken = {word for word in WORD.findall(request.query.casefold()) if word in names}
    visible = _visible(model, request.known_at)
    return Asked(
        text=request.query,
        terms=terms(request.query),
        pooled=encoded.pooled,
        question=question(request.query, encoded, projection, model.tokens, len(model), frozenset(names)),
        visible=visible,
        wanted=_wanted(model, request, read_filters(request.filters), visible),
        speakers=frozenset(speaker for word in spoken for speaker in names[word]),
        own_person=model.own_person and not FIRST_PERSON.isdisjoint(words(request.query)),
        k=request.k,
    )


def _visible(model: ReadModel, known_at: Micros | None) -> np.ndarray:
    believed_to = model.times[:, 4]
    if known_at is None:
        found: np.ndarray = model.alive & (believed_to == NEVER)
        return found
    served = [0, model.served_at(known_at)]  # 0 is what belongs to no generation
    answered = np.isin(model.times[:, 5], served)
    return model.alive & (model.times[:, :2] <= known_at).all(axis=1) & (known_at < believed_to) & answered


def _wanted(model: ReadModel, request: RecallRequest, filters: Filters, visible: np.ndarray) -> np.ndarray:
    said, _, valid_from, valid_to, _, _ = model.times.T
    wanted = visible.copy()
    if request.valid_at is not None:
        wanted &= (valid_from <= request.valid_at) & (request.valid_at < valid_to)
    if filters.said_from is not None:
        wanted &= said >= filters.said_from
    if filters.said_to is not None:
        wanted &= said < filters.said_to
    if set(request.kinds) != set(KINDS):
        wanted &= np.isin(model.kinds, [place for place, kind in enumerate(KINDS) if kind in request.kinds])
    if filters.per_item:
        for row in np.flatnonzero(wanted).tolist():
            wanted[row] = _fits(model.items[row], model.standings[row], filters)
    return wanted


def _fits(item: Item, standing: Standing, filters: Filters) -> bool:
    return (
        (not filters.sessions or item.session in filters.sessions)
        and (not filters.speakers or item.speaker.casefold() in filters.speakers)
        and (not filters.roles or standing.role in filters.roles)
        and filters.tags <= set(standing.tags)
        and all(item.metadata.get(name) == value for name, value in filters.metadata.items())
    )
