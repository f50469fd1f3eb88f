"""What a person adds to the evidence on purpose: statements, corrections, retractions, and answers to reviews.

Nothing is edited. Each act becomes statements of the log, said now, with the authority of who acts; belief follows by
deriving the touched slots. The journal names actor and cause, the statements' metadata the act and its note.
"""

from collections.abc import Callable, Iterable, Sequence

import msgspec

from kg_assets.errors import Conflict, InvalidInput, NotFound
from kg_assets.graph.belief import BeliefReport, derive_chunk
from kg_assets.graph.generations import as_served, belief_version, note_first
from kg_assets.graph.naming import entity_named
from kg_assets.graph.policies import LATEST_VALID, Policy
from kg_assets.graph.reviews import Review, open_reviews
from kg_assets.graph.sources import in_service
from kg_assets.model import SELF_KEY, Assertion, Authority, Entity, Fact, Literal, Mention, Micros, Origin
from kg_assets.ports import Clock, Memory
from kg_assets.text.names import normal_form
from kg_assets.text.ontology import Ontology
from kg_assets.triples.asserting import OWN_NAMES, AssertedStatement, append_statements, statement_id
from kg_assets.triples.reading import Interval


class Curator(msgspec.Struct, frozen=True, kw_only=True):
    """Who acts: as `curated`, or as the memory's own person (`user` of themselves, `document` of others)."""

    authority: Authority
    origin: Origin
    policy: Policy = LATEST_VALID
    note: str = ""


class Curated(msgspec.Struct, frozen=True, kw_only=True):
    """What became of an act: the ids of its statements, and what deriving them changed."""

    utterances: tuple[str, ...]
    report: BeliefReport


def curate(
    memory: Memory, ontology: Ontology, statements: Sequence[AssertedStatement], who: Curator, act: str, *, clock: Clock
) -> Curated:
    """Append the statements of one act, then derive what they touch.

    Two transactions, each whole in itself: should the second not happen, the statements wait on the immediate route.
    No lease is needed: a run that holds one derives the same from what is there.
    """
    metadata = {"act": act, **({"note": who.note} if who.note else {})}
    made = [msgspec.structs.replace(each, metadata=metadata) for each in statements]
    named = {statement_id(memory.key, each): each for each in made}
    append_statements(memory, named, ontology, clock=clock, origin=who.origin, route="immediate")
    with memory.transaction():
        note_first(memory, belief_version(ontology, who.policy))
        told = [found for each in named if (found := memory.ledger.utterance(each)) is not None]
        seqs = sorted(each.seq for each in told)
        report = derive_chunk(in_service(memory), ontology, seqs, origin=who.origin, clock=clock, policy=who.policy)
        memory.ledger.done("derive", seqs)
    return Curated(utterances=tuple(named), report=report)


# -------------------------------------------------------------------------------------------------------- facts


def stated(memory: Memory, statement: AssertedStatement, who: Curator, now: Micros) -> AssertedStatement:
    """A checked statement with whom its names lead to here, said by `who`."""
    subject = who_is_meant(memory, statement.subject)
    target = statement.object if isinstance(statement.object, Literal) else who_is_meant(memory, statement.object)
    return msgspec.structs.replace(
        statement,
        subject=subject,
        object=target,
        said_at=now if statement.said_at is None else statement.said_at,
        authority=authority_over(who, subject),
    )


def who_is_meant(memory: Memory, name: str | Mention) -> str | Mention:
    """The entity that an id or a name leads to; a name that nobody mentioned stays as it is."""
    if isinstance(name, Mention):
        return name
    found = memory.graph.entities([name]) or [each for each in [entity_named(memory, name)] if each]
    return mention_of(found[0]) if found else name


def mention_of(entity: Entity) -> Mention:
    return Mention(surface=entity.name, key=entity.key, type=entity.type)


def authority_over(who: Curator, subject: str | Mention) -> Authority:
    """What a person says of others is hearsay, also when they say it on purpose."""
    own = subject.key == SELF_KEY if isinstance(subject, Mention) else normal_form(subject) in OWN_NAMES
    return who.authority if who.authority != "user" or own else "document"


def retraction(memory: Memory, fact_id: str, who: Curator, now: Micros) -> list[AssertedStatement]:
    """ "That was wrong": the statement, whenever it was held. Raises `NotFound`, `Conflict` where none is believed."""
    return [taken_back(memory, current_versions(memory, fact_id), who, now)]


