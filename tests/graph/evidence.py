"""Evidence for the tests of this folder: days are whole numbers, times are days in microseconds."""

from typing import Any

from kg_assets.graph.standing import Evidence, Statement
from kg_assets.model import Assertion, Mention

DAY = 86_400_000_000


def mention(name: str, kind: str = "thing") -> Mention:
    return Mention(surface=name.title(), key=name, type=kind)


def assertion(
    subject: str,
    predicate: str,
    target: str,
    *,
    said: int,
    since: int | None = None,
    until: int | None = None,
    **more: Any,
) -> Assertion:
    """Said on day `said`; valid from `since` (known) or from when it was said (start not known)."""
    fields: dict[str, Any] = {
        "id": f"{subject} {predicate} {target} {said} {since} {until} {sorted(more.items())}",
        "utterance_id": f"u{said}",
        "seq": said,
        "said_at": said * DAY,
        "subject": mention(subject, "person"),
        "predicate": predicate,
        "object": mention(target),
        "polarity": "affirmed",
        "valid_from": (said if since is None else since) * DAY,
        "valid_to": None if until is None else until * DAY,
        "start_known": since is not None,
        "precision": "unknown" if since is None else "day",
        "confidence": 800,
        "authority": "user",
        "extractor": "rules",
        "extractor_version": "test",
        "span": None,
    }
    return Assertion(**{**fields, **more})


def functional(target: str, **circumstances: Any) -> Evidence:
    """Ana lives in …: one place at a time."""
    return Evidence(assertion("ana", "lives_in", target, **circumstances), Statement("lives_in", target), "")


def multi_valued(target: str, **circumstances: Any) -> Evidence:
    """Ana likes …: as many as there are."""
    return Evidence(assertion("ana", "likes", target, **circumstances), Statement("likes", target), target)
