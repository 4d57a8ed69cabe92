"""The user's text with its edits: where lines go, and that all else stays as it was, to the byte."""

from __future__ import annotations

from pathlib import Path

import pytest
from host_programs import ONE_LOOP, Planned, planned, run_both

from ompc.base.options import Level
from ompc.render.host.host import header_copies, header_text
from ompc.render.host.places import unplaceable
from ompc.render.host.recheck import recheck


def without_added(program: Planned) -> str:
    """The host text less whole lines that were added."""
    added = ("OMPC_", '#include "program.ompc.h"', "#line")
    return "".join(line for line in program.host.splitlines(keepends=True) if not line.lstrip().startswith(added))


def test_one_loop(tmp_path: Path) -> None:
    program = planned(tmp_path, ONE_LOOP)
    lines = ONE_LOOP.splitlines()
    expected = ['#include "program.ompc.h"', *lines[:5], "    OMPC_OFFLOAD(ompc_launch_main_a(n, a))", *lines[5:]]
    assert program.host.splitlines() == [*expected, "OMPC_GLOBALS({a, sizeof a})"]
    assert recheck(program.plan, program.host, program.original, program.options) == {}


@pytest.mark.parametrize(
    "text",
    [
        ONE_LOOP.replace("\n", "\r\n"),
        ONE_LOOP.rstrip("\n"),
        ONE_LOOP.rstrip("\n") + " // the end",
        ONE_LOOP.replace("    ", "\t"),
        ONE_LOOP.replace("#pragma omp parallel for", "# pragma /* why */ omp \\\n   parallel for"),
        "/* a comment\n   of two lines */\n" + ONE_LOOP,
        ONE_LOOP.replace("double a", "/* \u00fc */ double a"),
    ],
)
def test_all_else_stays(tmp_path: Path, text: str) -> None:
    program = planned(tmp_path, text)
    assert len(program.plan.on_device) == 1
    assert without_added(program).rstrip("\r\n") == text.rstrip("\r\n")
    endings = {line.endswith("\r\n") for line in program.host.splitlines(keepends=True)}
    assert endings == {"\r\n" in text}
    assert recheck(program.plan, program.host, program.original, program.options) == {}


def test_byte_order_mark_stays_first(tmp_path: Path) -> None:
    program = planned(tmp_path, "\ufeff" + ONE_LOOP)
    assert program.host.startswith('\ufeff#include "program.ompc.h"\nint n')
    assert recheck(program.plan, program.host, program.original, program.options) == {}


STATEMENTS = """\
#include <stdio.h>
static double a[10], s;
static int n = 10;
static void fill(int k)
{
    int i;
    if (k == 1)
#pragma omp parallel for
        for (i = 0; i < n; i++) a[i] = k;
    else
        #pragma omp parallel for
        for (i = 0; i < n; i++) a[i] = -k;
    switch (k) {
    case 2:
        #pragma omp parallel for
        for (i = 0; i < n; i++) a[i] += 2;
        break;
    default:
        #pragma omp parallel for if(k > 0)
        for (i = 0; i < n; i++) a[i] += 3;
    }
    if (k > 5) goto done;
    for (i = 0; i < 2; i++)
    #pragma omp parallel for reduction(+:s)
    for (int j = 0; j < n; j++) s += a[j];
done:
    #pragma omp parallel for
    for (i = 0; i < n; i++) a[i] /= 2;
}
int main(void)
{
    for (int k = 0; k < 8; k++) {
        fill(k);
        printf("%g %g\\n", a[3], s);
    }
    return 0;
}
"""


def test_statement_positions(tmp_path: Path) -> None:
    """Bodies of `if`, `else` and `for` without braces, after cases and labels."""
    program = planned(tmp_path, STATEMENTS)
    assert len(program.plan.on_device) == 6
    assert "OMPC_OFFLOAD((k > 0) && ompc_launch_fill_a_4(" in program.host
    assert recheck(program.plan, program.host, program.original, program.options) == {}
    original, translated = run_both(program, tmp_path, "-Wall", "-Wextra", "-Werror", "-Wno-unused-label")
    assert translated == original


def test_line_numbers_stay_when_the_program_sees_them(tmp_path: Path) -> None:
    text = ONE_LOOP.replace("return 0;", 'printf("%d\\n", __LINE__);\n    return 0;')
    program = planned(tmp_path, "#include <stdio.h>\n" + text)
    assert program.added.count("#line 7") == 1
    assert recheck(program.plan, program.host, program.original, program.options) == {}
    assert run_both(program, tmp_path) == ("10\n", "10\n")


