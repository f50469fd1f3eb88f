"""What a text says of its speaker and of those it names, read without a parser: the cheap first voter.

Standard library only, linear in the text. Novelty reads it to see contradictions; `triples` grounds its statements
in who speaks and when. Questions, suppositions, quotations and the words of others give nothing.
"""

from collections.abc import Callable, Iterator
from itertools import chain

from kg_assets.text.casual import restored
from kg_assets.text.chunks import Times
from kg_assets.text.clauses import Clause, Statement, Value
from kg_assets.text.forms import form_statements
from kg_assets.text.frames import (
    ailments,
    changes,
    couples,
    deeds,
    doings,
    habits,
    health,
    identity,
    listing,
    places,
    plans,
    relations,
    schooling,
    services,
    study,
    tastes,
    things,
    tools,
    trips,
    undertakings,
    work,
    world,
)
from kg_assets.text.lexicon import HABITUAL
from kg_assets.text.notes import Note, note_statements, notes
from kg_assets.text.presupposed import presupposed
from kg_assets.text.segments import segments
from kg_assets.text.sentences import Sentence, sentence_of
from kg_assets.text.shallow import clauses, told_of
from kg_assets.text.times import find_times

Frame = Callable[[Clause], Iterator[Statement]]

# Which frames read a verb. Every clause is also read for whom and what it introduces ("my sister Anna").
FRAMES: dict[str, tuple[Frame, ...]] = {
    "be": (
        identity.being,
        habits.featuring,
        health.prescribing,
        places.staying,
        places.going,
        plans.being_dated,
        work.last_day,
        work.serving,
        study.schooling,
        world.office,
        tools.built_on,
        schooling.at_school,
        schooling.parenting,
        ailments.hurting,
        ailments.down_with,
        ailments.measured,
        ailments.having_papers,
        tools.is_user,
        ailments.kept_with,
        ailments.frequenting,
        trips.having_been,
        undertakings.measuring,
        undertakings.housed_at,
        undertakings.employed_as,
        undertakings.dieting,
        listing.listing,
    ),
    "include": (listing.listing,),
    **dict.fromkeys(("apply", "prepare", "rehearse", "revise", "campaign", "audition"), (undertakings.busying,)),
    "live": (places.living, undertakings.sharing_a_home),
    "rent": (places.renting,),
    "share": (places.renting,),
    "reside": (places.living,),
    "settle": (places.living, tools.choosing),
    "base": (places.living,),
    "move": (places.moving, plans.rescheduled, undertakings.moving_in),
    "relocate": (places.moving,),
    "come": (places.coming,),
    "grow": (places.growing_up, undertakings.keeping),
    "visit": (places.visiting,),
    "travel": (places.visiting,),
    "fly": (places.visiting,),
    "go": (
        habits.turning_vegan,
        places.going,
        plans.going_to,
        tastes.taking_up,
        schooling.at_school,
        ailments.treated,
        ailments.frequenting,
        tools.choosing,
        trips.gone_about,
    ),
    "attend": (plans.going_to,),
    "run": (plans.attending, things.running, tools.running, plans.running_out),
    "expire": (plans.running_out,),
    "end": (plans.running_out,),
    "bear": (identity.born,),
    "die": (identity.dying,),
    "pass": (identity.dying, plans.attending),
    "turn": (identity.turning, identity.turning_soon, habits.turning_vegan),
    "become": (habits.turning_vegan,),
    "work": (work.working, work.scheduled, tools.working_on),
    "start": (work.starting, tastes.taking_up, schooling.at_school, undertakings.founding),
    "begin": (work.starting, tastes.taking_up),
    "join": (work.joining,),
    "leave": (work.leaving,),
    "quit": (work.leaving,),
    "resign": (work.leaving,),
    "retire": (work.leaving,),
    "fire": (work.leaving,),
    "sack": (work.leaving,),
    "dismiss": (work.leaving,),
    "lay": (work.leaving,),
    "lose": (work.leaving, changes.losing),
    "hire": (work.hired,),
    "employ": (work.hired,),
    "promote": (work.hired,),
    "get": (
        study.taking_a_degree,
        work.getting_a_job,
        relations.adopting,
        couples.marrying,
        things.buying,
        schooling.admitted,
        undertakings.causing,
    ),
    "find": (work.getting_a_job,),
    "land": (work.getting_a_job,),
    "accept": (work.getting_a_job, schooling.admitted),
    "admit": (schooling.admitted,),
    "teach": (work.teaching,),
    "study": (study.studying,),
    "major": (study.studying,),
    "graduate": (study.graduating,),
    "enrol": (study.attending_school,),
    "enroll": (study.attending_school,),
    "learn": (study.learning,),
    "have": (
        identity.having_years,
        ailments.having_ailments,
        ailments.having_papers,
        study.taking_a_degree,
        habits.featuring,
        relations.having,
        things.possessing,
        things.suffering,
        plans.having_events,
        undertakings.causing,
        health.expecting,
    ),
    "adopt": (relations.adopting, tools.choosing),
    "rescue": (relations.adopting,),
    "name": (relations.naming,),
    "marry": (couples.marrying,),
    "engage": (couples.marrying,),
    "divorce": (couples.parting,),
    "break": (couples.parting,),
    "split": (couples.parting,),
    "separate": (couples.parting,),
    "date": (couples.dating,),
    "meet": (relations.meeting,),
    "like": (tastes.liking,),
    "love": (tastes.liking,),
    "enjoy": (tastes.liking,),
    "adore": (tastes.liking,),
    "hate": (tastes.liking,),
    "dislike": (tastes.liking,),
    "despise": (tastes.liking,),
    "detest": (tastes.liking,),
    "loathe": (tastes.liking,),
    "prefer": (tastes.preferring,),
    "play": (tastes.playing, ailments.frequenting),
    "speak": (tastes.speaking,),
    "do": (tastes.taking_up, study.taking_a_degree),
    "hold": (study.taking_a_degree,),
    "earn": (study.taking_a_degree, services.earning),
    "pay": (services.paying,),
    **dict.fromkeys(("choose", "pick"), (tools.choosing,)),
    "finish": (study.taking_a_degree,),
    "practise": (tastes.taking_up,),
    "practice": (tastes.taking_up,),
    "take": (things.taking, health.prescribing, tastes.taking_up),
    "put": (health.prescribing,),
    "prescribe": (health.prescribing,),
    "expect": (health.expecting,),
    "postpone": (plans.rescheduled,),
    "reschedule": (plans.rescheduled,),
    "push": (plans.rescheduled,),
    "own": (relations.having, things.possessing),
    "drive": (things.driving, trips.roaming),
    **dict.fromkeys(sorted(trips.MOTIONS - {"drive"}), (trips.roaming,)),
    "book": (trips.booking,),
    "reserve": (trips.booking,),
    "struggle": (undertakings.struggling,),
    "report": (undertakings.reporting,),
    "recover": (undertakings.recovering,),
    "heal": (undertakings.recovering,),
    "wait": (undertakings.awaiting,),
    "inherit": (undertakings.inheriting,),
    **dict.fromkeys(("open", "launch"), (undertakings.founding,)),
    **dict.fromkeys(("keep", "raise", "breed"), (undertakings.keeping,)),
    "want": (habits.becoming,),
    "buy": (things.buying,),
    "purchase": (things.buying,),
    "sell": (things.selling, changes.losing),
    "suffer": (things.suffering,),
    "diagnose": (things.suffering,),
    "call": (relations.naming, changes.calling_off),
    "cancel": (changes.calling_off,),
    "change": (changes.calling_off,),
    **dict.fromkeys(("steal", "destroy", "total", "wreck", "scrap", "crash", "donate", "tow"), (changes.losing,)),
    "plan": (plans.planning, trips.planned, undertakings.busying),
    "intend": (plans.planning,),
    "decide": (plans.planning, changes.calling_off),
    "volunteer": (work.volunteering,),
    "hurt": (ailments.hurting,),
    "deploy": (tools.deploying,),
    "support": (tastes.supporting,),
    "vote": (tastes.voting,),
    "weigh": (ailments.measured,),
    "ache": (ailments.hurting,),
    "see": (ailments.treated,),
    "sing": (ailments.frequenting,),
    "upgrade": (tools.changing_over,),
    "can": (doings.able_to,),
    "spend": (doings.spending, trips.spending),
    "coach": (doings.coaching,),
    "commute": (doings.commuting,),
    "bank": (services.using,),
    "use": (services.using, tools.using),
    "switch": (services.switching, tools.changing_over),
    "subscribe": (services.subscribing,),
    "unsubscribe": (services.subscribing,),
    "sign": (services.signing_up,),
    "register": (services.signing_up,),
    "freelance": (services.freelancing,),
    "code": (tools.writing,),
    "migrate": (tools.changing_over,),
    "lead": (tools.leading,),
    "manage": (tools.leading,),
    "locate": (world.located,),
    **dict.fromkeys(habits.HABITS, (habits.habit,)),
    "drink": (habits.habit, doings.drinking),
    "train": (habits.becoming,),
    **dict.fromkeys(world.MAKERS, (world.making,)),
    "write": (world.making, tools.writing, tools.working_on),
    "build": (tools.working_on, undertakings.founding),
    "make": (tools.working_on, services.earning),
    **dict.fromkeys(("design", "record", "compose", "organise", "organize", "create"), (tools.working_on,)),
    "develop": (world.making, tools.working_on),
}


