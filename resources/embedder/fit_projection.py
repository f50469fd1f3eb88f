"""How projection_minilm_64.npy was made: token vectors of 384 dimensions to 64, cosines kept as well as may be.

The 64 leading directions of the token vectors' second moment (not centred: cosines are what is kept). Every word piece
counts once, however often it occurs, or the function words take the room: half the weight goes to the mean over pieces
as they stand in LongMemEval's conversations (MIT; 575 turns), half to the 21,719 whole words of the vocabulary, each
encoded alone, so that words which those conversations lack are served too.

    python -m resources.embedder.fit_projection [LONGMEMEVAL.json]

Prints the file's SHA-256, which belongs into minilm.py. Another matrix is another index version.
"""

import hashlib
import json
import re
import sys
from pathlib import Path

import numpy as np

from resources.embedder.minilm import DIM, KEPT, PROJECTION
from resources.embedder.minilm_int8 import MiniLmInt8

CONVERSATIONS = Path("../shared/data/longmemeval_mixed_30.json")
TURN = re.compile(r"\n\nTurn \d+ \((?:user|assistant)\): ")


def turns(path: Path) -> list[str]:
    """Each turn's text, without the marks of the evaluation."""
    scenarios = json.loads(path.read_text(encoding="utf-8"))["scenarios"]
    sessions = [step["content"] for each in scenarios for step in each["steps"] if step.get("kind") == "memory"]
    return [turn.replace("[evidence]", "").strip() for session in sessions for turn in TURN.split(session)[1:]]


def whole_words() -> list[str]:
    """The vocabulary's ASCII words of two letters and more."""
    from tokenizers import Tokenizer

    from resources.embedder.model_files import TOKENIZER

    vocabulary = Tokenizer.from_file(str(TOKENIZER[0])).get_vocab()
    return sorted(word for word in vocabulary if word.isascii() and word.isalpha() and len(word) > 1)


def moment(encoder: MiniLmInt8, texts: list[str]) -> np.ndarray:
    """float64 (384, 384): the mean over word pieces of the mean over their unit vectors' outer products."""
    encoded = encoder.encode(texts)
    ids = np.concatenate([each.token_ids for each in encoded])
    vectors = np.concatenate([each.tokens for each in encoded]).astype(np.float64)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    vectors /= np.sqrt(np.bincount(ids)[ids])[:, None]
    outer: np.ndarray = vectors.T @ vectors
    return outer / len(np.unique(ids))


def main() -> None:
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else CONVERSATIONS
    encoder = MiniLmInt8(projected_by=np.eye(DIM, KEPT, dtype=np.float32))
    _, directions = np.linalg.eigh(moment(encoder, turns(path)) + moment(encoder, whole_words()))
    leading = directions[:, ::-1][:, :KEPT]
    leading *= np.sign(leading.sum(axis=0))
    np.save(PROJECTION[0], leading.astype(np.float32))
    print(hashlib.sha256(PROJECTION[0].read_bytes()).hexdigest())


if __name__ == "__main__":
    main()
