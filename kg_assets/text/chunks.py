"""Noun phrases found from left to right, without a parser. Standard library only."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from kg_assets.text.lexicon import NAMES_OF_MEN, NAMES_OF_WOMEN, NO_NAMES, TECHNOLOGIES, VERBS, bag
from kg_assets.text.phrases import CALLED_BY_KIN, DETERMINERS, OWNERS, PARTITIVES, PRONOUNS, Phrase, phrase_of
from kg_assets.text.sentences import Token
from kg_assets.text.times import TimeExpression
from kg_assets.text.verb_groups import ADVERBS, BE, HAVE, MODALS, WAS, WILL, verb_group

Span = tuple[int, int]

SUBJECT_PRONOUNS = frozenset({"i", "we", "he", "she", "you"})
PREPOSITIONS = bag(
    "in on at for with to from by about of as into near after under over without until since through during against "
    "between around throughout onto within toward towards like than"
)
STOPS = bag(
    "and or but because since when while if that which who whom whose where so although though unless until before "
    "cause after whether than how what why yet plus cuz cos bc"
)
# Words after which a new clause can begin.
OPENERS = bag(
    "and but so because since that when while as plus well yeah yes yep no nope ok okay oh hey hi also then now "
    "anyway actually honestly btw fyi lol haha although though where after before sorry first second today yesterday "
    "please still wow finally recently lately currently sure right update news cuz cos bc cause personally basically "
    "apart"
)
ADVERBIALS = bag(
    "back over here there again together abroad full-time part-time alone too now yet already anymore more "
    "longer much lot so well far away everywhere somewhere home downtown nearby outside inside ago still"
)
_ALWAYS_VERBS = frozenset({"have", "hate", "own", "speak", "want", "need", "prefer"})
_DESCRIBING = bag("obsessed allergic into scared afraid terrified married engaged fluent crazy mad from based")
_MOST = 7  # words in one noun phrase
_AUXILIARIES = frozenset([*BE, *WAS, *HAVE, *WILL, *MODALS, "had", "used", "do", "does", "did"])
_POINTING = frozenset({"this", "that", "these", "those", "neither", "none", "no"})  # or at nobody
COUNTED = bag(
    "- one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety"
)
_SHORTENED = frozenset({"st", "dr", "mr", "mrs", "ms"})


def _is_noun(phrase: Phrase) -> bool:
    """A capital at the start of a sentence that is no name: "Pets", "Painting"."""
    first = phrase.words[0]
    known = first in NAMES_OF_WOMEN or first in NAMES_OF_MEN
    return phrase.is_name and len(phrase.words) == 1 and not known and first.endswith(("s", "ing"))


class Times:
    """The time expressions of a text: which one covers a place, and whether it is a point or only a repetition."""

    def __init__(self, expressions: Iterable[TimeExpression]) -> None:
        self._ordered = [(each.span, each.relation != "every") for each in expressions]
        self._starts = [span[0] for span, _ in self._ordered]

    def at(self, place: int) -> tuple[Span, bool] | None:
        index = bisect_right(self._starts, place) - 1
        return self._ordered[index] if index >= 0 and place < self._ordered[index][0][1] else None


class Chunks(NamedTuple):
    """The words of one sentence as phrases. Each method returns what it found and the position after it."""

    text: str
    tokens: Sequence[Token]
    times: Times

    def lower(self, position: int) -> str:
        return self.tokens[position].lower if 0 <= position < len(self.tokens) else ""

    def is_word(self, position: int) -> bool:
        return position < len(self.tokens) and self.tokens[position].is_word

    def time(self, position: int) -> tuple[Span, bool] | None:
        """The time expression at a position, and whether it is a point in time."""
        return self.times.at(self.tokens[position].start) if position < len(self.tokens) else None

    def past(self, position: int, span: Span) -> int:
        """The first position behind a span."""
        while position < len(self.tokens) and self.tokens[position].start < span[1]:
            position += 1
        return position

    def subject(self, position: int) -> tuple[Phrase | None, int]:
        first = self.tokens[position]
        if first.lower in SUBJECT_PRONOUNS:
            return phrase_of(self.text, [first]), position + 1
        if first.lower in _POINTING:
            return None, position + 1
        if first.lower in DETERMINERS or self._may_name(first):
            end = self._past_age(position + 1) if first.lower in OWNERS else position + 1
            while end < len(self.tokens) and end - position < _MOST and self._continues(position, end):
                end += 1
            phrase = phrase_of(self.text, self.tokens[position:end])
            if phrase is not None and (phrase.relation or phrase.name) and self._is_said_again(end):
                end += 1
            if phrase is not None and not phrase.is_pronoun and not (position == 0 and _is_noun(phrase)):
                return phrase, end
        return None, position + 1

    def _is_said_again(self, position: int) -> bool:
        """ "My brother | he lives in Rome": the pronoun says again who it is."""
        again = self.lower(position) in ("he", "she", "they", "we")
        return again and verb_group(self.tokens, position + 1) is not None

    def owned(self, position: int) -> int:
        """The position behind the noun phrase that "my" opens, an age in front of the noun included."""
        end = self._past_age(position + 1)
        while end < len(self.tokens) and end - position < _MOST + 3 and self._continues(position, end):
            named = end > position + 1 and self.tokens[end - 1].is_capitalised
            goes_on = self.lower(end) in ("'s", "of", "de") or self.lower(end - 1) in TECHNOLOGIES  # "my Django app"
            if named and not self.tokens[end].is_capitalised and not goes_on:
                break  # "my Vizsla | bites"
            end += 1
        return end

    def _past_age(self, position: int) -> int:
        """Behind "7 year old", "11-week-old"."""
        words = [token.lower for token in self.tokens[position : position + 5]]
        for place, word in enumerate(words[1:], 1):
            if not (words[place - 1][0].isdigit() or words[place - 1] in COUNTED):
                break  # "my dog | is four years old"
            if word.startswith(("year", "month", "week")) or word in ("yo", "y"):
                if word.endswith("old") or word == "yo":
                    return position + place + 1
                return position + place + 2 if words[place + 1 : place + 2] == ["old"] else position
        return position

    def _may_name(self, token: Token) -> bool:
        return token.is_capitalised and (token.lower not in NO_NAMES or token.lower in CALLED_BY_KIN)

    def phrases(self, position: int) -> tuple[tuple[Phrase, ...], int]:
        """A noun phrase, or several joined by commas and "and"."""
        found: list[Phrase] = []
        following: int | None = position
        while following is not None:
            phrase, after = self.phrase(following)
            if phrase is None or (found and (phrase.is_pronoun or verb_group(self.tokens, after) is not None)):
                break
            if found and (self._is_told(following) or self.lower(following) in _DESCRIBING or self._acts(following)):
                break  # "I sold the Golf and bought a Renault"
            if found and self.lower(following - 1) == "," and self._joined(after) is None:
                break  # "I love Porto, my home": no list
            shared = found and not phrase.determiner and phrase.owner is None
            found.append(phrase._replace(determiner=found[0].determiner) if shared else phrase)
            position, following = after, None if phrase.is_pronoun else self._joined(after)
        return tuple(found), position

    def _acts(self, position: int) -> bool:
        """Whether a clause of its own begins: "(I'm a lawyer and) my wife works at Netflix"."""
        if self.lower(position) not in OWNERS and not self.tokens[position].is_capitalised:
            return False
        subject, end = self.subject(position)
        verb = VERBS.get(self.lower(end)) if subject is not None else None
        named = self.lower(end) in ("named", "called")
        return verb is not None and verb.form in ("s", "past") and not named and self.is_word(end + 1)

    def _is_told(self, position: int) -> bool:
        """Whether a list goes on with a verb of its own."""
        verb = VERBS.get(self.lower(position))
        told = verb is not None and verb.form in ("past", "s") and not self.tokens[position].is_capitalised
        if self.lower(position) in _ALWAYS_VERBS and not self.tokens[position].is_capitalised:
            return self.is_word(position + 1)
        if verb is not None and verb.lemma in ("work", "live", "study") and self.lower(position + 1) in PREPOSITIONS:
            return True  # "I live in Graz and | work at a bakery"
        following = self.lower(position + 1)
        if verb is not None and verb.form == "base" and (following == "to" or following in DETERMINERS):
            return not self.tokens[position].is_capitalised  # "I write poetry and | listen to jazz"
        return told and self.is_word(position + 1)

    def phrase(self, position: int) -> tuple[Phrase | None, int]:
        """One noun phrase: words up to the next stop."""
        end = position
        while end < len(self.tokens) and end - position < _MOST and not self._ends(position, end):
            end += 1
            first = self.lower(position)
            if end - position == 1 and first in PRONOUNS and first not in DETERMINERS:
                break
        return (phrase_of(self.text, self.tokens[position:end]) if end > position else None), end

    def _joined(self, position: int) -> int | None:
        """Where the next member of a list begins."""
        first, second = self.lower(position), self.lower(position + 1)
        if first in ("and", "&", "or"):
            return position + 1
        if first == "," and second in ("and", "or"):
            return position + 2
        return position + 1 if first == "," and second and second not in OPENERS else None

    def _continues(self, opening: int, position: int) -> bool:
        """Whether a subject goes on at this word: not where a verb, a stop or a time begins."""
        token = self.tokens[position]
        if token.lower == "'s":
            return self._is_possessive(position)
        if not token.is_word or token.lower in STOPS or token.lower in PREPOSITIONS or self.time(position):
            return token.lower in ("of", "de") and position - opening > 1 and self.is_word(position + 1)
        if token.lower in _AUXILIARIES or token.lower in ADVERBS or token.lower in SUBJECT_PRONOUNS:
            return False
        opened = self.lower(opening) in DETERMINERS or "'s" in (each.lower for each in self.tokens[opening:position])
        if not opened and not token.is_capitalised:
            return False  # "Gather documents" opens with a verb; names go on in capitals
        verb = VERBS.get(token.lower)
        return verb is None or (verb.form in ("base", "ing") and self.lower(position - 1) in (*DETERMINERS, "'s"))

    def _is_possessive(self, position: int) -> bool:
        """Whether a noun and then a verb follow: "Anna's husband works", but not "Anna's a nurse", "Anna's moved"."""
        for after in range(position + 1, min(position + 5, len(self.tokens))):
            word = self.lower(after)
            if not self.is_word(after) or word in DETERMINERS or word in ADVERBS or word in PREPOSITIONS:
                return False
            if after > position + 1 and (word in _AUXILIARIES or verb_group(self.tokens, after) is not None):
                return True
            if after == position + 1 and word in VERBS and VERBS[word].form != "base":
                return False
        return False

    def _ends(self, opening: int, position: int) -> bool:
        token, word = self.tokens[position], self.lower(position)
        if not token.is_word:
            return position == opening or not self._is_glued(position)
        if word in STOPS or self.time(position):
            return True
        if word == "any" and self.lower(position + 1) in ("more", "longer"):
            return True
        if position == opening:
            return word in ADVERBS or word in BE or word in PREPOSITIONS
        if word in PARTITIVES and self.lower(position + 1) == "of":
            return False  # "a lot of jazz"
        if word == "of" and self.lower(position - 1) in PARTITIVES:
            return False
        if word == "of" and not self.tokens[position - 1].is_capitalised:
            return True
        if word in ("of", "de", "'s"):
            return not self.is_word(position + 1) or self.lower(position + 1) in DETERMINERS - {"the"}
        if word in ("named", "called"):
            return position + 1 >= len(self.tokens) or not self.tokens[position + 1].is_capitalised
        closes = word in PREPOSITIONS or word in ADVERBIALS or word in _AUXILIARIES or word in ADVERBS or word in OWNERS
        return closes or (word in PRONOUNS and word not in DETERMINERS)

    def _is_glued(self, position: int) -> bool:
        """The point of "St. Mary's", the hyphen of "Anna-Maria"."""
        token, before = self.tokens[position], self.tokens[position - 1]
        return before.end == token.start and (
            (token.text == "." and before.lower in _SHORTENED)
            or (token.text in "-&" and self.is_word(position + 1))
            or token.text == "+"
        )
