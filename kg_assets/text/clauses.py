"""Clauses, which say who does what, and the statements that frames read from them. Standard library only."""

from typing import Literal, NamedTuple

from kg_assets.text.phrases import Phrase

Tense = Literal["past", "present", "perfect", "future"]
Negation = Literal["", "not", "ended", "never"]
Polarity = Literal["affirmed", "denied", "retracted"]
Aspect = Literal["holds", "begins", "held", "happens", "ends", "timeless"]


class Clause(NamedTuple):
    """One verb with its subject and what belongs to it; filled by `shallow` or from a dependency parse.

    verb      lemma; "be" for a copula      particle  "up" of "grew up"
    adjective of a copula ("allergic")      instead   what the last phrase is said not to be ("Luna, not Lena")
    inner     an infinitive or gerund with the same subject ("plan | to visit Rome", "love | hiking")
    times     spans of time expressions inside the clause
    others    who does it with the subject ("Mia and I")
    placed    what the subject is qualified with ("my last day | at Volvo")
    """

    text: str
    start: int
    end: int
    subject: Phrase
    verb: str
    verb_span: tuple[int, int]
    tense: Tense = "present"
    progressive: bool = False
    passive: bool = False
    used_to: bool = False
    negation: Negation = ""
    particle: str = ""
    objects: tuple[Phrase, ...] = ()
    second: Phrase | None = None
    adjective: str = ""
    preps: tuple[tuple[str, tuple[Phrase, ...]], ...] = ()
    inner: "Clause | None" = None
    inner_form: Literal["", "to", "ing"] = ""
    instead: Phrase | None = None
    times: tuple[tuple[int, int], ...] = ()
    others: tuple[Phrase, ...] = ()
    placed: tuple[tuple[str, tuple[Phrase, ...]], ...] = ()

    def after(self, *prepositions: str) -> tuple[Phrase, ...]:
        """The phrases after the first of these prepositions that is there."""
        for wanted in prepositions:
            for preposition, phrases in self.preps:
                if preposition == wanted:
                    return phrases
        return ()

    def phrases(self) -> list[Phrase]:
        """Every phrase of the clause, its owners included."""
        prepositional = (phrase for _, group in (*self.preps, *self.placed) for phrase in group)
        direct = [self.subject, *self.objects, *prepositional]
        if self.second:
            direct.append(self.second)
        if self.inner:
            direct += self.inner.phrases()[1:]
        return [each for phrase in direct for each in with_owners(phrase)]


class Value(NamedTuple):
    """An object that is no entity: an age, a date, a name as text."""

    value: int | str
    kind: Literal["number", "date", "text"]
    text: str
    start: int
    end: int

    @property
    def span(self) -> tuple[int, int]:
        return (self.start, self.end)


class Statement(NamedTuple):
    """What one clause says, in the words of the text; nothing is resolved yet.

    aspect    holds   is so when it is said     begins  is so from the time on     ends   is no longer so
              held    was so for a time         happens at the time, as an event   timeless  of the world, not of a life
    `forward` says whether a bare "on Friday" in `times` lies ahead. `predicate` is canonical or `same_as`.
    """

    subject: Phrase
    predicate: str
    object: Phrase | Value
    polarity: Polarity
    aspect: Aspect
    forward: bool
    span: tuple[int, int]
    times: tuple[tuple[int, int], ...] = ()


def with_owners(phrase: Phrase) -> list[Phrase]:
    return [phrase, *with_owners(phrase.owner)] if phrase.owner else [phrase]
