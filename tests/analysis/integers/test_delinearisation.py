"""Where two polynomials are equal, a table of its own: its sides are no C of one place, but of two iterations."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path

import pytest

from ompc.analysis.integers.delinearisation import where_equal
from ompc.analysis.integers.integer_sets import Piece, begin_file, is_empty
from ompc.analysis.integers.polynomials import Factor, Polynomial, number, variable
from ompc.base.source import Location
from ompc.ir import tree as t
from ompc.ir import types as ty

TABLE = Path(__file__).parent / "tables" / "delinearisation.txt"
LINES = TABLE.read_text().splitlines()
CASES = [line for line in LINES if "=>" in line]
COUNTERS = "ijIJ"
NAMES = {
    name: t.Symbol(name, ty.INT, t.Storage.PARAMETER, Location("t.c", 1, 1), position)
    for position, name in enumerate("mnijIJ")
}


@dataclass
class TwoIterations:
    """0 <= j < m and 0 <= J < m."""

    monomials: dict[tuple[Factor, ...], str] = field(default_factory=dict)

    def is_counter(self, factor: Factor) -> bool:
        return isinstance(factor, t.Symbol) and factor.name in COUNTERS

    def text(self, polynomial: Polynomial) -> str | None:
        terms: list[str] = []
        for factors, coefficient in polynomial.terms:
            if any(map(self.is_counter, factors)):
                if len(factors) > 1:
                    return None
                terms.append(f"{coefficient}*{_name(factors[0])}")
            else:
                terms.append(f"{coefficient}*{self._parameter(factors)}" if factors else f"{coefficient}")
        return f"({' + '.join(terms) or '0'})"

    def _parameter(self, factors: tuple[Factor, ...]) -> str:
        return self.monomials.setdefault(factors, "".join(map(_name, factors)))

    def is_empty(self, *constraints: str) -> bool:
        bounds = f"0 <= j < {self._parameter((NAMES['m'],))} and 0 <= J < m"
        return is_empty(self.monomials.values(), Piece(tuple(COUNTERS), (bounds, *constraints)))


def _name(factor: Factor) -> str:
    assert isinstance(factor, t.Symbol)
    return factor.name


class _Polynomials(dict[str, object]):
    """The names of a side, as polynomials: Python's own operators work on them."""

    def __missing__(self, name: str) -> Polynomial:
        return variable(NAMES[name])


def polynomial(side: str) -> Polynomial:
    with_numbers = re.sub(r"\b\d+\b", lambda found: f"number({found.group()})", side).replace("-", "+ number(-1) *")
    found = eval(with_numbers, {"number": number}, _Polynomials())
    assert isinstance(found, Polynomial)
    return found


def said(line: str) -> str:
    one, other = line.partition("=>")[0].split("==")
    begin_file()
    found = where_equal(polynomial(one), polynomial(other), TwoIterations())
    return "not known" if found is None else " and ".join(found)


def test_table(pytestconfig: pytest.Config) -> None:
    text = [f"{line.partition('=>')[0]}=> {said(line)}" if "=>" in line else line for line in LINES]
    if pytestconfig.getoption("--rewrite"):
        TABLE.write_text("\n".join(text) + "\n")
    else:
        assert text == LINES


@pytest.mark.parametrize("line", CASES)
def test_equations_hold_where_the_sides_are_equal(line: str) -> None:
    """And nowhere else, for all small numbers."""
    one, other = line.partition("=>")[0].split("==")
    found = said(line)
    for m, n in product(range(4), repeat=2):
        for i, j, i2, j2 in product(range(3), range(m), range(3), range(m)):
            values = {"m": m, "n": n, "i": i, "j": j, "I": i2, "J": j2}
            values |= {"mm": m * m, "mn": m * n, "nn": n * n, "mmn": m * m * n}
            if found != "not known":
                equations = found.replace("=", "==")
                assert eval(equations, {}, values) == (eval(one, {}, values) == eval(other, {}, values))
