"""The values of a struct's members: of a braced list, another object, or a call of a function that makes such a list.

    struct complex add(struct complex a, struct complex b)
    {   struct complex c;
        c.re = a.re + b.re;                       add(s, z[i])  is  re: s.re + z[i].re,  im: s.im + z[i].im
        c.im = a.im + b.im;
        return c;
    }

A function is followed that gives values to variables of its own, one after the other, and calls nothing; each value is
made from the arguments, which have no side effects. Names of the function's never get out of it.

    In: an expression, the functions of the unit.   Out: the value of each member; None: it is made in another way.
    Not here: when a member may be assigned for itself -- members.py.
    Source: forward substitution (Muchnick, "Advanced Compiler Design and Implementation", 12.4).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ompc.base.frozen import dataclass, field
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.queries import nodes
from ompc.ir.rewrite import copied, rewritten
from ompc.ir.walk import Node
from ompc.omp.uses import has_side_effects

MOST_NODES = 200
"""Of the value of one member: a function's variables are put in the places of their names."""


def members_of(kind: ty.Type) -> Mapping[str, ty.Field] | None:
    """The members of a struct that has nothing but plain numbers, by name; None: it is something else."""
    record = kind.record if isinstance(kind, ty.Struct) and not kind.quals & {"volatile", "_Atomic"} else None
    if record is None or record.kind != "struct" or not record.fields or record.opaque is not None:
        return None
    plain = all(f.bits is None and ty.is_arithmetic(f.type) and not f.type.quals for f in record.fields)
    named = {f.name: f for f in record.fields if f.name}
    return named if plain and len(named) == len(record.fields) else None


def values_of(value: t.Expr, functions: Mapping[str, t.Function]) -> dict[str, t.Expr] | None:
    """The value of each member of the struct `value`, by its name; None: they are not seen."""
    return _Maker(functions).members(value)


