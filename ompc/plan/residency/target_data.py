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

Only at `auto`: the other levels copy with each launch. The runtime copies home whatever the device has changed when the
mapping ends, whatever its map type says, so that the program sees what it would see in shared memory. Of a `target
data` region, what its own host code uses without a `target update` is not kept on the device (host_touches.py); of
`enter data`, everything is.

In: the unit, the pragmas that have a launcher.   Out: `TargetLine`s in the order of the text.
Not here: scalars and structs, which launches copy; whether the lines can be inserted -- render/recheck.py.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from ompc.analysis.eligibility.libm import is_device_function
from ompc.base.options import Level
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.walk import Node, walk
from ompc.omp.clause_text import MalformedError, split_top_level
from ompc.omp.directives import Parsed, parse_pragma
from ompc.omp.model import Clause, Directive
from ompc.omp.target import is_region
from ompc.omp.target_data import is_pure
from ompc.omp.uses import statements_in, unread_in
from ompc.plan.model.plan import TargetLine
from ompc.plan.residency.host_touches import HostTouches
from ompc.sema.expressions import parse_expression

TARGET_DATA = "target data"
"""In the place of a loop's id: the lines that keep data on the device are given up."""

ON_HOST = "OMPC_TARGET_ON_HOST"
DEFERRED = "OMPC_TARGET_DEFERRED(0)"
DEFERRED_WITH_LOOPS = "OMPC_TARGET_DEFERRED(1)"
REGIONS = frozenset({ON_HOST, DEFERRED, DEFERRED_WITH_LOOPS})
"""The lines above target regions that the host runs; the others keep data on the device."""
EVERYTHING_HOME = "ompc_target_host();"
_CONSTRUCT = re.compile(r"pragma\b\W+omp\s+(?!declare|begin|end)[\w\s]*\btarget\b", re.IGNORECASE)
_DEVICE_POINTERS = ("use_device_ptr", "use_device_addr")


def target_lines(unit: t.Unit, launched: Collection[t.Pragma], level: Level, keeps: bool) -> tuple[TargetLine, ...]:
    """The lines for all functions of `unit`. Without `keeps`, or below `auto`, nothing stays on the device."""
    keeps = keeps and level is Level.AUTO and all(map(_is_read, _own_functions(unit)))
    keeps = keeps and all(map(_is_sayable, _pragmas(unit)))
    touches = HostTouches(unit) if keeps else None
    found = []
    for pragma in _pragmas(unit):
        parsed = parse_pragma(pragma)
        if isinstance(parsed, Parsed) and "target" in parsed.directive.name.split() and pragma not in launched:
            text = _line(parsed.directive, pragma, touches, launched)
            if text is not None:
                found.append(TargetLine(pragma, text))
    return tuple(found)


def has_target_constructs(text: str) -> bool:
    """Has a text, preprocessed or not, constructs that use the data environment of a device?"""
    return _CONSTRUCT.search(text) is not None


def keeps_no_data(unit: t.Unit, expanded: str, level: Level) -> bool:
    """Are there target constructs that get no line? `expanded` is the preprocessed text."""
    complete = level is Level.AUTO and all(map(_is_read, _own_functions(unit)))
    return not complete and has_target_constructs(expanded)


def _own_functions(unit: t.Unit) -> Iterator[t.Function]:
    return (function for function in unit.functions.values() if function.symbol.loc.file == unit.file)


def _is_read(function: t.Function) -> bool:
    """Could all of it be read? In what could not, there may be target constructs."""
    return function.body is not None and unread_in(function.body) is None


def _is_sayable(pragma: t.Pragma) -> bool:
    """Is it no update of elements that cannot be said here (`a[k++:2]`), while others are newer on the device?"""
    parsed = parse_pragma(pragma)
    if not isinstance(parsed, Parsed) or parsed.directive.name != "target update":
        return True
    return _update(parsed.directive, pragma) != EVERYTHING_HOME


def _pragmas(unit: t.Unit) -> Iterator[t.Pragma]:
    for function in unit.functions.values():
        if function.body is not None:
            yield from (s for s in statements_in(function.body) if isinstance(s, t.Pragma))


