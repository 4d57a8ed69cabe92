"""Each program of cases/ four ways: as gcc -fopenmp builds it, emulated, accepted by nvcc, on a GPU.

The emulated builds have AddressSanitizer and UBSan at --opt auto. That every loop was launched is read from the
runtime's own ledger, so that a silent fallback to the host cannot pass.
"""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from accepted_by_nvcc import check_accepted
from execution_build import Ran, Workshop, run
from execution_case import ALL_CASES, Case
from machine_costs import cheap_locks

from ompc.base.diagnostics import Kind
from ompc.base.options import Level
from ompc.base.translation import Translation
from ompc.toolchain.machine.setting import Target
from ompc.tools.answers.compare import first_difference

LEVELS = [Level.AUTO, Level.THESIS, Level.BASELINE]
LATE_EVERY = 4
"""Runs of a case differ in sizes: what is late in the first is late in the next, and all are so at night."""
SANITIZED_EVERY = 16
"""They triple what a case costs: by day a sixteenth of the cases has them, and random programs; at night all. Without
them malloc is the runtime's own, as it is for users.
"""
LAUNCHERS_EVERY = 6
"""Emulated builds compile the same launchers: by day nvcc's host half reads those of a sixth of the files."""
each_case = pytest.mark.parametrize("case", ALL_CASES, ids=lambda case: case.name)
each_level = pytest.mark.parametrize("level", LEVELS, ids=lambda level: level.value)
OTHER_LEVELS = {1: Level.THESIS, 12: Level.BASELINE}
"""By day one case of twelve has one beside `auto`: they differ in what plan/ decides."""


def _other_level(case: Case) -> Level | None:
    return OTHER_LEVELS.get(ALL_CASES.index(case) % 24)


def _at(case: Case, level: Level) -> object:
    by_day = level in (Level.AUTO, _other_level(case))
    return pytest.param(case, level, id=f"{case.name}-{level.value}", marks=() if by_day else pytest.mark.other_level)


_WITHOUT_PRAGMA = ("no pragma", "divided among threads")

@pytest.mark.parametrize(("case", "level"), [_at(case, level) for case in ALL_CASES for level in LEVELS])
def test_emulated(case: Case, level: Level, nightly: bool, workshop: Workshop, tmp_path: Path) -> None:
    check_where_loops_run(case, workshop.translation(case, level), level)
    if nightly:
        case = replace(case, runs=case.runs + case.nightly_runs)
    try:
        check_emulated(case, level, workshop, tmp_path)
    except AssertionError as failure:
        if "AddressSanitizer: ILL" not in str(failure):
            raise
        check_emulated(case, level, replace(workshop, messages=True), tmp_path)
        raise


def check_emulated(case: Case, level: Level, workshop: Workshop, folder: Path) -> None:
    translation = workshop.translation(case, level)
    sanitize = level is Level.AUTO and case.sanitizers and (workshop.messages or _has_sanitizers_by_day(case))
    program = workshop.program(case, level, Target.EMULATE, folder / "program", sanitize)
    late = {"OMPC_CHECK": "", "OMPC_CALIBRATION": cheap_locks(folder)} if level is Level.AUTO else None
    every = 1 if workshop.messages else LATE_EVERY
    refusals = check_runs(case, translation, workshop.reference(case), program, folder, late, every)
    if level is Level.AUTO:  # the others make fewer kernels that rely on separate arrays
        assert refusals == case.refuses


def _has_sanitizers_by_day(case: Case) -> bool:
    return ALL_CASES.index(case) % SANITIZED_EVERY == 3


@pytest.mark.parametrize("case", [case for case in ALL_CASES if case.plain_runs], ids=lambda case: case.name)
def test_without_sanitizers(case: Case, workshop: Workshop, tmp_path: Path) -> None:
    """AddressSanitizer has an allocator, a stack and a handler of bad accesses of its own."""
    program = workshop.program(case, Level.AUTO, Target.EMULATE, tmp_path / "program")
    for arguments in case.plain_runs:
        check_same(case, run(workshop.reference(case), arguments), run(program, arguments))


@pytest.mark.nvcc
@pytest.mark.parametrize("cases", [ALL_CASES[k::6] for k in range(6)], ids=lambda cases: f"{cases[0].name}-")
def test_nvcc_accepts(cases: list[Case], nightly: bool, workshop: Workshop, tmp_path: Path) -> None:
    """The kernels of the levels differ, but for their comments, in what is in constant memory."""
    only_kernels = not nightly and ALL_CASES.index(cases[0]) % LAUNCHERS_EVERY > 0
    made = (workshop.translation(case, Level.AUTO) for case in cases)
    check_accepted(made, tmp_path, full=nightly, only_kernels=only_kernels)
    also = [case for case in cases if nightly or _other_level(case) is Level.THESIS]
    pairs = [(workshop.translation(case, Level.AUTO), workshop.translation(case, Level.THESIS)) for case in also]
    others = (thesis for auto, thesis in pairs if constants(auto) != constants(thesis))
    check_accepted(others, tmp_path, full=nightly, only_kernels=True)


