"""Procedure integration: a call in a loop's body becomes the function's statements, with arguments for parameters.

    void scale(double row[5], int n) { for (int m = 0; m < n; m++) row[m] *= 2; }

    scale(t[i], 5);     ->     { for (int m = 0; m < 5; m++) t[i][m] *= 2; }

Then subscripts say which elements of the loop's arrays are meant, and what is each thread's own is that of the kernel,
also where the function names it. The meaning is the same: an argument that is put in a parameter's place is an array,
or a number made from constants and variables that the function cannot change; all others become variables that the
block declares. The address of a private variable becomes a variable with its value, which goes back in the end: nobody
but the function knows that address. Functions that jump, return a value, have pragmas or static objects stay functions,
and so do those that name objects which the loop's own code does not name, or of which the loop has copies.

    In: a loop, the functions of its unit, which calls are wanted.   Out: the loop, with blocks for such calls.
    Not here: calls in expressions; when it pays -- the callers.
    Source: procedure integration (Cooper, Hall, Torczon, "Unexpected side effects of inline substitution", 1992).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.exits import has_goto, returns_early
from ompc.ir.queries import (
    assigned_in,
    called,
    callee,
    declared_in,
    names_in,
    only_reads,
    reached,
    symbols_in,
    targets_written,
)
from ompc.ir.rewrite import copied, copied_around, rewritten
from ompc.ir.walk import Node, type_expressions, walk
from ompc.omp.model import ParallelLoop, Sharing
from ompc.omp.uses import ALL_QUESTIONS

MOST_INLINED_NODES = 60_000
"""The most nodes of a body, with those of the functions in it; a larger one stays as it was."""

_UNFIT = (t.Pragma, t.OpaqueExpr, t.OpaqueStmt, t.Leave, t.Print, t.Sizeof, t.StringConst)
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
    loops = (*loop.loops[:-1], replace(loop.loops[-1], body=body))
    return replace(loop, body=body, loops=loops, sharing={**loop.sharing, **inliner.more})


@dataclass(eq=False)
class _Inliner:
    loop: ParallelLoop
    functions: Mapping[str, t.Function]
    wanted: Wanted
    pointers: bool
    more: dict[t.Symbol, Sharing] = field(default_factory=dict)  # what the blocks name, and the loop did not
    taken: dict[str, t.Symbol | None] = field(default_factory=dict)
    variables: set[str] = field(default_factory=set)  # names by which no function is called everywhere in the loop

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
                case t.ExprStmt(expr=t.Call(function=t.Name(symbol=symbol)) as call):
                    function = callee(call, self.functions)
                    if function is None or symbol.name in path or not self.wanted(call, function):
                        return None
                    return self._block(call, function, (*path, symbol.name))
                case _:
                    return None

        return rewritten(body, change)

    def _block(self, call: t.Call, function: t.Function, path: tuple[str, ...]) -> t.Block | None:
        """The block that does what the statement `call;` does; None: there is none."""
        if not self._is_fit(function) or len(call.args) != len(function.params) or function.body is None:
            return None
        by_name = _writes_by_name_alone(function)
        places: dict[t.Symbol, t.Expr] = {}
        first: list[t.Stmt] = []
        declared: list[tuple[t.Symbol, t.Expr]] = []
        pointees: dict[t.Symbol, t.Symbol] = {}
        copy = _Copy(places, pointees, self.loop.function, self._free_name)
        for parameter, arg in zip(function.params, call.args, strict=True):
            if self._can_replace(function, parameter, arg, by_name):
                places[parameter] = arg
            elif (variable := self._pointed_to(function, parameter, arg, call)) is not None:
                pointees[parameter] = variable
            elif ty.is_arithmetic(parameter.type) or (self.pointers and isinstance(parameter.type, ty.Pointer)):
                declared.append((parameter, arg))
            else:
                return None
        declared.sort(key=lambda each: isinstance(each[0].type, ty.Pointer))  # lengths of rows are numbers
        last: list[t.Stmt] = []
        for parameter, variable in pointees.items():
            own, name = copy.pointee(parameter), t.Name(variable.type, call.loc, variable)
            first.append(t.DeclStmt(call.loc, (t.VarDecl(own, name, call.loc),)))
            if any(_is_pointee(target, parameter) for target in targets_written(function.body)):
                back = t.Assign(own.type, call.loc, "=", copied(name), t.Name(own.type, call.loc, own))
                last.append(t.ExprStmt(call.loc, back))
        for parameter, arg in declared:
            own = copy.symbol(parameter)
            first.append(t.DeclStmt(arg.loc, (t.VarDecl(own, copied(arg), arg.loc),)))
        items = function.body.items
        if items and isinstance(items[-1], t.Return) and items[-1].value is None:
            items = items[:-1]
        block = t.Block(call.loc, (*first, *rewritten(items, copy.of), *last))
        inner = self.inside(block, path)
        assert isinstance(inner, t.Block)
        return inner

    def _is_fit(self, function: t.Function) -> bool:
        kind, body = function.symbol.type, function.body
        if body is None or not isinstance(kind, ty.Function) or kind.variadic or has_goto(body) or returns_early(body):
            return False
        own = {*function.params, *declared_in(body)}
        for node in walk(body):
            match node:
                case t.Return(value=t.Expr()):
                    return False
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
        """No array of variable length, and a pointer to one only if that is asked for."""
        kind = symbol.type
        lengths = (length for written in (kind, symbol.written) if written for length in type_expressions(written))
        if not self.pointers:
            return not ty.is_variably_modified(kind)
        return not (isinstance(kind, ty.Array) and ty.is_variably_modified(kind)) and all(map(only_reads, lengths))

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

    def _can_replace(self, function: t.Function, parameter: t.Symbol, arg: t.Expr, by_name: bool) -> bool:
        """Can `arg` stand wherever the function names `parameter`?"""
        if parameter.address_taken or parameter in assigned_in(function.body):
            return False
        if isinstance(parameter.type, ty.Pointer):
            return self._is_array(parameter.type, arg, by_name) and _only_subscripted(function, parameter)
        return ty.is_integer(parameter.type) and ty.is_integer(arg.type) and _is_number(arg, by_name)

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
        if not (plain and own and ty.unqualified(to) == symbol.type) or not _only_followed(function, parameter):
            return None
        alone = sum(node.symbol is symbol for node in walk(call) if isinstance(node, t.Name)) == 1
        return symbol if alone and self._keeps_address(symbol) else None

    def _keeps_address(self, symbol: t.Symbol) -> bool:
        """Does the loop do nothing with the address of `symbol` but to call functions that follow it?"""
        assert self.loop.body is not None
        known = set[Node]()
        for call in (node for node in walk(self.loop.body) if isinstance(node, t.Call)):
            function = callee(call, self.functions)
            if function is not None and len(function.params) == len(call.args):
                pairs = zip(function.params, call.args, strict=True)
                known |= {arg for parameter, arg in pairs if _only_followed(function, parameter)}
        taken = (node for node in walk(self.loop.body) if isinstance(node, t.Unary) and node.op == "&")
        return all(node in known for node in taken if symbol in symbols_in(node))

    def _is_array(self, wanted: ty.Pointer, arg: t.Expr, by_name: bool) -> bool:
        """An array, or an element of one that is an array, at subscripts that the function does not change."""
        if not isinstance(arg.type, ty.Array) or not ty.is_same_object(wanted.to, arg.type.of):
            return False
        while isinstance(arg, t.Index) and isinstance(arg.base.type, ty.Array):
            if not _is_number(arg.index, by_name):
                return False
            arg = arg.base
        return isinstance(arg, t.Name)

    def _free_name(self, symbol: t.Symbol) -> str:
        candidates = (symbol.name, *(f"{symbol.name}_{number}" for number in range(1, 10_000)))
        name = next(name for name in candidates if name not in self.taken)
        self.taken[name] = None
        self.variables.add(name)
        return name


@dataclass(eq=False)
class _Copy:
    """Of a function's statements: nodes of their own, since analyses know code by its nodes."""

    places: Mapping[t.Symbol, t.Expr]
    pointees: Mapping[t.Symbol, t.Symbol]
    function: str
    free_name: Callable[[t.Symbol], str]
    symbols: dict[t.Symbol, t.Symbol] = field(default_factory=dict)

    def symbol(self, symbol: t.Symbol) -> t.Symbol:
        """The block's own variable for one of the function's."""
        if symbol not in self.symbols:
            storage = t.Storage.AUTO if symbol.storage is t.Storage.PARAMETER else symbol.storage
            kind = ty.unqualified(symbol.type) if ty.is_arithmetic(symbol.type) else symbol.type
            name, kind = self.free_name(symbol), self.type(kind)
            self.symbols[symbol] = replace(
                symbol, name=name, storage=storage, type=kind, function=self.function, written=None
            )
        return self.symbols[symbol]

    def pointee(self, parameter: t.Symbol) -> t.Symbol:
        """The block's own variable for the one that a parameter points to."""
        if parameter not in self.symbols:
            kind = self.pointees[parameter].type
            name = self.free_name(parameter)
            self.symbols[parameter] = replace(
                parameter, name=name, storage=t.Storage.AUTO, type=kind, function=self.function, written=None
            )
        return self.symbols[parameter]

    def type(self, kind: ty.Type) -> ty.Type:
        """The type with the lengths that it has in the block."""
        match kind:
            case ty.Array(of=of, length=length):
                return replace(kind, of=self.type(of), length=rewritten(length, self.of))
            case ty.Pointer(to=to):
                return replace(kind, to=self.type(to))
            case _:
                return kind

    def of(self, node: Node) -> Node | None:
        match node:
            case t.Cast(type=kind, operand=operand) if ty.is_variably_modified(kind):
                return t.Cast(self.type(kind), node.loc, rewritten(operand, self.of))
            case t.Unary(op="*", operand=t.Name(symbol=symbol)) if symbol in self.pointees:
                own = self.pointee(symbol)
                return t.Name(own.type, node.loc, own)
            case t.Name(symbol=symbol) if symbol in self.places:
                return self._argument(self.places[symbol], symbol)
            case t.Name(symbol=symbol):
                return replace(node, symbol=self.symbols.get(symbol, symbol))
            case t.VarDecl(symbol=symbol):
                own = self.symbol(symbol)
                return replace(node, symbol=own, init=rewritten(node.init, self.of))
            case _:
                return copied_around(node, self.of)

    def _argument(self, arg: t.Expr, parameter: t.Symbol) -> t.Expr:
        value = copied(arg)
        kind = ty.unqualified(parameter.type)
        same = not ty.is_integer(parameter.type) or ty.unqualified(value.type) == kind
        return value if same else t.Cast(kind, value.loc, value)


