"""Loops of all forms that plain output takes have gcc's results; what it cannot know stays on the host."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from ompc.cli import main
from tests.plain.plain_programs import built_by_gcc, built_on_host, output_of, plain

_HEAD = """#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static double u[13][17], v[13][17], w[5][6][7];
static int total[40];
static long wide[90];
static unsigned bytes[90];
"""
_SHOW = """
static void show(const double *x, int n)
{
    double sum = 0.0;
    for (int k = 0; k < n; k++)
        sum += (k % 11 + 1) * x[k];
    printf("%.6f\\n", sum);
}
"""
LOOPS = {
    "continue": "for (int i = 0; i < n; i++) { if (x[i] > 3.0) continue; x[i] = i; }",
    "last one too": "for (int i = 0; i <= n - 2; i++) x[i] = y[i + 1];",
    "begins later": "for (int i = 3; i < n; i++) x[i] = y[i] + i;",
    "begins before": "for (int i = -2; i < n - 2; i++) x[i + 2] = y[i + 2] + i;",
    "a constant": "for (int i = 0; i < 10; i++) x[i] = 2.0 * y[i];",
    "none": "for (int i = 0; i < n - 1000; i++) x[i] = 2.0 * y[i];",
    "a long": "for (long i = 0; i < n; i++) x[i] = 2.0 * y[i];",
    "size_t": "for (size_t i = 0; i < (size_t)n; i++) x[i] = 2.0 * y[i];",
    "unsigned": "for (unsigned i = 1; i < (unsigned)n; i++) x[i] = 2.0 * y[i];",
    "a part": "for (int i = 5; i < 9; i++) x[i] = 1.0;",
    "down": "for (int i = n - 1; i >= 0; i--) x[i] = y[i] + i;",
    "down to one": "for (int i = n - 1; i > 0; --i) x[i - 1] = y[i] + i;",
    "down by three": "for (long i = n - 1; i >= 2; i -= 3) x[i] = y[i - 2];",
    "down to a variable": "for (int i = n - 2; i >= n / 2; i -= 2) x[i] = y[i + 1];",
    "down from a number": "for (int i = 9; i > 3; i -= 2) x[i] = 2.0 * y[i];",
    "down, none": "for (int i = n - 1000; i >= 0; i--) x[i] = 2.0 * y[i];",
    "by two": "for (int i = 0; i < n; i += 2) x[i] = x[i + 1] + y[i];",
    "by three up to the last": "for (size_t i = 1; i <= (size_t)(n - 3); i += 3) x[i] = x[i + 1] + y[i];",
    "by two and on": "for (int i = 3; i < n; i += 2) { if (x[i] > 3.0) continue; x[i] = i; }",
    "from a variable": "for (int i = n / 3 + 1; i < n - 2; i++) x[i] = 2.0 * y[i];",
    "from a variable by four": "for (int i = n / 3; i <= n - 2; i += 4) x[i] = 2.0 * y[i];",
    "from a long": "for (long i = n / 3; i < n; i++) x[i] = 2.0 * y[i];",
    "rows downward": "for (int i = 12; i > 0; i--)\n"
    "for (int j = 15; j >= 1; j -= 2) u[i][j] = v[i - 1][j] + v[i][j + 1];",
    "two axes": "for (int i = 1; i < 12; i++) for (int j = 1; j < 16; j++) u[i][j] = v[i - 1][j] + v[i][j + 1];",
    "three axes": "for (int i = 0; i < 5; i++)\nfor (int j = 0; j < 6; j++)\n"
    "for (int k = 0; k < 7; k++)\nw[i][j][k] += i * j * k;",
    "conditions": "for (int i = 0; i < n; i++) {\n#ifdef OTHER\n x[i] = 1.0;\n#else\n x[i] = i;\n#endif\n}",
    "the library": "for (int i = 0; i < 12; i++) { memcpy(u[i], v[i + 1], sizeof *u); memmove(u[i] + 1, u[i], 24); }",
    "names": "for (int i = 0; i < n; i++) { int block = i, grid = 2, check = 3; x[i] = block + grid * check; }",
}
REDUCTIONS = {
    "product": ("reduction(* : r)", "for (int i = 0; i < n; i++) r *= 1.0 + x[i] / 1000;"),
    "least": ("reduction(min : r)", "for (int i = 0; i < n; i++) r = x[i] < r ? x[i] : r;"),
    "most": ("reduction(max : r)", "for (int i = 0; i < n; i++) if (x[i] > r) r = x[i];"),
    "two": ("reduction(+ : r) reduction(- : q)", "for (int i = 0; i < n; i++) { r += x[i]; q -= i; }"),
    "bits": ("reduction(^ : q) reduction(& : p)", "for (int i = 0; i < n; i++) { q ^= 7 * i; p &= ~(i & 8); }"),
    "rows": ("reduction(+ : r)", "for (int i = 0; i < 13; i++) for (int j = 0; j < 17; j++) r += v[i][j];"),
    "downward": ("reduction(+ : r)", "for (int i = n - 1; i >= 0; i -= 2) r += x[i];"),
    "an array": ("reduction(+ : part)", "for (int i = 0; i < n; i++) part[i % 6] += x[i];"),
    "rows of an array": ("reduction(max : rows)", "for (int i = 0; i < n; i++) if (x[i] > rows[i % 3][i % 4]) "
                         "rows[i % 3][i % 4] = x[i];"),
    "a section": ("reduction(* : part[1 : 4]) reduction(+ : q)",
                  "for (int i = 0; i < n; i++) { part[1 + i % 4] *= 1.0 + y[i] / 1000; q += i; }"),
    "of two axes": ("reduction(+ : part)", "for (int i = 0; i < 13; i++) for (int j = 0; j < 17; j++) "
                    "part[j % 6] += v[i][j];"),
    "in place, 64 bits": ("reduction(+ : wide[:90]) reduction(- : bytes[:90])",
                          "for (int i = 0; i < n; i++) { wide[i % 90] += i - 300; bytes[i % 90] -= i; }"),
    "in place, others": ("reduction(max : total[:40]) reduction(| : wide[:90])",
                         "for (int i = 0; i < n; i++) { if (i > total[i % 40]) total[i % 40] = i; "
                         "wide[i % 90] |= i; }"),
    "in place": ("reduction(+ : total[:40])", "for (int i = 0; i < n; i++) total[i % 40] += i;"),
}


LAST = {
    "a last value": ("lastprivate(q)", "for (int i = 0; i < n; i++) { q = 3 * i; x[i] = q; }"),
    "two by three": ("lastprivate(q, r)", "for (int i = 1; i < n; i += 3) { q = i; r = x[i]; x[i - 1] = q; }"),
    "last downward": ("lastprivate(q)", "for (int i = n - 1; i > 4; i--) { q = i; x[i] = y[i - 4]; }"),
    "last downward by two": ("lastprivate(q)", "for (long i = n - 1; i >= 4; i -= 2) { q = i; x[i] = y[i - 4]; }"),
    "last of two axes": ("lastprivate(r) collapse(2)", "for (int i = 0; i <= 12; i++)\nfor (int j = 3; j < 17; j++) "
                         "{ r = i + 100 * j; u[i][j] = r; }"),
    "last beside a sum": ("lastprivate(q) reduction(+ : r)", "for (int i = 0; i < n; i++) "
                          "{ q = i; if (i % 2) continue; r += x[i]; }"),
    "last and first": ("lastprivate(q) firstprivate(q)", "for (int i = 0; i < n; i++) { q = i + 1; x[i] = q; }"),
    "last on the way": ("lastprivate(q)", "for (int i = 0; i < n; i++) { q = i; if (x[i] > 3.0) continue; x[i] = q; }"),
    "a counter's last": ("lastprivate(p)", "for (p = 2; p < n; p += 4) x[p] = p;"),
}


def program(clauses: str, loop: str) -> str:
    return f"""{_HEAD}{_SHOW}
