"""Canonical loops run as many iterations as gcc -fopenmp gives them; sequential ones compare as C does."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from ompc.base.diagnostics import Reason
from ompc.driver import compile_to
from ompc.ir.constants import constant_value, wrapped
from ompc.ir.tree import For
from ompc.ir.walk import walk
from ompc.omp.loops import sequential_loop
from ompc.omp.model import CanonicalLoop

LOOPS = (
    "int i = -5; i < (unsigned long)10; i++",
    "unsigned char i = 0; i < 200; i++",
    "short i = 0; i < 30000L; i++",
    "unsigned i = 4294967290u; i < -1; i++",
    "int i = 10; i > 0; i += -3",
    "int i = 10; 0 <= i; i = i - 4",
    "int i = 7; i != -3; i -= 1",
    "int i = -3; i != 7; i = 1 + i",
    "long i = 5; i >= -5; i--",
    "signed char i = -60; i < 60; i += 7",
    "unsigned long i = 20; i > 3; i -= 2",
    "unsigned i = 20; i > 3; i += -2",
    "int i = 3; i < 3; i++",
    "int i = 3; i > 9; i--",
    "long long i = 0; i <= 9; i = i + 10",
    "int i = 0; (long)i < 6; i -= -2",
)


def trips(loop: CanonicalLoop) -> int:
    """The iteration count by the canonical form alone, in the type of the variable."""
    lower, upper = constant_value(loop.lower), constant_value(loop.upper)
    assert lower is not None and upper is not None and loop.constant_step is not None
    first, last = wrapped(lower, loop.type), wrapped(upper, loop.type)
    distance = (first - last if loop.down else last - first) + (loop.relation in ("<=", ">="))
    return max(0, -(-distance // loop.constant_step))


def test_iteration_counts_are_those_of_gcc(tmp_path: Path) -> None:
    blocks = [
        f"{{ long count = 0;\n#pragma omp parallel for reduction(+:count)\nfor ({loop}) count++;\n"
        'printf("%ld\\n", count); }'
        for loop in LOOPS
    ]
    source = tmp_path / "counts.c"
    source.write_text("#include <stdio.h>\nint main(void)\n{\n" + "\n".join(blocks) + "\nreturn 0;\n}\n")
    program = tmp_path / "counts"
    subprocess.run(["gcc", "-w", "-fopenmp", str(source), "-o", str(program)], check=True)
    counted = subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout.split()
    loops = compile_to("omp", source).loops
    assert [loop.host for loop in loops] == [None] * len(LOOPS)
    assert [trips(loop.loops[0]) for loop in loops] == [int(count) for count in counted]


@pytest.mark.parametrize(("loop", "accepted"), [
    ("int i = 0; i < n; i++", True),
    ("int i = 0; i < big; i++", True),
    ("int i = -1; i < big; i++", False),
    ("int i = start; i < big; i++", False),
    ("unsigned i = 0; i < n; i++", False),
    ("unsigned i = 0; i < 10; i++", True),
    ("long i = start; i < n; i++", True),
])
def test_sequential_loops_compare_as_c_does(tmp_path: Path, loop: str, accepted: bool) -> None:
    source = tmp_path / "sequential.c"
    source.write_text(f"void f(int n, int start, unsigned long big)\n{{\n    for ({loop})\n        ;\n}}\n")
    body = compile_to("sema", source).functions["f"].body
    assert body is not None
    found = sequential_loop(next(node for node in walk(body) if isinstance(node, For)))
    assert isinstance(found, CanonicalLoop) is accepted
    assert accepted or (isinstance(found, Reason) and found.code == "OMPC308")
