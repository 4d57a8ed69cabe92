"""The emulating runtime, read and compiled once for all kernels of a test session.

    <folder>/c++ ...

Most of what a small kernel costs is the runtime: reading its header, and compiling what its classes define in place.
Here the header is precompiled, and `#pragma interface` at the top of a copy of each header leaves the members of its
classes to one object file, with `#pragma implementation` ("C++ Interface" in GCC's manual). g++ does not take the
precompiled header where the options differ from those that it was made with, and reads the copies: so the command has
those options last.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path

from ompc.resources import Runtime, package_digest, runtime_directory
from ompc.toolchain.cc_link import object_mark
from ompc.toolchain.setting import Target

SANITIZERS = ("-fsanitize=address,undefined",)
_DIRECTORIES = tuple(runtime_directory(kind) for kind in (Runtime.EMULATE, Runtime.COMMON))
_COMMAND = ("c++", "-std=c++17", "-fopenmp", "-ffp-contract=off", "-fno-strict-aliasing")


def emulating_compiler(folder: Path, options: Sequence[str]) -> str:
    """The command of a C++ compiler for kernels that are compiled with `options`; it must link the program too."""
    return str(_once(folder, "runtime", options, _prepare) / "c++")


def hasty_compiler(folder: Path) -> Path:
    """One for objects of `ompc cc` to which it does not matter how kernels are compiled: without optimising.

    Each object has the runtime's members, as usual: they are weak.
    """
    return _once(folder, "objects", ("-O0", "-fPIC"), _prepare_for_objects) / "c++"


def _once(folder: Path, kind: str, options: Sequence[str], prepare: Callable[[Path, Sequence[str]], None]) -> Path:
    """A directory in `folder` that the first process that needs it has prepared."""
    key = sha256(repr((package_digest(), *options)).encode()).hexdigest()[:24]
    made = folder / f"{kind}-{key}"
    if not made.exists():
        mine = folder / f"{kind}-{key}.{os.getpid()}"
        mine.mkdir(parents=True)
        prepare(mine, options)
        try:
            mine.rename(made)
        except OSError:  # another process was quicker
            shutil.rmtree(mine)
    return made


def _prepare(made: Path, options: Sequence[str]) -> None:
    names = _write_interfaces(made)
    _precompile(made, options)
    _compile_members(made, names, options)
    _write_command(made, LINKING, options)


def _prepare_for_objects(made: Path, options: Sequence[str]) -> None:
    names = _write_interfaces(made)
    _compile_members(made, names, options)
    # before the header is precompiled: the mark by which the linker knows objects is in each of them once
    _precompile(made, [*options, f"-DOMPC_OBJECT={object_mark(Target.EMULATE)}"])
    _write_command(made, JOINING, [*options, "-g0"])


LINKING = """\
#!/bin/sh
here="${{0%/*}}"
exec c++ -I"$here" "$@" {options} -Wl,"$here/runtime.o"
"""
JOINING = """\
#!/bin/sh
here="${{0%/*}}"
c++ -I"$here" "$@" {options} || exit
case " $* " in *" -c "*) ;; *) exit ;; esac
for word; do
    test "$previous" = -o && object=$word
    previous=$word
done
ld -r "$object" "$here/runtime.o" -o "$object.whole" && mv "$object.whole" "$object"
"""


def _write_command(made: Path, script: str, options: Sequence[str]) -> None:
    command = made / "c++"
    command.write_text(script.format(options=" ".join(options)))
    command.chmod(0o755)


def _write_interfaces(made: Path) -> list[str]:
    """Copies of the headers whose members are left to another file; their names."""
    headers = [header for directory in _DIRECTORIES for header in sorted(directory.glob("*.h"))]
    for header in headers:
        (made / header.name).write_text("#pragma interface\n" + header.read_text())
    return [header.name for header in headers]


def _precompile(made: Path, options: Sequence[str]) -> None:
    _compile(*options, f"-I{made}", "-x", "c++-header", made / "ompc_rt.h", "-o", made / "ompc_rt.h.gch")


def _compile_members(made: Path, names: Sequence[str], options: Sequence[str]) -> None:
    source = made / "runtime.cc"
    source.write_text("".join(f'#pragma implementation "{name}"\n' for name in names) + '#include "ompc_rt.h"\n')
    _compile(*options, f"-I{made}", "-c", source, "-o", made / "runtime.o")


def _compile(*words: str | Path) -> None:
    done = subprocess.run([*_COMMAND, *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
