"""Walks over trees: what is kept of them is what is there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ompc.base.options import Options
from ompc.driver import compile_to
from ompc.ir import tree as t
from ompc.ir.queries import called, changed_in, declared_in, nodes, only_reads, symbols_in, targets_written
from ompc.ir.walk import Node, children, type_expressions, type_written_at, walk

PROGRAM = """
int twice(int x) { return 2 * x; }
double f(int n, int m, double a[n][m + 1])
{
    double rows[n++][twice(m)], *p = (double *)a, (*q)[m] = (double (*)[m])p;
    typedef double row[n + 2];
    for (int i = 0; i < n; i++) {
        row *r = (row *)p;
        do { if (i > sizeof(row)) rows[i][0] = (*r)[1]; else { q[i][0] += 1; m--; } } while (twice(i) < 3);
        while (i < m) switch (i) { case 1: { double t[m = 3]; t[0] = i++, (struct x { int x; }){i}.x; } }
    }
    return rows[0][0];
}
"""


def below(node: Node) -> Iterator[Node]:
    yield node
    for child in children(node):
        yield from below(child)


def with_lengths(root: Node) -> Iterator[Node]:
    for node in below(root):
        yield node
        for length in type_expressions(type_written_at(node)):
            yield from with_lengths(length)


def test_every_walk_has_what_is_there(tmp_path: Path) -> None:
    """From the outermost piece of code on, whose nodes are kept for all that is in it, and from the innermost one."""
    (tmp_path / "a.c").write_text(PROGRAM)
    for order in (1, -1):
        body = compile_to("sema", tmp_path / "a.c", Options()).functions["f"].body
        assert body is not None
        pieces = [*with_lengths(body)][::order]
        assert any(isinstance(node, t.Call) for node in pieces) and len({*pieces} - {*below(body)}) > 9
        for node in pieces:
            assert [*walk(node)] == [*below(node)]
            assert [*nodes(node)] == [*with_lengths(node)]


def test_what_is_kept_of_a_piece_of_code_is_what_is_in_it(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(PROGRAM)
    body = compile_to("sema", tmp_path / "a.c", Options()).functions["f"].body
    assert body is not None
    for node in with_lengths(body):
        inside = [*with_lengths(node)]
        changing = [n for n in inside if isinstance(n, (t.Assign, t.IncDec))]
        written = [n.target if isinstance(n, t.Assign) else n.operand for n in changing]
        assert symbols_in(node) == {n.symbol for n in inside if isinstance(n, t.Name)}
        assert declared_in(node) == {n.symbol for n in below(node) if isinstance(n, t.VarDecl)}
        assert [*targets_written(node)] == written
        assert {e.symbol for e in written if isinstance(e, t.Name)} <= changed_in(node)
        assert ("twice" in called(node)) == any(isinstance(n, t.Call) for n in inside)
        if isinstance(node, t.Expr):
            assert only_reads(node) == (not written and not any(isinstance(n, t.Call) for n in inside))
