"""The compiler command lines of a build, as lists of words. Nothing is run here.

What each file is given, where the program is called jacobi:

    jacobi.c      cc  -O2 -fopenmp              + the user's options     (the user's text: his directory stays the one
                                                                         where #include "..." is looked up)
    ompc_*.c      cc  -O2 -fPIC
    ompc_*.cc     nvcc -O2 -std=c++17 -fPIC, handed to c++        or      c++ -O1 -std=c++17 -fPIC
    jacobi.cu     nvcc -O3 -std=c++17 -arch=... [-fmad=false]    or      c++ -O2 -std=c++17 -x c++ -ffp-contract=...
    link          nvcc --cudart static                           or      c++ -fopenmp

Of a library whose kernels are NVRTC's: nvrtc_commands.py.

A library (`Request.exports`) is position-independent, and nothing in it can be seen or replaced from outside but what
it exports: libraries of different flags can be loaded together, and a function of the user's that is called `index`
stays his.
"""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from ompc.base.frozen import dataclass
from ompc.base.options import FloatingPoint, options_of_heap
from ompc.base.resources import Runtime, include_words, runtime_units
from ompc.render.makefiles.nvcc_options import debug_options, nvcc_options
from ompc.toolchain.commands.fused import contraction_words
from ompc.toolchain.commands.nvrtc_commands import host_part_command, link_words, runtime_words
from ompc.toolchain.commands.private_symbols import keeps_symbols
from ompc.toolchain.machine.setting import Request, Setting, Target


@dataclass(frozen=True, slots=True)
class Scratch:
    """The directory of one build, or of the file of that `number` in it, with the generated files called `name`."""

    directory: Path
    name: str
    number: int = 0

    @property
    def host_source(self) -> Path:
        return self.directory / f"{self.name}.c"

    @property
    def device_source(self) -> Path:
        return self.directory / f"{self.name}.cu"

    @property
    def depfile(self) -> Path:
        return self.directory / "host.d"

    @property
    def program(self) -> Path:
        return self.directory / "program"

    @property
    def version_script(self) -> Path:
        """What a library exports, for the linker."""
        return self.directory / "exports.map"

    def object(self, stem: str) -> Path:
        return self.directory / f"{stem}.o"


def host_command(request: Request, setting: Setting, scratch: Scratch) -> list[str]:
    """Compile the translated host file. `__FILE__` and debug information name the user's own file."""
    return [
        *setting.cc.command,
        *setting.cc.openmp,
        *_compile_flags(request),
        "-iquote",
        str(request.source.parent),
        *include_words(Runtime.COMMON),
        f"-ffile-prefix-map={scratch.host_source}={request.source}",
        *("-MD", "-MF", str(scratch.depfile)),
        *("-c", str(scratch.host_source), "-o", str(scratch.object("host"))),
    ]


def plain_object_command(request: Request, setting: Setting, scratch: Scratch) -> list[str]:
    """Compile one of the user's files, unchanged."""
    return [
        *setting.cc.command,
        *setting.cc.openmp,
        *_compile_flags(request),
        *("-MD", "-MF", str(scratch.depfile)),
        *("-c", str(request.source), "-o", str(scratch.object("host"))),
    ]


def plain_command(request: Request, setting: Setting, scratch: Scratch) -> list[str]:
    """Build the user's own files, unchanged, in one step."""
    return [
        *setting.cc.command,
        "-fopenmp",
        *_compile_flags(request),
        *("-MD", "-MF", str(scratch.depfile)),
        *(*map(str, request.sources), "-o", str(scratch.program)),
        *_library_words(request, scratch),
        *request.flags.link,
        "-lm",
    ]


@dataclass(frozen=True, slots=True)
class Variant:
    """What the runtime is compiled with for a program, besides its target and the tools.

    `sanitizers`  the program's
    `is_static`   nothing is behind the functions that stand in front of libc's
    `is_guest`    it is part of a library that another program loads, such as Python, and leaves that alone
    """

    sanitizers: tuple[str, ...] = ()
    is_static: bool = False
    is_guest: bool = False


def variant_of(sanitizers: Sequence[str], link_flags: Sequence[str], is_guest: bool = False) -> Variant:
    """What a program has that is linked with these flags."""
    return Variant(tuple(sanitizers), not {"-static", "-static-pie"}.isdisjoint(link_flags), is_guest)


def c_runtime_words(setting: Setting, variant: Variant) -> list[str]:
    """The C compiler with the options of what stands in front of libraries in a program."""
    return [
        *setting.cc.command,
        *("-O2", "-std=gnu11", "-fPIC"),
        *(("-DOMPC_LIBRARY",) if variant.is_guest else ()),
        *options_of_heap(variant.sanitizers, ("-static",) if variant.is_static else ()),
    ]


def runtime_command(setting: Setting, variant: Variant, source: Path, output: Path) -> list[str]:
    """Compile one C file of the runtime."""
    words = [*c_runtime_words(setting, variant), *include_words(Runtime.COMMON)]
    return [*words, "-x", "c", "-c", str(source), "-o", str(output)]


def host_runtime_units(setting: Setting) -> list[Path]:
    """The files of the runtime that are C++ and the same for every program of a target."""
    target = Runtime.CUDA if setting.target is Target.CUDA else Runtime.EMULATE
    return runtime_units(target, Runtime.COMMON, *(() if setting.nvrtc is None else (Runtime.NVRTC,)), suffix=".cc")


