"""Who calls, and whose memory that opens: that of the token's `sub`, unless policy lets a role name another."""

import falcon.asgi
import msgspec

from kg_assets.errors import InvalidInput
from kg_assets.ports import Stores
from serving.credentials import Claims, Forbidden, Unauthenticated, Verifier
from serving.subjects import checked_subject

NAMING_HEADER = "Palimpsest-User"
MAY_NAME_ANOTHER = frozenset({"service", "curator", "auditor"})
READ_ONLY = frozenset({"auditor"})


class Caller(msgspec.Struct, frozen=True):
    """A request's right to one memory.

    `acting_as` is the role under which another's memory was named, empty for one's own; such a use is journaled there.
    `bearer` is the token's own subject. `registers`: what is written may open a memory.
    """

    memory_id: str
    issuer: str
    subject: str
    bearer: str
    acting_as: str = ""
    writes: bool = False
    registers: bool = False

    @property
    def actor(self) -> str:
        return self.acting_as or "user"

    @property
    def may_register(self) -> bool:
        """What a person first says opens their memory, a service opens those of its users; reading opens none."""
        return self.registers and self.acting_as in ("", "service")


def admit(claims: Claims, named: str | None, *, writes: bool) -> tuple[str, str]:
    """Policy: (subject whose memory is opened, role it is opened under, empty for one's own). Raises `Forbidden`."""
    if named is None:
        if not [role for role in claims.roles if not (writes and role in READ_ONLY)]:
            raise Forbidden("the roles of this token do not allow writing" if writes else "this token carries no role")
        return claims.subject, ""
    naming = [role for role in claims.roles if role in MAY_NAME_ANOTHER]
    if not naming:
        raise Forbidden(
            f"the header {NAMING_HEADER} is for the roles {', '.join(sorted(MAY_NAME_ANOTHER))}; leave it out"
        )
    able = [role for role in naming if not (writes and role in READ_ONLY)]
    if not able:
        raise Forbidden("an auditor reads; writing needs a token of the role service or curator")
    return named, able[0]


class Authentication:
    """Middleware: leaves a `Caller` in the request's context, or refuses. Resources with `public = True` need none."""

    def __init__(self, verifier: Verifier, stores: Stores) -> None:
        self.verifier = verifier
        self.stores = stores

    async def process_resource(
        self, req: falcon.asgi.Request, _resp: falcon.asgi.Response, resource: object, _params: dict[str, str]
    ) -> None:
        if getattr(resource, "public", False):
            return
        claims = self.verifier.claims(bearer_token(req))
        writes = req.method in getattr(resource, "writes", ())
        subject, acting_as = admit(claims, named_user(req), writes=writes)
        memory_id = self.stores.memory_id(claims.issuer, subject)
        registers = writes and getattr(resource, "registers", True)
        req.context.caller = Caller(memory_id, claims.issuer, subject, claims.subject, acting_as, writes, registers)


def bearer_token(req: falcon.asgi.Request) -> str:
    scheme, _, token = (req.get_header("Authorization") or "").partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise Unauthenticated("send a token: `Authorization: Bearer …`", presented=False)
    return token.strip()


def named_user(req: falcon.asgi.Request) -> str | None:
    """The subject in the header. Header values arrive as Latin-1; names are UTF-8."""
    value = req.get_header(NAMING_HEADER)
    if value is None:
        return None
    try:
        name = value.strip(" \t").encode("latin-1").decode("utf-8")  # blanks around a value are HTTP's
    except UnicodeError as ex:
        raise InvalidInput("the name is not UTF-8; encode it so", where=NAMING_HEADER) from ex
    return checked_subject(name, where=NAMING_HEADER)
