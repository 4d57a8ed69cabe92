"""Do two outputs say the same? Words and integers exactly, floating-point numbers within a tolerance.

    first_difference("pi 3.141592653590\\n", "pi 3.141592653589\\n")   ->  None
    first_difference("inside 1118", "inside 1119")                    ->  Difference("token 2: expected 1118, got 1119")

A number counts as floating point when either side prints a point, an exponent, inf or nan.
"""

from __future__ import annotations

import math
import re
from itertools import zip_longest

from ompc.base.frozen import dataclass

_NUMBER = re.compile(r"[+-]?(?:(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?|inf(?:inity)?|nan)(?!\w|\.\d)", re.IGNORECASE)
_TOKEN = re.compile(rf"(?<![\w.]){_NUMBER.pattern}|[^\W\d]\w*|\S", re.IGNORECASE)
_INTEGER = re.compile(r"[+-]?\d+")


@dataclass(frozen=True, slots=True)
class Difference:
    """The first place where two outputs differ, as text for a report."""

    message: str

    def __str__(self) -> str:
        return self.message


def first_difference(expected: str, actual: str, rtol: float = 1e-9, atol: float = 1e-12) -> Difference | None:
    """None when the outputs agree token by token. White space separates tokens and is not compared otherwise.

    |expected - actual| <= atol + rtol |expected| for floating-point numbers; nan agrees with nan, and an infinity
    with the same infinity only.
    """
    for place, (want, have) in enumerate(zip_longest(tokens(expected), tokens(actual)), start=1):
        if want is None:
            return Difference(f"token {place}: expected the end of the output, got {have}")
        if have is None:
            return Difference(f"token {place}: expected {want}, got the end of the output")
        if not _agree(want, have, rtol, atol):
            return Difference(f"token {place}: expected {want}, got {have}")
    return None


def largest_difference(expected: str, actual: str) -> float:
    """Of the finite numbers at the same places, relatively to the expected ones; 0 counts as 1."""
    found = 0.0
    for want, have in zip(tokens(expected), tokens(actual), strict=False):
        if want != have and _NUMBER.fullmatch(want) and _NUMBER.fullmatch(have):
            a, b = float(want), float(have)
            if math.isfinite(a) and math.isfinite(b):
                found = max(found, abs(a - b) / (abs(a) or 1.0))
    return found


def tokens(text: str) -> list[str]:
    """Numbers, words and single other characters, in order: "a[3]=1e-3" is a [ 3 ] = 1e-3."""
    return _TOKEN.findall(text)


def _agree(want: str, have: str, rtol: float, atol: float) -> bool:
    if want == have:
        return True
    if not (_NUMBER.fullmatch(want) and _NUMBER.fullmatch(have)):
        return False
    if _INTEGER.fullmatch(want) and _INTEGER.fullmatch(have):
        return int(want) == int(have)
    a, b = float(want), float(have)
    if math.isnan(a) or math.isnan(b):
        return math.isnan(a) and math.isnan(b)
    if math.isinf(a) or math.isinf(b):
        return a == b
    return abs(a - b) <= atol + rtol * abs(a)
