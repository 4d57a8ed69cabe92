"""Plan: automatic arrays and structs that the runtime knows until control leaves their scope.

    int main(void)
    {
        double u[N][N], f[N]; OMPC_AUTOMATIC_ARRAY(u); OMPC_AUTOMATIC_ARRAY(f);
        relax(u, f);                                   the launcher in relax finds all of u by its address

What follows the declaration is a declaration too, whose cleanup tells the runtime that the object goes. Those of 64 KB
and more, and of variable size, that a loop on the device uses or whose address is given to other code than the
library's, stay on the device. Smaller ones are copied by each launch, and told of where a launcher could ask how large
the object is that a pointer leads to: a kernel has such a pointer, the address is given away, and the function may come
to a launch. Not those that OpenMP's constructs declare for their threads, nor where a jump can lead into the scope
behind the declaration: compilers refuse to jump past a cleanup.

In: the unit, what the kernels use, whether one asks, the program as text.
Out: the objects whose declaration gets such a line behind it.
Not here: static arrays (static_objects.py); what becomes of the line -- runtime/libc/blocks/ompc_automatic_arrays.c.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.conversions import uncast
from ompc.ir.exits import gotos, has_free_case
from ompc.ir.walk import Node, children, type_expressions, walk
from ompc.plan.model.program_text import ProgramText
from ompc.plan.thesis.static_objects import has_plain_declaration
from ompc.sema.addresses import roots, stays_array

LEAST_BYTES = 64 * 1024
"""The least size in bytes of an object that the runtime keeps on the device. It compares the sizes of variable-length
arrays itself.
"""


def registered_automatics(
    unit: t.Unit, used: Collection[t.Symbol], small: bool, source_text: str, expanded_text: str
) -> tuple[t.Symbol, ...]:
    """In the order of the text. `used`: the objects of the kernels. `small`: a launcher may look for small ones."""
    found = tuple(symbol for symbol in _candidates(unit) if small or is_large(symbol))
    if not found:
        return ()
    texts = ProgramText(unit, source_text, expanded_text)
    library = texts.library_functions
    given = _given_away(unit, library)
    launching = _launching(unit, library) if small else frozenset[str]()
    wanted = {symbol for symbol in found if symbol in given and (is_large(symbol) or symbol.function in launching)}
    wanted |= {symbol for symbol in found if symbol in used and is_large(symbol)}
    return tuple(symbol for symbol in found if symbol in wanted and has_plain_declaration(texts, symbol, static=False))


def _launching(unit: t.Unit, library: Collection[str]) -> frozenset[str]:
    """The functions that may come to a launch: they have directives, or call such a one, or what is not seen here."""
    calls: dict[str, set[str]] = {}
    found: set[str] = set()
    for function in unit.functions.values():
        nodes = tuple(walk(function.body)) if function.body is not None else ()
        callees = [node.function for node in nodes if isinstance(node, t.Call)]
        calls[function.name] = {callee.symbol.name for callee in callees if isinstance(callee, t.Name)}
        if any(isinstance(node, t.Pragma) for node in nodes) or not all(isinstance(c, t.Name) for c in callees):
            found.add(function.name)
    defined = {name for name, function in unit.functions.items() if function.body is not None}
    found |= {name for name, called in calls.items() if not called <= defined | frozenset(library)}
    while more := {name for name, called in calls.items() if name not in found and called & found}:
        found |= more
    return frozenset(found)


def _candidates(unit: t.Unit) -> Iterator[t.Symbol]:
    for function in unit.functions.values():
        if function.body is None or function.symbol.loc.file != unit.file:
            continue
        if not any(isinstance(node, t.OpaqueStmt) for node in walk(function.body)):
            yield from _declared_in(function.body, gotos(function.body))


def is_large(symbol: t.Symbol) -> bool:
    """Of an automatic object: is it one that stays on the device?"""
    size = ty.size_of(symbol.type)
    return any(type_expressions(symbol.type)) if size is None else size >= LEAST_BYTES


def _declared_in(statement: t.Stmt, jumps: Sequence[t.Goto]) -> Iterator[t.Symbol]:
    """The arrays and structs of the blocks of a statement, but for constructs of OpenMP, that no jump passes by."""
    match statement:
        case t.Pragma():
            return
        case t.Block(items=items):
            for position, item in enumerate(items):
                yield from _declared_in(item, jumps)
                objects = _objects(item)
                if objects and not _jumped_into(items[position + 1 :], jumps):
                    yield from objects
        case _:
            for child in children(statement):
                if isinstance(child, t.Stmt):
                    yield from _declared_in(child, jumps)


def _objects(statement: t.Stmt) -> list[t.Symbol]:
    declared = [declaration.symbol for declaration in statement.decls] if isinstance(statement, t.DeclStmt) else []
    return [s for s in declared if s.storage is t.Storage.AUTO and isinstance(s.type, (ty.Array, ty.Struct))]


def _jumped_into(rest: Sequence[t.Stmt], jumps: Sequence[t.Goto]) -> bool:
    """Does a label of a `switch` around it, or of a `goto` elsewhere, stand in the rest of a scope?"""
    inside = frozenset[Node](node for item in rest for node in walk(item))
    labels = {node.name for node in inside if isinstance(node, t.Label)}
    return any(goto.name in labels and goto not in inside for goto in jumps) or any(map(has_free_case, rest))


def _given_away(unit: t.Unit, library: Collection[str]) -> frozenset[t.Symbol]:
    """The arrays whose address goes anywhere but to a function of the library."""
    found: set[t.Symbol] = set()
    for function in unit.functions.values():
        nodes = tuple(walk(function.body)) if function.body is not None else ()
        kept = frozenset(
            argument
            for node in nodes
            if isinstance(node, t.Call) and isinstance(node.function, t.Name)
            if node.function.symbol.name in library and node.function.symbol.name not in unit.functions
            for argument in map(uncast, node.args)
        )
        found.update(symbol for node in nodes for expr in _addressed(node, kept) for symbol in roots(expr))
    return frozenset(found)


def _addressed(node: Node, kept: Collection[t.Expr]) -> Iterable[t.Expr]:
    if isinstance(node, t.Unary) and node.op == "&" and node not in kept:
        yield node.operand
    for child in children(node):
        if isinstance(child, t.Expr) and child not in kept and _decays(node, child):
            yield child


def _decays(parent: Node, child: t.Expr) -> bool:
    return isinstance(child.type, ty.Array) and not stays_array(parent, child)
