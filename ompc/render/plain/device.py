"""The device files of a plain folder, and what several of them share.

    jacobi.cu            one file: CHECK, block_sum and the like, then kernels, each with its launch function
    solve.cu  norm.cu    several: kernels with their launch functions; the rest is in main_shared.cuh

    In: PlainFiles with names.   Out: Folder, and its texts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ompc.base.frozen import dataclass
from ompc.ir.queries import declared_in, symbols_in
from ompc.plan.model.names import first_free, spelled
from ompc.plan.plain.model import PlainFile, PlainLaunch
from ompc.render.device import Printers, views_without_loops
from ompc.render.environment import template
from ompc.render.kernels import KernelView
from ompc.render.layout import words_of
from ompc.render.plain.kernels import PlainKernelPrinter
from ompc.render.plain.launchers import (
    PlainLauncherView,
    data_region_view,
    launcher_view,
    prototype,
    region_prototype,
)
from ompc.render.plain.reductions import OPERATORS

_OF_DATA = ("DeviceCopy", "device_copies", "copy_to_device", "copy_of", "copies_to_host")
"""What the folder has where there are data regions."""


@dataclass(frozen=True, slots=True)
class Loop:
    """`is_shown`: its kernel is not another loop's as well, which stands in front of it."""

    launch: PlainLaunch
    kernel: KernelView
    launcher: PlainLauncherView
    is_shown: bool = True


@dataclass(frozen=True, slots=True)
class DeviceFile:
    """`known`: what its templates print in front of the kernels; `loops`: kernels and launch functions."""

    file: PlainFile
    printers: Printers
    known: Mapping[str, Any]
    loops: tuple[Loop, ...]

    @property
    def name(self) -> str:
        return self.file.plan.name

    @property
    def has_kernels(self) -> bool:
        """Or functions that copy arrays for them: it has a `.cu`, and the user's file calls that."""
        return bool(self.loops or self.file.data)


@dataclass(frozen=True, slots=True)
class Folder:
    """Of a program called `name`; `helpers`: names of what device files have besides kernels, by those they want."""

    name: str
    files: tuple[DeviceFile, ...]
    helpers: Mapping[str, str]

    @property
    def loops(self) -> tuple[Loop, ...]:
        return tuple(loop for file in self.files for loop in file.loops)

    @property
    def has_data(self) -> bool:
        return any(each.file.data for each in self.files)

    @property
    def header(self) -> str:
        """What the user's files include."""
        return f"{self.name}_cuda.h"

    @property
    def shared(self) -> str:
        """What the device files include; empty: they need not."""
        if len(self.files) > 1:
            return f"{self.name}_shared.cuh"
        return f"{self.name}_copies.cuh" if self.has_data else ""


def folder_of(files: Sequence[PlainFile], printers: Sequence[Printers]) -> Folder:
    """`files` have names; the program is called as the first. `printers`: those that know all macros that they say."""
    known = [views_without_loops(each) | {"macros": each.macros} for each in printers]
    helpers = _helpers(files, known)
    made = []
    for file, printer, views in zip(files, printers, known, strict=True):
        loops = []
        for launch in file.launches:
            spelling = printer.spelling_of(launch.plan, launch.plan.own)
            kernel = PlainKernelPrinter(launch, spelling, file.plan.source, helpers)
            loops.append(Loop(launch, kernel.view(), launcher_view(launch, kernel, printer.types)))
        made.append(DeviceFile(file, printer, views, _with_kernels_once(loops)))
    return Folder(files[0].plan.name, tuple(made), helpers)


def _with_kernels_once(loops: Sequence[Loop]) -> tuple[Loop, ...]:
    """Loops whose kernels are word for word the same have that of the first, if nothing else is called like it."""
    found: list[Loop] = []
    for loop in loops:
        name = {each.launcher.kernel: at for at, each in enumerate(found) if each.is_shown and _is_same(each, loop)}
        first = next((each for each in name if each not in loop.launcher.names.taken), None)
        if first is None:
            found.append(loop)
            continue
        other = found[name[first]]
        comment = [*other.kernel.comment, *loop.kernel.comment]
        found[name[first]] = replace(other, kernel=replace(other.kernel, comment=comment))
        found.append(replace(loop, launcher=replace(loop.launcher, kernel=first), is_shown=False))
    return tuple(found)


def _is_same(one: Loop, other: Loop) -> bool:
    return one.kernel.parameters == other.kernel.parameters and one.kernel.lines == other.kernel.lines


