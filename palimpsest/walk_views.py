"""Neighbourhoods and ways, for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from palimpsest.printing import console, say, short
from palimpsest.views import number_of, statement, table, valid_time

if TYPE_CHECKING:
    from serving.walks import NeighbourhoodView, PathView


def show_neighbourhood(view: NeighbourhoodView) -> None:
    if not view.facts:
        say(f"Nothing is believed around {view.start.name} at this time.")
        return
    rows = [
        (str(each.distance), statement(each.fact), valid_time(each.fact), short(each.fact.id)) for each in view.facts
    ]
    console().print(table("hops", "fact", "valid", "id", rows=rows, right=("hops",), wraps=("fact",)))
    if view.cut:
        say(f"Cut at {number_of(len(view.facts), 'fact')}; give a higher --limit for more.")


def show_path(view: PathView) -> None:
    if view.hops is None:
        seen = f"among the first {number_of(view.visited, 'fact')}" if view.cut else "within these hops"
        say(f"No way leads from {view.start.name} to {view.target.name} {seen}.")
        return
    words = [view.start.name]
    for step in view.steps:
        words.append(f"→ {step.fact.predicate} →" if step.forward else f"← {step.fact.predicate} ←")
        words.append(step.to.name)
    say(" ".join(words))
    for step in view.steps:
        say(f"  {statement(step.fact)}  {valid_time(step.fact)}  {short(step.fact.id)}")
