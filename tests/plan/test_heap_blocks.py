"""Which heap blocks are allocated page-locked (`--opt thesis`), and why the others are not; the edits."""

from __future__ import annotations

from pathlib import Path

import pytest

from ompc.base.options import Options
from ompc.driver import compile_to
from ompc.frontend import preprocess
from ompc.frontend.text import apply_edits
from ompc.ir import tree as t
from ompc.ir.walk import walk
from ompc.plan.thesis.heap_blocks import HeapBlocks, heap_blocks
from ompc.render.host.pinned import allocation_edits


def decided(directory: Path, text: str) -> HeapBlocks:
    """For the pointers called `p` of the program."""
    source = directory / "program.c"
    source.write_text(text)
    unit = compile_to("sema", source)
    symbols = [declaration.symbol for declaration in unit.variables]
    for function in unit.functions.values():
        symbols += function.params
        if function.body is not None:
            symbols += [node.symbol for node in walk(function.body) if isinstance(node, t.VarDecl)]
    return heap_blocks(unit, [s for s in symbols if s.name == "p"], text, preprocess(source, Options()).expanded)


HEAD = """#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <malloc.h>
#include <unistd.h>
#define N 100
#define NEW(n) malloc((n) * sizeof(double))
#define CHECKED(call) do { if ((call) == NULL) abort(); } while (0)
struct pair { double *a; };
"""

CHANGED = {
    "initialised": ("int f(int n) { double *p = malloc(n * sizeof *p); return p[0]; }", ["malloc"]),
    "assigned, cast": ("int f(int n) { double *p; p = (double *)calloc(n, sizeof *p); return p[0]; }", ["calloc"]),
    "a file-scope pointer": ("static double *p;\nvoid f(int n) { p = malloc(n); }", ["malloc"]),
    "two on a line": ("int f(int n) { double *p = malloc(n), *q = malloc(N); p = q; return *p; }", ["malloc"] * 2),
    "in a macro's argument": ("int f(int n) { double *p; CHECKED(p = malloc(n)); return p[0]; }", ["malloc"]),
    "in a condition": ("int f(int n) { double *p; if (!(p = malloc(n))) return 1; return p[0]; }", ["malloc"]),
    "a null pointer too": ("int f(int n) { double *p = NULL; if (n) p = malloc(n); return p[0]; }", ["malloc"]),
    "through other variables": (
        "int f(int n) { double *p, *q = malloc(n), *r = n ? q + 1 : &q[2]; p = r; return *p; }",
        ["malloc"],
    ),
    "a parameter": (
        "int f(double *p) { return p[0]; }\nint g(int n) { double *q = malloc(n), *r = calloc(n, 8);"
        " return f(q) + f(r); }",
        ["malloc", "calloc"],
    ),
    "a function that allocates": (
        "double *vector(int n) { double *v = malloc(n); if (!v) exit(1); return v; }\n"
        "int f(int n) { double *p = vector(n); return p[0]; }",
        ["malloc"],
    ),
    "reallocated": ("int f(int n) { double *p = malloc(n); p = realloc(p, 2 * n); return p[0]; }", ["malloc"]),
}


@pytest.mark.parametrize("case", CHANGED)
def test_changed(tmp_path: Path, case: str) -> None:
    text, functions = CHANGED[case]
    found = decided(tmp_path, HEAD + text)
    assert found.pageable == {} and len(found.pointers) == 1
    assert {allocation.function for allocation in found.allocations} == set(functions)
    edited = apply_edits(HEAD + text, allocation_edits(found.allocations, HEAD + text))
    for function in ("malloc", "calloc"):
        changed = edited.removeprefix(HEAD).count(f"ompc_{function}_host_block(")
        assert changed == functions.count(function)


PAGEABLE = {
    "from a macro": ("int f(int n) { double *p = NEW(n); return p[0]; }", "plain call"),
    "another of the same line": ("int f(int n) { char *q = malloc(1); double *p = malloc(n); return *p; }", "plain"),
    "a macro that repeats it": (
        "#define TWICE(a) (a), (a)\nint f(int n) { double *p; TWICE(p = malloc(n)); return p[0]; }",
        "plain call",
    ),
    "aligned_alloc": ("int f(int n) { double *p = aligned_alloc(64, n); return p[0]; }", "memory from aligned_alloc"),
    "posix_memalign": ("int f(int n) { double *p; posix_memalign((void **)&p, 64, n); return p[0]; }", "address"),
    "from a struct": ("int f(struct pair *s) { double *p = s->a; return p[0]; }", "not seen"),
    "a caller outside": ("int f(double *p) { return p[0]; }", "not seen"),
    "one of two": ("extern double *e(int);\nint f(int n) { double *p = n ? malloc(n) : e(n); return *p; }", "from e"),
    "a declared array": ("double a[9];\nint f(void) { double *p = a; return p[0]; }", "declared array"),
    "fork": ("int f(int n) { double *p = malloc(n); fork(); return p[0]; }", "fork"),
    "asked for its size": ("int f(int n) { double *p = malloc(n); return malloc_usable_size(p); }", "usable"),
    "a macro of that name": ("#define malloc(n) malloc((n) + 8)\nint f(int n) { char *p = malloc(n); }", "macro"),
    "#line": ("int f(int n) { double *p = malloc(n); return p[0]; }\n#line 3", "#line"),
}


@pytest.mark.parametrize("case", PAGEABLE)
def test_pageable(tmp_path: Path, case: str) -> None:
    text, why = PAGEABLE[case]
    found = decided(tmp_path, HEAD + text + "\n")
    assert found.allocations == () and found.pointers == frozenset()
    assert [why in reason for reason in found.pageable.values()] == [True], found.pageable


def test_macro_in_a_header(tmp_path: Path) -> None:
    (tmp_path / "checked.h").write_text("#define calloc(n, b) calloc((n) + 1, b)\n")
    found = decided(tmp_path, HEAD + '#include "checked.h"\nint f(int n) { char *p = malloc(n); return *p; }\n')
    assert list(found.pageable.values()) == ["a macro has the name of malloc or calloc"]
