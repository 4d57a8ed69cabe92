"""Atomic and critical constructs: what they are on the device (OMPC348), and iterations that wait (OMPC349)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ompc.analysis.facts import Facts
from ompc.analysis.reductions.operations import Operation, Result
from ompc.base.diagnostics import Reason
from ompc.base.options import Options
from ompc.driver import translate_program

PROGRAM = """
#include <math.h>
#include <omp.h>
static int h[10], n1, n2, flag[100], done, lock_word, list[100], list2[100][2];
static double s, low, high, w[33];
static struct {{ int hits : 4; int all; double best; int at; }} box;
static omp_lock_t the_lock, locks[10];
struct node {{ int key; struct node *next; }};
static void add(double *to, double v)
{{
    #pragma omp atomic
    *to += v;
}}
static void note(void) {{ n2 = n1; }}
static double dmin(double a, double b) {{ return a < b ? a : b; }}
void f(int n, double *x, int *idx, double *y)
{{
    int where = 0, t = 0; double m = 0, own = 0; (void)where; (void)t; (void)m; (void)own;
    #pragma omp parallel for firstprivate(own, t)
    for (int i = 1; i < n; i++) {{
        {body}
    }}
}}
"""

ATOMIC, CRITICAL, SECOND = "\n#pragma omp atomic", "\n#pragma omp critical\n", "\n#pragma omp critical (second)\n"

Run = Callable[[str], Facts | Reason]


@pytest.fixture
def of_body(facts_or_reason: Callable[[str], Facts | Reason]) -> Run:
    return lambda body: facts_or_reason(PROGRAM.format(body=body))


def described(operation: Operation) -> str:
    relation = "" if operation.relation is None else f" {operation.relation}"
    value = "" if operation.result is Result.NOTHING else f" {operation.result.value}"
    return f"{operation.name}{relation}{value}"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (ATOMIC + "\n h[idx[i]]++;", "add"),
        (ATOMIC + " capture\n t = h[idx[i]]--;", "sub before"),
        (ATOMIC + " capture\n { n1 *= 2; t = n1; }", "mul after"),
        (ATOMIC + " capture\n t = n1 = 5 - n1;", "rsub after"),
        (ATOMIC + " capture\n { t = n1; n1 = i; }", "exchange before"),
        (ATOMIC + " read\n t = n1;", "read before"),
        (ATOMIC + " write\n n1 = i;", "write"),
        (ATOMIC + " compare\n if (i < n1) { n1 = i; }", "min"),
        (ATOMIC + " compare\n low = low < x[i] ? low : x[i];", None),  # gcc takes `e < x ? e : x` alone
        (ATOMIC + " compare capture\n { t = n1 == 0; if (t) { n1 = i; } }", "compare_exchange success"),
        (CRITICAL + "s += x[i];", "add"),
        (CRITICAL + "{ s = x[i] + s; n1++; }", "add add"),
        (CRITICAL + "if (x[i] > high) high = x[i];", "max"),
        (CRITICAL + "if (high <= x[i]) high = x[i];", "when GreaterEqual"),
        (CRITICAL + "low = low < x[i] ? low : x[i];", "unless Less"),
        (CRITICAL + "n1 = n1 < i ? n1 : i;", "min"),
        (CRITICAL + "low = fmin(x[i], low);", "fmin"),
        ("if (x[i] > high)" + CRITICAL + "if (x[i] > high) high = x[i];", "max"),
        (CRITICAL + "list[n1++] = i;", "add before"),
        (CRITICAL + "{ t = n1++; list2[t][0] = i; list2[t][1] = i + 1; }", "add before"),
        (CRITICAL + "for (int k = 0; k < 10; k++) if (idx[k]) h[k] += idx[k];", "add"),
        (CRITICAL + "s += 1;" + SECOND + "n1 |= 3;", "add or"),
        (CRITICAL + "{" + ATOMIC + "\n s += 1; }", "add"),
        ("y[i] = x[i];" + CRITICAL + "s += y[i];", "add"),
        (CRITICAL + "own += x[i];", ""),
        (CRITICAL + "n1 = i;", "write"),
        (CRITICAL + "{ done = 1; n2++; if (x[i] > 3) box.all = 2; }", "write add write"),
        (ATOMIC + "\n t += i;", ""),
        ("add(&s, x[i]);", "add"),
    ],
)
def test_operations(body: str, expected: str | None, of_body: Run) -> None:
    if expected is None:
        return
    found = of_body(body)
    assert isinstance(found, Facts), found
    assert " ".join(map(described, found.atomic_operations.forms.operations)) == expected


@pytest.mark.parametrize(
    ("body", "objects"),
    [
        (CRITICAL + "if (x[i] < low) { low = x[i]; where = i; }", "low where"),
        (CRITICAL + "if (box.best >= x[i]) box.best = x[i], box.at = i;", "box"),
        ("if (x[i] < low) {" + CRITICAL + "{ if (x[i] < low) { where = i; low = x[i]; } } }", "where low"),
        ("if (x[i] < low) {" + CRITICAL + "if (x[i] < low) { where = i; low = x[i]; } y[i] = low; }", "where low"),
    ],
)
def test_contests(body: str, objects: str, of_body: Run) -> None:
    found = of_body(body)
    assert isinstance(found, Facts), found
    (arg_reduction,) = found.atomic_operations.arg_reductions
    assert " ".join(symbol.name for symbol in arg_reduction.objects) == objects


@pytest.mark.parametrize(
    ("body", "tie"),
    [
        (CRITICAL + "if (x[i] < low || (x[i] == low && i < where)) { low = x[i]; where = i; }", "< <"),
        (CRITICAL + "if ((where >= i && low == x[i]) || low < x[i]) { where = i; low = x[i]; }", "> <="),
        (CRITICAL + "if (x[i] > box.best || (box.best == x[i] && i > box.at)) box.at = i, box.best = x[i];", "> >"),
        (CRITICAL + "if (idx[i] < n1 || (n1 == idx[i] && i < n2)) { where = -i; n1 = idx[i]; n2 = i; }", "< <"),
    ],
)
def test_ties(body: str, tie: str, of_body: Run) -> None:
    found = of_body(body)
    assert isinstance(found, Facts), found
    (arg_reduction,) = found.atomic_operations.arg_reductions
    assert arg_reduction.tie is not None and f"{arg_reduction.relation} {arg_reduction.tie.relation}" == tie


@pytest.mark.parametrize(
    "body",
    [
        CRITICAL + "{ if (x[i] < low) { low = x[i]; where = i; } } y[i] = where;",
        CRITICAL + "if (x[i] < low) { low = x[i]; where = where + i; }",
        CRITICAL + "if (x[i] < low) { low = x[i] + 1; where = i; }",
        CRITICAL + "if (x[i] < low || (x[i] == high && i < where)) { low = x[i]; where = i; }",
        CRITICAL + "if (x[i] < low || (x[i] == low || i < where)) { low = x[i]; where = i; }",
        CRITICAL + "if (x[i] < low && (x[i] == low || i < where)) { low = x[i]; where = i; }",
        CRITICAL + "if (x[i] <= low || (x[i] == low && i < where)) { low = x[i]; where = i; }",
        CRITICAL + "if (x[i] < low || (x[i] != low && i < where)) { low = x[i]; where = i; }",
        CRITICAL + "if (x[i] < low || (x[i] == low && i < where)) { low = x[i]; where = idx[i]; }",
        CRITICAL + "if (x[i] < low || (x[i] == low && y[i] < high)) { low = x[i]; high = y[i]; }",
        CRITICAL + "if (x[i] < low || (x[i] == low && i < where)) low = x[i];",
        CRITICAL + "if (x[i] < low || (x[i] == low && i < where)) { low = x[i]; where = i; } else n1 = where;",
        CRITICAL
        + "if (x[i] < low) { low = x[i]; where = i; }"
        + SECOND
        + "if (x[i] > high) { high = x[i]; where = i; }",
        CRITICAL + "s = s * 2 + x[i];",
        CRITICAL + "{ n1++; n2 = n1; }",
        CRITICAL + "{ n1++; h[n1 % 10] = i; }",
        CRITICAL + "{ t = n1++; list[t] = i; n1 += 0; }",
        CRITICAL + "{ list[t] = i; t = n1++; }",
        CRITICAL + "{ if (i > 3) t = n1++; list[t] = i; }",
        CRITICAL + "list[n1++] = i;" + SECOND + "n1 -= 1;",
        CRITICAL + "list[n1++] = i; t = list[0];",
        CRITICAL + "{ s += 1; note(); }",
        CRITICAL + "{ s += 1; s *= 2; }",
        CRITICAL + "s += 1;  s = 2;",
        CRITICAL + "{ t = n1++; own = n2++; }",
        CRITICAL + "for (int k = 0; k < 3; k++) t = n1++;",
        CRITICAL + "{ n1 = i; n2 = i; }",
        CRITICAL + "low = dmin(low, x[i]);",
        CRITICAL + "{ n1 += 1.5; n2++; }",
        "add(&own, x[i]);",
        "add(i > 3 ? &own : &s, x[i]);",
        CRITICAL + "box.hits++;",
    ],
)
def test_refused(body: str, of_body: Run) -> None:
    found = of_body(body)
    assert isinstance(found, Reason) and found.code == "OMPC348", found


def _locked(lock: str, section: str, given_back: str | None = None) -> str:
    return f"omp_set_lock({lock}); {section} omp_unset_lock({given_back or lock});"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (_locked("&the_lock", "s += 1;"), "add"),
        ("if (x[i] > 0) {" + _locked("&the_lock", "if (x[i] < low) low = x[i]; n1++;") + "}", "min add"),
        ("{" + _locked("&locks[3]", "int v = idx[i]; s += v;") + "} int v = 3; y[i] = v;", "add"),
        (_locked("&locks[idx[i] + t]", "h[idx[i]]++;"), "add"),
        ("struct node *p = (struct node *)y + i;" + _locked("&locks[p->key % 3]", "p->key++;"), "add"),
        (_locked("&locks[idx[i]]", "h[idx[i]]++; w[idx[i]] += x[i];"), "add add"),
        (_locked("locks + idx[i] % 4", "double v = x[i]; w[idx[i]] += v;"), "add"),
        (_locked("&the_lock", "n1++;") + CRITICAL + "n2++;", "add add"),
    ],
)
def test_sections_of_locks(body: str, expected: str, of_body: Run) -> None:
    found = of_body(body)
    assert isinstance(found, Facts), found
    assert sorted(map(described, found.atomic_operations.forms.operations)) == sorted(expected.split())


_GENERAL = "neither the same in all iterations nor follows from the elements"


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (_locked("&locks[idx[i]]", "h[i % 10]++;"), _GENERAL),
        (_locked("&locks[idx[i]]", "s += 1;"), _GENERAL),
        (_locked("&locks[idx[i]]", "h[idx[i]]++; n1++;"), _GENERAL),
        (_locked("&locks[idx[i] + i]", "h[idx[i]]++;"), _GENERAL),
        (_locked("&locks[i % 10]", "h[idx[i]]++;"), _GENERAL),
        ("double *p = i % 2 ? w : w + 1;" + _locked("&locks[idx[i]]", "p[idx[i]]++;"), _GENERAL),
        (_locked("&locks[idx[i]]", "note(); h[idx[i]]++;"), _GENERAL),
        ("omp_lock_t *mine = &the_lock;" + _locked("mine", "s += 1;"), _GENERAL),
        (_locked("&the_lock", "s += 1;", "&locks[0]"), "without giving back the same lock"),
        (_locked("&locks[i]", "int i = 2; h[i]++;"), "without giving back the same lock"),
        (_locked("&the_lock", "s += 1;").replace("unset", "set"), "without giving back the same lock"),
        (_locked("&the_lock", "if (i == 3) continue; s += 1;"), "leave or enter by a jump"),
        (_locked("&the_lock", "s += 1;" + _locked("&locks[0]", "n1++;")), "that calls 'omp_set_lock'"),
        (_locked("&the_lock", "double v = s++;") + " y[i] = v;", "declares 'v', which is used behind it"),
        ("if (i > 3) omp_set_lock(&the_lock); s += 1;", "inside of another statement"),
        ("omp_unset_lock(&the_lock);", "calls 'omp_unset_lock': its"),
    ],
)
def test_no_sections_of_locks(body: str, why: str, of_body: Run) -> None:
    found = of_body(body)
    assert isinstance(found, Reason) and found.code == "OMPC349" and why in found.message, found


@pytest.mark.parametrize(
    "body",
    [
        "while (flag[i - 1] == 0) ; flag[i] = 1;",
        "do { \n#pragma omp flush (flag)\n } while (flag[i - 1] == 0); flag[i] = 1;",
        "int seen = 0; while (!seen) {" + ATOMIC + " read\n seen = done; }" + ATOMIC + " write\n done = 1;",
        "for (;;) { int seen;" + ATOMIC + " read\n seen = done; if (seen) break; }" + ATOMIC + " write\n done = 1;",
        "while (!omp_test_lock(&the_lock)) ; s += 1; omp_unset_lock(&the_lock);",
        "int r, old; do { old = n1;"
        + ATOMIC
        + " compare capture\n { r = n1 == old; if (r) { n1 = old * 2; } } } while (!r);",
        "int r; do {" + ATOMIC + " compare capture\n { r = lock_word == 0; if (r) { lock_word = 1; } } } while (!r);"
        "s += 1;" + ATOMIC + " write\n lock_word = 0;",
        "int v; again:;" + ATOMIC + " read\n v = done; if (v == 0) goto again;" + ATOMIC + " write\n done = 1;",
    ],
)
def test_waiting(body: str, of_body: Run) -> None:
    found = of_body(body)
    assert isinstance(found, Reason) and found.code == "OMPC349", found


@pytest.mark.parametrize(
    "body",
    [
        "flag[i] = i; while (flag[i] > 3) flag[i] /= 2;",
        "flag[i] = 5; for (int k = 0; k < flag[i]; k++) y[i] += k;",
        "int p = i; while (flag[p] != p) p = flag[p]; flag[i] = p;",
        "int v = 0; for (int k = 0; k < 10; k++) {" + ATOMIC + " capture\n v = n1++; if (v > 100) break; }",
        "double e = x[i]; while (e > 1e-3) e = e / 2; x[i] = e;",
        "y[i] = 8; while (fabs(y[i]) > 1) { y[i] = y[i] / 2; }",
    ],
)
def test_loops_that_end_by_themselves(body: str, of_body: Run) -> None:
    assert isinstance(of_body(body), Facts)


@pytest.mark.parametrize(
    ("requires", "clause", "ordered"),
    [
        ("", "", 0),
        ("", "acquire", 1),
        ("seq_cst", "", 1),
        ("acq_rel", "", 1),
        ("seq_cst", "relaxed", 0),
        ("relaxed", "", 0),
    ],
)
def test_the_memory_order_of_a_file(
    requires: str, clause: str, ordered: int, facts_or_reason: Callable[[str], Facts | Reason]
) -> None:
    line = f"#pragma omp requires atomic_default_mem_order({requires})\n" if requires else ""
    body = f"int seen;\n#pragma omp atomic read {clause}\nseen = done;\nx[i] = seen;"
    facts = facts_or_reason(line + PROGRAM.format(body=body))
    assert isinstance(facts, Facts) and len(facts.atomic_operations.forms.ordered) == ordered


def test_an_atomic_in_another_file_keeps_its_clauses(tmp_path: Path) -> None:
    """Its pragma is read where the names in it mean something, and the function is brought in with what was read."""
    texts = {
        "a.c": """
            void count(long *x, int k);
            long h[10];
            void f(int n) {
                #pragma omp parallel for
                for (int i = 0; i < n; i++) count(h, i % 10);
            }""",
        "b.c": """
            #include <omp.h>
            void count(long *x, int k) {
                #pragma omp atomic hint(omp_sync_hint_contended)
                x[k]++;
            }""",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    found = translate_program([tmp_path / name for name in texts], Options())
    assert "ompc::atomic_add(&x[k], 1)" in found[0].files["a.cu"]


@pytest.fixture
def newer_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that accepts whatever a pragma says."""
    monkeypatch.setattr("ompc.frontend.check_syntax", lambda *_: ())


@pytest.mark.usefixtures("newer_compiler")
def test_an_atomic_that_cannot_be_read_is_no_plain_statement(facts_or_reason: Run) -> None:
    found = facts_or_reason(PROGRAM.format(body=ATOMIC + " of_a_later_year(1)\nn1++;"))
    assert isinstance(found, Reason) and found.code == "OMPC348"


@pytest.mark.parametrize(
    ("requires", "orders"),
    [
        ("atomic_default_mem_order(seq_cst)", True),
        ("atomic_default_mem_order ( relaxed )", False),
        ("of_a_later_year atomic_default_mem_order(acq_rel)", True),
        ("dynamic_allocators", False),
    ],
)
@pytest.mark.usefixtures("newer_compiler")
def test_the_order_of_a_files_atomics(facts_or_reason: Run, requires: str, orders: bool) -> None:
    text = PROGRAM.format(body=ATOMIC + "\nn1++;")
    found = facts_or_reason(f"#pragma omp requires {requires}\n{text}")
    assert isinstance(found, Facts) and found.device_code.orders_atomics == orders
