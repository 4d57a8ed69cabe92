"""What counts as the same output."""

from __future__ import annotations

import pytest

from ompc.tools.answers.compare import first_difference, tokens


@pytest.mark.parametrize(
    ("expected", "actual"),
    [
        ("", ""),
        ("pi 3.141592653590", "pi  3.141592653589\n"),
        ("x 1e-3", "x 0.001"),
        ("x nan inf -inf", "x -nan inf -inf"),
        ("r 0.0", "r 1e-17"),
        ("n 007", "n 7"),
        ("a[3]=1.0000000001", "a[3]=1.0"),
        ("took 3.", "took 3."),
        ("-1.0", "-1.00000000001"),
    ],
)
def test_same(expected: str, actual: str) -> None:
    assert first_difference(expected, actual) is None


@pytest.mark.parametrize(
    ("expected", "actual", "place"),
    [
        ("inside 1118", "inside 1119", "token 2: expected 1118, got 1119"),
        ("n 100000000000", "n 100000000001", "token 2"),
        ("n 1000000000000.", "n 1000000000001.", "token 2"),
        ("pi 3.14159", "pi 3.14160", "token 2"),
        ("pi 3.14", "", "token 1: expected pi, got the end of the output"),
        ("", "more", "token 1: expected the end of the output, got more"),
        ("x inf", "x 1e300", "token 2"),
        ("x inf", "x -inf", "token 2"),
        ("x 1.0", "x nan", "token 2"),
        ("x nan", "x 1.0", "token 2"),
        ("x 1.0", "x y", "token 2"),
        ("x 1.0", "x -1.0", "token 2"),
        ("v1.2.3", "v1.2.4", "token"),
        ("0x1f", "0x2f", "token"),
    ],
)
def test_different(expected: str, actual: str, place: str) -> None:
    difference = first_difference(expected, actual)
    assert difference is not None
    assert str(difference).startswith(place)


def test_tolerance_is_the_callers() -> None:
    assert first_difference("1.0", "1.01", rtol=0.1) is None
    assert first_difference("0.0", "1e-3", rtol=0.1) is not None
    assert first_difference("0.0", "1e-3", atol=1e-2) is None
    assert first_difference("2.0", "2.0000000001", rtol=0.0, atol=0.0) is not None


def test_tokens() -> None:
    assert tokens("a[3]=-1e-3, info 1.2.3 5x") == [
        *("a", "[", "3", "]", "=", "-1e-3", ",", "info"),
        *("1", ".", "2", ".", "3", "5", "x"),
    ]
