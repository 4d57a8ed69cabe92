"""What stays on the device between launches: the lines above data constructs, and what host code in them gives up."""

from __future__ import annotations

from pathlib import Path

import pytest

from ompc.base.options import Level, Options
from ompc.driver import compile_to, translate


@pytest.fixture
def gcc_is_not_asked() -> None:
    """It is: what it does not take is left out."""

PROGRAM = """
static double a[1000], b[1000];
struct field {{ int n; double *data; }};
double sum(const double *p, int n) {{ double s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }}
void launched(double *p, int n)
{{
    #pragma omp target teams distribute parallel for map(tofrom: p[0:n])
    for (int i = 0; i < n; i++) p[i] += 1;
}}
double f(int n, double *p, double *q, struct field *s)
{{
    double r = 0;
    {code}
    return r;
}}
"""


C90 = """
double a[1000];
void f(void)
{
    int i;
    #pragma omp target data map(a)
    {
        #pragma omp target teams distribute parallel for
        for (i = 0; i < 1000; i++) a[i] = i;
    }
}
"""


def lines(tmp_path: Path, code: str, level: Level = Level.AUTO, *flags: str) -> list[str]:
    """The lines that the runtime's data functions are called from, then the codes and places of the messages."""
    source = tmp_path / "a.c"
    source.write_text(code if "-std=c90" in flags else PROGRAM.format(code=code))
    translation = translate(source, Options(level, cpp_flags=flags))
    text = [line.strip() for line in translation.files["a.c"].splitlines() if line.strip().startswith("OMPC_TARGET")]
    return text + [d.code for d in translation.diagnostics]


DATA = "#pragma omp target data map(a) map(to: p[0:n], q[1:n])\n{\n launched(p, n); BODY }"
ALL = "{a, sizeof(a)}, {(p) + (0), (n) * sizeof(*(p))}, {(q) + (1), (n) * sizeof(*(q))}"
ONLY_A = "{a, sizeof(a)}"


@pytest.mark.parametrize(
    ("body", "kept"),
    [
        ("", ALL),
        ("double *t = p; p = q; q = t;", ALL),
        ("r = sizeof p[0];", ALL),
        ("p[0] = 1;", "{a, sizeof(a)}, {(q) + (1), (n) * sizeof(*(q))}"),
        ("double *t = p; t[0] = 1; t = q;", ONLY_A),
        ("r = sum(q, n);", "{a, sizeof(a)}, {(p) + (0), (n) * sizeof(*(p))}"),
        ("r = sum(q + 1, n) + a[0];", "{(p) + (0), (n) * sizeof(*(p))}"),
    ],
)
def test_what_host_code_leaves_alone_is_kept(tmp_path: Path, body: str, kept: str) -> None:
    assert lines(tmp_path, DATA.replace("BODY", body)) == [f"OMPC_TARGET_DATA({kept})"]


def test_updates_excuse_uses(tmp_path: Path) -> None:
    found = lines(tmp_path, DATA.replace("BODY", "\n#pragma omp target update from(p[0:1])\nr = p[0];"))
    assert found == [f"OMPC_TARGET_DATA({ALL})", "OMPC_TARGET_UPDATE(0, {(p) + (0), (1) * sizeof(*(p))})"]


def test_updates_of_unknown_elements_leave_nothing_on_the_device(tmp_path: Path) -> None:
    """Some of the elements would be newer on the host, others on the device."""
    assert lines(tmp_path, DATA.replace("BODY", "\n#pragma omp target update to(p[n--:1])\nr = 1;")) == []


def test_enter_and_exit(tmp_path: Path) -> None:
    code = """
    #pragma omp target enter data map(to: s->data[0:s->n], n) if(n > 3)
    launched(s->data, n);
    #pragma omp target exit data map(delete: s->data[0:s->n]) map(from: b[2:])
    """
    assert lines(tmp_path, code) == [
        "OMPC_TARGET_ENTER({(s->data) + (0), (n > 3) ? (s->n) * sizeof(*(s->data)) : 0})",
        "OMPC_TARGET_EXIT(from, {(b) + (2), (sizeof(b) / sizeof(*(b)) - (2)) * sizeof(*(b))}) "
        "OMPC_TARGET_EXIT(delete, {(s->data) + (0), (s->n) * sizeof(*(s->data))})",
    ]


@pytest.mark.parametrize("level", [Level.THESIS, Level.BASELINE])
def test_other_levels_copy(tmp_path: Path, level: Level) -> None:
    assert lines(tmp_path, DATA.replace("BODY", "\n#pragma omp target\np[0] = 1;"), level) == [
        "OMPC_TARGET_ON_HOST",
        "OMPC354",
    ]


def test_what_cannot_be_inserted_is_said(tmp_path: Path) -> None:
    """The loop around the construct needs C99; a construct out of a macro has no line above it."""
    assert lines(tmp_path, C90, Level.AUTO, "-std=c90") == ["OMPC342"]
    hidden = '_Pragma("omp target") p[0] = 1;\n' + DATA.replace("BODY", "")
    assert lines(tmp_path, hidden) == ["OMPC354", "OMPC342"]


REGION = "#pragma omp target enter data map(to: p[0:n])\n#pragma omp target REST\n{\n BODY }"
LAUNCH = "\n#pragma omp parallel for\nfor (int i = 0; i < n; i++) p[i] += 1;\n"


@pytest.mark.parametrize(
    ("rest", "body", "line"),
    [
        ("", "p[0] = 1;", "OMPC_TARGET_ON_HOST"),
        ("", f"{LAUNCH} p[0] = 1;", "OMPC_TARGET_ON_HOST"),
        ("nowait", "p[0] = 1;", "OMPC_TARGET_DEFERRED(0)"),
        ("nowait", "launched(p, n);", "OMPC_TARGET_DEFERRED(1)"),
        ("nowait", f"p[0] = 1; {LAUNCH}", "OMPC_TARGET_DEFERRED(1)"),
    ],
)
def test_target_region_of_the_host(tmp_path: Path, rest: str, body: str, line: str) -> None:
    """When its host code may see mapped data."""
    code = REGION.replace("REST", rest).replace("BODY", body)
    assert line in lines(tmp_path, code)


@pytest.mark.parametrize(
    ("bound", "comes_home"),
    [("q[0]", True), ("(int)*q", True), ("s->n", True), ("n", False), ("(int)(r * n)", False), ("(int)(r > 2)", False)],
)
def test_what_a_bound_reads_comes_home_first(tmp_path: Path, bound: str, comes_home: bool) -> None:
    head = "#pragma omp target teams distribute parallel for map(tofrom: a)"
    (tmp_path / "t.c").write_text(PROGRAM.format(code=f"{head}\nfor (int i = 0; i < (int)({bound}); i++) a[i] += 1;"))
    launched, here = compile_to("plan", tmp_path / "t.c").regions
    assert here.kernel is not None and (launched.needs_home, here.needs_home) == (False, comes_home)
