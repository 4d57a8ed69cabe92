"""The files of a plain folder.

    jacobi.c        the user's text with calls for loops       jacobi_cuda.h   declares what it calls
    jacobi.cu       kernels, and functions that launch them    Makefile        builds jacobi
    program.h       copies of the user's own headers    jacobi_copies.cuh   where arrays stay on the device

Of several files each has its own `.c` and, if it has kernels, `.cu`; `main_cuda.h` declares what any of them calls, and
`main_shared.cuh` has what device files need besides kernels.

    In: PlainSources, the program's units.   Out: PlainProgram: texts, or what stays on the host after all, so that the
    plans are made again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from ompc.base.diagnostics import CompileError, Reason
from ompc.base.ending import temporary_directory
from ompc.base.frozen import dataclass, field
from ompc.base.options import Options
from ompc.frontend.preprocess import Preprocessed, check_syntax, expand, read_source
from ompc.ir import tree as t
from ompc.plan.model.plan import Plan
from ompc.plan.plain.arrays import Arrays
from ompc.plan.plain.data_regions import with_data_regions
from ompc.plan.plain.decide import refusal, with_launches
from ompc.plan.plain.model import PlainFile
from ompc.render.device import FunctionView, printers_of
from ompc.render.host.own_headers import headers_beside
from ompc.render.kernels import KernelView
from ompc.render.macro_clashes import without_clashes
from ompc.render.makefiles.makefile import PlainPart, plain_makefile_text
from ompc.render.plain.device import Folder, device_texts, folder_of, header_text
from ompc.render.plain.host import Edit, host_text
from ompc.render.plain.names import named, with_library_apart
from ompc.render.plain.recheck import misplaced
from ompc.render.provenance import made_from, made_with

_RUNTIME = re.compile(r"\b(?:ompc::|OMPC_)(\w+)")

_Refused = Mapping[str, Mapping[str, Reason]]
"""By the name of a file, its regions that stay on the host, by id."""


@dataclass(frozen=True, slots=True)
class PlainSource:
    """A file of the program, and what was decided about it."""

    plan: Plan
    original: Preprocessed
    source: Path
    options: Options


@dataclass(frozen=True, slots=True)
class PlainProgram:
    """`texts` of the files, and `shared` ones, by name: none, if no loop has a kernel. Or `refused`."""

    texts: Mapping[str, str] = field(default_factory=dict)
    shared: Mapping[str, str] = field(default_factory=dict)
    refused: _Refused = field(default_factory=dict)

    def host_of(self, of: PlainSource) -> str:
        return self.texts.get(f"{of.plan.name}.c", of.original.source)

    def files_of(self, of: PlainSource) -> dict[str, str]:
        """What the folder has because of this file."""
        own = {f"{of.plan.name}.c", f"{of.plan.name}.cu"}
        return {name: text for name, text in self.texts.items() if name in own} | dict(self.shared)


def plain_program(sources: Sequence[PlainSource], units: Sequence[t.Unit], unread: str = "") -> PlainProgram:
    """Without data regions where their calls cannot be placed in the text. `unread`: a file of the program's that is
    not among `sources`.
    """
    arrays = Arrays(units)

    def folder(asked: Sequence[PlainSource], keeps: bool) -> Folder | _Refused:
        words = _words(asked)
        plans = [with_library_apart(each.plan, words) for each in asked]
        printers = [replace(printers_of(plan), has_runtime=False) for plan in plans]
        paths = [each.original.file for each in asked]
        files = [PlainFile(plan, path, _unit_of(path, units), printer.types.declare)
                 for plan, path, printer in zip(plans, paths, printers, strict=True)]  # fmt: skip
        files, refused = _with_launches(files, arrays, unread)
        if refused:
            return refused
        kept = with_data_regions(files, units, arrays) if keeps else files
        made = folder_of(named(kept, words), printers)
        return _needing_runtime(made) or made

    def device(at: int, bare: Plan) -> str:
        """The device file of a plan."""
        asked = [replace(each, plan=bare) if k == at else each for k, each in enumerate(sources)]
        made = folder(asked, True)
        return device_texts(made)[f"{bare.name}.cu"] if isinstance(made, Folder) else ""

    sources = [
        replace(each, plan=without_clashes(each.plan, partial(device, at))) for at, each in enumerate(sources)
    ]
    found = folder(sources, True)
    if not isinstance(found, Folder):
        return PlainProgram(refused=found)
    if not found.loops:
        return PlainProgram()
    hosts, lost = _host_texts(sources, found)
    if lost and found.has_data:
        found = folder(sources, False)
        assert isinstance(found, Folder)
        hosts, lost = _host_texts(sources, found)
    if lost:
        return PlainProgram(refused=_refused_where(found, lost))
    return _texts(sources, found, hosts)


def _unit_of(path: str, units: Sequence[t.Unit]) -> t.Unit:
    return next(unit for unit in units if unit.file == path)


def _words(sources: Iterable[PlainSource]) -> frozenset[str]:
    return frozenset(word for each in sources for word in re.findall(r"\w+", each.original.expanded))


def _with_launches(
    files: Sequence[PlainFile], arrays: Arrays, unread: str
) -> tuple[list[PlainFile], _Refused]:
    found, refused = [], {}
    for each in files:
        file, why = with_launches(each, arrays, unread)
        found.append(file)
        refused.update({file.plan.name: why} if why else {})
    return found, refused


# ---------------------------------------------------------------------- what is left of the runtime


def _needing_runtime(folder: Folder) -> _Refused:
    refused = {}
    for device in folder.files:
        texts = {loop.launch: _needed(loop.kernel, device.known["functions"]) for loop in device.loops}
        own = {launch.region.id: refusal(launch.region, why) for launch, why in texts.items() if why is not None}
        refused.update({device.name: own} if own else {})
    return refused


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


def _host_texts(sources: Sequence[PlainSource], folder: Folder) -> tuple[dict[str, str], Sequence[Edit]]:
    """And those of one file's calls that are not where they are to be."""
    header, texts = header_text(folder), {}
    for each, device in zip(sources, folder.files, strict=True):
        text = each.original.source
        if device.has_kernels:
            text, lost = host_text(device.file, folder.header, text)
            lost = lost or _misplaced(each, device.file, text, folder.header, header)
            if lost:
                return {}, lost
        texts[f"{device.name}.c"] = text
    return texts, ()


