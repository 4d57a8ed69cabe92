"""The text form of the analyses' product, for `--dump analysis`.

main_u
  calls     half, add
  object    u        read (i, j), (i - 1, j)
  object    *y       write (i)                 elements 0 .. n - 1
  exact     z * z
  iterations  proved independent
  inner     for (j = 0; j < m; j++)
main_v     host: OMPC320 calls 'printf' ...
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ompc.analysis.facts import Facts
from ompc.analysis.independence import independence
from ompc.analysis.memory.accesses import Access
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.base.diagnostics import Reason
from ompc.ir.show import c_expr
from ompc.omp.model import ParallelLoop


def show_facts(facts: Mapping[ParallelLoop, Facts | Reason]) -> str:
    """One block per loop, in the order of the text."""
    return "\n".join(line for loop, known in facts.items() for line in _loop(loop, known)) + "\n"


def _loop(loop: ParallelLoop, known: Facts | Reason) -> Iterator[str]:
    if isinstance(known, Reason):
        yield f"{loop.id}  host: {known.code} {known.message}"
        return
    yield loop.id
    if known.device_code.functions:
        yield f"  calls   {', '.join(function.name for function in known.device_code.functions)}"
    for obj in known.shared_objects:
        yield from _object(known, obj)
    for product in sorted(known.exact, key=lambda node: (node.loc, c_expr(node))):
        yield f"  exact   {c_expr(product)}"
    yield from _iterations(known)
    for inner in known.inner_loops.values():
        yield f"  inner   {inner.var.name} from {c_expr(inner.lower)} while {inner.relation} {c_expr(inner.upper)}"


def _iterations(facts: Facts) -> Iterator[str]:
    found = independence(facts)
    rows = f", if no two of {', '.join(map(str, found.rows))} overlap" if found.rows else ""
    if not found.unproved:
        yield f"  iterations  proved independent{rows}"
    for pair in found.unproved:
        yield f"  iterations  {c_expr(pair.first.node)}, {c_expr(pair.second.node)}: {pair.why}"


def _object(facts: Facts, obj: MemoryObject) -> Iterator[str]:
    modes: dict[str, list[str]] = {}
    for access in facts.of(obj):
        modes.setdefault(access.mode.value, []).append(_place(access))
    uses = "; ".join(f"{mode} {', '.join(dict.fromkeys(places))}" for mode, places in modes.items())
    section = facts.footprints.section(obj) if obj.pointee else None
    extent = "" if section is None else f"   elements {section.lower} .. {section.upper}"
    yield f"  object  {obj!s:<8} {uses}{extent}"


def _place(access: Access) -> str:
    where = "" if access.function is None else f" in {access.function.name}"
    if access.subscripts is None:
        return f"somewhere{where}"
    return f"({', '.join(map(c_expr, access.subscripts))}){where}"
