"""What people do: pastimes, trades told once ("I fix cars"), vices, what they can and cannot do."""

from collections.abc import Iterator

from kg_assets.text.clauses import Aspect, Clause, Statement
from kg_assets.text.frames.pastimes import doing
from kg_assets.text.frames.stating import is_own, state, usable
from kg_assets.text.lexicon import DOINGS, HABITUAL, PASTIMES, VERBS, bag, gerund
from kg_assets.text.phrases import Phrase

VICES = bag("smoke vape gamble snore")
_PURPOSES = bag("so that if what how until where when which hopefully wish hope than once")


def is_of_a_life(clause: Clause) -> bool:
    """Whether somebody is its subject: the speaker, a name, a relation."""
    subject = clause.subject
    person = subject.is_pronoun and subject.head in ("i", "we", "he", "she")
    return person or subject.is_name or bool(subject.relation)


def lasting(clause: Clause) -> bool:
    """Told of all times and not of this moment: "I knit", "I've been knitting for years", "I used to knit"."""
    if clause.passive or clause.particle or _runs_on(clause):
        return False
    if clause.used_to or clause.negation == "ended":
        return True
    if clause.tense == "perfect":
        return clause.progressive
    if clause.tense != "present" or clause.times:
        return False
    return is_always(clause) if clause.progressive else _agrees(clause)


def is_always(clause: Clause) -> bool:
    """ "I am always doodling": a habit, though it is told as going on."""
    return clause.progressive and not _ALWAYS.isdisjoint(clause.text[clause.start : clause.verb_span[0]].split())


_ALWAYS = bag("always constantly usually forever")


def _agrees(clause: Clause) -> bool:
    """Whether the verb has the form that its subject asks for: no verb is read in "contemporary dance"."""
    word = clause.text[slice(*clause.verb_span)].casefold()
    form = VERBS[word].form if word in VERBS else ""
    many = clause.subject.is_pronoun and clause.subject.head in ("i", "we")
    return bool(clause.negation) or (form == "base") is many or form == ""


def _runs_on(clause: Clause) -> bool:
    """ "I run out of things", "I draw on it": a verb with a particle is another verb."""
    following = clause.text[clause.verb_span[1] :].casefold().split()[:1]
    return following in (["out"], ["into"], ["up"], ["away"], ["off"], ["over"])


def doing_regularly(clause: Clause) -> Iterator[Statement]:
    """As in "I knit", "I fix cars", "my wife paints", "I've been climbing for years", "I smoked for ten years"."""
    if not is_of_a_life(clause) or clause.inner is not None or clause.second is not None:
        return
    spent = clause.tense == "past" and any(
        clause.text[start : start + 4].casefold() == "for " for start, _ in clause.times
    )
    if not (lasting(clause) or (spent and not clause.objects and clause.verb in VICES | PASTIMES)):
        return
    aspect: Aspect | None = "held" if spent else None
    deed = plain_deed(clause)
    if deed is None:
        return
    if clause.verb in PASTIMES and not (clause.negation and clause.objects):
        yield from state(clause, "hobby", deed, aspect=aspect)
    elif clause.verb in DOINGS | VICES:
        yield from state(clause, "does", deed, aspect=aspect)


_DULL = bag(
    "be have think feel say tell see know want hear look talk chat need like love hope seem sound become keep let use "
    "try ask remember forget mention happen realise realize notice wonder believe mean find come meet get give hate "
    "enjoy prefer agree guess wish appreciate thank promise understand admit suggest recommend expect plan bet swear "
    "suppose imagine consider figure recall picture decide intend start begin stop finish end continue stay leave "
    "lose own live reside last matter depend deserve owe miss care mind doubt fear regret welcome wait help show send "
    "bring put set lay turn move change break fall die win join call pass sell buy dare face hold stand sit mistrust "
    "distrust envy pity resent detest tolerate endure suspect crave require lack deem heart dig rock found read pay "
    "reckon assume support share hit follow add include involve contain belong cost weigh resemble admire respect "
    "value trust cherish treasure dislike adore despise loathe invite offer offend surprise excite make do take go "
    "spend"
)
_LIGHT = {  # light verbs whose object says what is done
    "do": bag(
        "karate judo yoga pilates zumba ballet crossfit gymnastics aerobics origami magic programming gardening "
        "carpentry woodworking volunteering theatre theater stand-up comedy tutorials makeup hair nails crafts puzzles "
        "crosswords reenactments marathons triathlons math art photography research farming construction security"
    ),
    "take": bag(
        "walk walks hike hikes pictures photos photographs naps nap lessons classes courses baths showers drives"
    ),
    "go": bag(
        "church mass gym beach mall library park movies cinema bars clubs concerts parties theatre theater museums"
    ),
    "make": bag(
        "videos clothes jewelry jewellery crafts furniture music films movies art pottery candles soap quilts toys "
        "models cakes bread pizza pasta beer wine cheese jam cookies dresses games beats sculptures paintings"
    ),
}
_SPARE = bag("time days day evenings weekends weekend nights mornings hours money life summers")


