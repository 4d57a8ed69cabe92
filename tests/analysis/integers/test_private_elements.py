"""Element sets and array privatisation by themselves, in tables; beside what each iteration reads before it writes it.

An answer may be weaker than the truth, never stronger: the loops are run (enumeration.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from claims import OTHERS, VALUES
from enumeration import Meaningless, touches
from tables import cases_of, check, compare

from ompc.analysis.facts import Facts
from ompc.analysis.privatisation.array_privatisation import PrivatisableObjects
from ompc.driver import compile_to
from ompc.ir import tree as t
from ompc.ir.queries import declared_in, symbols_in
from ompc.omp.model import ParallelLoop

OF_ITERATIONS = "double t[8]; int r[4][2]; {}"
OF_THREADS = """
void f%d(int n, int m)
{
    #pragma omp parallel
    {
        double t[8]; int r[4][2], i, k, q;
        for (k = 0; k < 8; k++) { t[k] = 0; r[k / 2][k %% 2] = 0; }
        #pragma omp for
        for (i = 0; i < n; i++) { %s }
    }
}
"""


def exposes(loop: ParallelLoop, symbol: t.Symbol) -> bool:
    """Does an iteration read a byte of the object that it has not written, where the loop runs with some values?"""
    return any(list(_exposed(loop, symbol, values)) for values in _meaning(loop))


def _meaning(loop: ParallelLoop) -> Iterator[dict[str, int]]:
    """The values with which the loop has a meaning."""
    for values in ({**OTHERS, **parameters} for parameters in VALUES):
        try:
            touches(loop, values)
        except Meaningless:
            continue
        yield values


def _exposed(loop: ParallelLoop, symbol: t.Symbol, values: dict[str, int]) -> Iterator[int]:
    written: set[tuple[tuple[int, ...], int]] = set()
    for touch in touches(loop, values):
        if touch.object == (symbol.name, False):
            places = [(touch.iteration, byte) for byte in range(touch.first, touch.first + touch.bytes)]
            if touch.writes:
                written.update(places)
            else:
                yield from (byte for iteration, byte in places if (iteration, byte) not in written)


def answers(loop: ParallelLoop, named: Sequence[t.Symbol], says: Callable[[t.Symbol], bool], words: str) -> str:
    """The answer about the array that the loop names, in the first of the words or the second."""
    (symbol,) = named
    claimed, seen = says(symbol), exposes(loop, symbol)
    assert list(_meaning(loop)), f"{loop.function} has no meaning with any values"
    assert not (claimed and seen), f"{loop.function}: an iteration reads what it has not written of {symbol.name}"
    yes, no = words.split()
    return yes if claimed else no if seen else f"{no} *"


def arrays(code: t.Stmt, declared: t.Stmt) -> list[t.Symbol]:
    return [s for s in declared_in(declared) if s.name in ("t", "r") and s in symbols_in(code)]


def test_exposed_elements(pytestconfig: pytest.Config) -> None:
    def says(facts: Facts) -> str:
        body = facts.device_code.body
        named = arrays(body, body)
        return answers(facts.loop, named, lambda symbol: facts.keeps_nothing(body, symbol), "own earlier")

    check("elements", pytestconfig.getoption("--rewrite"), says, OF_ITERATIONS)


def test_privatisable_arrays(tmp_path: Path, pytestconfig: pytest.Config) -> None:
    texts = [OF_THREADS % (number, case.code) for number, case in enumerate(cases_of("privatisable"))]
    source = tmp_path / "t.c"
    source.write_text("static double v[50];\n" + "".join(texts))
    known = compile_to("analysis", source)
    objects = PrivatisableObjects(known.unit)

    def says(loop: ParallelLoop) -> str:
        assert loop.body is not None and loop.team is not None
        named = arrays(loop.body, loop.team.code)
        return answers(loop, named, lambda symbol: objects.privatisable(loop, symbol) == frozenset(), "yes no")

    compare("privatisable", list(map(says, known.file.omp.loops)), pytestconfig.getoption("--rewrite"))


@pytest.mark.parametrize(("read", "is_exposed"), [("t[0]", False), ("t[1]", True), ("t[i % 2]", True)])
def test_the_oracle_sees_what_is_exposed(tmp_path: Path, read: str, is_exposed: bool) -> None:
    source = tmp_path / "t.c"
    source.write_text("static double v[50];\n" + OF_THREADS % (0, f"t[0] = 1; v[i] = {read};"))
    (loop,) = compile_to("omp", source).loops
    assert loop.body is not None and loop.team is not None
    assert [exposes(loop, symbol) for symbol in arrays(loop.body, loop.team.code)] == [is_exposed]
