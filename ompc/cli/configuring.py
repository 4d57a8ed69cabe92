"""`config`: the runtime as a library, for Makefiles and other build systems."""

from __future__ import annotations

import os
from pathlib import Path

import click

from ompc.base.options import Options
from ompc.base.visible import for_terminal
from ompc.cli.output import say
from ompc.cli.work import open_cache
from ompc.command_options import COMPILER_OPTIONS, CompilerCommand
from ompc.toolchain.commands.commands import variant_of
from ompc.toolchain.installed_runtime import Installed, installed_runtime, words_text
from ompc.toolchain.machine.flags import Flags
from ompc.toolchain.machine.nvcc import OLDEST_ARCHITECTURE
from ompc.toolchain.machine.setting import Request, Target, choose_setting


@click.command(cls=CompilerCommand, epilog=COMPILER_OPTIONS)
@click.option("--cflags", "wanted", flag_value="cflags", help="Print options for C files.")
@click.option(
    "--cxxflags", "wanted", flag_value="cxxflags", help="Print options for launchers: nvcc's, or the C++ compiler's."
)
@click.option("--libs", "wanted", flag_value="libs", help="Print options for the C compiler as it links.")
@click.option("--pkg-config-path", "wanted", flag_value="pkg_config_path", help="Print the directory of ompc_rt.pc.")
@click.option(
    "--target",
    type=click.Choice([target.value for target in Target if target is not Target.HOST]),
    default=Target.AUTO.value,
    show_default=True,
    envvar="OMPC_TARGET",
    help="cuda, or emulate, which runs kernels on the CPU; auto: cuda where there is nvcc, else emulate.",
)
@click.option("--cc", metavar="COMMAND", help="The host C compiler.  [default: $CC, cc, gcc or clang]")
@click.option("--cxx", metavar="COMMAND", help="The host C++ compiler.  [default: $CXX, c++, g++ or clang++]")
@click.pass_context
def config(ctx: click.Context, wanted: str | None, target: str, cc: str | None, cxx: str | None) -> None:
    """Build the runtime as a library, and print how programs are built with it.

    \b
    ompc config                                    all there is to know
    ompc config --target cuda --libs               for a linker
    ompc config --libs -fsanitize=address          of a program with these options
    PKG_CONFIG_PATH=$(ompc config --pkg-config-path) pkg-config --cflags --libs ompc_rt

    Makefiles that `ompc translate` writes ask it. What is built is kept with what else is cached ($OMPC_CACHE_DIR, by
    default ~/.cache/ompc), once for each target, compiler, version of CUDA, and whether the program is static or has
    sanitizers. It is good for every architecture.
    """
    flags: Flags = ctx.meta["flags"]
    # No kernel is in the library: no GPU need be asked which one it is.
    arch = OLDEST_ARCHITECTURE.removeprefix("sm_")
    request = Request(Path(), Options(), flags, Target(target), arch, cc, cxx, portable=True)
    setting = choose_setting(request, os.environ)
    say(setting.notes)
    variant = variant_of(flags.sanitizers, flags.link)
    found = installed_runtime(setting, variant, open_cache(), lambda line: click.echo(f"ompc: {line}", err=True))
    click.echo(_summary(found, setting.target) if wanted is None else _of(found, wanted))


def _of(found: Installed, wanted: str) -> str:
    value = getattr(found, wanted)
    return str(value) if isinstance(value, Path) else words_text(value)


def _summary(found: Installed, target: Target) -> str:
    rows = [("target", target.value), ("prefix", found.prefix)]
    names = ("cflags", "cxxflags", "libs", "pkg_config_path")
    rows += [(f"--{name.replace('_', '-')}", _of(found, name)) for name in names]
    return for_terminal("\n".join(f"{name:18} {value}" for name, value in rows))