def _is_number(arg: t.Expr, by_name: bool) -> bool:
    """Constants and variables that a function cannot change, or which is seen to write only `by_name`."""
    match arg:
        case t.IntConst():
            return True
        case t.Name(symbol=symbol):
            plain = not symbol.type.quals & {"volatile", "_Atomic"} and ty.is_integer(symbol.type)
            return plain and (by_name or (symbol.is_automatic and not symbol.address_taken))
        case t.Binary(op="+" | "-" | "*", left=left, right=right):
            return _is_number(left, by_name) and _is_number(right, by_name)
        case t.Cast(type=ty.Int(), operand=operand) | t.Unary(op="+" | "-", operand=operand):
            return _is_number(operand, by_name)
        case _:
            return False


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


def _writes_by_name_alone(function: t.Function) -> bool:
    """Does it write to its own variables and to elements of arrays of real numbers alone, and call nothing?

    Then no integer of the program has another value afterwards.
    """
    own = declared_in(function.body) if function.body else set()
    own |= {*function.params}
    if function.body is None or any(isinstance(node, t.Call) for node in walk(function.body)):
        return False
    for target in targets_written(function.body):
        is_own = isinstance(target, t.Name) and target.symbol in own
        if not is_own and not (_is_element(target, function) and isinstance(target.type, ty.Float)):
            return False
    return True


