"""Commands about the machine and its tools: `cc` and `doctor`."""

from __future__ import annotations

import os

import click

from ompc.command_options import A_PATH


@click.command(context_settings={"ignore_unknown_options": True, "help_option_names": []}, add_help_option=False)
@click.argument("words", nargs=-1, type=A_PATH)
def cc(words: tuple[str, ...]) -> int:
    """Be a C compiler for build systems: make CC="ompc cc"."""
    from ompc.cc import main as compile_or_link

    return compile_or_link(words)


@click.command()
@click.option("--calibrate", is_flag=True, help="Measure what copies and launches cost here; programs read it then.")
@click.option("--target", type=click.Choice(["cuda", "emulate"]), default="cuda", help="What to measure.")
def doctor(calibrate: bool, target: str) -> int:
    """Show which compilers, CUDA, GPU and Python packages were found, and what to install.

    Each compiler is tried on a small program. Exit status 0: translated programs can be built and run here, at least
    on the CPU.
    """
    from ompc.toolchain.calibrate import calibrate as calibrate_machine  # no other command needs them
    from ompc.toolchain.doctor import examine, format_examination
    from ompc.toolchain.machine.setting import Target

    if calibrate:
        calibrate_machine(os.environ, Target(target), lambda line: click.echo(f"ompc: {line}", err=True))
        return 0
    examination = examine(os.environ)
    click.echo(format_examination(examination))
    return 0 if examination.healthy else 1
