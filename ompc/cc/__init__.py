"""The commands `ompc cc` and `ompc c++`: drop-in compilers for build systems.

    make CC="ompc cc"        cmake -DCMAKE_C_COMPILER=ompc-cc        ./configure CC="ompc cc"

What is not ompc's business becomes the host compiler: the process is replaced, so that messages, standard streams and
exit status are its own. ompc's business are C sources compiled with -fopenmp, and links of objects with device code.
Whatever goes wrong there, the host compiler gets the file as it is: a build that gcc would do never fails.

`ompc c++` compiles nothing itself; it links, and sees device code in objects and archives as `ompc cc` does.

Besides cli/ only the modules here print, exit and read the environment; no stage is imported before one is needed,
since this is started once for each file of a project.

    command.py   what the command line is about      objects.py   -c      linking.py   programs and libraries
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from ompc.base.diagnostics import CompileError
from ompc.base.ending import leave
from ompc.cc.command import ACTIVE, Command, become, command_of, crash, failed, say, say_unasked, say_unread
from ompc.toolchain.objects.cc_arguments import CommandLine, Stage, TooDeepError


def main(words: Sequence[str], cxx: bool = False) -> int:
    """Compile or link; the exit status, where the host compiler has not taken this process's place."""
    try:
        command = command_of(words, cxx)
    except (CompileError, TooDeepError) as error:
        say(error.diagnostics if isinstance(error, CompileError) else ())
        return 1
    try:
        if command.line.stage is Stage.OTHER or _is_left(command.line) or ACTIVE in os.environ:
            if not cxx and list(words) == ["--help"]:
                from ompc.cc.usage import USAGE

                sys.stdout.write(USAGE)
            return become(command, command.line.given)
        return _compile_or_link(command)
    except KeyboardInterrupt:
        return 130
    except CompileError as error:
        say(error.diagnostics)
        return 1
    except Exception as error:  # the last resort: the host compiler does what it would have done without ompc
        say([failed("this", crash(error))])
        return become(command, command.line.given)


def _compile_or_link(command: Command) -> int:
    """What most files of a project need of ompc is nothing: no more is loaded for them than finds that out."""
    if command.line.stage is Stage.ASSEMBLE:
        if not command.translates:
            say_unread(command)
            say_unasked(command)
            return become(command, command.line.given)
        from ompc.cc.objects import assemble

        return assemble(command)
    from ompc.cc.linking import link

    return link(command)


def run_subcommand() -> None:
    """For `ompc`: be `ompc cc` or `ompc c++`, if that is the command, without loading what other commands need."""
    if sys.argv[1:2] == ["cc"] or sys.argv[1:2] == ["c++"]:
        leave(main(sys.argv[2:], cxx=sys.argv[1] == "c++"))


def entry() -> None:
    """The command `ompc-cc`."""
    leave(main(sys.argv[1:]))


def entry_cxx() -> None:
    """The command `ompc-c++`."""
    leave(main(sys.argv[1:], cxx=True))


def _is_left(line: CommandLine) -> bool:
    """Would a new file replace /dev/null, a pipe, or what is read? The host compiler does, or says, what it would."""
    if line.output is None or not Path(line.output).exists():
        return False
    output = Path(line.output)
    read = (Path(source.text) for source in line.inputs)
    return not output.is_file() or any(path.exists() and path.samefile(output) for path in read)
