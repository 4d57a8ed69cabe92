"""What the user asked for, as frozen data; the CLI builds it, every stage reads it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import Enum
from pathlib import Path

from ompc.base.frozen import dataclass
from ompc.base.optimisations import WITHOUT
from ompc.base.tuning import Tuning


class Level(Enum):
    """`--opt`: docs/commands.md says what each level stands for."""

    BASELINE = "baseline"
    THESIS = "thesis"
    AUTO = "auto"


class FloatingPoint(Enum):
    """`--fp`: where products and sums may be contracted to FMA on the device, and 1 / sqrt(x) to one operation.

    DEFAULT contracts where every use of the value is harmless (floats/deciding_uses.py) and it pays. With FAST,
    quotients and roots of floats are approximations, too.
    """

    STRICT = "strict"
    DEFAULT = "default"
    FAST = "fast"

    def nvcc_options(self, contracts: bool) -> tuple[str, ...]:
        """Of a device file; `contracts`: products of its kernels are contracted (plan/model/contraction.py)."""
        match self:
            case FloatingPoint.FAST:
                return ("-prec-div=false", "-prec-sqrt=false")
            case FloatingPoint.DEFAULT if contracts:
                return ()
            case _:
                return ("-fmad=false",)


@dataclass(frozen=True, slots=True)
class Options:
    """Options of a translation. `cpp_flags` go to the C preprocessor and compiler unchanged (-I, -D, -U,
    -std, -include).
    """

    level: Level = Level.AUTO
    fp: FloatingPoint = FloatingPoint.DEFAULT
    cpp_flags: tuple[str, ...] = ()
    cc: str = "cc"
    """The host C compiler's command (a path or a name; gcc or clang)."""
    compile_flags: tuple[str, ...] = ()
    """The Makefile's options for the host compiler alone (-O3, -g); -O2 where there are none."""
    link_flags: tuple[str, ...] = ()
    """The Makefile's options for the linker (-lNAME, -LDIR)."""
    werror: bool = False
    """Warnings about OpenMP (OMPC2xx) are errors."""
    origin: str = ".."
    """The path from the translated folder to where ompc runs; relative paths in the Makefile start there."""
    cc_arguments: tuple[str, ...] = ()
    """The words between `cc` and its options: ("gcc",) where the compiler is `ccache gcc`."""
    tag: str = ""
    """Part of every name that the linker sees or that C++ merges across files, where the program has several files."""
    part: bool = False
    """The program has other files, which may keep mapped data on the device."""
    keep_lines: bool = False
    """#line directives keep the user's line numbers, also where the program does not see them: for object files, whose
    debug information and warnings name lines."""
    lines_from: str | None = None
    """Kernels name the user's lines (#line), for debuggers; relative paths in them start at this directory."""
    tuning: Tuning | None = None
    """Shapes of launches that were measured; None: none are known, or they are not wanted."""
    partly: bool = False
    """A file that is refused counts as one without loops, and its errors are among its diagnostics. Reports want that.
    """
    several_devices: bool = False
    """`--gpus several`: kernels are made so that several devices may do a part of their iterations each."""
    plain: bool = False
    """`--plain`: a folder without the runtime; loops that need it stay on the host."""
    flags_of_files: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Options like `cpp_flags` that single files have besides, by their paths (compile_commands.json)."""
    without: frozenset[str] = frozenset()
    """The names (optimisations.py) of the optimisations that `--without` leaves out."""

    def of_file(self, source: Path) -> Options:
        """With those of one file of the program in front of those of all."""
        own = self.own_flags(source)
        return replace(self, cpp_flags=(*own, *self.cpp_flags), flags_of_files=()) if own else self

    def own_flags(self, source: Path) -> tuple[str, ...]:
        return dict(self.flags_of_files).get(str(source), ())

    def does(self, optimisation: str) -> bool:
        """Is it wanted, of what `--opt auto` does?"""
        return self.level is Level.AUTO and optimisation not in self.without

    @property
    def has_strict_aliasing(self) -> bool:
        """Does the type of an access say which objects it may be one to (C11 6.5, 7)?"""
        return "-fno-strict-aliasing" not in (*self.cpp_flags, *self.compile_flags)


def sanitizers_of(words: Sequence[str]) -> tuple[str, ...]:
    """Of options of a compiler, those that launchers and the runtime are compiled with where sanitizers are asked for.

    AddressSanitizer walks frame pointers at each allocation. The runtime allocates while it handles a fault: a register
    that is no frame pointer there could lead the walk into the guarded pages of an array on the stack.
    """
    found = [word for word in words if word.startswith(("-fsanitize", "-fno-sanitize"))]
    walks = any("address" in word for word in found if word.startswith("-fsanitize="))
    return (*found, *(("-fno-omit-frame-pointer",) if walks else ()))


def options_of_heap(sanitizers: Sequence[str], link_flags: Sequence[str]) -> list[str]:
    """What the runtime's C files are compiled with for a program with these sanitizers, linked with these options.

    Its functions stand in front of libc's, so ThreadSanitizer itself calls them before it can count calls: they are
    compiled without it, and told that malloc is the sanitizer's. In a static program there is no libc behind them.
    """
    enabled = [name for flag in sanitizers if flag.startswith("-fsanitize=") for name in flag[11:].split(",")]
    mine = ["-fno-sanitize=thread", "-DOMPC_SANITIZER_OWNS_MALLOC"] if "thread" in enabled else []
    static = ["-DOMPC_STATIC"] if not {"-static", "-static-pie"}.isdisjoint(link_flags) else []
    return [*sanitizers, *mine, *static]


_KEPT_PLAIN = frozenset({"axes", "sinking", "kept-elements", "overwritten", "restrict", "array-sums", "atomic-sums"})


def plain_options(options: Options) -> Options:
    """`options` for a folder without the runtime: kernels that a plain launch can start.

    Left out is what chooses among kernels when the program runs, what needs memory or counters of the runtime's own,
    and what makes loops or statements of the host kernels. Products and sums are rounded one by one, as on the host:
    which of them may be contracted would have to be said at each.
    """
    fp = FloatingPoint.STRICT if options.fp is FloatingPoint.DEFAULT else options.fp
    without = options.without | (frozenset(WITHOUT) - _KEPT_PLAIN)
    return replace(options, plain=True, fp=fp, without=without)