def _is_element(target: t.Expr, function: t.Function) -> bool:
    """An element of an array that has a name, or of what stands in the place of a parameter."""
    while isinstance(target, t.Index) and isinstance(target.base.type, ty.Array):
        target = target.base
    if isinstance(target, t.Index):
        return isinstance(target.base, t.Name) and target.base.symbol in function.params
    return isinstance(target, t.Name) and isinstance(target.type, ty.Array)


def _only_subscripted(function: t.Function, parameter: t.Symbol) -> bool:
    """Is the pointer's value used for nothing but to find elements, or to be handed on?"""
    assert function.body is not None
    bases = {node.base for node in walk(function.body) if isinstance(node, t.Index)}
    bases |= {arg for node in walk(function.body) if isinstance(node, t.Call) for arg in node.args}
    names = names_in(function.body).get(parameter, ())
    return all(name in bases for name in names)


def _is_pointee(lvalue: t.Expr, parameter: t.Symbol) -> bool:
    match lvalue:
        case t.Unary(op="*", operand=t.Name(symbol=symbol)):
            return symbol is parameter
        case _:
            return False


def _only_followed(function: t.Function, parameter: t.Symbol) -> bool:
    """Is the pointer's value used for nothing but to read and write what it points to?"""
    if function.body is None or not isinstance(parameter.type, ty.Pointer) or parameter.address_taken:
        return False
    followed = (node for node in walk(function.body) if isinstance(node, t.Unary) and _is_pointee(node, parameter))
    outer = {node.operand for node in walk(function.body) if isinstance(node, t.Unary) and node.op == "&"}
    operands = {node.operand for node in followed if node not in outer}
    return all(name in operands for name in names_in(function.body).get(parameter, ()))
