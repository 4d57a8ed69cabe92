"""What the device file has of one loop."""

from __future__ import annotations

from pathlib import Path

from ompc.base.options import Options
from ompc.driver import translate

PROGRAM = """\
static double half(double x) { return x / 2; }
static double twice(double x) { return half(4 * x); }
static double unrelated(double x) { return x + 1; }
void f(int n, double *a, double *b)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = twice(b[i]);
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        b[i] = unrelated(a[i]);
}
"""


def test_the_first_of_fused_loops_has_what_does_all_of_them(tmp_path: Path) -> None:
    source = tmp_path / "f.c"
    source.write_text(PROGRAM)
    translation = translate(source, Options())
    device, excerpts = translation.files["f.cu"], translation.make_excerpts()
    assert list(excerpts) == ["f_a", "f_b"]
    assert excerpts["f_a"].launcher in device
    assert ["f_a_fused(" in excerpts[loop].kernel for loop in excerpts] == [True, False]
    assert "unrelated" in excerpts["f_a"].kernel


def test_an_excerpt_is_part_of_the_device_file(tmp_path: Path) -> None:
    source = tmp_path / "f.c"
    source.write_text(PROGRAM)
    translation = translate(source, Options(without=frozenset({"fusion"})))
    device, excerpts = translation.files["f.cu"], translation.make_excerpts()
    assert list(excerpts) == ["f_a", "f_b"]
    first = excerpts["f_a"]
    assert first.launcher in device and first.launcher.rstrip().endswith("}")
    assert all(piece.strip() in device for piece in first.kernel.split("\n\n"))
    assert [name in first.kernel for name in ("double half(", "double twice(", "unrelated", "f_a(")] == [
        True,
        True,
        False,
        True,
    ]


def test_an_excerpt_of_a_long_sum(tmp_path: Path) -> None:
    """Of as many terms as generated stencils have: each is a level of the tree."""
    source = tmp_path / "f.c"
    terms = " + ".join(f"2.0 * b[i + {k}]" for k in range(500))
    source.write_text(
        f"void f(double *a, double *b)\n{{\n#pragma omp parallel for\nfor (int i = 0; i < 9; i++) a[i] = {terms};\n}}\n"
    )
    translation = translate(source, Options())
    (excerpt,) = translation.make_excerpts().values()
    assert "b[i + 499]" in excerpt.kernel
    assert "b[i + 499]" in translation.make_kernels()
