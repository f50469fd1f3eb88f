"""What people are busy with and what they undergo: struggling, reporting, recovering, inheriting, founding."""

from collections.abc import Iterator

from kg_assets.text.clauses import Clause, Statement
from kg_assets.text.frames.ailments import VALUES
from kg_assets.text.frames.stating import activity, is_own, names, speaker, state, usable
from kg_assets.text.frames.work import employers, is_trade, workplace
from kg_assets.text.lexicon import DIETS, DURABLES, SPECIES, ails, among, bag, gerund
from kg_assets.text.phrases import Phrase

_TREATMENTS = bag(
    "surgery operation replacement transplant scan biopsy procedure treatment mri x-ray implant bypass graft removal "
    "colonoscopy chemo chemotherapy"
)
_VENTURES = bag(
    "business company bakery café cafe restaurant shop store bookshop studio salon startup agency firm practice brand "
    "brewery farm boutique bar podcast blog channel newsletter charity consultancy school gallery label magazine"
)
_NO_VENTURE = bag(
    "ticket account report issue request tab file window bottle door case thread box letter email can package document "
    "investigation savings bank"
)
_IMPRECISE = bag(
    "few more it this that everything something life lot things decision question idea concept change time choice"
)
_HOMES = bag("home hospice dorm dormitory hall house flat apartment boarding")


def struggling(clause: Clause) -> Iterator[Statement]:
    """As in "My son is struggling with fractions", "she struggles with anxiety": a weakness, or an illness."""
    if clause.tense not in ("present", "perfect") or clause.negation:
        return
    for phrase in clause.after("with"):
        if not usable(phrase) or phrase.owner is not None or not _IMPRECISE.isdisjoint(phrase.words):
            continue
        if phrase.determiner in ("", "some"):
            ill = ails(phrase.words)
            yield from state(clause, "has_condition" if ill else "has_weakness", phrase)


def reporting(clause: Clause) -> Iterator[Statement]:
    """As in "I report to Annika"."""
    if clause.tense == "present" and not clause.negation and not clause.objects:
        for phrase in clause.after("to"):
            if phrase.is_name and usable(phrase) and phrase.owner is None:
                yield from state(clause, "boss", phrase)


def recovering(clause: Clause) -> Iterator[Statement]:
    """As in "I'm recovering from knee surgery": it is what still ails one."""
    if clause.tense in ("present", "perfect") and not clause.negation and clause.progressive:
        for phrase in clause.after("from")[:1]:
            ill = ails(phrase.words)
            if usable(phrase) and (ill or phrase.head in _TREATMENTS):
                yield from state(clause, "has_condition", phrase._replace(owner=None))


def awaiting(clause: Clause) -> Iterator[Statement]:
    """As in "I'm waiting for a hip replacement": a treatment to come."""
    if clause.tense not in ("present", "perfect") or not clause.progressive or clause.negation:
        return
    for phrase in clause.after("for", "on"):
        if usable(phrase) and phrase.head in _TREATMENTS:
            yield from state(clause, "plans_to", _getting(clause, phrase), aspect="happens")


def _getting(clause: Clause, phrase: Phrase) -> Phrase:
    said = activity(clause, phrase.start, phrase.end)
    return said._replace(text=f"get {said.text}", words=("get", *said.words))


def inheriting(clause: Clause) -> Iterator[Statement]:
    """As in "I inherited my aunt's cottage", "she inherited a piano": it is owned from then on."""
    if clause.tense in ("past", "perfect") and not clause.negation and not clause.passive:
        for phrase in clause.objects:
            if usable(phrase) and not phrase.relation and not _is_trait(phrase):
                yield from state(clause, "owns", phrase._replace(owner=None), aspect="begins")


def _is_trait(phrase: Phrase) -> bool:
    """What is inherited from one's parents and no thing: "her eyes", "his temper"."""
    return not (among(phrase.words, DURABLES) or phrase.determiner in ("a", "an", "'s") or phrase.owner) or bool(
        {"eyes", "nose", "hair", "temper", "smile", "looks", "stubbornness", "love", "sense"} & set(phrase.words)
    )


