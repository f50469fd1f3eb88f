"""Index items with their vectors, by the revision at which each was last written."""

from collections.abc import Sequence

import msgspec

from kg_assets.model import Item
from resources.sqlite.session import Row, Session, encode

_ITEM = (
    "id, kind, ref, seq, text, session, speaker, said_at, pooled, tokens, token_ids, provisional, index_version, "
    "salience, metadata, retired, revision"
)
_object = msgspec.json.Decoder(dict[str, object])


def _row_of(i: Item, revision: int) -> Row:
    return (
        *(i.id, i.kind, i.ref, i.seq, i.text, i.session, i.speaker, i.said_at, i.pooled, i.tokens, i.token_ids),
        *(int(i.provisional), i.index_version, i.salience, encode(i.metadata), int(i.retired), revision),
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
        provisional=bool(row[11]),
        index_version=row[12],
        salience=row[13],
        metadata=_object.decode(row[14]),
        retired=bool(row[15]),
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
        self._session.write_many(
            f"INSERT OR REPLACE INTO items ({_ITEM}) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
            [_row_of(item, revision) for item in items],
        )
        self._session.write_many("DELETE FROM deleted_items WHERE id = ?", [(item.id,) for item in items])

    def delete_items(self, ids: Sequence[str]) -> None:
        self._session.must_write("delete_items")
        for item_id in ids:
            if self._session.write("DELETE FROM items WHERE id = ?", (item_id,)):
                self._session.write(
                    "INSERT OR REPLACE INTO deleted_items VALUES (?, ?)", (item_id, self._session.new_revision())
                )

    def items(self, ids: Sequence[str]) -> list[Item]:
        sql = f"SELECT {_ITEM} FROM items WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id"
        return [_item_of(row) for row in self._session.rows_of(sql, ids)]

    def items_after(self, revision: int, *, retired: bool = False) -> list[Item]:
        sql = f"SELECT {_ITEM} FROM items WHERE retired = ? AND revision > ? ORDER BY revision, id"
        return [_item_of(row) for row in self._session.rows(sql, (int(retired), revision))]

    def deleted_after(self, revision: int) -> list[str]:
        sql = """SELECT id, revision FROM deleted_items WHERE revision > ?1
                 UNION ALL SELECT id, revision FROM items WHERE retired = 1 AND revision > ?1 ORDER BY revision, id"""
        return [item_id for item_id, _ in self._session.rows(sql, (revision,))]

    def item_count(self) -> int:
        return int(self._session.rows("SELECT count(*) FROM items")[0][0])

    def item_ids(self, kind: str) -> set[str]:
        sql = "SELECT id FROM items WHERE kind = ? AND retired = 0"
        return {item_id for (item_id,) in self._session.rows(sql, (kind,))}
