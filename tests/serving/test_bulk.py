"""Large requests beside small ones."""

import threading
from typing import Any

import pytest

from serving import utterances
from tests.serving.conftest import Service, spoken


def test_imports_never_take_the_threads_of_everyone_else(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """More imports at once than there are threads, each held until a small request has been answered."""
    remember, answered = utterances.remember, threading.Event()

    def held(memory: Any, drafts: list[Any], **more: Any) -> Any:
        if len(drafts) == 1:
            answered.set()
        assert answered.wait(30)
        return remember(memory, drafts, **more)

    monkeypatch.setattr(utterances, "remember", held)
    text = "word " * (utterances.BULK_CHARACTERS // 10 + 1)
    large = {"utterances": [spoken(text), spoken(text)]}
    imports = [service.request("POST", "/v1/utterances", json=large, user=f"importer {n}") for n in range(6)]
    small = service.request("POST", "/v1/utterances", json={"utterances": [spoken("Hello.")]})
    assert {each.status_code for each in service.together(*imports, small)} == {202}
