"""What a build uses: the target that `--target auto` stands for here, and the tools for it.

    auto      cuda where there are nvcc and a GPU, or nvcc and a program that may run elsewhere (login nodes have no
              GPU); else emulate, with one line that says so
    cuda      nvcc; a GPU only for `--arch native`. Libraries for Python may have NVRTC instead (nvrtc.py)
    emulate   a C++ compiler: the generated kernels run on the CPU
    host      the user's own file, untouched, by the C compiler alone

In: the request, the environment.   Out: `Setting`, or CompileError OMPC104, OMPC401, OMPC402, OMPC407, OMPC408.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from enum import Enum
from pathlib import Path

from ompc.base.diagnostics import CompileError, Diagnostic, Kind
from ompc.base.frozen import dataclass, field
from ompc.base.options import Options
from ompc.base.tuning import Tuning
from ompc.toolchain.machine.cc import Compiler, find_c_compiler, find_cxx_compiler
from ompc.toolchain.machine.flags import Flags
from ompc.toolchain.machine.gpu import Machine, find_gpu
from ompc.toolchain.machine.nvcc import OLDEST_ARCHITECTURE, Nvcc, architecture_flag, find_nvcc, require_nvcc
from ompc.toolchain.machine.nvrtc import Nvrtc, find_nvrtc, require_nvrtc
from ompc.toolchain.machine.tuning_files import read_tuning


class Target(Enum):
    """`--target`."""

    AUTO = "auto"
    CUDA = "cuda"
    EMULATE = "emulate"
    HOST = "host"


class KernelCompiler(Enum):
    """What compiles kernels."""

    NVCC = "nvcc"
    NVRTC = "nvrtc"


@dataclass(frozen=True, slots=True)
class Request:
    """What the user asked to build.

    `source`   the path as the user wrote it, which is what `__FILE__` shows
    `others`   those of the program's other files
    `exports`  it becomes a shared library with these names, and the runtime leaves the process alone that loads it;
               None: it becomes a program
    `kernels`  for CUDA, None: nvcc, else NVRTC
    """

    source: Path
    options: Options
    flags: Flags = field(default_factory=Flags)
    target: Target = Target.AUTO
    arch: str | None = None
    cc: str | None = None
    cxx: str | None = None
    others: tuple[Path, ...] = ()
    exports: tuple[str, ...] | None = None
    kernels: KernelCompiler | None = KernelCompiler.NVCC
    require_gpu: bool = False
    """No kernel may run on the CPU."""
    portable: bool = False
    """The result is kept, and may run on a machine that has another GPU, where this one has none."""

    @property
    def is_library(self) -> bool:
        return self.exports is not None

    @property
    def sources(self) -> tuple[Path, ...]:
        return (self.source, *self.others)


@dataclass(frozen=True, slots=True)
class Setting:
    """The tools of one build; `target` is never AUTO. `cxx` is None for HOST; CUDA has an `architecture`, and either
    `nvcc` or `nvrtc`.
    """

    target: Target
    environ: Mapping[str, str]
    cc: Compiler
    cxx: Compiler | None = None
    nvcc: Nvcc | None = None
    architecture: str | None = None
    notes: tuple[Diagnostic, ...] = ()
    nvrtc: Nvrtc | None = None

    def identity(self) -> dict[str, object]:
        """What the result depends on besides the sources, for the cache; starts no tool."""
        return {
            **self.identity_of_tools(),
            "architecture": self.architecture,
            "tuning": repr(read_tuning(self.environ).entries),
            "language": {name: self.environ[name] for name in _OF_MESSAGES if name in self.environ},
        }

    def identity_of_tools(self) -> dict[str, object]:
        """The same of an object without kernels, whatever the compilers say of it."""
        return {
            "target": self.target.value,
            "tools": [tool.identity() for tool in (self.cc, self.cxx, self.nvcc, self.nvrtc) if tool is not None],
            "environment": {name: self.environ[name] for name in _RELEVANT if name in self.environ},
        }


_RELEVANT = (
    "CPATH",
    "C_INCLUDE_PATH",
    "CPLUS_INCLUDE_PATH",
    "LIBRARY_PATH",
    "COMPILER_PATH",
    "GCC_EXEC_PREFIX",
    "SOURCE_DATE_EPOCH",
    "NVCC_PREPEND_FLAGS",
    "NVCC_APPEND_FLAGS",
)
"""Environment variables that change what the compilers make."""

_OF_MESSAGES = ("LC_ALL", "LC_MESSAGES", "LANG")
"""Those that change what they say."""


def tuning_for(target: Target, known: Tuning | None) -> Tuning | None:
    """What is known, for this target: kernels are made as the emulator found good only where it is asked for."""
    return known if known is None else replace(known, emulated=target is Target.EMULATE)


def choose_setting(
    request: Request, environ: Mapping[str, str], find: Callable[[Mapping[str, str]], Machine] = find_gpu
) -> Setting:
    """Decide the target and find its tools; `find` is asked for the GPU. CompileError OMPC416: one is required."""
    if request.require_gpu and request.target in {Target.HOST, Target.EMULATE}:
        raise _no_gpu(f"--target {request.target.value} is asked for")
    cc = find_c_compiler(environ, request.cc)
    if request.target is Target.HOST:
        return Setting(Target.HOST, environ, cc)
    if request.target is Target.EMULATE:
        return Setting(Target.EMULATE, environ, cc, find_cxx_compiler(environ, request.cxx))
    if request.target is Target.CUDA:
        capability = find(environ).capability if request.arch in {None, "native"} else None
        return _cuda(request, environ, cc, _required(request, environ), capability)
    return _auto(request, environ, cc, find(environ))


def _no_gpu(why: str) -> CompileError:
    help_ = "without --require-gpu the kernels run on the CPU; --target cuda builds for a GPU that is elsewhere"
    return CompileError(Diagnostic("OMPC416", Kind.ERROR, f"--require-gpu, but {why}", help=help_))


def _auto(request: Request, environ: Mapping[str, str], cc: Compiler, machine: Machine) -> Setting:
    compiler = _found(request, environ, bool(machine.gpus))
    if machine.gpus and isinstance(compiler, (Nvcc, Nvrtc)):
        return _cuda(request, environ, cc, compiler, machine.capability)
    missing = _missing(request, compiler, machine)
    if request.require_gpu:
        raise _no_gpu(missing)
    if request.portable and isinstance(compiler, Nvcc):
        return _cuda(request, environ, cc, compiler)
    note = Diagnostic("OMPC409", Kind.WARNING, f"{missing}: the kernels run on the CPU, slowly (--target emulate)")
    return Setting(Target.EMULATE, environ, cc, find_cxx_compiler(environ, request.cxx), notes=(note,))


def _missing(request: Request, compiler: Nvcc | Nvrtc | str | None, machine: Machine) -> str:
    """Why AUTO is not CUDA."""
    only_nvrtc = request.kernels is KernelCompiler.NVRTC
    if isinstance(compiler, str):
        return f"{'' if only_nvrtc else 'no nvcc was found, and '}NVRTC cannot be used ({compiler})"
    if machine.gpus:
        return "no nvcc was found"
    return "no GPU was found" if only_nvrtc or compiler is not None else "neither GPU nor nvcc was found"


def _required(request: Request, environ: Mapping[str, str]) -> Nvcc | Nvrtc:
    """What compiles kernels. CompileError OMPC401, OMPC402."""
    if request.kernels is KernelCompiler.NVRTC:
        return require_nvrtc(environ)
    if request.kernels is KernelCompiler.NVCC:
        return require_nvcc(environ)
    found = _found(request, environ, True)
    return found if isinstance(found, (Nvcc, Nvrtc)) else require_nvcc(environ)


def _found(request: Request, environ: Mapping[str, str], has_gpu: bool) -> Nvcc | Nvrtc | str | None:
    """What compiles kernels; a text: why NVRTC cannot, None: nvcc is not there. Without a GPU nobody asks for NVRTC."""
    if request.kernels is not KernelCompiler.NVRTC:
        nvcc = find_nvcc(environ)
        if nvcc is not None or request.kernels is KernelCompiler.NVCC:
            return nvcc
    return find_nvrtc(environ) if has_gpu else None


def _cuda(
    request: Request,
    environ: Mapping[str, str],
    cc: Compiler,
    compiler: Nvcc | Nvrtc,
    capability: tuple[int, int] | None = None,
) -> Setting:
    cxx = find_cxx_compiler(environ, request.cxx)
    if isinstance(compiler, Nvcc):
        return Setting(Target.CUDA, environ, cc, cxx, compiler, architecture_flag(request.arch, capability))
    architecture = architecture_flag(request.arch or (OLDEST_ARCHITECTURE if capability is None else None), capability)
    if architecture.startswith("-arch=all"):
        message = "NVRTC compiles for one architecture at a time"
        raise CompileError(Diagnostic("OMPC408", Kind.ERROR, message, help="name one, such as sm_90"))
    return Setting(Target.CUDA, environ, cc, cxx, None, architecture, nvrtc=compiler)