def deed_at_all(clause: Clause) -> Iterator[Statement]:
    """Whatever else is told of all times: "I recycle glass", "I walk in the forest", "we host exchange students"."""
    if not is_somebody(clause.subject) or not lasting(clause) or clause.tense == "perfect" or clause.negation:
        return
    if clause.inner is not None or clause.second is not None or clause.verb not in VERBS:
        return
    if clause.verb in _DULL and clause.verb not in _LIGHT:
        return
    said = [*clause.objects, *(each for _, group in clause.preps[:1] for each in group)]
    placed = not clause.objects and any(each.is_name for each in said)  # "I bank with Revolut" is no pastime
    if placed or not said or said[0].start < clause.verb_span[1] or any(not _is_done_to(each) for each in said):
        return
    if clause.verb in _LIGHT and said[0].head not in _LIGHT[clause.verb]:
        return
    between = clause.text[clause.verb_span[1] : said[0].start].casefold().split()
    if len(between) <= 3 and _NO_DEED.isdisjoint(between):
        last = said[-1] if clause.objects == () else clause.objects[-1]
        yield from state(clause, "does", named(clause, last.end))


def is_somebody(subject: Phrase) -> bool:
    """The speaker, one who is meant by "he" or "she", or somebody related."""
    return (subject.is_pronoun and subject.head in ("i", "we", "he", "she")) or bool(subject.relation)


def _is_done_to(phrase: Phrase) -> bool:
    if phrase.determiner in ("any", "no", "another", "each") or not phrase.words[0][0].isalpha():
        return False
    own = phrase.owner is None or (phrase.owner.is_pronoun and phrase.owner.head in ("i", "we"))
    named = not phrase.is_pronoun and usable(phrase._replace(determiner="")) and not phrase.relation
    return own and named and _NO_DEED.isdisjoint(phrase.words) and phrase.determiner not in ("this", "that", "these")


def spending(clause: Clause) -> Iterator[Statement]:
    """As in "I spend my weekends gardening", "I spend hours reading comics"."""
    if clause.tense == "present" and not (clause.negation or clause.times or clause.progressive):
        for phrase in clause.objects[:1]:
            if phrase.head.endswith("ing") and (behind := _behind_time(clause, phrase)) is not None:
                yield from state(clause, "does", behind)  # "my spare time | singing", which looks like one phrase
    inner = clause.inner if clause.inner_form == "ing" else None
    spare = any(each.head in _SPARE for each in clause.objects)
    if inner is None or not spare or clause.negation or clause.progressive or not is_of_a_life(clause):
        return
    if clause.tense == "present" and not clause.times and (deed := doing(inner)) is not None:
        yield from state(clause, "does", deed)


def _behind_time(clause: Clause, phrase: Phrase) -> Phrase | None:
    for place, word in enumerate(phrase.words[:-1]):
        if word in _SPARE:
            start = phrase.start + len(" ".join(phrase.words[: place + 1])) + 1
            text = clause.text[start : phrase.end]
            return Phrase(text, start, phrase.end, phrase.words[place + 1 :])
    return None


