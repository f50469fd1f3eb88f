"""The language model's vote: asked in batches, within a budget, and never missed where it fails."""

from collections.abc import Iterator, Sequence

import msgspec

from kg_assets.errors import Unavailable
from kg_assets.model import Message
from kg_assets.ports import LanguageModel
from kg_assets.text.clauses import Statement
from kg_assets.text.ontology import Ontology
from kg_assets.triples.language_reading import PROMPT, SCHEMA, Claim, Said, asked_again, claims, question, statements
from kg_assets.triples.plans import may_state, prepare
from kg_assets.triples.reading import Turn

ASKINGS = 2  # of one question, where the first answer cannot be read
UNREADABLE = "unreadable"
PATIENCE = 3  # failures in a row after which nothing more is asked
_CHARACTERS_PER_TOKEN = 3  # a cautious estimate, so that the budget is kept before a question and not after it


class Listening(msgspec.Struct, frozen=True, kw_only=True):
    """What asking a language model came to; counts only.

    asked     texts it was asked about       unasked   texts it was not: the budget was spent, or it failed too often
    calls     questions                      failures  questions without an answer that can be read, by reason
    rejected  statements that the text does not bear out, by reason
    """

    asked: int = 0
    unasked: int = 0
    calls: int = 0
    tokens: int = 0
    failures: dict[str, int] = {}
    rejected: dict[str, int] = {}


class Told(msgspec.Struct, frozen=True):
    """The statements that it read in each turn, in order, and what that took.

    `missed` are places of turns that it may not have seen: the budget was spent, or no answer came. An answer that
    cannot be read is one all the same: asking for it again would come to the same.
    """

    statements: list[list[Statement]]
    listening: Listening
    missed: tuple[int, ...] = ()


class LanguageVoter:
    """Asks one model on behalf of one run: the budget of tokens is spent over all of its calls to `read`."""

    def __init__(self, model: LanguageModel, ontology: Ontology, *, batch: int, tokens: int) -> None:
        self.model, self.ontology, self.batch = model, ontology, batch
        self.version = f"{model.version}/{batch}/{PROMPT}"
        self._left = tokens
        self._failed = 0  # in a row

    def read(self, turns: Sequence[Turn]) -> Told:
        """What it reads in these turns. Never raises for a model that fails: the turns are left to the other voters."""
        prepared = [prepare(turn) for turn in turns]
        worth = [place for place, each in enumerate(prepared) if any(map(may_state, each.sentences))]
        found: list[list[Statement]] = [[] for _ in turns]
        missed: list[int] = []
        tally = _Tally()
        for places in _batches(worth, self.batch):
            texts = [
                Said(each.turn.utterance.speaker, each.text, each.sentences)
                for each in (prepared[place] for place in places)
            ]
            unreadable = tally.failures.get(UNREADABLE, 0)
            claimed = self._claims(question(texts, self.ontology), tally)
            if claimed is None:
                tally.unasked += len(places)
                missed += places if tally.failures.get(UNREADABLE, 0) < unreadable + ASKINGS else ()
                continue
            tally.asked += len(places)
            for number, (place, said) in enumerate(zip(places, texts, strict=True), 1):
                own = [each for each in claimed if each.text == number]
                found[place], rejected = statements(said, own, self.ontology)
                _count(tally.rejected, rejected)
            _count(tally.rejected, ["no such text" for each in claimed if not 1 <= each.text <= len(texts)])
        return Told(found, tally.listening(), tuple(missed))

    def _claims(self, messages: list[Message], tally: "_Tally") -> list[Claim] | None:
        """Asks, and once more where the answer cannot be read; None where nothing came of it."""
        for asking in range(ASKINGS):
            if self._failed >= PATIENCE or not self._afford(messages):
                return None
            tally.calls += 1
            try:
                reply = self.model.complete(messages, SCHEMA)
            except Unavailable as ex:
                self._left -= self._price(messages)
                self._failed = PATIENCE if ex.for_good else self._failed + 1
                _count(tally.failures, [ex.reason])
                return None
            self._left -= reply.tokens
            tally.tokens += reply.tokens
            found = claims(reply.text)
            if found is not None:
                self._failed = 0
                return found
            _count(tally.failures, [UNREADABLE])
            if not asking:
                messages = asked_again(messages, reply.text)
        self._failed += 1
        return None

    def _afford(self, messages: Sequence[Message]) -> bool:
        return self._price(messages) <= self._left

    def _price(self, messages: Sequence[Message]) -> int:
        return sum(len(each.content) for each in messages) // _CHARACTERS_PER_TOKEN + self.model.answer_tokens


class _Tally(msgspec.Struct):
    asked: int = 0
    unasked: int = 0
    calls: int = 0
    tokens: int = 0
    failures: dict[str, int] = msgspec.field(default_factory=dict)
    rejected: dict[str, int] = msgspec.field(default_factory=dict)

    def listening(self) -> Listening:
        return Listening(**msgspec.structs.asdict(self))


def _batches(places: Sequence[int], size: int) -> Iterator[Sequence[int]]:
    yield from (places[start : start + size] for start in range(0, len(places), size))


def _count(counts: dict[str, int], names: Sequence[str]) -> None:
    for name in names:
        counts[name] = counts.get(name, 0) + 1
