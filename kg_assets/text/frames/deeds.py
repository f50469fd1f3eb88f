"""What happened once, with no date given: "my sister broke her wrist", "I failed my driving test".

Most of what people did once is not worth keeping. What is kept is told by its object: something of one's own ("her
wrist", "my thesis"), a first time ("my first half marathon"), or one thing that a verb of making, winning, losing or
breaking changes for good ("donated a kidney").
"""

from collections.abc import Iterator

from kg_assets.text.clauses import Clause, Statement
from kg_assets.text.frames.plans import deed_of
from kg_assets.text.frames.stating import INNER, state, usable
from kg_assets.text.lexicon import ails, bag
from kg_assets.text.phrases import Phrase

_ROUTINE = bag(
    "be have do get go come take make give put keep bring let tell say ask see hear watch look show share send feel "
    "think know want need like love hate enjoy hope mean seem find meet call text use try spend play eat drink cook "
    "read wear wash brush check open close hold catch turn set follow leave start stop change help support remember "
    "forget express appreciate understand believe realise realize notice imagine mention explain talk speak learn "
    "teach visit work live sit stand sleep raise lift lower touch inspire encourage reach face push pull move grow "
    "improve add mind miss walk carry hug kiss thank welcome capture nail rock exceed pour charge boost clear name "
    "pick create plan sign found delete update upgrade print type choose ride"
)
_FOR_GOOD = bag(
    "win fail finish complete publish donate inherit build rebuild renovate restore repaint record launch defend "
    "submit break fracture sprain tear dislocate crash wreck smash total climb summit cross qualify install sew "
    "knit plant bury deliver undergo survive receive earn organise organize host"
)
_NOT_QUITE = bag("almost nearly practically virtually basically never hardly barely")
_OF_THE_MIND = bag(
    "mind way time best heart eyes breath head attention energy thoughts feelings emotions passion love voice life "
    "day mood spirit spirits share part role hopes faith trust temper patience perspective horizons story stories "
    "confidence skills style look cool job work thanks word promise promises fair money bit calling groove peace "
    "name turn nerve nerves bearings sense senses strength courage bed teeth face hands lips place clothes lunch "
    "breakfast dinner experience experiences knowledge advice opinion view views support purpose true self train "
    "thread track coffee tea drink drinks beer meal food keys file files code script build drivers browser settings "
    "email emails inbox message messages password page pages chapter homework task tasks chores laundry room dishes "
    "bag shoes argument bet round battle shift salt sentence question point"
)
_GOT = bag(
    "licence license degree diploma visa passport certificate citizenship tattoo braces phd doctorate scholarship"
)
_ORDINALS = bag("first second third fourth fifth 1st 2nd 3rd")


def doing_once(clause: Clause) -> Iterator[Statement]:
    """A deed of somebody's that no other frame reads, and that has no date."""
    if clause.tense not in ("past", "perfect") or clause.negation or clause.used_to or clause.progressive:
        return
    if clause.passive or clause.times or clause.inner is not None or not clause.objects or not _is_somebody(clause):
        return
    before = clause.text[clause.start : clause.verb_span[0]].casefold().split()
    behind = clause.text[clause.objects[0].end :].casefold().split()[:1]
    if not INNER.isdisjoint(behind):  # "I bought my dog | a new bed"
        return
    if not _NOT_QUITE.isdisjoint(before) or not _is_worth(clause, clause.objects[0]):
        return
    if deed := deed_of(clause):
        yield from state(clause, "did", deed, aspect="happens")


def undergoing(clause: Clause) -> Iterator[Statement]:
    """As in "I got robbed on holiday", "my dad got knighted": what is done to somebody."""
    start = clause.verb_span[0]
    before = clause.text[max(0, start - 4) : start].casefold()
    done = clause.passive and clause.tense == "past" and not clause.negation and not clause.objects
    behind = clause.text[clause.verb_span[1] :].casefold().replace(".", " ").replace("!", " ").split()[:1]
    done = done and behind not in (["over"], ["up"], ["through"], ["out"], ["into"], ["away"], ["in"])
    if before == "got " and done and _is_somebody(clause) and clause.verb not in _NOT_UNDERGONE:
        words = clause.text[start - 4 : clause.verb_span[1]]
        deed = Phrase(words, start - 4, clause.verb_span[1], tuple(words.casefold().split()))
        yield from state(clause, "did", deed, aspect="happens")


_NOT_UNDERGONE = bag(
    "bore tire lose stick excite scare annoy confuse interest involve start use do marry engage divorce leave catch "
    "tell ask dress drink carry hook inspire motivate distract upset frustrate worry stress overwhelm burn fee set "
    "finish hit let fire lay sack hire promote accept log lock notice"
)


def _is_somebody(clause: Clause) -> bool:
    subject = clause.subject
    person = subject.is_pronoun and subject.head in ("i", "we", "he", "she")
    return person or subject.is_name or bool(subject.relation)


def _is_worth(clause: Clause, phrase: Phrase) -> bool:
    if not usable(phrase) or phrase.relation or not _OF_THE_MIND.isdisjoint(phrase.words):
        return False
    between = clause.text[clause.verb_span[1] : phrase.start].casefold().split()
    if len(between) > 4:
        return False
    if clause.verb == "get":
        return phrase.head in _GOT and (phrase.determiner in ("a", "an") or _is_own(clause.subject, phrase))
    if clause.verb in ("beat", "survive", "overcome"):
        return bool(ails(phrase.words)) or bool(phrase.determiner and clause.verb == "survive")
    if clause.verb == "pay":
        return "off" in (clause.particle, *between) and bool(phrase.determiner)
    if clause.verb == "fail" and not phrase.determiner:
        return phrase.lower.isalpha() and not phrase.lower.endswith("ly")
    if clause.verb in _FOR_GOOD:
        return phrase.determiner not in ("any", "all", "every", "some") and (
            bool(phrase.determiner) or phrase.number > 0
        )
    if clause.verb in _ROUTINE or "few" in between:
        return False
    named = clause.subject.head not in ("he", "she")  # whom a pronoun means may be guessed wrongly
    single = (phrase.is_name and phrase.owner is None) or phrase.number > 1
    return _is_own(clause.subject, phrase) or not _ORDINALS.isdisjoint(between) or (single and named)


def _is_own(subject: Phrase, phrase: Phrase) -> bool:
    """Whether a thing is of the one who did it: "I … my", "she … her"."""
    owner = phrase.owner
    if owner is None or not owner.is_pronoun:
        return False
    own = ("i", "we") if subject.head in ("i", "we") else ("he", "she", "they")
    return owner.head in own