def test_line_numbers_in_a_header_of_the_user(tmp_path: Path) -> None:
    (tmp_path / "check.h").write_text('#include <stdio.h>\n#define HERE() printf("%d\\n", __LINE__)\n')
    program = planned(tmp_path, '#include "check.h"\n' + ONE_LOOP.replace("return 0;", "HERE();\n    return 0;"))
    assert "#line 7" in program.added
    assert recheck(program.plan, program.host, program.original, program.options) == {}


def test_the_compiler_names_the_loop_that_it_rejects_whatever_the_lines_are_called(tmp_path: Path) -> None:
    """Behind a #line it shows other lines than those that it means."""
    every = '#define EVERY(n) _Pragma("omp parallel for") for (int k = 0; k < n; k++)\n'
    second = "void second(void) { EVERY(10) b[k] = k + __LINE__; }\n"
    third = LOOP.join(["void third(int n)\n{\n    int i;\n", "}\n"]).replace("a[", "b[")
    program = planned(tmp_path, every + "static double b[10];\n" + ONE_LOOP.replace("}\n", "}\n" + second + third))
    assert "#line 1" in program.added and len(program.plan.on_device) == 3
    lost = recheck(program.plan, program.host, program.original, program.options)
    assert {name: reason.code for name, reason in lost.items()} == {"second": "OMPC342"}


@pytest.mark.parametrize("comment", ["/* so\n  it is */", "/* so */"])
def test_pragma_behind_a_comment_is_never_lost(tmp_path: Path, comment: str) -> None:
    program = planned(tmp_path, ONE_LOOP.replace("    #pragma", f"    {comment} #pragma"))
    lost = recheck(program.plan, program.host, program.original, program.options) if program.plan.on_device else {}
    assert [region.id for region in program.plan.on_device] == list(lost)
    assert {reason.code for reason in lost.values()} <= {"OMPC342"}


LOOP = "    #pragma omp parallel for\n    for (i = 0; i < n; i++)\n        a[i] = i;\n"


def test_pragma_of_an_included_file(tmp_path: Path) -> None:
    """The line goes into a copy, which keeps the lines of the user's file; the host text names the copy."""
    (tmp_path / "loop.inc").write_text("\n\n" + LOOP)
    program = planned(tmp_path, ONE_LOOP.replace(LOOP, 2 * '    #include /* a loop */ "loop.inc"\n'))
    assert len(unplaceable(program.plan, program.original)) == 2
    program = planned(tmp_path, ONE_LOOP.replace(LOOP, '    #  include\t"loop.inc"  // once\n'))
    assert '    #  include\t"program.ompc.loop.inc"  // once' in program.host.split("\n")
    copies = header_copies(program.plan, program.original)
    where = f'#line 1 "{tmp_path / "loop.inc"}"\n'
    call = "    OMPC_OFFLOAD(ompc_launch_main_a(n, a))\n#line 3\n"
    assert copies == {"program.ompc.loop.inc": where + "\n\n" + call + LOOP}
    assert recheck(program.plan, program.host, program.original, program.options) == {}


@pytest.mark.parametrize(
    "include",
    [
        '#include "outer.inc"',
        "#include <loop.inc>",
        '#define NAME "loop.inc"\n#include NAME',
        '#ifdef X\n#include "loop.inc"\n#else\n#include "loop.inc"\n#endif',
        '#line 7\n#include "loop.inc"',
    ],
)
def test_pragma_of_a_file_included_otherwise_is_given_up(tmp_path: Path, include: str) -> None:
    (tmp_path / "loop.inc").write_text(LOOP)
    (tmp_path / "outer.inc").write_text('#include "loop.inc"\n')
    program = planned(tmp_path, ONE_LOOP.replace(LOOP, include + "\n"), flags=(f"-I{tmp_path}",))
    assert [reason.code for reason in unplaceable(program.plan, program.original).values()] == ["OMPC307"]


def test_copy_that_reads_another_file_is_given_up(tmp_path: Path) -> None:
    """The header finds its neighbour by its own folder; its copy would find another file of that name."""
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "loop.inc").write_text('#include "value.h"\n' + LOOP.replace("= i;", "= VALUE;"))
    (tmp_path / "sub" / "value.h").write_text("#define VALUE 1\n")
    (tmp_path / "value.h").write_text("#define VALUE 2\n")
    program = planned(tmp_path, ONE_LOOP.replace(LOOP, '#include "sub/loop.inc"\n'))
    lost = recheck(program.plan, program.host, program.original, program.options)
    assert [reason.code for reason in lost.values()] == ["OMPC342"]


