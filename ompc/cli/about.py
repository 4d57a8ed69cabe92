"""What ompc says of itself: its version, its directory for CMake, the scripts that complete its commands in shells."""

from __future__ import annotations

import os
import platform

import click
from click.shell_completion import get_completion_class

import ompc
from ompc.base.resources import cmake_directory
from ompc.toolchain.machine.nvcc import cuda_version, find_nvcc


def _show_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if not wanted or ctx.resilient_parsing:
        return
    click.echo(f"ompc, version {ompc.__version__}")
    click.echo(f"Python {platform.python_version()}")
    nvcc = find_nvcc(os.environ)
    release = None if nvcc is None else cuda_version(nvcc, os.environ)
    click.echo("nvcc: none was found" if nvcc is None else f"nvcc {_dotted(release)}: {nvcc.path} ({nvcc.origin})")
    ctx.exit()


def _dotted(release: tuple[int, int] | None) -> str:
    return "of unknown version" if release is None else f"{release[0]}.{release[1]}"


def _show_cmake_directory(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        click.echo(cmake_directory())
        ctx.exit()


version_option = click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the versions of ompc, Python and nvcc, and exit.",
)
cmake_option = click.option(
    "--cmake-dir",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_cmake_directory,
    help="Show the directory of ompc.cmake, and exit.",
)


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print a script with which a shell completes commands, options and files.

    \b
    ompc completion bash > ~/.local/share/bash-completion/completions/ompc
    ompc completion zsh > ~/.zfunc/_ompc               with ~/.zfunc in $fpath, before compinit
    ompc completion fish > ~/.config/fish/completions/ompc.fish
    """
    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(ctx.find_root().command, {}, "ompc", "_OMPC_COMPLETE").source())
