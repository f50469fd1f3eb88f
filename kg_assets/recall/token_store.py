"""The token vectors of all items in one array, so that a few hundred candidates are read in one sweep."""

import numpy as np

from kg_assets.index.quantise import KEPT

NO_VECTORS = (np.zeros((0, KEPT), dtype=np.int8), np.zeros(0, dtype=np.int32))


def grown(column: np.ndarray, rows: int, fill: int = 0) -> np.ndarray:
    """The column with room for `rows`, at least doubled if it must grow; what is new holds `fill`."""
    if rows <= len(column):
        return column
    room = np.full((max(rows, 2 * len(column)) - len(column), *column.shape[1:]), fill, dtype=column.dtype)
    return np.concatenate([column, room])


class TokenStore:
    """int8 vectors and int32 word-piece ids by row, and in how many rows each word piece stands."""

    def __init__(self) -> None:
        self._vectors = np.zeros((4096, KEPT), dtype=np.int8)
        self._ids = np.zeros(4096, dtype=np.int32)
        self._starts = np.zeros(1024, dtype=np.int64)
        self._counts = np.zeros(1024, dtype=np.int64)
        self._containing = np.zeros(32_768, dtype=np.int32)
        self._used = 0
        self._garbage = 0

    @property
    def nbytes(self) -> int:
        return self._vectors.nbytes + self._ids.nbytes + self._containing.nbytes

    def put(self, row: int, vectors: np.ndarray, ids: np.ndarray) -> None:
        """Store a row's tokens in place of those it had."""
        self._starts, self._counts = grown(self._starts, row + 1), grown(self._counts, row + 1)
        self._count_pieces(row, -1)
        self._garbage += int(self._counts[row])
        start, end = self._used, self._used + len(vectors)
        self._vectors, self._ids = grown(self._vectors, end), grown(self._ids, end)
        self._vectors[start:end], self._ids[start:end] = vectors, ids
        self._starts[row], self._counts[row], self._used = start, len(vectors), end
        self._count_pieces(row, +1)
        if self._garbage > 4096 and self._garbage * 2 > self._used:
            self._compact()

    def remove(self, row: int) -> None:
        self.put(row, *NO_VECTORS)

    def counts(self, rows: np.ndarray) -> np.ndarray:
        """int64 (len(rows),): tokens of each."""
        found: np.ndarray = self._counts[rows]
        return found

    def gather(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(int8 (m, 64), int64 (len(rows),)): the rows' vectors one after the other, and where each begins."""
        places, starts = self._places(rows)
        return self._vectors.take(places, axis=0), starts

    def containing(self, ids: np.ndarray) -> np.ndarray:
        """int32 (len(ids),): in how many rows each word piece stands."""
        known = ids < len(self._containing)
        found: np.ndarray = np.where(known, self._containing[np.where(known, ids, 0)], 0)
        return found

    def _places(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        counts = self._counts[rows]
        starts = np.concatenate([[0], np.cumsum(counts)[:-1]]) if len(rows) else counts
        return np.repeat(self._starts[rows] - starts, counts) + np.arange(counts.sum()), starts

    def _count_pieces(self, row: int, step: int) -> None:
        ids = self._ids[self._starts[row] : self._starts[row] + self._counts[row]]
        if len(ids):
            self._containing = grown(self._containing, int(np.max(ids)) + 1)
            self._containing[np.unique(ids)] += step

    def _compact(self) -> None:
        """Close the gaps that replaced rows left: after indexing, half of all vectors are old."""
        rows = np.flatnonzero(self._counts)
        places, starts = self._places(rows)
        self._vectors, self._ids = self._vectors[places], self._ids[places]
        self._starts[rows] = starts
        self._used, self._garbage = len(places), 0
