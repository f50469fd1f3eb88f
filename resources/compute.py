"""Compute in the calling process: what runs where no cluster is configured."""

from collections.abc import Callable, Sequence
from typing import TypeVar

In = TypeVar("In")
Out = TypeVar("Out")


class LocalCompute:
    """Runs chunks one after another; the first error ends the whole, as on a cluster."""

    def map(self, function: Callable[[In], Out], chunks: Sequence[In]) -> list[Out]:
        return [function(chunk) for chunk in chunks]
