"""Plan: divide the body of a loop that lanes share into what any lane may compute and what the row's own lane combines.

    for (k = row[i]; k < row[i + 1]; k++) {
        int j = col[k];                        compute(k, term): int j = col[k]; term = val[k] * x[j];
        sum += val[k] * x[j];                  combine(term):    sum += term;
    }

`carried` variables have values that go from one entry to the next, or that are wanted behind the loop. Statements that
name one are combined, in their order; the largest parts of them that name none become terms. What happens only for some
entries leaves a term that changes nothing (`sum += -0.0` keeps every sum), or a flag:

    if (d < cut) { sum += d; near++; }         compute: bool if_1 = false; if (d < cut) { term = d; if_1 = true; }
                                               combine: if (if_1) { sum += term; near++; }

Terms pass through memory, so a product is rounded before it is added, as it is on the host.

    In: the body, its carried variables, those of which each entry has another value.   Out: Division, or why not.
    Not here: whether computing has effects that somebody sees -- lanes.py.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from ompc.base.frozen import dataclass, field
from ompc.base.source import Location
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.exits import continues
from ompc.ir.queries import symbols_in
from ompc.ir.show import c_expr
from ompc.ir.walk import walk
from ompc.omp.uses import has_side_effects
from ompc.plan.machine import DEVICE
from ompc.plan.model.lane_results import Term
from ompc.plan.model.names import Local


class NotDivisibleError(Exception):
    """Carries the reason, in words that follow "the loop over k stays with one lane: "."""


@dataclass(frozen=True, slots=True, eq=False)
class Division:
    """`renewed` are nodes of `combine` by the node of the user's that each stands for."""

    compute: t.Stmt
    combine: tuple[t.Stmt, ...]
    terms: tuple[Term, ...]
    renewed: dict[t.Expr, t.Expr]

    @property
    def bytes(self) -> int:
        """Of the terms of an entry together."""
        return _bytes_together([term.type for term in self.terms])


def divide(body: t.Stmt, carried: Collection[t.Symbol], changing: Collection[t.Symbol]) -> Division:
    """`changing` have another value for each entry. Raises NotDivisibleError."""
    divider = _Divider(carried, changing)
    compute, combine = divider.statement(body)
    if not divider.terms:
        raise NotDivisibleError("nothing of what it combines comes from its entries")
    if _bytes_together([term.type for term in divider.terms]) > DEVICE.entry_bytes:
        raise NotDivisibleError(f"an entry has more than {DEVICE.entry_bytes} bytes of terms")
    return Division(_block(body, compute), tuple(combine), tuple(divider.terms), divider.renewed)


def _bytes_together(kinds: Sequence[ty.Type]) -> int:
    """Of a struct with such members, in this order, with what lies between them."""
    sizes = [ty.size_of(kind) or 8 for kind in kinds]
    end = 0
    for size in sizes:
        end += -end % size + size
    return end + -end % max(sizes)


Parts = tuple[list[t.Stmt], list[t.Stmt]]
"""What is computed and what is combined, in order."""


