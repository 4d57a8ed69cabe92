"""Analysis: one name for all that a pointer may lead to, anywhere in a file.

Pointers and structs that are assigned or passed to one another are one class, with all that they lead to. A member of
real numbers is one in each object, `p->x` of another class than `q->x`, where p and q are:

    double *p = a;  f(p);  memcpy(b, p, n);      a, p, b and f's parameter are one class
    int n;  memcpy(&n, &d, 4);                   so are n and d, although their types differ
    qsort(a, n, 8, less)                         less gets pointers to a
    count(n, a)                                  so does va_arg(ap, double *) in `int count(int n, ...)`: one for all
    u = (uintptr_t)a;  p = (double *)u;          p leads where all pointers lead of which integers were made
    sprintf(text, "%g", x);                      text has the value of x

A member is of the class of its whole object in a union, and where a part of the class is also accessed
as something else: by its members and by subscripts, or after a cast of a pointer to a struct.

    Source: Steensgaard, "Points-to Analysis in Almost Linear Time", POPL 1996, with one class for all levels.
    In: Unit.   Out: ObjectClasses.   Not here: what is done with the values -- compared_objects.py; a kernel's own
    objects -- points_to.py.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence

from ompc.analysis.eligibility.library_effects import allocates, copies, is_of_system, plain_name
from ompc.analysis.floats.float_values import has_floats
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.queries import nodes
from ompc.ir.walk import Node

Class = Hashable

_VARIADIC = "variadic"
"""The class of what functions of the file get by `...`."""
_ADDRESSES = "addresses"
"""The class of what integers lead to that become pointers."""
_OTHER_COPIES = frozenset("bcopy memccpy wmemcpy wmemmove strcpy strncpy stpcpy swab".split())
_PRINTS_TO = frozenset("sprintf snprintf asprintf strfromd strfromf".split())


class ObjectClasses:
    """`functions`: those with a body; `nodes`: all of the file, each with the function that it is in."""

    def __init__(self, unit: t.Unit) -> None:
        self.functions = {function.symbol: function for function in unit.functions.values() if function.body}
        outside: list[tuple[t.Function | None, Node]] = [(None, node) for v in unit.variables for node in nodes(v)]
        bodies = [(function, function.body) for function in self.functions.values() if function.body is not None]
        self.nodes = [*outside, *((function, node) for function, body in bodies for node in nodes(body))]
        self._parent: dict[Class, Class] = {}
        self._joined: set[Class] = set()
        self._whole: set[Class] = set()
        self._allocating = {function.symbol for function in self.functions.values() if _allocates(function)}
        self._idle = _idle_parameters(self.nodes, self.functions)
        self._by_pointer = _called_by_pointers(self.nodes, self.functions)
        self._led_to = {
            (node.operand.member.name, id(record_of(node.operand)))
            for _, node in self.nodes
            if isinstance(node, t.Unary) and node.op == "&" and isinstance(node.operand, t.Member)
        }
        made = [node.operand for _, node in self.nodes if isinstance(node, t.Cast) and _makes_pointer(node)]
        for function, node in self.nodes:
            self._unify(function, node)
            if made and isinstance(node, t.Cast) and ty.is_integer(node.type):
                self._join(_ADDRESSES, self._key(node.operand) if _leads(node.operand.type) else None)
        for lvalue in (part for operand in made for part in nodes(operand)):
            if isinstance(lvalue, t.Expr) and is_lvalue(lvalue):
                self._join(_ADDRESSES, self._key(lvalue))
        self._find_whole_objects()

    def of(self, node: t.Expr) -> Class | None:
        """The class of the object that an lvalue is part of, or that a pointer leads to; None: of no known object."""
        key = self._key(node)
        return None if key is None else self._find(key)

    def of_symbol(self, symbol: t.Symbol) -> Class:
        return self._find(symbol)

    def is_alone(self, symbol: t.Symbol) -> bool:
        """Does nothing else lead to the variable?"""
        return symbol not in self._joined

    def parts(self, node: t.Expr) -> Iterator[Class]:
        """The classes of all real numbers in the object of an lvalue, or that a pointer leads to."""
        inside = self.of(node)
        if inside is not None:
            kind = ty.decayed(node.type)
            yield from self._parts(inside, kind.to if isinstance(kind, ty.Pointer) else kind)

    def _parts(self, inside: Class, kind: ty.Type) -> Iterator[Class]:
        yield inside
        match ty.element_of(kind):
            case ty.Struct(record=record):
                for field in record.fields or ():
                    if has_floats(field.type):
                        yield from self._parts(self._find(self._member(record, field, inside)), field.type)
            case _:
                pass

    def given(self, function: t.Function | None, node: Node) -> Iterator[tuple[Class | None, t.Expr]]:
        """What the node gives to which object."""
        for key, value in self._passed(function, node):
            yield (None if key is None else self._find(key)), value

    # ------------------------------------------------------------------------------- names of objects

    def _find(self, key: Class) -> Class:
        while (parent := self._parent.get(key, key)) != key:
            self._parent[key] = self._parent.get(parent, parent)
            key = parent
        return key

    def _join(self, one: Class | None, other: Class | None) -> None:
        if one is not None and other is not None and self._find(one) != self._find(other):
            self._parent[self._find(one)] = self._find(other)
            self._joined.update((one, other))

    def _key(self, node: t.Expr) -> Class | None:
        while True:
            match node:
                case t.Name(symbol=symbol):
                    return symbol
                case t.CompoundLiteral():
                    return node
                case t.OpaqueExpr() if is_variadic_argument(node):
                    return _VARIADIC
                case t.Cast() if _makes_pointer(node):
                    return _ADDRESSES
                case t.Member(base=base) if isinstance(base.type, ty.Complex):
                    node = base  # the parts are one with the whole
                case t.Member(base=base, member=member):
                    record = record_of(node)
                    return (member.name, 0) if record is None else self._member(record, member, self._key(base))
                case t.Index(base=inner) | t.Unary(op="*" | "&", operand=inner) | t.Cast(operand=inner):
                    node = inner
                case t.IncDec(operand=inner) | t.Assign(target=inner) | t.Comma(right=inner):
                    node = inner
                case t.Conditional(then=inner):
                    node = inner  # of one class with the other, where they are pointers or structs
                case t.Binary(left=left, right=right):
                    node = left if isinstance(ty.decayed(left.type), ty.Pointer) else right
                case t.Call(function=t.Name(symbol=symbol)):
                    if symbol in self._allocating:
                        return None  # each call's result is an object of its own
                    if symbol in self.functions:
                        return "returned", symbol
                    return node if _returns_argument(symbol) else None
                case _:
                    return None

    def _member(self, record: ty.Record, member: ty.Field, inside: Class | None) -> Class:
        if inside is not None and (record.kind == "union" or self._find(inside) in self._whole):
            return inside
        is_one = not isinstance(member.type, ty.Float) or (member.name, id(record)) in self._led_to
        return (member.name, id(record) if inside is None or is_one else self._find(inside))

    # ----------------------------------------------------------------------------------- what is one

    def _unify(self, function: t.Function | None, node: Node) -> None:
        if isinstance(node, t.Call) and isinstance(node.type, ty.Pointer) and self._key(node) is node:
            for argument in node.args:
                if _leads(argument.type):
                    self._join(node, self._key(argument))
        if isinstance(node, t.Conditional) and _leads(node.type):
            self._join(self._key(node.then), self._key(node.other))
        for key, value in self._passed(function, node):
            if _leads(value.type):
                self._join(key, self._key(value))

    def _passed(self, function: t.Function | None, node: Node) -> Iterator[tuple[Class | None, t.Expr]]:
        match node:
            case t.Assign(target=target, value=value):
                yield from self._initial(self._key(target), target.type, value)
            case t.VarDecl(symbol=symbol, init=t.Expr() as value):
                yield from self._initial(symbol, symbol.type, value)
            case t.CompoundLiteral(init=value):
                yield from self._initial(node, node.type, value)
            case t.Return(value=t.Expr() as value) if function is not None:
                yield from self._initial(("returned", function.symbol), value.type, value)
            case t.Call(function=t.Name(symbol=symbol), args=args) if symbol in self.functions:
                yield from self._arguments(self.functions[symbol], args)
            case t.Call(function=t.Name(symbol=symbol), args=(to, source, *_)) if _copies(symbol):
                yield self._key(to), source
            case t.Call(function=t.Name(symbol=symbol), args=(to, *args)) if plain_name(symbol) in _PRINTS_TO:
                yield from ((self._key(to), value) for value in args if isinstance(value.type, (ty.Float, ty.Complex)))
            case t.Call(function=called, args=args):
                yield from self._called_back(called, args)
            case _:
                pass

    def _initial(self, key: Class | None, kind: ty.Type, value: t.Expr) -> Iterator[tuple[Class | None, t.Expr]]:
        """What each part of an object of the type is given."""
        if not isinstance(value, t.InitList):
            yield key, value
            return
        for place, (_, item) in zip(value.places, value.items, strict=True):
            inside, part = key, kind
            for index in place:
                match part:
                    case ty.Array(of=of):
                        part = of
                    case ty.Struct(record=record):
                        field = (record.fields or ())[index]
                        inside, part = self._member(record, field, inside), field.type
                    case _:
                        pass  # a scalar in braces
            yield from self._initial(inside, part, item)

    def _arguments(self, callee: t.Function, args: Sequence[t.Expr]) -> Iterator[tuple[Class | None, t.Expr]]:
        for parameter, argument in zip(callee.params, args, strict=False):
            if parameter not in self._idle:
                yield from self._initial(parameter, parameter.type, argument)
        for argument in args[len(callee.params) :]:
            yield _VARIADIC, argument

    def _called_back(self, called: t.Expr, args: Sequence[t.Expr]) -> Iterator[tuple[Class | None, t.Expr]]:
        """By a function of the library, or through a pointer: whom, is not known."""
        if isinstance(called, t.Name) and isinstance(called.symbol.type, ty.Function):
            for callee in filter(None, map(self._named_function, args)):
                pointers = (p for p in callee.params if isinstance(p.type, ty.Pointer))
                yield from ((parameter, a) for parameter in pointers for a in args if _leads(a.type))
            return
        for callee in self._by_pointer:
            if len(callee.params) == len(args) or (_is_variadic(callee) and len(callee.params) < len(args)):
                yield from self._arguments(callee, args)

    def _named_function(self, node: t.Expr) -> t.Function | None:
        while isinstance(node, (t.Cast, t.Unary)):
            node = node.operand
        return self.functions.get(node.symbol) if isinstance(node, t.Name) else None

    # ------------------------------------------------------------------------- more than one view of one object

    def _find_whole_objects(self) -> None:
        """Where objects are not only accessed by their members, these are one class with them."""
        scalars, members = set[Class](), defaultdict[Class, list[t.Member]](list)
        whole = {self._key(node) for _, node in self.nodes if isinstance(node, t.Cast) and _changes_struct(node)}
        for _, node in self.nodes:
            match node:
                case t.Member(base=base) if not isinstance(base.type, ty.Complex):
                    key = self._key(base)
                    if key is not None:
                        members[key].append(node)
                case t.Name() | t.Index() | t.Unary(op="*") if ty.is_number(node.type):
                    scalars.add(self._key(node))
        whole |= scalars
        while True:
            found = {self._find(key) for key in whole if key is not None}
            if found == self._whole:
                return
            self._whole = found
            for key, accessed in list(members.items()):
                if self._find(key) in found:
                    for node in accessed:
                        self._join((node.member.name, id(record_of(node))), key)


def record_of(node: t.Member) -> ty.Record | None:
    """The struct or union of which it is a member."""
    kind = node.base.type
    kind = ty.element_of(kind.to if isinstance(kind, ty.Pointer) else kind)
    return kind.record if isinstance(kind, ty.Struct) else None


def is_lvalue(node: t.Expr) -> bool:
    return isinstance(node, (t.Name, t.Index, t.Member)) or (isinstance(node, t.Unary) and node.op == "*")


def is_variadic_argument(node: t.Expr) -> bool:
    return isinstance(node, t.OpaqueExpr) and node.why == "va_arg"


def _is_variadic(function: t.Function) -> bool:
    kind = function.symbol.type
    return isinstance(kind, ty.Function) and kind.variadic


def _copies(function: t.Symbol) -> bool:
    return copies(function) or plain_name(function) in _OTHER_COPIES


def _makes_pointer(node: t.Cast) -> bool:
    """Does an integer become a pointer? 0 does not lead anywhere."""
    is_pointer = isinstance(ty.decayed(node.type), ty.Pointer)
    made = is_pointer and ty.is_integer(node.operand.type) and constant_value(node.operand) is None
    return made and not is_of_system(node.loc)


def _returns_argument(function: t.Symbol) -> bool:
    """May it return a pointer that it is given, or one into what that leads to? It has no source here."""
    return not allocates(function) or "realloc" in function.name


def _leads(kind: ty.Type) -> bool:
    return isinstance(ty.decayed(kind), (ty.Pointer, ty.Struct))


def _changes_struct(node: t.Cast) -> bool:
    """Does a pointer to a struct become one to something else, or the other way round?"""
    pair = [_pointed(ty.decayed(kind)) for kind in (node.type, node.operand.type)]
    known = [kind for kind in pair if kind is not None and not isinstance(kind, ty.Void)]
    return len(known) == 2 and known[0] != known[1] and any(isinstance(kind, ty.Struct) for kind in known)


def _pointed(kind: ty.Type) -> ty.Type | None:
    return ty.unqualified(ty.element_of(kind.to)) if isinstance(kind, ty.Pointer) else None


def _idle_parameters(
    nodes: Sequence[tuple[t.Function | None, Node]], functions: Mapping[t.Symbol, t.Function]
) -> set[t.Symbol]:
    """Pointers to void that are only handed to functions of the library, as in `void release(void *p) { free(p); }`."""
    found = {p for f in functions.values() for p in f.params if isinstance(p.type, ty.Pointer) and _is_void(p.type.to)}
    handed: set[t.Expr] = set()
    for _, node in nodes:
        match node:
            case t.Call(function=t.Name(symbol=symbol), args=args) if symbol not in functions and not _copies(symbol):
                if not any(isinstance(a, t.Name) and a.symbol in functions for a in args):
                    handed.update(args)
            case t.Unary(op="!", operand=operand):
                handed.add(operand)
            case t.Binary(op="==" | "!=" | "&&" | "||", left=left, right=right):
                handed.update((left, right))
            case t.If(condition=condition):
                handed.add(condition)
            case _:
                pass
    return found - {node.symbol for _, node in nodes if isinstance(node, t.Name) and node not in handed}


def _is_void(kind: ty.Type) -> bool:
    return isinstance(kind, ty.Void)


def _called_by_pointers(
    nodes: Sequence[tuple[t.Function | None, Node]], functions: Mapping[t.Symbol, t.Function]
) -> list[t.Function]:
    """Functions that the file names without calling them."""
    called = {node.function for _, node in nodes if isinstance(node, t.Call)}
    named = {n.symbol for _, n in nodes if isinstance(n, t.Name) and n.symbol in functions and n not in called}
    return [function for symbol, function in functions.items() if symbol in named]


def _outlives_call(symbol: t.Symbol) -> bool:
    """Is it there in more than one call, and may it lead to something, or be led to?"""
    lasts = symbol.function is None or symbol.storage is t.Storage.LOCAL_STATIC
    plain = ty.is_number(symbol.type) and not symbol.address_taken
    return lasts and not plain and not isinstance(symbol.type, ty.Function)


def _allocates(function: t.Function) -> bool:
    """Does it return nothing but what others have allocated, and store no floating-point numbers?"""
    kind = function.symbol.type
    if not isinstance(kind, ty.Function) or not isinstance(kind.returns, ty.Pointer) or function.body is None:
        return False
    if any(isinstance(parameter.type, ty.Pointer) for parameter in function.params):
        return False
    for node in nodes(function.body):
        if isinstance(node, t.Assign) and not isinstance(node.target, t.Name) and not ty.is_integer(node.target.type):
            return False
        if isinstance(node, t.Name) and _outlives_call(node.symbol):
            return False
    return True
