"""The Makefile of a translated folder: `make` alone builds the program, without ompc.

Relative -I directories, and the directory of the user's own headers, are relative to where ompc ran; the Makefile
reaches them through `ORIGIN`, the path from the folder to there. A folder that is moved keeps building where that
path is given to make: `make ORIGIN=/path/to/where/ompc/ran`.

Make ends a value at a line break, whatever stands around it: `-DX=$'1\nall:; rm ...'` would be a rule. Where a word has
one, there is a Makefile that says so and does nothing; `ompc translate` refuses before (OMPC106).

    In: the plan, the path of the source, the options.   Out: the text.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from ompc.base.frozen import dataclass
from ompc.base.options import Options, options_of_heap, sanitizers_of
from ompc.base.translation import Translation
from ompc.plan.model.names import file_names
from ompc.plan.model.plan import Plan
from ompc.render.environment import template
from ompc.render.makefiles.nvcc_options import debug_options, nvcc_options
from ompc.render.makefiles.quoting import (
    PLACES,
    from_folder,
    in_quotes,
    located,
    recipe_word,
    target_name,
    value_word,
    whole_value,
)
from ompc.render.provenance import made_with

NO_MAKEFILE = "$(error a name or an option has a line break, which no Makefile can have)\n"

def word_with_line_break(sources: Iterable[Path], options: Options) -> str | None:
    """The first of the words that a Makefile would have, but cannot."""
    directories = (str(source.parent) for source in sources)
    own = (word for _, flags in options.flags_of_files for word in flags)
    words = (*own, *options.cpp_flags, *options.compile_flags, *options.link_flags, *directories, options.origin)
    return next((word for word in words if "\n" in word), None)


def makefile_text(plan: Plan | None, source: Path, options: Options, name: str = "") -> str:
    """The Makefile of `source`, whose generated files are called `name`; no plan: the file was copied through.

    Its variables: CC, CFLAGS, LDFLAGS, LDLIBS, ORIGIN, and with loops on the device NVCC, NVCCFLAGS, ARCH.
    """
    if word_with_line_break([source], options) is not None:
        return NO_MAKEFILE
    name = name or file_names([source])[0]
    sanitizers = sanitizers_of(options.cpp_flags)
    device = plan is not None and plan.is_edited
    libraries = [*(nvcc_options(options.link_flags) if device else options.link_flags), "-lm"]
    return template("Makefile.j2").render(
        name=name,
        made_with=made_with(options),
        target=target_name(name),
        word=recipe_word(name),
        origin=whole_value(in_quotes(options.origin)),
        compile_flags=" ".join(map(value_word, options.compile_flags)) or "-O2",
        libraries=" ".join(from_folder(libraries)),
        host_flags=" ".join([*from_folder(options.cpp_flags), f"-iquote {located(str(source.parent))}"]),
        device_flags=device_flags(options),
        rounding=rounding(options, plan is None or plan.contraction.contracts),
        sanitizers="".join(f" {value_word(flag)}" for flag in options_of_heap(sanitizers, options.link_flags)),
        nvcc_sanitizers="".join(f" {value_word(word)}" for word in nvcc_options(sanitizers)),
        has_device_code=device,
        offloads=plan is not None and _offloads(plan),
        headers=plan is not None and any(plan.source_of(region) != plan.source for region in plan.on_device),
    )


@dataclass(frozen=True, slots=True)
class PlainPart:
    """A file of a plain folder, with the options of its own."""

    plan: Plan
    source: Path
    options: Options
    has_kernels: bool


def plain_makefile_text(
    parts: Sequence[PlainPart], options: Options, copied: Sequence[str], header: str, shared: str
) -> str:
    """The Makefile of a plain folder, which has copies of the user's own headers. `header`: what the user's files
    include, `shared`: what device files do, if it is there.
    """
    if word_with_line_break([part.source for part in parts], options) is not None:
        return NO_MAKEFILE
    flags = [flag for part in parts for flag in (*part.options.cpp_flags, *options.link_flags)]
    is_apart = len({part.source.parent.resolve() for part in parts}) > 1
    has_places = is_apart or any(map(PLACES.fullmatch, flags))
    names = [(part.plan.name, kind) for part in parts for kind in ("", "_device")[: 1 + part.has_kernels]]
    return template("plain/Makefile.j2").render(
        name=parts[0].plan.name,
        target=target_name(parts[0].plan.name),
        word=recipe_word(parts[0].plan.name),
        parts=[
            {
                "target": target_name(part.plan.name),
                "word": recipe_word(part.plan.name),
                "has_kernels": part.has_kernels,
                "flags": " ".join(["-fopenmp", *from_folder(part.options.cpp_flags), *_beside(part.source, is_apart)]),
                "rounding": rounding(options, part.plan.contraction.contracts),
            }
            for part in parts
        ],
        objects=" ".join(f"{target_name(of)}{kind}.o" for of, kind in names),
        object_words=" ".join(f"{recipe_word(of)}{kind}.o" for of, kind in names),
        origin=whole_value(in_quotes(options.origin)) if has_places else "",
        compile_flags=" ".join(map(value_word, options.compile_flags)) or "-O2",
        device_flags=device_flags(options),
        libraries=" ".join(from_folder([*nvcc_options(options.link_flags), "-lm"])),
        headers=" ".join(map(target_name, [header, *copied])),
        of_device=" ".join(map(target_name, [header, *[shared] * bool(shared)])),
    )


def _beside(source: Path, is_apart: bool) -> list[str]:
    """The option that says where the source's own headers are, if they are not copied."""
    return [f"-iquote {located(str(source.parent))}"] if is_apart else []


