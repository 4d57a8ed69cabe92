"""The host program: the user's own text with a few edits, and the header that declares the launchers.

    first line                 #include "jacobi.ompc.h"
    above each pragma          OMPC_OFFLOAD(ompc_main_41(n, m, u, &error)), or a line of plan/residency/target_data.py
    above a parallel region    #include "jacobi.ompc.line_38.h", which has the region as it is (regions_as_written.py)
    above an added loop        the same, and why
    pinned declarations        render/host/pinned.py
    includes of own headers    "jacobi.ompc.kernels.h" for "kernels.h", where that has a loop
    static arrays in functions OMPC_STATIC_ARRAY(u);  behind the declaration, OMPC_STATIC_ARRAYS() as the last line
    automatic arrays           OMPC_AUTOMATIC_ARRAY(v);  behind the declaration
    pointers without a value   = 0  behind the declarator (null_pointers.py)
    last line                  OMPC_GLOBALS({b, sizeof b})

`OMPC_OFFLOAD(call)` is the head of a `for` that turns once or never: it stands wherever a statement may, also as the
body of an `if` that has an `else` of its own. A program without a loop on the device stays as it is, to the byte.

    In: the plan, the user's text.   Out: the host text, the header.
    Not here: whether the C compiler agrees -- render/host/recheck.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath

from ompc.frontend.array_declarations import find_array_declaration, find_plain_declarator
from ompc.frontend.line_numbers import sees_line_numbers
from ompc.frontend.preprocess import Preprocessed
from ompc.frontend.text import Append, Edit, InsertLine, Replace, apply_edits, line_ending
from ompc.frontend.tokens import tokens
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.show import c_type
from ompc.omp.without_pragma.divided_loops import BESIDES
from ompc.plan.model.host_edits import PinnedMacro, RegionAsWritten
from ompc.plan.model.launch import Argument
from ompc.plan.model.plan import Plan, RegionPlan
from ompc.render.comments import in_comment
from ompc.render.environment import template
from ompc.render.host.pinned import allocation_edits, pinned_edits
from ompc.render.host.places import OwnHeader, copied_headers, is_plain, unplaceable
from ompc.render.inspectors import inspected, name_of
from ompc.render.layout import broken_lines
from ompc.render.line_marks import in_string

_WIDTH = 120
_LONGEST = 108
"""Of an added line, behind its indentation."""
_BYTE_ORDER_MARK = "\ufeff"


def header_name(plan: Plan) -> str:
    """The name of the generated header."""
    return f"{plan.name}.ompc.h"


def host_text(plan: Plan, original: Preprocessed, keep_lines: bool = False) -> str:
    """The edited text. A region that is `unplaceable` gets no line, which `recheck` reports.

    ValueError: the plan is of another text. #line directives keep the user's line numbers where the program sees them,
    and with `keep_lines` everywhere.
    """
    if not plan.is_edited:
        return original.source
    keep_lines = keep_lines or sees_line_numbers(original)
    edits = _include(plan, original.source, keep_lines)
    edits += pinned_edits(plan.pinned, original.source, keep_lines)
    edits += allocation_edits(plan.allocations, original.source)
    for header in copied_headers(plan, original):
        edits.append(Replace(header.line, header.column, header.quoted, f'"{copy_name(plan, header)}"'))
    edits += _offloads(plan, original, original.file, keep_lines)
    for line in plan.target_lines:
        if is_plain(line.pragma, original):
            edits += _line_above(line.pragma.loc.line, line.text, keep_lines)
    for written in plan.as_written:
        edits += _line_above(written.line, _include_of(plan, written), keep_lines)
    if plan.macros:
        edits.append(Append(assertions(plan)))
    if plan.keeps_nothing:
        edits.append(Append("OMPC_KEEP_NOTHING"))
    if plan.apart:
        edits.append(Append(_own_pages(plan)))
    if plan.registered_globals:
        edits.append(Append(_globals(plan.registered_globals)))
    if plan.registered_statics:
        edits += _behind_declarations("OMPC_STATIC_ARRAY", plan.registered_statics, original)
        edits.append(Append("OMPC_STATIC_ARRAYS()"))
    edits += _behind_declarations("OMPC_AUTOMATIC_ARRAY", plan.registered_automatics, original)
    edits += _null_pointers(plan.null_pointers, original)
    return apply_edits(original.source, edits)


def text_beside_device_code(plan: Plan, original: Preprocessed) -> str | None:
    """The text of a file without device code in a program that has some, where it is not the user's."""
    if not plan.is_only_placed:
        return None
    return apply_edits(original.source, [Append('#include "ompc_own_pages.h"'), Append(_own_pages(plan))])


