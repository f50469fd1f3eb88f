"""Auxiliaries, negation and the main verb, read word by word. Standard library only."""

from collections.abc import Sequence
from typing import NamedTuple

from kg_assets.text.clauses import Negation, Tense
from kg_assets.text.lexicon import HABITUAL, VERBS, bag
from kg_assets.text.sentences import Token

BE = {"am": "present", "'m": "present", "is": "present", "'s": "present", "are": "present", "'re": "present"}
WAS = frozenset({"was", "were"})
HAVE = frozenset({"have", "has", "'ve"})
WILL = frozenset({"will", "'ll", "shall", "gonna"})
DO = {"do": "present", "does": "present", "did": "past"}
# What would be, could be or is only wanted is not so: no statement is read after these.
MODALS = bag(
    "would 'd could should might may must can ought wanna want wants wanted need needs needed hope hopes wish try "
    "tries tried trying let gotta"
)
ADVERBS = bag(
    "also just really still currently now always actually recently finally already both absolutely totally simply "
    "even kinda definitely truly mostly usually often sometimes generally officially basically literally all only "
    "once originally presently proudly happily sadly unfortunately luckily ever probably so too very quite lately "
    "newly then almost nearly soon honestly certainly obviously gladly first initially again mainly never not n't "
    "hardly barely rarely seldom scarcely"
)
# After he's/she's/it's a participle of these is a state, not a perfect: "she's called Mia".
_STATES = frozenset(
    {"call", "name", "bear", "base", "locate", "marry", "engage", "separate", "divorce", "write", "make"}
)


class VerbGroup(NamedTuple):
    """`next` is the position after the group."""

    lemma: str
    tense: Tense
    next: int
    progressive: bool = False
    passive: bool = False
    used_to: bool = False
    negation: Negation = ""


def verb_group(tokens: Sequence[Token], position: int) -> VerbGroup | None:
    """The verb that begins here, adverbs in front allowed; None where none begins or it states nothing (a modal)."""
    position, negation = skip_adverbs(tokens, position)
    word = tokens[position].lower if position < len(tokens) else ""
    if word in BE or word in WAS:
        return _after_be(tokens, position, negation)
    if word in HAVE or word == "had":
        return _after_have(tokens, position, negation)
    if word in WILL:
        return _bare(tokens, position + 1, "future", negation)
    if word in DO:
        return _bare(tokens, position + 1, "past" if DO[word] == "past" else "present", negation)
    if word == "used" and _word(tokens, position + 1) == "to":
        group = _bare(tokens, position + 2, "past", negation)
        return group._replace(used_to=True) if group else None
    if word == "can" and _negated(tokens, position + 1) and _word(tokens, position + 2) == "stand":
        return VerbGroup("hate", "present", position + 3)
    if word == "can" and _negated(tokens, position + 1) and _word(tokens, position + 2) in ("eat", "drink"):
        return VerbGroup(_word(tokens, position + 2), "present", position + 3, negation="not")
    if word == "can" and (able := VERBS.get(_word(tokens, position + 1))) and able.lemma in ("speak", "play"):
        return VerbGroup(able.lemma, "present", position + 2, negation=negation)
    if word == "can" and (group := _able(tokens, position + 1, negation)) is not None:
        return group
    if word == "let" and _word(tokens, position + 1) in _PEOPLE and _word(tokens, position + 2) == "go":
        return VerbGroup("fire", "past", position + 1, negation=negation)
    if word in MODALS or word not in VERBS:
        return None
    verb = VERBS[word]
    if verb.lemma == "get" and (done := _undergone(tokens, position + 1)) is not None:
        return VerbGroup(
            done, "past" if verb.form == "past" else "present", position + 2, passive=True, negation=negation
        )
    if verb.form in ("ing", "participle") and word not in ("run",):
        return None
    tense: Tense = "past" if verb.form == "past" else "present"
    return VerbGroup(verb.lemma, tense, position + 1, negation=negation)


def _able(tokens: Sequence[Token], position: int, negation: Negation) -> VerbGroup | None:
    """ "I can | juggle", "I can't | swim": an ability, told by a verb of those that are practised."""
    after, more = skip_adverbs(tokens, position)
    verb = VERBS.get(_word(tokens, after))
    practised = verb is not None and verb.form == "base" and verb.lemma in HABITUAL
    return VerbGroup("can", "present", after, negation=negation or more) if practised else None


_PEOPLE = frozenset({"me", "him", "her", "us", "them"})
_BECOMING = frozenset({"married", "engaged", "used", "set"})  # which "get" makes an adjective


def _undergone(tokens: Sequence[Token], position: int) -> str | None:
    """The verb that somebody gets done to them: "got stolen", "got laid off"."""
    word = _word(tokens, position)
    verb = VERBS.get(word)
    told = verb is not None and verb.form in ("past", "participle") and word not in _BECOMING
    return verb.lemma if verb is not None and told else None


_NEGATING = frozenset({"not", "n't", "hardly", "scarcely"})