def founding(clause: Clause) -> Iterator[Statement]:
    """As in "I'm starting my own bakery", "she opened a salon last year", "we set up a charity": theirs."""
    if clause.negation or clause.passive or (clause.tense == "present" and not clause.progressive):
        return
    for phrase in clause.objects[:1]:
        own = phrase.owner is None or (phrase.owner.is_pronoun and phrase.owner.head == clause.subject.head)
        placed = (
            clause.verb == "open"
            and _NO_VENTURE.isdisjoint(phrase.words)
            and phrase.determiner in ("a", "an")
            and bool(names(clause, clause.after("in")))
        )
        fits = own and (phrase.head in _VENTURES or placed) and phrase.determiner != "the" and usable(phrase)
        fits = fits and bool(phrase.determiner or phrase.number)  # who "started school" founded none
        if not fits:
            continue
        if clause.tense in ("past", "perfect") and not clause.progressive:
            yield from state(clause, "owns", phrase._replace(owner=None), aspect="begins")
        elif clause.verb != "build":
            yield from state(clause, "plans_to", activity(clause, clause.verb_span[0], phrase.end), aspect="happens")


def measuring(clause: Clause) -> Iterator[Statement]:
    """As in "My blood pressure is too high", "her iron is low"."""
    subject = clause.subject
    if subject.owner is None or subject.head not in VALUES or clause.tense not in ("present", "perfect"):
        return
    said = next((each for each in clause.objects if each.head in ("high", "low", "raised")), None)
    if said is not None and not clause.negation:
        words = (said.head, *subject.words)
        found = Phrase(f"{said.head} {subject.text}", subject.start, subject.end, words)
        yield from state(clause, "has_condition", found, subject=subject.owner)


def housed_at(clause: Clause) -> Iterator[Statement]:
    """As in "My mother is in a care home in Derby": where somebody of the family lives."""
    plain = not (clause.negation or clause.objects or clause.adjective)
    if clause.tense != "present" or not plain or not clause.subject.relation:
        return
    for home in clause.after("in", "at")[:1]:
        if home.head in _HOMES and home.determiner in ("a", "an") and usable(home):
            yield from state(clause, "dwelling", home)
            inside = [each for preposition, group in clause.preps[1:] if preposition == "in" for each in group]
            for place in names(clause, inside)[:1]:
                yield from state(clause, "lives_in", place)


def employed_as(clause: Clause) -> Iterator[Statement]:
    """As in "I'm the head chef at a bistro": where one works by a common noun."""
    if clause.tense != "present" or clause.negation:
        return
    for phrase in clause.objects[:1]:
        places = clause.after("at")
        if usable(phrase) and is_trade(phrase) and not employers(clause, places):
            for place in workplace(clause, places)[:1]:
                yield from state(clause, "works_at", place)


def sharing_a_home(clause: Clause) -> Iterator[Statement]:
    """As in "My mother lives with us"."""
    if clause.tense not in ("present", "perfect") or is_own(clause.subject):
        return
    if not (clause.subject.relation or clause.subject.is_name):
        return
    for phrase in clause.after("with"):
        if phrase.is_pronoun and is_own(phrase):
            yield from state(clause, "roommate", speaker(clause))


def causing(clause: Clause) -> Iterator[Statement]:
    """As in "I had my appendix out", "she got her nose pierced": done to what is one's own."""
    done = clause.tense in ("past", "perfect") and not clause.progressive and not clause.negation
    for phrase in clause.objects[:1] if done else ():
        own = phrase.owner is not None and phrase.owner.is_pronoun and not phrase.relation
        behind = clause.text[phrase.end : phrase.end + 30].casefold().split()[:2]
        told = [word.strip(".,!?;") for word in behind]
        out = bool(told) and (told[0] in _OUT or (told[0].endswith("ed") and told[0] != "tired"))
        if own and out and usable(phrase) and not among(phrase.words, SPECIES):
            size = len(told[0]) + 1 + (len(told[1]) + 1 if told[0] in ("taken", "cut", "put") and told[1:] else 0)
            deed = activity(clause, clause.verb_span[0], phrase.end + size)
            yield from state(clause, "did", deed, aspect="happens")


