"""Plan: the lines above target constructs by which data stays on the device between launches (OpenMP 5.2, 5.8, 13.5).

    OMPC_TARGET_DATA({a, sizeof(a)}, {(p) + (0), (n) * sizeof(*(p))})
    #pragma omp target data map(tofrom: a) map(to: p[0:n])
    {
        ...                                       launches in here find a and p on the device
        OMPC_TARGET_UPDATE(0, {a, sizeof(a)})
        #pragma omp target update from(a)
        OMPC_TARGET_ON_HOST
        #pragma omp target                        a region without a kernel
        ...
    }

Only at `auto`: the other levels copy with each launch. The runtime copies back whatever the device has changed when the
mapping ends, whatever its map type says, so that the program sees what it would see in shared memory. Of a `target
data` region, what its own host code uses without a `target update` is not kept on the device (host_touches.py); of
`enter data`, everything is.

In: the unit, the pragmas that have a launcher.   Out: `TargetLine`s in the order of the text.
Not here: scalars and structs, which launches copy; whether the lines can be inserted -- render/host/recheck.py.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from ompc.base.options import Level
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.device_library import is_device_function
from ompc.ir.directive import Clause, Directive, Operand, Section
from ompc.ir.queries import statements_in, unread_in
from ompc.ir.walk import Node, walk
from ompc.omp.constructs import is_target_region
from ompc.omp.uses import has_side_effects
from ompc.plan.model.host_edits import TargetLine
from ompc.plan.residency.host_touches import HostTouches

TARGET_DATA = "target data"
"""Stands in the place of a loop's id where the lines that keep data on the device are given up."""

ON_HOST = "OMPC_TARGET_ON_HOST"
DEFERRED = "OMPC_TARGET_DEFERRED(0)"
DEFERRED_WITH_LOOPS = "OMPC_TARGET_DEFERRED(1)"
REGIONS = frozenset({ON_HOST, DEFERRED, DEFERRED_WITH_LOOPS})
"""The lines above target regions that the host runs; the others keep data on the device."""
EVERYTHING_HOME = "ompc_target_host();"
_OF_DATA = frozenset({"target data", "target enter data", "target exit data", "target update"})
_DEVICE_POINTERS = ("use_device_ptr", "use_device_addr")


def target_lines(unit: t.Unit, launched: Collection[t.Pragma], level: Level, keeps: bool) -> tuple[TargetLine, ...]:
    """The lines for all functions of `unit`. Without `keeps`, or below `auto`, nothing stays on the device."""
    keeps = keeps and level is Level.AUTO and all(map(_is_read, _own_functions(unit)))
    keeps = keeps and all(map(_is_sayable, _pragmas(unit)))
    touches = HostTouches(unit) if keeps else None
    found = []
    for pragma in _pragmas(unit):
        if _is_of_devices(pragma.directive) and pragma not in launched:
            text = _line(pragma, touches, launched)
            if text is not None:
                found.append(TargetLine(pragma, text))
    return tuple(found)


def keeps_no_data(unit: t.Unit, level: Level) -> bool:
    """Are there target constructs that get no line?"""
    complete = level is Level.AUTO and all(map(_is_read, _own_functions(unit)))
    return not complete and unit.offloads


def _own_functions(unit: t.Unit) -> Iterator[t.Function]:
    return (function for function in unit.functions.values() if function.symbol.loc.file == unit.file)


def _is_read(function: t.Function) -> bool:
    """Could all of it be read? In what could not, there may be target constructs."""
    return function.body is not None and unread_in(function.body) is None


def _is_sayable(pragma: t.Pragma) -> bool:
    """Is it no update of elements that cannot be said here (`a[k++:2]`), while others are newer on the device?"""
    return pragma.directive.name != "target update" or _update(pragma.directive) != EVERYTHING_HOME


def _pragmas(unit: t.Unit) -> Iterator[t.Pragma]:
    for function in unit.functions.values():
        if function.body is not None:
            yield from (s for s in statements_in(function.body) if isinstance(s, t.Pragma))


def _is_of_devices(directive: Directive) -> bool:
    return is_target_region(directive) or directive.name in _OF_DATA


def _line(pragma: t.Pragma, touches: HostTouches | None, launched: Collection[t.Pragma]) -> str | None:
    directive = pragma.directive
    if is_target_region(directive):
        return _region(directive, pragma, launched)
    if touches is None:
        return None
    match directive.name:
        case "target data":
            return _data(directive, pragma, touches)
        case "target enter data":
            ranges = [_range(item.section, directive) for clause in directive.all("map") for item in clause.listed]
            return _call("OMPC_TARGET_ENTER", [text for text in ranges if text is not None])
        case "target exit data":
            return _waiting(directive, _exit(directive))
        case "target update":
            return _waiting(directive, _update(directive))
        case _:
            return None


