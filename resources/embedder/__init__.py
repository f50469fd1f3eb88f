"""Text encoders behind the port `Embedder`, chosen by name."""

from functools import cache

from kg_assets.errors import InvalidInput
from kg_assets.ports import Embedder

NAMES = ("minilm-int8", "minilm-jax", "hashing")


@cache
def build_embedder(name: str) -> Embedder:
    """The encoder of this name, built once per process.

    minilm-int8  all-MiniLM-L6-v2, int8 weights, ONNX runtime: the default, light enough to serve queries
    minilm-jax   the same model from the publisher's float32 weights in JAX (extra `jax`)
    hashing      signed hashes of words and their letter triples: no model, instant, for tests

    The first two agree to a cosine of about 0.999, yet write different index versions.
    Raises `InvalidInput` for another name, `NotReady` where a package is missing, `Corrupt` where a file was altered.
    """
    # Each is imported only when asked for: serving must not pull in JAX.
    if name == "minilm-int8":
        from resources.embedder.minilm_int8 import MiniLmInt8

        return MiniLmInt8()
    if name == "minilm-jax":
        import importlib

        # By name, so that the import closure of serving (read from the source) holds no JAX.
        embedder: Embedder = importlib.import_module("resources.embedder.minilm_jax").MiniLmJax()
        return embedder
    if name == "hashing":
        from resources.embedder.hashing import Hashing

        return Hashing()
    raise InvalidInput(f"no embedder is called {name!r}; choose one of: {', '.join(NAMES)}", where="embedder")
