"""Whose memory a token opens, by role and header."""

import pytest

from resources.settings import DEV_ISSUER
from serving.auth import admit
from serving.credentials import Claims, Forbidden


def bearer(*roles: str) -> Claims:
    return Claims(DEV_ISSUER, "bea", roles)


@pytest.mark.parametrize("role", ["user", "curator", "admin", "service"])
def test_without_a_header_everyone_opens_their_own_memory(role: str) -> None:
    assert admit(bearer(role), None, writes=True) == ("bea", "")


def test_an_auditor_reads_their_own_memory_and_does_not_write_it() -> None:
    assert admit(bearer("auditor"), None, writes=False) == ("bea", "")
    with pytest.raises(Forbidden):
        admit(bearer("auditor"), None, writes=True)


def test_a_person_who_is_also_an_auditor_still_writes_their_own() -> None:
    assert admit(bearer("user", "auditor"), None, writes=True) == ("bea", "")


def test_a_token_without_a_known_role_opens_nothing() -> None:
    with pytest.raises(Forbidden):
        admit(bearer(), None, writes=False)


@pytest.mark.parametrize("role", ["user", "admin"])
def test_these_roles_name_nobody_else(role: str) -> None:
    with pytest.raises(Forbidden, match="Palimpsest-User"):
        admit(bearer(role), "ana", writes=False)


@pytest.mark.parametrize("role", ["user", "admin"])
def test_naming_oneself_is_naming_too(role: str) -> None:
    with pytest.raises(Forbidden):
        admit(bearer(role), "bea", writes=False)


@pytest.mark.parametrize("role", ["service", "curator", "auditor"])
def test_these_roles_read_a_named_memory(role: str) -> None:
    assert admit(bearer(role), "ana", writes=False) == ("ana", role)


@pytest.mark.parametrize("role", ["service", "curator"])
def test_these_roles_write_a_named_memory(role: str) -> None:
    assert admit(bearer(role), "ana", writes=True) == ("ana", role)


def test_an_auditor_writes_no_named_memory() -> None:
    with pytest.raises(Forbidden, match="auditor"):
        admit(bearer("auditor"), "ana", writes=True)


def test_the_role_that_is_able_is_the_one_that_is_journaled() -> None:
    assert admit(bearer("auditor", "curator"), "ana", writes=True) == ("ana", "curator")
