"""OMP_TARGET_OFFLOAD, OMPC_OFFLOAD=mandatory, --require-gpu and OMPC_SUMMARY."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from ompc.cli import main

PROGRAM = """\
#include <stdio.h>
#include <stdlib.h>
double a[100];
void add(double *x, const double *y, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] += y[i];
}
int main(int count, char **words)
{
    double *b = malloc(100 * sizeof *b);
    for (int k = 0; k < 5; k++) {
        #pragma omp parallel for
        for (int i = 0; i < 100; i++)
            a[i] = i;
    }
    for (int i = 0; i < 100; i++)
        b[i] = 1;
    add(a, b, 100);
    if (count > 1) {
        #pragma omp parallel num_threads(2)
        {
            #pragma omp single
            add(a, b, 50);
        }
    }
    printf("%g %g\\n", a[7], a[60]);
    free(b);
    return 0;
}
"""
NESTED = "ompc: a.c:6: runs on the host: it is inside an active parallel region [OMPC451]\n"
ENDED = (
    "ompc: a.c:6: the device is mandatory, and this loop cannot run there: it is inside an active parallel region "
    "(OMPC451) [OMPC475]\n"
)
ALL = "ompc: in all: 2 of 2 loops on the device, launched 6 times; on the host "
OFF = "ompc: in all: 0 of 2 loops on the device, launched 0 times; on the host 7 times: 7 launches are off\n"
UNKNOWN = "ompc: OMP_TARGET_OFFLOAD=maybe is not understood, and not followed: it is mandatory, disabled or default\n"


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory, keeping_cxx: str) -> Path:
    place = tmp_path_factory.mktemp("mandatory")
    (place / "a.c").write_text(PROGRAM)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(place)
        words = ("--target", "emulate", "--without", "glue", "--cxx", keeping_cxx)
        assert main(["build", "a.c", *words, "-o", "a"]) == 0
    return place / "a"


def run(program: Path, *words: str, **environ: str) -> tuple[int, str, str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("OMPC_", "OMP_"))}
    done = subprocess.run([program, *words], env={**clean, **environ}, capture_output=True, text=True, check=False)
    return (
        done.returncode,
        done.stdout,
        "".join(line for line in done.stderr.splitlines(keepends=True) if line.startswith("ompc: ")),
    )  # gcc's library has words of its own for a value that means nothing


@pytest.mark.parametrize("value", ["mandatory", "MANDATORY", " Mandatory "])
def test_a_loop_that_cannot_be_on_the_device_ends_the_program(program: Path, value: str) -> None:
    assert run(program, OMP_TARGET_OFFLOAD=value) == (0, "8 61\n", "")
    assert run(program, "nested", OMP_TARGET_OFFLOAD=value) == (1, "", ENDED)


def test_so_it_does_by_the_name_of_ompc(program: Path) -> None:
    assert run(program, "nested", OMPC_OFFLOAD="mandatory") == (1, "", ENDED)
    assert run(program, "nested", OMPC_OFFLOAD="mandatory", OMPC_SUMMARY="1")[2] == ENDED + ALL + "1 time: 1 OMPC451\n"


@pytest.mark.parametrize(
    "environ",
    [
        {"OMP_TARGET_OFFLOAD": "Disabled"},
        {"OMP_TARGET_OFFLOAD": "mandatory", "OMPC_DISABLE": "1"},
        {"OMPC_OFFLOAD": "never"},
    ],
)  # fmt: skip
def test_what_the_user_turns_off_is_off(program: Path, environ: dict[str, str]) -> None:
    assert run(program, "nested", OMPC_SUMMARY="1", **environ) == (0, "9 61\n", OFF)


def test_what_the_user_leaves_out_may_stay(program: Path) -> None:
    done = run(program, OMP_TARGET_OFFLOAD="mandatory", OMPC_REGIONS="-a.c:6", OMPC_SUMMARY="1")
    said = "ompc: in all: 1 of 2 loops on the device, launched 5 times; on the host 1 time: 1 not in OMPC_REGIONS\n"
    assert done == (0, "8 61\n", said)


def test_the_default_and_words_that_mean_nothing(program: Path) -> None:
    assert run(program, "nested", OMP_TARGET_OFFLOAD="default") == (0, "9 61\n", NESTED)
    assert run(program, "nested", OMP_TARGET_OFFLOAD="maybe") == (0, "9 61\n", UNKNOWN + NESTED)


def test_a_summary(program: Path) -> None:
    assert run(program, OMPC_SUMMARY="1") == (0, "8 61\n", ALL + "0 times\n")
    assert run(program, "nested", OMPC_SUMMARY="1") == (0, "9 61\n", NESTED + ALL + "1 time: 1 OMPC451\n")
    assert run(program, OMPC_SUMMARY="1", OMPC_VERIFY="1")[2].startswith(ALL + "0 times\n")


@pytest.mark.parametrize("command", ["build", "build-and-run", "profile"])
def test_a_gpu_that_is_required(
    program: Path, command: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(program.parent)
    words = [command, "a.c", "--require-gpu"]
    assert main([*words, "--target", "emulate"]) == 1
    assert capfd.readouterr().err.startswith(
        "ompc: error: --require-gpu, but --target emulate is asked for [OMPC416]\n"
    )
    monkeypatch.setenv("OMP_TARGET_OFFLOAD", "DISABLED")
    assert main(words) == 2
    assert "--require-gpu, but OMP_TARGET_OFFLOAD=DISABLED keeps loops on the host." in capfd.readouterr().err
