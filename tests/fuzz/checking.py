"""One file of cases, checked: gcc with several numbers of threads, ompc at several levels and with several seeds.

In: cases.   Out: `Outcome`: what failed, how many loops were on the device, and the codes of the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ompc.base.options import FloatingPoint, Level
from ompc.toolchain.machine.setting import Target

from .building import SANITIZED, SEQUENTIAL, Failed, Workshop
from .cases import Case, print_file
from .verdicts import CASE_SECONDS, RUN_SECONDS, Ran, by_case, differ, fault_of, run

THREADS = ("1", "3", "4")


@dataclass(frozen=True, slots=True)
class Failure:
    """One case that failed. `level` and `seed` say which program and which order of lanes; None: gcc's own."""

    case: Case
    kind: str
    key: str
    detail: str
    level: Level | None = None
    seed: str = "1"

    def same(self, other: Failure) -> bool:
        return (self.kind, self.key if self.kind != "difference" else "") == (
            other.kind,
            other.key if other.kind != "difference" else "",
        )


@dataclass
class Outcome:
    """What checking some cases found."""

    cases: int = 0
    failures: list[Failure] = field(default_factory=list)
    on_device: int = 0
    codes: Counter[str] = field(default_factory=Counter)
    """Loops that stay on the host, by code; at one level."""

    def add(self, other: Outcome) -> None:
        self.cases += other.cases
        self.failures += other.failures
        self.on_device += other.on_device
        self.codes += other.codes


Reference = dict[int, list[list[str]]]


def check_cases(
    workshop: Workshop, cases: Sequence[Case], levels: Sequence[Level], seeds: Sequence[str], name: str
) -> Outcome:
    """Check the cases in one file; cases that fail are looked at one by one."""
    outcome = Outcome(cases=len(cases))
    source = workshop.directory / f"{name}.c"
    source.write_text(print_file(list(cases)))
    expected, found = expectations(workshop, source, cases)
    outcome.failures += found
    bad = {f.case.number for f in found}
    cases = [c for c in cases if c.number not in bad]
    if found and cases:
        source.write_text(print_file(cases))
    for level in levels if cases else ():
        found = check_level(workshop, source, cases, level, seeds, expected, outcome if level is levels[0] else None)
        outcome.failures += found if workshop.sanitize else _of_right_programs(workshop, source, found)
    _remove(source)
    return outcome


def _of_right_programs(workshop: Workshop, source: Path, found: list[Failure]) -> list[Failure]:
    """The failures; the generator's for cases that sanitizers find wrong."""
    kept: list[Failure] = []
    alone = source.with_name(f"{source.stem}_alone.c")
    for failure in found:
        alone.write_text(print_file([failure.case]))
        kept += expectations(workshop, alone, [failure.case])[1] or [failure]
        _remove(alone)
    return kept


def expectations(workshop: Workshop, source: Path, cases: Sequence[Case]) -> tuple[Reference, list[Failure]]:
    """What gcc's program prints; a case that is wrong there is a mistake of the generator. One case alone is always
    looked at by sanitizers.
    """
    checked = workshop.sanitize or len(cases) == 1
    try:
        program = workshop.reference(source)
        sanitized = workshop.reference(source, SANITIZED) if checked else program
        sequential = workshop.reference(source, SEQUENTIAL) if len(cases) == 1 else program
    except Failed as failed:
        if len(cases) == 1:
            return {}, [Failure(cases[0], failed.kind, failed.key, failed.detail)]
        return _separately(workshop, source, cases)
    failures: dict[int, Failure] = {}
    for threads in THREADS if checked else ():
        failures |= _run_reference(sanitized, cases, threads)[1]
    outputs: list[Reference] = []
    for threads in THREADS:
        out, found = _run_reference(program, cases, threads)
        outputs.append(out)
        failures = found | failures
    outputs.append(_run_reference(sequential, cases, "1")[0])
    for case in cases:
        for other in outputs[1:]:
            difference = differ(outputs[0].get(case.number, []), other.get(case.number, []))
            if difference and case.number not in failures:
                failures[case.number] = Failure(case, "generator", "thread count", difference)
    return outputs[0], list(failures.values())


def _run_reference(program: Path, cases: Sequence[Case], threads: str) -> tuple[Reference, dict[int, Failure]]:
    """What the cases print, and those that do not end well."""
    environ = {"OMP_NUM_THREADS": threads}
    ran = run(program, (), environ, RUN_SECONDS)
    out = by_case(ran.out)
    failures: dict[int, Failure] = {}
    for case in cases if ran.status != 0 else ():
        one = run(program, [case.number], environ, CASE_SECONDS)
        out[case.number] = by_case(one.out).get(case.number, [])
        if (fault := fault_of(one)) is not None:
            detail = f"{threads} threads: {fault[0]} {one.err[:1500]}"
            failures[case.number] = Failure(case, "generator", fault[1], detail)
    return out, failures


