"""Makefile and CMakeLists.txt of a folder whose runtime is a library: `ompc config` says where that is.

    make            jacobi             kernels on the GPU
    make emulate    jacobi-emulate     kernels on the CPU
    make host       jacobi-host        no kernels

In: the files of the program, the options.   Out: the texts.   Not here: folders that have the runtime -- makefile.py.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from ompc.base.options import FloatingPoint, Options, sanitizers_of
from ompc.render.environment import template
from ompc.render.makefiles.cmake_words import cmake_options, cmake_word
from ompc.render.makefiles.makefile import (
    NO_MAKEFILE,
    OneOfSeveral,
    device_flags,
    rounding,
    word_with_line_break,
)
from ompc.render.makefiles.quoting import (
    from_folder,
    in_quotes,
    located,
    recipe_word,
    target_name,
    value_word,
    whole_value,
)
from ompc.render.provenance import made_with

_UNLISTED = re.compile(r"[;:|\\]")
"""Matches what a compiler that lists the files it has read does not write as make reads it."""


def library_makefile_text(
    files: Sequence[OneOfSeveral], options: Options, copies: Collection[str], read: Iterable[str]
) -> str:
    """The Makefile. The program is called as the first file; `copies` as in from_folder; `read`: the files that the
    program includes, as they are named, and the way to where ompc ran.
    """
    if word_with_line_break([file.source for file in files], options) is not None:
        return NO_MAKEFILE
    name = files[0].name
    sanitizers = sanitizers_of(options.cpp_flags)
    cuda, emulate = _objects(files, "", "_device"), _objects(files, "_emulate", "_emulate_device")
    host = _of_host(files)
    has_kernels = any(file.has_device_code for file in files)
    made = [*cuda, *emulate, *host] if has_kernels else host
    lists = not any(map(_UNLISTED.search, read))
    return template("Makefile_with_library.j2").render(
        name=name,
        made_with=made_with(options),
        target=target_name(name),
        word=recipe_word(name),
        has_kernels=has_kernels,
        files=[_file_values(file, options, copies) for file in files],
        cuda=_listed(cuda),
        emulate=_listed(emulate),
        host=_listed(host),
        made=" ".join(recipe_word(f"{stem}.{suffix}") for stem in made for suffix in ("o", "d")),
        listing="-MD -MP " if lists else "",
        dependencies=" ".join(target_name(f"{stem}.d") for stem in made) if lists else "",
        origin=whole_value(in_quotes(options.origin)),
        compile_flags=" ".join(map(value_word, options.compile_flags)) or "-O2",
        emulated_flags=" ".join(map(value_word, _emulated_flags(options))),
        libraries=" ".join(from_folder([*options.link_flags, "-lm"])),
        host_flags=" ".join(from_folder(options.cpp_flags, copies)),
        device_flags=device_flags(options),
        sanitizers="".join(f" {value_word(flag)}" for flag in sanitizers),
        options="".join(f"{value_word(word)} " for word in _of_runtime(options)),
    )


def cmake_text(files: Sequence[OneOfSeveral], options: Options, copies: Collection[str]) -> str | None:
    """CMakeLists.txt; None: there are no kernels, or a name or an option has what a list of CMake cannot have."""
    if not any(file.has_device_code for file in files):
        return None
    name = files[0].name
    words = [*options.cpp_flags, *options.compile_flags, *options.link_flags]
    words += [part for file in files for part in (file.name, str(file.source.parent), *file.flags)]
    if any(re.search(r"[;\n\\\[\]]", word) for word in words):
        return None
    sanitizers = [cmake_word(flag) for flag in sanitizers_of(options.cpp_flags)]
    return template("CMakeLists.txt.j2").render(
        name=name,
        made_with=made_with(options),
        target=re.sub(r"\W", "_", name, flags=re.ASCII) + "_program",
        output=cmake_word(name),
        files=[
            {
                "source": cmake_word(f"{file.name}.c"),
                "flags": "".join(f"{word[1:-1]};" for word in cmake_options(file.flags, copies)),
                "launchers": cmake_word(f"{file.name}_launchers.cu") if file.has_device_code else None,
                "directory": cmake_options(["-iquote", str(file.source.parent)], ())[0].strip('"'),
                "rounding": rounding(options, file.contracts),
                "emulated_rounding": _emulated_rounding(options, file),
            }
            for file in files
        ],
        origin=cmake_word(options.origin).strip('"'),
        host_flags=cmake_options(options.cpp_flags, copies),
        compile_flags=cmake_options(options.compile_flags, ()) or ['"-O2"'],
        device_flags=device_flags(options),
        emulated_flags=" ".join([*_emulated_flags(options), *sanitizers]),
        sanitizers=sanitizers,
        libraries=cmake_options([*options.link_flags, "-lm"], ()),
        config=" ".join(map(cmake_word, _of_runtime(options))),
    )


def files_of_build(files: Sequence[OneOfSeveral]) -> list[str]:
    """What `make` and CMake write, but for what they list: no directory may be called so."""
    program = files[0].name
    stems = [*_objects(files, "", "_device"), *_objects(files, "_emulate", "_emulate_device"), *_of_host(files)]
    objects = [f"{stem}.{suffix}" for stem in stems for suffix in ("o", "d")]
    return [program, f"{program}-emulate", f"{program}-host", *objects, "Makefile", "CMakeLists.txt", "emulate", "host"]


def _of_host(files: Iterable[OneOfSeveral]) -> list[str]:
    return [f"{file.name}_host" for file in files]


def _objects(files: Iterable[OneOfSeveral], host: str, device: str) -> list[str]:
    return [
        f"{file.name}{suffix}" for file in files for suffix in ((host, device) if file.has_device_code else (host,))
    ]


def _listed(stems: Sequence[str]) -> dict[str, str]:
    objects = [f"{stem}.o" for stem in stems]
    return {"targets": " ".join(map(target_name, objects)), "words": " ".join(map(recipe_word, objects))}


def _file_values(file: OneOfSeveral, options: Options, copies: Collection[str]) -> dict[str, Any]:
    return {
        "target": target_name(file.name),
        "word": recipe_word(file.name),
        "directory": located(str(file.source.parent)),
        "has_device_code": file.has_device_code,
        "rounding": rounding(options, file.contracts),
        "emulated_rounding": _emulated_rounding(options, file),
        "offloads": file.offloads,
        "flags": "".join(f"{word} " for word in from_folder(file.flags, copies)),
    }


def _emulated_rounding(options: Options, file: OneOfSeveral) -> str:
    """`ompc config` lets the compiler contract, as far as this machine can."""
    contracts = options.fp is not FloatingPoint.STRICT and file.contracts
    return "" if contracts else " -ffp-contract=off"


def _emulated_flags(options: Options) -> list[str]:
    """What kernels on the CPU are compiled with."""
    optimisation = next((flag for flag in reversed(options.compile_flags) if flag.startswith("-O")), "-O2")
    return [optimisation, *(flag for flag in options.compile_flags if flag.startswith("-g"))]


def _of_runtime(options: Options) -> list[str]:
    """The options of the program that make another runtime."""
    static = [flag for flag in options.link_flags if flag in {"-static", "-static-pie"}]
    return [*sanitizers_of(options.cpp_flags), *static]