@dataclass
class _Maker:
    """Values of structs, member by member. `scalars`, `records`: what a function's own variables stand for."""

    functions: Mapping[str, t.Function]
    scalars: dict[t.Symbol, t.Expr] = field(default_factory=dict)
    records: dict[t.Symbol, dict[str, t.Expr]] = field(default_factory=dict)
    inside: bool = False  # of a function, whose names mean nothing outside

    def members(self, value: t.Expr) -> dict[str, t.Expr] | None:
        """The value of each member of the struct `value`; None: it is made in another way."""
        fields = members_of(value.type)
        if fields is None:
            return None
        match value:
            case t.CompoundLiteral(init=init) | (t.InitList() as init):
                return self._listed(init, fields)
            case t.Call(function=t.Name(symbol=symbol), args=args):
                function = self.functions.get(symbol.name)
                return None if function is None or function.symbol is not symbol else self._called(function, args)
            case t.Name(symbol=symbol) if symbol in self.records:
                return dict(self.records[symbol])
            case t.Name() | t.Member() | t.Index() | t.Unary(op="*"):
                if has_side_effects(value):
                    return None
                parts = {name: t.Member(f.type, value.loc, value, f, arrow=False) for name, f in fields.items()}
                found = {name: self.scalar(part) for name, part in parts.items()}
                return {name: part for name, part in found.items() if part is not None}
            case _:
                return None

    def _listed(self, init: t.InitList, fields: Mapping[str, ty.Field]) -> dict[str, t.Expr] | None:
        found, names = dict[str, t.Expr](), tuple(fields)
        for place, (_, value) in zip(init.places, init.items, strict=True):
            part = self.scalar(value)
            if len(place) != 1 or part is None or names[place[0]] in found:
                return None
            found[names[place[0]]] = _converted(part, fields[names[place[0]]].type)
        return found

    def scalar(self, value: t.Expr) -> t.Expr | None:
        """`value` with what a function's own variables stand for; None: it cannot be put there."""
        if has_side_effects(value) or any(isinstance(node, t.Call) for node in nodes(value)):
            return None
        unknown = False

        def change(node: Node) -> Node | None:
            nonlocal unknown
            match node:
                case t.Member(base=t.Name(symbol=symbol), member=member, arrow=False) if symbol in self.records:
                    found = self.records[symbol].get(member.name or "")
                    unknown |= found is None
                    return node if found is None else copied(found)
                case t.Name(symbol=symbol) if symbol in self.scalars:
                    return copied(self.scalars[symbol])
                case t.Name() if self.inside:
                    unknown = True  # a name that means something else, or nothing, where the loop is
                case t.IntConst(text=text) if self.inside and text.isidentifier():
                    return replace(node, text=str(node.value) if node.value >= 0 else f"({node.value})")
                case t.Cast(type=kind) | t.Sizeof(of=kind) if self.inside and not ty.is_arithmetic(kind):
                    unknown = True
                case t.CompoundLiteral() | t.StringConst():
                    unknown = True
                case _:
                    pass
            return None

        made = rewritten(value, change)
        return None if unknown or sum(1 for _ in nodes(made)) > MOST_NODES else made

    # ------------------------------------------------------------------ functions

    def _called(self, function: t.Function, args: tuple[t.Expr, ...]) -> dict[str, t.Expr] | None:
        """What the function returns, if it only gives values to variables of its own, one after the other."""
        body = function.body
        if self.inside or body is None or len(args) != len(function.params) or function.symbol.varies:
            return None
        inside = _Maker({}, inside=True)
        for parameter, arg in zip(function.params, args, strict=True):
            value = self.members(arg) if isinstance(parameter.type, ty.Struct) else self.scalar(arg)
            if not inside.gives(parameter, value):
                return None
        for item in body.items:
            if isinstance(item, t.Return):
                value = None if item.value is None else inside.members(item.value)
                return value if item is body.items[-1] else None
            if not inside.runs(item):
                return None
        return None

    def gives(self, symbol: t.Symbol, value: t.Expr | dict[str, t.Expr] | None) -> bool:
        """Notes the value of one of the function's own variables."""
        if value is None or symbol.address_taken or not symbol.is_automatic or symbol.type.quals - {"const"}:
            return False
        if isinstance(value, dict):
            self.records[symbol] = value
            return members_of(symbol.type) is not None
        self.scalars[symbol] = _converted(value, symbol.type)
        return ty.is_arithmetic(symbol.type)

    def runs(self, item: t.Stmt) -> bool:
        """Follows one statement of the function."""
        match item:
            case t.DeclStmt(decls=decls):
                return all(self._declares(decl) for decl in decls)
            case t.ExprStmt(expr=t.Assign(op="=", target=t.Name(symbol=symbol), value=value)):
                known = symbol in self.scalars or symbol in self.records
                return known and self.gives(symbol, self._value(symbol, value))
            case t.ExprStmt(expr=t.Assign(op="=", target=t.Member(base=t.Name(symbol=symbol), member=member))):
                part = self.scalar(item.expr.value) if isinstance(item.expr, t.Assign) else None
                if part is None or symbol not in self.records:
                    return False
                self.records[symbol] = {**self.records[symbol], member.name or "": _converted(part, member.type)}
                return True
            case t.Empty():
                return True
            case _:
                return False

    def _declares(self, decl: t.VarDecl) -> bool:
        symbol = decl.symbol
        if decl.init is None:  # a scalar without a value has to be given one where it is used, which is not followed
            return isinstance(symbol.type, ty.Struct) and self.gives(symbol, {})
        return self.gives(symbol, self._value(symbol, decl.init))

    def _value(self, symbol: t.Symbol, value: t.Expr) -> t.Expr | dict[str, t.Expr] | None:
        return self.members(value) if isinstance(symbol.type, ty.Struct) else self.scalar(value)


def _converted(value: t.Expr, to: ty.Type) -> t.Expr:
    """`value` as a variable of type `to` has it."""
    kind = ty.unqualified(to)
    return value if ty.unqualified(value.type) == kind else t.Cast(kind, value.loc, value)
