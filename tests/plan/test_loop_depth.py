"""For which programs the device is started before a loop asks for it."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from ompc.base.options import Options
from ompc.driver import translate

FOR = "\n#pragma omp parallel for\n    for (int i = 0; i < n; i++)"
STEPS = "for (int t = 0; t < n; t++)"


@pytest.fixture
def starts_early(tmp_path: Path) -> Callable[[str], bool]:
    def run(code: str) -> bool:
        source = tmp_path / "t.c"
        source.write_text(f"double a[100], b[100][100];\n{code}\n")
        return "#define OMPC_MUCH_WORK" in translate(source, Options()).files["t.cu"]

    return run


@pytest.mark.parametrize(
    "code",
    [
        f"int main(void) {{ int n = 9; {FOR} for (int j = 0; j < n; j++) for (int k = 0; k < n; k++) b[i][j] += k; }}",
        f"int main(void) {{ int n = 9; {STEPS} {{ {FOR} for (int j = 0; j < n; j++) b[i][j] += 1; }} }}",
        f"int main(void) {{ int n = 9; while (n-- > 3) {{ {FOR} for (int j = 0; j < n; j++) b[i][j] += 1; }} }}",
        f"static void f(int n) {{ {FOR} for (int j = 0; j < n; j++) b[i][j] += 1; }}"
        f"int main(void) {{ int n = 9; {STEPS} f(n); }}",
        f"static double g(int n) {{ double s = 0; {STEPS} s += t; return s; }}"
        f"int main(void) {{ int n = 9; {FOR} for (int j = 0; j < n; j++) b[i][j] = g(j); }}",
        f"void f(int n) {{ {FOR} for (int j = 0; j < n; j++) b[i][j] += 1; }}",  # who calls it is not seen
        f"void f(int n) {{ if (n) f(n - 1); {FOR} for (int j = 0; j < n; j++) b[i][j] += 1; }}"
        "int main(void) { f(9); }",
    ],
)
def test_deep_loops(starts_early: Callable[[str], bool], code: str) -> None:
    assert starts_early(code)


@pytest.mark.parametrize(
    "code",
    [
        f"int main(void) {{ int n = 9; {FOR} for (int j = 0; j < n; j++) b[i][j] += 1; }}",
        f"int main(void) {{ int n = 9; {STEPS} {{ {FOR} a[i] += t; }} }}",
        f"static void f(int n) {{ {FOR} a[i] += 1; }} int main(void) {{ int n = 9; {STEPS} f(n); }}",
        f"void f(int n) {{ {FOR} a[i] += 1; }}",
        f"int main(void) {{ int n = 9; {FOR} a[i] += 1; {STEPS} for (int j = 0; j < n; j++) b[t][j] = a[j] + n; }}",
        # on the host
        f"int rand(void); int main(void) {{ int n = 9; {FOR} a[i] = n; {STEPS} {{ {FOR} "
        "for (int j = 0; j < n; j++) b[i][j] = rand(); } }",
    ],
)
def test_few_loops(starts_early: Callable[[str], bool], code: str) -> None:
    assert not starts_early(code)


def test_many_calls(tmp_path: Path) -> None:
    """A function is walked once, however many calls of it lead to a loop."""
    source = tmp_path / "t.c"
    calls = " ".join(f"f({k});" for k in range(3000))
    source.write_text(f"double a[100]; static void f(int n) {{ {FOR} a[i] += 1; }}\nint main(void) {{ {calls} }}")
    before = time.process_time()
    translate(source, Options())
    assert time.process_time() - before < 5
