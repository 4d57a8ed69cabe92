"""pycparser is known to frontend and sema alone, at run time too: what sema makes does not lead to its nodes."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import CellType, FunctionType, ModuleType

import pytest

from ompc.analysis.privatisation.whole_program import WholeProgram
from ompc.base.options import Options
from ompc.driver import SourceFile, compile_to, read_unit
from ompc.ir.tree import Pragma
from ompc.ir.walk import walk

HERE = Path(__file__).parent
PROGRAMS = (
    HERE / "regressions" / "sections_as_written.c",
    *(HERE / "execution" / "cases" / f"{name}.c" for name in ("clauses", "openmpc", "reductions_declared")),
    HERE / "execution" / "cases" / "functions.c",
    *(HERE / "omp" / "cases" / f"{name}.c" for name in ("unread", "target")),
)
PRODUCTS: dict[str, Callable[[Path], object]] = {
    "sema": partial(compile_to, "sema"),
    "transform": partial(compile_to, "transform"),
    "omp": partial(compile_to, "omp"),
    "analysis": partial(compile_to, "analysis"),
    "plan": partial(compile_to, "plan"),
}
_ELSEWHERE = (type, ModuleType, str, bytes, int, float, bool, type(None))


def reachable(root: object) -> Iterator[tuple[object, tuple[str, ...]]]:
    """Every object that data leads to, with the classes on the way; of functions, what they have closed over."""
    seen = {id(root)}
    stack: list[tuple[object, tuple[str, ...]]] = [(root, ())]
    while stack:
        found, way = stack.pop()
        yield found, way
        closed = found.__closure__ or () if isinstance(found, FunctionType) else None
        for part in gc.get_referents(found) if closed is None else closed:
            inner = part.cell_contents if isinstance(part, CellType) else part
            if id(inner) not in seen and not isinstance(inner, _ELSEWHERE):
                seen.add(id(inner))
                stack.append((inner, (*way[-8:], type(found).__name__)))


@pytest.mark.parametrize("stage", PRODUCTS)
@pytest.mark.parametrize("source", PROGRAMS, ids=lambda path: path.stem)
def test_no_product_behind_sema_leads_to_pycparser(source: Path, stage: str) -> None:
    for found, way in reachable(PRODUCTS[stage](source)):
        assert not type(found).__module__.startswith("pycparser"), f"a {type(found).__name__} by way of {way}"


def test_no_program_of_several_files_leads_to_pycparser() -> None:
    units = [read_unit(SourceFile(source, Options(), HERE)) for source in PROGRAMS[-4:-2]]
    known = WholeProgram([unit for unit in units if unit is not None])
    assert known.everywhere("n", "is it there", lambda *_: frozenset()) is not None  # its units are complete now
    kinds = {type(found).__module__.split(".")[0] for found, _ in reachable(known)}
    assert "ompc" in kinds and "pycparser" not in kinds


def test_the_walk_comes_to_nodes_where_they_are() -> None:
    kinds = {type(found).__module__.split(".")[0] for found, _ in reachable(compile_to("frontend", PROGRAMS[0]))}
    assert "pycparser" in kinds
    pragmas = [node for node, _ in reachable(compile_to("omp", PROGRAMS[0])) if isinstance(node, Pragma)]
    assert pragmas and all(list(walk(pragma)) for pragma in pragmas)
