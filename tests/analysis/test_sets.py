"""Sets of isl's that are put together from many parts."""

from __future__ import annotations

import islpy as isl
import pytest

from ompc.analysis.integers.integer_sets import PARTS_READ_TOGETHER, Piece, Sets


@pytest.mark.parametrize("count", [1, 2, PARTS_READ_TOGETHER, PARTS_READ_TOGETHER + 1, 5 * PARTS_READ_TOGETHER + 3])
def test_a_union_has_all_its_parts(count: int) -> None:
    sets, pieces = Sets(), [Piece(("a0",), (f"a0 = {3 * k}", "0 <= p0")) for k in range(count)]
    found = sets.of(["p0"], *pieces)
    text = f"[p0] -> {{ {'; '.join(piece.text for piece in pieces)} }}"
    assert found.n_basic_set() == count
    found.get_ctx().set_max_operations(0)
    assert found.plain_is_equal(isl.Set.read_from_str(found.get_ctx(), text))
