"""The first line above a kernel: the pragma as it stands in the user's file."""

from __future__ import annotations

from pathlib import Path

import pytest

from ompc.base.options import Options, plain_options
from ompc.driver import translate

PROGRAM = """\
#define THREADS 4
#define CLAUSES reduction(+ : s) schedule(static, 16)
#define PARALLEL(clauses) _Pragma(#clauses)
#define LOOP parallel for
static double s, a[1000];
void f(void)
{
#pragma omp parallel for num_threads(THREADS) /* so many */ \\
    CLAUSES
    for (int i = 0; i < 1000; i++)
        s += a[i];
    PARALLEL(omp parallel for num_threads(THREADS))
    for (int i = 0; i < 1000; i++)
        a[i] = i;
#pragma omp LOOP
    for (int i = 0; i < 1000; i++)
        a[i] += i;
}
int main(void) { f(); return s > 3; }
"""
SAID = (
    "#pragma omp parallel for num_threads(THREADS) CLAUSES",
    "#pragma omp parallel for num_threads(4)",
    "#pragma omp parallel for",
)


def test_pragmas_stand_in_comments_as_they_are_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a macro makes of it, where the line itself does not name the directive. Plain output leaves a loop whose
    pragma is a macro's to the host.
    """
    monkeypatch.chdir(tmp_path)
    source = Path("a.c")
    source.write_text(PROGRAM)
    options = Options(without=frozenset({"fusion", "chains"}))
    assert _said(translate(source, options).files["a.cu"]) == list(SAID)
    assert _said(translate(source, plain_options(options)).files["a.cu"]) == [SAID[0], SAID[2]]


def _said(text: str) -> list[str]:
    return [line[line.index("#pragma") :] for line in text.splitlines() if line.startswith("// a.c:")]
