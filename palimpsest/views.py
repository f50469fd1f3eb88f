"""Results for people: tables and short lists."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Literal

from rich.table import Table
from rich.text import Text

from palimpsest.printing import console, plain, say, short

if TYPE_CHECKING:
    from kg_assets.answers.ask import Answer
    from palimpsest.extraction import Triple
    from palimpsest.ingestion import IngestReport
    from palimpsest.materialising import MaterialiseSummary
    from palimpsest.standing import Standing
    from palimpsest.verification import Verification
    from serving.contract import FactPage, FactView
    from serving.recall import RecalledView

DIGITS = {"year": 4, "month": 7, "day": 10}  # of an RFC 3339 text


def table(*columns: str, rows: Iterable[Sequence[str]], right: Sequence[str] = (), wraps: str = "") -> Table:
    """Columns without boxes; only the one that `wraps` may take several lines. Cells are text, not markup."""
    made = Table(box=None, pad_edge=False, header_style="dim")
    for column in columns:
        justify: Literal["left", "right"] = "right" if column in right else "left"
        made.add_column(column, justify=justify, overflow="fold", no_wrap=column != wraps)
    for row in rows:
        made.add_row(*(Text(plain(cell)) for cell in row))
    return made


def number_of(count: int, noun: str, plural: str = "") -> str:
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"


# ---------------------------------------------------------------------------------------------------------- facts


def object_name(fact: FactView) -> str:
    from serving.contract import LiteralView

    return str(fact.object.value) if isinstance(fact.object, LiteralView) else fact.object.name


def statement(fact: FactView) -> str:
    return f"{fact.subject.name} {fact.predicate} {object_name(fact)}"


def moment(text: str | None, precision: str = "instant") -> str:
    """As precisely as it is known: 2026, 2026-05, 2026-05-30, 2026-05-30 18:04."""
    return "" if text is None else text[: DIGITS.get(precision, 16)].replace("T", " ")


def valid_time(fact: FactView) -> str:
    """ "2026-05 →", "by 2026-05-30 →" where the beginning was not said, "2026-05 → 2026-07-01"."""
    start = moment(fact.valid_from, fact.precision if fact.start_known else "day")
    end = moment(fact.valid_to, "day")
    return f"{'by ' if start and not fact.start_known else ''}{start} → {end}".strip()


def recorded_time(fact: FactView) -> str:
    return f"{moment(fact.recorded_from)} → {moment(fact.recorded_to)}".strip()


def show_facts(page: FactPage) -> None:
    if not page.facts:
        say("Nothing is believed of this at this time.")
        return
    ordered = sorted(page.facts, key=lambda fact: (fact.subject.name.casefold(), fact.predicate, fact.valid_from or ""))
    rows = [
        (
            short(fact.id),
            statement(fact),
            valid_time(fact),
            f"{fact.confidence:.2f}",
            f"{fact.authority} ×{fact.support}",
        )
        for fact in ordered
    ]
    console().print(
        table("fact", "statement", "valid", "conf.", "said by", rows=rows, right=("conf.",), wraps="statement")
    )
    say(f"\n{number_of(len(rows), 'fact')}. Where one comes from: palimpsest lineage FACT")


# ---------------------------------------------------------------------------------------------------------- answers


AUTHORITIES = {
    "user": "by their own words",
    "document": "as others tell",
    "model": "as the assistant said",
    "curated": "set by a curator",
    "live": "from a live source",
}


def show_answer(answer: Answer) -> None:
    """The answer, and under it how it was found."""
    screen = console()
    screen.print(Text(plain(answer.answer), style="bold" if answer.known else ""))
    if answer.path:
        screen.print(Text(plain("  " + " → ".join(answer.path)), style="dim"))
    if answer.facts:
        named = ", ".join(short(each) for each in answer.facts)
        source = AUTHORITIES.get(answer.authority or "", answer.authority or answer.route)
        screen.print(Text(f"  {source}: {'facts' if len(answer.facts) > 1 else 'fact'} {named}", style="dim"))


def show_recalled(found: RecalledView) -> None:
    if not found.results:
        say("Nothing was found.")
        return
    rows = [(f"{each.score:.3f}", moment(each.said_at), each.speaker or "", f"{each.text}") for each in found.results]
    console().print(table("score", "said", "speaker", "text", rows=rows, right=("score",), wraps="text"))


# ------------------------------------------------------------------------------------------------- what was done


def show_ingested(report: IngestReport) -> None:
    for each in report.memories:
        routes = ", ".join(f"{route} {count}" for route, count in sorted(each.routes.items()))
        say(f"{each.user}: {each.new} new, {each.known} already known{f' ({routes})' if routes else ''}")
    if len(report.memories) != 1:
        say(f"in all: {report.new} new, {report.known} already known")
    if report.problems:
        say(f"{number_of(len(report.problems), 'problem')}: see above; all the other lines were kept")
    if report.new:
        say("Next: palimpsest materialise")


def show_triples(triples: Sequence[Triple]) -> None:
    if not triples:
        say("Nothing would be read from this.")
        return
    rows = [
        (
            str(each.line),
            each.subject,
            ("not " if each.negated else "") + each.predicate,
            str(each.object),
            f"{moment(each.valid_from, 'day')} → {moment(each.valid_to, 'day')}".strip(),
            f"{each.confidence:.2f}",
            each.extractor,
        )
        for each in triples
    ]
    columns = ("line", "subject", "predicate", "object", "valid", "conf.", "read by")
    console().print(table(*columns, rows=rows, right=("line", "conf."), wraps="object"))


def show_materialised(summary: MaterialiseSummary) -> None:
    if not summary.shards:
        say("Nothing waits; nothing was changed.")
        return
    names = list(summary.shards[0].counts)
    rows = [
        (
            each.shard,
            *(str(each.counts.get(name, 0)) for name in names),
            short(each.run_id) if each.success else f"{short(each.run_id)} FAILED",
        )
        for each in summary.shards
    ]
    titles = [name.replace("_", " ") for name in names]
    console().print(table("shard", *titles, "run", rows=rows, right=titles, wraps="run"))
    if summary.failed_memories:
        say(f"{number_of(summary.failed_memories, 'memory', 'memories')} failed and will be tried again.")
    if summary.busy_memories:
        say(
            f"{number_of(summary.busy_memories, 'memory', 'memories')} were held by another run and left as they were; "
            "run this again when it has ended."
        )


def show_status(standing: Standing) -> None:
    say(f"Home: {standing.home}")
    if not standing.memories:
        say("No memories yet. Next: palimpsest ingest FILE --user NAME")
        return
    rows = [
        (
            each.user,
            each.shard,
            str(each.watermark.log),
            str(each.watermark.graph),
            ", ".join(f"{name} {count}" for name, count in each.waiting.items()) or "nothing",
        )
        for each in standing.memories
    ]
    console().print(
        table(
            "user",
            "shard",
            "said",
            "in the graph",
            "waiting",
            rows=rows,
            right=("said", "in the graph"),
            wraps="waiting",
        )
    )


def show_verified(report: Verification) -> None:
    for each in report.memories:
        if each.broken:
            say(f"{each.user}: BROKEN after {number_of(each.entries, 'entry', 'entries')}: {each.broken}")
        else:
            say(f"{each.user}: {number_of(each.entries, 'entry', 'entries')} hold, head {short(each.head)}")
    if not report.memories:
        say("There are no memories to verify.")
    elif report.whole and not report.signed:
        say("Entries are chained, not signed: who may write every file of this home could write another history.")
