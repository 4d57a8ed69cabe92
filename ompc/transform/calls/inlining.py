"""Procedure integration: a call in a loop's body becomes the function's statements, with arguments for parameters.

    void scale(double row[5], int n) { for (int m = 0; m < n; m++) row[m] *= 2; }

    scale(t[i], 5);     ->     { for (int m = 0; m < 5; m++) t[i][m] *= 2; }

    static double part(const double *r, double *rest) { *rest = r[1] - 1; return r[0]; }

    s += part(p + 2 * i, &x) * x2;      ->      double part_value;
                                                { x = (p + 2 * i)[1] - 1; part_value = (p + 2 * i)[0]; }
                                                s += part_value * x2;

Then subscripts say which elements of the loop's arrays are meant, and what is each thread's own is that of the kernel,
also where the function names it. The meaning is the same: an argument that is put in a parameter's place is an array,
a pointer or a number, made from constants and variables that the function cannot change; all others become variables
that the block declares. Where a function gets the address of a private variable, that variable is what it follows:
nobody but the function knows that address, and then nobody does. Functions that jump, have pragmas or static objects
stay functions, and so do those that name objects which the loop's own code does not name, or of which the loop has
copies.

    In: a loop, the functions of its unit, which calls are wanted.   Out: the loop, with blocks for such calls.
    Not here: what functions do -- callees.py; what becomes of `return` -- returns.py; which calls of an expression may
    come before the rest -- call_order.py; when it pays -- the callers.
    Source: procedure integration (Cooper, Hall, Torczon, "Unexpected side effects of inline substitution", 1992).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, count

from ompc.base.frozen import dataclass, field
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.exits import has_goto
from ompc.ir.queries import called, callee, declared_in, only_reads, reached, symbols_in, targets_written
from ompc.ir.rewrite import copied, rebuilt, rewritten, with_items, with_parts, with_symbols
from ompc.ir.walk import Node, type_expressions, walk
from ompc.omp.model import ParallelLoop, Sharing
from ompc.omp.uses import ALL_QUESTIONS, has_side_effects
from ompc.transform.calls.arguments import pointee, replacement
from ompc.transform.calls.call_order import calls_first
from ompc.transform.calls.callees import (
    is_pointee,
    keeps_no_address,
    only_followed,
    sets_first,
    writes_by_name_alone,
    written_by,
)
from ompc.transform.calls.function_copies import FunctionCopy
from ompc.transform.calls.returns import without_returns

MOST_INLINED_NODES = 60_000
"""The most nodes of a body, with those of the functions in it; a larger one stays as it was."""

_UNFIT = (t.Pragma, t.OpaqueExpr, t.OpaqueStmt, t.Print, t.Sizeof, t.StringConst)
_BRACED = (t.InitList, t.CompoundLiteral)

Wanted = Callable[[t.Call, t.Function], bool]


def with_calls_inlined(
    loop: ParallelLoop, functions: Mapping[str, t.Function], wanted: Wanted, *, pointers: bool = False
) -> ParallelLoop:
    """`loop` with the statements of the functions that it calls in the place of the calls that are `wanted`.

    `pointers`: blocks may declare pointers in the place of parameters, also to rows of variable length, and name
    variables of file scope that the loop does not name but sees.
    """
    if loop.body is None or not loop.loops:
        return loop
    inliner = _Inliner(loop, functions, wanted, pointers)
    body = inliner.inside(loop.body, ())
    if body is loop.body or sum(1 for _ in walk(body)) > MOST_INLINED_NODES:
        return loop
    lengths = _lengths_of_rows(body)
    plain = [symbol for symbol in inliner.handed if symbol not in lengths and inliner.is_plain(symbol, body)]
    renamed = {symbol: replace(symbol, address_taken=False) for symbol in plain}
    body = with_symbols(body, renamed)
    sharing = {renamed.get(symbol, symbol): how for symbol, how in {**loop.sharing, **inliner.more}.items()}
    loops = (*loop.loops[:-1], replace(loop.loops[-1], body=body))
    return replace(loop, body=body, loops=loops, sharing=sharing)


def _lengths_of_rows(body: t.Stmt) -> frozenset[t.Symbol]:
    """The variables that types in `body` name in the lengths of rows."""
    kinds = [node.symbol.type for node in walk(body) if isinstance(node, t.VarDecl)]
    kinds += [node.type for node in walk(body) if isinstance(node, t.Cast)]
    found = (symbols_in(length) for kind in kinds if ty.is_variably_modified(kind) for length in type_expressions(kind))
    return frozenset().union(*found)


@dataclass(eq=False)
class _Inliner:
    loop: ParallelLoop
    functions: Mapping[str, t.Function]
    wanted: Wanted
    pointers: bool
    more: dict[t.Symbol, Sharing] = field(default_factory=dict)  # what the blocks name, and the loop did not
    taken: dict[str, t.Symbol | None] = field(default_factory=dict)
    variables: set[str] = field(default_factory=set)  # names by which no function is called everywhere in the loop
    handed: dict[t.Symbol, None] = field(default_factory=dict)  # the variables that functions got the addresses of

    def __post_init__(self) -> None:
        assert self.loop.body is not None
        parts: list[t.Stmt | t.Expr] = [self.loop.body]
        parts += [b for loop in self.loop.loops for b in (loop.lower, loop.upper, loop.step) if b is not None]
        nodes = (node for part in parts for node in walk(part))
        named = (node.symbol for node in nodes if isinstance(node, (t.Name, t.VarDecl)))
        for symbol in (*named, *self.loop.sharing, *(loop.var for loop in self.loop.loops)):
            self.taken[symbol.name] = symbol if self.taken.get(symbol.name, symbol) is symbol else None
            if not isinstance(symbol.type, ty.Function):
                self.variables.add(symbol.name)
        self.taken |= dict.fromkeys(self.functions.keys() - self.taken.keys())

    def inside(self, body: t.Stmt, path: tuple[str, ...]) -> t.Stmt:
        def change(node: Node) -> Node | None:
            match node:
                case t.Block(items=items):
                    return with_items(node, [made for item in items for made in in_block(item)])
                case t.For(body=inner):
                    return with_parts(node, body=rewritten(inner, change))
                case t.Pragma(body=inner):
                    return node if isinstance(inner, t.ExprStmt) else with_parts(node, body=rewritten(inner, change))
                case t.Stmt():
                    made = in_block(node)
                    return made[0] if len(made) == 1 else t.Block(node.loc, tuple(made))
                case _:
                    return node  # calls in expressions are found from their statements

        def in_block(item: t.Stmt) -> Sequence[t.Stmt]:
            if isinstance(item, (t.Block, t.For, t.Pragma)):
                return [rewritten(item, change)]
            made = self._with_calls(item, path)
            return [rebuilt(item, change)] if made is None else made

        return rewritten(body, change)

    def _with_calls(self, item: t.Stmt, path: tuple[str, ...]) -> Sequence[t.Stmt] | None:
        """What stands in the place of `item`, whose calls are in front of it; None: none of them is."""
        match item:
            case t.ExprStmt(expr=t.Call() as call):
                block = self._block(call, path, None)
                return None if block is None else [block]
            case t.ExprStmt(expr=t.Assign(op="=", target=t.Name(symbol=symbol), value=t.Call() as call)):
                block = self._block(call, path, symbol) if _can_get(symbol, call) else None
                return self._calls_first(item, item.expr, path) if block is None else [block]
            case t.DeclStmt(decls=(t.VarDecl(symbol=symbol, init=t.Call() as call) as declared,)):
                block = self._block(call, path, symbol) if _can_get(symbol, call) else None
                if block is not None:
                    return [t.DeclStmt(item.loc, (replace(declared, init=None),)), block]
                return self._calls_first(item, call, path)
            case t.DeclStmt(decls=(t.VarDecl(symbol=symbol, init=t.Expr() as init),)) if symbol.is_automatic:
                return None if isinstance(init, t.InitList) else self._calls_first(item, init, path)
            case t.ExprStmt(expr=whole) | t.If(condition=whole):
                return self._calls_first(item, whole, path)
            case _:
                return None

    def _calls_first(self, item: t.Stmt, whole: t.Expr, path: tuple[str, ...]) -> Sequence[t.Stmt] | None:
        """With the calls in `whole`, an expression of `item`, in front of that."""
        before: list[t.Stmt] = []
        values: dict[t.Expr, t.Name] = {}

        def in_argument(node: Node) -> Node | None:
            return values.get(node) if isinstance(node, t.Expr) else None

        for call in calls_first(whole, partial(self._is_wanted, path=path), self._written, self._is_hidden):
            given = with_parts(call, args=rewritten(call.args, in_argument))
            symbol = self._value_of(call)
            block = None if symbol is None else self._block(given, path, symbol)
            if block is not None and symbol is not None:
                before += [t.DeclStmt(call.loc, (t.VarDecl(symbol, None, call.loc),)), block]
                values[call] = t.Name(symbol.type, call.loc, symbol)
        if not before:
            return None

        def changed(node: Node) -> Node | None:
            if isinstance(node, t.Expr) and node in values:
                return values[node]
            return self.inside(node, path) if isinstance(node, t.Stmt) else None

        return [*before, rebuilt(item, changed)]

    def _value_of(self, call: t.Call) -> t.Symbol | None:
        """A new variable for what the call returns."""
        kind = ty.unqualified(call.type)
        function = callee(call, self.functions)
        if function is None or not ty.is_arithmetic(kind):
            return None
        name = self._free_name(replace(function.symbol, name=f"{function.name}_value"))
        return t.Symbol(name, kind, t.Storage.AUTO, call.loc, function.symbol.position, self.loop.function)

    def _is_wanted(self, call: t.Call, path: tuple[str, ...]) -> bool:
        function = callee(call, self.functions)
        return function is not None and function.name not in path and self.wanted(call, function)

    def _written(self, call: t.Call) -> frozenset[t.Symbol] | None:
        function = callee(call, self.functions)
        return None if function is None else written_by(call, function, self.functions)

    def _block(self, call: t.Call, path: tuple[str, ...], result: t.Symbol | None) -> t.Block | None:
        """The block that does what the statement `call;` does, or `result = call;`; None: there is none."""
        function = callee(call, self.functions)
        if function is None or function.body is None or not self._is_wanted(call, path):
            return None
        if not self._is_fit(function) or len(call.args) != len(function.params):
            return None
        items = without_returns(function.body.items, partial(_given, result, function))
        by_name = writes_by_name_alone(function)
        places: dict[t.Symbol, t.Expr] = {}
        declared: list[tuple[t.Symbol, t.Expr]] = []
        pointees: dict[t.Symbol, t.Expr] = {}
        variables: dict[t.Symbol, t.Symbol] = {}
        copy = FunctionCopy(places, pointees, self.loop.function, self._free_name)
        for parameter, arg in zip(function.params, call.args, strict=True):
            if (place := replacement(function, parameter, arg, by_name)) is not None:
                places[parameter] = place
            elif (variable := self._pointed_to(function, parameter, arg, call)) is not None:
                variables[parameter] = variable
            elif (element := pointee(function, parameter, arg, by_name)) is not None:
                pointees[parameter] = element
            elif ty.is_arithmetic(parameter.type) or (self.pointers and isinstance(parameter.type, ty.Pointer)):
                declared.append((parameter, arg))
            else:
                return None
        if items is None:
            return None
        declared.sort(key=lambda each: isinstance(each[0].type, ty.Pointer))  # lengths of rows are numbers
        first, last = list[t.Stmt](), list[t.Stmt]()
        for parameter, variable in variables.items():
            self.handed[variable], own = None, variable
            if not sets_first(function, parameter):
                own = self._variable_for(parameter, variable, call, first)
                last += [_assigned(variable, own, call)] * _writes_to(function, parameter)
            pointees[parameter] = t.Name(own.type, call.loc, own)
        for parameter, arg in declared:
            own = copy.symbol(parameter)
            first.append(t.DeclStmt(arg.loc, (t.VarDecl(own, copied(arg), arg.loc),)))
        block = t.Block(call.loc, (*first, *rewritten(items, copy.of), *last))
        inner = self.inside(block, (*path, function.name))
        assert isinstance(inner, t.Block)
        arrays = (arg.symbol for arg in places.values() if isinstance(arg, t.Name) and isinstance(arg.type, ty.Array))
        self.handed |= dict.fromkeys(arrays)
        return inner

    def _variable_for(self, parameter: t.Symbol, variable: t.Symbol, call: t.Call, first: list[t.Stmt]) -> t.Symbol:
        """The block's own variable, with the value of the one that a parameter points to."""
        name = self._free_name(parameter)
        own = t.Symbol(name, variable.type, t.Storage.AUTO, parameter.loc, parameter.position, self.loop.function)
        first.append(t.DeclStmt(call.loc, (t.VarDecl(own, t.Name(variable.type, call.loc, variable), call.loc),)))
        return own

    def _is_fit(self, function: t.Function) -> bool:
        kind, body = function.symbol.type, function.body
        if body is None or not isinstance(kind, ty.Function) or kind.variadic or has_goto(body):
            return False
        own = {*function.params, *declared_in(body)}
        for node in walk(body):
            match node:
                case t.VarDecl(symbol=symbol) if not symbol.is_automatic or not self._can_declare(symbol):
                    return False
                case t.Name(symbol=symbol) if symbol not in own and not self._is_known(symbol):
                    return False
                case _ if isinstance(node, _UNFIT) or (isinstance(node, _BRACED) and not self.pointers):
                    return False
                case _:
                    pass
        return all(map(self._can_declare, function.params))

    def _can_declare(self, symbol: t.Symbol) -> bool:
        """No array of variable length, nor a pointer to one, unless that is asked for."""
        kind = symbol.type
        lengths = (length for written in (kind, symbol.written) if written for length in type_expressions(written))
        if not self.pointers:
            return not ty.is_variably_modified(kind)
        return all(map(only_reads, lengths))

    def _is_known(self, symbol: t.Symbol) -> bool:
        """Does the name mean in the loop what it means in the function?"""
        if isinstance(symbol.type, ty.Function):
            return symbol.name not in self.variables and self.taken.get(symbol.name) in (None, symbol)
        if self.pointers and symbol.name not in self.taken and self._is_seen(symbol):
            self.taken[symbol.name] = symbol
            self.more[symbol] = Sharing.SHARED
        how = self.loop.sharing.get(symbol, self.more.get(symbol))
        of_thread = symbol.threadprivate and how in (Sharing.TEAM_PRIVATE, Sharing.PRIVATE, Sharing.SHARED)
        return self.taken.get(symbol.name) is symbol and (how is Sharing.SHARED or of_thread)

    def _is_seen(self, symbol: t.Symbol) -> bool:
        """May the loop name the variable of file scope?"""
        region = self.loop.team.region if self.loop.team is not None else None
        directives = [directive for directive in (self.loop.directive, region) if directive is not None]
        defaults = [clause for directive in directives for clause in directive.all("default")]
        if any(clause.kind != "shared" for clause in defaults) or self.loop.target is not None:
            return False
        visible = self.loop.pragma.scope.get(symbol.name) is symbol
        return visible and not symbol.is_automatic and not symbol.threadprivate

    def _pointed_to(self, function: t.Function, parameter: t.Symbol, arg: t.Expr, call: t.Call) -> t.Symbol | None:
        """The private variable whose address `arg` is, if the function, and all others that get it, do nothing with the
        address but to follow it.
        """
        match parameter.type, arg:
            case ty.Pointer(to=to), t.Unary(op="&", operand=t.Name(symbol=symbol)):
                pass
            case _:
                return None
        plain = ty.is_arithmetic(symbol.type) and not symbol.type.quals and not to.quals & {"volatile", "_Atomic"}
        own = self.loop.sharing.get(symbol, Sharing.PRIVATE) is Sharing.PRIVATE and symbol.is_automatic
        if not (plain and own and ty.unqualified(to) == symbol.type) or not only_followed(function, parameter):
            return None
        assert self.loop.body is not None
        alone = sum(node.symbol is symbol for node in walk(call) if isinstance(node, t.Name)) == 1
        return symbol if alone and keeps_no_address(self.loop.body, symbol, self.functions) else None

    def _is_hidden(self, symbol: t.Symbol) -> bool:
        """Does nobody but functions that the loop and the code around it call have a pointer to the variable?"""
        assert self.loop.body is not None
        function = self.functions.get(self.loop.function or "")
        codes = [self.loop.body, *([] if function is None or function.body is None else [function.body])]
        return symbol.is_automatic and all(keeps_no_address(code, symbol, self.functions) for code in codes)

    def is_plain(self, symbol: t.Symbol, body: t.Stmt) -> bool:
        """Has nobody an address of the thread's own variable, now that the loop has this body?"""
        if self.loop.sharing.get(symbol, Sharing.PRIVATE) is not Sharing.PRIVATE or not symbol.address_taken:
            return False
        return self._is_hidden(symbol) and keeps_no_address(body, symbol, {})

    def _free_name(self, symbol: t.Symbol) -> str:
        candidates = chain((symbol.name,), (f"{symbol.name}_{number}" for number in count(1)))
        name = next(name for name in candidates if name not in self.taken)
        self.taken[name] = None
        self.variables.add(name)
        return name


