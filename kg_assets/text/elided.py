"""What is left unsaid: the speaker of a fragment ("vegan since 2020", "just moved to Graz", "learning Welsh"), and the
subject that a second verb shares with the first ("I live in Graz and work at IKEA"). Standard library only."""

from kg_assets.text.chunks import PREPOSITIONS, Chunks
from kg_assets.text.clauses import Clause
from kg_assets.text.lexicon import CONDITION_ADJECTIVES, DIETS, MARITAL, OCCUPATIONS, PLURAL_SPECIES, VERBS, among, bag
from kg_assets.text.verb_groups import BE, HAVE, MODALS, WAS, VerbGroup, verb_group

_OPENING = bag(
    "just also finally recently actually currently still now already so well ok okay hey hi yeah btw lol fyi and but "
    "oh officially newly please"
)
_STATES = (
    DIETS | CONDITION_ADJECTIVES | MARITAL | bag("allergic pregnant retired obsessed fluent based unemployed sober")
)
_GOING_ON = bag("use live work study learn train move volunteer start teach")
_TASTES = bag("love hate adore prefer dislike")
_LIKING = ("like", "love", "hate", "enjoy")
_CLOSING = bag("since btw lol haha and but now here too for by with after at in to from myself though tho because")
_NOUNS = frozenset({"fan", *(each.rpartition(" ")[2] for each in OCCUPATIONS)})  # the last words of fragments
_TOLD = bag("he she they it you your this that these those the")
_SHARING = bag("i we he she they")
_COUNTING = bag(
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty thirty"
)
_LONGEST = 16  # words of a fragment
_DESCRIBING = bag(
    "based born located married engaged divorced retired named called founded built made known written set"
)
_SHARED_WORDS = frozenset({"from", "into", "based"})


def fragment(chunks: Chunks, position: int) -> VerbGroup | None:
    """The verb of a sentence whose speaker is not said; `next` is where its complements begin."""
    if position > 0 and chunks.lower(position - 1) != "please":
        return None
    while position < len(chunks.tokens) - 1 and chunks.lower(position) in _OPENING:
        position += 1
    word, after = chunks.lower(position), chunks.lower(position + 1)
    verb = VERBS.get(word)
    if (word, after) == ("call", "me"):
        return verb_group(chunks.tokens, position)
    if verb is not None and verb.form == "past" and _is_told(chunks, position):
        described = word in _DESCRIBING and _has_subject(chunks, position + 1)  # "Based in London, the company grew"
        return None if described else verb_group(chunks.tokens, position)
    telling = any(token.lower in _NOUNS for token in chunks.tokens[position : position + 5])
    if telling and (_is_trade(chunks, position) or _is_fan(chunks, position)):
        return VerbGroup("be", "present", position)
    if len(chunks.tokens) > _LONGEST or _has_subject(chunks, position + 1):
        return None
    if word in ("can", "do") and after == "n't":
        group = verb_group(chunks.tokens, position)
        return group if group is not None and group.lemma in ("eat", "drink", "hate") else None
    if verb is not None and verb.form == "base" and after not in _TOLD:
        if verb.lemma in _TASTES and chunks.is_word(position + 1) and after not in ("to", "how", "when", "my"):
            return VerbGroup(verb.lemma, "present", position + 1)
        return VerbGroup("start", "present", position + 1) if (word, after) == ("start", "at") else None
    if verb is not None and verb.form == "ing" and verb.lemma in _GOING_ON and after not in ("on", "out", "with"):
        return VerbGroup(verb.lemma, "present", position + 1, progressive=True)
    if (word, after) == ("never", "been") and chunks.lower(position + 2) in ("to", "in"):
        return VerbGroup("be", "perfect", position + 2, negation="never")
    if word == "been" and after in ("in", "a", "vegan", "vegetarian"):
        return VerbGroup("be", "perfect", position + 1)
    closes = not chunks.is_word(position + 1) or after in _CLOSING or bool(chunks.time(position + 1))
    counts = word in _COUNTING or word[:1].isdigit()
    if counts and after in ("weeks", "months", "years", "days") and chunks.lower(position + 2) in ("pregnant", "sober"):
        return VerbGroup("be", "present", position + 2)  # "Eighteen weeks pregnant"
    if counts and _is_of_mine(chunks, position):
        return VerbGroup("have", "present", position)
    if word in _STATES and closes:
        return VerbGroup("be", "present", position)
    return None


