"""Of which arrays blocks have copies under auto, and which loops read what neighbouring iterations need at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from single_kernel import kernel, with_schedule

from ompc.base.diagnostics import InternalError
from ompc.base.options import Level
from ompc.plan.model.launch import CoarseningPlan
from ompc.plan.model.plan import Plan
from ompc.plan.model.schedule import Accumulate, Scope
from ompc.plan.verify import verify_plan

PROGRAM = """
int printf(const char *, ...);
struct pair {{ int first, second; }};
static struct pair pairs[9];
static int h[300], other[300], table[4][8], large[100000];
static float f[300];
static double d[300];
static _Bool flags[300];
static int copies;
static void count_in(int k) {{
    #pragma omp atomic
    h[k]++;
}}
void run(int n, const unsigned char *key, const int *value, int *p, int b)
{{
    int seen = 0; (void)seen; (void)b;
    #pragma omp parallel for {clauses}
    for (int i = 0; i < n; i++) {{
        {body}
    }}
}}
"""

ATOMIC = "\n#pragma omp atomic\n"


@pytest.mark.parametrize(
    ("clauses", "body", "copied"),
    [
        ("", f"{ATOMIC}h[key[i]]++;", ["h Sum"]),
        ("", f"{ATOMIC}p[value[i]] -= 2;", ["p Sum"]),
        ("", f"{ATOMIC}table[i % 4][key[i]] |= 1;", ["table BitOr"]),
        ("reduction(+ : h)", "h[key[i]] += value[i];", ["h Sum"]),
        ("reduction(+ : p[:b])", "p[key[i]]++;", ["p Sum"]),
        ("reduction(max : h) reduction(+ : d)", "if (h[0] < i) h[0] = i; d[key[i]] += 1;", ["h Max", "d Sum"]),
        ("", f"{ATOMIC}f[key[i]] += 0.5f; {ATOMIC}h[key[i]] ^= i;", ["h BitXor", "f Sum"]),
        ("", f"for (int k = 0; k < 3; k++) {{ {ATOMIC}h[k] += i; }}", ["h Sum"]),
        ("", f"int copies = i; {ATOMIC}h[copies % 3]++;", ["h Sum"]),
        # a value that is asked for, a read, two operations, what has an order, a large array, a member, a function
        ("", f"{ATOMIC}h[key[i]]++; other[i] = h[i];", []),
        ("private(seen)", "\n#pragma omp atomic capture\nseen = h[key[i]]++; other[i] = seen;", []),
        ("", f"{ATOMIC}h[0]++; {ATOMIC}h[1] *= 2;", []),
        ("", f"{ATOMIC}d[key[i]] *= 2;", []),
        ("", f"{ATOMIC}h[key[i]] += 1.5;", []),
        ("", f"{ATOMIC}flags[key[i]] |= 1;", []),
        ("", f"{ATOMIC}large[value[i]]++;", []),
        ("", f"{ATOMIC}pairs[key[i] % 9].first++;", []),
        ("", f'printf("%d", i); {ATOMIC}h[key[i]]++;', []),
        ("", "count_in(key[i]);", []),
    ],
)
def test_copied(clauses: str, body: str, copied: list[str], plan_of: Callable[..., Plan]) -> None:
    found = kernel(plan_of(PROGRAM.format(clauses=clauses, body=body))).own.accumulators
    assert [f"{accumulators.symbol.name} {accumulators.op}" for accumulators in found] == copied


@pytest.mark.parametrize(
    ("body", "shared"),
    [
        ("small[key[i] % 16]++;", True),
        ("small[0] += value[i]; small[1]++;", False),
        ("for (int k = 0; k < 16; k++) small[k] += value[i] * k;", False),
        ("sums[key[i] % 16] += 0.5;", False),
        ("for (int k = 0; k < key[i]; k++) small[k % 16] += value[k];", False),
    ],
)
def test_small_arrays(body: str, shared: bool, plan_of: Callable[..., Plan]) -> None:
    """Each thread has a copy of a small array, unless data says which elements of it are updated."""
    text = PROGRAM.format(clauses="reduction(+ : small, sums)", body=body)
    plan = plan_of(text.replace("int seen = 0;", "int seen = 0, small[16]; double sums[16]; (void)small; (void)sums;"))
    (region,) = plan.regions
    found = () if region.kernel is None else region.kernel.own.accumulators
    assert [accumulators.symbol.name for accumulators in found] == ["small"] * shared


@pytest.mark.parametrize("level", [Level.BASELINE, Level.THESIS])
def test_only_auto_has_copies(level: Level, plan_of: Callable[..., Plan]) -> None:
    assert not kernel(plan_of(PROGRAM.format(clauses="", body=f"{ATOMIC}h[key[i]]++;"), level)).own.accumulators


@pytest.mark.parametrize(
    ("clauses", "body", "count", "reads"),
    [
        ("", f"{ATOMIC}h[key[i]]++;", 32, ["key"]),
        ("", f"{ATOMIC}h[value[i]]++;", 8, ["value"]),
        ("", f"{ATOMIC}h[key[i]] += value[i];", 32, ["key", "value"]),
        ("", f"if (key[i] > 3) {{ {ATOMIC}h[value[i]]++; }}", 32, ["key"]),
        ("", f"{ATOMIC}h[key[i]] += {' + '.join(['i * b'] * 12)};", 4, ["key"]),
        ("", f"{ATOMIC}h[key[i]] += {' + '.join(['i * b'] * 60)};", None, []),
        ("", f"{ATOMIC}h[key[2 * i]]++;", None, []),
        ("", f"if (b) {{ {ATOMIC}h[key[i]]++; }}", None, []),
        ("", f"if (key[i] == 0) continue; {ATOMIC}h[value[i]]++;", 32, ["key"]),
        ("", f"if (b) continue; {ATOMIC}h[value[i]]++;", None, []),
        ("", f"other[i] = other[i] + 1; {ATOMIC}h[other[i]]++;", None, []),
        ("", "other[i] = key[i];", None, []),
    ],
)
def test_neighbours(clauses: str, body: str, count: int | None, reads: list[str], plan_of: Callable[..., Plan]) -> None:
    found = kernel(plan_of(PROGRAM.format(clauses=clauses, body=body))).own.form_of(CoarseningPlan)
    assert (None if found is None else found.count) == count
    assert [read.array for read in (found.reads if found is not None else ())] == reads


def test_copies_of_what_is_read_are_a_bug(plan_of: Callable[..., Plan]) -> None:
    made = plan_of(PROGRAM.format(clauses="", body=f"{ATOMIC}h[key[i]]++;"))
    read = plan_of(PROGRAM.format(clauses="", body=f"{ATOMIC}h[key[i]]++; other[i] = h[i];"))
    accumulators = kernel(made).own.accumulators[0]
    own = next(symbol for symbol in kernel(read).bindings if symbol.name == "h")
    wrong = Accumulate("h", "Sum", Scope.BLOCK, replace(accumulators, symbol=own))
    with pytest.raises(InternalError, match="does more with the array than accumulate"):
        verify_plan(with_schedule(read, replace(kernel(read).own, combined=(wrong,))))
