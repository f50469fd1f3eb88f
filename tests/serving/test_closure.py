"""What the service imports: it starts fast and small because the heavy packages are not among it."""

import subprocess
import sys

HEAVY = {"dagster", "spacy", "jax", "torch", "pandas", "pandera", "optax", "great_expectations"}


def imported_by(module: str) -> set[str]:
    """Top-level packages in sys.modules of a fresh process that imported the module."""
    program = f"import sys, {module}; print(*{{name.partition('.')[0] for name in sys.modules}})"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_the_service_imports_no_heavy_package() -> None:
    imported = imported_by("serving.app, serving.server")
    assert "falcon" in imported
    assert imported & HEAVY == set()


def test_the_command_line_imports_no_heavy_package_until_it_runs_one() -> None:
    imported = imported_by("palimpsest.command_line")
    assert imported & (HEAVY | {"numpy", "falcon", "rich", "msgspec"}) == set()
