"""The ontology and its gaps, for people."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from palimpsest.printing import console, say
from palimpsest.views import number_of, table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kg_assets.maintenance.ontology_gaps import Gap, Gaps
    from palimpsest.ontology import Declared, MemoryGaps

LONGEST_TEXT = 100
COLUMNS = ("of", "predicate", "to", "how, and other names")


def show_declared(found: Declared) -> None:
    rows: list[tuple[str, ...]] = []
    for domain, told in groupby(sorted(found.predicates, key=lambda each: each.domain), key=lambda each: each.domain):
        group = [
            (
                f"{each.name}{' *' if each.extra else ''}",
                each.range,
                "; ".join(
                    part
                    for part in (
                        "one at a time" if each.functional else "",
                        f"inverse {each.inverse}" if each.inverse else "",
                        ", ".join(each.aliases),
                    )
                    if part
                ),
            )
            for each in told
        ]
        rows += [("",) * len(COLUMNS)] if rows else []
        rows += [(domain if not place else "", *cells) for place, cells in enumerate(group)]
    console().print(table(*COLUMNS, rows=rows, wraps=COLUMNS[-1:]))
    count = number_of(len(found.predicates), "predicate")
    say(f"\n{count} by the type of their subject, {number_of(found.types, 'type')}; version {found.version}")
    if found.extra:
        say(f"*: declared, or given more names, by {found.extra}")
    say("What your users say beyond it: palimpsest ontology --gaps")


def show_gaps(found: Gaps) -> None:
    of_all = f"{found.provisional} of {number_of(found.assertions, 'assertion')}"
    say(f"{number_of(found.memories, 'memory', 'memories')}: {of_all} ({found.share:.0%}) under provisional predicates")
    show_table(found.gaps, memories=True)
    if found.hidden:
        why = f"used by fewer than {found.least} memories"
        worded = f", {found.worded} of them for their words" if found.worded else ""
        count = number_of(found.hidden, "predicate")
        say(f"\nNot named, as {why} or worded otherwise than in verbs and small words: {count}{worded},")
        told = number_of(found.hidden_assertions, "assertion")
        say(f"with {told}. One memory's: palimpsest ontology --gaps --user NAME")
    show_rest(found)


def show_rest(found: Gaps) -> None:
    if found.unread:
        say(f"{number_of(found.unread, 'memory', 'memories')} could not be opened")
    if found.renamed:
        say(f"{number_of(found.renamed, 'fact')} under names that are declared by now: run palimpsest rebuild")


def show_table(gaps: Sequence[Gap], *, memories: bool) -> None:
    if not gaps:
        return
    rows = [
        (
            gap.predicate,
            str(gap.assertions),
            *((str(gap.memories),) if memories else ()),
            f"{gap.share:.1%}",
            f"{gap.subject} → {gap.object}",
            f"{gap.nearest} {gap.likeness:.2f}" if gap.nearest else "",
        )
        for gap in gaps
    ]
    counts = ("assertions", "memories") if memories else ("assertions",)
    columns = ("provisional", *counts, "share", "from → to", "perhaps")
    console().print(table(*columns, rows=rows, right=(*counts, "share")))


def show_memory_gaps(found: MemoryGaps) -> None:
    gaps = found.gaps
    of_all = f"{gaps.provisional} of {number_of(gaps.assertions, 'assertion')}"
    say(f"{found.user}: {of_all} ({gaps.share:.0%}) under provisional predicates")
    show_table(gaps.gaps, memories=False)
    for gap in gaps.gaps:
        for each in found.examples:
            if each.predicate == gap.predicate:
                say(f"  {gap.predicate}: {each.fact}  “{cut(each.text)}”  {each.utterance}")
    show_rest(gaps)
    say(f"\n{number_of(found.silent, 'turn')} led to nothing; read openly, the newest {found.read_again} hold:")
    if not found.unread:
        say("  nothing more")
    for unread in found.unread:
        perhaps = f", perhaps {unread.nearest} {unread.likeness:.2f}" if unread.nearest else ""
        say(f"  {unread.predicate} ({number_of(unread.turns, 'turn')}{perhaps})")
        for each in unread.examples:
            say(f"    {each.fact}  “{cut(each.text)}”  {each.utterance}")


def cut(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= LONGEST_TEXT else f"{words[:LONGEST_TEXT]}…"
