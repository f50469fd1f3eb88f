"""Reviews, entities, suggestions and what an act of curation changed, for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from palimpsest.printing import console, say, short
from palimpsest.views import moment, number_of, show_facts, table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from serving.curated import CuratedView, ReviewPage, SideView
    from serving.named_entities import EntityDetail, EntityPage, JoinedView
    from serving.suggestions import ReasonView, SuggestionPage


def show_reviews(page: ReviewPage) -> None:
    if not page.reviews:
        say("Nothing waits for a curator. Entities that may be one: palimpsest suggestions --user NAME")
        return
    rows = [
        (short(each.id), each.subject.name, side(each.standing), side(each.challenging), moment(each.opened_at))
        for each in page.reviews
    ]
    sides = ("stands", "challenges it")
    console().print(table("review", "of", *sides, "since", rows=rows, wraps=sides))
    say("Next: palimpsest review --user NAME REVIEW accept (what challenges is right), or reject")


def side(view: SideView) -> str:
    from serving.contract import LiteralView

    named = view.object
    name = str(named.value) if isinstance(named, LiteralView) else named.name
    said = view.assertions[-1]
    denied = "" if view.polarity == "affirmed" else "not "
    return f"{denied}{view.predicate} {name} ({said.authority}, {moment(said.utterance.said_at)})"


def show_curated(view: CuratedView) -> None:
    say(changed(view.changed))
    if view.facts:
        from serving.contract import FactPage

        show_facts(FactPage(view.facts, None))
    if view.reviews:
        say(f"{number_of(len(view.reviews), 'review')} of this waits for a curator.")


def changed(operations: dict[str, int]) -> str:
    done = ", ".join(f"{count} {op}" for op, count in sorted(operations.items()))
    return f"Journaled: {done}." if done else "Said, and what is believed stays as it was."


def show_joined(view: JoinedView) -> None:
    say(changed(view.changed))
    for each in view.entities:
        say(f"{each.name} ({each.type}): {', '.join(map(own_words, each.aliases))}")


def show_entities(page: EntityPage) -> None:
    if not page.entities:
        say("Nobody and nothing is known here yet.")
        return
    ordered = sorted(page.entities, key=lambda each: (-each.weight.importance, each.name.casefold()))
    rows = [
        (
            *(each.name, each.type, f"{each.weight.importance:.2f}", str(each.weight.mentions)),
            *(", ".join(also_called(each.name, each.aliases)), short(each.id)),
        )
        for each in ordered
    ]
    heads = ("name", "type", "importance", "mentioned", "also called", "id")
    console().print(table(*heads, rows=rows, right=heads[2:4], wraps=("name", "also called")))


def also_called(name: str, aliases: Sequence[str]) -> list[str]:
    """Other names than the one that is shown."""
    return [own_words(each) for each in aliases if each != name.casefold()]


def own_words(text: str) -> str:
    """The memory's own person by the words that name them: "@self's sister" is "my sister"."""
    return text.replace("@self's ", "my ").replace("@self", "me")


def show_suggestions(page: SuggestionPage) -> None:
    if not page.suggestions:
        say("No two entities look like one.")
        return
    rows = [
        (short(each.id), each.keep.name, each.merge.name, f"{each.score:.2f}", "; ".join(map(reason, each.reasons)))
        for each in page.suggestions
    ]
    heads = ("suggestion", "is it", "this too", "score", "because")
    console().print(table(*heads, rows=rows, right=("score",), wraps=heads[1:]))
    say("Next: palimpsest suggestions --user NAME SUGGESTION accept (they are one), or reject")


def reason(view: ReasonView) -> str:
    return own_words(view.reason if view.weight > 0 else f"but {view.reason}")


def show_entity(view: EntityDetail) -> None:
    say(f"{view.name} ({view.type})  {view.id}")
    weight = view.weight
    said = number_of(weight.mentions, "utterance"), number_of(weight.sessions, "conversation")
    last = f", last {moment(weight.last_said_at)}" if weight.last_said_at else ""
    say(f"importance {weight.importance:.2f}: {' in '.join(said)}{last}; {number_of(weight.facts, 'fact')} now")
    rows = [(own_words(each.alias), each.name, each.type, str(each.count)) for each in view.mentions]
    console().print(table("called", "as said", "type", "times", rows=rows, right=("times",)))
    for link in view.links:
        same = "is the same as" if link.affirmed else "is not the same as"
        say(f"{link.names[0]} {same} {link.names[1]} ({link.authority}, {moment(link.said_at)})")
