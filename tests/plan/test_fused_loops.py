"""Which loops that follow each other become one, by what that saves."""

from __future__ import annotations

from pathlib import Path

import pytest

from ompc.base.options import Options
from ompc.base.translation import Translation
from ompc.driver import translate

DECLARATIONS = "double a[900], b[900], c[900], u[60][60], v[60][60];\nfloat x[900];\n"
FOR = "#pragma omp parallel for\nfor (int i = 0; i < n; i++) "


def translated(body: str, tmp_path: Path, **options: object) -> Translation:
    source = tmp_path / "f.c"
    source.write_text(f"{DECLARATIONS}void f(int n, double *p, double *q)\n{{\n{body}\n}}\n")
    return translate(source, Options(**options))  # type: ignore[arg-type]


def fused(made: Translation) -> list[tuple[int, object, object]]:
    """Of each loop its line, those of the loops that it is launched with, and the bytes that are saved."""
    regions = made.report["regions"]
    assert isinstance(regions, list)
    return [(r["line"], r["fusion"]["lines"], r["fusion"]["saved"]) for r in regions if r["fusion"] is not None]


@pytest.mark.parametrize(
    ("loops", "saved"),
    [
        (("a[i] = b[i];", "c[i] = a[i];"), 8),  # loaded again
        (("a[i] = c[i];", "b[i] = c[i];"), 8),
        (("a[i] = 1;", "a[i] = 2;"), 8),  # stored again
        (("a[i] = b[i];", "a[i] += b[i];"), 24),
        (("x[i] = i;", "b[i] = x[i];"), 4),
        (("p[i] = 1;", "q[i] = p[i];"), 8),
        (("a[i] = b[i];", "b[i] = 1;"), 0),  # loaded, then stored: both are to be done
        (("a[i] = 1;", "b[i] = 2;"), 0),
        (("a[i] = c[3];", "b[i] = c[3];"), 0),  # near anyway
        (("a[i] = c[i];", "b[i] = c[i + 1];"), 0),  # another element
        (("if (n > 5) a[i] = 1;", "b[i] = a[i];"), 0),  # perhaps
        (("a[i] = b[i];", "for (int j = 0; j < 5; j++) if (j == i) c[i] += a[i];"), 0),
    ],
)
def test_bytes_are_saved(loops: tuple[str, str], saved: int, tmp_path: Path) -> None:
    first, second = loops
    found = fused(translated(f"{FOR}{first}\n{FOR}{second}", tmp_path))
    assert found == ([(5, [7], saved), (7, [5], saved)] if saved else [])


def test_axes_are_those_of_both(tmp_path: Path) -> None:
    nest = "for (int j = 0; j < n; j++) "
    along = f"{FOR}{nest}u[i][j] = v[i][j] + v[j][j];\n"
    assert fused(translated(f"{along}{FOR}{nest}u[i][j] *= 2;", tmp_path)) == [(5, [7], 16), (7, [5], 16)]
    assert not fused(translated(f"{along}{FOR}u[i][0] *= 2;", tmp_path))
    assert not fused(translated(f"{along}{FOR}for (int j = 0; j < i; j++) u[i][j] *= 2;", tmp_path))


def test_what_the_host_asks_and_what_is_said(tmp_path: Path) -> None:
    made = translated(f"{FOR}a[i] = p[i];\n{FOR}q[i] = a[i];", tmp_path)
    lines = [line for line in made.files["f.c"].splitlines() if line.startswith(("OMPC_OFFLOAD", "/*"))]
    assert lines == [
        "/* fused with the loop of line 7 */",  # in front of a line that it would make too long
        "OMPC_OFFLOAD(ompc_fuses(1, ompc_launch_f_a_fused(n, a, p, q)) || ompc_launch_f_a(n, a, p))",
        "OMPC_OFFLOAD(ompc_fused() || ompc_launch_f_q(n, a, q)) /* fused with the loop of line 5 */",
    ]
    comments = " ".join(made.files["f.cu"].replace("\n//", " ").split())
    assert "f.c:5: the loops of lines 5, 7, fused" in comments
    launchers = " ".join(made.files["f.cu"].split())
    assert '"f_a_fused", "' in launchers
    assert '"fused loops", {{"f_a", 5}, {"f_q", 7}});' in launchers
    apart = translated(f"{FOR}a[i] = p[i];\n{FOR}q[i] = a[i];", tmp_path, without=frozenset({"fusion"}))
    assert "fuse" not in apart.files["f.c"] + apart.files["f.cu"]


def test_statements_between_keep_loops_apart(tmp_path: Path) -> None:
    for between in ("n++;", "f(n, p, q);", "#pragma omp barrier", "again:", ";"):
        assert not fused(translated(f"{FOR}a[i] = p[i];\n{between}\n{FOR}q[i] = a[i];", tmp_path)), between
