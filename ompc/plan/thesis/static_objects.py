"""Plan: arrays and structs with static storage inside functions that other functions get as pointers.

    int main(void)
    {
        static double u[N][N]; OMPC_STATIC_ARRAY(u);      the launcher in relax(u) finds all of u by its address
        relax(u);

A launcher that can name the array needs no such line. What follows the declaration is a declaration too, whose object
the linker collects with those of the other functions, so it does not matter whether control ever comes there.

In: the unit, the program as text.   Out: the arrays whose declaration can be followed by such a line.
Not here: file-scope arrays (decide.py); automatic arrays, of which a launcher needs the exact section.
"""

from __future__ import annotations

from collections.abc import Iterator

from ompc.frontend.array_declarations import find_array_declaration
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.walk import walk
from ompc.plan.model.program_text import ProgramText


def registered_statics(unit: t.Unit, source_text: str, expanded_text: str) -> tuple[t.Symbol, ...]:
    """In the order of the text."""
    found = tuple(_candidates(unit))
    if not found:
        return ()
    texts = ProgramText(unit, source_text, expanded_text)
    return tuple(symbol for symbol in found if has_plain_declaration(texts, symbol, static=True))


def _candidates(unit: t.Unit) -> Iterator[t.Symbol]:
    for function in unit.functions.values():
        for node in walk(function.body) if function.body is not None else ():
            if isinstance(node, t.VarDecl) and _is_passed_on(node.symbol) and node.symbol.loc.file == unit.file:
                yield node.symbol


def _is_passed_on(symbol: t.Symbol) -> bool:
    is_static = symbol.storage is t.Storage.LOCAL_STATIC and not symbol.threadprivate
    whole = isinstance(symbol.type, (ty.Array, ty.Struct)) and bool(ty.size_of(symbol.type))
    return is_static and whole and symbol.address_taken


def has_plain_declaration(texts: ProgramText, symbol: t.Symbol, static: bool) -> bool:
    """Does it stand in the user's text as the compiler sees it, so that something can follow it?"""
    place = (symbol.name, symbol.loc.file, symbol.loc.line)
    source = find_array_declaration(texts.source, *place, initialised=True, any_object=True)
    expanded = find_array_declaration(texts.own, *place, initialised=True, any_object=True)
    if source is None or expanded is None or source.last(texts.source) is None:
        return False
    return source.is_static == expanded.is_static == static and len(source.brackets) == len(expanded.brackets)
