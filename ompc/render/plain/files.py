"""The files of a plain folder.

    jacobi.c        the user's text with calls for loops       jacobi_cuda.h   declares what it calls
    jacobi.cu       kernels, and functions that launch them    Makefile        builds jacobi
    program.h       copies of the user's own headers    jacobi_copies.cuh   where arrays stay on the device

    In: Plan, the preprocessed original, options, the program's units.   Out: PlainFiles: texts, or what stays on the
    host after all, so that the plan is made again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ompc.base.diagnostics import CompileError, Reason
from ompc.base.ending import temporary_directory
from ompc.base.frozen import dataclass, field
from ompc.base.options import Options
from ompc.frontend.preprocess import Preprocessed, check_syntax, expand, read_source
from ompc.ir import tree as t
from ompc.ir.queries import declared_in, symbols_in
from ompc.plan.model.names import first_free, spelled
from ompc.plan.model.plan import Plan
from ompc.plan.plain.decide import plain_plan, refusal
from ompc.plan.plain.model import DataRegion, PlainLaunch
from ompc.render.device import FunctionView, printers_of, views_without_loops
from ompc.render.environment import template
from ompc.render.host.own_headers import headers_beside
from ompc.render.kernels import KernelView
from ompc.render.layout import words_of
from ompc.render.macro_clashes import without_clashes
from ompc.render.makefiles.makefile import plain_makefile_text
from ompc.render.plain.host import host_text
from ompc.render.plain.kernels import PlainKernelPrinter
from ompc.render.plain.launchers import (
    PlainLauncherView,
    data_region_view,
    launcher_view,
    prototype,
    region_prototype,
)
from ompc.render.plain.names import named, named_regions, with_library_apart
from ompc.render.plain.recheck import misplaced
from ompc.render.plain.reductions import OPERATORS
from ompc.render.provenance import made_from, made_with

_RUNTIME = re.compile(r"\b(?:ompc::|OMPC_)(\w+)")
_OF_DATA = ("DeviceCopy", "device_copies", "copy_to_device", "copy_of", "copies_to_host")
"""What the device file has where there are data regions."""


@dataclass(frozen=True, slots=True)
class PlainFiles:
    """`texts` by name, and `device`, the one with the kernels; or `refused`: regions for the host, by id."""

    texts: Mapping[str, str] = field(default_factory=dict)
    refused: Mapping[str, Reason] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Loop:
    kernel: KernelView
    launcher: PlainLauncherView


def plain_files(
    plan: Plan, original: Preprocessed, source: Path, options: Options, units: Sequence[t.Unit]
) -> PlainFiles:
    """Without data regions where their calls cannot be placed in the text."""

    def files(asked: Plan) -> PlainFiles:
        found = _plain_files(asked, original, source, options, units, True)
        return found if not found.refused else _plain_files(asked, original, source, options, units, False)

    kept = without_clashes(plan, lambda bare: files(bare).texts.get(f"{plan.name}.cu", ""))
    return files(kept)


def _plain_files(
    plan: Plan, original: Preprocessed, source: Path, options: Options, units: Sequence[t.Unit], keeps: bool
) -> PlainFiles:
    words = frozenset(re.findall(r"\w+", original.expanded))
    plan = with_library_apart(plan, words)
    printers = replace(printers_of(plan), has_runtime=False)
    found = plain_plan(plan, original.file, units, printers.types.declare, keeps)
    if found.refused:
        return PlainFiles(refused=found.refused)
    known = views_without_loops(printers) | {"macros": printers.macros}
    launches = named(found.launches, plan, words)
    data = named_regions(found.data, launches, words)
    names = _helpers(launches, data, known)
    loops: list[_Loop] = []
    refused: dict[str, Reason] = {}
    for launch in launches:
        printer = PlainKernelPrinter(launch, printers.spelling_of(launch.plan, launch.plan.own), plan.source, names)
        kernel = printer.view()
        why = _needed(kernel, known["functions"])
        if why is not None:
            refused[launch.region.id] = refusal(launch.region, why)
        loops.append(_Loop(kernel, launcher_view(launch, printer, printers.types)))
    if refused:
        return PlainFiles(refused=refused)
    host, lost = host_text(plan, launches, data, original.source, original.file)
    header = _header(plan, launches, data)
    lost = lost or _misplaced(plan, launches, data, host, header, original, options)
    if lost:
        why = "its text cannot be told from what macros and conditions around it make"
        return PlainFiles(refused={launch.region.id: refusal(launch.region, why) for launch in lost})
    copies = template("plain/copies.cuh.j2").render(file=_copies(plan), plan=plan, names=names)
    own = {_copies(plan): copies} if data else {}
    headers = {name: read_source(path) for name, path in headers_beside(original.files, source).items()}
    texts = {
        f"{plan.name}.c": host,
        f"{plan.name}.cu": _device(plan, loops, data, {**known, "names": names, **_made(original, source, options)}),
        f"{plan.name}_cuda.h": header,
        **headers,
        **own,
        "Makefile": plain_makefile_text(plan, source, options, [*headers], "".join(own)),
    }
    return PlainFiles(texts)


def _made(original: Preprocessed, source: Path, options: Options) -> dict[str, str]:
    return {
        "made_with": made_with(options),
        "made_from": made_from(source, original.source),
    }


def _device(plan: Plan, loops: Sequence[_Loop], data: Sequence[DataRegion], known: Mapping[str, Any]) -> str:
    used = {str(r.op): None for region in plan.on_device if region.kernel for r in region.kernel.reductions}
    sizes = [array.size[1] for loop in loops for array in loop.launcher.arrays if array.size]
    sizes += [array.bytes for region in data for array in region.arrays]
    sized = any("malloc_usable_size" in text for text in sizes)
    sums = [loop.launcher.combined for loop in loops]
    vectors = any(each.elements is not None for found in sums for each in found)
    axes = max((loop.launcher.axes for loop in loops if loop.launcher.combined), default=1)
    lines = "\n".join(line for loop in loops for line in loop.kernel.lines)
    types = printers_of(plan).types
    headers = {"algorithm", "cassert", "climits", *["cmath"] * ("INFINITY" in lines), "cstdio", "cstdlib"}
    headers |= {"vector"} if vectors else set()
    return template("plain/device.cu.j2").render(
        {
            **known,
            "headers": sorted(headers | set(known["macros"].headers())) + ["malloc.h"] * sized,
            "copies": _copies(plan) if data else "",
            "has_bools": any("_Bool" in text for loop in loops for text in loop.launcher.declared),
            "data": [data_region_view(region, types) for region in data],
            "leave": next((region.leave for region in data), ""),
            "thread": _number(axes, "threadIdx", "blockDim"),
            "block": _number(axes, "blockIdx", "gridDim"),
            "several_sums": any(len(found) > 1 or any(each.elements for each in found) for found in sums),
            "operators": [OPERATORS[name] for name in OPERATORS if name in used],
            "loops": loops,
        }
    )


def _number(axes: int, place: str, length: str) -> str:
    """Of a thread in its block, or of a block in the grid."""
    text = f"{place}.{'xyz'[axes - 1]}"
    for axis in "xyz"[: axes - 1][::-1]:
        text = f"{text if len(text) < 20 else f'({text})'} * {length}.{axis} + {place}.{axis}"
    return text


def _copies(plan: Plan) -> str:
    return f"{plan.name}_copies.cuh"


def _header(plan: Plan, launches: Iterable[PlainLaunch], data: Sequence[DataRegion]) -> str:
    prototypes = [prototype(launch) for launch in launches] + [region_prototype(region) for region in data]
    prototypes += [(f"void {leave}", ["void"]) for leave in {region.leave for region in data}]
    return template("plain/header.h.j2").render(name=plan.name, prototypes=prototypes)


def _helpers(
    launches: Sequence[PlainLaunch], data: Sequence[DataRegion], known: Mapping[str, Any]
) -> dict[str, str]:
    """The names of what the device file has besides kernels, by those that it wants: the user's may be the same."""
    taken = {spelled(symbol.name) for launch in launches for symbol in symbols_in(launch.plan.body)}
    taken |= {spelled(symbol.name) for launch in launches for symbol in declared_in(launch.plan.body)}
    taken |= {str(a.name) for launch in launches for a in launch.plan.arguments} | {each.kernel for each in launches}
    taken |= {spelled(array.root.name) for region in data for array in region.arrays}
    taken |= words_of(line for function in known["functions"] for line in (function.signature, *function.body))
    taken |= words_of(f"{macro.name} {macro.text}" for macro in known["macros"].kept)
    taken |= {name for name, _ in known["enumerators"]} | {record.name for record in known["records"]}
    wanted = ("CHECK", "check", "blocks", *_OF_DATA, *(each.function for each in OPERATORS.values()))
    return {name: first_free(name, taken) for name in wanted}


