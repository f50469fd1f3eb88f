"""What runs in a subinterpreter brings nothing but the standard library, and reads what is read here."""

import subprocess
import sys
from contextlib import closing

import pytest

from kg_assets.text.apart import plain, statements_of
from kg_assets.text.forms import declared
from kg_assets.text.statements import statements
from resources.compute import interpreters_or_threads
from resources.compute.local import interpreter_pool

TEXTS = (
    "I moved to Lisbon in May 2026.",
    "The capital of France is Paris. My sister doesn't like tea.",
    "Did you see that?",
    "I work at Nordwind, and my brother's name is Tom.",
)
_ALONE = """
import sys
class Refuse:
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top not in sys.stdlib_module_names and top != "kg_assets":
            raise ImportError(f"{name} is outside the standard library")
sys.meta_path.insert(0, Refuse())
from kg_assets.text.apart import statements_of
print(statements_of((DECLARED, TEXTS)))
"""


def expected() -> list[tuple[object, ...]]:
    return [tuple(map(plain, statements(text))) for text in TEXTS]


def test_it_needs_the_standard_library_alone() -> None:
    given = f"DECLARED = {declared()!r}\nTEXTS = {TEXTS!r}"
    done = subprocess.run([sys.executable, "-c", given + _ALONE], capture_output=True, text=True, check=False)
    assert (done.stdout.strip(), done.stderr) == (repr(tuple(expected())), "")


def test_it_reads_what_is_read_in_this_interpreter() -> None:
    assert list(statements_of((declared(), TEXTS))) == expected()
    assert sum(map(len, expected())) >= 5


def test_a_pool_reads_the_same() -> None:
    predicates = declared()
    with closing(interpreters_or_threads(2)) as pool:
        found = pool.map(statements_of, [(predicates, TEXTS[:2]), (predicates, TEXTS[2:])])
    assert [each for part in found for each in part] == expected()


@pytest.mark.skipif(
    interpreter_pool() is None, reason="this Python has no subinterpreters; on 3.13 the extra brings them"
)
def test_where_there_are_subinterpreters_they_are_taken() -> None:
    make = interpreter_pool()
    assert make is not None
    with make(1) as pool:
        assert list(pool.submit(statements_of, (declared(), TEXTS)).result()) == expected()