static void f(double *x, const double *y, int n)
{{
    double r = 0.5;
    double part[6] = {{1, 2, 3, 4, 5, 6}}, rows[3][4] = {{{{3}}}};
    int q = 3, p = -1;
#ifdef OFFLOAD
#pragma omp target teams distribute parallel for
#else
#pragma omp parallel for {clauses}
#endif
    {loop}
    printf("%.6f %d %d\\n", r, q, p);
    show(part, 6);
    show(&rows[0][0], 12);
}}

int main(void)
{{
    int n = 700;
    double *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
    for (int k = 0; k < n; k++) {{
        x[k] = k % 7;
        y[k] = k % 13;
    }}
    for (int k = 0; k < 13 * 17; k++)
        v[k / 17][k % 17] = k % 10;
    for (int k = 0; k < 40; k++)
        total[k] = k;
    f(x, y, n);
    show(x, n);
    show(&u[0][0], 13 * 17);
    show(&w[0][0][0], 5 * 6 * 7);
    for (int k = 0; k < 40; k++)
        printf("%d ", total[k]);
    for (int k = 0; k < 90; k++)
        printf("%ld %u ", wide[k], bytes[k]);
    return 0;
}}
"""


@pytest.mark.parametrize("name", [*LOOPS, *REDUCTIONS, *LAST])
def test_a_loop_has_the_results_of_gcc(name: str, tmp_path: Path) -> None:
    source = tmp_path / "a.c"
    source.write_text(program(*(REDUCTIONS | LAST | {each: ("", text) for each, text in LOOPS.items()})[name]))
    translation = plain(source)
    assert not translation.diagnostics, translation.diagnostics
    host = translation.files["a.c"]
    assert "launch_f(" in host
    assert "#pragma omp" not in host
    assert "OFFLOAD" not in host
    built = built_on_host(translation, tmp_path / "plain")
    assert output_of(built) == output_of(built_by_gcc(source, tmp_path))


ROWS = """#include <stdio.h>
#include <stdlib.h>