def _own_pages(plan: Plan) -> str:
    return "\n".join(f"OMPC_OWN_PAGES({symbol.name});" for symbol in plan.apart)


def _include(plan: Plan, source_text: str, keep_lines: bool) -> list[Edit]:
    lines = [f'#include "{header_name(plan)}"'] + (["#line 1"] if keep_lines else [])
    if not source_text.startswith(_BYTE_ORDER_MARK):
        return [InsertLine(1, "\n".join(lines), indent=False)]
    ending = line_ending(source_text)  # compilers take the mark as the first character of a file only
    return [Replace(1, 2, "", "".join(line + ending for line in lines))]


def headers(plan: Plan, original: Preprocessed, keep_lines: bool = False) -> Mapping[str, str]:
    """All headers of the folder, by name: the one with the launchers, regions as they are, copies of the user's.
    `keep_lines`: as for `host_text`.
    """
    keep_lines = keep_lines or (bool(plan.as_written) and sees_line_numbers(original))
    regions = {as_written_name(plan, region): _as_written_text(plan, region, keep_lines) for region in plan.as_written}
    return {header_name(plan): header_text(plan), **regions, **header_copies(plan, original)}


def _as_written_text(plan: Plan, region: RegionAsWritten, keep_lines: bool) -> str:
    name, source = as_written_name(plan, region), in_comment(PurePath(plan.source).name)
    values = {"name": name, "source": source, "region": region, "keep_lines": keep_lines}
    return template("region_as_written.h.j2").render(values)


def header_copies(plan: Plan, original: Preprocessed) -> Mapping[str, str]:
    """The copies of the user's headers that get lines, by their names in the folder; compilers name the original."""
    copies: dict[str, str] = {}
    for header in copied_headers(plan, original):
        edits: list[Edit] = [InsertLine(1, f'#line 1 "{in_string(header.file)}"', indent=False)]
        edits += _offloads(plan, original, header.file, keep_lines=True)
        copies[copy_name(plan, header)] = apply_edits(header.text, edits)
    return copies


def copy_name(plan: Plan, header: OwnHeader) -> str:
    """The name of a header's copy: one that no header of the user's has."""
    return f"{plan.name}.ompc.{PurePath(header.file).name}"


def _offloads(plan: Plan, original: Preprocessed, file: str, keep_lines: bool) -> list[Edit]:
    """The lines above the pragmas that stand in `file`."""
    left_out = unplaceable(plan, original)
    edits: list[Edit] = []
    for region in plan.on_device:
        if region.loop.pragma.loc.file == file and region.id not in left_out:
            edits += _line_above(region.loop.pragma.loc.line, _with_remark(region), keep_lines)
    return edits


def _remark(region: RegionPlan) -> str:
    """What a reader of the line wants to know."""
    said = [] if region.loop.has_pragma else [f"added by ompc: {_added(region)}"]
    if region.fusion is not None:
        others = region.fusion.others(region)
        each = "statement" if region.loop.is_statement else "loop"
        loops = f"the {each} of line" if len(others) == 1 else f"the {each}s of lines"
        together = "fused with" if region.fusion.region.chain is None else "one block does it, where short, with"
        said.append(f"{together} {loops} {', '.join(map(str, others))}")
    return f" /* {'; '.join(said)} */" if said else ""


