"""The mentions in assertions."""

from collections.abc import Iterable, Set

from kg_assets.model import Assertion, Mention, MentionCount


class Mentions:
    """How often each normal form was said, by surface and type; what `Ledger.mention_counts` keeps."""

    def __init__(self) -> None:
        self._found: dict[str, dict[tuple[str, str], MentionCount]] = {}

    def count(self, assertions: Iterable[Assertion], keys: Set[str] | None = None) -> None:
        """Of these normal forms, or of all."""
        for assertion in assertions:
            for each in (assertion.subject, assertion.object):
                if isinstance(each, Mention) and (keys is None or each.key in keys):
                    self._add(each, assertion.seq)

    def _add(self, mention: Mention, seq: int) -> None:
        said = self._found.setdefault(mention.key, {})
        before = said.get((mention.surface, mention.type))
        said[mention.surface, mention.type] = MentionCount(
            key=mention.key,
            surface=mention.surface,
            type=mention.type,
            first_seq=min(before.first_seq, seq) if before else seq,
            count=before.count + 1 if before else 1,
        )

    def of(self, keys: Iterable[str]) -> list[MentionCount]:
        """By (key, surface, type)."""
        return [said[name] for key in sorted(set(keys)) if (said := self._found.get(key)) for name in sorted(said)]


def counted(assertions: Iterable[Assertion], keys: set[str]) -> list[MentionCount]:
    """How often each of these normal forms was said, by surface and type."""
    found = Mentions()
    found.count(assertions, keys)
    return found.of(keys)
