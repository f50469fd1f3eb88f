"""What one likes, hates or is good at doing, in the words of the text."""

from kg_assets.text.clauses import Clause
from kg_assets.text.frames.stating import activity, is_own, usable
from kg_assets.text.lexicon import HABITUAL, HOBBIES, PASTIMES, SCENERY, VERBS, bag
from kg_assets.text.phrases import DETERMINERS, PRONOUNS, Phrase

_PASSING = bag(
    "see hear know think be have get say meet talk make keep try help learn find use give come do feel "
    "look share call stay receive escape connect break want need seem let put bring show tell ask mean point add "
    "hope wish guess imagine believe understand remember forget mention wait welcome join offer start begin end stop"
)
_WITH_OBJECT = bag(  # what passes by itself lasts with what it is done to: "make clothes", "learn languages"
    "meet make learn help share see spend take work collect do give try use show find"
)
_FOR_GOOD = _PASSING - _WITH_OBJECT
_WITH_ONE = bag("play ride drive walk watch sail fly read")
_SOMEWHERE = bag(
    "hang go listen dance walk swim sing run play work sit hike travel ride read bike climb cook shop camp lie drive "
    "fish hunt live eat drink sleep relax chill care look shop jog joke"
)
_ALONE = bag(
    "text shop cook bake read party gamble write eat sleep drink work drive act clean relax snack gossip flirt tan "
    "diet study joke procrastinate cuddle nap argue whistle smoke think work socialise socialize explore entertain "
    "compete decorate organise organize perform code program rollerblade canoe raft surf snowshoe whittle game"
)
_TAKEN = bag(
    "walk walks hike hikes picture pictures photo photos nap naps bath baths drive drives trips vacations ride rides"
)
_PLACED = bag("go hang sit lie live look care play watch")  # these say nothing without a place
_PARTICLES = bag("out up around outside outdoors alone abroad online late barefoot fast inside indoors early over")
_NO_THING = bag("difference sense fun lot mistake mistakes money things thing something anything everything time one")
_GOES_ON = bag("to from into with at for of about that through onto off against")
_GOING = bag("go keep start begin continue")


def doing(inner: Clause) -> Phrase | None:
    """A pastime in the words of the text: "hiking", "reading fantasy novels", "play chess"; "making it" is none."""
    deeper = inner.inner
    if deeper is not None:
        gone = inner.verb in _GOING and inner.inner_form == "ing" and not inner.objects and not inner.negation
        return doing(deeper) if gone else None
    if not inner.objects:
        return _done_somewhere(inner)
    last = inner.objects[0]
    own = last.owner is None or is_own(last.owner)
    if inner.verb == "take" and own and last.owner is not None:  # "taking my dogs | for walks"
        outing = next((each for each in inner.after("for", "on") if each.head in _TAKEN), None)
        return activity(inner, inner.start, outing.end) if outing is not None else None
    single = inner.verb in _WITH_ONE or (last.determiner == "the" and last.lower in SCENERY)
    one = last.determiner in ("", "some") or (last.determiner in ("the", "a", "my", "our") and single)
    one = one or (last.determiner in ("my", "our") and inner.verb in HABITUAL | _CARING | {"make"})
    plain = usable(last) and own and one and not last.is_cut and not last.relation
    blocked = inner.negation or inner.verb in _FOR_GOOD or inner.second is not None
    if not plain or blocked or not _NO_THING.isdisjoint(last.words):
        return None
    if inner.verb == "take" and last.head in _TAKEN and not last.owner:
        return activity(inner, inner.start, last.end)
    made = own and inner.verb == "make" and last.determiner in ("my", "our")
    if inner.verb in _WITH_OBJECT and ((last.determiner and not made) or inner.verb in ("take", "give", "use", "try")):
        return None
    return activity(inner, inner.start, last.end)


_CARING = bag("walk feed ride drive cook paint watch wear grow train groom")


def _done_somewhere(inner: Clause) -> Phrase | None:
    """A deed without an object: "dance", "hanging out", "listen to jazz", "go to the beach"."""
    if inner.negation:
        return None
    end = _with_particles(inner.text, inner.verb_span[1])
    verb = activity(inner, inner.start, end)
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
    parted = end > inner.verb_span[1] and inner.verb not in _FOR_GOOD
    word = inner.text[slice(*inner.verb_span)].casefold()
    known = verb.lower in HOBBIES or word in HOBBIES or inner.verb in PASTIMES or inner.verb in _ALONE or parted
    following = inner.text[end : end + 12].casefold().split()[:1]
    much = inner.text[end : end + 7].casefold() == " a lot"
    if following and not much and inner.text[end : end + 1] == " " and following[0] in PRONOUNS | DETERMINERS:
        return None  # "watching | them play"
    if following and inner.text[end : end + 1] == " " and following[0] in _GOES_ON and not inner.preps:
        return None  # "escaping | to that world": what follows was not understood
    told = inner.verb in VERBS or (word.endswith("ing") and word not in PRONOUNS)
    lone = told and inner.verb not in _PASSING | _PLACED and not inner.preps
    return verb if known or lone else None


def _with_particles(text: str, end: int) -> int:
    """Where a verb ends with the small words behind it: "work out", "go out", "stay up late"."""
    while True:
        following = text[end : end + 12].casefold().split(maxsplit=1)[:1]
        if text[end : end + 1] != " " or not following or following[0].strip(",.!") not in _PARTICLES:
            return end
        end += 1 + len(following[0].strip(",.!"))
