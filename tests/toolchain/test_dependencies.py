"""Dependency files: which options ask for them, and that they say what gcc's say."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from ompc.base.resources import PACKAGE
from ompc.cli import main
from ompc.toolchain.commands.dependencies import DependencyOptions, dependency_options

LOOP = '#include "n.h"\n#include <stdio.h>\nint a[N];\nint main(void)\n{\n#pragma omp parallel for\n'
LOOP += "    for (int i = 0; i < N; i++)\n        a[i] = 0;\n    return 0;\n}\n"


@pytest.mark.parametrize(
    ("words", "found", "path"),
    [
        ("", DependencyOptions(), None),
        ("-MF x", DependencyOptions(file="x"), None),
        ("-MD -MMD", DependencyOptions(("-MD", "-MMD")), "out/p.d"),
        ("-MMD -MFx -MF y", DependencyOptions(("-MMD",), "y"), "y"),
        ("-MMD -MT a -MTb -MQ c -MP", DependencyOptions(("-MMD",), None, tuple("-MT a -MT b -MQ c".split()), ("-MP",)),
         "out/p.d"),
        ("-Wp,-MD,x -MT t", DependencyOptions(("-MD",), "x", ("-MT", "t"), (), True), "x"),
        ("-Wp,-MMD,x,-MT,t", DependencyOptions(("-MMD",), "x", ("-MT", "t"), (), True), "x"),
        ("-MMD -Wp,-MMD,x -MF y", DependencyOptions(("-MMD", "-MMD"), "x"), "x"),
    ],
)  # fmt: skip
def test_options_are_gccs(words: str, found: DependencyOptions, path: str | None) -> None:
    assert dependency_options(words.split()) == found
    assert found.path(Path("out/p.o")) == (None if path is None else Path(path))


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("n.h").write_text("#define N 9\n")
    Path("a b.c").write_text(LOOP)
    Path("deps").mkdir()
    return tmp_path


def test_build_writes_one_for_the_program(here: Path) -> None:
    Path("c.c").write_text('#include "n.h"\nint c;\n')
    assert main([*"build --target host c.c -MMD -MP -o prog".split(), "a b.c"]) == 0
    assert Path("prog.d").read_text() == "prog: c.c n.h\nn.h:\nprog: a\\ b.c n.h\nn.h:\n"
    command = ["build", "--target", "host", "a b.c", "-MD", "-MF", "deps/x", "-MT", "t", "-MQ", "u$", "-o", "prog"]
    assert main(command) == 0
    text = Path("deps/x").read_text()
    assert text.startswith("t u$$: a\\ b.c") and "stdio.h" in text


def test_build_replaces_no_source_by_one(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["build", "--target", "host", "a b.c", "-MMD", "-MFa b.c", "-o", "prog"]) == 1
    assert "[OMPC410]" in capfd.readouterr().err and Path("a b.c").read_text() == LOOP
    assert main(["build", "--target", "host", "a b.c", "-MMD", "-MF", "no/x"]) == 1
    assert main(["build", "a b.c", "-MF"]) == 2


@pytest.mark.slow
def test_objects_have_what_gcc_gives_them(here: Path) -> None:
    """With device code, which the host compiler alone does not see."""
    ompc = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(PACKAGE.parent)!r})\n"
            "from ompc.__main__ import entry_cc; entry_cc()", "--target", "emulate", "-q"]  # fmt: skip
    words = ["-fopenmp", "-O0", "-MMD", "-MP", "-MF", "old", "-MF", "deps/d", "-MT", "t", "-MQu$", "-c", "a b.c"]
    texts = []
    for compiler in (["gcc"], ompc):
        Path("deps/d").unlink(missing_ok=True)
        subprocess.run([*compiler, *words], check=True)
        texts.append(Path("deps/d").read_text())
        assert not Path("old").exists()
    assert texts[0] == texts[1] == "t u$$: a\\ b.c n.h\nn.h:\n"
    assert b"ompc" in Path("a b.o").read_bytes(), "device code is in it"
