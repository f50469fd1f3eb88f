"""Likes and dislikes, pastimes, music and sport."""

from collections.abc import Iterator

from kg_assets.text.clauses import Clause, Statement
from kg_assets.text.frames.pastimes import doing
from kg_assets.text.frames.stating import activity, is_own, state, usable
from kg_assets.text.frames.work import working
from kg_assets.text.lexicon import HOBBIES, INSTRUMENTS, LANGUAGES, SCENERY, SPORTS, VERBS, among, bag
from kg_assets.text.phrases import PRONOUNS, Phrase

_LIKING = frozenset({"like", "love", "enjoy", "adore"})


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
        if is_taste(clause.text, phrase) or is_dear(clause, phrase):
            yield from state(clause, predicate, with_its_whole(clause, phrase))
    if clause.inner is not None and not clause.objects and (pastime := doing(clause.inner)):
        yield from state(clause, predicate, pastime)
    if (
        clause.inner is not None and clause.inner_form == "ing" and clause.inner.verb == "work"
    ):  # "I enjoy | working at …"
        yield from working(clause.inner._replace(subject=clause.subject, negation=""))


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
    gerund = phrase.words[0].endswith("ing") and phrase.words[0] in VERBS and phrase.lower not in HOBBIES
    plural = phrase.head.endswith("s") and phrase.head not in VERBS and phrase.head not in PRONOUNS
    if gerund and not (len(phrase.words) == 2 and plural):
        return False  # "passionate about making a difference", but "cooking shows"
    if phrase.determiner in ("a", "an", "some", "both", "every", "each", "all", "'s"):
        return False
    following = text[phrase.end : phrase.end + 6].casefold()
    if at_times and following.startswith((" when", " if ")):
        return True
    return not following.startswith((" that ", " when", " how ", " what", " if "))


_WORKS = bag("show shows movie movies film films series book books channel game games band song songs comics magazine")
_KINDS = bag("color colour band game book movie film show series singer group song rapper artist")
_FINE = (" good ", " nice ", " great ", " cold ", " hot ", " fresh ", " decent ")


def is_dear(clause: Clause, phrase: Phrase) -> bool:
    """What is liked for good, though it is one of its kind: "my job", "the smell of leather", "a good book", "all
    animals", "the tom and jerry show"."""
    if phrase.is_pronoun or phrase.is_cut or phrase.head in _NOT_DEAR or not usable(phrase._replace(determiner="")):
        return False
    following = clause.text[phrase.end : phrase.end + 6].casefold()
    if following.startswith((" that ", " when", " how ", " what", " if ", "'s ", "’s ")):
        return False
    if phrase.owner is not None:
        return is_own(phrase.owner) and is_own(clause.subject)
    before = clause.text[max(clause.verb_span[1], phrase.start - 12) : phrase.start].casefold()
    if phrase.determiner == "all":
        return phrase.head.endswith("s") and before.endswith(("all ", "all kinds of ", "all types of "))
    if phrase.determiner in ("a", "an"):
        return before.endswith(_FINE) and not clause.negation
    if phrase.determiner != "the":
        return False
    if following.startswith(" of "):
        return phrase.head in _SENSES and with_its_whole(clause, phrase) is not phrase
    return len(phrase.words) > 1 and (phrase.head in _WORKS | {"color", "colour"} or phrase.words[0] in _KINDS)


def with_its_whole(clause: Clause, phrase: Phrase) -> Phrase:
    """ "The smell | of leather", "works | of art"."""
    of = next((each for each in clause.after("of") if each.start - phrase.end <= len(" of the ")), None)
    bare = phrase.determiner == "" and phrase.owner is None and phrase.is_name is False
    if of is None or not (bare or phrase.head in _SENSES) or of.is_pronoun or not usable(of) or of.start < phrase.end:
        return phrase
    text = clause.text[phrase.start : of.end]
    return phrase._replace(text=text, end=of.end, words=tuple(text.casefold().split()))


_SENSES = bag("smell sound taste feel feeling sight look idea concept thought sounds smells color colour")
_NOT_DEAR = bag("part one ones fact way thing things moment moments comment point joke answer question")


def playing(clause: Clause) -> Iterator[Statement]:
    """Instruments, sports and games by name."""
    if clause.tense == "future" or (clause.tense == "past" and not clause.used_to):
        return
    for phrase in clause.objects:
        known = phrase.lower in INSTRUMENTS or phrase.lower in SPORTS or _is_instrument(clause, phrase)
        if usable(phrase) and known and not phrase.owner:
            yield from state(clause, "plays", phrase)
    for team in clause.after("for"):
        if clause.objects and team.is_name and usable(team):
            yield from state(clause, "member_of", team)


def _is_instrument(clause: Clause, phrase: Phrase) -> bool:
    """ "I play the hurdy-gurdy": what is played with "the", always, and by nobody in a play."""
    plain = phrase.determiner == "the" and len(phrase.words) <= 2 and not phrase.is_name and not phrase.number
    always = clause.tense == "present" and not clause.progressive and not clause.times and not clause.after("of")
    return plain and always and _NO_INSTRUMENT.isdisjoint(phrase.words)


_NO_INSTRUMENT = bag(
    "part role game games lottery lotto market field fool victim hero villain odds card cards song songs album "
    "track video system numbers music long waiting blame clown second first third last character role-play tape "
    "record stock level levels keys note notes stocks same title lead devil ball piece slots ponies"
)


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
            tongue = phrase.is_name and phrase.determiner in ("", "some", "no", "a") and len(phrase.words) == 1
            if among(phrase.words, LANGUAGES) or (tongue and phrase.owner is None and not clause.preps):
                none = phrase.determiner == "no"  # "but no German"
                yield from state(clause, "speaks_language", phrase, polarity="denied" if none else None)


def _is_pastime(phrase: Phrase) -> bool:
    """What is taken up for its own sake: not room, nor arms."""
    return usable(phrase) and not phrase.is_name and _NO_PASTIME.isdisjoint(phrase.words)


_NO_PASTIME = bag(
    "space room time residence arms arm office smoking drinking position positions slack most much half too energy "
    "memory storage sides issue mantle offer challenge matters work employment lodgings quarters"
)


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
        taken = clause.verb == "take" and not phrase.determiner and len(phrase.words) <= 2 and phrase.owner is None
        if (phrase.lower in HOBBIES or (taken and _is_pastime(phrase))) and phrase.determiner != "no":
            yield from state(clause, "hobby", phrase, aspect="begins" if begun and not clause.negation else None)
    if clause.inner is not None and clause.inner_form == "ing" and not clause.inner.objects:
        pastime = doing(clause.inner)
        word = activity(clause.inner, *clause.inner.verb_span)
        if (pastime is not None and pastime.lower in HOBBIES) or (clause.verb == "go" and word.lower in HOBBIES):
            named = pastime if pastime is not None and pastime.lower in HOBBIES else word
            yield from state(clause, "hobby", named, aspect="begins" if begun and not clause.negation else None)
        elif pastime is not None and clause.verb == "go" and not clause.times and clause.tense == "present":
            yield from state(clause, "does", pastime)
