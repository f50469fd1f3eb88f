"""Windows over a session: which turns are read together, and what is kept of each."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg_assets.index.windows import BLOCK, CONTEXT, MAX_PARTS, encode_alone, encode_turns, parts_of, passes
from kg_assets.model import Draft, Encoded
from resources.embedder import build_embedder

WORDS = (
    "the",
    "harbour",
    "lamp",
    "was",
    "red",
    "when",
    "Ana",
    "sold",
    "her",
    "boat",
    "to",
    "a",
    "friend",
    "from",
    "Riga",
)
texts = st.one_of(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=40).map(" ".join),
    st.text(st.characters(codec="utf-8"), min_size=1, max_size=200),
    st.integers(200, 900).map(lambda count: "word " * count),
)
sessions = st.lists(texts, min_size=1, max_size=9).map(lambda said: [turn(n, text) for n, text in enumerate(said)])


def turn(number: int, text: str) -> Draft:
    speaker = ("Ana", "Ben")[number % 2]
    return Draft(id=f"u{number}", session="s", speaker=speaker, role="other", text=text, said_at=number)


def same(one: Encoded, other: Encoded) -> bool:
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in Encoded.__struct_fields__)


@given(sessions)
def test_every_turn_is_kept_once_and_stands_where_its_pass_says(turns: list[Draft]) -> None:
    read: dict[int, list[tuple[int, int]]] = {}
    for block in range(-(-len(turns) // BLOCK)):
        for each in passes(turns, block):
            for part in each.parts:
                own = turns[part.position].text[part.start : part.end]
                assert each.text[part.at : part.at + len(own)] == own
                assert part.position // BLOCK == block
                read.setdefault(part.position, []).append((part.start, part.end))
    assert sorted(read) == list(range(len(turns)))
    for position, spans in read.items():
        assert "".join(turns[position].text[start:end] for start, end in spans) == turns[position].text


def test_a_pass_reads_two_turns_of_context_and_up_to_three_of_its_own() -> None:
    turns = [turn(number, f"line {number}") for number in range(8)]
    first, second, third = (passes(turns, block) for block in range(3))
    assert [each.text for each in first] == ["Ana: line 0\nBen: line 1\nAna: line 2\n"]
    assert second[0].text == "Ben: line 1\nAna: line 2\nBen: line 3\nAna: line 4\nBen: line 5\n"
    assert [part.position for part in third[0].parts] == [6, 7]
    assert third[0].text.count("\n") == CONTEXT + 2


@settings(max_examples=25, deadline=None)
@given(sessions, st.randoms(use_true_random=False))
def test_vectors_do_not_depend_on_batch_boundaries(turns: list[Draft], choice: random.Random) -> None:
    embedder = build_embedder("hashing")
    whole = encode_turns(turns, range(len(turns)), embedder)
    order = list(range(len(turns)))
    choice.shuffle(order)
    for position in order:
        for found, encoded in encode_turns(turns, [position], embedder).items():
            assert same(encoded, whole[found])


def test_a_real_encoder_gives_the_same_stored_turns_one_block_at_a_time() -> None:
    embedder = build_embedder("minilm-int8")
    turns = [
        turn(number, " ".join(WORDS[number % 5 :]) + " " + "and so on " * (number**2 % 50)) for number in range(10)
    ]
    whole = encode_turns(turns, range(10), embedder)
    for position in range(10):
        assert same(encode_turns(turns, [position], embedder)[position], whole[position])


def test_a_grown_block_is_encoded_again_whole_and_no_other() -> None:
    embedder = build_embedder("hashing")
    turns = [turn(number, f"line {number}") for number in range(5)]
    assert sorted(encode_turns(turns, [4], embedder)) == [3, 4]


def test_context_changes_what_a_turn_means_and_not_which_tokens_it_has() -> None:
    embedder = build_embedder("minilm-int8")
    turns = [turn(0, "Ben bought a sailing boat."), turn(1, "It was expensive."), turn(2, "Soup, please.")]
    alone = encode_alone(turns, embedder)[1]
    final = encode_turns(turns, [1], embedder)[1]
    np.testing.assert_array_equal(final.token_ids, alone.token_ids)
    np.testing.assert_array_equal(final.offsets, alone.offsets)
    boat = embedder.encode(["sailing boat"])[0].pooled
    assert boat @ final.pooled > boat @ alone.pooled + 0.05


@pytest.mark.parametrize("text", ["word " * 200_000, "x" * 1_000_000, "界" * 300_000, ("y" * 300 + " ") * 3_000])
def test_a_megabyte_of_text_is_read_in_at_most_eight_parts(text: str) -> None:
    turns = [turn(0, "before"), turn(1, text), turn(2, "after")]
    assert len(parts_of(turns, 1)) == MAX_PARTS
    found = encode_turns(turns, [1], build_embedder("hashing"))
    assert len(found[2].token_ids) == 1
    assert 0 < len(found[1].token_ids) <= MAX_PARTS * 240


def test_spans_of_a_long_turn_point_into_its_own_text() -> None:
    text = " ".join(f"word{number}" for number in range(400))
    found = encode_turns([turn(0, "before"), turn(1, text)], [1], build_embedder("hashing"))[1]
    assert [text[start:end] for start, end in found.offsets.tolist()] == text.split()


def test_a_speaker_whose_name_fills_a_pass_does_not_swallow_the_turn() -> None:
    odd = Draft(id="u", session="s", speaker="n" * 5_000, role="other", text="the red lamp", said_at=0)
    found = encode_turns([odd], [0], build_embedder("minilm-int8"))[0]
    assert len(found.token_ids) == 3