def _line(
    directive: Directive, pragma: t.Pragma, touches: HostTouches | None, launched: Collection[t.Pragma]
) -> str | None:
    if is_region(directive):
        return _region(directive, pragma, launched)
    if touches is None:
        return None
    match directive.name:
        case "target data":
            return _data(directive, pragma, touches)
        case "target enter data":
            ranges = [_range(item, pragma, directive) for clause in directive.all("map") for item in clause.items]
            return _call("OMPC_TARGET_ENTER", [text for text in ranges if text is not None])
        case "target exit data":
            return _waiting(directive, _exit(directive, pragma))
        case "target update":
            return _waiting(directive, _update(directive, pragma))
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
        for item, symbol in zip(clause.items, clause.symbols, strict=True)
        if symbol in untouched and (text := _range(item, pragma, directive)) is not None
    ]
    return _call("OMPC_TARGET_DATA", found)


def _exit(directive: Directive, pragma: t.Pragma) -> str | None:
    ended: dict[str, list[str]] = {"from": [], "release": [], "delete": []}
    for clause in directive.all("map"):
        ranges = [_range(item, pragma, directive) for item in clause.items if not _is_small(item, pragma)]
        if None in ranges:
            return EVERYTHING_HOME
        ended[_exit_kind(clause)].extend(text for text in ranges if text is not None)
    lines = [_call("OMPC_TARGET_EXIT", ranges, kind) for kind, ranges in ended.items()]
    return " ".join(line for line in lines if line is not None) or None


def _exit_kind(clause: Clause) -> str:
    """OpenMP 5.2, 5.8.3: `tofrom`, which the construct may name too, is `from`."""
    named = clause.modifier or ""
    return next((kind for kind in ("delete", "release") if kind in named), "from")


def _update(directive: Directive, pragma: t.Pragma) -> str | None:
    lines = []
    for clause in directive.clauses:
        if clause.name in ("to", "from"):
            ranges = [_range(item, pragma, directive, small=True) for item in clause.items]
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


@dataclass(frozen=True, slots=True)
class _Item:
    """`base` with the section that follows it; no section: `first` is None. `rest`: further brackets follow."""

    base: str
    first: str | None = None
    count: str = ""
    rest: bool = False


def _range(item: str, pragma: t.Pragma, directive: Directive, small: bool = False) -> str | None:
    """`{first byte, bytes}` of a list item; None when it cannot be said, or (but for `small`) is no array."""
    parts = _parts(item)
    if parts is None or not is_pure(parts.base, pragma):
        return None
    base = parse_expression(parts.base, pragma.scope, pragma.loc)
    if parts.first is None:
        if isinstance(base.type, ty.Array):
            return _braced(parts.base, f"sizeof({parts.base})", directive)
        return _braced(f"&({parts.base})", f"sizeof({parts.base})", directive) if small else None
    kind = ty.decayed(base.type)
    if not isinstance(kind, ty.Pointer) or (parts.rest and isinstance(kind.to, ty.Pointer)):
        return None
    count = parts.count
    if not count and isinstance(base.type, ty.Array):
        count = f"sizeof({parts.base}) / sizeof(*({parts.base})) - ({parts.first})"
    if not count or not is_pure(parts.first, pragma) or not is_pure(count, pragma):
        return None
    return _braced(f"({parts.base}) + ({parts.first})", f"({count}) * sizeof(*({parts.base}))", directive)


def _braced(first: str, size: str, directive: Directive) -> str:
    conditions = " && ".join(f"({clause.user_text})" for clause in directive.all("if"))
    return f"{{{first}, {f'{conditions} ? {size} : 0' if conditions else size}}}"


def _is_small(item: str, pragma: t.Pragma) -> bool:
    """Is it a scalar or a struct, which is never kept on the device?"""
    base = parse_expression(item, pragma.scope, pragma.loc)
    return not isinstance(base, t.OpaqueExpr) and not isinstance(base.type, ty.Array)


def _parts(item: str) -> _Item | None:
    """The item at its first bracket that has a colon in it; None when it is not of that form."""
    for at, inside, rest in _brackets(item):
        try:
            ends = split_top_level(inside, ":")
        except MalformedError:
            return None
        if len(ends) == 2:
            return _Item(item[:at].strip(), ends[0] or "0", ends[1], bool(rest.strip()))
        if len(ends) > 2:
            return None
    return _Item(item.strip())


def _brackets(text: str) -> Iterator[tuple[int, str, str]]:
    """Each outermost [...] as (where it begins, what is inside, what follows)."""
    depth, begin = 0, 0
    for at, character in enumerate(text):
        if character == "[":
            begin, depth = (at, 1) if depth == 0 else (begin, depth + 1)
        elif character == "]":
            depth -= 1
            if depth == 0:
                yield begin, text[begin + 1 : at], text[at + 1 :]
