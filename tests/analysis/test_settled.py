"""Global sizes that a program only reads from some statement of `main` on: what is proved with them, and what not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ompc.base.options import Options
from ompc.base.translation import Translation
from ompc.driver import translate_program

SOLVER = """
extern int sizes[2], nx;
extern double line[20], v[50];
#pragma omp threadprivate(line)
void ends(int n), other(void);
void solve(void)
{{
    {before}
    #pragma omp parallel for {clause}
    for (int k = 0; k < 50; k++) {{
        ends(nx + 1);
        for (int i = 1; i <= nx; i++) line[i] = k + i;
        for (int i = 0; i < sizes[0]; i++) v[k] += line[i];
        {body}
    }}
}}
"""

MAIN = """
#include <stdio.h>
#include <stdlib.h>
#include <signal.h>
#include <setjmp.h>
{sizes}
double line[20], v[50];
#pragma omp threadprivate(line)
void solve(void);
int argument;
void ends(int n) {{ line[0] = line[n] = 1; }}
{other}
int main(int argc, char **argv)
{{
    int i;
    {first}
    {read}
    {assign}
    {behind}
    for (i = 0; i < 3; i++) {{ solve(); {inside} }}
    printf("%g %d\\n", v[1], argument);
    return 0;
}}
"""

DEFAULTS = {
    "before": "",
    "clause": "",
    "body": "",
    "sizes": "int sizes[2], nx;",
    "other": "",
    "first": "",
    "read": "sizes[0] = atoi(argv[1]);",
    "assign": "nx = sizes[0] - 2;",
    "behind": "",
    "inside": "",
}

SETTLED = {
    "an argument": {},
    "read from a file": {"read": 'if (argc > 1) scanf("%d%d", &sizes[0], sizes + 1); else sizes[0] = 5;'},
    "all elements": {"read": 'fscanf(stdin, "%d", sizes);'},
    "left early": {"behind": "if (sizes[0] > 20) return 1;"},
    "in functions that are called once": {
        "other": "static void get(void) { sizes[0] = 7; } static void set(void) { nx = sizes[0] - 2; }",
        "read": "get();",
        "assign": "{ set(); }",
    },
    "set before, in a loop": {"read": "for (i = 0; i < 2; i++) sizes[i] = 5 + i;"},
    "written by a function that only runs before": {
        "other": "void fill(int n) { for (int k = 0; k < n; k++) sizes[k] = k + 5; nx++; }",
        "read": "fill(1); fill(2);",
    },
    "by way of another variable": {
        "sizes": "int sizes[2], nx, half;",
        "assign": "half = sizes[0] - 1; nx = half - 1;",
    },
    "a branch that is not taken": {
        "sizes": "int sizes[2], nx, half;",
        "assign": "half = 3; nx = sizes[0] - 2; if (half != 3) nx = 9;",
    },
    "a branch that what a variable begins with leaves out": {
        "sizes": "int sizes[2], nx, half = 3;",
        "assign": "nx = sizes[0] - 2; if (half * 2 != 6) { nx = 9; }",
    },
    "a larger type": {"sizes": "int sizes[2], nx; long wide;", "assign": "wide = sizes[0]; nx = sizes[0] - 2;"},
    "a function that nobody calls": {"other": "void unused(void) { nx = 0; }"},
    "read by a handler": {
        "other": "static void handler(int s) { argument = nx + sizes[0] + s; }",
        "first": "signal(SIGINT, handler);",
    },
    "read in a clause": {"behind": "\n#pragma omp parallel num_threads(nx) firstprivate(nx)\nargument++;\n"},
}

CHANGES = {
    "by another function later": {"other": "void change(void) { nx = 3; }", "behind": "change();"},
    "by a function that the solver calls": {"other": "void other(void) { nx--; }", "before": "other();"},
    "by a function behind the solver": {"other": "void change(void) { sizes[0] = 3; }", "inside": "change();"},
    "in the loop around the solver": {"inside": "nx = 3;"},
    "an element by a variable subscript": {"inside": "sizes[i] = 3;"},
    "through a pointer": {"other": "int *p = &nx;", "inside": "*p = 3;"},
    "through a pointer set in main": {"first": "int *p = &sizes[1];", "inside": "p[-1] = 3;"},
    "through a pointer to the array": {"first": "int *p = sizes;", "inside": "*p = 3;"},
    "by a function that gets its address": {"other": "void set(int *p) { *p = 3; }", "behind": "set(&nx);"},
    "before, by a function that could keep its address": {
        "other": "int *kept; void set(int *p) { kept = p; *p = 3; }",
        "read": "set(&sizes[0]);",
    },
    "set in one branch": {"assign": "if (argc > 1) nx = sizes[0] - 2;"},
    "set in a branch that is taken": {
        "sizes": "int sizes[2], nx, half;",
        "assign": "half = 3; nx = sizes[0] - 2; if (half == 3) nx = 9;",
    },
    "set in a branch by what is not known": {
        "sizes": "int sizes[2], nx, half;",
        "assign": "half = argc; nx = sizes[0] - 2; if (half != 3) nx = 9;",
    },
    "set in a branch by what changes again": {
        "sizes": "int sizes[2], nx, half;",
        "assign": "half = 3; nx = sizes[0] - 2; half++; if (half != 3) nx = 9;",
    },
    "set in the other branch": {
        "sizes": "int sizes[2], nx, half;",
        "assign": "half = 3; nx = sizes[0] - 2; if (half != 3) half = 3; else nx = 9;",
    },
    "set in a loop": {"assign": "while (nx < 9) nx = sizes[0] - 2;"},
    "set under an operator": {"assign": "argc > 1 && (nx = sizes[0] - 2);"},
    "solved before": {"assign": "solve(); nx = sizes[0] - 2;"},
    "solved before, by another function": {
        "other": "void early(void) { solve(); }",
        "assign": "early(); nx = sizes[0] - 2;",
    },
    "solved while it is set": {"assign": "nx = (solve(), sizes[0]) - 2;"},
    "solved by a constructor": {"other": "__attribute__((constructor)) static void start(void) { solve(); }"},
    "solved by a constructor that is the solver": {"other": "void solve(void) __attribute__((__constructor__));"},
    "solved by a table of constructors": {
        "other": 'void (*table)(void) __attribute__((section(".init_array"))) = solve;',
    },
    "solved by a handler": {
        "other": "static void handler(int s) { solve(); }",
        "first": "signal(SIGINT, handler);",
    },
    "solved at the end of the program": {"other": "static void stop(void) { solve(); }", "first": "atexit(stop);"},
    "solved by a call that is not seen": {"other": "void (*call)(void) = solve;"},
    "solved when a variable goes": {
        "other": "void gone(int *p) { solve(); }",
        "first": "int guarded __attribute__((cleanup(gone))) = 0;",
    },
    "set at the end of the program": {"other": "static void stop(void) { nx = 1; }", "first": "atexit(stop);"},
    "set by a handler": {
        "other": "static void handler(int s) { nx = s; }",
        "first": "signal(SIGINT, handler);",
    },
    "set by a thread's function": {
        "other": "void *run(void *p) { sizes[0] = 3; return p; } void *(*start)(void *) = run;",
    },
    "read from a file later": {"behind": 'scanf("%d", &sizes[0]);'},
    "read from a file in the loop": {"inside": 'scanf("%d", &nx);'},
    "read by a function of the program's own": {
        "other": "int *kept; int fscanf(FILE *f, const char *t, ...);",
        "read": "fscanf(stdin, 0, &sizes[0]);",
        "more": "#include <stdarg.h>\nint *held; int fscanf(void *f, const char *t, ...)"
        " { va_list a; va_start(a, t); held = va_arg(a, int *); return 0; }",
    },
    "main again": {"other": "int main(int, char **);", "inside": "if (argc > 2) main(1, argv);"},
    "main by its address": {"other": "int main(int, char **); int (*again)(int, char **) = main;"},
    "back to before": {"first": "jmp_buf back; setjmp(back);", "inside": "if (argc > 2) longjmp(back, 1);"},
    "back by a jump": {"first": "again: i = 0;", "inside": "if (argc > 7) goto again;"},
    "assembler": {"inside": '__asm__ volatile("" ::: "memory");'},
    "another name": {"other": 'extern int same __asm__("nx"); void change(void) { same = 3; }', "inside": "change();"},
    "an alias": {"other": 'extern int same __attribute__((alias("nx")));', "inside": "same = 3;"},
    "unsigned": {
        "sizes": "int sizes[2]; unsigned nx;",
        "solver": ("int sizes[2], nx", "int sizes[2]; extern unsigned nx"),
    },
    "narrow": {
        "sizes": "int sizes[2]; signed char nx;",
        "solver": ("int sizes[2], nx", "int sizes[2]; extern signed char nx"),
    },
    "volatile": {
        "sizes": "int sizes[2]; volatile int nx;",
        "solver": ("int sizes[2], nx", "int sizes[2]; extern volatile int nx"),
    },
    "two types": {"sizes": "int sizes[2]; unsigned nx;"},
    "each thread's own": {
        "sizes": "int sizes[2], nx;\n#pragma omp threadprivate(nx)\n",
        "solver": ("void ends", "\n#pragma omp threadprivate(nx)\nvoid ends"),
    },
    "a reduction of it": {"behind": "\n#pragma omp parallel reduction(+ : nx)\nargument++;\n"},
    "copies of it": {"clause": "lastprivate(nx)"},
    "of itself": {"assign": "nx = nx + sizes[0] - 2;"},
    "of what changes": {"assign": "nx = argc - 2;"},
    "of two variables that are set in turn": {"assign": "nx = sizes[0] - 2; sizes[0] = nx + 1;"},
    "in a file that is not there": {"sizes": "int sizes[2]; extern int nx;"},
    "members": {
        "sizes": "int sizes[2]; struct { int x; } n;",
        "assign": "n.x = sizes[0] - 2;",
        "solver": ("int sizes[2], nx;", "int sizes[2]; extern struct { int x; } n;\n#define nx n.x\n"),
    },
    "a task": {
        "other": "void later(void) { nx = 3; }",
        "first": "\n#pragma omp task\nlater();\n",
    },
}


def program(found: dict[str, Any], directory: Path) -> list[Path]:
    found = dict(found)
    solver, more = found.pop("solver", ("", "")), found.pop("more", None)
    parts = DEFAULTS | found
    texts = {"solver.c": SOLVER.format(**parts).replace(*solver, 1), "main.c": MAIN.format(**parts)}
    if more is not None:
        texts["more.c"] = more
    for name, text in texts.items():
        (directory / name).write_text(text)
    return [directory / name for name in texts]


def region(translation: Translation) -> Any:
    regions: Any = translation.report["regions"]
    return regions[0]


def translated(found: dict[str, Any], directory: Path) -> Any:
    return region(translate_program(program(found, directory), Options())[0])


@pytest.mark.parametrize("name", SETTLED)
def test_settled(tmp_path: Path, name: str) -> None:
    found = translated(SETTLED[name], tmp_path)
    assert found.get("reason") is None and found["launch"].get("condition") is None


def test_settled_in_fortified_programs(tmp_path: Path) -> None:
    """Headers define functions of the library anew, as inline ones."""
    options = Options(cpp_flags=("-O2", "-D_FORTIFY_SOURCE=2"))
    found = program({"read": 'if (fscanf(stdin, "%d", &sizes[0]) != 1) fgets(argv[0], 1, stdin);'}, tmp_path)
    assert region(translate_program(found, options)[0]).get("reason") is None


@pytest.mark.parametrize("name", CHANGES)
def test_may_change(tmp_path: Path, name: str) -> None:
    found = translated(CHANGES[name], tmp_path)
    assert found["reason"]["code"] in ("OMPC309", "OMPC327")


def test_least_values_are_checked(tmp_path: Path) -> None:
    """Without an inside, the loop would read what an earlier iteration has left there."""
    found = translated({"body": "v[k] += line[1];"}, tmp_path)
    assert found["launch"]["condition"] == "sizes[0] >= 2"
    assert found["independence"]["checks"][-1] == {
        "code": None,
        "what": "`sizes[0]` is at least 2",
        "of": ["sizes[0]"],
    }


def test_least_values_that_the_pragma_does_not_see(tmp_path: Path) -> None:
    """Another object has the name there."""
    body = {"before": "double sizes = 1;", "clause": "firstprivate(sizes)"}
    paths = program({"body": "v[k] += line[1] + sizes;", **body}, tmp_path)
    text = paths[0].read_text().replace("for (int i = 0; i < sizes[0]; i++) v[k] += line[i];", "all(k);")
    every = "static void all(int k) { for (int i = 0; i < sizes[0]; i++) v[k] += line[i]; }"
    paths[0].write_text(text.replace("void solve(void)", every + "\nvoid solve(void)"))
    assert region(translate_program(paths, Options())[0])["reason"]["code"] == "OMPC309"


def test_one_file(tmp_path: Path) -> None:
    solver, main = program({"sizes": "static int sizes[2], nx;"}, tmp_path)
    text = main.read_text() + solver.read_text().replace("extern int sizes[2], nx;", "")
    (tmp_path / "all.c").write_text(text)
    assert region(translate_program([tmp_path / "all.c"], Options())[0]).get("reason") is None


TWO_LOOPS = """
extern int sizes[2], nx;
double w[50][9];
void solve(void)
{
    double line[20];
    #pragma omp parallel for private(line)
    for (int k = 0; k < 50; k++) {
        for (int q = 0; q < 9; q++) line[0] = line[nx + 1] = k;
        for (int q = 0; q < 9; q++) {
            for (int i = 0; i < sizes[0]; i++) line[i] = w[k][q] + i;
            for (int i = 1; i <= nx; i++) w[k][q] += line[i + 1];
        }
    }
}
"""


@pytest.mark.parametrize(("inside", "axes"), [("", 2), ("if (argument) sizes[0]--;", 1)])
def test_loops_become_an_axis(tmp_path: Path, inside: str, axes: int) -> None:
    """The array is each iteration's of the new axis, where nx + 1 is below sizes[0]."""
    paths = program({"inside": inside}, tmp_path)
    paths[0].write_text(TWO_LOOPS)
    assert region(translate_program(paths, Options())[0])["launch"]["dimensions"] == axes