def host_runtime_command(setting: Setting, variant: Variant, source: Path, output: Path) -> list[str]:
    """Compile one of them: position-independent, as shared libraries want it."""
    own = (*library_words(setting), *(("-DOMPC_LIBRARY",) if variant.is_guest else ()))
    return [*_host_runtime_words(setting, variant.sanitizers, source, output), *own]


def _host_runtime_words(setting: Setting, sanitizers: Sequence[str], source: Path, output: Path) -> list[str]:
    part = Runtime.CUDA if setting.target is Target.CUDA else Runtime.EMULATE
    files = [*include_words(part, Runtime.COMMON), "-c", str(source), "-o", str(output)]
    assert setting.cxx is not None
    if setting.nvrtc is not None:
        return [*runtime_words(setting), "-c", str(source), "-o", str(output)]
    if setting.target is Target.CUDA:
        assert setting.nvcc is not None
        return [str(setting.nvcc.path), "-ccbin", str(setting.cxx.path), "-O2", "-std=c++17", *files]
    return [*setting.cxx.command, "-O1", "-std=c++17", "-ffp-contract=off", "-fno-strict-aliasing", *sanitizers, *files]


def library_words(setting: Setting) -> tuple[str, ...]:
    """What a C++ compiler is given for objects of shared libraries: position-independent, and without the symbols for
    which g++ has the dynamic linker never unload a library, so that dlopen would find what it left behind.
    """
    assert setting.cxx is not None
    unique = ("-fno-gnu-unique",) if _has_unique_symbols(tuple(setting.cxx.command)) else ()
    words = ("-fPIC", *unique)
    if setting.nvcc is None or setting.target is not Target.CUDA:
        return words
    return tuple(word for each in words for word in ("-Xcompiler", each))


@lru_cache
def _has_unique_symbols(compiler: tuple[str, ...]) -> bool:
    """g++ has them, and an option against them; clang++ has neither."""
    words = [*compiler, "-fno-gnu-unique", "-fsyntax-only", "-x", "c++", "/dev/null"]
    return subprocess.run(words, capture_output=True, check=False).returncode == 0


def device_command(request: Request, setting: Setting, scratch: Scratch, contracts: bool) -> list[str]:
    """Compile the device file for the GPU, or for the emulating runtime; `contracts` as in Translation."""
    if setting.nvrtc is not None:
        return host_part_command(setting, scratch.number, scratch.device_source, scratch.object("device"))
    files = ["-c", str(scratch.device_source), "-o", str(scratch.object("device"))]
    if setting.target is Target.CUDA:
        return [
            *_nvcc(setting),
            "-O3",
            "-std=c++17",
            *request.options.fp.nvcc_options(contracts),
            *(() if request.options.lines_from is None else debug_options(request.flags.compile)),
            "-Xcompiler",
            "-fopenmp",
            *(library_words(setting) if request.is_library else ()),
            *include_words(Runtime.CUDA, Runtime.COMMON),
            *files,
        ]
    assert setting.cxx is not None
    return [
        *setting.cxx.command,
        *("-std=c++17", "-x", "c++", request.flags.optimisation, "-fopenmp"),
        *("-fno-strict-aliasing", *contraction_words(request.options.fp is not FloatingPoint.STRICT and contracts)),
        *(library_words(setting) if request.is_library else ()),
        *request.flags.sanitizers,
        *(f for f in request.flags.compile if f.startswith("-g")),
        *include_words(Runtime.EMULATE, Runtime.COMMON),
        *files,
    ]


def link_command(request: Request, setting: Setting, scratch: Scratch, objects: list[Path]) -> list[str]:
    """Link the object files of a translated program."""
    output = ["-o", str(scratch.program)]
    if setting.nvcc is not None:
        return [
            *_nvcc(setting),
            *("--cudart", "static", "-Xcompiler", "-fopenmp"),
            *map(str, objects),
            *output,
            *setting.nvcc.link_flags(),
            *nvcc_options((*_library_words(request, scratch), *request.flags.sanitizers, *request.flags.link)),
            "-lm",
        ]
    assert setting.cxx is not None
    flags, library = request.flags, _library_words(request, scratch)
    words = [*setting.cxx.command, "-fopenmp", *flags.sanitizers, *map(str, objects), *output]
    cuda = () if setting.nvrtc is None else link_words(setting)
    return [*words, *library, *flags.link, *cuda, "-lm"]


def version_script(exports: tuple[str, ...]) -> str:
    """The linker's: everything else is the library's own."""
    named = "".join(f"    {name};\n" for name in exports)
    return f"{{\n{'global:' if named else ''}\n{named}local:\n    *;\n}};\n"


def _library_words(request: Request, scratch: Scratch) -> tuple[str, ...]:
    """Calls within a library stay within, and what it lacks is said when it is linked; a program that exports all its
    symbols keeps what is ompc's.
    """
    if not request.is_library:
        return (f"-Wl,--version-script={scratch.version_script}",) if keeps_symbols(request.flags.link) else ()
    complete = () if request.flags.sanitizers else ("-Wl,-z,defs",)
    return ("-shared", f"-Wl,--version-script={scratch.version_script}", "-Wl,-Bsymbolic", *complete)


def _compile_flags(request: Request) -> tuple[str, ...]:
    flags = request.flags
    default = () if any(f.startswith("-O") for f in flags.compile) else (flags.optimisation,)
    return (*default, *(("-fPIC",) if request.is_library else ()), *flags.preprocess, *flags.compile)


def _nvcc(setting: Setting) -> list[str]:
    assert setting.nvcc is not None and setting.cxx is not None and setting.architecture is not None
    return [str(setting.nvcc.path), setting.architecture, "-ccbin", str(setting.cxx.path)]
