"""Edits that turn declared arrays into pointers to page-locked memory (`--opt thesis`; thesis figures 14 and 15).

double u[N][M], x;                  double (*u)[M] OMPC_RELEASED = ompc_malloc_host(sizeof(double[N][M])), x; static
double b[N];                 static double *b; int main(void) {                    int main(void) { b =
ompc_malloc_host_global(sizeof(double[N]));

In: the pinned arrays of the plan, the user's text.   Out: edits.
Not here: whether an array may be changed -- plan/host_buffers.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ompc.frontend.array_declarations import ArrayDeclaration, find_array_declaration
from ompc.frontend.main_function import main_body
from ompc.frontend.text import Edit, Replace, line_ending
from ompc.frontend.tokens import Token, tokens
from ompc.plan.model import PinnedArray


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
