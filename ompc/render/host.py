"""The host program: the user's own text with a few edits, and the header that declares the launchers.

    first line                 #include "jacobi.ompc.h"
    above each pragma          OMPC_OFFLOAD(ompc_main_41(n, m, u, &error))
    pinned declarations        render/pinned.py
    last line                  OMPC_GLOBALS({b, sizeof b})

`OMPC_OFFLOAD(call)` is `if (call) {} else`: it stands wherever a statement may, also as the body of an `if` that has an
`else` of its own. A program without a loop on the device stays as it is, to the byte.

    In: the plan, the user's text.   Out: the host text, the header.
    Not here: whether the C compiler agrees -- render/recheck.py.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from ompc.diagnostics import Reason
from ompc.frontend.line_numbers import renumbered, sees_line_numbers
from ompc.frontend.preprocess import Preprocessed
from ompc.frontend.text import Append, Edit, InsertLine, Replace, apply_edits, line_ending
from ompc.frontend.tokens import tokens
from ompc.plan.model import Argument, PinnedMacro, Plan, RegionPlan
from ompc.render.environment import template
from ompc.render.pinned import allocation_edits, pinned_edits
from ompc.sema import types as ty
from ompc.sema.show import c_type

_WIDTH = 120
_BYTE_ORDER_MARK = "\ufeff"


def header_name(plan: Plan) -> str:
    """The name of the generated header."""
    return f"{plan.name}.ompc.h"


def unplaceable(plan: Plan, original: Preprocessed) -> Mapping[str, Reason]:
    """The regions on the device, by id, above whose pragma no line can be inserted."""
    lines = frozenset[int]() if renumbered(original.source) else _pragma_lines(original.source, original.file)
    pragmas = {region.id: region.loop.pragma for region in plan.on_device}
    return {
        name: Reason("OMPC342", "its pragma does not stand on a line of its own in this file", pragma.loc)
        for name, pragma in pragmas.items()
        if pragma.in_macro or pragma.loc.file != original.file or pragma.loc.line not in lines
    }


@lru_cache(maxsize=1)
def _pragma_lines(text: str, file: str) -> frozenset[int]:
    """The lines of the user's file on which only blanks stand before `#pragma`."""
    directives = [token for token in tokens(text, file) if token.kind == "directive"]
    return frozenset(d.line for d in directives if not text[d.start - d.column + 1 : d.start].strip(" \t\ufeff"))


def host_text(plan: Plan, original: Preprocessed, keep_lines: bool = False) -> str:
    """The edited text. A region that is `unplaceable` gets no line, which `recheck` reports.

    ValueError: the plan is of another text. #line directives keep the user's line numbers where the program sees them,
    and with `keep_lines` everywhere.
    """
    if not plan.on_device:
        return original.source
    keep_lines = keep_lines or sees_line_numbers(original)
    edits = _include(plan, original.source, keep_lines)
    edits += pinned_edits(plan.pinned, original.source, keep_lines)
    edits += allocation_edits(plan.allocations, original.source)
    left_out = unplaceable(plan, original)
    for region in plan.on_device:
        if region.id not in left_out:
            edits += _offload(region, keep_lines)
    if plan.macros:
        edits.append(Append(_assertions(plan)))
    if plan.registered_globals:
        edits.append(Append(_globals([symbol.name for symbol in plan.registered_globals])))
    return apply_edits(original.source, edits)


def _include(plan: Plan, source_text: str, keep_lines: bool) -> list[Edit]:
    lines = [f'#include "{header_name(plan)}"'] + (["#line 1"] if keep_lines else [])
    if not source_text.startswith(_BYTE_ORDER_MARK):
        return [InsertLine(1, "\n".join(lines), indent=False)]
    ending = line_ending(source_text)  # compilers take the mark as the first character of a file only
    return [Replace(1, 2, "", "".join(line + ending for line in lines))]


def _offload(region: RegionPlan, keep_lines: bool) -> list[Edit]:
    line = region.loop.pragma.loc.line
    edits: list[Edit] = [InsertLine(line, offload_line(region))]
    if keep_lines:
        edits.append(InsertLine(line, f"#line {line}", indent=False))
    return edits


def offload_line(region: RegionPlan) -> str:
    """What stands above the pragma of a region that has a kernel."""
    call = f"ompc_tasks_done() && {call_text(region)}" if region.waits else call_text(region)
    if region.call_condition is None:
        return f"OMPC_OFFLOAD({call})"
    condition = re.sub(r"\\\r?\n", " ", region.call_condition)  # the pragma may be continued, the line is not
    return f"OMPC_OFFLOAD(({condition}) && {call})"


def call_text(region: RegionPlan) -> str:
    """The call of the launcher of a region that has a kernel."""
    assert region.kernel is not None
    return f"{region.launcher}({', '.join(argument.host_text for argument in region.kernel.arguments)})"


def _assertions(plan: Plan) -> str:
    """C11 compares integer constants only; gcc compares reals too."""
    integers = [_assertion(plan, macro) for macro in plan.macros if macro.is_integer]
    reals = [_assertion(plan, macro) for macro in plan.macros if not macro.is_integer]
    return "\n".join(integers + (["#ifndef __clang__", *reals, "#endif"] if reals else []))


def _assertion(plan: Plan, macro: PinnedMacro) -> str:
    message = f"{plan.name}.cu was made with {macro.name} = {macro.value}: translate again"
    return f'__extension__ _Static_assert(({macro.name}) == {macro.value}, "{message}");'


def _globals(names: list[str]) -> str:
    items = [f"{{{name}, sizeof {name}}}" for name in names]
    lines = [f"OMPC_GLOBALS({items[0]}"]
    for item in items[1:]:
        if len(lines[-1]) + len(item) + 4 > _WIDTH:
            lines[-1] += ","
            lines.append(" " * len("OMPC_GLOBALS(") + item)
        else:
            lines[-1] += f", {item}"
    return "\n".join(lines) + ")"


def header_text(plan: Plan) -> str:
    """The header that the host text includes: a prototype of each launcher."""
    return template("host_header.h.j2").render(
        name=plan.name,
        guard="OMPC_CALLED_BY_" + re.sub(r"\W", "_", plan.name).upper(),
        launchers=[
            {
                "place": f"{plan.source}:{region.loop.line}",
                "directive": region.directive,
                "name": region.launcher,
                "parameters": [_parameter(a) for a in (region.kernel.arguments if region.kernel else ())],
            }
            for region in plan.on_device
        ],
    )


def _parameter(argument: Argument) -> str:
    """The header comes before the user's own types, so an enum is spelt as the integer type that it is."""
    kind = argument.type.underlying if isinstance(argument.type, ty.Enum) else argument.type
    spelled = c_type(ty.unqualified(kind), argument.name)
    assert spelled is not None, f"the argument {argument.name} has no C type"
    return spelled
