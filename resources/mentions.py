"""The mentions in assertions, counted."""

from collections.abc import Sequence

from kg_assets.model import Assertion, Mention


def mentions(assertion: Assertion) -> list[Mention]:
    return [each for each in (assertion.subject, assertion.object) if isinstance(each, Mention)]


def counted(assertions: Sequence[Assertion], keys: Sequence[str]) -> list[tuple[str, str, str, int, int]]:
    """(key, surface, type, first utterance, count) of the mentions under these normal forms."""
    wanted, found = set(keys), dict[tuple[str, str, str], tuple[int, int]]()
    for assertion in assertions:
        for each in mentions(assertion):
            if each.key in wanted:
                name = (each.key, each.surface, each.type)
                first, count = found.get(name, (assertion.seq, 0))
                found[name] = (min(first, assertion.seq), count + 1)
    return [(*name, *counts) for name, counts in sorted(found.items())]
