"""The mentions in assertions."""

from collections.abc import Iterable

from kg_assets.model import Assertion, Mention, MentionCount


def counted(assertions: Iterable[Assertion], keys: set[str]) -> list[MentionCount]:
    """How often each of these normal forms was said, by surface and type; what `Ledger.mention_counts` keeps."""
    found: dict[tuple[str, str, str], MentionCount] = {}
    for assertion in assertions:
        for each in (assertion.subject, assertion.object):
            if isinstance(each, Mention) and each.key in keys:
                name = (each.key, each.surface, each.type)
                before = found.get(name)
                found[name] = MentionCount(
                    key=each.key,
                    surface=each.surface,
                    type=each.type,
                    first_seq=min(before.first_seq, assertion.seq) if before else assertion.seq,
                    count=before.count + 1 if before else 1,
                )
    return [found[name] for name in sorted(found)]
