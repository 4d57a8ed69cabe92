"""Loops of which one iteration is in the way of the others are done in three parts; others stay as they are."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from single_kernel import kernel

from ompc.ir.show import statement_lines
from ompc.plan.model.plan import Plan

PlanOf = Callable[..., Plan]

TEXT = """
static int a[400][400], s[400];
void f(int *p, int n, int k, long l, int m)
{{
    int j;
    #pragma omp parallel for private(j)
    for (int i = 0; i < n; i++) {{
        {body}
    }}
}}
"""


def parted_by(plan: Plan) -> str | None:
    """The number of the iteration that stands alone, in words."""
    _, found, rest = str(kernel(plan).mapped_because).partition("the loop over j in which it is ")
    return rest.partition(" ")[0] if found else None


@pytest.mark.parametrize(
    ("body", "number"),
    [
        ("for (int j = 0; j < 400; j++) a[i][j] += a[i][k];", "k"),
        ("for (j = 0; j < m; j++) a[i][j] += a[i][k] * s[j];", "k"),
        ("if (i != k) for (int j = 1; j <= m; j += 3) a[i][j] += a[i][k] * a[k][j];", "k"),
        ("for (long j = 0; j < 400; j++) { int t = a[i][l]; if (t < 3) continue; a[i][j] += t; }", "l"),
        ("for (int j = 0; j < 400; j++) a[i][j] %= a[i][i] + 1;", "i"),
        ("for (int j = 0; j < 400; j++) a[i][j] += a[i][7];", "7"),
        ("for (int j = 0; j < 400; j++) a[j][i] += a[k][i];", None),  # elements are far from each other
        ("for (int j = 0; j < n; j++) p[i * n + j] += p[i * n + k];", "k"),
        ("for (int j = 0; j < 400; j++) { a[i][j] += s[j]; a[i][k] = j; }", None),  # all store there
        ("for (int j = 0; j < 400; j++) a[i][j] += a[i][k] + a[i][m];", None),  # two of them
        ("for (int j = 0; j < 400; j++) a[i][j] += a[i][k + 1];", None),  # no variable says which
        ("for (int j = 0; j < 400; j++) a[i][j] += a[i][l];", None),  # of another type
        ("for (unsigned j = 0; j < 400; j++) a[i][j] += a[i][k];", None),
        ("for (int j = 399; j >= 0; j--) a[i][j] += a[i][k];", None),
        ("for (int j = 0; j < 400; j++) { if (a[i][k] > 9) break; a[i][j] += a[i][k]; }", None),
        ("int h = i / 2; for (int j = 0; j < 400; j++) a[i][j] += a[i][h];", None),  # each iteration's own
        ("for (int j = 0; j < s[i]; j++) a[i][j] += a[i][k];", None),  # bounds in memory
        ("int at = k; { int k = i; for (int j = 0; j < 400; j++) a[i][j] += a[i][at] + k; }", None),
        ("for (int j = 0; j < 400; j++) for (int q = 0; q < 3; q++) a[i][j] += a[i][k];", None),
        ("for (int j = 0; j < 400; j++) { static int t; a[i][j] += a[i][k] + t; }", None),
        ("for (int j = 0; j < 400; j++) if (j != k) a[i][j] += a[i][k];", None),  # an axis as it is
    ],
)
def test_which_iteration(plan_of: PlanOf, body: str, number: str | None) -> None:
    plan = plan_of(TEXT.format(body=body))
    (region,) = plan.regions
    if number is None and region.kernel is None:
        return  # on the host
    assert parted_by(plan) == number
    assert parted_by(plan_of(TEXT.format(body=body), without=frozenset({"apart"}))) is None


AROUND = """
static int a[400][400];
void f(int n, int m, int {param}, int *p)
{{
    {around} {{
        #pragma omp parallel for
        for (int i = 0; i < n; i++)
            {head} a[i][j] = a[i][j] * 3 + a[i][k];
        {more}
    }}
}}
"""


def launched_in(around: str, head: str, more: str = "") -> str:
    """The program; its k is a parameter, unless the loop around the launch declares one."""
    return AROUND.format(around=around, head=head, more=more, param="other" if "int k" in around else "k")


def parts_of(plan: Plan) -> list[str]:
    """What stands in an iteration, in lines."""
    lines = [line.strip() for line in statement_lines(kernel(plan).body)]
    return [line for line in lines if line.startswith(("for", "if")) or line.endswith("];")]


@pytest.mark.parametrize(
    ("around", "head", "bounds"),
    [
        ("for (int k = 0; k < n; k++)", "for (int j = 0; j < n; j++)", ("j = 0; j < k", "", "j = k + 1; j < n")),
        ("for (int k = 2; k <= m; k += 2)", "for (int j = 1; j <= m; j++)", ("j = 1; j < k", "", "j = k + 1; j <= m")),
        ("for (int k = n - 1; k >= 0; k--)", "for (int j = 0; j < n; j++)", ("j = 0; j < k", "", "j = k + 1; j < n")),
        (
            "for (int k = 0; k < n; k++)",
            "for (int j = 0; j < m; j++)",
            ("j = 0; j < (k < m ? k : m)", "k < m", "j = k < m ? k + 1 : k; j < m"),
        ),
        (
            "for (int k = -1; k < n; k++)",
            "for (int j = 0; j < n; j++)",
            ("j = 0; j < k", "0 <= k", "j = k < 0 ? 0 : k + 1; j < n"),
        ),
        (
            "for (k = 0; k <= n; k++)",
            "for (int j = 0; j <= n - 1; j++)",
            ("j = 0; j < (k <= n - 1 ? k : n)", "k <= n - 1", "j = k <= n - 1 ? k + 1 : k; j <= n - 1"),
        ),
        (
            "",
            "for (int j = m; j <= n; j++)",
            (
                "j = m; j < (k <= n ? k : n + 1)",
                "m <= k && k <= n",
                "j = k < m ? m : k <= n ? k + 1 : k; j <= n",
            ),
        ),
    ],
)
def test_bounds(plan_of: PlanOf, around: str, head: str, bounds: tuple[str, str, str]) -> None:
    """No number is asked for that is known, or computed that there may not be."""
    found = parts_of(plan_of(launched_in(around, head)))
    first, asked, last = bounds
    heads = [f"for (int {first}; j++)", *([f"if ({asked})"] if asked else []), f"for (int {last}; j++)"]
    assert [line for line in found if line.startswith(("for", "if"))] == heads
    assert "a[i][k] = a[i][k] * 3 + a[i][k];" in found


def test_another_type(plan_of: PlanOf) -> None:
    """A k below 0 would be beyond the end, as C compares it."""
    found = parts_of(plan_of(launched_in("", "for (int j = 0; j < (unsigned)n; j++)")))
    assert [line for line in found if line.startswith("if")] == ["if (j < k)", "if (j == k)", "if (j > k)"]


@pytest.mark.parametrize(
    ("around", "more"),
    [
        ("for (int k = 0; k < n; k++)", "n--;"),
        ("for (int k = 0; k < *p; k++)", ""),
        ("for (int k = 0; k < n; k++)", "k += m;"),
        ("for (int k = 0, *q = &n; k < n; k++)", "*q = m;"),
        ("for (int k = 0; k != n; k++)", ""),
        ("if (m > 3) goto inside; for (int k = 0; k < n; k++)", "inside: ;"),
    ],
)
def test_loops_around_that_say_nothing(plan_of: PlanOf, around: str, more: str) -> None:
    """The counter is not within the bounds of the loop around the launch for certain."""
    text = launched_in(around, "for (int j = 0; j < n; j++)", more)
    assert "j = k + 1; j < n" not in "".join(parts_of(plan_of(text)))


def test_own_bounds(plan_of: PlanOf) -> None:
    """Threads have another m than the loop around the launch."""
    text = """
        static int a[400][400];
        void f(int n, int m)
        {
            for (int k = 0; k < m; k++) {
                #pragma omp parallel for private(m)
                for (int i = 0; i < n; i++) {
                    m = n;
                    for (int j = 0; j < n; j++)
                        a[i][j] = a[i][j] * 3 + a[i][k] % m;
                }
            }
        }
    """
    found = parts_of(plan_of(text))
    assert "for (int j = 0; j < k; j++)" not in found
    assert any("k < n" in line for line in found)
