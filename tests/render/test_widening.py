"""Launchers' arithmetic keeps its values with fewer casts: computed by C with both texts, at the ends of int, too."""

from __future__ import annotations

import itertools
import random
import subprocess
from pathlib import Path

import pytest

from ompc.render.launcher.widening import wide_with_few_casts, with_few_casts

NARROW = frozenset("abc")
"""Ints; `u` is unsigned, `w` a long."""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(long long)a", "a"),
        ("(long long)a - 1", "a - 1LL"),
        ("-(long long)a + (long long)b + 1", "(long long)b - a + 1"),
        ("2 * (long long)a - 3", "2LL * a - 3"),
        ("(long long)a * (long long)b + (long long)c", "(long long)a * b + c"),
        ("(long long)a >= (long long)b && (long long)a >= 2 ? (long long)a - 2 : 0", "a >= b && a >= 2 ? a - 2LL : 0"),
        ("(long long)u >= (long long)a", "(long long)u >= a"),
        ("w * (long long)a + (long long)a", "w * a + a"),
        ("4 * ((long long)a / 2)", "4LL * ((long long)a / 2)"),
        ("ompc::floord((long long)a - 3, 4)", "ompc::floord(a - 3LL, 4LL)"),
        ("(long long)f(a) + ~b", "(long long)f(a) + ~b"),
    ],
)
def test_texts(text: str, expected: str) -> None:
    assert with_few_casts(text, NARROW) == expected


def test_what_is_wide_for_more_arithmetic() -> None:
    assert wide_with_few_casts("(long long)a", NARROW) == "(long long)a"
    assert wide_with_few_casts("(long long)a > 0 ? (long long)b : 1", NARROW) == "a > 0 ? (long long)b : 1LL"


def some_text(chance: random.Random, depth: int) -> str:
    if depth == 0:
        return chance.choice(["(long long)a", "(long long)b", "(long long)c", "(long long)u", "w", "1", "7"])
    left, right = (some_text(chance, chance.randrange(depth)) for _ in range(2))
    op = chance.choice(["+", "-", "+", "-", "*", "/", "?"])
    if op == "?":
        return f"({left} {chance.choice(['<', '>=', '=='])} {right} ? {left} : {right})"
    if op in "*/":
        return f"({left}) {op} ({right if op == '*' else chance.randrange(1, 9)})"
    return f"{left} {op} ({right})"


def test_values(tmp_path: Path) -> None:
    chance = random.Random(7)
    texts = [some_text(chance, 3) for _ in range(400)]
    least, most = "-2147483647 - 1", "2147483647"
    numbers = [*itertools.product((least, most, "-3", "0", "5"), repeat=3)]
    rows = ", ".join(f"{{{', '.join(each)}}}" for each in numbers)
    checks = [f"        check({number}, {text}, {with_few_casts(text, NARROW)});" for number, text in enumerate(texts)]
    body = "\n".join(checks)
    (tmp_path / "a.c").write_text(
        "#include <stdio.h>\nstatic int wrong;\n"
        "static void check(int n, long long x, long long y) { if (x != y) printf(\"%d\\n\", n), wrong = 1; }\n"
        f"int main(void) {{\n    static const int all[][3] = {{{rows}}};\n"
        f"    for (int k = 0; k < {len(numbers)}; k++) {{\n"
        "        const int a = all[k][0], b = all[k][1], c = all[k][2];\n        const unsigned u = a;\n"
        f"        const long w = b;\n{body}\n    }}\n    return wrong;\n}}\n"
    )
    subprocess.run(["gcc", "-w", "-fwrapv", "a.c", "-o", "a"], cwd=tmp_path, check=True)
    done = subprocess.run(["./a"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
