"""The home directory, opened for one command."""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING

from kg_assets.errors import InvalidInput, NotFound, NotReady
from kg_assets.model import MemoryInfo, Micros
from kg_assets.ports import Clock, Embedder, Memory
from kg_assets.text.instants import parse_instant
from resources.clock import system_clock
from resources.settings import DEV_ISSUER, Settings, home_path, load_settings
from resources.stores import ClosingStores, open_stores
from serving.subjects import checked_subject

if TYPE_CHECKING:
    from kg_assets.novelty.scoring import Thresholds
    from kg_assets.text.ontology import Ontology
    from kg_assets.triples.extraction import Voters
    from kg_assets.triples.language_voter import LanguageVoter


class Home:
    """Settings and stores; what is slow to load is loaded at first use."""

    def __init__(self, settings: Settings, stores: ClosingStores, clock: Clock) -> None:
        self.settings = settings
        self.stores = stores
        self.clock = clock

    @cached_property
    def embedder(self) -> Embedder:
        from resources.embedder import build_embedder

        return build_embedder(self.settings.embedder)

    @property
    def thresholds(self) -> "Thresholds":
        from kg_assets.novelty.scoring import Thresholds

        return Thresholds(immediate=self.settings.novelty.immediate, batch=self.settings.novelty.batch)

    @cached_property
    def ontology(self) -> "Ontology":
        from kg_assets.text.extra_ontology import ontology_with

        return ontology_with(self.settings.extra_ontology)

    def info(self, user: str) -> MemoryInfo:
        """The memory of this user of the command line. Raises `NotFound`."""
        found = self.stores.find(self.stores.memory_id(DEV_ISSUER, user))
        if found is None:
            raise NotFound(f"there is no memory of {user!r} here; `palimpsest status` lists those that are")
        return found

    def registered(self, user: str, *, multi_speaker: bool = False) -> MemoryInfo:
        """The memory of this user, made if need be. Raises `InvalidInput` where nobody can be called so."""
        subject = checked_subject(user, where="--user")
        return self.stores.create(DEV_ISSUER, subject, multi_speaker=multi_speaker, now=self.clock())

    @contextmanager
    def memory(self, user: str) -> Iterator[Memory]:
        """Open one that exists."""
        with self.opened(self.info(user)) as memory:
            yield memory

    @contextmanager
    def opened(self, info: MemoryInfo) -> Iterator[Memory]:
        memory = self.stores.open(info.id)
        try:
            yield memory
        finally:
            memory.close()


@contextmanager
def open_home() -> Iterator[Home]:
    """Raises `NotReady` where there is none, naming the command that makes one."""
    settings = home_settings()
    stores = open_stores(settings, system_clock, predicates=lambda: _predicates(settings))
    try:
        yield Home(settings, stores, system_clock)
    finally:
        stores.close()


def _predicates(settings: Settings) -> Iterable[str]:
    from kg_assets.text.extra_ontology import ontology_with

    return ontology_with(settings.extra_ontology).predicates


def voters_of(settings: Settings) -> "Voters":
    """Who reads without a language model."""
    from kg_assets.triples.extraction import Voters

    return Voters(methods=settings.extraction.voters, parser=settings.extraction.parser)


def language_voter_of(settings: Settings, ontology: "Ontology") -> "LanguageVoter | None":
    """The language model that the settings name, with the budget of one run. Raises `InvalidInput` where its key is
    missing."""
    from kg_assets.triples.language_voter import LanguageVoter
    from resources.llm import build_language_model

    llm = settings.llm
    model = build_language_model(llm, os.environ)
    return LanguageVoter(model, ontology, batch=llm.batch, tokens=llm.tokens_per_run) if model else None


def home_is_here() -> bool:
    """For what can be done without one, such as holding a certificate against a public key."""
    return (home_path() / "settings.toml").exists()


def home_settings() -> Settings:
    return load_settings(home_path())


def development_token(settings: Settings, user: str, role: str, *, now: Micros, seconds: int) -> str:
    """A token that this home's service accepts. Raises `NotReady` where it accepts only those of another issuer."""
    from serving.credentials import issue

    if settings.signing_key is None or settings.tokens.issuer != DEV_ISSUER:
        raise NotReady(f"this home takes the tokens of {settings.tokens.issuer!r}; get one there")
    return issue(
        settings.signing_key,
        issuer=DEV_ISSUER,
        audience=settings.tokens.audience,
        subject=user,
        role=role,
        now=now,
        seconds=seconds,
    )


def instant(text: str | None, option: str) -> Micros | None:
    """A time of the command line: RFC 3339, or a date, which means its start in UTC."""
    if text is None:
        return None
    whole_day = len(text) == 10
    try:
        return parse_instant(f"{text}T00:00:00Z" if whole_day else text)
    except InvalidInput as ex:
        advice = "; or give a date like 2026-05-30" if not whole_day else ""
        raise InvalidInput(f"{ex.reason}{advice}", where=option) from ex