def _is_told(chunks: Chunks, position: int) -> bool:
    """A past tense at the front: "Moved to Lisbon!", "Just lost my job"."""
    return chunks.is_word(position + 1) and chunks.lower(position + 1) not in ("by", "you", "it", "that", "this")


def _has_subject(chunks: Chunks, position: int) -> bool:
    """Whether somebody else does something in the sentence: "Based in London, the company grew"."""
    for token in chunks.tokens[position:]:
        verb = VERBS.get(token.lower)
        acts = verb is not None and verb.form in ("s", "past") and token.lower not in ("left", "works", "sports")
        if (
            token.lower in BE
            or token.lower in WAS
            or token.lower in HAVE
            or token.lower in ("he", "she", "you")
            or acts
        ):
            return True
    return False


def _is_trade(chunks: Chunks, position: int) -> bool:
    """ "Nurse at a hospital in Bern", "Team lead since January"."""
    phrase, after = chunks.phrase(position)
    if phrase is None or phrase.is_pronoun or phrase.owner is not None or phrase.determiner not in ("", "a", "an"):
        return False
    following = chunks.lower(after)
    for token in chunks.tokens[after:]:
        if token.text == ",":
            break
        if token.lower in BE or token.lower in WAS:
            return False  # "A fellow chef in the kitchen is a help"
    goes_on = following in ("at", "in", "for", "since", "from", "by") or bool(chunks.time(after))
    return bool(among(phrase.words, OCCUPATIONS)) and len(phrase.words) <= 3 and goes_on


def _is_of_mine(chunks: Chunks, position: int) -> bool:
    """ "Two rabbits (Crouton and Gravy)", "3 kids and a dog": a note, and no wish for them."""
    phrase, after = chunks.phrase(position)
    if phrase is None or len(phrase.words) > 2:
        return False
    listed = phrase.head in ("kids", "children") or bool(among(phrase.words, PLURAL_SPECIES))
    return listed and chunks.lower(after) in ("", "(", ",", "and", ".", ":")


def _is_fan(chunks: Chunks, position: int) -> bool:
    """ "Lifelong Sunderland fan"."""
    phrase, after = chunks.phrase(position)
    alone = not chunks.is_word(after) and not any(token.lower in BE for token in chunks.tokens)
    return phrase is not None and phrase.head == "fan" and 1 < len(phrase.words) <= 4 and alone and not phrase.owner


def shared(chunks: Chunks, clause: Clause, position: int) -> VerbGroup | None:
    """The second verb of a subject, behind "and" or "but" at `position`; None where somebody else acts."""
    subject = clause.subject
    single = (
        subject.head in _SHARING if subject.is_pronoun else bool(subject.is_name or subject.name or subject.relation)
    )
    if clause.verb == "be" and single and chunks.lower(position) in ("living", "working", "studying"):
        going_on = VERBS[chunks.lower(position)].lemma  # "I'm a citizen | living in Berlin"
        return VerbGroup(going_on, "present", position + 1, progressive=True) if not clause.negation else None
    if chunks.lower(position) not in ("and", "but") or clause.inner is not None or clause.passive or not single:
        return None
    position += 1
    while chunks.lower(position) in ("also", "now", "currently", "just", "then"):
        position += 1
    word, verb = chunks.lower(position), VERBS.get(chunks.lower(position))
    plain = clause.subject.head in ("i", "we", "they")
    if verb is not None and word not in MODALS and chunks.is_word(position + 1):
        agrees = verb.form == "past" or verb.form == ("base" if plain else "s")
        present = clause.tense == "present" and not clause.progressive and not clause.negation
        if (
            agrees
            and (present or verb.form == "past" or verb.lemma in _TASTES)
            and (clause.verb not in _LIKING or (verb.lemma in _TASTES and chunks.lower(position + 1) == "to"))
        ):
            return verb_group(chunks.tokens, position)
    if clause.verb != "be" or clause.tense != "present" or clause.negation:
        return None
    if word == "been" and chunks.lower(position + 1) in ("in", "a", "vegan", "vegetarian"):
        return VerbGroup("be", "perfect", position + 1)
    described = word in _STATES or word in _SHARED_WORDS or (word in PREPOSITIONS and word == "from")
    return VerbGroup("be", "present", position) if described else None