def statements(text: str) -> list[Statement]:
    """Every statement of a text, in order."""
    text = restored(text)
    times = Times(find_times(text, 0))
    noted, sentences = parts(text)
    told = (sentence_statements(text, sentence, times) for sentence in sentences)
    return [*note_statements(text, noted, times), *chain.from_iterable(told)]


def parts(text: str) -> tuple[list[Note], list[Sentence]]:
    """The notes of a text, and the sentences beside them."""
    noted, sentences = notes(text), segments(text)
    return noted, [part for each in sentences for part in _beside(each, noted)] if noted else sentences


def _beside(sentence: Sentence, noted: list[Note]) -> Iterator[Sentence]:
    """A sentence without the words of notes."""
    kept = tuple(
        token for token in sentence.tokens if not any(note.span[0] <= token.start < note.span[1] for note in noted)
    )
    if len(kept) == len(sentence.tokens):
        yield sentence
    elif any(token.is_word for token in kept):
        yield sentence_of(kept)


def sentence_statements(text: str, sentence: Sentence, times: Times) -> Iterator[Statement]:
    """A sentence that is a form from end to end says that and nothing else."""
    if told := form_statements(text, sentence, times):
        yield from told
        return
    taken: set[tuple[int, int]] = set()
    for clause in clauses(text, sentence, times):
        taken |= {phrase.span for phrase in clause.phrases()}
        yield from read(clause)
    yield from presupposed(text, sentence, times, frozenset(taken), read, told_of)