@pytest.mark.gpu
@each_level
@each_case
def test_on_gpu(case: Case, level: Level, workshop: Workshop, tmp_path: Path) -> None:
    program = workshop.program(case, level, Target.CUDA, tmp_path / "program")
    check_runs(case, workshop.translation(case, level), workshop.reference(case), program, tmp_path)
    sanitizer = shutil.which("compute-sanitizer")
    if sanitizer is None or level is not Level.AUTO:
        return
    for arguments in case.runs:
        # that memory is exhausted, or pages cannot be locked, is an answer that the runtime asks for
        options = ["--error-exitcode", "97", "--report-api-errors", "no"]
        done = run(Path(sanitizer), [*options, str(program), *arguments])
        assert done.status != 97, done.out + done.err


def check_where_loops_run(case: Case, translation: Translation, level: Level) -> None:
    """The report agrees with the headers of the case."""
    regions = regions_of(translation)
    reasons = [f"{r['id']}: {r['reason']}" for r in regions if r["target"] == "host"]
    expected = [r for r in regions if r["directive"] not in _WITHOUT_PRAGMA]
    assert [r["reason"]["code"] for r in expected if r["target"] == "host"] == list(case.on_host), reasons
    launched = Counter(r["directive"] in _WITHOUT_PRAGMA for r in regions if r["target"] == "gpu")
    added = case.added if level is Level.AUTO else 0
    assert (launched[False], launched[True]) == (case.on_device, added)
    joint = {r["fusion"]["id"] for r in regions if r["fusion"] is not None and not r["fusion"]["chain"]}
    assert level is not Level.AUTO or case.fused in (None, len(joint)), joint
    whole_file = [d.code for d in translation.diagnostics if d.kind is Kind.HOST] if not regions else []
    assert whole_file == ([case.copied_through] if case.copied_through else [])


def check_runs(
    case: Case,
    translation: Translation,
    reference: Path,
    program: Path,
    scratch: Path,
    late: dict[str, str] | None = None,
    late_every: int = 1,
) -> set[str]:
    """Same output and exit status in each run; every loop of the device was launched in some run.

    One of so many runs is made again where `late` is given: without the checks that wait for the device, which then
    does everything as late as it may; and where loops are fused, with each of them launched by itself. Returns the
    codes that the program printed.
    """
    on_device = [r for r in regions_of(translation) if r["target"] == "gpu"]
    launches: dict[str, int] = {r["id"]: 0 for r in on_device}
    fused = {r["id"]: r["fusion"]["id"] for r in on_device if r["fusion"] is not None}
    launches |= dict.fromkeys(fused.values(), 0)
    lines = {r["id"]: r["launch"].get("chain") for r in on_device}
    chains = {chain: [r["id"] for r in on_device if r["line"] in of_it] for chain, of_it in lines.items() if of_it}
    refusals: set[str] = set()
    for number, arguments in enumerate(case.runs):
        ledger = scratch / f"ledger{number}.json"
        threads = {"OMP_NUM_THREADS": case.threads}
        expected = run(reference, arguments, threads)
        got = run(program, arguments, {"OMPC_PROFILE": str(ledger), **threads})
        refusals |= check_same(case, expected, got)
        if late is not None and number % late_every == 0:
            check_same(case, expected, run(program, arguments, {**late, **threads}))
        if (fused or chains) and number % late_every == 0:
            refusals |= check_same(case, expected, run(program, arguments, {"OMPC_FUSION": "0", **threads}))
        for region in json.loads(ledger.read_text())["regions"] if ledger.exists() else []:
            launches[region["id"]] += region["launches"]
    assert refusals <= case.refuses
    for loop, joint in fused.items():
        launches[loop] += launches[joint]
    for chain, parts in chains.items():
        launches |= {part: launches[part] + launches[chain] for part in parts}
    inside = {part for parts in chains.values() for part in parts}
    joints = ((r["id"], r["fusion"]) for r in on_device if r["fusion"] is not None)
    for joint in {fusion["id"] for loop, fusion in joints if fusion["chain"] or loop in inside}:
        del launches[joint]  # what is around may do it all
    assert [region for region, count in launches.items() if count == 0] == [], "loops that were never launched"
    return refusals


def check_same(case: Case, expected: Ran, got: Ran) -> set[str]:
    """Returns the codes that the translated program printed; everything else must be the same."""
    lines = got.err.splitlines(keepends=True)
    own = [line for line in lines if line.startswith("ompc: ")]
    difference = first_difference(expected.out, got.out, case.rtol)
    assert not difference, show(expected, got)
    assert "".join(line for line in lines if line not in own) == expected.err, show(expected, got)
    assert got.status == expected.status, show(expected, got)
    return set(re.findall(r"OMPC\d{3}", "".join(own)))


def show(expected: Ran, got: Ran) -> str:
    difference = first_difference(expected.out, got.out)
    runs = (("expected", expected), ("got", got))
    texts = [f"{what} {ran.status}:\n{ran.out[:500]}{ran.err[:2000]}" for what, ran in runs]
    return "\n".join([str(difference), *texts])


def regions_of(translation: Translation) -> list[Any]:
    regions = translation.report["regions"]
    assert isinstance(regions, list)
    return regions


def constants(translation: Translation) -> list[str]:
    """The arrays in constant memory."""
    return re.findall(r"^__constant__ .*", translation.files.get(f"{translation.name}.cu", ""), re.MULTILINE)
