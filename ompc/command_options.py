"""Options of the commands: what click is told, and what a command gets of it.

Commands that translate have FILE.c... and the options of gcc beside their own; those that build, a target as well;
those that run a program take what stands behind "--" for it. The environment comes as `ctx.obj`.

In: the words of the command line.   Out: one `Asked` for the command's function, or CompileError OMPC102 to OMPC104.
Not here: what commands do -- cli/.
"""

from __future__ import annotations

import functools
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from ompc.base.diagnostics import CompileError, Diagnostic, Kind
from ompc.base.frozen import dataclass
from ompc.base.narrow_help import narrowed
from ompc.base.optimisations import names_in
from ompc.base.options import FloatingPoint, Level, Options
from ompc.render.makefiles.nvcc_options import debugs
from ompc.toolchain.machine.cc import find_c_compiler
from ompc.toolchain.machine.flags import Flags, MissingValueError, split_flags
from ompc.toolchain.machine.setting import Request, Target, tuning_for
from ompc.toolchain.machine.tuning_files import read_tuning
from ompc.tools.readiness.roofline import DEVICES

COMPILER_OPTIONS = """\b
Compiler options, spelled as for gcc, in any place before "--":
  -DNAME[=VALUE] -UNAME -IDIR -include FILE -std=c99   for preprocessor and compiler
  -isystem DIR -iquote DIR -f... -m... -pthread        likewise
  -O3 -g -Wall                                         for the host C compiler
  -lNAME -LDIR -Wl,...                                 for the linker
  -MMD -MD -MF FILE -MT TARGET -MQ TARGET -MP          for make: what the program of `ompc build` depends on
-fopenmp and -lm are always on; -O2 is the default."""


A_PATH = click.Path(readable=False)
"""The type of a file's path, which a shell completes. Whether the file exists, and may be read or written, is checked
later, with ompc's own messages.
"""


class CompilerCommand(click.Command):
    """A command that takes gcc's options beside its own; they are in `ctx.meta["flags"]`."""

    def get_help(self, ctx: click.Context) -> str:
        return narrowed(super().get_help(ctx), shutil.get_terminal_size().columns)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            rest, ctx.meta["flags"] = split_flags(args)
        except MissingValueError as error:
            if ctx.resilient_parsing:  # a shell asks how the line may go on
                return super().parse_args(ctx, [])
            raise click.UsageError(f"Option '{error}' requires a value.", ctx) from None
        return super().parse_args(ctx, rest)


