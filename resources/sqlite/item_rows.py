"""Index items with their vectors, by the revision at which each was last written."""

from collections.abc import Sequence

from msgspec.json import decode

from kg_assets.model import Item
from resources.rows import ITEM, item_of, row_of_item
from resources.sqlite.session import Session


class ItemRows:
    """The part of the ledger that recall's read model follows."""

    _session: Session

    def put_items(self, items: Sequence[Item]) -> None:
        self._session.must_write("put_items")
        if not items:
            return
        revision = self._session.new_revision()
        self._session.write_many(
            f"INSERT OR REPLACE INTO items ({ITEM}) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
            [row_of_item(item, revision) for item in items],
        )
        self._session.write_many("DELETE FROM deleted_items WHERE id = ?", [(item.id,) for item in items])

    def retire_items(self, ids: Sequence[str], *, retired: bool) -> None:
        self._session.must_write("retire_items")
        self._session.write(
            "UPDATE items SET retired = ?, revision = ? WHERE id IN (SELECT value FROM json_each(?))",
            (retired, self._session.new_revision(), list(ids)),
        )

    def delete_items(self, ids: Sequence[str]) -> None:
        self._session.must_write("delete_items")
        for item_id in ids:
            if self._session.write("DELETE FROM items WHERE id = ?", (item_id,)):
                self._session.write(
                    "INSERT OR REPLACE INTO deleted_items VALUES (?, ?)", (item_id, self._session.new_revision())
                )

    def items(self, ids: Sequence[str]) -> list[Item]:
        sql = f"SELECT {ITEM} FROM items WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id"
        return [item_of(row, decode) for row in self._session.rows_of(sql, ids)]

    def items_after(self, revision: int, *, retired: bool = False) -> list[Item]:
        sql = f"SELECT {ITEM} FROM items WHERE retired = ? AND revision > ? ORDER BY revision, id"
        return [item_of(row, decode) for row in self._session.rows(sql, (retired, revision))]

    def deleted_after(self, revision: int) -> list[str]:
        sql = """SELECT id, revision FROM deleted_items WHERE revision > ?1
                 UNION ALL SELECT id, revision FROM items WHERE retired = 1 AND revision > ?1 ORDER BY revision, id"""
        return [item_id for item_id, _ in self._session.rows(sql, (revision,))]

    def item_count(self) -> int:
        return int(self._session.rows("SELECT count(*) FROM items")[0][0])

    def item_ids(self, kind: str) -> set[str]:
        sql = "SELECT id FROM items WHERE kind = ? AND retired = 0"
        return {item_id for (item_id,) in self._session.rows(sql, (kind,))}