def correction(
    memory: Memory,
    fact_id: str,
    who: Curator,
    now: Micros,
    *,
    target: str | Literal | None = None,
    redated: Callable[[Interval], Interval] | None = None,
    version_id: str | None = None,
) -> list[AssertedStatement]:
    """The statement taken back, and said again with another object or interval; its other versions as they were.

    Raises `InvalidInput` where several versions could be meant and none is named.
    """
    facts = current_versions(memory, fact_id)
    chosen = [each for each in facts if version_id in (None, each.version_id)]
    if not chosen:
        raise InvalidInput("is no version of this fact that is believed now; see its history", where="/version_id")
    if redated is not None and len(chosen) > 1:
        raise InvalidInput("the fact is held over several intervals; name one of them", where="/version_id")
    wrong = taken_back(memory, facts, who, now)
    replaced = target if target is None or isinstance(target, Literal) else who_is_meant(memory, target)
    again = [
        msgspec.structs.replace(
            wrong,
            retracted=False,
            object=replaced if each in chosen and replaced is not None else wrong.object,
            when=redated(interval_of(each)) if each in chosen and redated else interval_of(each),
        )
        for each in facts
    ]
    return [wrong, *again]


def current_versions(memory: Memory, fact_id: str) -> list[Fact]:
    rows = memory.graph.history(fact_id)
    if not as_served(rows, memory.graph.served()):
        raise NotFound("there is no fact of this id in this memory; list the facts to find ids")
    serving = memory.graph.generation  # an old generation holds its statements as it held them when it last served
    current = [each for each in rows if each.recorded_to is None and each.generation == serving]
    if not current:
        raise Conflict("this fact is believed no more; there is nothing to correct. Assert what holds instead")
    return current


def taken_back(memory: Memory, facts: Sequence[Fact], who: Curator, now: Micros) -> AssertedStatement:
    """Said after all that supports it, even where a client's clock ran ahead."""
    belief = facts[0].belief
    named = {each.id: mention_of(each) for each in memory.graph.entities([belief.subject_id, belief.object_id or ""])}
    subject = named[belief.subject_id]
    supporting = memory.ledger.assertions(sorted({each for fact in facts for each in fact.belief.assertions}))
    return AssertedStatement(
        subject=subject,
        predicate=belief.predicate,
        object=belief.value if belief.value is not None else named[belief.object_id or ""],
        when=interval_of(facts[0]),
        said_at=after(supporting, now),
        authority=authority_over(who, subject),
        denied=False,
        retracted=True,
    )


def interval_of(fact: Fact) -> Interval:
    belief = fact.belief
    return Interval(belief.valid_from, belief.valid_to, belief.start_known, belief.precision)


def after(assertions: Iterable[Assertion], now: Micros) -> Micros:
    return max([now, *(each.said_at + 1 for each in assertions)])


# ------------------------------------------------------------------------------------------------------ reviews


def review_named(memory: Memory, ontology: Ontology, policy: Policy, review_id: str) -> Review:
    """Raises `NotFound`: it never was one, or is settled."""
    found = next((each for each in open_reviews(memory, ontology, policy) if each.id == review_id), None)
    if found is None:
        raise NotFound("no review of this id waits here; it may be settled already. List the reviews")
    return found


def answer(review: Review, who: Curator, now: Micros, *, accept: bool) -> list[AssertedStatement]:
    """The side that is right, said again with a curator's word, for each time of which it was said."""
    both = (*review.standing, *review.challenging)
    chosen = review.challenging if accept else review.standing
    made: list[AssertedStatement] = []
    for statement in (said_again(each, who, after(both, now)) for each in chosen):
        if statement not in made:
            made.append(statement)
    return made


def said_again(assertion: Assertion, who: Curator, said_at: Micros) -> AssertedStatement:
    target = assertion.object
    return AssertedStatement(
        subject=msgspec.structs.replace(assertion.subject, span=None),
        predicate=assertion.predicate,
        object=msgspec.structs.replace(target, span=None) if isinstance(target, Mention) else target,
        when=Interval(assertion.valid_from, assertion.valid_to, assertion.start_known, assertion.precision),
        said_at=said_at,
        authority=who.authority,
        denied=assertion.polarity == "denied",
        retracted=assertion.polarity == "retracted",
    )
