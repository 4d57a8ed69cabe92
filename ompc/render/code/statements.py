"""Statements of the typed tree as indented CUDA C++ lines, in the layout that a person would give them.

C++ forbids a jump past an initialised declaration. In code with `goto`, or in a `switch`, declarations are therefore
split: `int k = f(i);` becomes `int k;` and `k = f(i);`.

In: an ExpressionPrinter.   Out: list of lines without line ends.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.exits import is_label
from ompc.ir.queries import declared_in, is_constant_table, symbols_in
from ompc.ir.walk import walk
from ompc.omp.model import CanonicalLoop
from ompc.plan.model.batch_model import BatchedLoop, Batches
from ompc.plan.model.launch import RowStore
from ompc.plan.model.names import spelled
from ompc.render.code.batched_division import batched_loop, stride
from ompc.render.code.declared_places import Blocks, Kept, Places, places_of
from ompc.render.code.expressions import ExpressionPrinter
from ompc.render.code.initialisers import characters
from ompc.render.code.loop_counts import entries_of, trip_count
from ompc.render.code.types import TypePrinter, aligned_as_on_host
from ompc.render.line_marks import END_MARK, mark

INDENT = "    "

MOST_BRACES = 16
"""The deepest nest of blocks that hold nothing but one another; a deeper one is printed as one block."""


class StatementPrinter:
    """Prints the body of one kernel or function that returns `returns`."""

    def __init__(
        self,
        expressions: ExpressionPrinter,
        types: TypePrinter,
        returns: ty.Type = ty.VOID,
        entries: Mapping[t.Stmt, str] = MappingProxyType({}),
        declared: Collection[t.Symbol] = frozenset(),
        batches: Batches | None = None,
        row_stores: Sequence[RowStore] = (),
        symbols: Collection[t.Symbol] = frozenset(),
    ) -> None:
        """`entries` are the lines that note an argmin/argmax reduction's iteration where its statement takes a new
        best; `declared` are the variables that the kernel declares around the body, `batches` its batched loops,
        `row_stores` those that are one call, `symbols` all that the kernel or function has names of.
        """
        self._e = expressions
        self._entries = entries
        self._declared = declared
        self._groups = batches
        self._row_stores = {store.statement: store for store in row_stores}
        self._replaced = expressions.forms.statements
        self._types = types
        self._returns = returns
        self._split = False
        self._targets: set[str] = set()
        self._symbols = symbols
        self.around: Collection[t.Symbol] = ()  # variables that all that is printed declares, where it names them
        self._blocks = Blocks((), ())
        self._places = Places({}, frozenset())

    def placed(self, body: t.Stmt, around: Collection[t.Symbol]) -> frozenset[t.Symbol]:
        """Which variables declared `around` the statements of `body` these declare themselves, printed next."""
        self._find_places(body, around)
        return self._places.moved

    def lines(self, body: t.Stmt, are_placed: bool = False) -> list[str]:
        """The statements of `body`; a block's own braces are left to the caller."""
        if not are_placed:
            self._find_places(body, self.around)
        lines = list(self._items(self._innermost(body).items if isinstance(body, t.Block) else (body,)))
        return [*lines, END_MARK] if lines and self._e.marks_lines else lines

    def _find_places(self, body: t.Stmt, around: Collection[t.Symbol]) -> None:
        """Where declarations stand. C++ lets no jump pass one that has a value."""
        self._targets = {node.name for node in walk(body) if isinstance(node, t.Goto)}
        self._split = bool(self._targets)
        loops = () if self._groups is None else self._groups.loops
        special = {*self._replaced, *self._e.forms.ordered, *self._entries, *loops}
        self._blocks = Blocks({*self._symbols, *symbols_in(body), *declared_in(body)}, special)
        if self._split:
            self._places = Places({}, frozenset())
            return
        items: Sequence[t.Stmt] = self._innermost(body).items if isinstance(body, t.Block) else (body,)
        self._places = places_of(around, items, self._blocks, Kept(special, self._row_stores, self._e.bound))

    def are_unique(self, symbols: Iterable[t.Symbol]) -> bool:
        """Has nothing else of the kernel the name of one of them?"""
        twice = Blocks(self._symbols, ()).twice
        return not any(spelled(symbol.name) in twice for symbol in symbols)

    def _innermost(self, block: t.Block) -> t.Block:
        """Of more blocks inside each other than anyone writes: the braces of one say what those of all do."""
        inner, depth = block, 0
        while len(inner.items) == 1 and isinstance(item := inner.items[0], t.Block) and item not in self._replaced:
            inner, depth = item, depth + 1
        return inner if depth > MOST_BRACES else block

    def _items(self, items: Iterable[t.Stmt]) -> Iterator[str]:
        for item in items if self._split else self._blocks.items(items):
            says = not isinstance(item, t.Empty) and item not in self._places.unread
            if says and self._replaced.get(item, item) is not None:
                yield from self._marked(item)

    def _marked(self, node: t.Stmt) -> Iterator[str]:
        if self._e.marks_lines and not isinstance(node, (t.Block, t.Pragma)) and not is_label(node):
            yield mark(node.loc)
        yield from self._statement(node)

    def _statement(self, node: t.Stmt) -> Iterator[str]:
        operation = self._replaced.get(node)
        if operation is not None:
            yield self._e.operation(operation) + ";"
            return
        match node:
            case t.ExprStmt():
                yield self._expression(node) + ";"
            case t.DeclStmt(decls=decls):
                for decl in decls:
                    if decl.symbol.value is None or decl.symbol.address_taken:  # else nothing names it
                        yield from self._declaration(decl)
            case t.Block():
                yield "{"
                yield from self._indented(self._innermost(node).items)
                yield "}"
            case t.If():
                yield from self._if(node, "")
            case t.While(condition=condition, body=body):
                yield from self._headed(f"while ({self._e.text(condition)})", body)
            case t.DoWhile(body=body, condition=condition):
                yield from self._headed("do", body, f" while ({self._e.text(condition)});")
            case t.For():
                yield from self._for(node)
            case t.Switch():
                yield from self._switch(node)
            case t.Label(name=name):
                if name in self._targets:
                    yield f"{spelled(name)}:;"
            case t.Case(value=value):
                yield "default:" if value is None else f"case {self._e.text(value)}:"
            case t.Pragma():
                yield from self._construct(node)
            case _:
                yield self._simple(node)

    def _expression(self, node: t.ExprStmt) -> str:
        """An expression statement: a declaration where it is the first that names its variable."""
        symbol = self._places.first.get(node)
        if symbol is None or not isinstance(node.expr, t.Assign):
            return self._e.text(node.expr)
        return self._declared_with(symbol, node.expr.value)

    def _declared_with(self, symbol: t.Symbol, value: t.Expr) -> str:
        declared = self._types.declare(ty.unqualified(symbol.type), self._e.name(symbol))
        return f"{declared} = {self._e.initializer(value, symbol.type)}"

    def _construct(self, node: t.Pragma) -> Iterator[str]:
        """What a directive applies to; between fences where the memory order asks for them."""
        if node.body is None:
            return
        if node in self._e.forms.ordered:
            yield "{"
            yield f"{INDENT}__threadfence();"
            yield from self._indented((node.body,))
            yield f"{INDENT}__threadfence();"
            yield "}"
            return
        left = [item for item in getattr(node.body, "items", ()) if self._replaced.get(item, item) is not None]
        alone = len(left) == 1 and isinstance(left[0], (t.ExprStmt, t.If, t.Pragma))
        yield from self._marked(left[0] if alone else node.body)

    def _simple(self, node: t.Stmt) -> str:
        match node:
            case t.Empty():
                return ";"
            case t.Break():
                return "break;"
            case t.Continue():
                return "continue;"
            case t.Goto(name=name):
                return f"goto {spelled(name)};"
            case t.Return(value=None):
                return "return;"
            case t.Return(value=t.Expr() as value):
                return f"return {self._e.converted(value, self._returns)};"
            case _:
                raise TypeError(f"no device text for {type(node).__name__}")

    def _indented(self, items: Iterable[t.Stmt]) -> Iterator[str]:
        line = ""
        for line in self._items(items):
            yield INDENT + line
        if line.endswith(":"):  # a label stands in front of a statement
            yield f"{INDENT}{INDENT};"

    def _headed(self, head: str, body: t.Stmt, tail: str = "") -> Iterator[str]:
        """`head` with its body: braced when the user braced it, on a line of its own otherwise."""
        body = self._unwrapped(body)
        if isinstance(body, t.Block):
            yield head + " {"
            yield from self._indented(body.items)
            yield "}" + tail
        else:
            yield head
            yield from self._alone(body)
            if tail:
                yield tail.strip()

    def _if(self, node: t.If, prefix: str) -> Iterator[str]:
        head = f"{prefix}if ({self._e.text(node.condition)})"
        then = self._unwrapped(node.then)
        entry = self._entries.get(node)
        braced = entry is not None or isinstance(then, t.Block) or (node.other is not None and _ends_in_if(then))
        body = then.items if isinstance(then, t.Block) else (then,)
        yield head + (" {" if braced else "")
        yield from self._indented(body) if braced else self._alone(then)
        if entry is not None:
            yield INDENT + entry
        if node.other is None:
            if braced:
                yield "}"
            return
        yield from self._else(self._unwrapped(node.other), "} else" if braced else "else")

    def _else(self, other: t.Stmt, head: str) -> Iterator[str]:
        if isinstance(other, t.If) and other not in self._replaced:
            yield from self._if(other, head + " ")
        elif isinstance(other, t.Block) or head.startswith("}"):
            yield head + " {"
            yield from self._indented(other.items if isinstance(other, t.Block) else (other,))
            yield "}"
        else:
            yield head
            yield from self._alone(other)

    def _unwrapped(self, body: t.Stmt) -> t.Stmt:
        """A pragma that has no text of its own on the device disappears; what it stood on stays."""
        while isinstance(body, t.Pragma) and body.body is not None and body not in self._e.forms.ordered:
            body = body.body
        return body

    def _alone(self, body: t.Stmt) -> Iterator[str]:
        """A body without braces: one statement, which may be empty."""
        for line in self._marked(body):
            yield INDENT + line

    def _for(self, node: t.For) -> Iterator[str]:
        if self._groups is not None and node in self._groups.loops:
            yield from self._batched(self._groups.loops[node], self._groups)
            return
        if node in self._row_stores:
            store = self._row_stores[node]
            yield f"ompc::store_row(&{self._e.text(store.row)}[0], {self._e.name(store.own)});"
            return
        if isinstance(node.init, t.DeclStmt) and not self._is_one_declaration(node.init.decls):
            alone = t.For(node.loc, None, node.condition, node.step, node.body)
            yield from self._statement(t.Block(node.loc, (node.init, alone)))
            return
        yield from self._headed(self.for_head(node), node.body)

    def _batched(self, batched: BatchedLoop, batches: Batches) -> Iterator[str]:
        loop = batched.loop
        body = self._unwrapped(loop.body)
        lines = list(self._items(self._innermost(body).items if isinstance(body, t.Block) else (body,)))
        yield from batched_loop(batched, batches, self.bounds(loop), self._e.name, self._types, lines)

    def bounds(self, loop: CanonicalLoop) -> tuple[str, str, str]:
        """The first value of a loop inside, its number of iterations, how far they lie apart."""
        lower, upper, step = self._ends(loop)
        return lower, trip_count(loop, lower, upper, step), stride(loop, step)

    def entries(self, loop: CanonicalLoop) -> tuple[str, str]:
        """The iterations of a loop that lanes share, and how far they lie apart."""
        lower, upper, step = self._ends(loop)
        return entries_of(loop, lower, upper, step), stride(loop, step)

    def _ends(self, loop: CanonicalLoop) -> tuple[str, str, str]:
        lower = self._e.converted(loop.lower, ty.unqualified(loop.type))
        return lower, self._e.argument(loop.upper), "1" if loop.step is None else self._e.first_term(loop.step)

    def for_head(self, node: t.For, instead: str | None = None) -> str:
        """The parenthesis of a loop, with `for` in front; `instead`: of its condition."""
        init = "" if node.init is None else self._for_init(node, node.init)
        asked = instead if instead is not None or node.condition is None else self._e.text(node.condition)
        condition = "" if asked is None else f" {asked}"
        step = "" if node.step is None else " " + self._e.text(node.step)
        return f"for ({init};{condition};{step})"

    def _is_one_declaration(self, decls: tuple[t.VarDecl, ...]) -> bool:
        """Can a loop's head declare them? Of pointers and arrays only one: their declarators are more than names."""
        later = (d for d in decls if d.init is not None and self._e.after_initializer(d.init, d.symbol.type, ""))
        of_names = len(decls) == 1 or not isinstance(decls[0].symbol.type, ty.Pointer | ty.Array)
        return of_names and len({decl.symbol.type for decl in decls}) == 1 and next(later, None) is None

    def _for_init(self, node: t.For, init: t.Stmt) -> str:
        match init:
            case t.ExprStmt(expr=t.Assign(value=value)) if node in self._places.first:
                return self._declared_with(self._places.first[node], value)
            case t.ExprStmt(expr=expr):
                return self._e.text(expr)
            case t.DeclStmt(decls=decls):
                kind, names = ty.unqualified(decls[0].symbol.type), [self._e.name(decl.symbol) for decl in decls]
                declared = [self._types.declare(kind, names[0]), *names[1:]]
                return ", ".join(text + self._initial(decl) for text, decl in zip(declared, decls, strict=True))
            case _:
                return ""

    def _initial(self, decl: t.VarDecl) -> str:
        return "" if decl.init is None else f" = {self._e.initializer(decl.init, decl.symbol.type)}"

    def is_declared(self, symbol: t.Symbol) -> bool:
        """Does the kernel declare it, in front of the user's statements?"""
        return symbol in self._declared

    def _declaration(self, decl: t.VarDecl) -> Iterator[str]:
        kind, name = decl.symbol.type, self._e.name(decl.symbol)
        if self.is_declared(decl.symbol) or decl.symbol in self._places.moved:
            return
        if is_constant_table(decl.symbol):
            init = "{}" if decl.init is None else self._e.initializer(decl.init, kind)
            yield f"static {self._types.declare(kind, name)} = {init};"
            return
        if decl.init is None:
            yield aligned_as_on_host(decl.symbol) + self._types.declare(kind, name) + ";"
            return
        later = self._e.after_initializer(decl.init, kind, name)
        declared = self._types.declare(ty.unqualified_elements(kind) if later or self._split else kind, name)
        declared = aligned_as_on_host(decl.symbol) + declared
        init = self._e.initializer(decl.init, kind)
        if not self._split:
            yield f"{declared} = {init};"
        else:
            yield declared + ";"
            if isinstance(decl.init, t.StringConst):
                init = characters(decl.init, kind)
            yield f"ompc::assign({name}, {init});" if isinstance(kind, ty.Array) else f"{name} = {init};"
        yield from later

    def _switch(self, node: t.Switch) -> Iterator[str]:
        outer, self._split = self._split, True
        yield f"switch ({self._e.text(node.value)}) {{"
        line = ""
        for item in node.body.items if isinstance(node.body, t.Block) else (node.body,):
            for line in self._statement(item) if isinstance(item, t.Case) else self._indented((item,)):
                yield line
        if line.endswith(":"):
            yield f"{INDENT};"
        yield "}"
        self._split = outer


def _ends_in_if(node: t.Stmt) -> bool:
    """Would a following `else` bind to an inner `if`?"""
    match node:
        case t.If(other=None):
            return True
        case t.If(other=t.Stmt() as other):
            return _ends_in_if(_inside(other))
        case t.While(body=body) | t.For(body=body):
            return _ends_in_if(_inside(body))
        case _:
            return False


def _inside(body: t.Stmt) -> t.Stmt:
    while isinstance(body, t.Pragma) and body.body is not None:
        body = body.body
    return body
