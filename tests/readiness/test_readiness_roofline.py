"""Under which roof a loop is, and the picture of it."""

from __future__ import annotations

import pytest

from ompc.tools.readiness.picture import BOTTOM, LEFT, RIGHT, TOP, picture
from ompc.tools.readiness.roofline import DEVICES, Roof, roofline
from ompc.tools.readiness.words import roofline_words

H200 = DEVICES["h200"]


def work(double: float, single: float, every: float, once: float) -> dict[str, object]:
    return {
        "operations": {"double": double, "single": single},
        "bytes": {"every access": every, "each element once": once},
        "assumed": {"n": 1000},
        "unknown": ["which elements x[k] are"],
    }


@pytest.mark.parametrize(
    ("double", "single", "every", "once", "roof"),
    [
        (2, 0, 24, 24, Roof.MEMORY),
        (2000, 0, 16000, 24, Roof.EITHER),
        (2000, 0, 24, 24, Roof.ARITHMETIC),
        (0, 0, 24, 24, Roof.NO_OPERATIONS),
        (20, 0, 0, 0, Roof.REGISTERS),
    ],
)
def test_roofs(double: float, single: float, every: float, once: float, roof: Roof) -> None:
    found = roofline(work(double, single, every, once), H200)
    assert found is not None and found.roof is roof
    words = roofline_words(found)
    assert "Assumed, since the program's text does not say: n 1,000" in words[-2]
    assert words[-1] == "Not known: which elements x[k] are."
    drawn = picture(found)
    assert (drawn is None) == (roof in {Roof.NO_OPERATIONS, Roof.REGISTERS})
    for x, y in [] if drawn is None else drawn.ends:
        assert LEFT <= x <= RIGHT and TOP <= y <= BOTTOM


def test_a_mixture_of_precisions_has_a_roof_between_theirs() -> None:
    found = roofline(work(10, 10, 8, 8), H200)
    assert found is not None and H200.double < found.peak < H200.single


def test_nothing_is_made_of_nothing() -> None:
    assert roofline(None, H200) is None
