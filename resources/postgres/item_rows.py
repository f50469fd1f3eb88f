"""Index items with their vectors, by the revision at which each was last written."""

from collections.abc import Sequence

from psycopg.types.json import Json

from kg_assets.model import Item
from resources.postgres.session import Row, Session

_COLUMNS = (
    *("id", "kind", "ref", "seq", "text", "session", "speaker", "said_at", "pooled", "tokens", "token_ids"),
    *("provisional", "index_version", "salience", "metadata", "retired", "revision"),
)
_ITEM = ", ".join(_COLUMNS)
_PUT = f"""
    INSERT INTO items ({_ITEM}) VALUES ({", ".join(["%s"] * len(_COLUMNS))})
    ON CONFLICT (memory_id, id) DO UPDATE SET {", ".join(f"{name} = excluded.{name}" for name in _COLUMNS[1:])}
"""


def _row_of(i: Item, revision: int) -> Row:
    return (
        *(i.id, i.kind, i.ref, i.seq, i.text, i.session, i.speaker, i.said_at, i.pooled, i.tokens, i.token_ids),
        *(i.provisional, i.index_version, i.salience, Json(i.metadata), i.retired, revision),
    )


def _item_of(row: Row) -> Item:
    return Item(
        id=row[0],
        kind=row[1],
        ref=row[2],
        seq=row[3],
        text=row[4],
        session=row[5],
        speaker=row[6],
        said_at=row[7],
        pooled=row[8],
        tokens=row[9],
        token_ids=row[10],
        provisional=row[11],
        index_version=row[12],
        salience=row[13],
        metadata=row[14],
        retired=row[15],
        revision=row[16],
    )


class ItemRows:
    """The part of the ledger that recall's read model follows."""

    _session: Session

    def put_items(self, items: Sequence[Item]) -> None:
        self._session.must_write("put_items")
        if not items:
            return
        revision = self._session.new_revision()
        self._session.write_many(_PUT, [_row_of(item, revision) for item in items])
        self._session.write("DELETE FROM deleted_items WHERE id = ANY(%s)", ([item.id for item in items],))

    def delete_items(self, ids: Sequence[str]) -> None:
        self._session.must_write("delete_items")
        rows = self._session.rows("DELETE FROM items WHERE id = ANY(%s::text[]) RETURNING id", (list(ids),))
        if rows:
            self._session.write(
                """INSERT INTO deleted_items (id, revision) SELECT id, %s FROM unnest(%s::text[]) AS gone (id)
                   ON CONFLICT (memory_id, id) DO UPDATE SET revision = excluded.revision""",
                (self._session.new_revision(), [item_id for (item_id,) in rows]),
            )

    def items(self, ids: Sequence[str]) -> list[Item]:
        sql = f"SELECT {_ITEM} FROM items WHERE id = ANY(%s::text[]) ORDER BY id"
        return [_item_of(row) for row in self._session.rows(sql, (list(ids),))]

    def items_after(self, revision: int, *, retired: bool = False) -> list[Item]:
        sql = f"SELECT {_ITEM} FROM items WHERE retired = %s AND revision > %s ORDER BY revision, id"
        return [_item_of(row) for row in self._session.rows(sql, (retired, revision))]

    def deleted_after(self, revision: int) -> list[str]:
        sql = """SELECT id, revision FROM deleted_items WHERE revision > %s
                 UNION ALL SELECT id, revision FROM items WHERE retired AND revision > %s ORDER BY revision, id"""
        return [item_id for item_id, _ in self._session.rows(sql, (revision, revision))]

    def item_count(self) -> int:
        return int(self._session.rows("SELECT count(*) FROM items")[0][0])

    def item_ids(self, kind: str) -> set[str]:
        sql = "SELECT id FROM items WHERE kind = %s AND NOT retired"
        return {item_id for (item_id,) in self._session.rows(sql, (kind,))}
