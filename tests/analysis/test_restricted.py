"""Which accesses are apart by `restrict`: an answer for the inner loop over j of each body."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ompc.analysis.dependence.restricted import by_restricted_pointers
from ompc.analysis.facts import Facts
from ompc.ir import types as ty

FactsOf = Callable[[str], Facts]
TEXT = """
struct box {{ double **v; int n; }};
{before}
void f(struct box *box, int n, int to, int from)
{{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {{
        {body}
    }}
}}
"""
POINTERS = "double *restrict x = box[i].v[from];\ndouble *restrict y = box[i].v[to];\n"
APART = [
    f"{POINTERS}for (int j = 0; j < n; j++)\ny[j] = x[j + 1];",
    f"{POINTERS.replace('*restrict x', '*x')}for (int j = 0; j < n; j++)\ny[j] = x[j + 1];",
    f"{POINTERS.replace('*restrict y', '*y')}for (int j = 0; j < n; j++)\ny[j] = x[j + 1];",
    f"{POINTERS}for (int j = 0; j < n; j++)\nif (x[j] > 0)\ny[j] = x[j + 1];",
    f"{POINTERS}x += 3;\ny = y + 1;\nfor (int j = 0; j < n; j++)\ny[j] = x[j + 1];",
    f"{POINTERS}for (int j = 0; j < n; j++)\n*(y + j) = *(x + j + 1);",
    f"{POINTERS}for (int k = 0; k < n; k++)\nfor (int j = 0; j < n; j++)\ny[j] = x[j + k];",
    "for (int k = 0; k < n; k++) {\n" + POINTERS + "for (int j = 0; j < n; j++)\ny[j] = x[j + k];\n}",
    "double *restrict y = box[i].v[to];\nfor (int j = 0; j < n; j++)\ny[j] = box[i].v[from][j];",
    "double *restrict x, *restrict y;\nx = box[i].v[from];\nif (i > 3)\ny = box[i].v[to];\nelse\ny = box[i].v[0];\n"
    "for (int j = 0; j < n; j++)\ny[j] = x[j + 1];",
]
MAY_MEET = [
    f"{POINTERS.replace('restrict', '')}for (int j = 0; j < n; j++)\ny[j] = x[j + 1];",
    # one is made of the other
    "double *restrict x = box[i].v[from];\ndouble *y = x + 1;\nfor (int j = 0; j < n; j++)\ny[j] = x[j];",
    "double *restrict x = box[i].v[from];\ndouble *y = n > 3 ? x : x + 2;\nfor (int j = 0; j < n; j++)\ny[j] = x[j];",
    "double *restrict x = box[i].v[from];\ndouble *y = &x[1];\nfor (int j = 0; j < n; j++)\ny[j] = x[j];",
    "double *restrict x = box[i].v[from];\ndouble *own[2] = {x, x};\nfor (int j = 0; j < n; j++)\nown[1][j] = x[j];",
    f"{POINTERS}y = same(x);\nx = same(y);\nfor (int j = 0; j < n; j++)\ny[j] = x[j + 1];",
    # for a turn alone
    f"for (int j = 0; j < n; j++) {{\n{POINTERS}y[j] = x[j + 1];\n}}",
    f"{POINTERS}for (int j = 0; j < n; j++) {{\ny[j] = x[j + 1];\nx++;\ny++;\n}}",
    # what stands in the same line as what is not in the block
    "int k = i; { double *restrict x = box[k].v[0], *y = box[i].v[1]; for (int j = 0; j < n; j++) y[j] = x[j + 1]; }",
    # what both lead to
    "double **restrict x = box[i].v;\ndouble **y = box[i].v;\nfor (int j = 0; j < n; j++)\ny[0][j] = x[1][j];",
]


def apart(facts: Facts) -> bool:
    loop = next(node for node, each in facts.inner_loops.items() if each.var.name == "j")
    functions, body = facts.unit.functions, facts.device_code.body
    are_apart = by_restricted_pointers(body, facts.accesses, functions, loop)
    memory = [a for a in facts.accesses if a.function is None and a.obj.stored and isinstance(a.node.type, ty.Float)]
    writes = [access for access in memory if access.mode.writes]
    others = [access for access in memory if not access.mode.writes]
    assert writes and others
    return all(are_apart(write, other) and are_apart(other, write) for write in writes for other in others)


@pytest.mark.parametrize("body", APART)
def test_apart(facts: FactsOf, body: str) -> None:
    assert apart(facts(TEXT.format(before="", body=body)))


@pytest.mark.parametrize("body", MAY_MEET)
def test_not_apart(facts: FactsOf, body: str) -> None:
    before = "static double *same(double *p) { return p; }"
    assert not apart(facts(TEXT.format(before=before, body=body)))
