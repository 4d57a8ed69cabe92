"""`ompc cc -c`: objects of C sources, with device code where their loops can have it.

In: the command.   Out: objects and dependency files where the host compiler would have put them; the exit status.
Not here: how an object is made -- toolchain/objects/cc_object.py.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import perf_counter

from ompc.base.diagnostics import CompileError
from ompc.base.ending import temporary_directory
from ompc.base.options import Options
from ompc.base.times import format_times
from ompc.base.translation import Translation
from ompc.base.tuning import Tuning
from ompc.base.watch import Watch
from ompc.cc.command import Command, become, crash, failed, left_to_host, say, say_unread, start
from ompc.toolchain.cache.cache import copy_executable
from ompc.toolchain.commands.dependencies import dependency_options
from ompc.toolchain.machine.tuning_files import read_tuning
from ompc.toolchain.objects.cc_arguments import Input
from ompc.toolchain.objects.cc_object import Job, Left, Made, host_only_flag, make_object, request_of
from ompc.toolchain.objects.cc_units import attach


def assemble(command: Command) -> int:
    line = command.line
    one_file = line.output is not None or any(word.startswith(("-MF", "-Wp,-M")) for word in line.dependencies)
    if one_file and len(line.inputs) > 1:
        say_unread(command)
        return become(command, line.given)
    done: list[Input] = []
    asked = dependency_options(line.dependencies)
    with temporary_directory("ompc-") as directory:
        for number, source in enumerate(line.sources):
            output = Path(line.output or Path(source.text).with_suffix(".o").name)
            depfile = asked.path(output)
            made = made_of(command, source, str(output), depfile, Path(directory) / str(number))
            if isinstance(made, Made) and _placed(made, output, depfile):
                done.append(source)
            elif isinstance(made, Left) and made.unit is not None and len(line.inputs) == 1:
                status = start(command, line.given)
                if status == 0:
                    attach(made.unit, output, Path(directory))
                return status
    if len(done) == len(line.inputs):
        return 0
    positions = {source.position for source in done}
    rest = [word for at, word in enumerate(line.words) if at not in positions]
    return become(command, rest if done else line.given)


def _placed(made: Made, output: Path, depfile: Path | None) -> bool:
    """False: a file cannot be written, and the host compiler will say so."""
    try:
        if depfile is not None and made.depfile_text is not None:
            depfile.write_text(made.depfile_text, errors="surrogateescape")
        copy_executable(made.object, output)
    except OSError:
        return False
    return True


def made_of(command: Command, source: Input, target: str, depfile: Path | None, directory: Path) -> Made | Left | None:
    """The object of one source; Left, None: the host compiler is to make it."""
    line = command.line
    flag = host_only_flag(line.flags)
    if flag is not None:
        say([left_to_host(source.text, f"because of {flag}")], command.quiet)
        return None
    by_output = not dependency_options(line.dependencies).of_preprocessor
    name = target if by_output else Path(source.text).stem + ".o"
    job = Job(Path(source.text), source.language, line.flags, line.dependencies, name, depfile)
    directory.mkdir()
    try:
        setting = command.setting()
        request = request_of(job, command.own, command.host.command)
        tuning = read_tuning(command.environ)
        say(tuning.problems, command.quiet)
        watch, started = Watch(), perf_counter()
        translate = partial(_translate, job.source, tuning, watch)
        made = make_object(job, request, setting, translate, command.cache, directory, watch)
        if command.own.get("time"):
            sys.stderr.write(format_times(watch.taken, perf_counter() - started))
    except CompileError as error:
        first = error.diagnostics[0]
        if first.code != "OMPC101":  # that is the user's own error, and the host compiler's to explain
            say([failed(source.text, f"{first.message} ({first.code})")])
        return None
    except Exception as error:  # no failure of ompc may stop a build
        say([failed(source.text, crash(error))])
        return None
    say(made.diagnostics, command.quiet)
    if isinstance(made, Made):
        sys.stderr.write(made.said)
    return made


def _translate(source: Path, tuning: Tuning, watch: Watch, options: Options) -> Translation:
    with watch.stage(str(source), "loading"):
        from ompc import driver

    return driver.translate(source, replace(options, tuning=tuning), watch)