def _helpers(files: Sequence[PlainFile], known: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """The user's names may be the same."""
    taken = {name for file in files for name in _names_in(file)}
    for views in known:
        taken |= words_of(line for function in views["functions"] for line in (function.signature, *function.body))
        taken |= words_of(f"{macro.name} {macro.text}" for macro in views["macros"].kept)
        taken |= {name for name, _ in views["enumerators"]} | {record.name for record in views["records"]}
    wanted = ("CHECK", "check", "blocks", *_OF_DATA, *(each.function for each in OPERATORS.values()))
    return {name: first_free(name, taken) for name in wanted}


def _names_in(file: PlainFile) -> Iterator[str]:
    for launch in file.launches:
        yield launch.kernel
        yield from (spelled(symbol.name) for symbol in symbols_in(launch.plan.body))
        yield from (spelled(symbol.name) for symbol in declared_in(launch.plan.body))
        yield from (str(argument.name) for argument in launch.plan.arguments)
    yield from (spelled(array.root.name) for region in file.data for array in region.arrays)


# ---------------------------------------------------------------------- texts


def header_text(folder: Folder) -> str:
    """What the user's files call."""
    files = [each.file for each in folder.files]
    prototypes = [prototype(launch) for file in files for launch in file.launches]
    prototypes += [region_prototype(region) for file in files for region in file.data]
    prototypes += [(f"void {leave}", ["void"]) for leave in {region.leave for file in files for region in file.data}]
    several = len(files) > 1
    calling = "the C files call for their loops" if several else f"{folder.name}.c calls for its loops"
    about = f"{folder.header}: what {calling}; in {'the .cu files' if several else f'{folder.name}.cu'}."
    return template("plain/header.h.j2").render(about=about, prototypes=prototypes)


def device_texts(folder: Folder, made_with: str = "", made_from: Mapping[str, str] | None = None) -> dict[str, str]:
    """`made_from`: by the name of the file. What files have in common is a text by itself."""
    several, names = len(folder.files) > 1, made_from or {}
    texts = {}
    for each in (each for each in folder.files if each.has_kernels):
        text = _device_text(each, folder, {"made_with": made_with, "made_from": names.get(each.name, "")})
        texts[f"{each.name}.cu"] = text
    if several:
        own = {**_helpers_known(folder), "headers": sorted(_HEADERS)}
        texts[folder.shared] = template("plain/shared.cuh.j2").render(own)
    elif folder.has_data:
        texts[folder.shared] = template("plain/copies.cuh.j2").render(_helpers_known(folder))
    return texts


_HEADERS = frozenset({"algorithm", "cassert", "climits", "cstdio", "cstdlib"})
"""What CHECK and the like need."""


def _device_text(device: DeviceFile, folder: Folder, made: Mapping[str, str]) -> str:
    several, loops, file = len(folder.files) > 1, device.loops, device.file
    sizes = [array.size[1] for loop in loops for array in loop.launcher.arrays if array.size]
    sizes += [array.bytes for region in file.data for array in region.arrays]
    lines = "\n".join(line for loop in loops for line in loop.kernel.lines)
    headers = {*([] if several else _HEADERS), *["cmath"] * ("INFINITY" in lines), *_vectors(loops)}
    headers |= {"cstddef"} if any(record.layout for record in device.known["records"]) else set()
    types = device.printers.types
    first = next((each for each in folder.files if each.file.data), None)
    return template("plain/device.cu.j2").render(
        {
            **device.known,
            **_helpers_known(folder),
            **made,
            "plan": file.plan,
            "headers": sorted(headers | set(device.known["macros"].headers()))
            + ["malloc.h"] * any("malloc_usable_size" in text for text in sizes),
            "data": [data_region_view(region, types) for region in file.data],
            "leave": next((region.leave for region in file.data), "") if first is device else "",
            "loops": loops,
        }
    )


def _vectors(loops: Iterable[Loop]) -> list[str]:
    return ["vector"] * any(each.elements is not None for loop in loops for each in loop.launcher.combined)


def _helpers_known(folder: Folder) -> dict[str, Any]:
    """What the templates of CHECK and the like print."""
    used = {str(r.op) for loop in folder.loops for r in loop.launch.plan.reductions}
    sums = [loop.launcher for loop in folder.loops if loop.launcher.combined]
    axes = max((each.axes for each in sums), default=1)
    several = len(folder.files) > 1
    return {
        "names": folder.helpers,
        "header": folder.header,
        "file": folder.shared,
        "is_shared": several,
        "linkage": "inline" if several else "static",
        "checked_in": f"{folder.name}.cu",
        "has_copies": folder.has_data,
        "has_bools": any("_Bool" in text for loop in folder.loops for text in loop.launcher.declared),
        "thread": _number(axes, "threadIdx", "blockDim"),
        "block": _number(axes, "blockIdx", "gridDim"),
        "several_sums": any(len(each.combined) > 1 or any(c.elements for c in each.combined) for each in sums),
        "operators": [OPERATORS[name] for name in OPERATORS if name in used],
    }


def _number(axes: int, place: str, length: str) -> str:
    """Of a thread in its block, or of a block in the grid."""
    text = f"{place}.{'xyz'[axes - 1]}"
    for axis in "xyz"[: axes - 1][::-1]:
        text = f"{text if len(text) < 20 else f'({text})'} * {length}.{axis} + {place}.{axis}"
    return text
