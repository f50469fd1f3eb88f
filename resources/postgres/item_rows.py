"""Index items with their vectors, by the revision at which each was last written."""

from collections.abc import Sequence

from kg_assets.model import Item
from resources.postgres.session import Session
from resources.rows import ITEM, item_of, row_of_item

_COLUMNS = ITEM.split(", ")
_PUT = f"""
    INSERT INTO items ({ITEM}) VALUES ({", ".join(["%s"] * len(_COLUMNS))})
    ON CONFLICT (memory_id, id) DO UPDATE SET {", ".join(f"{name} = excluded.{name}" for name in _COLUMNS[1:])}
"""


class ItemRows:
    """The part of the ledger that recall's read model follows."""

    _session: Session

    def put_items(self, items: Sequence[Item]) -> None:
        self._session.must_write("put_items")
        if not items:
            return
        revision = self._session.new_revision()
        self._session.write_many(_PUT, [row_of_item(item, revision) for item in items])
        self._session.write("DELETE FROM deleted_items WHERE id = ANY(%s)", ([item.id for item in items],))

    def retire_items(self, ids: Sequence[str], *, retired: bool) -> None:
        self._session.must_write("retire_items")
        self._session.write(
            "UPDATE items SET retired = %s, revision = %s WHERE id = ANY(%s::text[])",
            (retired, self._session.new_revision(), list(ids)),
        )

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
        sql = f"SELECT {ITEM} FROM items WHERE id = ANY(%s::text[]) ORDER BY id"
        return [item_of(row) for row in self._session.rows(sql, (list(ids),))]

    def items_after(self, revision: int, *, retired: bool = False) -> list[Item]:
        sql = f"SELECT {ITEM} FROM items WHERE retired = %s AND revision > %s ORDER BY revision, id"
        return [item_of(row) for row in self._session.rows(sql, (retired, revision))]

    def deleted_after(self, revision: int) -> list[str]:
        sql = """SELECT id, revision FROM deleted_items WHERE revision > %s
                 UNION ALL SELECT id, revision FROM items WHERE retired AND revision > %s ORDER BY revision, id"""
        return [item_id for item_id, _ in self._session.rows(sql, (revision, revision))]

    def item_count(self) -> int:
        return int(self._session.rows("SELECT count(*) FROM items")[0][0])

    def item_ids(self, kind: str) -> set[str]:
        sql = "SELECT id FROM items WHERE kind = %s AND NOT retired"
        return {item_id for (item_id,) in self._session.rows(sql, (kind,))}
