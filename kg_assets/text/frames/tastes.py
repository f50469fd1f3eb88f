"""Likes and dislikes, pastimes, music and sport."""

from collections.abc import Iterator

from kg_assets.text.clauses import Clause, Statement
from kg_assets.text.frames.stating import activity, is_own, state, usable
from kg_assets.text.lexicon import (
    HABITUAL,
    HOBBIES,
    INSTRUMENTS,
    LANGUAGES,
    PASTIMES,
    SCENERY,
    SPORTS,
    VERBS,
    among,
    bag,
)
from kg_assets.text.phrases import Phrase

_LIKING = frozenset({"like", "love", "enjoy", "adore"})
_PASSING = bag(
    "see hear know think be have get say meet talk work take make keep go try help learn find use give come do feel "
    "look spend share call stay receive escape connect break"
)


def liking(clause: Clause) -> Iterator[Statement]:
    """Lasting tastes in the present: "I love hiking", "I don't like mushrooms". What was loved once is left out."""
    if (clause.tense not in ("present", "perfect") and not clause.used_to) or clause.progressive or clause.passive:
        return
    positive = clause.verb in _LIKING
    before = clause.text[max(0, clause.start - 20) : clause.start].casefold().split()
    nobody = "none" in before or "neither" in before  # "none of my kids | like football"
    if clause.negation in ("not", "never") and not nobody:
        positive, clause = not positive, clause._replace(negation="")
        if positive:  # "I don't hate it": no taste at all
            return
    predicate = "likes" if positive else "dislikes"
    for phrase in clause.objects:
        if is_taste(clause.text, phrase):
            yield from state(clause, predicate, phrase)
    if clause.inner is not None and not clause.objects and (pastime := doing(clause.inner)):
        yield from state(clause, predicate, pastime)


def preferring(clause: Clause) -> Iterator[Statement]:
    """As in "I prefer trains to planes", "I prefer cycling": liked, and nothing said of the other."""
    if clause.tense == "present" and not clause.negation and not clause.progressive:
        for phrase in clause.objects[:1]:
            if is_taste(clause.text, phrase):
                yield from state(clause, "likes", phrase)
        if clause.inner is not None and not clause.objects and (pastime := doing(clause.inner)):
            yield from state(clause, "likes", pastime)


def is_taste(text: str, phrase: Phrase, *, at_times: bool = False) -> bool:
    """Something one can like at any time: not "your photo", "the necklace", "that idea", "my job". `at_times`: nor is
    it "I love it when …", but "I drink tea when I am tired"."""
    if not usable(phrase) or phrase.owner is not None or phrase.relation or phrase.is_cut:
        return False
    if phrase.determiner == "the":
        return phrase.is_name or phrase.lower in SCENERY
    if phrase.words[0].endswith("ing") and phrase.words[0] in VERBS and phrase.lower not in HOBBIES:
        return False  # "passionate about making a difference"
    if phrase.determiner in ("a", "an", "some", "both", "every", "each", "all", "'s"):
        return False
    following = text[phrase.end : phrase.end + 6].casefold()
    if at_times and following.startswith((" when", " if ")):
        return True
    return not following.startswith((" that ", " when", " how ", " what", " if "))


def doing(inner: Clause) -> Phrase | None:
    """A pastime in the words of the text: "hiking", "reading fantasy novels", "play chess"; "making it" is none."""
    if not inner.objects:
        return _done_somewhere(inner)
    last = inner.objects[0]
    own = last.owner is None or (is_own(last.owner) and inner.verb in HABITUAL)
    one = last.determiner in ("", "some") or (last.determiner in ("the", "a", "my", "our") and inner.verb in _WITH_ONE)
    plain = usable(last) and own and one and not last.is_cut and not last.relation
    if not plain or inner.negation or inner.inner is not None or inner.verb in _PASSING:
        return None
    return activity(inner, inner.start, last.end)


_WITH_ONE = bag("play ride drive walk watch sail fly read")
_SOMEWHERE = bag(
    "hang go listen dance walk swim sing run play work sit hike travel ride read bike climb cook shop camp lie"
)


def _done_somewhere(inner: Clause) -> Phrase | None:
    """A deed without an object: "dance", "hanging out", "listen to jazz", "go to the beach"."""
    verb = activity(inner, inner.start, inner.verb_span[1])
    if inner.negation or inner.inner is not None:
        return None
    plain = [
        phrase
        for _, group in inner.preps[:1]
        for phrase in group[:1]
        if usable(phrase)
        and not phrase.is_cut
        and phrase.lower != "fun"
        and (phrase.owner is None or is_own(phrase.owner))
    ]
    if inner.verb in _SOMEWHERE and plain and (phrase := plain[0]).start > inner.verb_span[1]:
        return activity(inner, inner.start, phrase.name_span[1] if phrase.name_span else phrase.end)
    known = verb.lower in HOBBIES or inner.verb in PASTIMES or inner.verb in _ALONE
    return verb if verb.lower in HOBBIES or (known and not inner.preps) else None


_ALONE = bag("text shop cook bake read party gamble write eat sleep")


def playing(clause: Clause) -> Iterator[Statement]:
    """Instruments, sports and games by name."""
    if clause.tense == "future" or (clause.tense == "past" and not clause.used_to):
        return
    for phrase in clause.objects:
        if usable(phrase) and (phrase.lower in INSTRUMENTS or phrase.lower in SPORTS) and not phrase.owner:
            yield from state(clause, "plays", phrase)
    for team in clause.after("for"):
        if clause.objects and team.is_name and usable(team):
            yield from state(clause, "member_of", team)


def supporting(clause: Clause) -> Iterator[Statement]:
    """As in "I support Celtic": a team by name."""
    if clause.tense in ("present", "perfect") and not clause.passive:
        for phrase in clause.objects:
            if usable(phrase) and phrase.is_name and phrase.owner is None:
                yield from state(clause, "likes", phrase)


def voting(clause: Clause) -> Iterator[Statement]:
    """As in "I vote Labour", "we voted for the Greens"."""
    if clause.tense != "future" and not clause.negation and not clause.passive:
        for phrase in (*clause.objects, *clause.after("for")):
            if usable(phrase) and phrase.is_name and phrase.owner is None:
                yield from state(clause._replace(times=()), "votes_for", phrase, aspect="holds")


def speaking(clause: Clause) -> Iterator[Statement]:
    if clause.tense in ("present", "perfect"):
        for phrase in clause.objects:
            if among(phrase.words, LANGUAGES):
                none = phrase.determiner == "no"  # "but no German"
                yield from state(clause, "speaks_language", phrase, polarity="denied" if none else None)


def taking_up(clause: Clause) -> Iterator[Statement]:
    """As in "I took up pottery", "I started climbing", "I do yoga", "I go hiking"."""
    if clause.negation in ("not", "never") or clause.tense == "future":
        return
    begun = clause.verb in ("take", "start", "begin")
    if clause.verb == "take" and clause.particle != "up":
        return
    if clause.verb in ("do", "go", "practise", "practice") and (clause.tense == "past" or clause.progressive):
        return
    for phrase in clause.objects:
        if phrase.lower in HOBBIES and phrase.determiner != "no":
            yield from state(clause, "hobby", phrase, aspect="begins" if begun and not clause.negation else None)
    if clause.inner is not None and clause.inner_form == "ing" and not clause.inner.objects:
        pastime = doing(clause.inner)
        if pastime is not None and pastime.lower in HOBBIES:
            yield from state(clause, "hobby", pastime, aspect="begins" if begun and not clause.negation else None)
