"""Which shared scalars become iterations' own, and what the user is told (OMPC204)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ompc.base.diagnostics import CompileError, Diagnostic
from ompc.base.options import Options
from ompc.driver import compile_to, translate
from ompc.omp.model import Sharing

Found = tuple[dict[str, Sharing], list[Diagnostic]]


@pytest.fixture
def own(tmp_path: Path) -> Callable[..., Found]:
    """The sharing of the last loop's variables, and the warnings."""

    def run(code: str) -> Found:
        source = tmp_path / "t.c"
        source.write_text(
            "#include <omp.h>\nomp_lock_t lock;\n"
            "double a[100], b[100]; int global; void unseen(int *); extern int limit;\n"
            "double f(int n, double *x)\n{\n"
            "    int i, j, k = 0; double s = 0, t = 1, *p; volatile int ready; (void)j; (void)k;\n"
            f"    {code}\n    return s;\n}}\n"
        )
        known = compile_to("analysis", source, Options())
        (*_, loop) = known.facts
        return {symbol.name: sharing for symbol, sharing in loop.sharing.items()}, list(known.warnings)

    return run


FOR = "#pragma omp parallel for\n for (i = 0; i < n; i++)"


@pytest.mark.parametrize(
    ("code", "names", "cure"),
    [
        (FOR + "{ t = a[i]; b[i] = t; }", {"t": Sharing.PRIVATE}, "private(t)"),
        (FOR + "for (j = 0; j < 9; j++) b[i] += j;", {"j": Sharing.PRIVATE}, "private(j)"),
        (FOR + "{ p = &a[i]; *p = 1; }", {"p": Sharing.PRIVATE}, "private(p)"),
        (FOR + "if (a[i] > 0) { t = a[i]; b[i] = t; }", {"t": Sharing.PRIVATE}, "private(t)"),
        (FOR + "{ s = a[i]; b[i] = s; }", {"s": Sharing.LASTPRIVATE}, "lastprivate(s)"),
        (
            FOR + "{ s = a[i]; for (j = 0; j < 9; j++) b[i] += s; }",
            {"s": Sharing.LASTPRIVATE, "j": Sharing.PRIVATE},
            "private(j) lastprivate(s)",
        ),
        (
            "#pragma omp parallel\n{\n#pragma omp for\nfor (i = 0; i < n; i++) { t = i; a[i] = t; } }",
            {"t": Sharing.PRIVATE},
            "private(t)",
        ),
    ],
)  # fmt: skip
def test_written_first(own: Callable[..., Found], code: str, names: dict[str, Sharing], cure: str) -> None:
    sharing, warnings = own(code)
    assert {name: sharing[name] for name in names} == names
    assert [warning.code for warning in warnings] == ["OMPC204"] and cure in (warnings[0].help or "")
    assert all(f"'{name}'" in warnings[0].message for name in names)


@pytest.mark.parametrize(
    ("code", "name"),
    [
        (FOR + "{ b[i] = t; t = a[i]; }", "t"),  # read first
        (FOR + "{ if (a[i] > 0) t = a[i]; b[i] = t; }", "t"),  # perhaps
        (FOR + "{ if (a[i] > 0) { s = a[i]; b[i] = s; } }", "s"),  # read behind the loop, which may not write it
        (FOR + "{ for (int q = 0; q < n; q++) t = q; b[i] = t; }", "t"),  # no iteration of q, no value
        (FOR + "{ global = i; a[i] = global; }", "global"),  # seen by others
        (FOR + "{ k = i; unseen(&k); a[i] = k; }", "k"),
        (FOR + "{ ready = i; a[i] = ready; }", "ready"),
        ("t = n;\n#pragma omp parallel for\n for (i = 0; i < (int)t; i++) { t = i; a[i] = t; }", "t"),  # a bound
        (FOR + "{\n#pragma omp critical\n{ t = a[i]; s += t; } }", "t"),  # no race
        ("#pragma omp parallel for num_threads(1)\n for (i = 0; i < n; i++) { t = a[i]; b[i] = t; }", "t"),
        (FOR + "{ omp_set_lock(&lock); t = a[i]; s += t; omp_unset_lock(&lock); }", "t"),
        (FOR + "{ t = a[i]; if (t > 3) goto out; b[i] = t; out:; }", "t"),
    ],
)
def test_shared_as_before(own: Callable[..., Found], code: str, name: str) -> None:
    sharing, warnings = own(code)
    assert sharing[name] is Sharing.SHARED and warnings == []


