"""Results for people: tables and short lists."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Literal

from rich.cells import cell_len
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

ALWAYS_SHOWN = 5  # columns of a triple: those after its valid time go first where there is no room
LONGEST_WORDS = 25
MOST_NAMES = 5  # of memories in one line
DIGITS = {"year": 4, "month": 7, "day": 10}  # of an RFC 3339 text


def table(*columns: str, rows: Iterable[Sequence[str]], right: Sequence[str] = (), wraps: Sequence[str] = ()) -> Table:
    """Columns without boxes; only those that `wraps` names may take several lines. Cells are text, not markup."""
    made = Table(box=None, pad_edge=False, header_style="dim")
    for column in columns:
        justify: Literal["left", "right"] = "right" if column in right else "left"
        made.add_column(column, justify=justify, overflow="fold", no_wrap=column not in wraps)
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
    show_told(page)
    if page.conclusions is not None:
        show_conclusions(page)


def show_conclusions(page: FactPage) -> None:
    """What nobody told, with the facts that it rests on."""
    rows = [
        (
            f"{each.subject.name} {each.predicate} {each.object.name}",
            f"{moment(each.valid_from, 'day')} → {moment(each.valid_to, 'day')}".strip(),
            f"{each.confidence:.2f}",
            f"{each.inferred.rule}: {', '.join(short(fact) for fact in each.inferred.premises)}",
        )
        for each in page.conclusions or ()
    ]
    if not rows:
        say("\nNothing follows from it.")
        return
    say("\nNobody told, and it follows:")
    shown = table(
        "statement", "valid", "conf.", "from facts", rows=rows, right=("conf.",), wraps=("statement", "from facts")
    )
    console().print(shown)
    if page.cut:
        say("There were too many facts to follow all; ask about one predicate.")


def show_told(page: FactPage) -> None:
    if not page.facts:
        say("Nothing is believed of this at this time.")
        return
    telling = [fact for fact in page.facts if not repeats_a_name(fact)]
    shown = telling or page.facts
    ordered = sorted(shown, key=lambda fact: (fact.subject.name.casefold(), fact.predicate, fact.valid_from or ""))
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
        table("fact", "statement", "valid", "conf.", "said by", rows=rows, right=("conf.",), wraps=("statement",))
    )
    say(f"\n{number_of(len(rows), 'fact')}. Where one comes from: palimpsest lineage FACT")
    if left_out := len(page.facts) - len(shown):
        say(f"Left out: {number_of(left_out, 'name')} that {'repeats' if left_out == 1 else 'repeat'} the subject's")
    if any(row[2].startswith("by ") for row in rows):
        say("by: known to hold since then at the latest")
    told = {fact.authority: AUTHORITIES.get(fact.authority, "") for fact in ordered}
    say("; ".join([*(f"{name}: {meaning}" for name, meaning in sorted(told.items()) if meaning), "×: how often"]))


def repeats_a_name(fact: FactView) -> bool:
    """ "Max name Max" """
    return fact.predicate == "name" and object_name(fact).casefold() == fact.subject.name.casefold()


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
    for each in answer.inferred:
        screen.print(Text(f"  nobody told, it follows: {each.rule} (confidence {each.confidence:.2f})", style="dim"))


def show_recalled(found: RecalledView) -> None:
    if not found.results:
        say("Nothing was found.")
        return
    rows = [(f"{each.score:.3f}", moment(each.said_at), each.speaker or "", f"{each.text}") for each in found.results]
    console().print(table("score", "said", "speaker", "text", rows=rows, right=("score",), wraps=("text",)))


# ------------------------------------------------------------------------------------------------- what was done


def show_ingested(report: IngestReport) -> None:
    for each in report.memories:
        routes = ", ".join(f"{route} {count}" for route, count in sorted(each.routes.items()))
        say(f"{each.user}: {each.new} new, {each.known} already known{f' ({routes})' if routes else ''}")
    if len(report.memories) != 1:
        say(f"in all: {report.new} new, {report.known} already known")
    if report.problems:
        kept = "all the rest was kept" if report.new + report.known else "nothing was kept"
        say(f"{number_of(len(report.problems), 'problem')}: see above; {kept}")
    if report.new:
        say("Next: palimpsest materialise (with --all also what is kept in the log)")


def show_triples(triples: Sequence[Triple]) -> None:
    if not triples:
        say("Nothing would be read from this.")
        return
    rows = [
        (
            str(each.line),
            each.subject,
            ("not " if each.negated and not each.is_worded else "") + each.predicate,
            str(each.object),
            f"{moment(each.valid_from, 'day')} → {moment(each.valid_to, 'day')}".strip(),
            f"{each.confidence:.2f}",
            each.extractor,
        )
        for each in triples
    ]
    screen, columns = console(), ["line", "subject", "predicate", "object", "valid", "conf.", "read by"]
    while len(columns) > ALWAYS_SHOWN and needed_width(columns, rows) > screen.width:
        columns.pop()
    shown = [row[: len(columns)] for row in rows]
    words = ("subject", "predicate", "object")
    screen.print(table(*columns, rows=shown, right=("line", "conf."), wraps=words))


def needed_width(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> int:
    """What a table takes where its texts are not cut; a long one may take several lines of `LONGEST_WORDS`."""
    widths = [
        min(max(cell_len(plain(cell)) for cell in (column, *(row[place] for row in rows))), LONGEST_WORDS)
        for place, column in enumerate(columns)
    ]
    return sum(widths) + 2 * (len(widths) - 1)


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
    console().print(table("shard", *titles, "run", rows=rows, right=titles, wraps=("run",)))
    if summary.failed_memories:
        say(f"{number_of(summary.failed_memories, 'memory', 'memories')} failed and will be tried again.")
    if summary.busy_memories:
        say(
            f"{number_of(summary.busy_memories, 'memory', 'memories')} were held by another run and left as they were; "
            "run this again when it has ended."
        )


WAITING = """
In the graph: up to which utterance all was read, but for what the log keeps.
Waiting: immediate for seconds while `palimpsest up` runs, batch for the hour,
log for the night; `palimpsest materialise --all` takes all of it at once."""


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
            f"{each.generation}" if each.up_to_date else f"{each.generation} *",
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
            "generation",
            "waiting",
            rows=rows,
            right=("said", "in the graph", "generation"),
            wraps=("waiting",),
        )
    )
    if any(each.waiting for each in standing.memories):
        say(WAITING)
    if not all(each.up_to_date for each in standing.memories):
        say("* made by other rules than today's. Next: palimpsest rebuild --no-flip, then palimpsest diff")
    if older := [each for each in standing.memories if each.read_otherwise]:
        count = number_of(sum(each.read_otherwise or 0 for each in older), "utterance")
        names = ", ".join(each.user for each in older[:MOST_NAMES]) + (", …" if len(older) > MOST_NAMES else "")
        say(f"{count} read by other voters or rules than today's ({names}).")
        say("Next: palimpsest rebuild --read-again --no-flip, then palimpsest diff")


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
