"""What is added between launches: in deep nests, and only where launches come each time."""

from __future__ import annotations

from pathlib import Path

import pytest

from ompc.driver import compile_to

LAUNCH = "#pragma omp parallel for\nfor (int i = 0; i < n; i++)\na[i] += 1;\n"


def lines_added(path: Path, inside: str) -> list[int]:
    """Of the file, in which `inside` begins at line 3."""
    path.write_text(f"void f(int n, double *a, int m)\n{{\n{inside}}}\n")
    return [loop.line for loop in compile_to("omp", path).loops if loop.is_added]


def test_a_deep_nest_takes_no_longer_than_its_size(tmp_path: Path) -> None:
    """Twice as long for each loop around would be hours."""
    depth = 50
    heads = "".join(f"for (int k{k} = 0; k{k} < 1; k{k}++) {{\n" for k in range(depth))
    assert lines_added(tmp_path / "deep.c", f"{heads}a[0] = 2;\n{LAUNCH}" + "}\n" * depth) == [3 + depth]


@pytest.mark.parametrize(
    ("inside", "added"),
    [
        (f"for (int t = 0; t < m; t++) {{\na[0] = t;\n{LAUNCH}}}\n", [4]),
        (f"for (int t = 0; t < m; t++) {{\na[0] = t;\nif (t % 9 == 0) {{\n{LAUNCH}}}\n}}\n", []),
        (f"for (int t = 0; t < m; t++) {{\na[0] = t;\nif (t % 9)\ncontinue;\n{LAUNCH}}}\n", []),
        (f"for (int t = 0; t < m; t++) {{\na[0] = t;\nif (t > 9)\nbreak;\n{LAUNCH}}}\n", [4]),
        (f"a[0] = m;\n{LAUNCH}a[1] = m;\n{LAUNCH}", []),
    ],
    ids=["each time", "under a condition", "behind continue", "behind break", "once"],
)
def test_statements_are_asked_about_no_more_often_than_there_are_launches(
    inside: str, added: list[int], tmp_path: Path
) -> None:
    assert lines_added(tmp_path / "a.c", inside) == added
