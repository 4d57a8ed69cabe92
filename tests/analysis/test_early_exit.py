"""Iterations that end the program."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ompc.analysis.facts import Facts
from ompc.base.diagnostics import Reason
from ompc.ir import tree as t

Run = Callable[[str], Facts]

HEAD = "#include <assert.h>\n#include <stdio.h>\n#include <stdlib.h>\nint a[100]; char *name; int n;\n"


def program(body: str, before: str = "") -> str:
    loop = f"#pragma omp parallel for\nfor (int i = 0; i < 100; i++) {{ {body} }}"
    return f"{HEAD}{before}\nvoid f(void)\n{{\n{loop}\n}}\n"


def calls(facts: Facts) -> list[str]:
    found = [node for node in facts.device_code.nodes if isinstance(node, t.Call)]
    return [call.function.symbol.name for call in found if isinstance(call.function, t.Name)]


@pytest.mark.parametrize(
    "body",
    [
        "if (a[i]) abort(); a[i] = i;",
        "assert(a[i] < 7); a[i] = i;",
        'if (a[i]) { fprintf(stderr, "%s", name); n++; if (n) puts(name); exit(1); } a[i] = i;',
        "if (a[i]) die(name, i); a[i] = i;",
        "if (a[i]) { switch (n) { case 1: n = 2; default: n++; exit(1); n = 7; } } a[i] = i;",
        "a[i] = checked(i);",
    ],
)
def test_what_comes_right_before_the_end_is_left_out(facts: Run, body: str) -> None:
    before = """
    static void die(const char *why, int i) { printf("%s %d", why, i); exit(1); }
    static int checked(int i) { if (i > 5) { die(name, 5); return 7; } return i; }
    """
    found = facts(program(body, before))
    assert found.device_code.leaves
    assert calls(found) in (["__ompc_leave"], ["checked", "__ompc_leave"])
    writes = {access.obj.symbol.name for access in found.accesses if access.mode.writes}
    assert writes - {"n"} == {"a"}
    assert "name" not in {access.obj.symbol.name for access in found.accesses}


def test_a_function_of_the_user_hides_the_one_of_the_library(facts: Run) -> None:
    found = facts(program("if (i) err(i);", "static void err(int i) { a[i] = 1; }"))
    assert not found.device_code.leaves
    assert calls(found) == ["err"]


@pytest.mark.parametrize(
    "function",
    [
        "static void die(int i) { if (i) return; exit(1); }",
        "static void die(int i) { goto out; exit(1); out: a[i] = 1; }",
        "static void die(int i) { if (i) exit(1); }",
    ],
)
def test_a_function_that_may_return_is_called(facts: Run, function: str) -> None:
    assert calls(facts(program("if (a[i]) die(i);", function))) == ["die", "__ompc_leave"]


def test_code_that_something_jumps_to_stays(facts: Run) -> None:
    found = facts(program("if (a[i]) goto on; a[i]++; exit(1); on: a[i] = 2;"))
    assert len(found.of(next(obj for obj in found.shared_objects))) == 2


def test_a_text_in_a_condition_is_a_true_value(facts: Run) -> None:
    assert facts(program('assert(a[i] < 7 && "small"); assert(!"reached"); a[i] = 1;')).device_code.leaves


def test_what_combines_two_values_has_nothing_to_leave(facts_or_reason: Callable[[str], Facts | Reason]) -> None:
    found = facts_or_reason(
        f"""{HEAD}
        int sum(int x, int y) {{ if (x > 9) abort(); return x + y; }}
        #pragma omp declare reduction(safe: int: omp_out = sum(omp_out, omp_in)) initializer(omp_priv = 0)
        void f(void)
        {{
            int s = 0;
            #pragma omp parallel for reduction(safe: s)
            for (int i = 0; i < 100; i++) s += a[i];
            n = s;
        }}
        """
    )
    assert isinstance(found, Reason) and found.code == "OMPC320"
