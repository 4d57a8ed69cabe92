"""Which loops of regions count as divided among their threads, and the line above those that do something besides."""

from __future__ import annotations

from pathlib import Path

import pytest

from ompc.base.options import Options
from ompc.driver import translate, translate_program

HEAD = """#include <omp.h>
double x[100], y[100];
int seen, *at;
int shift(void);
"""


def _translated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, loop: str) -> tuple[str, bool]:
    """The line above the loop, and whether it was listed."""
    monkeypatch.chdir(tmp_path)
    text = (
        f"{HEAD}void f(int n)\n{{\nint i, last, by, *to, moved;\n"
        "#pragma omp parallel private(i, last, by, to, moved)\n"
        "{\nconst int me = omp_get_thread_num(), all = omp_get_num_threads();\n"
        f"const int begin = n * me / all, end = n * (me + 1) / all;\nto = &moved;\n{loop}\n}}\n}}\n"
    )
    Path("a.c").write_text(text)
    translation = translate(Path("a.c"), Options())
    lines = [line.strip() for line in translation.files["a.c"].splitlines() if "OMPC_OFFLOAD(" in line]
    return lines[0] if lines else "", translation.loops[0] > 0


@pytest.mark.parametrize(
    ("loop", "line"),
    [
        ("for (i = begin; i < end; i++)\ny[i] += x[i];", "OMPC_OFFLOAD(ompc_launch_f("),
        ("for (i = begin, by = 2; i < end; i++)\ny[i] += by * x[i];", "OMPC_OFFLOAD((by = 2, ompc_launch_f("),
        ("for (by = 2, i = begin, last = end; i < last; i++)\ny[i] += by;", "OMPC_OFFLOAD((by = 2, last = end, ompc_"),
        ("for (i = me, by = all * 2; i < n; i += all)\ny[i] += by;", "OMPC_OFFLOAD((by = all * 2, ompc_launch_f("),
        ("#pragma omp simd\nfor (i = begin; i < end; i++)\ny[i] += x[i];", "OMPC_OFFLOAD(ompc_launch_f("),
        ("#pragma omp simd safelen(2)\nfor (int k = me; k < n; k += all)\ny[k] += 1;", "OMPC_OFFLOAD(ompc_launch_f("),
        # In this order alone, once alone, or seen by others.
        ("for (i = begin, last = i + 5; i < last; i++)\ny[i] += x[i];", None),
        ("for (last = end, i = last - 5; i < last; i++)\ny[i] += x[i];", None),
        ("for (i = begin, by = by + 1; i < end; i++)\ny[i] += by;", None),
        ("for (i = begin, by = seen++; i < end; i++)\ny[i] += by;", None),
        ("for (i = begin, by = shift(); i < end; i++)\ny[i] += by;", None),
        ("for (i = begin, by += 1; i < end; i++)\ny[i] += by;", None),
        ("for (i = begin, seen = 1; i < end; i++)\ny[i] += x[i];", None),
        ("for (i = begin, x[me] = 1; i < end; i++)\ny[i] += 1;", None),
        ("for (i = begin, moved = 1; i < end; i++)\ny[i] += *to;", None),
        ("for (i = begin, by = 1, by = 2; i < end; i++)\ny[i] += by;", None),
        ("#pragma omp simd linear(by : 1)\nfor (i = begin; i < end; i++)\ny[i] += by;", None),
        ("#pragma omp simd private(by)\nfor (i = begin; i < end; i++) {\nby = i; y[i] += by; }", None),
    ],
)
def test_what_is_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, loop: str, line: str | None) -> None:
    found, is_listed = _translated(tmp_path, monkeypatch, loop)
    assert is_listed == (line is not None)
    assert found.startswith(line or "")


def test_macros_beside_the_call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The loop gives `by` n + 1; in the line, the macro would stand for n + 1 once more."""
    loop = "#define n (n + 1)\nfor (i = begin, by = n; i < end; i++)\ny[i] += by;\n#undef n"
    assert _translated(tmp_path, monkeypatch, loop) == ("", True)


def test_questions_that_the_file_cannot_ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The line would call OpenMP's function, which is not declared there."""
    monkeypatch.chdir(tmp_path)
    Path("b.c").write_text("#include <omp.h>\nint my(void) { return omp_get_thread_num(); }\n")
    for declared, listed in (("#include <omp.h>\n", 2), ("", 1)):
        loops = [f"for (int i = {first}; i < n; i += 3)\ny[i] += 1;" for first in ("my()", "me")]
        region = "\n".join(("int me = my();", *loops))
        region = f"#pragma omp parallel num_threads(3)\n{{\n{region}\n}}\n"
        Path("a.c").write_text(f"{declared}double y[100];\nint my(void);\nvoid f(int n)\n{{\n{region}}}\n")
        translation, _ = translate_program([Path("a.c"), Path("b.c")], Options())
        assert translation.loops == (listed, listed)