def _can_get(symbol: t.Symbol, call: t.Call) -> bool:
    """Can the function's statements give its value to the variable, which they do not name?"""
    plain = ty.is_arithmetic(symbol.type) and not symbol.type.quals
    return plain and symbol.is_automatic and symbol not in symbols_in(call)


def _writes_to(function: t.Function, parameter: t.Symbol) -> bool:
    targets = () if function.body is None else targets_written(function.body)
    return any(is_pointee(target, parameter) for target in targets)


def _assigned(variable: t.Symbol, value: t.Symbol, at: t.Expr) -> t.Stmt:
    target, source = t.Name(variable.type, at.loc, variable), t.Name(value.type, at.loc, value)
    return t.ExprStmt(at.loc, t.Assign(variable.type, at.loc, "=", target, source))


def _given(result: t.Symbol | None, function: t.Function, node: t.Return) -> Sequence[t.Stmt]:
    """What stands in the place of a `return`, as a conversion to the function's type does it (C11 6.8.6.4)."""
    value, kind = node.value, function.symbol.type
    assert isinstance(kind, ty.Function)
    if value is None:
        return []
    if result is None:
        return [t.ExprStmt(node.loc, value)] if has_side_effects(value) else []
    returned = ty.unqualified(kind.returns)
    if returned not in (ty.unqualified(value.type), result.type):
        value = t.Cast(returned, value.loc, value)
    name = t.Name(result.type, node.loc, result)
    return [t.ExprStmt(node.loc, t.Assign(result.type, node.loc, "=", name, value))]


def names_own(loop: ParallelLoop, functions: Mapping[str, t.Function]) -> Wanted:
    """Calls of functions that name, or call others that name, objects of which each thread of the loop has its own, or
    ask for numbers of threads and teams.
    """
    own = {symbol for symbol, how in loop.sharing.items() if how is Sharing.TEAM_PRIVATE}

    def wanted(call: t.Call, function: t.Function) -> bool:
        bodies = () if function.body is None else reached(function.body, functions)
        named = ((symbols_in(body), ALL_QUESTIONS.intersection(called(body))) for body in bodies)
        return any(asked or not own.isdisjoint(symbols) for symbols, asked in named)

    return wanted