@dataclass(slots=True)
class _Divider:
    carried: Collection[t.Symbol]
    changing: Collection[t.Symbol]
    terms: list[Term] = field(default_factory=list)
    renewed: dict[t.Expr, t.Expr] = field(default_factory=dict)
    _neutral: dict[t.Stmt, t.Symbol] = field(default_factory=dict)
    _flags: int = 0

    def statement(self, node: t.Stmt) -> Parts:
        if not self.carries(node):
            return [node], []
        match node:
            case t.Block(items=items):
                compute, combine = self._sequence(items)
                return [t.Block(node.loc, tuple(compute))], combine
            case t.ExprStmt(expr=t.Assign() | t.IncDec() as expr):
                return self._combined(node, expr)
            case t.If(condition=condition) if self.carries(condition):
                terms = _Terms(self, node)
                return terms.computed, [self._selection(node, terms)]
            case t.If():
                return self._branches(node)
            case t.For() | t.While() | t.DoWhile():
                raise NotDivisibleError("it combines values in a loop further in")
            case _:
                raise NotDivisibleError(f"line {node.loc.line} uses a value from the entry before in another way")

    def carries(self, node: t.Stmt | t.Expr) -> bool:
        """Does it name a carried variable?"""
        return not symbols_in(node).isdisjoint(self.carried)

    def _sequence(self, items: Sequence[t.Stmt]) -> Parts:
        """Behind a `continue`, what is combined depends on whether control comes there."""
        compute: list[t.Stmt] = []
        combine: list[t.Stmt] = []
        for position, item in enumerate(items):
            more, then = self.statement(item)
            compute += more
            combine += then
            if continues(item) and any(map(self.carries, items[position + 1 :])):
                rest, combined = self._sometimes(self._sequence(items[position + 1 :]), item)
                return compute + rest, combine + combined
        return compute, combine

    def _branches(self, node: t.If) -> Parts:
        then, in_then = self._sometimes(self.statement(node.then), node)
        if node.other is None:
            return [replace(node, then=_block(node.then, then))], in_then
        other, in_other = self._sometimes(self.statement(node.other), node)
        both = replace(node, then=_block(node.then, then), other=_block(node.other, other))
        return [both], in_then + in_other

    def _sometimes(self, parts: Parts, at: t.Stmt) -> Parts:
        """The same where control may not come there: nothing is added, or a flag says that it came."""
        compute, combine = parts
        if all(statement in self._neutral for statement in combine):
            for statement in combine:
                self._start(statement, self._neutral[statement])
            return compute, combine
        self._flags += 1
        flag = self.new_term(ty.INT, at.loc, f"if_{self._flags}")
        mark = t.ExprStmt(at.loc, t.Assign(ty.INT, at.loc, "=", flag, t.IntConst(ty.INT, at.loc, 1, "1")))
        return [mark, *compute], [t.If(at.loc, flag, t.Block(at.loc, tuple(combine)), None)]

    # -------------------------------------------------------------- one statement that combines

    def _combined(self, node: t.ExprStmt, expr: t.Assign | t.IncDec) -> Parts:
        target = expr.operand if isinstance(expr, t.IncDec) else expr.target
        if not isinstance(target, t.Name) or target.symbol not in self.carried:
            raise NotDivisibleError(f"line {node.loc.line} stores what depends on the entry before")
        terms = _Terms(self, node)
        if isinstance(expr, t.IncDec):
            return [], [node]
        value = terms.replaced(expr.value, certain=True)
        made = t.ExprStmt(node.loc, self._as(expr, replace(expr, value=value)))
        if _keeps(expr) and isinstance(value, t.Name) and terms.made == [value.symbol]:
            self._neutral[made] = value.symbol
        return terms.computed, [made]

    def _start(self, statement: t.Stmt, symbol: t.Symbol) -> None:
        """Let the term have a value that changes nothing until it is set."""
        assert isinstance(statement, t.ExprStmt) and isinstance(statement.expr, t.Assign)
        real = isinstance(symbol.type, ty.Float)
        initial = {"+=": "-0.0" if real else None, "*=": "1"}.get(statement.expr.op)
        index = next(i for i, term in enumerate(self.terms) if term.symbol is symbol)
        self.terms[index] = replace(self.terms[index], initial=initial)

    def _selection(self, node: t.If, terms: _Terms) -> t.If:
        """`if (e < best) { best = e; where = k; }`: all of it is combined."""
        condition = terms.replaced(node.condition, certain=True)
        then = self._selected(node.then, terms)
        other = None if node.other is None else self._selected(node.other, terms)
        return t.If(node.loc, condition, then, other)

    def _selected(self, node: t.Stmt, terms: _Terms) -> t.Stmt:
        match node:
            case t.Empty():
                return node
            case t.Block(items=items):
                return t.Block(node.loc, tuple(self._selected(item, terms) for item in items))
            case t.If(condition=condition, then=then, other=other):
                chosen = terms.replaced(condition, certain=False)
                left = None if other is None else self._selected(other, terms)
                return t.If(node.loc, chosen, self._selected(then, terms), left)
            case t.ExprStmt(expr=t.IncDec(operand=t.Name(symbol=symbol))) if symbol in self.carried:
                return node
            case t.ExprStmt(expr=t.Assign(target=t.Name(symbol=symbol), value=value) as expr) if symbol in self.carried:
                made = replace(expr, value=terms.replaced(value, certain=False))
                return t.ExprStmt(node.loc, self._as(expr, made))
            case _:
                raise NotDivisibleError(f"line {node.loc.line} depends on the entry before in another way")

    # ------------------------------------------------------------------------------------ terms

    def _as(self, old: t.Expr, new: t.Expr) -> t.Expr:
        self.renewed[new] = old
        return new

    def new_term(self, kind: ty.Type, loc: Location, name: str) -> t.Name:
        symbol = t.Symbol(name, kind, t.Storage.AUTO, loc, -1 - len(self.terms), "")
        self.terms.append(Term(symbol, Local(name), kind))
        return t.Name(kind, loc, symbol)

    def rewritten(self, node: t.Expr, terms: _Terms, certain: bool) -> t.Expr:
        """`node`, which names a carried variable, with the parts that name none replaced."""
        match node:
            case t.Name():
                return node
            case t.Unary(op="+" | "-" | "~" | "!", operand=operand) | t.Cast(operand=operand):
                return self._as(node, replace(node, operand=terms.replaced(operand, certain)))
            case t.Binary(op=op, left=left, right=right):
                first = terms.replaced(left, certain)
                second = terms.replaced(right, certain and op not in ("&&", "||"))
                return self._as(node, replace(node, left=first, right=second))
            case t.Conditional(condition=condition, then=then, other=other):
                chosen = terms.replaced(condition, certain)
                results = (terms.replaced(then, certain=False), terms.replaced(other, certain=False))
                return self._as(node, replace(node, condition=chosen, then=results[0], other=results[1]))
            case t.Call(function=t.Name(symbol=function), args=args) if function not in self.carried:
                arguments = tuple(terms.replaced(argument, certain) for argument in args)
                return self._as(node, replace(node, args=arguments))
            case _:
                raise NotDivisibleError(f"line {node.loc.line} uses a value from the entry before as an address")


