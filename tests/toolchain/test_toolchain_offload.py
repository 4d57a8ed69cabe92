"""Programs with target constructs link where gcc has no lto-wrapper: nothing in their objects asks for it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from ompc.cli import main
from ompc.toolchain.commands.offload_sections import SECTIONS, drop_offload_sections

PROGRAM = """\
#include <stdio.h>
double a[100];
int main(void)
{
    #pragma omp target teams distribute parallel for map(tofrom: a)
    for (int i = 0; i < 100; i++)
        a[i] = i;
    #pragma omp target map(tofrom: a)
    a[3] = 8;
    printf("%g\\n", a[7] + a[3]);
    return 0;
}
"""


def test_an_object_without_them_is_the_same_program(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(PROGRAM)
    subprocess.run(["cc", "-fopenmp", "-c", "a.c", "-o", "a.o"], cwd=tmp_path, check=True)
    drop_offload_sections(tmp_path / "a.o")
    assert SECTIONS.encode() not in (tmp_path / "a.o").read_bytes()
    subprocess.run(["cc", "-fopenmp", "a.o", "-o", "a"], cwd=tmp_path, check=True)
    assert subprocess.run([tmp_path / "a"], check=True, capture_output=True, text=True).stdout == "15\n"


def test_what_is_linked_has_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, emulating_cxx: str) -> None:
    """The C++ compiler looks into what it links."""
    (tmp_path / "a.c").write_text(PROGRAM)
    linker = tmp_path / "looks-c++"
    linker.write_text(
        '#!/bin/sh\nfor word; do case "$before$word" in -o*) ;; *.o) if grep -q gnu.offload_lto_ "$word"; then\n'
        'echo could not run lto-wrapper >&2; exit 1; fi;; esac; before=; [ "$word" = -o ] && before=-o; done\n'
        f'exec {emulating_cxx} "$@"\n'
    )
    linker.chmod(0o755)
    monkeypatch.setenv("OMPC_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    assert main(["build", "a.c", "--target", "emulate", "--cxx", str(linker)]) == 0
    environ = {**os.environ, "OMPC_OFFLOAD": "always"}
    assert subprocess.run([tmp_path / "a"], env=environ, check=True, capture_output=True, text=True).stdout == "15\n"


@pytest.mark.parametrize("files", [["a.c"], ["a.c", "b.c"]])
@pytest.mark.parametrize(("option", "suffix"), [(["--vendor"], ""), ([], "_host")], ids=["vendor", "library"])
def test_makefiles_drop_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: list[str], option: list[str], suffix: str
) -> None:
    (tmp_path / "a.c").write_text(PROGRAM)
    (tmp_path / "b.c").write_text(PROGRAM.replace("main", "other").replace("double a", "static double a"))
    monkeypatch.chdir(tmp_path)
    assert main(["translate", *files, "-o", "out", "-q", *option]) == 0
    objects = [f"{Path(file).stem}{suffix}.o" for file in files]
    subprocess.run(["make", "-s", *objects], cwd=tmp_path / "out", check=True)
    for name in objects:
        assert SECTIONS.encode() not in (tmp_path / "out" / name).read_bytes()