# ---------------------------------------------------------------------- what is left of the runtime


def _needed(kernel: KernelView, functions: Sequence[FunctionView]) -> str | None:
    """What the kernel's text, and that of the functions it calls, has of the runtime, in words."""
    texts, seen = ["\n".join([*kernel.parameters, *kernel.lines])], set[str]()
    for text in texts:  # grows meanwhile
        found = _RUNTIME.search(text)
        if found is not None:
            return f"its kernel needs '{found.group(1)}' of the runtime"
        for function in functions:
            name = re.search(r"(\w+)\(", function.signature)
            if name is not None and name.group(1) not in seen and re.search(rf"\b{name.group(1)}\b", text):
                seen.add(name.group(1))
                texts.append("\n".join([function.signature, *function.body]))
    return None


# ---------------------------------------------------------------------- the user's text


def _misplaced(
    plan: Plan, launches: Sequence[PlainLaunch], data: Sequence[DataRegion], host: str, header: str,
    original: Preprocessed, options: Options,
) -> list[PlainLaunch]:  # fmt: skip
    flags = ("-iquote", str(Path(original.file).parent))
    seen = replace(options, cpp_flags=(*options.cpp_flags, *flags))
    with temporary_directory("ompc-host-") as directory:
        path = Path(directory) / f"{plan.name}.c"
        path.write_bytes(host.encode("utf-8", errors="surrogateescape"))
        (Path(directory) / f"{plan.name}_cuda.h").write_text(header)
        try:
            check_syntax(path, seen)
            return misplaced(launches, data, original.expanded, expand(path, seen), f"{plan.name}_cuda.h")
        except CompileError as error:
            if error.diagnostics[0].code == "OMPC104":
                raise
            return list(launches)
