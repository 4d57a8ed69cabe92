"""Loops in parts on several emulated devices (OMPC_DEVICES): the same answers, and which of them are divided."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from execution_build import Workshop, run
from execution_case import ALL_CASES, Case, read_case
from test_execution import check_same

from ompc.base.options import Level
from ompc.toolchain.machine.setting import Target

CASE = next(case for case in ALL_CASES if case.name == "several_devices")


def on(devices: int, **more: str) -> Mapping[str, str]:
    return {"OMPC_DEVICES": "all", "OMPC_EMULATE_DEVICES": str(devices), **more}


@pytest.fixture(scope="module")
def program(workshop: Workshop, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return workshop.program(CASE, Level.AUTO, Target.EMULATE, tmp_path_factory.mktemp("devices") / "program")


@pytest.mark.parametrize("devices", [1, 2, 3])
@pytest.mark.parametrize("divides", ["0", "1"], ids=["as it pays", "always"])
def test_same_answers(devices: int, divides: str, program: Path, workshop: Workshop) -> None:
    for arguments in CASE.runs:
        expected = run(workshop.reference(CASE), arguments)
        for seed in ("0", "1", "7"):
            got = run(program, arguments, on(devices, OMPC_SEED=seed, OMPC_EMULATE_DIVIDES=divides))
            assert check_same(CASE, expected, got) == set()


def test_with_sanitizers(workshop: Workshop, tmp_path: Path) -> None:
    program = workshop.program(CASE, Level.AUTO, Target.EMULATE, tmp_path / "program", sanitize=True)
    for arguments in CASE.runs:
        expected = run(workshop.reference(CASE), arguments)
        check_same(CASE, expected, run(program, arguments, on(3, OMPC_EMULATE_DIVIDES="1", OMPC_SLICE="100")))


@pytest.mark.parametrize("fault", ["alloc:3", "alloc:5+", "alloc:9", "start:1", "lock:1+"])
def test_a_fault_ends_in_the_right_answer(fault: str, program: Path, workshop: Workshop) -> None:
    """Loops that have no memory on the devices run on the host."""
    expected = run(workshop.reference(CASE), CASE.runs[0])
    got = run(program, CASE.runs[0], on(2, OMPC_EMULATE_DIVIDES="1", OMPC_FAULTS=fault))
    check_same(CASE, expected, got)


@pytest.mark.parametrize("wait", ["wait_part:1+", "wait_kernels:1+"])
def test_each_wait_is_needed(wait: str, program: Path, workshop: Workshop) -> None:
    """Of the devices for the first one, and of that for them."""
    expected = run(workshop.reference(CASE), CASE.runs[0])
    faults = {"OMPC_EMULATE_DIVIDES": "1", "OMPC_FAULTS": wait, "OMPC_CHECK": ""}
    ran = [run(program, CASE.runs[0], on(2, OMPC_EMULATE_ORDER=str(order), **faults)) for order in range(5)]
    assert any((got.status, got.out) != (expected.status, expected.out) for got in ran)


SIZES = """/* gpus: several */
/* expect-gpu: 3 */
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int n = 300;
    double *a = malloc(n * n * sizeof *a), *b = malloc(n * n * sizeof *b), *c = malloc(n * n * sizeof *c);
    double *d = malloc(n * n * sizeof *d), sum = 0;
    for (int i = 0; i < n * n; i++)
        a[i] = b[i] = i % 101, c[i] = i % 7, d[i] = 0;
    for (int t = 0; t < argc + 2; t++) {
        #pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            for (int j = 0; j < n; j++)
                a[i * n + j] = b[(i - 1) * n + j] + b[(i + 1) * n + j];
        #pragma omp parallel for
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                d[i * n + j] = c[j * n + i];
        b[t] += 1;
        #pragma omp parallel for reduction(+: sum)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                sum += a[i * n + j] * b[i * n + j];
        c[t * n] += 1;
    }
    printf("%.12g %.12g\\n", sum, d[5 * n + 3] + d[2]);
    return 0;
}
"""


def regions_of(text: str, devices: int, workshop: Workshop, tmp_path: Path, **more: str) -> dict[int, Any]:
    """What a run says of its loops, by line."""
    source = tmp_path / "program.c"
    source.write_text(text)
    case: Case = read_case(source)
    program = workshop.program(case, Level.AUTO, Target.EMULATE, tmp_path / "program")
    profile = str(tmp_path / f"ledger{devices}.json")
    ran = run(program, [], on(devices, OMPC_PROFILE=profile, **more))
    assert (ran.status, ran.out, ran.err) == (0, run(workshop.reference(case), []).out, "")
    return {region["line"]: region for region in json.loads(Path(profile).read_text())["regions"]}


def test_what_is_divided(workshop: Workshop, tmp_path: Path) -> None:
    """A sweep and a sum are, in stripes; a transposition, of which half would be another device's, is not."""
    found = regions_of(SIZES, 2, workshop, tmp_path)
    sweep, transposition, total = (found[line] for line in (13, 17, 22))
    assert sweep["divided"] == total["divided"] == sweep["launches"] == 3
    assert "divided" not in transposition
    assert 0 < sweep["remote_bytes"] < 0.02 * sweep["used_bytes"]


def test_arrays_larger_than_one_device(workshop: Workshop, tmp_path: Path) -> None:
    """All together have room for them; one does not, and then makes room launch by launch."""
    memory = str(int(2.6 * 300 * 300 * 8))
    found = regions_of(SIZES, 2, workshop, tmp_path, OMPC_DEVICE_MEMORY=memory)
    assert all(region["launches"] == 3 for region in found.values())


def test_one_device_is_as_ever(workshop: Workshop, tmp_path: Path) -> None:
    found = regions_of(SIZES, 1, workshop, tmp_path)
    assert not any("divided" in region for region in found.values())
