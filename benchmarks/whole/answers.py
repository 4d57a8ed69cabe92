"""Do two runs of a program say the same?

    exact           line by line, but for blanks at the ends
    numbers 1e-6    words and integers exactly, floating-point numbers within 1e-6 of gcc's; a second number is an
                    absolute difference that is allowed as well
    regex PATTERN   what matches the pattern (its groups, where it has some), in order; gcc's must have a match

Lines that the entry's `ignore` matches are left out before.

In: two texts.   Out: the first difference as text, or None.   Not here: what is an answer (running.py).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import zip_longest

from ompc.tools.answers.compare import first_difference

LONGEST = 60
"""Characters of a line that are shown."""


@dataclass(frozen=True, slots=True)
class Check:
    """Outputs are compared by a pattern if there is one, else by numbers if there is a tolerance, else by lines."""

    relative: float | None = None
    absolute: float = 0.0
    pattern: re.Pattern[str] | None = None


def parse_check(text: str) -> Check:
    """The check that a list asks for. Raises ValueError."""
    kind, _, rest = text.strip().partition(" ")
    if kind == "exact" and not rest:
        return Check()
    if kind == "numbers":
        relative, *more = _tolerances(rest)
        return Check(relative, sum(more))
    if kind == "regex" and rest.strip():
        try:
            return Check(pattern=re.compile(rest.strip(), re.MULTILINE))
        except re.error as error:
            raise ValueError(f"no regular expression: {error}") from error
    raise ValueError('"exact", "numbers TOLERANCE" or "regex PATTERN" is wanted')


def _tolerances(text: str) -> list[float]:
    try:
        found = [float(word) for word in text.split()]
    except ValueError:
        found = []
    if len(found) not in (1, 2) or not all(0 <= number < float("inf") for number in found):
        raise ValueError("numbers: one or two numbers of at least 0 are wanted, as in \"numbers 1e-6\"")
    return found


def difference(check: Check, ignore: re.Pattern[str] | None, expected: str, actual: str) -> str | None:
    """None where both say the same."""
    expected, actual = _kept(expected, ignore), _kept(actual, ignore)
    if check.pattern is not None:
        return _of_matches(check.pattern, expected, actual)
    if check.relative is None:
        return _of_lines(expected.splitlines(), actual.splitlines(), "line")
    found = first_difference(expected, actual, rtol=check.relative, atol=check.absolute)
    return None if found is None else str(found)


def _kept(text: str, ignore: re.Pattern[str] | None) -> str:
    """Without the lines to be left out, and without the blanks at the ends of the others."""
    lines = (line.rstrip() for line in text.splitlines())
    return "\n".join(line for line in lines if ignore is None or not ignore.search(line)).rstrip("\n")


def _of_matches(pattern: re.Pattern[str], expected: str, actual: str) -> str | None:
    wanted, found = ([_said(match) for match in pattern.finditer(text)] for text in (expected, actual))
    return _of_lines(wanted, found, "match") if wanted else "nothing of gcc's answer matches"


def _said(match: re.Match[str]) -> str:
    return " ".join(group or "" for group in match.groups()) if match.groups() else match.group()


def _of_lines(expected: list[str], actual: list[str], what: str) -> str | None:
    for place, (want, have) in enumerate(zip_longest(expected, actual), start=1):
        if want != have:
            shown = ["nothing" if text is None else repr(text[:LONGEST]) for text in (want, have)]
            return f"{what} {place}: expected {shown[0]}, got {shown[1]}"
    return None