def _with_remark(region: RegionPlan) -> str:
    """The call, with the remark behind it, or in lines of its own in front of it."""
    call, remark = offload_line(region), _remark(region)
    lines = [call + remark] if len(call + remark) <= _LONGEST else [*filter(None, [remark.strip()]), call]
    return "\n".join(broken_lines(lines, 0, _LONGEST))


def _added(region: RegionPlan) -> str:
    if region.chain is not None:
        return "one block does all of it, where it is short"
    if region.loop.is_divided:
        return "one launch for all threads, of which each has a part"
    return f"{'a statement' if region.loop.is_statement else 'has no pragma, stands'} between launches"


def _include_of(plan: Plan, region: RegionAsWritten) -> str:
    return f'#include "{as_written_name(plan, region)}" /* the region as it is, where none of its loops is launched */'


def as_written_name(plan: Plan, region: RegionAsWritten) -> str:
    """The name of the header with a region's second form."""
    return f"{plan.name}.ompc.line_{region.line}.h"


def _line_above(line: int, text: str, keep_lines: bool) -> list[Edit]:
    edits: list[Edit] = [InsertLine(line, text)]
    if keep_lines:
        edits.append(InsertLine(line, f"#line {line}", indent=False))
    return edits


def offload_line(region: RegionPlan, expanded: bool = False) -> str:
    """What stands above the pragma of a region that has a kernel."""
    line = _offload_line(region, expanded)
    besides = region.loop.pragma.directive.first(BESIDES)
    return line if besides is None else f"OMPC_OFFLOAD(({besides.text}, {line.removeprefix('OMPC_OFFLOAD(')})"


def _offload_line(region: RegionPlan, expanded: bool) -> str:
    call = call_text(region, expanded)
    if region.waits:
        call = f"ompc_tasks_done() && {call}"
    if region.needs_home:
        call = f"ompc_target_home() && {call}"
    if region.call_condition is None:
        return f"OMPC_OFFLOAD({_unless_fused(region)}{call})"
    condition = re.sub(r"\\\r?\n", " ", region.call_condition)  # the pragma may be continued, the line is not
    if region.loop.target is not None:  # a launcher that is not called cannot copy data back
        return f"OMPC_OFFLOAD((({condition}) && {call}) || ompc_target_host())"
    call = f"({condition}) && {call}"
    return f"OMPC_OFFLOAD({call})" if region.fusion is None else f"OMPC_OFFLOAD({_unless_fused(region)}({call}))"


def _unless_fused(region: RegionPlan) -> str:
    """What comes before the loop's own call where it is launched together with others: the first asks for that."""
    if region.fusion is None:
        return ""
    if region.joint is None:
        return "ompc_fused() || "
    return f"ompc_fuses({len(region.fusion.lines) - 1}, {plain_call(region.joint)}) || "


def call_text(region: RegionPlan, expanded: bool = False) -> str:
    """The call of the launcher of a region that has a kernel, with copies of variables around it; `expanded`: as the
    preprocessor leaves it.
    """
    assert region.kernel is not None
    call = plain_call(region)
    for symbol in region.kernel.copied:
        name = symbol.name
        call = re.sub(rf"&{name}\b", f"&ompc_{name}", call)
        back = "" if "const" in symbol.type.quals else f"{name} = ompc_{name}; "
        if not expanded:
            call = f"OMPC_{'COPIED' if back else 'READ_FROM_COPY'}({name}, {call})"
        else:
            copy = f"__typeof__({name}) ompc_{name} = {name}; int ompc_done = {call}; {back}ompc_done; "
            call = f"__extension__({{ {copy}}})"
    return call


def plain_call(region: RegionPlan) -> str:
    """Nothing but the call."""
    assert region.kernel is not None
    return f"{region.launcher}({', '.join(argument.host_text for argument in region.kernel.arguments)})"



