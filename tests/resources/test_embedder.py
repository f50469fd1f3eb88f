"""What every encoder promises."""

import random
from pathlib import Path

import numpy as np
import pytest

from kg_assets.errors import Corrupt, InvalidInput, NotReady
from kg_assets.index.quantise import packed
from kg_assets.index.windows import WINDOWING
from kg_assets.ports import Embedder
from resources.embedder import NAMES, build_embedder, hashing, minilm, minilm_int8
from resources.embedder.model_files import checked_bytes, package_file
from tests.resources.embedder_texts import VARIED, cosines, reference


@pytest.fixture(params=NAMES)
def embedder(request: pytest.FixtureRequest) -> Embedder:
    if request.param == "minilm-jax":
        pytest.importorskip("jax")
    return build_embedder(request.param)


def test_shapes_lengths_and_spans_fit_together(embedder: Embedder) -> None:
    for text, found in zip(VARIED, embedder.encode(VARIED), strict=True):
        count = len(found.token_ids)
        assert found.pooled.shape == (embedder.dim,)
        assert found.pooled.dtype == found.tokens.dtype == np.float32
        assert np.linalg.norm(found.pooled) == pytest.approx(1, abs=1e-5)
        assert found.tokens.shape == (count, embedder.dim)
        assert found.offsets.shape == (count, 2)
        assert found.token_ids.dtype == found.offsets.dtype == np.int32
        assert all(0 <= start < end <= len(text) for start, end in found.offsets.tolist())
        assert (count == 0) == (not text.strip())


def test_a_vector_does_not_depend_on_the_other_texts_of_the_call(embedder: Embedder) -> None:
    alone = [packed(embedder.encode([text])[0], embedder.projection) for text in VARIED]
    together = list(range(len(VARIED))) * 3
    random.Random(5).shuffle(together)
    found = embedder.encode([VARIED[position] for position in together])
    for position, each in zip(together, found, strict=True):
        assert packed(each, embedder.projection) == alone[position]


def test_a_megabyte_of_text_is_read_up_to_the_cut(embedder: Embedder) -> None:
    for text in ("word " * 200_000, "x" * 1_000_000, "\n" * 1_000_000, "界" * 300_000):
        found = embedder.encode([text])[0]
        assert len(found.tokens) <= 510
        assert np.isfinite(found.pooled).all()


def test_the_projection_has_unit_columns_at_right_angles(embedder: Embedder) -> None:
    assert embedder.projection.shape == (embedder.dim, 64)
    assert embedder.projection.dtype == np.float32
    np.testing.assert_allclose(embedder.projection.T @ embedder.projection, np.eye(64), atol=1e-5)


def test_no_texts_give_no_vectors(embedder: Embedder) -> None:
    assert embedder.encode([]) == []


def test_an_encoder_is_built_once_and_each_names_its_own_index() -> None:
    assert build_embedder("hashing") is build_embedder("hashing")
    assert build_embedder("hashing").version != build_embedder("minilm-int8").version


def test_the_version_covers_the_windowing_of_the_index() -> None:
    assert minilm.WINDOWING == hashing.WINDOWING == WINDOWING


def test_an_unknown_encoder_is_refused_with_the_known_ones() -> None:
    with pytest.raises(InvalidInput, match="minilm-int8, minilm-jax, hashing"):
        build_embedder("word2vec")


def test_a_model_file_of_one_changed_byte_is_refused(tmp_path: Path) -> None:
    content = bytearray(package_file(minilm_int8.PACKAGE, "model.onnx", extra="").read_bytes())
    content[len(content) // 2] ^= 1
    (tmp_path / "model.onnx").write_bytes(content)
    with pytest.raises(Corrupt, match=r"model\.onnx: SHA-256 is"):
        checked_bytes(tmp_path / "model.onnx", minilm_int8.WEIGHTS_SHA256)


def test_a_missing_model_names_what_to_install(tmp_path: Path) -> None:
    with pytest.raises(NotReady, match=r"palimpsest-memory\[jax\]"):
        package_file("no_such_package_of_weights", "model.onnx", extra="jax")
    with pytest.raises(NotReady, match="install the package again"):
        checked_bytes(tmp_path / "model.onnx", "")


def test_int8_weights_stay_near_the_original() -> None:
    known = reference()
    found = np.stack([each.pooled for each in build_embedder("minilm-int8").encode(known.texts)])
    assert cosines(found, known.pooled).min() > 0.996
    assert np.median(cosines(found, known.pooled)) > 0.999


def test_hashing_finds_forms_of_a_word_nearer_than_other_words() -> None:
    moved, moving, kettle = (each.pooled for each in build_embedder("hashing").encode(["moved", "moving", "kettle"]))
    assert moved @ moving > moved @ kettle + 0.2
