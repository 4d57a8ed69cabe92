"""Is a run of a program right? What the host's own program does, in three runs, against what a translated one does.

    reference       gcc -fopenmp: twice, and once with another number of threads; what differs there is not compared
    problem         of a translated program: another exit status, line of output or of standard error, or named file; a
                    fault; no end

A program that changes from run to run on the device is wrong if one of several runs is: each has another order of what
the emulator leaves open.

In: programs, what they are run with.   Out: what is wrong, as text; CompileError OMPC485, OMPC413.
Not here: which programs are asked about -- program.py.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from ompc.base.diagnostics import CompileError, Diagnostic, Kind
from ompc.base.frozen import dataclass, field
from ompc.tools.answers.compare import first_difference, largest_difference
from ompc.tools.answers.program import TOOK_TOO_LONG, Program
from ompc.tools.answers.reference import Finished, Reference, reference_of

_OURS = frozenset(f"OMPC_{name}" for name in "REGIONS DISABLE OFFLOAD PROFILE TRACE".split())
"""The environment variables that are set here. All others of the user's are kept: the error may need them."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """How the program is run, and what is compared: `outputs` are files that it writes. `limit`: seconds of a run."""

    arguments: tuple[str, ...]
    environ: Mapping[str, str]
    input: bytes | None = None
    outputs: tuple[Path, ...] = ()
    tolerance: float = 1e-6
    limit: float = 600
    runs: int = 3

    def program(self, path: Path) -> Program:
        return Program(path, self.arguments, self.environ, self.input, self.limit, _OURS)


@dataclass(frozen=True, slots=True)
class Outcome:
    """A run and the files that it has left; None: there is no such file."""

    finished: Finished
    files: Mapping[Path, bytes | None]