def _region(directive: Directive, pragma: t.Pragma, launched: Collection[t.Pragma]) -> str:
    """The line above a region that the host runs. With `nowait` that may be when the program waits for tasks."""
    if directive.first("nowait") is None:
        return ON_HOST
    loops = pragma.body is None or any(_may_launch(node, launched) for node in walk(pragma.body))
    return DEFERRED_WITH_LOOPS if loops else DEFERRED


def _may_launch(node: Node, launched: Collection[t.Pragma]) -> bool:
    match node:
        case t.Pragma():
            return node in launched
        case t.Call(function=t.Name(symbol=callee)):
            return not (is_device_function(callee.name) or callee.name.startswith("omp_"))
        case t.Call() | t.OpaqueExpr() | t.OpaqueStmt():
            return True
        case _:
            return False


def _data(directive: Directive, pragma: t.Pragma, touches: HostTouches) -> str | None:
    if any(directive.all(name) for name in _DEVICE_POINTERS):
        return ON_HOST
    untouched = touches.untouched(pragma)
    found = [
        text
        for clause in directive.all("map")
        for item in clause.listed
        if item.symbol in untouched and (text := _range(item.section, directive)) is not None
    ]
    return _call("OMPC_TARGET_DATA", found)


def _exit(directive: Directive) -> str | None:
    ended: dict[str, list[str]] = {"from": [], "release": [], "delete": []}
    for clause in directive.all("map"):
        ranges = [_range(item.section, directive) for item in clause.listed if not _is_small(item.section)]
        if None in ranges:
            return EVERYTHING_HOME
        ended[_exit_kind(clause)].extend(text for text in ranges if text is not None)
    lines = [_call("OMPC_TARGET_EXIT", ranges, kind) for kind, ranges in ended.items()]
    return " ".join(line for line in lines if line is not None) or None


def _exit_kind(clause: Clause) -> str:
    """OpenMP 5.2, 5.8.3: `tofrom`, which the construct may name too, is `from`."""
    return next((kind for kind in ("delete", "release") if kind in clause.modifiers), "from")


def _update(directive: Directive) -> str | None:
    lines = []
    for clause in directive.clauses:
        if clause.name in ("to", "from"):
            ranges = [_range(item.section, directive, small=True) for item in clause.listed]
            if None in ranges:
                return EVERYTHING_HOME
            to = "1" if clause.name == "to" else "0"
            lines.append(_call("OMPC_TARGET_UPDATE", [text for text in ranges if text is not None], to))
    return " ".join(line for line in lines if line is not None) or None


def _waiting(directive: Directive, text: str | None) -> str | None:
    return text if text is None or directive.first("depend") is None else f"(void)ompc_tasks_done(); {text}"


def _call(macro: str, ranges: list[str], *first: str) -> str | None:
    return f"{macro}({', '.join((*first, *dict.fromkeys(ranges)))})" if ranges else None


# ------------------------------------------------------------------------ one list item


def _range(item: Section | None, directive: Directive, small: bool = False) -> str | None:
    """`{first byte, bytes}` of a list item; None when it cannot be said, or (but for `small`) is no array."""
    base = None if item is None else _pure(item.base)
    if item is None or base is None:
        return None
    text = item.base.text
    if item.first is None:
        if isinstance(base.type, ty.Array):
            return _braced(text, f"sizeof({text})", directive)
        return _braced(f"&({text})", f"sizeof({text})", directive) if small else None
    kind = ty.decayed(base.type)
    if not isinstance(kind, ty.Pointer) or (item.rest and isinstance(kind.to, ty.Pointer)):
        return None
    if _pure(item.first) is None or (item.count is not None and _pure(item.count) is None):
        return None
    if item.count is not None:
        count = item.count.text
    elif isinstance(base.type, ty.Array):
        count = f"sizeof({text}) / sizeof(*({text})) - ({item.first.text})"
    else:
        return None
    return _braced(f"({text}) + ({item.first.text})", f"({count}) * sizeof(*({text}))", directive)


def _pure(part: Operand) -> t.Expr | None:
    """The expression, if it can be evaluated once more."""
    return None if part.expr is None or has_side_effects(part.expr) else part.expr


def _braced(first: str, size: str, directive: Directive) -> str:
    conditions = " && ".join(f"({clause.text})" for clause in directive.all("if"))
    return f"{{{first}, {f'{conditions} ? {size} : 0' if conditions else size}}}"


def _is_small(item: Section | None) -> bool:
    """Is it a scalar or a struct, which is never kept on the device?"""
    whole = None if item is None or item.first is not None else item.base.expr
    return whole is not None and not isinstance(whole.type, ty.Array)
