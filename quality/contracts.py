"""The contracts between the stages as pandera schemas. pandera takes 1.8 s to import: only checks do it, no run."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import msgspec

from kg_assets.novelty.scoring import CONTRADICTION, Thresholds
from quality.frames import Columns

if TYPE_CHECKING:
    import pandera.pandas as pa

EXAMPLES = 5


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One rule that does not hold: in which memory, how often, and the ids of some rows."""

    memory: str
    rule: str
    rows: int
    examples: tuple[str, ...] = ()


def broken_rules(memory_id: str, schema: "pa.DataFrameSchema", chunks: Iterable[Columns]) -> list[Finding]:
    """Every rule of the schema that some row breaks; each row carries its `id`."""
    import pandas as pd
    import pandera.errors

    broken: dict[str, list[str]] = {}
    for columns in chunks:
        if not columns:
            continue
        frame = pd.DataFrame(columns)
        try:
            schema.validate(frame, lazy=True)
        except pandera.errors.SchemaErrors as ex:
            for case in ex.failure_cases.itertuples():
                row = str(frame["id"].iloc[int(case.index)]) if pd.notna(case.index) else ""
                broken.setdefault(f"{case.column or 'row'}: {case.check}", []).append(row)
    return [
        Finding(memory=memory_id, rule=rule, rows=len(rows), examples=tuple(rows[:EXAMPLES]))
        for rule, rows in sorted(broken.items())
    ]


def _schema(**columns: Any) -> "pa.DataFrameSchema":
    import pandera.pandas as pa

    return pa.DataFrameSchema({"id": pa.Column(str, unique=True), **columns}, strict=True)


def _holds() -> "pa.Column":
    import pandera.pandas as pa

    return pa.Column(bool, pa.Check.eq(True, error="does not hold"))


def utterance_contract() -> "pa.DataFrameSchema":
    import pandera.pandas as pa

    return _schema(
        seq=pa.Column(int, [pa.Check.ge(1), pa.Check(lambda column: column.is_monotonic_increasing, error="ascends")]),
        role=pa.Column(str, pa.Check.isin(["user", "assistant", "other"])),
        characters=pa.Column(int, pa.Check.ge(1)),
        speaker_characters=pa.Column(int, pa.Check.ge(1)),
        recorded_at=pa.Column(int, pa.Check(lambda column: column.is_monotonic_increasing, error="ascends")),
        matches_its_hash=_holds(),
    )


def score_contract(thresholds: Thresholds) -> "pa.DataFrameSchema":
    """Routes by today's thresholds: after a change of settings, what was routed before them is found here."""
    import pandera.pandas as pa

    def fits(frame: Any) -> Any:
        high, middle = frame["score"] >= thresholds.immediate, frame["score"] >= thresholds.batch
        immediate, batch, log = (frame["route"] == route for route in ("immediate", "batch", "log"))
        return (immediate & high) | (batch & middle) | (log & ~middle)  # an import is kept to batch, however high

    schema = _schema(
        score=pa.Column(float, pa.Check.in_range(0, 100)),
        route=pa.Column(str, pa.Check.isin(["immediate", "batch", "log"])),
        parts_add_up=_holds(),
        contradicts=pa.Column(bool),
    )
    return pa.DataFrameSchema(
        schema.columns,
        checks=[
            pa.Check(fits, error="the route follows from the score"),
            pa.Check(
                lambda frame: ~frame["contradicts"] | (frame["score"] >= CONTRADICTION),
                error="a contradiction scores high",
            ),
        ],
        strict=True,
    )


def assertion_contract() -> "pa.DataFrameSchema":
    import pandera.pandas as pa

    return _schema(
        utterance_is_there=_holds(),
        spans_lie_in_the_text=_holds(),
        said_when_the_utterance_was=_holds(),
        interval_is_not_empty=_holds(),
        confidence=pa.Column(int, pa.Check.in_range(1, 1000)),
        polarity=pa.Column(str, pa.Check.isin(["affirmed", "denied", "retracted"])),
        mentions_have_keys=_holds(),
    )


def fact_contract() -> "pa.DataFrameSchema":
    import pandera.pandas as pa

    return _schema(
        support=pa.Column(int, pa.Check.ge(1)),
        evidence_is_there=_holds(),
        evidence_is_of_its_utterances=_holds(),
        interval_is_not_empty=_holds(),
        confidence=pa.Column(int, pa.Check.in_range(1, 1000)),
        journaled=_holds(),
    )


def item_contract() -> "pa.DataFrameSchema":
    return _schema(pooled_is_whole=_holds(), tokens_are_whole=_holds(), provisional_while_it_waits=_holds())
