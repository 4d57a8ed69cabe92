"""The command for editors: `lsp`."""

from __future__ import annotations

import gc
import importlib.util
import os
import sys
from pathlib import Path

import click

from ompc.base.diagnostics import CompileError, Diagnostic, Kind
from ompc.base.options import FloatingPoint, Level, Options
from ompc.command_options import (
    A_PATH,
    COMPILER_OPTIONS,
    CompilerCommand,
    cc_option,
    fp_option,
    opt_option,
    without_option,
)
from ompc.toolchain.machine.cc import find_c_compiler
from ompc.toolchain.machine.flags import Flags
from ompc.toolchain.machine.tuning_files import read_tuning


@click.command(cls=CompilerCommand, epilog=COMPILER_OPTIONS)
@click.option(
    "-p",
    "--build-path",
    metavar="PATH",
    type=A_PATH,
    help="compile_commands.json, or its folder.  [default: the nearest one above each file, or in build/ there]",
)
@click.option("--stdio", is_flag=True, expose_value=False, help="As it is anyway; some editors add this word.")
@opt_option
@fp_option
@without_option
@cc_option
@click.pass_context
def lsp(
    ctx: click.Context, build_path: str | None, opt: str, fp: str, without: frozenset[str], cc: str | None
) -> None:
    """Be a language server: the messages of `explain` while a C file is written, and changes that were tried.

    \b
    ompc lsp                                  the editor starts it, and talks with it through standard input and output
    ompc lsp -p build -DN=500                 each file with its options of build/compile_commands.json, and -DN=500

    docs/editors.md says how editors are told. It needs two more packages: pip install "ompc[lsp]".
    """
    if importlib.util.find_spec("pygls") is None or importlib.util.find_spec("lsprotocol") is None:
        message = "the language server needs the Python packages pygls and lsprotocol"
        help_ = 'pip install "ompc[lsp]"'
        raise CompileError(Diagnostic("OMPC418", Kind.ERROR, message, help=help_))
    compiler = find_c_compiler(ctx.obj, cc)
    flags: Flags = ctx.meta["flags"]
    options = Options(
        level=Level(opt),
        fp=FloatingPoint(fp),
        cpp_flags=flags.preprocess,
        cc=str(compiler.path),
        cc_arguments=compiler.command[1:],
        tuning=read_tuning(ctx.obj),
        without=without,
    )
    _serve(options, None if build_path is None else Path(build_path).absolute())


def _serve(options: Options, build_path: Path | None) -> None:
    """Standard output belongs to the protocol alone: whatever else is printed, also by compilers, is an error's."""
    from ompc.lsp.projects import Projects
    from ompc.lsp.server import serve

    gc.enable()  # unlike other commands, it lives long
    sys.stdout.flush()
    requests, answers = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    serve(Projects(options, build_path), os.fdopen(requests, "rb"), os.fdopen(answers, "wb"))
    sys.exit(0)  # by Python's own end, which ends processes that multiprocessing has started
