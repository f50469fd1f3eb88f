"""Couples: who marries, dates and parts."""

from collections.abc import Iterator

from kg_assets.text.clauses import Clause, Statement
from kg_assets.text.frames.stating import activity, state, usable
from kg_assets.text.phrases import Phrase


def marrying(clause: Clause) -> Iterator[Statement]:
    """As in "I married Paolo in 2015", "she got engaged to Tom", "I'm married to Paolo"."""
    if clause.verb == "get" and clause.adjective not in ("married", "engaged"):
        return
    partners = clause.after("to") if clause.passive or clause.adjective else clause.objects
    partners = partners or together(clause)
    partners = tuple(each for each in partners if usable(each) and (each.is_name or each.name or each.relation))
    if clause.tense == "future" or (clause.progressive and clause.tense == "present"):
        yield from wedding_ahead(clause, partners)
        return
    predicate = "engaged_to" if clause.verb == "engage" or clause.adjective == "engaged" else "spouse"
    lasting = clause.verb == "be" or (clause.passive and clause.tense in ("present", "perfect"))
    for partner in partners:
        begun = not lasting and not clause.negation
        yield from state(clause, predicate, partner, aspect="begins" if begun else None)
    alone = not clause.after("to", "with") and not clause.objects and not clause.others
    if lasting and alone and clause.tense in ("present", "perfect"):
        yield from state(clause, "marital_status", _status(clause))
    elif clause.verb == "get" and alone and clause.tense in ("past", "perfect") and not clause.negation:
        yield from state(clause, "marital_status", _status(clause), aspect="begins")


def wedding_ahead(clause: Clause, partners: tuple[Phrase, ...]) -> Iterator[Statement]:
    """ "I'm getting married to Felix in September": a plan; nobody is married before the day."""
    if clause.negation or clause.used_to or not (partners or clause.times):
        return
    end = partners[0].end if partners else _status(clause).end
    if clause.verb != "marry" or partners or clause.passive:
        made = state(clause, "plans_to", activity(clause, clause.verb_span[0], end), aspect="happens")
        yield from (each._replace(forward=True) for each in made)


def _status(clause: Clause) -> Phrase:
    """The word "married" of "I've been married for ten years"."""
    start, end = clause.verb_span
    if clause.adjective:
        start = clause.text.casefold().find(clause.adjective, start)
        end = start + len(clause.adjective)
    return Phrase(clause.text[start:end], start, end, (clause.text[start:end].casefold(),))


def together(clause: Clause) -> tuple[Phrase, ...]:
    """The one with whom it is done: said once, of the last of two."""
    return tuple(each for each in clause.others[:1] if each.start < clause.subject.start)


def parting(clause: Clause) -> Iterator[Statement]:
    """As in "I broke up with Tom", "I divorced Paolo last year", "Mia and I split up"."""
    lasting = clause.passive and clause.tense in ("present", "perfect") and not clause.progressive
    if lasting and clause.verb in ("divorce", "separate") and not clause.negation:
        yield from state(clause, "marital_status", _status(clause))
        return
    if clause.negation or clause.tense not in ("past", "perfect"):
        return
    if clause.verb in ("break", "split") and clause.particle != "up":
        return
    others = clause.objects if clause.verb == "divorce" and not clause.passive else clause.after("with", "from")
    if clause.verb == "divorce" and not others and (clause.passive or clause.subject.head == "we"):
        yield from state(clause, "marital_status", _status(clause), aspect="begins")
    for other in (*others, *together(clause)):
        if usable(other) and (other.is_name or other.name or other.relation):
            for predicate in ("spouse", "engaged_to", "partner"):
                yield from state(clause, predicate, other, aspect="ends", polarity="denied")


def dating(clause: Clause) -> Iterator[Statement]:
    if clause.tense == "future" or not (clause.progressive or clause.verb == "be"):
        return
    for other in (*clause.objects, *together(clause)):
        if usable(other) and (other.is_name or other.name):
            yield from state(clause, "partner", other)
