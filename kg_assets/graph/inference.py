"""What follows from facts by rules: a pure function of the facts, the rules and what was denied.

A conclusion holds where all its premises do, is as likely as all of them together, with the authority of the weakest.
What follows in several ways is told in the strongest. Nothing is concluded of a thing and itself, where it is believed
already, or where it was denied. Rounds go on until nothing new follows, or up to a bound, and the result says so: the
order in which facts are given never matters.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from math import prod

import msgspec

from kg_assets.graph.intervals import Interval, Union, bounds, interval
from kg_assets.model import AUTHORITY_RANK, Authority, Fact, Micros
from kg_assets.text.rules import Rule, Step

ROUNDS = 16  # a chain of 2 ** 16 transitive facts, or so many rules upon each other
MOST_CONCLUDED = 20_000
WAYS = 10  # looked at in one round for each that may be concluded

Statement = tuple[str, str, str]  # subject's id, predicate, object's id


class Denial(msgspec.Struct, frozen=True):
    """Somebody said that this is not so, over an interval."""

    statement: Statement
    span: Interval


class Conclusion(msgspec.Struct, frozen=True, kw_only=True):
    """What follows over one interval. `premises` are facts, along the way from the subject to the object."""

    subject_id: str
    predicate: str
    object_id: str
    valid_from: Micros | None
    valid_to: Micros | None
    confidence: int
    authority: Authority
    rule: str
    premises: tuple[Fact, ...]

    @property
    def statement(self) -> Statement:
        return (self.subject_id, self.predicate, self.object_id)


class Inference(msgspec.Struct, frozen=True):
    """By (statement, interval). `cut`: more may follow than was concluded."""

    conclusions: tuple[Conclusion, ...]
    cut: bool


Strength = tuple[int, int, int, tuple[str, ...], str]
NONE: Strength = (0, 0, 0, (), "")


def strength(way: tuple[Fact, ...], rule: str) -> Strength:
    """Sorts the strongest first; equally strong ones by what they rest on."""
    versions = tuple(fact.version_id for fact in way)
    return (-likelihood(way), -AUTHORITY_RANK[weakest(way)], len(set(versions)), versions, rule)


class Link(msgspec.Struct, frozen=True):
    """A statement over an interval with the facts that it rests on: one that is believed rests on itself.

    `strength` is of a whole one; what is joined on the way to it needs none.
    """

    start: str
    predicate: str
    end: str
    span: Interval
    way: tuple[Fact, ...]
    rule: str = ""
    strength: Strength = NONE

    @property
    def statement(self) -> Statement:
        return (self.start, self.predicate, self.end)

    def outdoes(self, other: "Link") -> bool:
        """Whether the other one of the same statement adds nothing: what is believed needs no conclusion."""
        return self.span.covers(other.span) and (not self.rule or self.strength <= other.strength)


def infer(
    facts: Iterable[Fact],
    rules: Iterable[Rule],
    denials: Iterable[Denial] = (),
    *,
    rounds: int = ROUNDS,
    most: int = MOST_CONCLUDED,
) -> Inference:
    """All that follows. Semi-naive: a round joins what is new in it with all that is known."""
    rules, denied = sorted(rules), unions((each.statement, each.span) for each in denials)
    stated = [link for link in map(link_of, facts) if link is not None]
    known = Known()
    fresh, cut = known.add(stated), False
    for _ in range(rounds):
        table = Table(known.links())
        joined = (each for rule in rules for link in table.joined(rule, fresh) for each in allowed(link, denied))
        following = list(islice(joined, WAYS * most))
        fresh = known.add(following)
        cut = len(following) == WAYS * most or known.keep(most)
        if cut or not fresh:
            break
    believed = unions((link.statement, link.span) for link in stated)
    left = (each for link in known.links() if link.rule for each in allowed(link, believed))
    return Inference(tuple(conclusion(link) for link in sorted(left, key=sorting)), cut or bool(fresh))


def link_of(fact: Fact) -> Link | None:
    """None where it says nothing of two things: of a literal, of a thing and itself, or at no time."""
    belief = fact.belief
    span = interval(belief.valid_from, belief.valid_to)
    if belief.object_id is None or belief.object_id == belief.subject_id or span is None:
        return None
    return Link(belief.subject_id, belief.predicate, belief.object_id, span, (fact,), "", strength((fact,), ""))


def sorting(link: Link) -> tuple[Statement, Interval, Strength]:
    return link.statement, link.span, link.strength


class Known:
    """What is believed or concluded so far: of each statement the links that no other outdoes."""

    def __init__(self) -> None:
        self._links: dict[Statement, list[Link]] = defaultdict(list)

    def links(self) -> list[Link]:
        return [link for found in self._links.values() for link in found]

    def add(self, links: Iterable[Link]) -> list[Link]:
        """Those that were new. The strongest are taken first, so the order in which they are given does not matter."""
        fresh = []
        for link in sorted(links, key=lambda each: (each.strength, each.statement, each.span)):
            held = self._links[link.statement]
            if not any(each.outdoes(link) for each in held):
                held[:] = [*(each for each in held if not each.rule or not link.outdoes(each)), link]
                fresh.append(link)
        return fresh

    def keep(self, most: int) -> bool:
        """Leaves so many conclusions, the first in order; whether there were more."""
        concluded = [link for link in self.links() if link.rule]
        if len(concluded) <= most:
            return False
        for link in sorted(concluded, key=sorting)[most:]:
            self._links[link.statement].remove(link)
        return True


class Table:
    """Links by where they start and where they end."""

    def __init__(self, links: Iterable[Link]) -> None:
        self._from: dict[tuple[Step, str], list[Link]] = defaultdict(list)
        self._to: dict[tuple[Step, str], list[Link]] = defaultdict(list)
        for link in links:
            for turned in (link, back(link)):
                step = Step(link.predicate, inverted=turned is not link)
                self._from[step, turned.start].append(turned)
                self._to[step, turned.end].append(turned)

    def joined(self, rule: Rule, fresh: Sequence[Link]) -> Iterator[Link]:
        """What the rule concludes from a path on which at least one link is fresh."""
        for place, step in enumerate(rule.steps):
            for link in fresh:
                if link.predicate != step.predicate:
                    continue
                paths = [back(link) if step.inverted else link]
                for before in reversed(rule.steps[:place]):
                    paths = [way for path in paths for each in self._to[before, path.start] for way in join(each, path)]
                for after in rule.steps[place + 1 :]:
                    paths = [way for path in paths for each in self._from[after, path.end] for way in join(path, each)]
                for path in paths:
                    if path.start != path.end:
                        told = strength(path.way, rule.name)
                        yield Link(path.start, rule.concludes, path.end, path.span, path.way, rule.name, told)


def back(link: Link) -> Link:
    """The same, walked from its end."""
    return Link(link.end, link.predicate, link.start, link.span, link.way[::-1], link.rule, link.strength)


def join(one: Link, other: Link) -> Iterator[Link]:
    """The way over both, where they hold together."""
    start, end = max(one.span.start, other.span.start), min(one.span.end, other.span.end)
    if start < end:
        yield Link(one.start, "", other.end, Interval(start, end), one.way + other.way)


def unions(spans: Iterable[tuple[Statement, Interval]]) -> dict[Statement, Union]:
    found: dict[Statement, Union] = defaultdict(Union)
    for statement, span in spans:
        found[statement].add(span)
    return found


def allowed(link: Link, taken: Mapping[Statement, Union]) -> Iterator[Link]:
    """What is left of a link outside of the intervals that are taken from its statement."""
    union = taken.get((link.start, link.predicate, link.end))
    for span in [link.span] if union is None else union.without(link.span):
        yield msgspec.structs.replace(link, span=span)


def likelihood(way: Iterable[Fact]) -> int:
    """All of them together, in thousandths, rounded down once; a fact that is met twice counts once."""
    confidences = list({fact.version_id: fact.belief.confidence for fact in way}.values())
    return int(prod(confidences) // 1000 ** (len(confidences) - 1))


def weakest(way: Iterable[Fact]) -> Authority:
    return min((fact.belief.authority for fact in way), key=AUTHORITY_RANK.__getitem__)


def conclusion(link: Link) -> Conclusion:
    valid_from, valid_to = bounds(link.span)
    return Conclusion(
        subject_id=link.start,
        predicate=link.predicate,
        object_id=link.end,
        valid_from=valid_from,
        valid_to=valid_to,
        confidence=likelihood(link.way),
        authority=weakest(link.way),
        rule=link.rule,
        premises=tuple(link.way),
    )
