"""The contract of `ports.Compute`."""

import pytest

from kg_assets.ports import Compute
from resources.compute import LocalCompute


@pytest.fixture(params=[LocalCompute])
def compute(request: pytest.FixtureRequest) -> Compute:
    made: Compute = request.param()
    return made


def test_results_stand_in_the_order_of_the_chunks(compute: Compute) -> None:
    assert compute.map(sorted, [[3, 1], [2], []]) == [[1, 3], [2], []]


def test_an_error_in_a_chunk_comes_back(compute: Compute) -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        compute.map(int, ["1", "one"])
