"""What was said, quoted where the graph has no answer; or nothing, where nothing that was said comes near."""

import re

from kg_assets.answers.answer import NOT_KNOWN, Answer
from kg_assets.graph.wording import day
from kg_assets.model import Micros
from kg_assets.ports import Embedder
from kg_assets.recall.read_model import ReadModel
from kg_assets.recall.retrieve import RecallRequest, Result, recall
from kg_assets.text.names import TITLES
from kg_assets.text.times import find_times
from kg_assets.text.tokens import terms, words

NEAREST, SHOWN = 5, 3
# Measured on five conversations of LoCoMo: with no floor 49% of the turns quoted for an answerable question were its
# evidence, now 54%, and of the questions that cannot be answered 64% are still quoted something for, not all. From 0.72
# to 0.78 the share of right decisions hardly changes; small memories score a little lower.
FLOOR = 0.74
SAYS_SOMETHING = 3  # words beside the questions in an utterance
SENTENCES = re.compile(r"(?<=[.!?…])\s+")
UNMARKED_QUESTION = re.compile(
    r"(?:(?:who|whom|what|where|when|why|which|how)(?: \w+)?? )?"
    r"(?:do|does|did|is|are|am|was|were|can|could|would|will|have|has|should) "
    r"(?:you|we|they|i|he|she|it|your|my|there)\b"
    r"|(?:who|what|where|when|why|how)(?:'s|s| is| are| was| were) ",
    re.IGNORECASE,
)
NAME = re.compile(r"\b[^\W\d_][\w]*")
OWN_WORDS = frozenset({"i", "ok", *TITLES})


def quote(
    model: ReadModel,
    question: str,
    embedder: Embedder,
    *,
    now: Micros,
    valid_at: Micros | None,
    known_at: Micros | None,
) -> Answer:
    """The best memory as it was said; the caller's reader, or a language model, takes it from there."""
    if unheard(model, question, now):
        return NOT_KNOWN
    request = RecallRequest(
        query=question, k=NEAREST, kinds=("utterance", "document"), valid_at=valid_at, known_at=known_at
    )
    results = [each for each in recall(model, request, embedder, now).results if not asks(each.text, question)]
    if not results or results[0].score < FLOOR or not about(model, results[0], question):
        return NOT_KNOWN
    best = results[0]
    told = "tells" if best.kind == "document" else f"said on {day(best.said_at, 'day')}"
    return Answer(
        known=False,
        answer=f'not known for certain; {best.speaker} {told}: "{best.text}"',
        route="context",
        memories=tuple(each.id for each in results[:SHOWN]),
    )


def asks(text: str, question: str) -> bool:
    """True of an utterance that only asks, or that repeats the question."""
    told = [each for each in SENTENCES.split(text.strip()) if not each.endswith("?")]
    if sum(len(words(each)) for each in told) < SAYS_SOMETHING and len(told) < len(SENTENCES.split(text.strip())):
        return True
    return set(terms(text)) == set(terms(question)) or (len(told) == 1 and bool(UNMARKED_QUESTION.match(told[0])))


def about(model: ReadModel, result: Result, question: str) -> bool:
    """False where the question names a speaker, and someone else says something without that name."""
    names = model.speaker_names()
    asked = {word for word in words(question.replace("'s", " ")) if word in names}
    speakers = {speaker for word in asked for speaker in names[word]}
    return not asked or result.speaker in speakers or not asked.isdisjoint(words(result.text.replace("'s", " ")))


def unheard(model: ReadModel, question: str, now: Micros) -> bool:
    """True where the question has a name in it that nobody ever said. Names of times are no names."""
    for each in reversed(find_times(question, now)):
        question = f"{question[: each.span[0]]}{' ' * (each.span[1] - each.span[0])}{question[each.span[1] :]}"
    found = list(NAME.finditer(question))
    capitals = [each for each in found if each.group()[0].isupper()]
    if len(capitals) * 2 > len(found) + 1:
        return False  # written in capitals throughout
    return any(not known(model, each.group()) for each in capitals if not opens_sentence(question, each.start()))


def opens_sentence(text: str, start: int) -> bool:
    before = text[:start].rstrip(" \"'“‘(")
    return not before or before[-1] in ".!?…:"


def known(model: ReadModel, name: str) -> bool:
    if name.casefold() in OWN_WORDS:
        return True
    return bool((model.bm25.scores(terms(name), model.rows)[model.alive] > 0).any())