def test_renumbered_text_is_given_up(tmp_path: Path) -> None:
    program = planned(tmp_path, "#line 1\n" + ONE_LOOP)
    assert set(unplaceable(program.plan, program.original)) == {region.id for region in program.plan.on_device}


def test_recheck_names_the_loop_that_the_compiler_rejects(tmp_path: Path) -> None:
    second = "    #pragma omp parallel for\n    for (i = 0; i < n; i++) a[i] = 1;\n"
    text = ONE_LOOP.replace("    return 0;", second + "    return 0;")
    program = planned(tmp_path, text)
    broken = program.host.replace("ompc_launch_main_a_2(n, a)", "ompc_launch_main_a_2(n, missing)")
    lost = recheck(program.plan, broken, program.original, program.options)
    assert list(lost) == ["main_a_2"]
    assert "missing" in lost["main_a_2"].message


def test_recheck_sees_lost_calls_and_lost_pragmas(tmp_path: Path) -> None:
    program = planned(tmp_path, ONE_LOOP)
    call = "    OMPC_OFFLOAD(ompc_launch_main_a(n, a))\n"
    moved = program.host.replace(call, "").replace("    int i;\n", "    int i;\n" + call + "    ;\n#pragma omp flush\n")
    for broken in (
        program.host.replace(call, f"/*\n{call}*/\n"),
        program.host.replace("    #pragma", "    //#pragma"),
        moved,
    ):
        assert list(recheck(program.plan, broken, program.original, program.options)) == ["main_a"]


def test_no_loop_on_the_device_no_edit(tmp_path: Path) -> None:
    text = '#include <stdlib.h>\nint main(void)\n{\n#pragma omp parallel for\nfor (int i = 0; i < 3; i++) rand();\n}'
    assert planned(tmp_path, text).host == text


def test_header(tmp_path: Path) -> None:
    text = "enum colour { RED };\n" + ONE_LOOP.replace("int n = 10;", "enum colour c; _Bool b; unsigned char n = 10;")
    header = header_text(planned(tmp_path, text.replace("a[i] = i", "a[i] = c + b")).plan)
    assert "/* " + str(tmp_path / "program.c") + ":7  parallel for */" in header
    assert "int ompc_launch_main_a(" in header
    assert "unsigned int c" in header and "_Bool b" in header and "unsigned char n" in header and "void *a" in header


LOCALS = """\
#include <stdio.h>
#include <stdlib.h>
#define N 20
#define EACH(i) for (int i = 0; i < N; i++)
static double sum(int k)
{
    double x = 0, a[N], /* a grid */ b[N] // rows
        [N] /* columns */, y = 1;
    int i;
    if (k < 0)
        return -1;
    #pragma omp parallel for
    for (i = 0; i < N; i++) { a[i] = i + k; for (int j = 0; j < N; j++) b[i][j] = a[i] * j; }
    while (k-- > 0) {
        float inner[N];
        #pragma omp parallel for
        for (i = 0; i < N; i++) inner[i] = k;
        if (k == 5) continue;
        if (k == 2) break;
        if (k == 1) goto out;
        EACH(q) x += inner[q];
    }
    x += k > 100 ? 0 : sum(-1);
out:
    EACH(p) EACH(q) x += b[p][q];
    return x + y + a[N - 1];
}
static double table[N]; int counts[2][N], plain; unsigned char flags[N];
int main(int argc, char **argv)
{ /* not on a line of its own */ int i;
    (void)argv;
    #pragma omp parallel for
    for (i = 0; i < N; i++) { table[i] += i; counts[1][i] += 2 * i; flags[i] = (unsigned char)i; }
    EACH(q) plain += counts[1][q] + counts[0][q] + flags[q];
    printf("%g %g %g %g %d %d\\n", sum(3), sum(7), sum(-2), table[N - 1], plain, argc);
    exit(0);
}
"""


def test_pinned_arrays(tmp_path: Path) -> None:
    program = planned(tmp_path, LOCALS, Level.THESIS)
    assert [array.symbol.name for array in program.plan.pinned] == ["a", "b", "inner", "table", "counts", "flags"]
    host = program.host
    assert "    double x = 0, *a OMPC_RELEASED = ompc_malloc_host(sizeof(double[N])), /* a grid */ (*b) // rows" in host
    assert "        [N] OMPC_RELEASED = ompc_malloc_host(sizeof(double[N] [N])) /* columns */, y = 1;\n" in host
    assert "        float *inner OMPC_RELEASED = ompc_malloc_host(sizeof(float[N]));\n" in host
    assert "static double *table; int (*counts)[N], plain; unsigned char *flags;\n" in host
    assert "\n{ table = ompc_malloc_host_global(sizeof(double[N])); counts = " in host
    assert "OMPC_GLOBALS" not in host
    assert recheck(program.plan, host, program.original, program.options) == {}
    original, translated = run_both(program, tmp_path, "-Wall", "-Wextra", "-Werror")
    assert translated == original