class RunCommand(CompilerCommand):
    """Everything after "--" is the program's own, and in `ctx.meta["arguments"]`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        at = args.index("--") if "--" in args else len(args)
        ctx.meta["arguments"] = tuple(args[at + 1 :])
        return super().parse_args(ctx, args[:at])


@dataclass(frozen=True, slots=True)
class Asked:
    """The options that every translating command has, digested."""

    request: Request
    quiet: bool
    times: bool = False

    @property
    def source(self) -> Path:
        return self.request.source


def _choose_color(ctx: click.Context, _: click.Parameter, when: str | None) -> None:
    """For this command and for what is said of it when it has failed."""
    if when in {"always", "never"}:
        ctx.color = ctx.find_root().color = when == "always"


def _left_out(ctx: click.Context, parameter: click.Parameter, lists: tuple[str, ...]) -> frozenset[str]:
    try:
        return names_in(",".join(lists))
    except ValueError as error:
        raise click.BadParameter(f"{error}.", ctx, parameter) from None


without_option = click.option(
    "--without",
    metavar="NAME,...",
    multiple=True,
    callback=_left_out,
    help="What --opt auto does and is not to do: tiles, restrict, axes ... (docs/debugging.md).",
)


opt_option = click.option(
    "--opt",
    type=click.Choice([level.value for level in Level]),
    default=Level.AUTO.value,
    show_default=True,
    help="How much to optimise: as OpenMPC 0.2, as the thesis, or all that ompc knows.",
)


fp_option = click.option(
    "--fp",
    type=click.Choice([mode.value for mode in FloatingPoint]),
    default=FloatingPoint.DEFAULT.value,
    show_default=True,
    help="Fused multiply-add on the device: never, except where a last bit decides, anywhere.",
)


cc_option = click.option("--cc", metavar="COMMAND", help="The host C compiler.  [default: $CC, cc, gcc or clang]")


gpus_option = click.option(
    "--gpus",
    type=click.Choice(["one", "several"]),
    default="one",
    show_default=True,
    help="several: kernels of which each GPU that OMPC_DEVICES names may do a part.",
)


color_option = click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    is_eager=True,
    expose_value=False,
    callback=_choose_color,
    help="Colours in what is printed.  [default: on terminals, without $NO_COLOR]",
)


_COMMON = ("cc", "quiet", "werror", "times", "lineinfo", "without")


def translating(function: Callable[..., int | None]) -> Callable[..., int | None]:
    """Give a command FILE.c... and the common options; its function gets them as one `Asked`."""

    @functools.wraps(function)
    @click.pass_context
    def command(ctx: click.Context, /, files: tuple[str, ...], opt: str, fp: str, **own: Any) -> Any:
        cc, quiet, werror, times, lineinfo, without = map(own.pop, _COMMON)
        files, of_files = _with_database(ctx, files, own.pop("build_path", None))
        source, *others = sources = list(map(Path, files))
        for path in sources:
            _check_readable(path, files if "arguments" in ctx.meta and path is not source else ())
        compiler = find_c_compiler(ctx.obj, cc)
        flags: Flags = ctx.meta["flags"]
        options = Options(
            level=Level(opt),
            fp=FloatingPoint(fp),
            cpp_flags=flags.preprocess,
            cc=str(compiler.path),
            cc_arguments=compiler.command[1:],
            compile_flags=flags.compile,
            link_flags=flags.link,
            werror=werror,
            lines_from="." if lineinfo or debugs(flags.compile) else None,
            tuning=read_tuning(ctx.obj),
            without=without,
            several_devices=own.pop("gpus") == "several",
            flags_of_files=of_files,
        )
        return function(Asked(Request(source, options, flags, cc=cc, others=tuple(others)), quiet, times), **own)

    decorators = [
        click.argument("files", metavar="FILE.c...", nargs=-1, type=A_PATH),
        opt_option,
        fp_option,
        gpus_option,
        without_option,
        cc_option,
        click.option("--werror", is_flag=True, help="Warnings about OpenMP, such as a proved race, are errors."),
        click.option(
            "--lineinfo", is_flag=True, help="Kernels name your lines, for profilers and sanitizers. Part of -g."
        ),
        click.option("-q", "--quiet", is_flag=True, help="Only errors and warnings: no line per loop on the host."),
        click.option("--time", "times", is_flag=True, help="Say how long each stage took, by file."),
        color_option,
    ]
    for decorate in reversed(decorators):
        command = decorate(command)
    return command


def _with_database(
    ctx: click.Context, files: tuple[str, ...], build_path: str | None
) -> tuple[tuple[str, ...], tuple[tuple[str, tuple[str, ...]], ...]]:
    """The files, all of the database where none is named, and their options there. CompileError OMPC108, UsageError."""
    if build_path is None:
        if not files:
            raise click.MissingParameter(ctx=ctx, param=next(p for p in ctx.command.params if p.name == "files"))
        return files, ()
    # Here, since only a database needs what knows compilers' command lines.
    from ompc.toolchain.objects.compile_commands import command_of, read_database, seen_from

    path, here = Path(build_path), Path.cwd()
    database = read_database(path, here)
    files = files or tuple(str(seen_from(here, source)) for source in database)
    if not files:
        raise click.UsageError(f"{path} has no command that compiles a C file.", ctx)
    return files, tuple((file, command_of(Path(file), database, path).flags) for file in files)


build_path_option = click.option(
    "-p",
    "--build-path",
    metavar="PATH",
    type=A_PATH,
    help="compile_commands.json, or its folder: each file with its options there; without FILE.c, all C files.",
)


def building(function: Callable[..., int | None]) -> Callable[..., int | None]:
    """Add the options of commands that compile; they become part of the `Asked`'s request."""

    @functools.wraps(function)
    def command(asked: Asked, target: str, arch: str | None, cxx: str | None, **own: Any) -> int | None:
        options = replace(asked.request.options, tuning=tuning_for(Target(target), asked.request.options.tuning))
        request = replace(asked.request, options=options, target=Target(target), arch=arch, cxx=cxx)
        return function(replace(asked, request=request), **own)

    decorators = [
        click.option(
            "--target",
            type=click.Choice([target.value for target in Target]),
            default=Target.AUTO.value,
            show_default=True,
            envvar="OMPC_TARGET",
            help="cuda: nvcc; emulate: run the kernels on the CPU; host: the file as it is, with the C compiler alone; "
            "auto: cuda where there are nvcc and a GPU (`ompc build`: or nvcc alone), else emulate.",
        ),
        click.option(
            "--arch",
            metavar="ARCH",
            envvar="OMPC_ARCH",
            help="GPU to compile for: sm_90, all-major, native ...  [default: the GPU of this machine, else all-major]",
        ),
        click.option("--cxx", metavar="COMMAND", help="The host C++ compiler.  [default: $CXX, c++, g++ or clang++]"),
    ]
    for decorate in reversed(decorators):
        command = decorate(command)
    return command


