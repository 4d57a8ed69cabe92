"""Analysis: `critical` sections that are made of operations on one object each (OpenMP 5.2, 15.2).

Threads of a device cannot wait for one another's sections one by one at any speed. But where each object that a
section shares with others is only accumulated into, the sections need not exclude each other: every operation alone
is atomic, and the order of all does not show.

    #pragma omp critical
    {
        s += e;  n++;  if (e < m) m = e;          atomic_add, atomic_add, atomic_min
        if (e > best) { best = e; where = i; }    an argmin/argmax reduction (argmin_argmax.py)
        found = 1;                                atomic_write
        slot = count++;  list[slot] = i;          atomic_add with the value before; list[slot] is nobody else's
    }

    In: a pragma and its statement.   Out: Section: every operation in it.
    Not here: whether what else it does touches shared objects -- atomic_operations.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ompc.analysis.reductions.argmin_argmax import ArgReduction, arg_reduction, variable
from ompc.analysis.reductions.atomics import Forms, atomic, captured, captured_in_place, unsuitable
from ompc.analysis.reductions.operations import Operation, Result, selection, update
from ompc.base.diagnostics import Reason
from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir.constants import constant_value
from ompc.ir.directive import Directive
from ompc.ir.walk import children, walk


@dataclass(frozen=True, slots=True)
class Section:
    """A critical section: its `forms`, its `arg_reductions`, and those of its operations that may be done
    `repeatedly`.
    """

    pragma: t.Pragma
    forms: Forms
    arg_reductions: tuple[ArgReduction, ...]
    repeatedly: frozenset[Operation]


def critical(pragma: t.Pragma) -> Section:
    """All that looks like an operation in the section, whether or not its object turns out to be shared."""
    collector = _Collector()
    if pragma.body is not None:
        collector.statement(pragma.body, repeated=False)
    repeatedly = frozenset(collector.repeatedly)
    return Section(pragma, collector.forms, tuple(collector.arg_reductions), repeatedly)


class _Collector:
    def __init__(self) -> None:
        self.forms = Forms()
        self.arg_reductions: list[ArgReduction] = []
        self.repeatedly: list[Operation] = []

    def add(self, forms: Forms, repeated: bool) -> None:
        self.forms |= forms
        if repeated:
            self.repeatedly += forms.operations

    def statement(self, node: t.Stmt | t.VarDecl, repeated: bool) -> None:
        match node:
            case t.Block(items=items):
                self.block([item for item in items if not isinstance(item, t.Empty)], repeated)
            case t.ExprStmt(expr=expr):
                self.expression(expr, repeated)
            case t.If() if (found := _suitable(selection(node))) is not None:
                self.add(Forms(statements={node: found}), repeated)
            case t.If() if (entered := arg_reduction(node)) is not None:
                self.arg_reductions.append(entered)
            case t.Pragma(directive=Directive(name="atomic")):
                forms = atomic(node)
                if not isinstance(forms, Reason):
                    self.add(forms, repeated)
            case _:
                inside = repeated or isinstance(node, (t.For, t.While, t.DoWhile))
                for child in children(node):
                    if isinstance(child, t.Expr):
                        self.parts(child, inside)
                    else:
                        self.statement(child, inside)

    def block(self, items: Sequence[t.Stmt], repeated: bool) -> None:
        position = 0
        while position < len(items):
            pair = items[position : position + 2]
            forms = _pair(*pair) if len(pair) == 2 else None
            if forms is not None:
                self.add(forms, repeated)
                position += 2
            else:
                self.statement(items[position], repeated)
                position += 1

    def expression(self, expr: t.Expr, repeated: bool) -> None:
        """An expression whose value nobody uses."""
        found = _suitable(update(expr) or selection(expr))
        if found is not None:
            self.add(Forms({expr: found}), repeated)
            return
        if isinstance(expr, t.Assign) and expr.op == "=":
            forms = captured_in_place(expr.target, expr.value)
            if forms is not None and all(map(_suitable, forms.operations)):
                self.parts(expr.target, repeated)
                self.add(forms, repeated)
                return
            if (stored := _suitable(_store(expr))) is not None:
                self.add(Forms({expr: stored}), repeated)
        self.parts(expr, repeated)

    def parts(self, expr: t.Expr, repeated: bool) -> None:
        """The increments and compound assignments inside an expression, whose values are used."""
        for node in walk(expr):
            found = _suitable(update(node)) if isinstance(node, (t.IncDec, t.Assign)) else None
            if found is not None and isinstance(node, t.Expr):
                before = isinstance(node, t.IncDec) and not node.prefix
                result = Result.BEFORE if before else Result.AFTER
                self.add(Forms({node: replace(found, result=result)}), repeated)


def _pair(first: t.Stmt, second: t.Stmt) -> Forms | None:
    """`v = x; x += e;` and `x += e; v = x;`."""
    for compares in (False, True):
        forms = captured(first, second, Result.BEFORE, compares) or captured(second, first, Result.AFTER, compares)
        if forms is not None and all(map(_suitable, forms.operations)):
            return forms
    return None


def _store(expr: t.Assign) -> Operation | None:
    """A plain assignment to a variable. Of one constant, it may be done in any order, and any number of times."""
    if variable(expr.target) is None:
        return None
    value = constant_value(expr.value)
    return Operation("write", expr.target, (expr.value,), (expr.target,), group=None if value is None else f"= {value}")


def _suitable(found: Operation | None) -> Operation | None:
    return None if found is None or unsuitable(found) is not None else found