def keeping(clause: Clause) -> Iterator[Statement]:
    """As in "I keep stick insects", "we grow our own vegetables", "she breeds guppies": always, and several."""
    if clause.tense != "present" or clause.progressive or clause.passive or clause.particle or clause.preps:
        return
    if not (clause.subject.relation or clause.subject.is_name or clause.subject.head in ("i", "we", "he", "she")):
        return
    for phrase in clause.objects:
        if clause.verb == "keep" and phrase.lower in DIETS and not phrase.determiner:
            yield from state(clause, "diet", phrase)  # "we keep halal"
            continue
        own = clause.verb == "grow" and phrase.owner is not None and phrase.owner.head == clause.subject.head
        plain = usable(phrase) and (own or (phrase.owner is None and phrase.determiner in ("", "some")))
        many = phrase.head.endswith(("s", "fish", "bees", "mice")) and not phrase.head.endswith("ss")
        behind = clause.text[phrase.end : phrase.end + 12].casefold().split()[:1]
        closed = not behind or not behind[0].isalpha() or behind[0] in ("and", "in", "as", "at", "for", "on")
        plain = plain and not phrase.words[0].endswith("ing")  # "I keep facing …"
        if plain and many and closed and not phrase.is_name and _NOT_KEPT.isdisjoint(phrase.words):
            verb = gerund(clause.verb)
            text = f"{verb} {phrase.text}"
            yield from state(clause, "does", Phrase(text, clause.verb_span[0], phrase.end, tuple(text.split())))


_NOT_KEPT = bag(
    "secrets promises notes records tabs receipts snacks things going eyes fingers hands appearances hours books kids "
    "children girls boys questions concerns issues funds eyebrows spirits standards expectations skills wings times "
    "thoughts memories friends friendships reminders lists moments doors"
)


def busying(clause: Clause) -> Iterator[Statement]:
    """As in "I'm applying for a post at CERN", "she's preparing for the bar exam", "we're planning a baby shower"."""
    person = clause.subject.is_name or clause.subject.relation or clause.subject.head in ("i", "we")
    if not clause.progressive or clause.tense not in ("present", "perfect") or clause.negation or not person:
        return
    if clause.inner is not None or clause.passive or (clause.verb == "train" and not clause.after("for")):
        return
    if clause.verb == "plan" and clause.text[clause.verb_span[1] :].casefold().startswith(" on "):
        return  # "we're planning on buying …"
    planned = tuple(each for each in clause.objects if each.determiner in ("a", "an") or each.is_name)
    aims = (
        planned
        if clause.verb == "plan"
        else clause.after("for", "to")
        if clause.verb == "apply"
        else clause.after("for")
    )
    for phrase in aims[:1]:
        if usable(phrase) and not phrase.relation and _IMPRECISE.isdisjoint(phrase.words):
            end = max([phrase.end, *(each.end for _, group in clause.preps for each in group[-1:] if each.is_name)])
            end = min([end, *(start for start, _ in clause.times if start > phrase.start)])
            deed = activity(clause, clause.verb_span[0], max(end, phrase.end))
            made = state(clause, "plans_to", deed._replace(text=deed.text.strip()), aspect="happens")
            yield from (each._replace(forward=True) for each in made)


def moving_in(clause: Clause) -> Iterator[Statement]:
    """As in "I moved in with my girlfriend"."""
    behind = clause.text[clause.verb_span[1] : clause.verb_span[1] + 4].casefold()
    if clause.tense in ("past", "perfect") and not clause.negation and (clause.particle == "in" or behind == " in "):
        for phrase in clause.after("with"):
            if usable(phrase) and (phrase.relation or phrase.is_name):
                yield from state(clause, "roommate", phrase, aspect="begins")


def dieting(clause: Clause) -> Iterator[Statement]:
    """As in "I'm on keto", "she's on a low-carb diet"."""
    if clause.tense == "present" and not clause.objects and not clause.adjective:
        for phrase in clause.after("on"):
            diet = phrase.head == "diet" and len(phrase.words) > 1 and phrase.determiner in ("a", "an")
            if usable(phrase) and (phrase.lower in DIETS or diet):
                yield from state(clause, "diet", phrase)


_OUT = bag("out off done taken cut put redone rebuilt replaced removed stolen pierced")
