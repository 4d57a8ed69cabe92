"""Pointers to rows of variable length become pointers to elements, and their subscripts are written out.

    static void row(int n, double x[][n], int j)       static void row(int n, double *x, int j)
    {                                                  {
        x[j][1] = *x[j] + (x + 1)[j][0];         ->        x[(long)j * n + 1] = x[(long)j * n] + x[...];
    }                                                  }

    double (*q)[n] = (double (*)[n])p;                 /* nothing: `q` keeps its value, which `p` has */
    q[j][i] = 0;                                       p[(long)j * n + i] = 0;

So the code of a kernel has no variably modified types (a device has none), and analyses see subscripts as they know
them. Lengths are those at the declaration (row_shapes.py); what is counted in rows, as `x + 1` and differences of
pointers, is counted in elements. A pointer that never gets another value is its value, if that is made of what the code
does not change: then it is known which object it leads to. An object that is declared outside of the loop keeps its
type, by which analyses know that rows do not overlap, and a pointer to the same rows is another name of it.

    In: the code of a function or of a loop's iteration.   Out: the same without such pointers; or NoFlatRows.
    Not here: which functions and loops -- variable_rows.py; arrays of variable length that the code declares.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from ompc.base.source import Location
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.queries import assigned_in, declared_in, only_reads, symbols_in, unread_in
from ompc.ir.rewrite import copied, rebuilt, rewritten, with_parts
from ompc.ir.walk import Node, type_expressions
from ompc.transform.rows.row_places import Place, Places, base_of, sum_of
from ompc.transform.rows.row_shapes import (
    NoFlatRows,
    as_long,
    element_of_rows,
    flat,
    is_of_rows,
    is_stable,
    lengths_written,
    linear,
    product,
    rows_of,
    times,
)


class Flattening(Places):
    """Of the code of one function or iteration."""

    @property
    def gone(self) -> Collection[t.Symbol]:
        """The pointers to rows that the code has no more."""
        return self._shapes.keys() & (self._flat.keys() | self._views.keys())

    def of(self, node: Node) -> Node:
        return rewritten(node, self._change)

    def without_unused(self, code: t.Stmt) -> t.Stmt:
        """`code` without lengths that nothing in it asks for, as of rows of which only the first is named."""

        def drop(node: Node) -> Node | None:
            if not isinstance(node, t.DeclStmt) or not any(decl.symbol in unused for decl in node.decls):
                return None
            return replace(node, decls=tuple(decl for decl in node.decls if decl.symbol not in unused))

        while unused := (self._noted & declared_in(code)) - symbols_in(code):
            made = rewritten(code, drop)
            assert isinstance(made, t.Stmt)
            code = made
        return code

    def parameter(self, symbol: t.Symbol) -> tuple[t.Symbol, tuple[t.VarDecl, ...]]:
        """A parameter, if it points to rows as a pointer to elements, and the variables that hold its lengths."""
        for kind in (symbol.type, symbol.written):  # the body does what the lengths do, too late for those behind
            if any(not only_reads(length) for length in type_expressions(kind or ty.VOID)):
                raise NoFlatRows
        if not ty.is_variably_modified(symbol.type):
            return symbol, ()
        return self._flattened(symbol), self._lengths(symbol, symbol.loc)

    # ---------------------------------------------------------------------------------------------- declarations

    def _flattened(self, symbol: t.Symbol) -> t.Symbol:
        if symbol.address_taken or not symbol.is_automatic or rows_of(symbol.type) is None:
            raise NoFlatRows
        self._flat[symbol] = replace(symbol, type=flat(symbol.type), written=None)
        self._before[self._flat[symbol]] = symbol
        return self._flat[symbol]

    def _lengths(self, symbol: t.Symbol, loc: Location) -> tuple[t.VarDecl, ...]:
        """Notes the lengths of `symbol`'s rows; what declares those that do not stand for themselves."""
        lengths, declared = lengths_written(symbol.type), list[t.VarDecl]()
        shape = list(lengths)
        for place, length in enumerate(lengths):
            if isinstance(length, int) or is_stable(length, self._assigned):
                continue
            if unread_in(length) is not None or (not only_reads(length) and len(lengths) > 1):
                raise NoFlatRows
            name = self._around.free_name(f"{symbol.name}_length")
            own = t.Symbol(name, ty.LONG, t.Storage.AUTO, symbol.loc, symbol.position, symbol.function)
            value = rewritten(length, self._change)
            declared.append(t.VarDecl(own, t.Cast(ty.LONG, length.loc, value), loc))
            if only_reads(length):
                self._noted.add(own)
            shape[place] = t.Name(ty.LONG, length.loc, own)
        self._shapes[symbol] = tuple(shape)
        return tuple(declared)

    def _declarations(self, node: t.DeclStmt) -> t.DeclStmt:
        decls: list[t.VarDecl] = []
        for decl in node.decls:
            symbol = decl.symbol
            if not ty.is_variably_modified(symbol.type) or isinstance(symbol.type, ty.Array):
                decls.append(rebuilt(decl, self._change))
                continue
            own = self._flattened(symbol)
            decls += self._lengths(symbol, decl.loc)
            init = None if decl.init is None else self._converted(decl.init, own.type)
            view = None if decl.init is None or init is None else self._view(symbol, decl.init, init)
            if view is not None:
                self._views[symbol] = view
            else:
                decls.append(t.VarDecl(own, init, decl.loc))
        same = len(decls) == len(node.decls) and all(a is b for a, b in zip(decls, node.decls, strict=True))
        return node if same else replace(node, decls=tuple(decls))

    def _view(self, symbol: t.Symbol, init: t.Expr, value: t.Expr) -> Place | t.Expr | None:
        """What the pointer is, in other words, as long as its name is visible: a place in an object, or `value`."""
        if symbol in self._assigned:
            return None
        while isinstance(init, t.Cast) and isinstance(ty.decayed(init.operand.type), ty.Pointer):
            init = init.operand
        place = self._place(init)
        if place is not None and self._is_like(place, symbol):
            return place
        return value if self._is_fixed(value) else None

    def _is_fixed(self, pointer: t.Expr) -> bool:
        match pointer:
            case t.Name(symbol=symbol):
                return self._lies_still(symbol)
            case t.Cast(type=ty.Pointer(), operand=operand):
                return self._is_fixed(operand)
            case t.Binary(op="+", type=ty.Pointer(), left=left, right=right):
                return self._is_fixed(left) and is_stable(right, self._assigned)
            case _:
                return False

    # ----------------------------------------------------------------------------------------------- expressions

    def _change(self, node: Node) -> Node | None:
        match node:
            case t.Block():
                return self._block(node)
            case t.DeclStmt():
                return self._declarations(node)
            case t.ExprStmt(expr=t.IncDec(prefix=False) as step) if rows_of(step.type) is not None:
                return replace(node, expr=self._pointer(replace(step, prefix=True)))
            case t.For(step=t.IncDec(prefix=False) as step) if rows_of(step.type) is not None:
                return self.of(replace(node, step=replace(step, prefix=True)))
            case t.Sizeof(of=of, loc=loc):
                return self._size(of, loc)
            case t.Call():
                return self._call(node)
            case t.Expr() if rows_of(node.type) is not None:
                return self._pointer(node)
            case t.Index() | t.Unary(op="*") if is_of_rows(base_of(node).type):
                return self._element(node)
            case t.Binary(op="-", left=left, right=right) if rows_of(left.type) is not None:
                count = product(self._shape(left), node.loc)
                difference = t.Binary(ty.LONG, node.loc, "-", self._pointer(left), self._pointer(right))
                return t.Binary(ty.LONG, node.loc, "/", difference, count)
            case t.Unary(op="&", operand=t.Name(symbol=symbol)) if symbol in self._shapes:
                raise NoFlatRows
            case _:
                return None

    def _block(self, node: t.Block) -> t.Block:
        """What it declares is seen inside of it alone, where a variable of the code around may keep its value."""
        around, self._assigned = self._assigned, self._around.assigned_beside | assigned_in(node)
        made = rebuilt(node, self._change)
        self._assigned = around
        return made

    def _call(self, node: t.Call) -> t.Expr:
        args = node.args
        symbol = node.function.symbol if isinstance(node.function, t.Name) else None
        kinds = self._around.parameters.get(symbol) if symbol is not None else None
        if kinds is not None and len(kinds) == len(args):
            made = tuple(self._converted(arg, kind) for arg, kind in zip(args, kinds, strict=True))
        else:
            made = rewritten(args, self._change)
        return with_parts(node, args=made) if any(a is not b for a, b in zip(args, made, strict=True)) else node

    def _converted(self, value: t.Expr, kind: ty.Type) -> t.Expr:
        """`value` where C converts it to a pointer to elements."""
        made = self.of(value)
        assert isinstance(made, t.Expr)
        source = ty.decayed(made.type)
        if not isinstance(kind, ty.Pointer) or not isinstance(source, ty.Pointer):
            return made
        plain = ty.unqualified(source.to) == ty.unqualified(kind.to) and source.to.quals <= kind.to.quals
        return made if plain else t.Cast(ty.unqualified(kind), value.loc, made)

    def _size(self, of: ty.Type, loc: Location) -> t.Expr:
        """Of a type that is spelled here, or of an expression whose lengths are still what they were."""
        lengths = [length for length in ty.lengths_of(of) if length is not None]
        if any(isinstance(n, t.Expr) and not self._is_known(n) for n in lengths):
            raise NoFlatRows
        size = ty.size_of(ty.element_of(of))
        if size is None or not lengths:
            raise NoFlatRows
        bytes_of_one = t.IntConst(ty.LONG, loc, size, f"{size}L")
        return t.Cast(ty.SIZE_T, loc, times(bytes_of_one, lengths))

    def _element(self, node: t.Expr) -> t.Expr:
        """`x[i][j]`: by its own name, or by its number."""
        if self._is_by_name(node):
            return self._same(node)
        place = self._place(node)
        if place is not None:
            return self._of_place(node, place)
        pointer, index = self._numbered(node)
        kind = element_of_rows(_base_of_rows(node).type)
        pointer, index = _joint(pointer, index)
        if isinstance(node.type, ty.Array) and ty.is_variably_modified(node.type):
            return t.Binary(ty.Pointer(kind), node.loc, "+", pointer, index)
        return t.Index(node.type, node.loc, pointer, index)

    def _numbered(self, node: t.Expr) -> tuple[t.Expr, t.Expr]:
        """The pointer to the first element, and the number of the element that `node` is or begins with."""
        subscripts: list[t.Expr] = []
        base = node
        while isinstance(base, t.Index) or (isinstance(base, t.Unary) and base.op == "*"):
            if not is_of_rows(base_of(base).type):
                break
            zero: t.Expr = t.IntConst(ty.INT, base.loc, 0, "0")
            subscripts.insert(0, rewritten(base.index, self._change) if isinstance(base, t.Index) else zero)
            base = base_of(base)
        return self._pointer(base), linear(subscripts, self._shape(base))

    def _pointer(self, node: t.Expr) -> t.Expr:
        """A pointer to rows as one to the first element of the first row."""
        place = self._place(node)
        if place is not None:
            return self._pointer_to(place, node.loc)
        kind = flat(node.type)
        match node:
            case t.Name(symbol=symbol) if symbol in self._views:
                view = self._views[symbol]
                assert isinstance(view, t.Expr)
                return copied(view)
            case t.Name(symbol=symbol) if symbol in self._flat:
                return replace(node, symbol=self._flat[symbol], type=self._flat[symbol].type)
            case t.Index() | t.Unary(op="*"):
                return self._moved(*self._numbered(node), kind)
            case t.Unary(op="&", operand=t.Index() | t.Unary(op="*") as row) if is_of_rows(base_of(row).type):
                return self._moved(*self._numbered(row), kind)
            case t.Binary(op="+", left=left, right=right):
                pointer, count = (left, right) if rows_of(left.type) is not None else (right, left)
                return self._moved(self._pointer(pointer), self._rows(count, pointer), kind)
            case t.Binary(op="-", left=left, right=right):
                back = t.Unary(ty.LONG, node.loc, "-", self._rows(right, left))
                return self._moved(self._pointer(left), back, kind)
            case t.Cast(type=of, operand=operand):
                if any(not only_reads(n) or unread_in(n) is not None for n in type_expressions(of)):
                    raise NoFlatRows
                return self._converted(operand, kind)
            case t.Conditional(then=then, other=other):
                then, other = self._converted(then, kind), self._converted(other, kind)
                return t.Conditional(kind, node.loc, rewritten(node.condition, self._change), then, other)
            case t.Comma(left=left, right=right):
                return t.Comma(kind, node.loc, rewritten(left, self._change), self._pointer(right))
            case t.Assign(op=op, target=t.Name() as target, value=value):
                made_value = self._converted(value, kind) if op == "=" else self._rows(value, target)
                return t.Assign(kind, node.loc, op, self._pointer(target), made_value)
            case t.IncDec(op=op, prefix=prefix, operand=t.Name() as operand):
                one = product(self._shape(operand), node.loc)
                moved = t.Assign(kind, node.loc, f"{op[0]}=", self._pointer(operand), one)
                if prefix:
                    return moved
                before = t.Unary(ty.LONG, node.loc, "-", copied(one)) if op == "++" else copied(one)
                return t.Binary(kind, node.loc, "+", moved, before)
            case _:
                raise NoFlatRows

    def _rows(self, count: t.Expr, pointer: t.Expr) -> t.Expr:
        """How many elements so many of the pointer's rows have."""
        return times(as_long(rewritten(count, self._change), count.loc), self._shape(pointer))

    @staticmethod
    def _moved(pointer: t.Expr, elements: t.Expr, kind: ty.Pointer) -> t.Expr:
        if constant_value(elements) == 0:
            return pointer
        pointer, elements = _joint(pointer, elements)
        return t.Binary(ty.unqualified(kind), elements.loc, "+", pointer, elements)

    def _pointer_to(self, place: Place, loc: Location) -> t.Expr:
        kind = ty.Pointer(element_of_rows(place.root.type))
        subscripts = (*place.subscripts, *((place.offset,) if place.offset is not None else ()))
        root: t.Expr = t.Cast(kind, loc, t.Name(place.root.type, loc, place.root))
        if isinstance(place.root.type, ty.Array) and place.root in self._own:
            raise NoFlatRows  # an array of the iteration's own may lie elsewhere, in another order
        if not subscripts:
            return root
        lengths = self._known_lengths(place.root)
        if lengths is not None:
            return self._moved(root, linear(subscripts, lengths), kind)
        found = rows_of(place.root.type)
        assert found is not None
        zero: t.Expr = t.IntConst(ty.INT, loc, 0, "0")
        more = (zero,) * (len(found[0]) - len(subscripts))
        return self._of_place(root, Place(place.root, (*subscripts, *more)))


def _base_of_rows(node: t.Expr) -> t.Expr:
    while isinstance(node, (t.Index, t.Unary)) and is_of_rows(base_of(node).type):
        node = base_of(node)
    return node


def _joint(pointer: t.Expr, index: t.Expr) -> tuple[t.Expr, t.Expr]:
    """The same element, counted from where the sum begins that the pointer is."""
    match pointer:
        case t.Binary(op="+", type=ty.Pointer(), left=left, right=right) if _is_whole(left):
            return left, sum_of(right, index)
        case _:
            return pointer, index


def _is_whole(pointer: t.Expr) -> bool:
    """A pointer, or an array by its name: a row of one may be meant to be left."""
    return isinstance(pointer.type, ty.Pointer) or isinstance(pointer, t.Name)
