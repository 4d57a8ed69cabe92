"""Which of the threads' own variables may have another value in each thread."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ompc.analysis.facts import Facts
from ompc.analysis.flow.thread_dependence import of_one_thread


@pytest.mark.parametrize(
    ("code", "own"),
    [
        ("int a = n + 1; double *p = x + a; int k = a; for (int j = 0; j < 3; j++) k += j;", ""),
        ("int a = omp_get_thread_num(), k = a * 2, m = omp_get_num_threads();", "a k"),
        ("double *p = malloc(8), *q = x; double *r = n ? p : q;", "p r"),
        ("int a; \n#pragma omp critical\n a = counter++;\n int k = counter;", "a k"),
        ("int a = counter++, k = n;", "a"),
        ("int a = 0; if (omp_get_thread_num() == 0) a = 1; int k = a + 1; int m = 2;", "a k"),
        ("double w[3] = {0}, m[2][2] = {{1}}; double *p = w, *q = m[1]; int k = w[0] > m[0][1];", "p q"),
        ("int a = 1; set(&a); int k = a;", "a k"),
        ("int a = 0; \n#pragma omp single\n a = n;\n int k = a;", "a k"),
        ("double w[3]; w[omp_get_thread_num()] = 1; double p = w[2], q = n;", "p w"),
        ("double w[3]; fill(w); double p = w[2], q = n;", "p w"),
        ("int a = copy, k = outer;", ""),
        (
            "int k = 0, m = 0; for (int r = 0; r < n; r++) { if (r != omp_get_thread_num()) continue; k = r; } m = n;",
            "r k",
        ),
        ("int k = 0; for (int r = 0; r < n; r++) { if (r == outer) break; k = r; }", ""),
        ("int k = 0, m = 1; switch (n) { case 0: if (omp_get_thread_num()) break; k = 1; } m = k + n;", "k m"),
    ],
)
def test_of_one_thread(facts: Callable[[str], Facts], code: str, own: str) -> None:
    found = facts(
        f"""
        #include <omp.h>
        #include <stdlib.h>
        static int counter;
        void set(int *a);
        void fill(double *w);
        void f(int n, double *x, int copy, int outer)
        {{
            #pragma omp parallel firstprivate(copy)
            {{
                {code}
                #pragma omp for
                for (int i = 0; i < n; i++) x[i] = 1;
            }}
        }}
        """
    )
    names = {symbol.name for symbol in of_one_thread(found.loop)}
    assert names == {"i", *own.split()}  # the loop itself gives each thread other iterations


def test_parameters_of_an_orphaned_loop(facts: Callable[[str], Facts]) -> None:
    found = facts("double g[9]; void f(int n) { int k = 3;\n#pragma omp for\nfor (int i = 0; i < n; i++) g[i] = k; }")
    assert {symbol.name for symbol in of_one_thread(found.loop)} == {"i", "n"}