def plain_deed(clause: Clause) -> Phrase | None:
    """The verb, with what it is done to where that is no single thing: "fix cars", "knit", "bake bread"."""
    if not clause.objects:
        alone = clause.verb in PASTIMES or clause.verb in VICES
        return named(clause, clause.verb_span[1]) if alone else None
    last = clause.objects[-1]
    for each in clause.objects:
        plain = (
            usable(each) and each.owner is None and not each.is_name and each.determiner in ("", "some", "my", "the")
        )
        if not plain or each.determiner == "the" or each.is_cut or not _NO_DEED.isdisjoint(each.words):
            return None
    between = clause.text[clause.verb_span[1] : clause.objects[0].start].casefold().split()
    if len(between) > 2 or not _NO_DEED.isdisjoint(between):
        return None
    return named(clause, last.end)


def named(clause: Clause, end: int) -> Phrase:
    """A deed under one name whatever its tense: "fixing cars", of "I fix cars" and "he fixed cars"."""
    start, verb_end = clause.verb_span
    text = gerund(clause.verb) + clause.text[verb_end:end]
    return Phrase(text, start, end, tuple(text.casefold().split()))


_NO_DEED = bag(
    "lot lots much more anything everything one ones time times day days way self sense fun work job sure enough "
    "better farther further faster well progress connections connection money decision decisions choice choices room "
    "memories difference plans friends effort efforts mistakes mistake use sorts kinds improvements adjustments "
    "contact changes awareness moves funds questions things stuff something care a an hard harder fine great good "
    "own usual role part moment night nights home future past morning evening purpose it them nothing anyone everyone "
    "someone people us three two four five six others"
)


def drinking(clause: Clause) -> Iterator[Statement]:
    """ "I don't drink", "I hardly drink": alcohol."""
    if clause.objects or not lasting(clause) or not is_of_a_life(clause) or clause.preps or clause.inner is not None:
        return
    before = clause.text[clause.start : clause.verb_span[0]].casefold().split()
    if "hardly" in before or "rarely" in before or "barely" in before:
        clause = clause._replace(negation="not")
    start, end = clause.verb_span
    yield from state(clause, "drinks", Phrase("alcohol", start, end, ("alcohol",)))


def able_to(clause: Clause) -> Iterator[Statement]:
    """As in "I can swim", "I can't drive", "she can play the harp": not what one may do today."""
    inner = clause.inner
    if inner is None or clause.times or not is_of_a_life(clause) or inner.verb not in HABITUAL or _is_purpose(clause):
        return
    if any(phrase.is_pronoun for _, group in inner.preps for phrase in group):
        return
    if inner.objects:
        first = inner.objects[0]
        plain = usable(first) and first.owner is None and first.determiner in ("", "the", "a")
        plain = plain and _NO_DEED.isdisjoint(first.words)
        if not plain or (first.determiner and inner.verb not in ("play", "ride", "drive", "fly", "sail")):
            return
        if not clause.text[first.end : first.end + 5].casefold().startswith(" for "):
            yield from state(clause, "has_ability", named(inner, first.end))
    elif inner.verb in PASTIMES or inner.verb in ("drive", "swim", "whistle", "cook"):
        yield from state(clause, "has_ability", named(inner, inner.verb_span[1]))


def _is_purpose(clause: Clause) -> bool:
    """ "… so I can write", "what I can do": no ability is told."""
    before = clause.text[max(0, clause.start - 12) : clause.start].casefold().replace(",", " ").split()[-1:]
    return not _PURPOSES.isdisjoint(before)


def coaching(clause: Clause) -> Iterator[Statement]:
    """As in "I coach under-nines football", "I coach my daughter's football team"."""
    if clause.tense in ("present", "perfect") or clause.used_to:
        for phrase in clause.objects:
            if usable(phrase) and not phrase.relation:
                yield from state(clause, "coaches", phrase)


def commuting(clause: Clause) -> Iterator[Statement]:
    """As in "I commute by train", "I commute to Leeds", "I bike to work"."""
    if clause.tense not in ("present",) or clause.progressive or not is_own(clause.subject):
        return
    for phrase in (*clause.after("by"), *clause.after("to", "into"), *clause.after("from")):
        if usable(phrase) and phrase.owner is None and phrase.head not in ("work", "office"):
            yield from state(clause, "commutes", phrase)