def skip_adverbs(tokens: Sequence[Token], position: int) -> tuple[int, Negation]:
    negation: Negation = ""
    while position < len(tokens):
        word = tokens[position].lower
        if word == "no" and _word(tokens, position + 1) == "longer":
            negation, position = "ended", position + 2
        elif word in ADVERBS:
            negation = "never" if word == "never" else "not" if word in _NEGATING else negation
            position += 1
        else:
            break
    return position, negation


def _after_be(tokens: Sequence[Token], position: int, before: Negation) -> VerbGroup | None:
    word = tokens[position].lower
    tense: Tense = "past" if word in WAS else "present"
    after, negation = skip_adverbs(tokens, position + 1)
    negation = negation or before
    following = _word(tokens, after)
    if following in ("going", "about") and _word(tokens, after + 1) == "to" and _is_base(tokens, after + 2):
        return _bare(tokens, after + 2, "future", negation) if tense == "present" else None
    if following == "gonna":
        return _bare(tokens, after + 1, "future", negation) if tense == "present" else None
    if word == "'s" and following in ("been", "got", "had"):
        return _after_have(tokens, position, before)
    if following == "let" and _word(tokens, after + 1) == "go":
        return VerbGroup("fire", tense, after + 2, passive=True, negation=negation)
    verb = VERBS.get(following)
    if following == "retired" and _word(tokens, after + 1) not in ("from", "by", "as", "in"):
        return VerbGroup("be", tense, after, negation=negation)  # a state, and no parting
    if verb and verb.form == "ing":
        return VerbGroup(verb.lemma, tense, after + 1, progressive=True, negation=negation)
    if verb and verb.form in ("past", "participle"):
        if word == "'s" and verb.lemma not in _STATES:
            return VerbGroup(verb.lemma, "perfect", after + 1, negation=negation)
        return VerbGroup(verb.lemma, tense, after + 1, passive=True, negation=negation)
    return VerbGroup("be", tense, after, negation=negation)


def _after_have(tokens: Sequence[Token], position: int, before: Negation) -> VerbGroup | None:
    word = tokens[position].lower
    after, negation = skip_adverbs(tokens, position + 1)
    negation = negation or before
    following = _word(tokens, after)
    if following == "to":  # what one has to do lies ahead; what one had to do is done
        return _bare(tokens, after + 1, "past" if word == "had" else "future", negation)
    tense: Tense = "past" if word == "had" else "perfect"
    if following == "been":
        after, more = skip_adverbs(tokens, after + 1)
        negation = negation or more
        verb = VERBS.get(_word(tokens, after))
        if verb and verb.form == "ing":
            return VerbGroup(verb.lemma, tense, after + 1, progressive=True, negation=negation)
        if verb and verb.form in ("past", "participle"):
            return VerbGroup(verb.lemma, tense, after + 1, passive=True, negation=negation)
        return VerbGroup("be", tense, after, negation=negation)
    if following == "got" and _is_owned(_word(tokens, after + 1)):
        return VerbGroup("have", "present", after + 1, negation=negation)
    verb = VERBS.get(following)
    if verb and verb.form in ("past", "participle"):
        return VerbGroup(verb.lemma, tense, after + 1, negation=negation)
    if word == "'s":
        return None
    return VerbGroup("have", "past" if word == "had" else "present", after, negation=negation)


def _is_owned(word: str) -> bool:
    """Whether "I've got" goes on with what is had: "I've got asthma", not "I've got better", "got married"."""
    return word in _NOUNS_FOLLOW or (word.isalpha() and word not in VERBS and word not in _HAVING_BECOME)


_HAVING_BECOME = bag(
    "to better worse sick ill old back home up out into on off in over through around there here along away rid lost "
    "stuck tired bored ready it this that them him her me us you so very really too much more enough down by at from "
    "and but because pregnant fat fit good bad angry upset drunk well even quite pretty married engaged"
)
_NOUNS_FOLLOW = frozenset({"a", "an", "two", "three", "four", "five", "no", "some", "my", "the", "asthma"})


def _bare(tokens: Sequence[Token], position: int, tense: Tense, before: Negation) -> VerbGroup | None:
    """After will, do, used to: a base form."""
    position, negation = skip_adverbs(tokens, position)
    negation, word = negation or before, _word(tokens, position)
    if word == "be":
        verb = VERBS.get(_word(tokens, position + 1))
        if verb and verb.form == "ing":
            return VerbGroup(verb.lemma, tense, position + 2, progressive=True, negation=negation)
        if verb and verb.form in ("past", "participle"):
            return VerbGroup(verb.lemma, tense, position + 2, passive=True, negation=negation)
        return VerbGroup("be", tense, position + 1, negation=negation)
    if word == "have" and _word(tokens, position + 1) == "to":
        return None
    if word in MODALS:
        return None
    verb = VERBS.get(word)
    if verb is None or verb.form not in ("base", "past"):
        return None
    return VerbGroup(verb.lemma, tense, position + 1, negation=negation)


def _is_base(tokens: Sequence[Token], position: int) -> bool:
    word = _word(tokens, position)
    return word == "be" or (word in VERBS and VERBS[word].form == "base")


def _negated(tokens: Sequence[Token], position: int) -> bool:
    return _word(tokens, position) in ("n't", "not")


def _word(tokens: Sequence[Token], position: int) -> str:
    return tokens[position].lower if position < len(tokens) else ""