def _offloads(plan: Plan) -> bool:
    """Does gcc put code for accelerators of its own into the object (toolchain/commands/offload_sections.py)?"""
    directives = any(region.directive and "target" in region.directive for region in plan.regions)
    return bool(directives or plan.target_lines or plan.keeps_nothing)


@dataclass(frozen=True, slots=True)
class OneOfSeveral:
    """A file of a program: the `name` of what was generated; `contracts` as in Translation; `offloads`: it has target
    constructs; `flags` that the others do not have.
    """

    name: str
    source: Path
    has_device_code: bool
    contracts: bool = True
    offloads: bool = False
    flags: tuple[str, ...] = ()


def part_of(translation: Translation, source: Path, options: Options) -> OneOfSeveral:
    """The file of a program that was translated from `source`."""
    return OneOfSeveral(
        name=translation.name,
        source=source,
        has_device_code=translation.has_device_code,
        contracts=translation.contracts,
        offloads=translation.offloads,
        flags=options.own_flags(source),
    )


def program_makefile_text(files: Sequence[OneOfSeveral], options: Options) -> str:
    """The Makefile of a program of several files. The program is called as the first."""
    if word_with_line_break([file.source for file in files], options) is not None:
        return NO_MAKEFILE
    sanitizers = sanitizers_of(options.cpp_flags)
    name = files[0].name
    parts = [(file.name, part) for file in files for part in (("", "_device") if file.has_device_code else ("",))]
    objects = [f"{of}{part}.o" for of, part in parts]
    return template("Makefile_of_several.j2").render(
        name=name,
        made_with=made_with(options),
        target=target_name(name),
        word=recipe_word(name),
        files=[
            {
                "target": target_name(file.name),
                "word": recipe_word(file.name),
                "directory": located(str(file.source.parent)),
                "has_device_code": file.has_device_code,
                "rounding": rounding(options, file.contracts),
                "offloads": file.offloads,
                "flags": "".join(f"{word} " for word in from_folder(file.flags)),
            }
            for file in files
        ],
        object_targets=" ".join(map(target_name, objects)),
        object_words=" ".join(map(recipe_word, objects)),
        origin=whole_value(in_quotes(options.origin)),
        compile_flags=" ".join(map(value_word, options.compile_flags)) or "-O2",
        libraries=" ".join(from_folder([*nvcc_options(options.link_flags), "-lm"])),
        host_flags=" ".join(from_folder(options.cpp_flags)),
        device_flags=device_flags(options),
        sanitizers="".join(f" {value_word(flag)}" for flag in options_of_heap(sanitizers, options.link_flags)),
        nvcc_sanitizers="".join(f" {value_word(word)}" for word in nvcc_options(sanitizers)),
    )


def rounding(options: Options, contracts: bool) -> str:
    return "".join(f" {option}" for option in options.fp.nvcc_options(contracts))


def device_flags(options: Options) -> str:
    return " ".join(["-O3", *(() if options.lines_from is None else debug_options(options.compile_flags))])
