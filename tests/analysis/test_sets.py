"""Sets of isl's that are put together from many parts; what was read for one question is there for the next."""

from __future__ import annotations

from collections.abc import Iterator

import islpy as isl
import pytest

from ompc.analysis.integers import integer_sets
from ompc.analysis.integers.integer_sets import PARTS_READ_TOGETHER, Piece, Sets, begin_file, is_empty

EVEN = Piece(("a0",), ("a0 = 2 i0", "0 <= i0", "i0 < p0"), ("i0",))


@pytest.fixture(autouse=True)
def file() -> Iterator[None]:
    begin_file()
    yield
    begin_file()


@pytest.mark.parametrize("count", [1, 2, PARTS_READ_TOGETHER, PARTS_READ_TOGETHER + 1, 5 * PARTS_READ_TOGETHER + 3])
def test_a_union_has_all_its_parts(count: int) -> None:
    sets, pieces = Sets(), [Piece(("a0",), (f"a0 = {3 * k}", "0 <= p0")) for k in range(count)]
    found = sets.of(["p0"], *pieces)
    text = f"[p0] -> {{ {'; '.join(piece.text for piece in pieces)} }}"
    assert found.n_basic_set() == count
    found.get_ctx().set_max_operations(0)
    assert found.plain_is_equal(isl.Set.read_from_str(found.get_ctx(), text))


def test_the_next_question_has_what_was_read() -> None:
    sets = Sets()
    found = sets.of(["p0"], EVEN)
    del sets
    assert Sets().of(["p0"], EVEN) is found


def test_another_file_has_read_nothing() -> None:
    sets = Sets()
    found = sets.of(["p0"], EVEN)
    del sets
    begin_file()
    assert Sets().of(["p0"], EVEN) is not found


def test_two_questions_at_once_take_nothing_of_each_others_operations() -> None:
    one, other = Sets(), Sets()
    assert one.of(["p0"], EVEN) is not other.of(["p0"], EVEN)
    assert one._reader is not other._reader


def test_who_comes_behind_a_question_that_was_too_large_begins_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as few:
        few.setattr(integer_sets, "MOST_OPERATIONS", 1)
        few.setattr(integer_sets, "LEAST_OPERATIONS", 1)
        with pytest.raises(isl.Error):
            is_empty(["p0"], EVEN)
    begin = integer_sets._ALLOWANCE.left
    assert not Sets().of(["p0"], EVEN).is_empty()
    assert integer_sets._ALLOWANCE.left == begin - 1  # what the first question was granted


def test_a_set_answers_alike_however_often_it_was_asked_about() -> None:
    """What isl finds out about a set it may write down there: that changes how much a question costs, no answer."""
    pieces = [EVEN, Piece(("a0",), ("a0 = 2 i0 + 1", "0 <= i0", "i0 < p0"), ("i0",))]

    def answers(sets: Sets) -> list[bool]:
        even, odd = (sets.of(["p0"], piece) for piece in pieces)
        both = sets.of(["p0"], *pieces)
        found = (even.intersect(odd), even.subtract(both), both.subtract(even), even.params())
        return [each.is_empty() for each in found]

    first = answers(Sets())
    assert [answers(Sets()) for _ in range(3)] == 3 * [first] == 3 * [[True, True, False, False]]
