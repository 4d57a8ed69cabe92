"""Edits that make host memory page-locked (`--opt thesis`; thesis figures 14 and 15).

double u[N][M], x;                  double (*u)[M] OMPC_RELEASED = ompc_malloc_host(sizeof(double[N][M])), x;
static double b[N];                 static double *b;
int main(void) {                    int main(void) { b = ompc_malloc_host_global(sizeof(double[N]));
p = malloc(n * sizeof *p);          p = ompc_malloc_host_block(n * sizeof *p);

In: the pinned arrays and the allocations of the plan, the user's text.   Out: edits.
Not here: whether they may be changed -- plan/thesis/host_buffers.py, plan/thesis/heap_blocks.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from ompc.frontend.array_declarations import ArrayDeclaration, find_array_declaration
from ompc.frontend.main_function import main_body
from ompc.frontend.text import Edit, Replace, line_ending
from ompc.frontend.tokens import Token, tokens
from ompc.plan.model.host_edits import HeapAllocation, PinnedArray


def pinned_edits(pinned: Sequence[PinnedArray], source_text: str, keep_lines: bool) -> list[Edit]:
    """The edits of all declarations and of `main`. `keep_lines`: add no line.

    ValueError when a declaration does not stand where the plan says: the plan is of another text.
    """
    if not pinned:
        return []
    found = tokens(source_text, pinned[0].at.file)
    edits: list[Edit] = []
    assignments: list[str] = []
    for array in pinned:
        declaration = find_array_declaration(found, array.symbol.name, array.at.file, array.at.line)
        if declaration is None:
            raise ValueError(f"{array.at}: no declaration of the array '{array.symbol.name}'")
        edits += _declarator_edits(declaration, source_text, array.is_global)
        if array.is_global:
            assignments.append(f"{array.symbol.name} = ompc_malloc_host_global(sizeof({declaration.type_text}));")
    if assignments:
        edits.append(_main_edit(found, assignments, source_text, keep_lines))
    return edits


def allocation_edits(allocations: Sequence[HeapAllocation], source_text: str) -> list[Edit]:
    """The edits of the calls that allocate heap blocks: `malloc` becomes `ompc_malloc_host_block`.

    ValueError when a call does not stand where the plan says.
    """
    if not allocations:
        return []
    places = {(allocation.function, allocation.at.line) for allocation in allocations}
    found = [
        name
        for name, after in pairwise(tokens(source_text, allocations[0].at.file))
        if (name.text, name.line) in places and after.text == "("
    ]
    if missing := places - {(name.text, name.line) for name in found}:
        function, line = min(missing)
        raise ValueError(f"line {line}: no call of {function}")
    return [Replace(name.line, name.column, name.text, f"ompc_{name.text}_host_block") for name in found]


def _declarator_edits(declaration: ArrayDeclaration, source_text: str, is_global: bool) -> Iterator[Edit]:
    name = declaration.name
    pointer = f"*{name.text}" if len(declaration.brackets) == 1 else f"(*{name.text})"
    yield Replace(name.line, name.column, name.text, pointer)
    opening, closing = declaration.brackets[0]
    yield Replace(opening.line, opening.column, source_text[opening.start : closing.end], "")
    if not is_global:
        last = declaration.brackets[-1][1]
        allocation = f" OMPC_RELEASED = ompc_malloc_host(sizeof({declaration.type_text}))"
        yield Replace(last.line, last.column + 1, "", allocation)


def _main_edit(found: Sequence[Token], assignments: Sequence[str], source_text: str, keep_lines: bool) -> Edit:
    """First thing in `main`: lines of their own where nothing follows its `{` on the line."""
    index = main_body(found)
    if index is None:
        raise ValueError("no definition of main")
    brace = found[index]
    rest, _, following = source_text[brace.end :].partition("\n")
    if keep_lines or rest.strip():
        return Replace(brace.line, brace.column + 1, "", " " + " ".join(assignments))
    indent = following[: len(following) - len(following.lstrip(" \t"))] or "    "
    lines = "".join(f"{line_ending(source_text)}{indent}{assignment}" for assignment in assignments)
    return Replace(brace.line, brace.column + 1, "", lines)