def assertions(plan: Plan) -> str:
    """C11 compares integer constants only; gcc compares reals too."""
    integers = [_assertion(plan, macro) for macro in plan.macros if macro.is_integer]
    reals = [_assertion(plan, macro) for macro in plan.macros if not macro.is_integer]
    return "\n".join(integers + (["#ifndef __clang__", *reals, "#endif"] if reals else []))


def _assertion(plan: Plan, macro: PinnedMacro) -> str:
    message = f"{plan.name}.cu was made with {macro.name} = {macro.value}: translate again"
    return f'__extension__ _Static_assert(({macro.name}) == {macro.value}, "{message}");'


def _globals(symbols: Sequence[t.Symbol]) -> str:
    address = {symbol: "" if isinstance(symbol.type, ty.Array) else "&" for symbol in symbols}
    items = [f"{{{address[symbol]}{symbol.name}, sizeof {symbol.name}}}" for symbol in symbols]
    lines = [f"OMPC_GLOBALS({items[0]}"]
    for item in items[1:]:
        if len(lines[-1]) + len(item) + 4 > _WIDTH:
            lines[-1] += ","
            lines.append(" " * len("OMPC_GLOBALS(") + item)
        else:
            lines[-1] += f", {item}"
    return "\n".join(lines) + ")"


def _behind_declarations(macro: str, symbols: Sequence[t.Symbol], original: Preprocessed) -> Iterator[Edit]:
    """`macro` behind the declaration of each array. ValueError: the plan is of another text."""
    found = tokens(original.source, original.file) if symbols else ()
    for symbol in symbols:
        place = (symbol.name, symbol.loc.file, symbol.loc.line)
        declaration = find_array_declaration(found, *place, initialised=True, any_object=True)
        end = None if declaration is None else declaration.last(found)
        if end is None:
            raise ValueError(f"{symbol.loc}: no declaration of the array '{symbol.name}'")
        yield Replace(end.line, end.column + 1, "", f" {macro}({symbol.name});")


def _null_pointers(symbols: Sequence[t.Symbol], original: Preprocessed) -> Iterator[Edit]:
    """An initialiser for each of the pointers. ValueError: the plan is of another text."""
    found = tokens(original.source, original.file) if symbols else ()
    for symbol in symbols:
        name = find_plain_declarator(found, symbol.name, symbol.loc.file, symbol.loc.line)
        if name is None:
            raise ValueError(f"{symbol.loc}: no declarator of the pointer '{symbol.name}'")
        yield Replace(name.line, name.column, name.text, f"{name.text} = 0")


def header_text(plan: Plan) -> str:
    """The header that the host text includes: a prototype of each launcher."""
    return template("host_header.h.j2").render(
        name=plan.name,
        guard="OMPC_CALLED_BY_" + re.sub(r"\W", "_", plan.name).upper(),
        inspectors=[
            {
                "objects": in_comment(", ".join(asked.objects)),
                "name": name_of(asked, plan.tag),
                "parameters": [c_type(given.own.type, given.own.name) for given in asked.inspector.values],
            }
            for asked in inspected(plan)
        ],
        launchers=[
            {
                "place": in_comment(f"{plan.source_of(region)}:{region.loop.line}"),
                "directive": in_comment(region.directive),
                "name": region.launcher,
                "parameters": [_parameter(a) for a in (region.kernel.arguments if region.kernel else ())],
            }
            for region in (joint for region in plan.on_device for joint in (region.joint, region) if joint is not None)
        ],
    )


def _parameter(argument: Argument) -> str:
    """The header comes before the user's own types, so an enum is spelt as the integer type that it is."""
    kind = argument.type.underlying if isinstance(argument.type, ty.Enum) else argument.type
    spelled = c_type(ty.unqualified(kind), str(argument.name))
    assert spelled is not None, f"the argument {argument.name} has no C type"
    return spelled