@pytest.mark.parametrize("clause", ["private(t)", "firstprivate(t)", "lastprivate(t)", "reduction(+: t)"])
def test_what_a_clause_says(own: Callable[..., Found], clause: str) -> None:
    sharing, warnings = own(f"#pragma omp parallel for {clause}\n for (i = 0; i < n; i++) {{ t = a[i]; b[i] = t; }}")
    assert sharing["t"] is not Sharing.SHARED and warnings == []


SCRATCH = "static double scratch, a[100], b[100]; void unseen(double *); void (*any)(void);\n"
WRITES = "void f(int n)\n{\n#pragma omp for\nfor (int i = 0; i < n; i++) { scratch = a[i]; b[i] = scratch; }\n}\n"


@pytest.mark.parametrize(
    ("before", "last", "is_scratch"),
    [
        ("", WRITES, True),
        ("double g(double x) { scratch = x; return scratch * 2; }", WRITES, True),
        ("void g(void) { for (int i = 0; i < 100; i++) { scratch = i; a[i] = scratch; } }", WRITES, True),
        ("double g(void) { return scratch; }", WRITES, False),
        ("void g(int n) { if (n) scratch = n; a[0] = scratch; }", WRITES, False),
        ("void g(void) { unseen(&scratch); }", WRITES, False),
        ("void g(void) { scratch += 1; }", WRITES, False),
        ("void g(void) { scratch = a[3]; }", WRITES.replace("b[i] =", "g(); b[i] ="), False),
        ("", WRITES.replace("b[i] =", "any(); b[i] ="), False),
        ("double g(double u[][(int)scratch]) { return u[1][0]; }", WRITES, False),
        ("double g(double (*u)[(int)scratch]) { return u[1][0]; }", WRITES, False),
        ("#include <setjmp.h>\nstatic jmp_buf back;\nvoid g(void) { scratch = 0;"
         " if (setjmp(back)) { a[0] = scratch; return; } scratch = a[3]; longjmp(back, 1); }", WRITES, False),
        ("", WRITES + "void g(int n) { scratch = n; f(n); a[0] = scratch; }", False),
        ("", WRITES + "void g(int n) { scratch = n; any(); a[0] = scratch; }", False),
        ("void elsewhere(void);", WRITES + "void g(int n) { scratch = n; elsewhere(); a[0] = scratch; }", False),
        ("double sin(double);", WRITES + "void g(int n) { scratch = n; a[0] = scratch + sin(n); f(n); }", False),
        ("void g(int n) { scratch = n; if (n > 0) g(n - 1); a[0] = scratch; }", WRITES, False),
        ("void g(int n) {\n#pragma omp parallel if(scratch > 0)\n{ a[0] = n; } }", WRITES, False),
        ("void g(void) { a[0] = 1; }", WRITES + "void h(int n) { scratch = n; g(); a[0] = scratch; }", True),
        ("", WRITES.replace("\n}\n", "\na[0] = scratch; }\n"), False),
        ("#pragma omp threadprivate(scratch)", WRITES, False),
        ("", WRITES.replace("scratch = a[i];", "if (i) scratch = a[i];"), False),
    ],
)  # fmt: skip
def test_scratch_of_a_file(before: str, last: str, is_scratch: bool, tmp_path: Path) -> None:
    """Of which no function reads what another one has left, nor what an earlier call has."""
    source = tmp_path / "t.c"
    source.write_text(SCRATCH + before + "\n" + last)
    known = compile_to("analysis", source, Options())
    found = [how for loop in known.facts for symbol, how in loop.sharing.items() if symbol.name == "scratch"]
    assert (Sharing.PRIVATE in found) == is_scratch
    assert [warning.code for warning in known.warnings if warning.code == "OMPC204"] == ["OMPC204"] * is_scratch


def test_werror(own: Callable[..., Found], tmp_path: Path) -> None:
    own(FOR + "{ t = a[i]; b[i] = t; }")
    with pytest.raises(CompileError, match="OMPC204"):
        translate(tmp_path / "t.c", Options(werror=True))
