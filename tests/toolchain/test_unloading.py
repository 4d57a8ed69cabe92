"""A shared library with loops is loaded, used and unloaded: the next dlopen finds it as it was made."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

LIBRARY = """
static double a[30000];
static int count;
static void grow(double *to, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        to[i] += i % 7 + 1;
}
double next(int n) { count++; grow(a, 30000); return a[n] + 1000 * count; }
"""
PROGRAM = """
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
static double b[30000];
static void grow(double *to, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        to[i] += i % 5 + 1;
}
int main(void)
{
    for (int k = 0; k < 3; k++) {
        grow(b, 30000);
        void *library = dlopen("./lib.so", RTLD_NOW);
        if (library == NULL)
            return puts(dlerror());
        double (*next)(int) = (double (*)(int))dlsym(library, "next");
        printf("%g ", next(3));
        printf("%g ", next(3));
        printf("%d %g ", dlclose(library), b[7]);
        double *c = calloc(30000, sizeof *c);
        grow(c, 30000), printf("%g\\n", c[9]), free(c);
    }
    return 0;
}
"""
EXPECTED = "1004 2008 0 3 5\n1004 2008 0 6 5\n1004 2008 0 9 5\n"


@pytest.fixture
def environ(keeping_cxx: str) -> dict[str, str]:
    return {**os.environ, "OMPC_TARGET": "emulate", "OMPC_CXX": keeping_cxx, "CXX": keeping_cxx}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("unloading")
    (made / "lib.c").write_text(LIBRARY)
    (made / "main.c").write_text(PROGRAM)
    return made


@pytest.mark.parametrize("words", [[], ["-rdynamic"], ["-Wl,--no-as-needed,-E"], ["-Xlinker", "--export-dynamic"]])
def test_a_library_is_new_when_it_is_loaded_again(
    folder: Path, words: list[str], environ: dict[str, str], ompc_command: str
) -> None:
    """Also where the program exports all of its symbols, and so would its runtime's."""
    for each in (["-shared", "-fPIC", "lib.c", "-o", "lib.so"], ["main.c", *words, "-o", "main"]):
        command = [*ompc_command.split(), "cc", "-fopenmp", *each]
        subprocess.run(command, cwd=folder, env=environ, check=True)
    listed = subprocess.run(["nm", "-D", folder / "lib.so"], capture_output=True, text=True, check=True).stdout
    assert " u " not in listed, "for such symbols the dynamic linker keeps a library"
    check_run(folder)


def test_a_program_of_ompc_build_exports_its_symbols(
    folder: Path, environ: dict[str, str], ompc_command: str
) -> None:
    for each in (
        ["cc", "-fopenmp", "-shared", "-fPIC", "lib.c", "-o", "lib.so"],
        ["build", "main.c", "-rdynamic", "-o", "main"],
    ):
        command = [*ompc_command.split(), *each]
        subprocess.run(command, cwd=folder, env=environ, check=True)
    words = ["nm", "-D", "--defined-only", folder / "main"]
    listed = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    assert " T main\n" in listed and " ompc" not in listed
    check_run(folder)


def check_run(folder: Path) -> None:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("OMPC_")}
    run = {"OMPC_OFFLOAD": "always", "OMPC_PROFILE": str(folder / "ledger")}
    done = subprocess.run([folder / "main"], env=clean | run, cwd=folder, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, EXPECTED), done.stderr
    assert "[OMPC452]" not in done.stderr and (folder / "ledger").exists()
    assert done.stderr.count("[OMPC473]") == 1, "once in the process, not once for each time that it is loaded"