def _misplaced(source: PlainSource, file: PlainFile, host: str, name: str, header: str) -> list[Edit]:
    """`header`: the text of the file called `name`."""
    own, options = source.original, source.options
    flags = ("-iquote", str(Path(own.file).parent))
    seen = replace(options, cpp_flags=(*options.cpp_flags, *flags))
    with temporary_directory("ompc-host-") as directory:
        path = Path(directory) / f"{file.plan.name}.c"
        path.write_bytes(host.encode("utf-8", errors="surrogateescape"))
        (Path(directory) / name).write_text(header)
        try:
            check_syntax(path, seen)
            return misplaced(file, own.expanded, expand(path, seen), name)
        except CompileError as error:
            if error.diagnostics[0].code == "OMPC104":
                raise
            return [*file.launches, *file.data]


def _refused_where(folder: Folder, lost: Sequence[Edit]) -> _Refused:
    why = "its text cannot be told from what macros and conditions around it make"
    found = {}
    for device in folder.files:
        own = {each.region.id: refusal(each.region, why) for each in device.file.launches if each in lost}
        found.update({device.name: own} if own else {})
    return found


# ---------------------------------------------------------------------- the folder


def _texts(sources: Sequence[PlainSource], folder: Folder, hosts: Mapping[str, str]) -> PlainProgram:
    options = sources[0].options
    made = {each.plan.name: made_from(each.source, each.original.source) for each in sources}
    texts = {**hosts, **device_texts(folder, made_with(options), made)}
    paths = _own_headers(sources)
    headers = {name: read_source(path) for name, path in paths.items()}
    parts = [PlainPart(each.plan, each.source, each.options, device.has_kernels)
             for each, device in zip(sources, folder.files, strict=True)]  # fmt: skip
    shared = {
        folder.header: header_text(folder),
        **headers,
        **{name: texts.pop(name) for name in [folder.shared] if name},
        "Makefile": plain_makefile_text(parts, options, [*headers], folder.header, folder.shared),
    }
    return PlainProgram(texts, shared)


def _own_headers(sources: Sequence[PlainSource]) -> dict[str, Path]:
    """Of sources in several directories none: the Makefile says where they are."""
    if len({each.source.parent.resolve() for each in sources}) > 1:
        return {}
    own = {each.source.resolve() for each in sources}
    read = dict.fromkeys(name for each in sources for name in each.original.files if Path(name).resolve() not in own)
    return headers_beside(read, sources[0].source)
