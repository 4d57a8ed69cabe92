"""Do two programs say the same? What gcc's program says differently from one run to the next does not count.

    run 1:  pi = 3.14159265 in 0.013 s       run 2:  pi = 3.14159266 in 0.021 s
    ->      pi = <3.14159265> in <anything> s

Words are compared one by one. Integers and words must be equal; numbers with a point or an exponent may differ by a
relative tolerance (sums are added up in another order), or by one unit of the last printed digit. A word that differs
between gcc's own runs may be anything (times, thread numbers). Where the order of lines differs between gcc's runs, or
is all that is different, lines are compared as a multiset, and of gcc's only those that all of its runs print.

In: texts.   Out: Comparison.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite

TOLERANCE = 1e-6
WORD = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|[-+]?(?:nan|inf)\b|[A-Za-z_]\w*|[^\s\w]")
REAL = re.compile(r"[-+]?(?:\d+\.\d*|\.\d+|\d+(?=[eE]))(?:[eE][-+]?\d+)?")


@dataclass(frozen=True, slots=True)
class Comparison:
    """`difference` is empty where there is none; `ignored`, `compared`: how many words."""

    difference: str
    ignored: int
    compared: int


def compare(references: Sequence[str], text: str) -> Comparison:
    """Does `text` say what all the `references` say?"""
    lines = [[WORD.findall(line) for line in reference.splitlines() if line.strip()] for reference in references]
    have = [WORD.findall(line) for line in text.splitlines() if line.strip()]
    if len({len(reference) for reference in lines}) > 1:
        return _as_multiset(lines, have)
    found = _in_order(lines, have)
    if found.difference and len(have) == len(lines[0]):
        unordered = _as_multiset(lines, have)
        if not unordered.difference and unordered.ignored == 0:
            return unordered
    return found


def _in_order(references: list[list[list[str]]], have: list[list[str]]) -> Comparison:
    first, ignored, compared = references[0], 0, 0
    if len(first) != len(have):
        return Comparison(f"{len(first)} lines expected, got {len(have)}", 0, 0)
    for at, (want, got) in enumerate(zip(first, have, strict=True)):
        others = [reference[at] for reference in references[1:]]
        if any(len(other) != len(want) for other in others):
            ignored += len(want)
            continue
        if len(want) != len(got):
            return Comparison(_line_text(at, want, got), ignored, compared)
        for place, (word, own) in enumerate(zip(want, got, strict=True)):
            if any(not same_word(word, other[place]) for other in others):
                ignored += 1
            elif not same_word(word, own):
                return Comparison(_line_text(at, want, got), ignored, compared)
            else:
                compared += 1
    return Comparison("", ignored, compared)


def _as_multiset(references: list[list[list[str]]], have: list[list[str]]) -> Comparison:
    counted = [Counter(" ".join(line) for line in reference) for reference in references]
    stable = counted[0]
    for other in counted[1:]:
        stable = stable & other
    missing = stable - Counter(" ".join(line) for line in have)
    ignored = sum(len(line.split()) for line in (counted[0] - stable).elements())
    compared = sum(len(line.split()) for line in stable.elements())
    if missing:
        return Comparison(f"missing: {next(iter(missing))[:200]}", ignored, compared)
    return Comparison("", ignored, compared)


def same_word(want: str, got: str) -> bool:
    """Equal, or numbers that are near enough."""
    if want == got:
        return True
    if not (REAL.fullmatch(want) and _is_number(got)) and not (REAL.fullmatch(got) and _is_number(want)):
        return False
    a, b = float(want), float(got)
    if not (isfinite(a) and isfinite(b)):
        return False
    return abs(a - b) <= max(TOLERANCE * max(abs(a), abs(b)), 1.01 * _last_digit(want), 1.01 * _last_digit(got))


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def _last_digit(word: str) -> float:
    """The value of one unit in the last printed place of a number with a point and no exponent."""
    if "e" in word.lower() or "." not in word:
        return 0.0
    return 10.0 ** -len(word.split(".")[1])


def _line_text(at: int, want: list[str], got: list[str]) -> str:
    return f"line {at + 1}: expected {' '.join(want)[:160]!r}, got {' '.join(got)[:160]!r}"
