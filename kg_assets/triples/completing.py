"""All that a turn amounts to beside what it says in so many words: answers, idioms, agreement, what is left out."""

from collections.abc import Iterator, Sequence

from kg_assets.text.ontology import Ontology
from kg_assets.text.sentences import Sentence
from kg_assets.triples.answering import answers
from kg_assets.triples.claims import replies
from kg_assets.triples.completed import Answer
from kg_assets.triples.exchanges import exchanged
from kg_assets.triples.leaning import leaning
from kg_assets.triples.reading import Reading, Turn, object_key
from kg_assets.triples.refining import refined
from kg_assets.triples.reported import reported, told_of_another
from kg_assets.triples.restating import restatements
from kg_assets.triples.same_of_others import same_of_others


def completions(turn: Turn, sentences: Sequence[Sentence]) -> Iterator[Answer]:
    """The whole sentences, each with the place of the turn's own words in it."""
    yield from answers(turn)
    yield from restatements(turn, sentences)
    yield from reported(turn.utterance.text)
    yield from told_of_another(turn.utterance.text)
    yield from exchanged(turn)
    yield from replies(turn)
    yield from same_of_others(turn)
    yield from refined(turn)
    yield from leaning(turn)


def outright(own: Sequence[Reading], completed: Sequence[Reading], ontology: Ontology) -> list[Reading]:
    """What a turn says and amounts to, without what it says otherwise itself: "You're 29?" – "Yes, well, I'm 28." """
    said = {
        (each.subject.key, each.predicate)
        for each in own
        if _holds(each) and (known := ontology.predicate(each.predicate)) is not None and known.functional
    }
    others = {(each.predicate, object_key(each.object)): each.subject.key for each in completed if _holds(each)}
    kept = [
        each  # "Divorced." of one's brother, who was asked about, is not said of oneself
        for each in own
        if not _holds(each)
        or others.get((each.predicate, object_key(each.object)), each.subject.key) == each.subject.key
    ]
    return [*kept, *(each for each in completed if not _holds(each) or (each.subject.key, each.predicate) not in said)]


def _holds(reading: Reading) -> bool:
    return reading.polarity == "affirmed" and reading.when.valid_to is None