def _separately(workshop: Workshop, source: Path, cases: Sequence[Case]) -> tuple[Reference, list[Failure]]:
    together: Reference = {}
    failures: list[Failure] = []
    for case in cases:
        source.write_text(print_file([case]))
        expected, found = expectations(workshop, source, [case])
        together |= expected
        failures += found
    return together, failures


def check_level(
    workshop: Workshop,
    source: Path,
    cases: Sequence[Case],
    level: Level,
    seeds: Sequence[str],
    expected: Reference,
    counts: Outcome | None = None,
) -> list[Failure]:
    """Translate, build and run at one level. A file that cannot be built is halved."""
    try:
        translation = workshop.translation(source, level)
        if counts is not None:
            _count(translation.report["regions"], [d.code for d in translation.diagnostics], counts)
        program = workshop.program(source, level, translation, _only_tiles(seeds))
    except Failed as failed:
        if len(cases) == 1:
            return [Failure(cases[0], failed.kind, failed.key, failed.detail, level)]
        found: list[Failure] = []
        middle = len(cases) // 2
        for half in (cases[:middle], cases[middle:]):
            part = source.with_name(f"{source.stem}_{half[0].number}_{len(half)}.c")
            part.write_text(print_file(list(half)))
            found += check_level(workshop, part, half, level, seeds, expected)
            _remove(part)
        return found
    failures: dict[int, Failure] = {}
    bits = workshop.fp is FloatingPoint.STRICT and workshop.target is Target.EMULATE  # CUDA has a libm of its own
    for seed in seeds:
        for failure in _run_all(program, cases, level, seed, expected, bits, workshop.devices):
            failures.setdefault(failure.case.number, failure)
    return list(failures.values())


def _tiles(seed: str) -> str:
    """The value of OMPC_TILES, whatever the sizes."""
    return ("", "2", "4", "8")[int(seed) % 4]


def _only_tiles(seeds: Sequence[str]) -> int | None:
    wanted = {_tiles(seed) for seed in seeds}
    return int(wanted.pop()) if len(wanted) == 1 and "" not in wanted else None


def _run_all(
    program: Path, cases: Sequence[Case], level: Level, seed: str, expected: Reference, bits: bool, devices: int = 1
) -> list[Failure]:
    copies = ("", "1", "32", "0")[int(seed) // 2 % 4]  # also where there is little to do
    checks = "" if int(seed) % 4 == 3 else "coherence"  # they wait for the device; without them it is late
    shape = ("block=128x2,fills=3", "block=16x4,fills=1,lanes=8", "", "block=256,fills=64")[int(seed) % 4]
    schedule = ("", "schedule=1", "schedule=2", "schedule=0")[int(seed) // 4 % 4]  # which of a launch's kernels
    asked = ",".join(filter(None, (shape, schedule)))
    environ = {"OMPC_TILES": _tiles(seed), "OMPC_TUNE": f"*:{asked}" if asked else "", "OMPC_COPIES": copies}
    environ |= {"OMPC_LANES": "512"} if int(seed) % 8 == 7 else {}  # a row for all lanes of a block
    environ |= {"OMPC_SLICE": "200"} if int(seed) % 4 == 3 else {}  # launches in slices, though nothing is large
    if devices > 1:
        environ |= {"OMPC_DEVICES": "all", "OMPC_EMULATE_DEVICES": str(devices), "OMPC_EMULATE_DIVIDES": "1"}
    environ |= {"OMPC_SEED": seed, "OMPC_CHECK": checks, "OMP_NUM_THREADS": "3"}
    ran = run(program, (), environ, RUN_SECONDS)
    out = by_case(ran.out)
    failures = []
    for case in cases:
        one = ran if ran.status == 0 else run(program, [case.number], environ, CASE_SECONDS)
        got = out if ran.status == 0 else by_case(one.out)
        failure = _judge(case, one, got.get(case.number, []), expected.get(case.number, []), bits)
        if failure is not None:
            failures.append(Failure(case, *failure, level, seed))
    return failures


def _judge(
    case: Case, ran: Ran, got: list[list[str]], expected: list[list[str]], bits: bool
) -> tuple[str, str, str] | None:
    fault = fault_of(ran)
    if fault is not None:
        return (*fault, ran.err[:3000])
    difference = differ(expected, got, bits)
    return ("difference", difference, difference) if difference else None


def _count(regions: object, codes: list[str], counts: Outcome) -> None:
    assert isinstance(regions, list)
    for region in regions:
        if region["target"] == "gpu":
            counts.on_device += 1
        else:
            counts.codes[region["reason"]["code"]] += 1
    if not regions:
        counts.codes.update(codes)


def _remove(source: Path) -> None:
    for path in source.parent.glob(f"{source.stem}.*"):
        path.unlink()
