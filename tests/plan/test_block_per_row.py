"""Which kernels have a form in which all lanes of a block divide a row, and what the launcher counts of the rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from single_kernel import kernel, with_schedule

from ompc.base.diagnostics import InternalError
from ompc.base.options import Level, Options
from ompc.driver import translate
from ompc.plan.groups.lanes import by_groups
from ompc.plan.model.lane_steps import BlockForm
from ompc.plan.model.plan import Plan
from ompc.plan.verify import verify_plan

PROGRAM = """
static int starts[64], perm[64];
static const int fixed[4] = {{0, 3, 5, 9}};
void f(int n, int m, int *row, const int *col, const double *val, const double *x, double *y, const unsigned char *len)
{{
    const int plus = m - 1;
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {{
        double t = 0;
        {body}
        y[i] = t;
    }}
}}
"""

PlanOf = Callable[..., Plan]


def form(plan_of: PlanOf, body: str) -> BlockForm | None:
    lanes = kernel(plan_of(PROGRAM.format(body=body), Level.AUTO)).own.lanes
    assert lanes is not None
    return lanes.by_block


@pytest.mark.parametrize(
    ("body", "arrays", "defined"),
    [
        ("for (int q = row[i]; q < row[i + 1]; q++) t += val[q] * x[col[q]];", "row", ""),
        ("for (int q = row[i + 1] - 1; q >= row[i]; q -= 2) t += val[q];", "row", ""),
        ("for (int q = starts[i]; q < starts[i] + len[i] * m; q++) t += val[q] - x[i];", "starts len", ""),
        ("for (int q = i * m; q < i * m + (int)len[i]; q++) t += val[q];", "len", ""),
        ("for (int q = row[perm[i]]; q < row[perm[i] + 1]; q++) t += val[q];", "row perm", ""),
        ("int a = row[i], b = a + len[i]; for (int q = a; q < b; q++) t += val[q];", "row len", "a b"),
        ("int a; a = row[i]; for (int q = a; q < row[i + plus]; q++) t += val[q];", "row", "a"),
        ("int r = i * 3 % 64; for (int q = starts[r / 2]; q < starts[r / 2] + 9; q++) t += val[q];", "starts", "r"),
        ("for (int q = fixed[i & 3]; q < i; q++) t += val[q];", "fixed", ""),
        ("double u = x[i]; for (int q = row[i]; q < row[i + 1]; q++) t += val[q] * u;", "row", ""),
    ],
)
def test_rows_are_counted(plan_of: PlanOf, body: str, arrays: str, defined: str) -> None:
    found = form(plan_of, body)
    assert found is not None and found.lengths is not None
    assert {symbol.name for symbol in found.lengths.arrays} == set(arrays.split())
    assert [decl.symbol.name for decl in found.lengths.definitions] == defined.split()


@pytest.mark.parametrize(
    "body",
    [
        "if (x[i] > 0) for (int q = row[i]; q < row[i + 1]; q++) t += val[q];",  # not in every iteration
        "for (int r = 0; r < m; r++) for (int q = row[i + r]; q < row[i + r + 1]; q++) t += val[q];",  # nor the same
        "for (int q = (int)x[i]; q < row[i + 1]; q++) t += val[q];",  # evaluated by other arithmetic
        "for (int q = row[i] / m; q < row[i + 1]; q++) t += val[q];",  # may divide by zero
        "int a = row[i]; if (len[i]) a++; for (int q = a; q < row[i + 1]; q++) t += val[q];",
        "for (int q = row[i]; q < row[i + 1]; q++) t += x[col[q]] / val[q];",  # nobody helps: entries take their time
        "for (int q = row[i % m]; q < row[i + 1]; q++) t += val[q];",
        "for (int q = 0; q < i; q++) t += val[i * m + q];",  # nothing that the host would read
    ],
)
def test_rows_are_not_counted(plan_of: PlanOf, body: str) -> None:
    found = form(plan_of, body)
    assert found is None or found.lengths is None


def test_not_where_the_array_is_written(plan_of: PlanOf) -> None:
    found = form(plan_of, "for (int q = row[i]; q < row[i + 1]; q++) t += val[q]; row[i] = 3;")
    assert found is None or found.lengths is None


def test_only_of_rows_that_lanes_read_together(plan_of: PlanOf) -> None:
    text = PROGRAM.format(body="for (int q = row[i]; q < row[i + 1]; q++) t *= val[q];")  # in order
    lanes = kernel(plan_of(text, Level.AUTO)).own.lanes
    assert lanes is not None and lanes.by_block is None


def test_only_a_kernel_with_that_form_is_launched_in_it(tmp_path: Path) -> None:
    """The runtime gives an iteration all lanes of a block where the launcher says that it may."""
    source = tmp_path / "rows.c"
    source.write_text(PROGRAM.format(body="for (int q = row[i]; q < row[i + 1]; q++) t += val[q];"))
    for without, may in ((frozenset[str](), True), (frozenset({"block-rows"}), False)):
        text = "".join(translate(source, Options(without=without)).files.values())
        assert (".rows_of_warp(rows).blocks()" in text, "bool by_block" in text) == (may, may)


def test_what_the_launcher_reads_is_an_array_of_the_kernel(plan_of: PlanOf) -> None:
    plan = plan_of(PROGRAM.format(body="for (int q = row[i]; q < row[i + 1]; q++) t += val[q];"), Level.AUTO)
    found, lanes = kernel(plan), kernel(plan).own.lanes
    assert lanes is not None and lanes.by_block is not None and lanes.by_block.lengths is not None
    written = tuple(v for v in found.arrays if v.writes)
    lengths = replace(lanes.by_block.lengths, arrays=(written[0].symbol,))
    broken = by_groups(found.own, replace(lanes, by_block=replace(lanes.by_block, lengths=lengths)))
    with pytest.raises(InternalError, match="which it does not have"):
        verify_plan(with_schedule(plan, broken))
