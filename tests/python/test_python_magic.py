"""`%%ompc`: cells of C in IPython."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell

SCALE = """\
void scale(int n, double *x)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] *= N;
}
int lambda(void) { return 1; }
int report(void) { return 2; }
int calls = 3;
"""


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[InteractiveShell]:
    monkeypatch.setenv("OMPC_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    InteractiveShell.clear_instance()
    made = InteractiveShell.instance()
    made.history_manager.enabled = False  # type: ignore[union-attr]
    made.run_line_magic("load_ext", "ompc")
    yield made
    InteractiveShell.clear_instance()


def test_functions_of_a_cell(shell: InteractiveShell, library_cxx: str, capsys: pytest.CaptureFixture[str]) -> None:
    line = f"%%ompc --target emulate --cxx '{library_cxx}' --library lib -DN=3 -O1\n"
    assert shell.run_cell(line + SCALE).success
    printed = capsys.readouterr().out
    assert printed.startswith("lib, report, scale\ncell.c: 1 parallel loop, 1 on the GPU, 0 on the host")
    assert shell.run_cell("import numpy as np\nx = np.ones(4)\nscale(4, x)").success
    assert shell.user_ns["x"].tolist() == [3] * 4 and shell.user_ns["report"]() == 2
    assert shell.user_ns["lib"].globals.calls == 3 and shell.user_ns["lib"]["lambda"]() == 1


@pytest.mark.parametrize(
    ("line", "cell", "said"),
    [
        ("--target host", "int f(void) { return y; }", "cell.c:1:22: error: the C compiler does not accept cell.c"),
        ("--target gpu", "int f(void) { return 1; }", "target is one of auto, cuda, emulate, host, not 'gpu'"),
        ("--target", "int f(void) { return 1; }", "%%ompc: argument --target: expected one argument"),
        ("--target host x.c", "int f(void) { return 1; }", "'x.c' is no compiler option that ompc knows"),
        ("--target host 'x", "int f(void) { return 1; }", "%%ompc: No closing quotation"),
        ("--target host", "static int f(void) { return 1; }", "no function that can be called from outside of it"),
    ],
)
def test_errors_are_messages(
    shell: InteractiveShell, line: str, cell: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    result = shell.run_cell(f"%%ompc {line}\n{cell}\n")
    printed = capsys.readouterr()
    assert not result.success and printed.out == ""
    assert printed.err.startswith("UsageError: ") and said in printed.err and "Traceback" not in printed.err


def test_help(shell: InteractiveShell) -> None:
    text = shell.find_magic("ompc", "cell").__doc__
    assert all(option in text for option in ("--target", "--library NAME", "All other options are the C compiler's"))