def test_pinned_globals_get_lines_of_their_own(tmp_path: Path) -> None:
    program = planned(tmp_path, ONE_LOOP, Level.THESIS)
    allocation = "    a = ompc_malloc_host_global(sizeof(double[10]));"
    assert program.host.splitlines()[2:6] == ["double *a;", "int main(void)", "{", allocation]


def test_pinned_globals_keep_line_numbers(tmp_path: Path) -> None:
    text = ONE_LOOP.replace("return 0;", "return __LINE__ - 9;")
    program = planned(tmp_path, text, Level.THESIS)
    assert "\n{ a = ompc_malloc_host_global(sizeof(double[10]));\n" in program.host
    assert recheck(program.plan, program.host, program.original, program.options) == {}


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_continued_condition(tmp_path: Path, ending: str) -> None:
    pragma = "parallel for \\\n      if(n > 1 && \\\n         n < 100)"
    text = ONE_LOOP.replace("parallel for", pragma).replace("\n", ending)
    program = planned(tmp_path, text)
    assert program.added[1].startswith("OMPC_OFFLOAD((n > 1 && ")
    assert program.added[1].endswith("n < 100) && ompc_launch_main_a(n, a))")
    assert recheck(program.plan, program.host, program.original, program.options) == {}


NASTY = """\
#include <stdio.h>
#define DECL(T, name, len) T name[len]
#define LOOP(i, n) for (i = 0; i < n; i++)
#define STR(x) #x
#define PAR _Pragma("omp parallel for")
struct grid { double v[8]; };
static struct grid g;
static double /* multi
line */ w
 [4]
   [8];
DECL(static double, m, 8);
static double c[8];
#define c c
int main(void)
{
    int i, n = 8;
    DECL(double, q, 8);
    const char *s = "#pragma omp parallel for\\n/* not a comment";
    // comment \\
    #pragma omp parallel for
    #pragma omp parallel for default(none) shared(n, w, g, c) /* tail */
    LOOP(i, n) { w[1][i] = i; g.v[i] = 2 * i; c[i] = i; }
    PAR
    LOOP(i, n) m[i] = w[1][i] + g.v[i] + c[i];
    if (n > 3)
    #pragma omp parallel for
        LOOP(i, n) q[i] = m[i];
    printf("%g %g %s %s\\n", q[7], m[3], STR(w), s);
    return 0;
}
"""


def test_macros_comments_and_lookalikes(tmp_path: Path) -> None:
    """Arrays and pragmas made by macros are left alone; a pragma in a comment or a string is none."""
    program = planned(tmp_path, NASTY, Level.THESIS)
    assert [region.id for region in program.plan.on_device] == ["main_w", "main_m", "main_q"]
    assert [array.symbol.name for array in program.plan.pinned] == ["w"]
    assert "static double /* multi\nline */ (*w)\n \n   [8];\n" in program.host
    assert recheck(program.plan, program.host, program.original, program.options) == {}
    original, translated = run_both(program, tmp_path)
    assert translated == original


ACCUMULATED = """\
double a[1000], most = 0, sum = 0;
void seen(double *);
void largest(int n)
{
    double my_most = 0, my_sum = 0;
    #pragma omp parallel firstprivate(my_most, my_sum)
    {
        #pragma omp for
        for (int i = 0; i < n; i++) {
            my_most = my_most < a[i] ? a[i] : my_most;
            my_sum += a[i];
        }
        #pragma omp critical
        { most = most < my_most ? my_most : most; sum += my_sum; }
        KNOWN
    }
}
"""


def test_compilers_keep_what_a_thread_accumulates_in_registers(tmp_path: Path) -> None:
    """No other function is told where it is, but by the program."""
    program = planned(tmp_path, ACCUMULATED.replace("KNOWN", ""))
    (region,) = program.plan.on_device
    call = f"{region.launcher}(n, a, &ompc_my_most, &ompc_my_sum)"
    assert f"OMPC_OFFLOAD(OMPC_COPIED(my_sum, OMPC_COPIED(my_most, {call})))" in " ".join(program.host.split())
    assert max(map(len, program.host.splitlines())) <= 120
    assert recheck(program.plan, program.host, program.original, program.options) == {}
    known = planned(tmp_path, ACCUMULATED.replace("KNOWN", "seen(&my_sum);")).host
    assert "OMPC_COPIED(my_most, " in known and "OMPC_COPIED(my_sum, " not in known
