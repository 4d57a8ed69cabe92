"""Sets of isl's that are put together from many parts."""

from __future__ import annotations

import pytest

from ompc.analysis.integers.affine import PARTS_READ_TOGETHER, Sets


@pytest.mark.parametrize("count", [1, 2, PARTS_READ_TOGETHER, PARTS_READ_TOGETHER + 1, 5 * PARTS_READ_TOGETHER + 3])
def test_a_union_has_all_its_parts(count: int) -> None:
    sets, parts = Sets(), [f"[a0] : a0 = {3 * k} and 0 <= p0" for k in range(count)]
    found = sets.union("p0", parts)
    assert found.n_basic_set() == count
    assert found.plain_is_equal(sets.read(f"[p0] -> {{ {'; '.join(parts)} }}"))