@dataclass(slots=True)
class Judge:
    """`largest`: how much floating-point numbers of right runs have differed, relatively. `runs`: of all programs."""

    wanted: Wanted
    runs: int = 0
    largest: float = 0
    vary: tuple[str, ...] = ()
    """What the host's own runs disagree about, and what is therefore not compared."""
    _output: Reference | None = None
    _said: Reference | None = None
    """What standard error is compared with."""
    _files: dict[Path, bytes | Reference] = field(default_factory=dict)

    def run(self, path: Path, environ: Mapping[str, str]) -> Outcome:
        """Files that the program writes are again what they were before."""
        self.runs += 1
        with _kept(self.wanted.outputs):
            finished = self.wanted.program(path).run(environ)
            files = {file: _bytes_of(file) for file in self.wanted.outputs}
        return Outcome(finished, files)

    # ------------------------------------------------------------------ the host's program

    def learn(self, host: Path, threads: int) -> None:
        """Run the host's own program. CompileError OMPC485: nothing it does can be relied on."""
        other = {"OMP_NUM_THREADS": str(max(threads // 2, 1) if threads > 1 else 2)}
        first, *others = [self.run(host, environ) for environ in ({}, {}, other)]
        for outcome in others:
            if outcome.finished.status != first.finished.status:
                one, two = (_ended(run.finished.status) for run in (first, outcome))
                raise _unfit(f"the host's own program ended with {one}, and then with {two}")
        if first.finished.status == TOOK_TOO_LONG:
            raise _unfit(f"the host's own program takes more than {self.wanted.limit:g} seconds")
        vary: list[str] = []
        self._output = self._agreed([run.finished for run in (first, *others)], "the output", vary)
        said = [Finished(0, _own_words(run.finished)) for run in (first, *others)]
        self._said = self._agreed(said, "standard error", vary)
        for file in self.wanted.outputs:
            self._learn_file(file, [run.files[file] for run in (first, *others)], vary)
        known = (self._output, self._said, *self._files.values())
        if vary and not any(isinstance(one, bytes) or one.lines for one in known):
            raise _unfit(f"two runs of the host's own program differ: {vary[0]}")
        self.vary = tuple(vary)

    def _learn_file(self, file: Path, contents: Sequence[bytes | None], vary: list[str]) -> None:
        known = [content for content in contents if content is not None]
        if len(known) < len(contents):
            raise _unfit(f"the host's own program does not write {file}")
        if all(map(_is_text, known)):
            self._files[file] = self._agreed([Finished(0, content.decode()) for content in known], str(file), vary)
        elif len(set(known)) == 1:
            self._files[file] = known[0]
        else:
            vary.append(f"{file}, whose bytes differ")

    def _agreed(self, runs: Sequence[Finished], what: str, vary: list[str]) -> Reference:
        """What all of these print; without lines where nothing of it could be compared."""
        first, tolerance = runs[0], self.wanted.tolerance
        found: Reference | None = None
        for run in runs[1:]:
            reference = reference_of(first, run, tolerance)
            found = reference if found is None else found.with_left_out(reference)
        assert found is not None
        if found.left_out != 0:
            vary.append(_where_they_differ(runs, what, tolerance))
        return found if found.left_out is not None else replace(found, lines=None)

    # ----------------------------------------------------------------- translated programs

    def problem(self, path: Path, environ: Mapping[str, str], runs: int) -> str | None:
        """What is wrong with one of so many runs; None: nothing."""
        for number in range(1, runs + 1):
            found = self.problem_of(self.run(path, {"OMPC_OFFLOAD": "always", "OMPC_SEED": str(number), **environ}))
            if found is not None:
                return found
        return None

    def problem_of(self, outcome: Outcome) -> str | None:
        assert self._output is not None and self._said is not None
        finished = outcome.finished
        if finished.status != self._output.status:
            said = [line for line in finished.said.splitlines() if line.startswith("ompc: ")]
            why = f": {said[-1].removeprefix('ompc: ')}" if said else ""
            return f"it ended with {_ended(finished.status)}, on the host with {_ended(self._output.status)}{why}"
        found = self._output.problem(finished)
        if found is None and (other := self._said.problem(Finished(0, _own_words(finished)))) is not None:
            found = f"standard error: {other.replace(' of the output', '')}"
        for file, known in self._files.items():
            found = found or _problem_of_file(file, known, outcome.files[file])
        if found is None:
            self.largest = max(self.largest, _largest(self._output, finished.out))
        return found


def _own_words(run: Finished) -> str:
    """What the program itself says on standard error."""
    return "".join(line for line in run.said.splitlines(keepends=True) if not line.startswith("ompc: "))


def _ended(status: int) -> str:
    if status == TOOK_TOO_LONG:
        return f"status {status} (it took too long)"
    try:
        return f"status {status} ({signal.Signals(status - 128).name})" if status > 128 else f"status {status}"
    except ValueError:
        return f"status {status}"


def _unfit(message: str) -> CompileError:
    help_ = (
        "bisect compares runs with the host's: give arguments, and perhaps a seed, with which it does the same twice"
    )
    return CompileError(Diagnostic("OMPC485", Kind.ERROR, message, help=help_))


def _where_they_differ(runs: Sequence[Finished], what: str, tolerance: float) -> str:
    first = runs[0].out.splitlines()
    for run in runs[1:]:
        lines = run.out.splitlines()
        for number, (one, two) in enumerate(zip(first, lines, strict=False), start=1):
            if first_difference(one, two, tolerance, tolerance) is not None:
                return f"line {number} of {what}: '{one.strip()}', and then '{two.strip()}'"
        if len(first) != len(lines):
            return f"{len(first)} lines of {what}, and then {len(lines)}"
    return what


def _problem_of_file(file: Path, known: bytes | Reference, content: bytes | None) -> str | None:
    if content is None:
        return f"{file} is not written"
    if isinstance(known, Reference):
        found = known.problem(Finished(known.status, content.decode(errors="replace")))
        return None if found is None else f"{file}: {found.replace(' of the output', '')}"
    if content == known:
        return None
    places = (at for at, (one, two) in enumerate(zip(known, content, strict=False)) if one != two)
    return f"{file}: other bytes from byte {next(places, min(len(known), len(content)))} on"


def _largest(reference: Reference, out: str) -> float:
    pairs = zip(reference.lines or (), out.splitlines(), strict=False)
    return max((largest_difference(want, have) for want, have in pairs if want is not None), default=0)


def _is_text(content: bytes) -> bool:
    try:
        return b"\0" not in content and content.decode() is not None
    except UnicodeDecodeError:
        return False


def _bytes_of(file: Path) -> bytes | None:
    try:
        return file.read_bytes()
    except OSError:
        return None


@contextmanager
def _kept(files: Sequence[Path]) -> Iterator[None]:
    """The files are what they were when the program has run."""
    before = {file: _bytes_of(file) for file in files}
    try:
        yield
    finally:
        for file, content in before.items():
            if content is not None:
                file.write_bytes(content)
            elif file.exists():
                file.unlink()
