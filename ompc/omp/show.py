"""The text form of the OpenMP stage's product: for `--dump omp`, snapshots and internal errors.

    loop main_s at line 5: parallel for reduction(+: s) schedule(static)
        for i: int from 0 while < n, up by 1
        sharing: n shared, s reduction, i loop variable
        reductions: s +
        host: OMPC305 the argument of `num_threads` has a side effect, or calls a function
"""

from __future__ import annotations

from collections.abc import Iterator

from ompc.base.diagnostics import Diagnostic
from ompc.ir.directive import Clause, Directive
from ompc.ir.show import c_expr, type_text
from ompc.omp.model import (
    CanonicalLoop,
    Dimension,
    League,
    Override,
    ParallelLoop,
    ReductionItem,
    Target,
)
from ompc.omp.regions import OmpUnit


def show_unit(unit: OmpUnit) -> str:
    """One block per loop, then the warnings, each line ended."""
    lines = [line for loop in unit.loops for line in _loop_lines(loop)]
    lines += [_warning_line(warning) for warning in (*unit.warnings, *unit.notes)]
    return "".join(line + "\n" for line in lines)


def show_loop(loop: ParallelLoop) -> str:
    """The block of one loop."""
    return "".join(line + "\n" for line in _loop_lines(loop))


def directive_text(directive: Directive) -> str:
    """The directive with its clauses as the user spelt their arguments."""
    return " ".join([directive.name, *(_clause_text(c) for c in directive.clauses)])


def _loop_lines(loop: ParallelLoop) -> Iterator[str]:
    yield f"loop {loop.id} at line {loop.line}: {directive_text(loop.directive)}"
    yield from (f"    {_canonical_text(nested)}" for nested in loop.loops)
    if loop.team is not None:
        yield f"    shared by the team of {_team_text(loop)}"
    if loop.league is not League.NONE:
        yield f"    launched where {loop.league.value}"
    if loop.sharing:
        yield "    sharing: " + ", ".join(f"{s.name} {sharing.value}" for s, sharing in loop.sharing.items())
    if loop.reductions:
        yield "    reductions: " + ", ".join(_reduction_text(r) for r in loop.reductions)
    if loop.scan is not None:
        yield f"    scan: {loop.scan.words}"
    if loop.lastprivates:
        names = (("conditional " if s in loop.conditional else "") + s.name for s in loop.lastprivates)
        yield "    lastprivate: " + ", ".join(names)
    if loop.condition is not None:
        yield f"    if: {loop.condition.user_text}"
    if loop.target is not None:
        yield from _target_lines(loop.target)
    if loop.override != Override():
        yield "    asked: " + ", ".join(_asked(loop.override))
    if loop.host is not None:
        yield f"    host: {loop.host.code} {loop.host.message}"


def _target_lines(target: Target) -> Iterator[str]:
    if target.copies:
        names = (symbol.name for symbol in sorted(target.copies, key=lambda s: s.position))
        yield f"    copies of the target region's own: {', '.join(names)}"
    for symbol, section in target.sections.items():
        yield f"    mapped: {symbol.name}[{section.first} : {section.count}]"
    for pragma in sorted(target.alone, key=lambda p: p.loc.line):
        yield f"    run by one thread alone: {pragma.directive.text}"
    if target.waits:
        yield "    waits for tasks"
    if not target.independent:
        yield "    the iterations may depend on earlier ones"


def _team_text(loop: ParallelLoop) -> str:
    assert loop.team is not None
    region = loop.team.region
    return "whoever calls the function" if region is None else f"line {region.loc.line}: {directive_text(region)}"


def _reduction_text(item: ReductionItem) -> str:
    declared = f" of line {item.declared.loc.line}" if item.declared is not None else ""
    return f"{item.symbol.name}{''.join(map(_dimension_text, item.section))} {item.op}{declared}"


def _dimension_text(dimension: Dimension) -> str:
    lower = "" if dimension.lower is None else c_expr(dimension.lower)
    length = "" if dimension.length is None else c_expr(dimension.length)
    return f"[{lower}]" if dimension.single else f"[{lower}:{length}]"


def _asked(asked: Override) -> Iterator[str]:
    if asked.threads is not None:
        yield f"{asked.threads} threads a block"
    if asked.blocks is not None:
        yield f"at most {asked.blocks} blocks"
    yield from (f"{s.name} constant" for s in sorted(asked.constant, key=lambda s: s.position))
    yield from (f"{s.name} not constant" for s in sorted(asked.not_constant, key=lambda s: s.position))
    if asked.annotated_only:
        yield "the annotated loops alone"
    if asked.shape.values():
        yield asked.shape.clauses
    if asked.host is not None:
        yield "the host"


def _canonical_text(loop: CanonicalLoop) -> str:
    here = ", declared here" if loop.declared_here else ""
    step = "1" if loop.step is None else str(loop.constant_step) if loop.constant_step else c_expr(loop.step)
    return (
        f"for {loop.var.name}: {type_text(loop.type)}{here} from {c_expr(loop.lower)} "
        f"while {loop.relation} {c_expr(loop.upper)}, {'down' if loop.down else 'up'} by {step}"
    )


def _clause_text(clause: Clause) -> str:
    if not clause.user_text:
        return clause.name
    modifier = f"{clause.modifier}: " if clause.modifier is not None else ""
    return f"{clause.name}({modifier}{clause.user_text})"


def _warning_line(warning: Diagnostic) -> str:
    line = f"line {warning.at.line}: " if warning.at is not None else ""
    help_ = f" ({warning.help})" if warning.help else ""
    return f"{warning.kind.value} {warning.code} {line}{warning.message}{help_}"
