"""Analysis: are all members of a struct that a thread has for itself accumulated, and merged, each by one operation?

    struct complex part = {0, 0};                    combined as `declare reduction` would say it:
    #pragma omp for                                      omp_out.re += omp_in.re, omp_out.im += omp_in.im
    for (...) part = add(part, z[i]);                    initializer(omp_priv = {0, 0})
    #pragma omp critical
    total = add(total, part);

Members need not have one operation in common. What the region does with them outside of the loop is looked at as if
they were variables of their own (merging.py); in the loop every access has to accumulate into one of them.

    In: a loop of a team in which assignments of the struct are split, the variable.   Out: the reduction, and on what
    the threads must agree; None: other uses.
    Not here: how assignments are split -- transform/records; minima and maxima.
    Source: OpenMP 5.2, 5.5.5, whose reductions have the same freedom.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import replace

from ompc.analysis.eligibility.device_code import DeviceCode
from ompc.analysis.memory.accesses import Access
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.analysis.memory.points_to import PointsTo
from ompc.analysis.reductions.associativity import accumulated
from ompc.analysis.reductions.merging import only_merged
from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.declared_reduction import DeclaredReduction
from ompc.ir.queries import nodes, symbols_in
from ompc.ir.rewrite import rewritten
from ompc.ir.walk import Node
from ompc.omp.model import ParallelLoop, ReductionItem
from ompc.omp.uses import named_in_clauses
from ompc.transform.records.members import members_apart
from ompc.transform.records.values import members_of

_NEUTRAL = {"+": 0, "*": 1, "|": 0, "^": 0}
"""What a copy begins with, which changes nothing."""


@dataclass(frozen=True, slots=True)
class Merged:
    """The reduction of a struct, and the variables on which the threads must agree."""

    item: ReductionItem
    compared: frozenset[t.Symbol]


def merged_by_members(
    loop: ParallelLoop,
    functions: Mapping[str, t.Function],
    device_code: DeviceCode,
    points_to: PointsTo,
    symbol: t.Symbol,
    own: Sequence[Access],
) -> Merged | None:
    """`own`: the loop's accesses to the struct `symbol`."""
    assert loop.team is not None
    members, code = members_of(symbol.type), loop.team.code
    if members is None or symbol.address_taken or symbol in loop.team.results:
        return None
    if symbol in named_in_clauses(code, loop.pragma):
        return None
    parts = {
        name: t.Symbol(f"{symbol.name}.{name}", member.type, t.Storage.AUTO, symbol.loc, -1)
        for name, member in members.items()
    }
    apart = _with_parts(loop, functions, symbol, parts)
    if apart is None:
        return None
    used = {access.node for access in own}
    if not all(isinstance(node, t.Member) for node in used):
        return None  # all of it is read or written at once
    operators, compared = dict[str, str](), frozenset[t.Symbol]()
    for name in members:
        inside = {node for node in used if isinstance(node, t.Member) and node.member.name == name}
        for op in _NEUTRAL if inside else ():  # a member that the loop leaves alone keeps what it has
            kept = set(accumulated(device_code, points_to, MemoryObject(symbol), name, op))
            agreed = only_merged(apart, device_code, parts[name], op) if inside <= kept else None
            if agreed is not None:
                operators[name], compared = op, compared | agreed
                break
        if inside and name not in operators:
            return None
    item = ReductionItem(symbol, _words(operators, members), (), _reduction(symbol, members, operators))
    return Merged(item, compared)


def _with_parts(
    loop: ParallelLoop, functions: Mapping[str, t.Function], symbol: t.Symbol, parts: Mapping[str, t.Symbol]
) -> ParallelLoop | None:
    """The loop in a region where members of the struct are variables; None: it is named as a whole there."""
    assert loop.team is not None

    def change(node: Node) -> Node | None:
        match node:
            case t.Pragma() if node is loop.pragma:
                return node
            case t.Member(base=t.Name(symbol=named), member=member, arrow=False) if named is symbol:
                return t.Name(node.type, node.loc, parts[member.name or ""])
            case _:
                return None

    code = members_apart(loop.team.code, lambda a: symbol in symbols_in(a), functions, loop.pragma)
    code, inside = rewritten(code, change), {*nodes(loop.pragma)}
    if _is_named(code, symbol, inside):
        return None
    return replace(loop, team=replace(loop.team, code=code, private=loop.team.private | {*parts.values()}))


def _is_named(code: t.Stmt, symbol: t.Symbol, inside: Set[Node]) -> bool:
    return any(isinstance(n, t.Name) and n.symbol is symbol and n not in inside for n in nodes(code))


# ------------------------------------------------------------------------------------------ the reduction


def _words(operators: Mapping[str, str], members: Collection[str]) -> str:
    """One operator of all members, or which one each has."""
    same = set(operators.values())
    each = ", ".join(f"{name} {op}" for name, op in operators.items())
    return same.pop() if len(same) == 1 and len(operators) == len(members) else each


def _reduction(symbol: t.Symbol, members: Mapping[str, ty.Field], operators: Mapping[str, str]) -> DeclaredReduction:
    """As the user would declare it."""
    kind, loc = ty.unqualified(symbol.type), symbol.loc
    out, into, priv, orig = (
        t.Symbol(name, kind, t.Storage.AUTO, loc, -1) for name in ("omp_out", "omp_in", "omp_priv", "omp_orig")
    )

    def member(of: t.Symbol, field: ty.Field) -> t.Expr:
        return t.Member(field.type, loc, t.Name(kind, loc, of), field, arrow=False)

    combined = [
        t.Assign(members[name].type, loc, f"{op}=", member(out, members[name]), member(into, members[name]))
        for name, op in operators.items()
    ]
    combiner: t.Expr = combined[0]
    for each in combined[1:]:
        combiner = t.Comma(each.type, loc, combiner, each)
    neutral = {name: _NEUTRAL[operators.get(name, "+")] for name in members}
    items = tuple(((name,), t.IntConst(ty.INT, loc, value, str(value))) for name, value in neutral.items())
    initial = t.InitList(kind, loc, items, tuple((number,) for number in range(len(members))))
    name, variables = _words(operators, members), (out, into, priv, orig)
    return DeclaredReduction(name, kind, variables, combiner, initial, None, loc, symbol)
