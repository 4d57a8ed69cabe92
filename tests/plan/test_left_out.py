"""Each name of `--without` leaves something out: a loop in which that is used has another text without it."""

from __future__ import annotations

from pathlib import Path

import pytest

from ompc.base.optimisations import WITHOUT
from ompc.base.options import Options
from ompc.driver import translate

MATRICES = "static {0} a[300][300], b[300][300], c[300][300];"
PRODUCT = """
for (int i = 0; i < 300; i++)
    for (int j = 0; j < 300; j++) {{
        {0} s = 0;
        for (int k = 0; k < 300; k++)
            s += a[i][k] * b[k][j];
        c[i][j] = s;
    }}
"""
NEST = "for (int i = 1; i < 299; i++)\n for (int j = 1; j < 299; j++)\n  "
ROWS = "static int row[101], column[6000]; static double x[6000], y[100], value[6000];"
SPARSE = """
for (int i = 0; i < 100; i++) {
    double s = 0;
    for (int k = row[i]; k < row[i + 1]; k++)
        s += value[k] * x[column[k]];
    y[i] = s;
}
"""
HISTOGRAM = "static int h[100]; static unsigned char data[10000];"

LOOPS = {
    "glue": (
        "static double u[900];",
        "\nfor (int i = 0; i < n; i++) u[i]++;\nfor (int i = 0; i < n; i++) u[i] *= 2;\n"
        "#pragma omp parallel for\nfor (int i = 0; i < n; i++) u[i]++;",
    ),
    "divided-loops": (
        "#include <omp.h>\nstatic double u[900];",
        "\nfor (int i = 0; i < n; i++) u[i] = i;\n"
        "#pragma omp parallel\n{\nint me = omp_get_thread_num(), all = omp_get_num_threads();\n"
        "for (int i = me; i < n; i += all) u[i]++;\n}",
    ),
    "fusion": (
        "static double u[900], v[900];",
        "\nfor (int i = 0; i < n; i++) v[i] = u[i];\n"
        "#pragma omp parallel for\nfor (int i = 0; i < n; i++) u[i] = v[i] + 1;",
    ),
    "chains": (
        "static double u[900], v[900];",
        "\nfor (int i = 0; i < n; i++) v[i] = u[i];\n"
        "#pragma omp parallel for\nfor (int i = 1; i < n; i++) u[i] = v[i - 1] + 1;",
    ),
    "own-pages": ("static double u[90000];", "\nfor (int i = 0; i < 90000; i++) u[i] = 2 * u[i];"),
    "written-parts": ("static double u[900];", "\nfor (int i = 1; i < n - 1; i++) u[i] += u[0];"),
    "overwritten": ("static double u[900], v[900];", "\nfor (int i = 0; i < n; i++) v[i] = u[i];"),
    "constant-memory": ("static double t[8], u[900];", "\nfor (int i = 0; i < 900; i++) u[i] *= t[3];"),
    "restrict": ("static double u[900], v[900];", "\nfor (int i = 0; i < 900; i++) v[i] = u[i];"),
    "equal-pointers": (
        "static void g(double *y, const double *x, int n)\n{\n"
        "#pragma omp parallel for\nfor (int i = 0; i < n; i++) y[i] = x[i] + 1;\n}\nstatic double u[900];",
        "\nfor (int i = 0; i < n; i++) u[i] = i;\ng(u, u, n);",
    ),
    "fixed-reads": (
        "static int size[2]; static double u[90000];",
        "\nfor (int i = 0; i < n; i++)\n for (int j = 0; j < size[1]; j++) u[i * size[1] + j] = i;",
    ),
    "done-once": (
        "static double a[300][300], c[300][300];",
        "\nfor (int i = 0; i < n; i++) {\n c[i][i] = 1;\n for (int j = i + 1; j < n; j++) {\n  double s = 0;\n"
        "  for (int k = 0; k < n; k++)\n   s += a[k][i] * a[k][j];\n  c[i][j] = s;\n }\n}",
    ),
    "sinking": (
        "static double u[90000], v[300];",
        "\nfor (int i = 0; i < n; i++) {\n double f = v[i];\n for (int j = 0; j < 300; j++) u[i * 300 + j] = f; }",
    ),
    "axes": (MATRICES.format("float"), f"\n{NEST} c[i][j] = i + j;"),
    "array-sums": (
        HISTOGRAM.replace("100]", "16]"),
        " reduction(+:h)\nfor (int i = 0; i < 10000; i++) h[data[i] % 16]++;",
    ),
    "block-copies": (HISTOGRAM, "\nfor (int i = 0; i < 10000; i++) {\n#pragma omp atomic\n h[data[i] % 100]++; }"),
    "collected-adds": (
        "static int h[100000]; static int data[10000];",
        "\nfor (int i = 0; i < 10000; i++) {\n#pragma omp atomic\n h[data[i]]++; }",
    ),
    "neighbours": (HISTOGRAM, "\nfor (int i = 0; i < 10000; i++) {\n#pragma omp atomic\n h[data[i] % 100]++; }"),
    "narrow-streams": ("static unsigned char a[9000];", "\nfor (int i = 0; i < 9000; i++) a[i] = 255 - a[i];"),
    "tiles": (MATRICES.format("float"), PRODUCT.format("float")),
    "tensor-cores": (MATRICES.format("double"), PRODUCT.format("double")),
    "transposed-tiles": (MATRICES.format("float"), f"\n{NEST} c[j][i] = a[i][j];"),
    "rows": (MATRICES.format("float"), f"\n{NEST} c[i][j] = a[i - 1][j] + a[i + 1][j];"),
    "short-loops": (
        "static double g[100][3], u[300][3];",
        "\nfor (int i = 0; i < 100; i++)\n for (int k = 0; k < n; k++) {\n  double s = i;\n"
        "  for (int d = 0; d < 3; d++) s += u[k][d];\n  for (int d = 0; d < 3; d++) g[i][d] += u[k][d] / s; }",
    ),
    "kept-elements": (ROWS, "\nfor (int i = 0; i < 100; i++)\n for (int k = 0; k < n; k++) y[i] += x[k] * i;"),
    "iteration-rows": (
        "static double g[100][300][5];",
        "\nfor (int i = 0; i < 100; i++)\n for (int j = 0; j < 300; j++) {\n  if (j < n) g[i][j][0] += 1;\n"
        "  if (j > 3) g[i][j][0] = g[i][j][0] * 2; }",
    ),
    "row-stores": (
        "static double g[100][300][5];",
        "\nfor (int i = 0; i < 100; i++)\n for (int j = 0; j < 300; j++) {\n"
        "  for (int m = 0; m < 5; m++) g[i][j][m] *= 2;\n  g[i][j][1] += 1; }",
    ),
    "carried-elements": (
        MATRICES.format("double"),
        "\nfor (int i = 0; i < 300; i++)\n for (int j = 1; j < n; j++) c[i][j] = c[i][j] - c[i][j - 1] / 2;",
    ),
    "shifted-loops": (
        MATRICES.format("double"),
        "\nfor (int i = 0; i < 100; i++) {\n double v[128];\n for (int j = 0; j < 128; j++) v[j] = a[i][j] / 2;\n"
        " for (int j = 1; j < n; j++) c[i][j] = c[i][j - 1] * v[j - 1] + v[j + 1]; }",
    ),
    "producer-fusion": (
        MATRICES.format("double"),
        "\nfor (int i = 0; i < 100; i++) {\n double x[128], s = a[i][0], r = 0;\n"
        " for (int k = 0; k < 128; k++) { s = s / 2 + 1; x[k] = s; }\n"
        " for (int k = 0; k < 64; k++) r = r / 2 + x[2 * k] * x[2 * k + 1];\n c[i][0] = r; }",
    ),
    "kept-rows": (
        MATRICES.format("double"),
        "\nfor (int i = 1; i < 99; i++) {\n double t[99][4];\n"
        " for (int j = 0; j < 99; j++) for (int m = 0; m < 4; m++) t[j][m] = a[i][j + m];\n"
        " for (int j = 1; j < 99; j++) {\n t[j][0] = t[j][0] + t[j][1];\n t[j][1] = t[j][0] + t[j][1];\n"
        " t[j][0] = t[j][1] + t[j][0]; }\n for (int j = 0; j < 99; j++) c[i][j] = t[j][0] + t[98 - j][1]; }",
    ),
    "shared-loops": (ROWS, SPARSE),
    "lane-sums": (ROWS, SPARSE),
    "block-rows": (ROWS, SPARSE),
    "split-sums": (
        MATRICES.format("float"),
        f"\n{NEST} {{\n float s = 0;\n for (int k = 0; k < n; k++) s += a[i][k] * b[k][j];\n c[i][j] = s; }}",
    ),
    "asked-exits": (
        "#include <stdlib.h>\nstatic double u[90000]; static int most[2];",
        "\nfor (int i = 0; i < n; i++) {\n if (n > most[1]) exit(1);\n u[i] = i; }",
    ),
    "last-breaks": (
        "static double u[300][300];",
        "\nfor (int i = 0; i < n; i++)\n for (int l = 1; l <= n; l += 2) {\n  for (int j = 0; j < 300; j++)\n"
        "   u[i][j] += l;\n  if (l == n) break;\n  u[i][0] = l;\n }",
    ),
    "shared-nests": (
        "static double u[300][300][40], v[300];",
        "\nfor (int i = 0; i < n; i++) {\n double s = 0;\n for (int j = 0; j < 300; j++) s += u[i][j][0];\n"
        " for (int j = 0; j < 300; j++)\n  for (int k = 0; k < 40; k++) u[i][j][k] = s; }",
    ),
    "asked-strides": (
        "struct box { int row; double *x; }; static struct box boxes[300];",
        "\nfor (int b = 0; b < n; b++) {\n const int row = boxes[b].row;\n double *x = boxes[b].x;\n"
        " for (int j = 0; j < 300; j++) for (int i = 0; i < 40; i++) x[j * row + i] = b; }",
    ),
    "group-loops": (
        MATRICES.format("float"),
        "\nfor (int i = 2; i < n; i++)\n for (int j = i / 2; j <= i; j++) c[i][j] = a[i][j] * 2;",
    ),
    "short-nests": (
        MATRICES.format("float"),
        "\nfor (int b = 0; b < n; b++) {\n float t[64];\n"
        " for (int i = 0; i < 8; i++) for (int j = 0; j < 8; j++) t[8 * i + j] = a[b][8 * i + j];\n"
        " for (int i = 0; i < 8; i++) for (int j = 0; j < 8; j++) c[b][8 * i + j] = t[8 * j + i]; }",
    ),
    "ordered-counts": (
        "static int at[300][64], key[9000], rank[300][9000];",
        "\nfor (int i = 0; i < 300; i++)\n for (int k = 0; k < n; k++) rank[i][k] = at[i][key[k]]++;",
    ),
    "strips": (
        "static double u[960];",
        "\nfor (int s = 0; s < 960; s += 32) for (int i = s; i < s + 32; i++) u[i] = 2 * u[i];",
    ),
    "settled-numbers": (
        "static double u[960]; static int block = 32; void f(int n); int main(void) { f(9); return 0; }",
        "\nfor (int i = 0; i < 10; i++) for (int b = 0; b < 96; b += block)\n"
        " for (int k = 0; k < block; k++) u[i * 96 + b + k] = i;",
    ),
    "sizes": (
        "static double u[960]; static int lda;",
        "\nfor (int i = 0; i < n; i++) for (int j = 0; j < n; j++) u[i + j * lda] = i;",
    ),
    "single-iterations": (
        MATRICES.format("double"),
        "\nfor (int i = 0; i < 300; i++) {\n int j;\n for (j = 1; j < n; j++) a[i][j] += b[i][j];\n j = 0;\n"
        " a[i][j] = b[i][j + 1];\n}",
    ),
    "last-iteration": (
        MATRICES.format("double"),
        "\nfor (int i = 0; i < 300; i++) {\n for (int j = 0; j < 299; j++) a[i][j] += 1;\n a[i][299] = 0;\n}",
    ),
    "former-values": (
        MATRICES.format("double"),
        "\nfor (int j = 0; j < 300; j++)\n for (int i = 0; i < 300; i++) {\n  double s = 0;\n"
        "  for (int k = i; k < 300; k++) s += b[k][j];\n  b[i][j] = s;\n }",
    ),
    "apart": (
        MATRICES.format("float"),
        "\nfor (int i = 0; i < 100; i++)\n for (int j = 0; j < 100; j++) c[i][j] /= c[i][i];",
    ),
    "boxes": (
        MATRICES.format("float"),
        "\nfor (int i = 0; i < n; i++)\n for (int j = 0; j <= i; j++) c[i][j] = a[i][j] * 2;",
    ),
    "helping-warps": (
        "static float w[900][900], t[900], y[900];",
        "\nfor (int i = 0; i < 900; i++) {\n float s = 0;\n for (int j = 0; j < 900; j++) if (w[i][j] > s) s = w[i][j];"
        "\n y[i] = s * t[i]; }",
    ),
    "unroll-and-jam": (
        "static double x[90000], w[900], y[900];",
        "\nfor (int i = 0; i < 900; i++) {\n double s = 0;\n for (int j = 0; j < n; j++) s += 1 / (x[j] + w[i]);\n"
        " y[i] = s; }",
    ),
    "vector-reads": (
        "struct point { float x, y, z, w; }; static struct point p[900]; static float u[900];",
        "\nfor (int i = 0; i < 900; i++) u[i] = p[i].x + p[i].y * p[i].z - p[i].w;",
    ),
    "quick-quotients": (
        "static double m[900], d[900], y[900];",
        "\nfor (int i = 0; i < 900; i++) {\n double s = 0;\n for (int j = 0; j < 900; j++) s += m[j] / (d[j] + i);\n"
        " y[i] = s; }",
    ),
    "one-turn": (
        MATRICES.format("double"),
        "\nfor (int i = 1; i < n; i++)\n for (int j = 1; j < n; j++)"
        " a[i][j] += b[i][j] * c[i][j] + b[0][j] * c[0][j] + b[7][j] * c[9][j];",
    ),
    "inverse-roots": ("static double u[900], v[900];", "\nfor (int i = 0; i < 900; i++) v[i] = 1.0 / sqrt(u[i]);"),
}
TEXTS = {
    name: (f"{before}\nvoid f(int n)", f"#pragma omp parallel for{loop}") for name, (before, loop) in LOOPS.items()
} | {
    "atomic-sums": (
        "double f(const double *u, int n)",
        "double s = 0;\n#pragma omp parallel for\nfor (int i = 0; i < n; i++) {\n"
        "#pragma omp atomic\n s += u[i]; }\nreturn s;",
    ),
    "tuned-shapes": (
        "static double u[900];\nvoid f(int n)",
        "#pragma ompc block(64)\n#pragma omp parallel for\nfor (int i = 0; i < 900; i++) u[i]++;",
    ),
    "renaming": (
        MATRICES.format("double") + "\nvoid f(int n)",
        "int k;\n#pragma omp parallel for private(k)\nfor (int i = 1; i < 99; i++) {\n"
        " for (int j = 1; j < 99; j++) { k = 2 * j; a[i][k] = b[i][k]; }\n"
        " for (int j = 1; j < 99; j++) { k = j + 1; c[i][k] = b[i][k] * 2; } }",
    ),
    "two-forms": (
        "static double u[900]; void f(int n)",
        "#pragma omp parallel\n{\n#pragma omp for\nfor (int i = 0; i < n; i++) u[i]++;\n"
        "#pragma omp for\nfor (int i = 0; i < n - 1; i++) u[i] *= 2;\n}",
    ),
    "mapped-data": (
        "void f(double *u, int n)",
        "#pragma omp target data map(u[:n])\n{\n#pragma omp target teams distribute parallel for\n"
        "for (int i = 0; i < n; i++) u[i]++;\n}",
    ),
}


@pytest.mark.parametrize("name", WITHOUT)
def test_each_name_leaves_something_out(name: str, tmp_path: Path) -> None:
    before, body = TEXTS[name]
    source = tmp_path / "a.c"
    source.write_text(f"#include <math.h>\n{before}\n{{\n{body}\n}}\n")
    whole, less, nothing = (translate(source, Options(without=frozenset(names))) for names in ((), (name,), WITHOUT))
    assert whole.has_device_code and not whole.diagnostics
    assert texts(less) != texts(whole)
    assert nothing.has_device_code and not nothing.diagnostics


def texts(translation) -> list[str]:
    """Without the line that names the options."""
    texts = [text for name, text in sorted(translation.files.items()) if name.endswith((".c", ".cu"))]
    return ["\n".join(line for line in text.splitlines() if "Generated by" not in line) for text in texts]