class _Terms:
    """The terms of one statement: all are computed where it stands, so parts of the same text share one."""

    def __init__(self, divider: _Divider, at: t.Stmt) -> None:
        self._divider = divider
        self._at = at
        self._known: dict[str, t.Name] = {}
        self.computed: list[t.Stmt] = []

    @property
    def made(self) -> list[t.Symbol]:
        return [name.symbol for name in self._known.values()]

    def replaced(self, node: t.Expr, certain: bool) -> t.Expr:
        """`node` as it is combined; `certain`: the program evaluates it whenever it comes to the statement."""
        if self._divider.carries(node):
            return self._divider.rewritten(node, self, certain)
        if self._is_own(node):
            return node
        text = c_expr(node)
        if text not in self._known or has_side_effects(node):
            if not (certain or _never_fails(node)):
                raise NotDivisibleError(f"line {node.loc.line} reads {text} only for some values of the entries before")
            kind = ty.unqualified(node.type)
            if not isinstance(kind, (ty.Int, ty.Float, ty.Enum)):
                raise NotDivisibleError(f"{text} is no number")
            name = self._divider.new_term(kind, node.loc, "term")
            self._known[text] = name
            self.computed.append(t.ExprStmt(node.loc, t.Assign(kind, node.loc, "=", name, node)))
        return self._known[text]

    def _is_own(self, node: t.Expr) -> bool:
        """Has the row's lane this value itself? A constant, or computed from variables that the loop leaves alone."""
        for part in walk(node):
            match part:
                case t.IntConst() | t.FloatConst() | t.Unary(op="+" | "-" | "~" | "!") | t.Binary() | t.Cast():
                    pass
                case t.Name(symbol=symbol) if symbol not in self._divider.changing and ty.is_arithmetic(symbol.type):
                    pass
                case _:
                    return False
        return True


def _never_fails(node: t.Expr) -> bool:
    """Can the expression be evaluated where the program would not? Variables and what cannot trap with them."""
    return all(
        isinstance(part, (t.Name, t.IntConst, t.FloatConst))
        or (isinstance(part, t.Cast) and isinstance(part.type, ty.Float))
        or (isinstance(part, t.Unary) and part.op in ("+", "-", "~", "!"))
        or (isinstance(part, t.Binary) and part.op in ("*", "+", "-") and isinstance(part.type, ty.Float))
        for part in walk(node)
    )


def _block(at: t.Stmt, statements: Sequence[t.Stmt]) -> t.Block:
    """A block of these statements; braces around what follows the flags are left out."""
    *flags, last = statements or [t.Empty(at.loc)]
    if isinstance(last, t.Block) and not any(isinstance(flag, t.DeclStmt) for flag in flags):
        return t.Block(at.loc, (*flags, *last.items))
    return t.Block(at.loc, tuple(statements))


def _keeps(expr: t.Assign) -> bool:
    """Is there a number by which this operation changes no value of the variable?"""
    target, value = expr.target.type, expr.value.type
    integers = ty.is_integer(target) and ty.is_integer(value)
    reals = isinstance(target, ty.Float) and isinstance(value, ty.Float)
    return expr.op in ("+=", "-=", "*=") and (integers or reals)