def requiring(function: Callable[..., int | None]) -> Callable[..., int | None]:
    """Add --require-gpu; it becomes part of the `Asked`'s request. UsageError: the environment wants the host."""

    @click.option(
        "--require-gpu",
        is_flag=True,
        help="Run no kernel on the CPU: nothing is built without nvcc and GPU, and a program that is run ends where a "
        "loop cannot be on the GPU (OMPC_OFFLOAD=mandatory).",
    )
    @functools.wraps(function)
    def command(asked: Asked, require_gpu: bool, **own: Any) -> int | None:
        environ = click.get_current_context().obj
        unwanted = [name for name, is_off in _KEPT_ON_HOST.items() if is_off(environ.get(name, ""))]
        if require_gpu and unwanted:
            raise click.UsageError(f"--require-gpu, but {unwanted[0]}={environ[unwanted[0]]} keeps loops on the host.")
        return function(replace(asked, request=replace(asked.request, require_gpu=require_gpu)), **own)

    return command


_KEPT_ON_HOST: Mapping[str, Callable[[str], bool]] = {
    "OMPC_DISABLE": lambda value: value not in {"", "0"},
    "OMPC_OFFLOAD": lambda value: value == "never",
    "OMP_TARGET_OFFLOAD": lambda value: value.strip().lower() == "disabled",
}


@dataclass(frozen=True, slots=True)
class Reports:
    """Files to write the readiness report to (docs/report.md), and a patch with what it suggests; the `device` whose
    figures it names, and for how many seconds changes may be tried. `profile`: what a run has written, for the page.
    """

    html: str | None
    sarif: str | None
    json: str | None
    fix: str | None
    device: str
    seconds: float
    profile: str | None

    @property
    def wanted(self) -> bool:
        return any(file is not None for file in (self.html, self.sarif, self.json, self.fix))


def reporting(function: Callable[..., int | None]) -> Callable[..., int | None]:
    """Add the files of the readiness report; the function gets them as one `Reports`."""

    @functools.wraps(function)
    def command(asked: Asked, **given: Any) -> int | None:
        own = {name: value for name, value in given.items() if name not in Reports.__dataclass_fields__}
        return function(asked, Reports(**{name: given[name] for name in Reports.__dataclass_fields__}), **own)

    decorators = [
        click.option(
            "--html", metavar="FILE.html", type=A_PATH, help="Write it as a page for a browser, and print nothing."
        ),
        click.option("--sarif", metavar="FILE", type=A_PATH, help="Write SARIF 2.1.0, for editors and code review."),
        click.option(
            "--report", "json", metavar="FILE.json", type=A_PATH, help="Write JSON, as `ompc translate` does, and more."
        ),
        click.option(
            "--fix",
            metavar="FILE.patch",
            type=A_PATH,
            help="Write a patch with changes that bring loops of the host to the GPU, each of them tried.",
        ),
        click.option(
            "--try",
            "seconds",
            metavar="SECONDS",
            type=click.FloatRange(min=0),
            default=60,
            show_default=True,
            help="How long to try, in these files, what would bring loops of the host to the GPU; 0: nothing.",
        ),
        click.option(
            "--device",
            type=click.Choice(list(DEVICES)),
            default=next(iter(DEVICES)),
            show_default=True,
            help="The GPU whose public figures the estimated roofline of a page names.",
        ),
        click.option(
            "--profile",
            metavar="FILE.json",
            type=A_PATH,
            help="Rank the loops of the page by what `ompc profile --json FILE.json` measured.",
        ),
    ]
    for decorate in reversed(decorators):
        command = decorate(command)
    return command


_LANGUAGES = {
    "C++": {".cc", ".cp", ".cxx", ".cpp", ".c++", ".C", ".CPP"},
    "CUDA": {".cu"},
    "Fortran": {".f", ".for", ".ftn", ".f77", ".f90", ".f95", ".f03", ".f08", ".F", ".F90"},
}
"""Languages that ompc does not read, with the suffixes by which gcc, nvcc and gfortran know them."""


def _check_readable(source: Path, files: Sequence[str] = ()) -> None:
    """CompileError OMPC102, OMPC103, OMPC107: there is nothing to translate. `files`: all, where the program is run as
    well.
    """
    try:
        if source.is_fifo() or source.is_socket():
            message = f"{source} is a pipe, which can be read only once"
            raise CompileError(Diagnostic("OMPC103", Kind.ERROR, message, help="write it to a file first"))
        with source.open("rb"):
            language = next((name for name, suffixes in _LANGUAGES.items() if source.suffix in suffixes), None)
        if language is None:
            return
        todo = "the loops can be in C files, which the rest of the program calls; see ompc explain OMPC107"
        diagnostic = Diagnostic("OMPC107", Kind.ERROR, f"{source} is {language}: ompc translates C", help=todo)
    except FileNotFoundError:
        at = files.index(str(source)) if str(source) in files else 0
        own = " ".join((*files[:at], "--", *files[at:]))
        help_ = f"what the program itself gets stands behind --, as in: {own}" if at > 0 else None
        diagnostic = Diagnostic("OMPC102", Kind.ERROR, f"{source}: no such file", help=help_)
    except OSError as error:
        diagnostic = Diagnostic("OMPC103", Kind.ERROR, f"{source}: cannot be read: {error.strerror}")
    raise CompileError(diagnostic)
