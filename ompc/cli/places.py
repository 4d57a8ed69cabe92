"""Where commands write: looked at before any work, so that no file is lost and nothing is done in vain.

    ompc explain --html a.c b.c         a.c is a source: OMPC410
    ompc explain a.c --html b.c         it is none of this program, but there, and C: OMPC410
    ompc explain a.c --html x --sarif x only one of them would be left: OMPC410
    ompc profile a.c --json /no/x       no such folder: OMPC411

Files are the same if the system says so: links lead to what they name.

In: the outputs by the option that asks for them, the files that the command reads.   Out: CompileError, or nothing.
Not here: writing -- output.py; the folder of `ompc translate` -- toolchain/folder.py.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Mapping
from itertools import combinations
from pathlib import Path

from ompc.base.diagnostics import CompileError, Diagnostic, Kind

_SOURCES = {".c", ".h", ".i", ".cc", ".cp", ".cpp", ".cxx", ".c++", ".hh", ".hpp", ".hxx", ".h++", ".cu", ".cuh"}
"""Suffixes of source files. No command writes such a file where its user says, so one that is there is the user's."""

STANDARD_OUTPUT = "-"


def check_outputs(outputs: Mapping[str, str | None], inputs: Iterable[Path], new: bool = False) -> None:
    """CompileError OMPC410, OMPC411. `outputs`: None: not asked for. `new`: what is there is replaced."""
    asked = {option: file for option, file in outputs.items() if file is not None}
    check_inputs(asked, inputs)
    for (first, file), (second, other) in combinations(asked.items(), 2):
        if file == other == STANDARD_OUTPUT or _is_same(Path(file), Path(other)):
            name = "standard output" if file == STANDARD_OUTPUT else file
            raise _refusal(f"{first} and {second} would both write {name}", second)
    for option, file in asked.items():
        if file != STANDARD_OUTPUT:
            if Path(file).suffix.lower() in _SOURCES and Path(file).exists():
                raise _refusal(f"{option} would replace the source file {file}", option)
            _check_writable(Path(file), new)


def check_inputs(outputs: Mapping[str, str | None], inputs: Iterable[Path]) -> None:
    """CompileError OMPC410: one of the outputs is among these files."""
    read = list(inputs)
    for option, file in outputs.items():
        for path in read if file not in {None, STANDARD_OUTPUT} else ():
            if _is_same(Path(str(file)), path):
                raise _refusal(f"{option} would replace {path}, which is read", option)


def _refusal(message: str, option: str) -> CompileError:
    help_ = f"{option} is followed by the name of the file to write: choose another"
    return CompileError(Diagnostic("OMPC410", Kind.ERROR, message, help=help_))


def _is_same(file: Path, other: Path) -> bool:
    """One file on a disk; devices may be written twice."""
    try:
        if file.exists() and other.exists():
            return file.samefile(other) and not (file.is_char_device() or file.is_fifo())
        return file.resolve() == other.resolve()
    except (OSError, RuntimeError):  # a name that no file can have, links that lead to one another
        return False


def _check_writable(file: Path, new: bool) -> None:
    """Try it, and leave nothing behind: the file that is there is opened and not changed, else one without a name."""
    try:
        if file.is_dir() or (file.is_file() and not new):
            os.close(os.open(file, os.O_WRONLY))
        elif not file.exists() or new:
            with tempfile.TemporaryFile(dir=file.parent if new else file.resolve().parent):
                pass
    except (OSError, RuntimeError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise CompileError(Diagnostic("OMPC411", Kind.ERROR, f"cannot write {file}: {why}")) from None