static void scale(int m, int n, double (*u)[m], double (*v)[m], double by)
{
    for (int step = 0; step < 3; step++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                v[i][j] = by * u[n - 1 - i][j];
#pragma omp parallel for
        for (int i = 1; i < n; i++)
            u[i][2] = v[i - 1][3];
    }
}

int main(void)
{
    int n = 31, m = 45;
    double (*u)[m] = malloc(n * sizeof *u), (*v)[m] = malloc(n * sizeof *v), w[n][m], sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            u[i][j] = i * m + j;
            v[i][j] = w[i][j] = 0;
        }
    scale(m, n, u, v, 1.5);
#pragma omp parallel for
    for (int i = n - 1; i >= 0; i--)
        for (int j = 0; j < m; j++)
            w[i][j] += v[i][j] + u[i][j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            sum += w[i][j] * (i + 2 * j);
    printf("%.3f\\n", sum);
    return 0;
}
"""


def test_rows_of_variable_length(tmp_path: Path) -> None:
    source = tmp_path / "a.c"
    source.write_text(ROWS)
    translation = plain(source)
    assert not translation.diagnostics, translation.diagnostics
    host = translation.files["a.c"]
    assert "launch_scale_v(m, n, by, u, v);" in host
    assert "launch_scale_u(n, m, u, v);" in host
    built = built_on_host(translation, tmp_path / "plain")
    assert output_of(built) == output_of(built_by_gcc(source, tmp_path))


SMALL = ["char", "signed char", "unsigned char", "short", "unsigned short", "_Bool"]


@pytest.mark.parametrize("kind", SMALL)
def test_reductions_of_small_integers(kind: str, tmp_path: Path) -> None:
    source = tmp_path / "a.c"
    source.write_text(f"""#include <stdio.h>