def stopped(clause: Clause) -> Clause | None:
    """ "I stopped taking statins", "she gave up eating meat": what she no longer does, as a clause of its own."""
    stops = clause.verb in ("stop", "quit") or (clause.verb == "give" and clause.particle == "up")
    inner = clause.inner if clause.inner_form == "ing" else None
    if not stops or inner is None or clause.negation or clause.used_to or clause.tense not in ("past", "perfect"):
        return None
    return inner._replace(subject=clause.subject, start=clause.start, negation="ended", times=clause.times)


def read(clause: Clause) -> list[Statement]:
    """What one clause says: of its verb, and of those it introduces."""
    clause = _neither(stopped(clause) or clause)
    if is_not_quite(clause):
        return list(relations.introductions(clause))
    found = [each for frame in FRAMES.get(clause.verb, ()) for each in frame(clause)]
    if clause.verb in HABITUAL | doings.VICES and all(each.predicate == "member_of" for each in found):
        found += doings.doing_regularly(clause)
    if not found:
        found = list(doings.deed_at_all(clause))
    if not found:
        found = [
            *plans.acting_ahead(clause),
            *plans.happening(clause),
            *deeds.doing_once(clause),
            *deeds.undergoing(clause),
        ]
    if clause.subject.head == "you":  # what one tells others about themselves is mostly praise
        found = [each for each in found if each.predicate in _OF_OTHERS]
    return [*found, *relations.introductions(clause)]


def is_not_quite(clause: Clause) -> bool:
    """ "I almost bought a boat", "he nearly lost his leg": it did not happen."""
    if clause.tense not in ("past", "perfect") or clause.verb == "be":
        return False
    before = clause.text[clause.subject.end : clause.verb_span[0]].casefold().split()
    return "almost" in before or "nearly" in before


def _neither(clause: Clause) -> Clause:
    """ "I like neither tea nor coffee": what comes behind is denied."""
    behind = clause.text[clause.verb_span[1] : clause.end].casefold()
    is_denied = behind.lstrip().startswith("neither ") and not clause.negation
    return clause._replace(negation="not") if is_denied else clause


_OF_OTHERS = frozenset(
    {"name", "lives_in", "works_at", "studies_at", "born_in", "comes_from", "age", "speaks_language"}
)


__all__ = ["Statement", "Value", "read", "sentence_statements", "statements"]
