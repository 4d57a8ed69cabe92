"""Which functions are questions about threads, and which are not: what a call of one becomes."""

from __future__ import annotations

from pathlib import Path

import pytest

from ompc.base.options import Options
from ompc.driver import compile_to
from ompc.ir.show import show
from ompc.transform.calls.questions import asked_elsewhere, asks_by, with_questions

HEAD = "#include <omp.h>\nint seen, flag, one(void);\n"
USE = "int use(void) {{ return {call}; }}\n"
NUMBER, COUNT = "omp_get_thread_num()", "omp_get_num_threads()"


def _units(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *texts: str) -> list[object]:
    monkeypatch.chdir(tmp_path)
    found = []
    for number, text in enumerate(texts):
        Path(f"file{number}.c").write_text(text)
        found.append(compile_to("sema", Path(f"file{number}.c"), Options()))
    return found


def _asked(unit: object, others: list[object]) -> str:
    """What `use` returns then."""
    text = show(with_questions(unit, others))  # type: ignore[arg-type]
    return text.split("int use(void)")[1].split("return ")[1].split(";")[0]


@pytest.mark.parametrize(
    ("functions", "call", "becomes"),
    [
        ("int me(void) { return omp_get_thread_num(); }", "me()", NUMBER),
        ("int me() { int k; k = omp_get_thread_num(); return k; }", "me()", NUMBER),
        ("int me() { int k = omp_get_thread_num(), l = k; { k = l; ; } return k; }", "me()", NUMBER),
        ("static int all(void) { return omp_get_num_threads(); } int n(void) { return all(); }", "n()", COUNT),
        ("long last(void) { return omp_get_num_threads() - 1; }", "last()", f"(long)({COUNT} - 1)"),
        ("enum { FIRST = 3 }; int me(void) { return FIRST + omp_get_thread_num(); }", "me()", f"3 + {NUMBER}"),
        ("int me(void) { short k = omp_get_thread_num(); return k; }", "me()", f"(int)(short){NUMBER}"),
        # More than an answer, or another one each time.
        ("int me(void) { return 1; }", "me()", None),
        ("int me(int k) { return k * omp_get_thread_num(); }", "me(1)", None),
        ("int me(void) { seen = omp_get_thread_num(); return seen; }", "me()", None),
        ("int me(void) { seen++; return omp_get_thread_num(); }", "me()", None),
        ("int me(void) { static int k; k = omp_get_thread_num(); return k; }", "me()", None),
        ("int me(void) { volatile int k = omp_get_thread_num(); return k; }", "me()", None),
        ("int me(void) { return seen + omp_get_thread_num(); }", "me()", None),
        ("int me(void) { int k; return k + omp_get_thread_num(); }", "me()", None),
        ("int me(void) { int k = 0, *p = &k; *p = omp_get_thread_num(); return k; }", "me()", None),
        ("int me(void) { int k = 0; if (flag) k = omp_get_thread_num(); return k; }", "me()", None),
        ("int me(void) { if (flag) return 0; return omp_get_thread_num(); }", "me()", None),
        ("int me(void) { return flag ? 0 : omp_get_thread_num(); }", "me()", None),
        ("int me(void) {\n#pragma omp parallel\n seen = 1;\n return omp_get_thread_num(); }", "me()", None),
        ("int other(void); int me(void) { return other() + omp_get_thread_num(); }", "me()", None),
        ("int me(void) { return seen ? me() : omp_get_thread_num(); }", "me()", None),
        ("int b(void); int a(void) { return b(); } int b(void) { return a(); }", "a()", None),
        ("double me(void) { return omp_get_thread_num(); }", "me()", None),
        ("__attribute__((weak)) int me(void) { return omp_get_thread_num(); }", "me()", None),
        ("int me(void) { return omp_get_thread_num(); } int (*to)(void) = me;", "to()", None),
        ("int omp_get_thread_num(void) { return 0; } int me(void) { return omp_get_thread_num(); }", "me()", None),
    ],
)
def test_functions_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, functions: str, call: str, becomes: str | None
) -> None:
    (unit,) = _units(tmp_path, monkeypatch, HEAD + functions + "\n" + USE.format(call=call))
    assert _asked(unit, []) == (becomes or call)


ME = "int me(void) { return omp_get_thread_num(); }\n"


@pytest.mark.parametrize(
    ("declared", "others", "is_asked"),
    [
        ("int me(void);", [HEAD + ME], True),
        ("int me();", [HEAD + ME.replace("omp_get_thread_num", "one"), HEAD + ME.replace("me", "one")], True),
        ("long me(void);", [HEAD + ME], False),
        ("int me(void);", [HEAD + "static " + ME], False),
        ("int me(void);", [HEAD + ME, HEAD + ME], False),
        ("int me(void);", [HEAD + "__attribute__((weak)) " + ME], False),
        ("int me(void);", [HEAD + "int omp_get_thread_num(void) { return 0; }\n" + ME], False),
        ("__attribute__((weak)) int me(void) { return 0; }", [HEAD + ME], False),
        ("static int me(void) { return 0; }", [HEAD + ME], False),
    ],
)
def test_functions_of_other_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, declared: str, others: list[str], is_asked: bool
) -> None:
    unit, *rest = _units(tmp_path, monkeypatch, f"{declared}\n{USE.format(call='me()')}", *others)
    assert asks_by(unit, rest) == is_asked  # type: ignore[arg-type]
    assert _asked(unit, rest) == (NUMBER if is_asked else "me()")


def test_what_a_link_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (
        "#include <omp.h>\nint me(void), other(void), of(int); double time_now(void);\n"
        "static int here(void) { return other(); }\nvoid f(void) {\n#pragma omp parallel\n"
        "{ int a = me(), b = of(1), c = here() + omp_get_thread_num(); double d = time_now(); }\nother(); }\n"
    )
    (unit,) = _units(tmp_path, monkeypatch, text)
    assert asked_elsewhere(unit) == ("me",)  # type: ignore[arg-type]
