"""Who stands beside whom: the turns of each session in their order."""

from bisect import bisect_left, insort

import numpy as np

from kg_assets.recall.token_store import grown


class Sessions:
    """Rows of each session by seq, and for each row the one before and after it (-1 at the ends)."""

    def __init__(self) -> None:
        self._turns: dict[str, list[tuple[int, int]]] = {}
        self._before = np.full(1024, -1, dtype=np.int64)
        self._after = np.full(1024, -1, dtype=np.int64)

    def add(self, session: str, seq: int, row: int) -> None:
        self._before, self._after = grown(self._before, row + 1, -1), grown(self._after, row + 1, -1)
        turns = self._turns.setdefault(session, [])
        insort(turns, (seq, row))
        place = bisect_left(turns, (seq, row))
        self._join(turns[place - 1][1] if place else -1, row)
        self._join(row, turns[place + 1][1] if place + 1 < len(turns) else -1)

    def remove(self, session: str, seq: int, row: int) -> None:
        turns = self._turns[session]
        del turns[bisect_left(turns, (seq, row))]
        self._join(int(self._before[row]), int(self._after[row]))
        self._before[row] = self._after[row] = -1
        if not turns:
            del self._turns[session]

    def nearby(self, rows: np.ndarray, turns: int) -> list[tuple[int, np.ndarray]]:
        """(turns away, int64 (len(rows),) row there or -1) for -1, +1, -2, +2 and so on up to `turns`."""
        found = []
        before = after = rows
        for away in range(1, turns + 1):
            before, after = _follow(self._before, before), _follow(self._after, after)
            found += [(-away, before), (away, after)]
        return found

    def _join(self, first: int, second: int) -> None:
        if first >= 0:
            self._after[first] = second
        if second >= 0:
            self._before[second] = first


def _follow(links: np.ndarray, rows: np.ndarray) -> np.ndarray:
    inside = (rows >= 0) & (rows < len(links))
    return np.where(inside, links[np.where(inside, rows, 0)], -1)
