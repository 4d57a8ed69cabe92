"""MPI in a link of `ompc cc`: the functions that give the program's memory to others are replaced (ompc_mpi.c).

They are compiled with the program's own mpi.h, as the host compiler finds it (OMPC_CC=mpicc), by the -I words of the
link, or by those of the objects. No file of it is needed where no object calls a function of MPI.

Not replaced, so that every loop copies its arrays (OMPC472), with a note (OMPC426):

    mpi.h is not found, or is older than MPI 3
    the program has functions of these names itself, or calls MPI by the names that are for such ones (PMPI_Send)
    the link makes a library, of which it is not known what stands in front of it

In: the objects of the link.   Out: the step that makes the object; the note.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from ompc.base.diagnostics import Diagnostic, Kind
from ompc.base.resources import Runtime, include_words, package_digest, runtime_units
from ompc.toolchain.commands.steps import Step
from ompc.toolchain.machine.cc import run_tool
from ompc.toolchain.objects.cc_units import units_of

_NAME = re.compile(rb"\0(P?MPI_[A-Z]\w*)(?=\0)")
_DEFINED = re.compile(r"\s*\d+:\s+[0-9a-f]+\s+\d+\s+FUNC\s+(?:GLOBAL|WEAK)\s+\S+\s+(?!UND)\S+\s+P?MPI_[A-Z]\w*\s*")


def calls_mpi(content: bytes) -> set[str]:
    """The functions of MPI that an object or archive names."""
    return {match[1].decode() for match in _NAME.finditer(content)}


def why_unseen(paths: Sequence[Path], words: Sequence[str]) -> str | None:
    """Why the calls of these objects cannot be followed; None: they can."""
    if "-shared" in words:
        return "a shared library does not know what is called instead of its functions"
    named = {path: calls_mpi(path.read_bytes()) for path in paths if path.is_file()}
    past = next((path for path, names in named.items() if any(name.startswith("PMPI_") for name in names)), None)
    if past is not None:
        return f"{past.name} calls it by the names that are for functions which stand in front of it (PMPI_...)"
    defining = next((path for path, names in named.items() if names and _defines(path)), None)
    return None if defining is None else f"{defining.name} has functions of its own in front of it"


def _defines(path: Path) -> bool:
    command = ["readelf", "-sW", str(path)]
    listed = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False).stdout
    return any(_DEFINED.fullmatch(line) for line in listed.splitlines())


def mpi_step(
    paths: Sequence[Path], words: Sequence[str], command: Sequence[str], environ: Mapping[str, str], directory: Path
) -> Step | Diagnostic | None:
    """What compiles the functions in front of MPI's for a program of these objects and archives; or why it has none.
    None: it does not call MPI. `command`: the C compiler, with all options but those that say where mpi.h is.
    """
    if not any(calls_mpi(path.read_bytes()) for path in paths if path.is_file()):
        return None
    why = why_unseen(paths, words)
    (source,) = runtime_units(Runtime.MPI, suffix=".c")
    output = directory / f"{source.stem}.o"
    own = [*include_words(Runtime.COMMON, Runtime.MPI), "-x", "c"]
    for places in () if why is not None else ([], _places(words), _places_of_units(paths)):
        whole = [*command, *places, *own]
        text = run_tool([*whole, "-E", "-P", str(source), "-o", "-"], environ)
        if text.ok:
            digest = hashlib.sha256(text.text.encode()).hexdigest()
            compiles = [*whole, "-c", str(source), "-o", str(output)]
            failure = "the C compiler rejects what stands in front of MPI"
            return Step(compiles, output, "OMPC404", failure, (package_digest(), digest))
    why = why or "mpi.h of MPI 3 or later is not found"
    return Diagnostic("OMPC426", Kind.HOST, f"calls of MPI are not followed, so every loop copies its arrays: {why}")


def _places(words: Iterable[str], directory: str = ".") -> list[str]:
    """The words that say where headers are, with whole paths."""
    found = re.findall(r"(?:^|\0)(-I|-isystem)\0?([^\0]+)", "\0".join(words))
    return [word for option, path in found for word in (option, str(Path(directory, path).absolute()))]


def _places_of_units(paths: Sequence[Path]) -> list[str]:
    return [word for unit in units_of(paths) for word in _places(unit.flags, unit.directory)]