int main(void)
{{
    {kind} sum = 1, least = 9, most = 0;
#pragma omp parallel for reduction(+ : sum) reduction(min : least) reduction(max : most)
    for (int i = 0; i < 50; i++) {{
        sum += i % 3;
        least = i + 2 < least ? i + 2 : least;
        most = i > most ? i : most;
    }}
    printf("%d %d %d\\n", sum, least, most);
    return 0;
}}
""")
    translation = plain(source)
    assert "launch_" in translation.files["a.c"], translation.diagnostics
    assert output_of(built_on_host(translation, tmp_path / "plain")) == output_of(built_by_gcc(source, tmp_path))


ALIKE = """#include <stdio.h>
static double u[90], v[90];
static void grid(double *x, double *y)
{
#pragma omp parallel for
    for (int i = 1; i < 80; i++)
        x[i] += y[i - 1];
    printf("%.3f\\n", x[5]);
#pragma omp parallel for
    for (int i = 1; i < 80; i++)
        x[i] += y[i - 1];
#ifdef OTHER
#else
    printf("%.3f\\n", x[5]);
#pragma omp parallel for
#endif
    for (int i = 1; i < 80; i++)
        x[i] += y[i];
}
int main(void)
{
    for (int i = 0; i < 90; i++)
        v[i] = i;
    grid(u, v);
    printf("%.3f\\n", u[7]);
    return 0;
}
"""


def test_loops_that_are_alike_have_one_kernel(tmp_path: Path) -> None:
    """The first is called as something in its launch function might be; the third has code beside its pragma."""
    source = tmp_path / "a.c"
    source.write_text(ALIKE)
    translation = plain(source)
    assert not translation.diagnostics, translation.diagnostics
    text, host = translation.files["a.cu"], translation.files["a.c"]
    assert len(re.findall("__global__", text)) == 2
    assert len(set(re.findall(r"launch_\w+(?=\()", host))) == 3
    assert "// a.c:5: #pragma omp parallel for\n// a.c:9: #pragma omp parallel for\n" in text
    assert output_of(built_on_host(translation, tmp_path / "plain")) == output_of(built_by_gcc(source, tmp_path))


# ---------------------------------------------------------------------- what stays on the host

_MAIN = "int main(void) {{ double *a = malloc(80), *b = a + 3; f(a, b, 5); return 0; }}"
REFUSED = {
    "an unseen caller": ("void g(double *x, int n) {{\n{0}\nfor (int i = 0; i < n; i++) x[i] = 1.0; }}", "not seen"),
    "inside a block": (
        "static void f(double *x, double *y, int n) {{\n{0}\nfor (int i = 0; i < n; i++) x[i] = y[i]; }}\n" + _MAIN,
        "may overlap",
    ),
    "of unknown length": (
        "static void f(double *x, double *y, int n) {{\n{0}\nfor (int i = 0; i < n; i++) x[(int)x[i]] = 1; }}\n"
        "int main(void) {{ double *a = malloc(80); f(a + 1, 0, 5); return 0; }}",
        "how far 'x' reaches",
    ),
    "rows of a member": (
        "struct {{ int n; double row[9]; }} g;\nstatic void f(double *x, int n) {{\n{0}\n"
        "for (int i = 0; i < n; i++) x[(int)x[i]] = 1; }}\nint main(void) {{ f(g.row, 5); return 0; }}",
        "how far 'x' reaches",
    ),
    "a step": (
        "static double x[99];\nvoid f(int n, int k) {{\n{0}\nfor (int i = 0; i < n; i += k) x[i] = 1.0; }}",
        "does not count by a number",
    ),
    "a large step": (
        "static double x[99];\nvoid f(int n) {{\n{0}\nfor (int i = 0; i < n; i += 65) x[i] = 1.0; }}",
        "does not count by a number up to 64",
    ),
    "down without a sign": (
        "static double x[99];\nvoid f(unsigned n) {{\n{0}\nfor (unsigned i = n; i > 0; i--) x[i - 1] = 1.0; }}",
        "counts down without a sign",
    ),
    "bounds that compare otherwise": (
        "static double x[99];\nvoid f(int n, unsigned k) {{\n{0}\nfor (long i = k; i < n; i++) x[i] = 1.0; }}",
        "bounds of another type",
    ),
    "a last array": (
        "static double x[99];\nint f(int n) {{ int k[2] = {{0}};\n#pragma omp parallel for lastprivate(k)\n"
        "for (int i = 0; i < n; i++) {{ k[1] = i; x[i] = 1.0; }} return k[1]; }}",
        "last value",
    ),
    "an if clause": (
        "static double x[99];\nvoid f(int n) {{\n#pragma omp parallel for if (n > 5)\n"
        "for (int i = 0; i < n; i++) x[i] = 1.0; }}",
        "before each launch",
    ),
    "an end that the conditions hide": (
        "static double x[99];\nvoid f(int n) {{\n{0}\nfor (int i = 0; i < n; i++)\n#ifdef OTHER\nx[i] = 1.0;\n#else\n"
        "x[i] = i;\n#endif\n}}",
        "its text cannot be told",
    ),
    "an operation that CUDA lacks": (
        "static long x[99];\nvoid f(int n) {{\n{0}\nfor (int i = 0; i < n; i++)\n#pragma omp atomic\nx[i % 7] *= 3; }}",
        "'atomic_mul' of the runtime",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_needs_the_runtime_stays_on_the_host(name: str, tmp_path: Path) -> None:
    text, why = REFUSED[name]
    source = tmp_path / "a.c"
    source.write_text(_HEAD.replace("u[13]", "unused[13]") + text.format("#pragma omp parallel for"))
    translation = plain(source)
    assert not translation.plain
    (said,) = [each for each in translation.diagnostics if each.code == "OMPC417"]
    assert re.search(why, said.message), said.message
    assert translation.files["a.c"] == source.read_text()


def test_one_array_by_two_names_ends_the_program(tmp_path: Path) -> None:
    source = tmp_path / "a.c"
    source.write_text(program("", LOOPS["a long"]).replace("f(x, y, n);", "f(n > 5 ? y : x, y, n);"))
    built = built_on_host(plain(source), tmp_path / "plain")
    ran = subprocess.run([built], capture_output=True, text=True)
    assert ran.returncode != 0
    assert "Assertion `x != y' failed" in ran.stderr


def test_where_no_loop_can_be_plain_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.c").write_text(_HEAD + REFUSED["an unseen caller"][0].format("#pragma omp parallel for"))
    assert main(["translate", "--plain", "a.c"]) == 1
    said = capfd.readouterr().err
    assert "error: there is no loop that can be on the device without ompc's runtime [OMPC417]" in said
    assert not Path("a.ompc").exists()


def test_the_folder_has_the_users_headers_and_nothing_of_the_runtime(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("own").mkdir()
    Path("own/sizes.h").write_text("#define N 50\n")
    text = '#include "own/sizes.h"\nstatic double x[N];\nvoid f(int n)\n{\n#pragma omp parallel for\n'
    Path("a.c").write_text(text + "    for (int i = 0; i < n; i++)\n        x[i] = 1.0;\n}\n")
    assert main(["translate", "--plain", "a.c"]) == 0
    found = sorted(path.relative_to("a.ompc").as_posix() for path in Path("a.ompc").rglob("*") if path.is_file())
    assert found == [".ompc.json", "Makefile", "a.c", "a.cu", "a_cuda.h", "own/sizes.h"]
    assert "ompc_rt" not in Path("a.ompc/a.cu").read_text()
