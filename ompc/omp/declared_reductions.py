"""`declare reduction` directives, and which of them a clause means (OpenMP 5.2, 5.5.11).

    #pragma omp declare reduction(nearer : struct point : \\
            omp_out = omp_in.d < omp_out.d ? omp_in : omp_out) initializer(omp_priv = {DBL_MAX, -1})

One directive declares a reduction for each of its types. It is visible from its place on, in its block; an inner one of
the same name and type hides it. Combiner and initializer are expressions over variables that only they have.

In: the unit, a pragma in one of its functions.   Out: `DeclaredReduction`s by name and type; None where the text of a
directive cannot be read.
Not here: what a kernel may do with the variable -- analysis/reductions/grouping.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ompc.ir import types as ty
from ompc.ir.tree import (
    Assign,
    Block,
    Cast,
    CompoundLiteral,
    Expr,
    Function,
    Name,
    OpaqueExpr,
    Pragma,
    Stmt,
    Storage,
    Symbol,
    Unit,
)
from ompc.ir.walk import children, walk
from ompc.omp.model import DeclaredReduction
from ompc.omp.reading.clause_text import MalformedError, split_top_level
from ompc.sema.expressions import parse_expression
from ompc.sema.scope import Scope, Visible

_VARIABLES = ("omp_out", "omp_in", "omp_priv", "omp_orig")


@dataclass(frozen=True, slots=True)
class Declarations:
    """What is visible at one pragma, innermost first. `unread`: some directive there could not be read."""

    visible: tuple[DeclaredReduction, ...] = ()
    unread: bool = False

    def find(self, identifier: str, kind: ty.Type) -> DeclaredReduction | None:
        """The reduction that `identifier` means for a variable of type `kind`."""
        wanted = ty.unqualified(kind)
        return next((d for d in self.visible if d.identifier == identifier and d.type == wanted), None)


def declarations_at(pragma: Pragma, function: Function, unit: Unit) -> Declarations:
    """The reductions declared before `pragma`, which stands in `function`: in its blocks, and in the file."""
    inside = [] if function.body is None else list(_before(function.body, pragma))
    outside = [p for p in unit.pragmas if p.loc.file != pragma.loc.file or p.loc.line < pragma.loc.line]
    found: list[DeclaredReduction] = []
    unread = False
    for directive in (*reversed(inside), *reversed(outside)):
        if directive.directive.name == "declare reduction":
            try:
                found += _declared(directive)
            except MalformedError:
                unread = True
    return Declarations(tuple(found), unread)


def _before(root: Stmt, pragma: Pragma) -> Iterator[Pragma]:
    """The pragmas in the blocks around `pragma` that stand before it, outermost first."""
    around = root
    while around is not pragma:
        inner = next((c for c in children(around) if isinstance(c, Stmt) and pragma in set(walk(c))), None)
        if inner is None:
            return
        if isinstance(around, Block):
            before = around.items[: around.items.index(inner)]
            yield from (item for item in before if isinstance(item, Pragma))
        around = inner


def _declared(directive: Pragma) -> Iterator[DeclaredReduction]:
    """One reduction for each type of the directive. Raises MalformedError."""
    argument, clause = (directive.directive.first(name) for name in ("declare reduction", "initializer"))
    parts = split_top_level("" if argument is None else argument.text, ":", limit=2)
    if len(parts) != 3 or directive.directive.problem is not None:
        raise MalformedError("`declare reduction` takes a name, types and a combiner")
    initializer = None if clause is None else clause.text
    for kind in split_top_level(parts[1], ","):
        yield _for_type(parts[0], kind, parts[2], initializer, directive)


def _for_type(
    identifier: str, type_text: str, combiner: str, initializer: str | None, directive: Pragma
) -> DeclaredReduction:
    pointer = parse_expression(f"({type_text} *)0", directive.scope, directive.loc)
    if not isinstance(pointer, Cast) or not isinstance(pointer.type, ty.Pointer):
        raise MalformedError(f"`{type_text}` is no type")
    kind = ty.unqualified(pointer.type.to)
    own = {name: Symbol(name, kind, Storage.AUTO, directive.loc, -1) for name in _VARIABLES}
    scope = _with(directive.scope, own)
    value, call = _initial(initializer, type_text, scope, directive)
    return DeclaredReduction(
        identifier=identifier,
        type=kind,
        variables=tuple(own[name] for name in _VARIABLES),
        combiner=_parsed(combiner, scope, directive),
        initial=value,
        initializer=call,
        loc=directive.loc,
    )


def _with(scope: Mapping[str, Symbol], own: Mapping[str, Symbol]) -> Visible:
    if not isinstance(scope, Visible):
        raise MalformedError("the names visible at the directive are not known")
    return Visible(scope.file, (*scope.blocks, Scope(names=dict(own))))


def _initial(text: str | None, type_text: str, scope: Visible, directive: Pragma) -> tuple[Expr | None, Expr | None]:
    """The value that `omp_priv` is initialised with, or the call that initialises it; neither: zero."""
    if text is None:
        return None, None
    head, _, value = text.partition("=")
    if head.strip() == "omp_priv" and value.lstrip().startswith("{"):
        literal = _parsed(f"({type_text}) {value}", scope, directive)
        if not isinstance(literal, CompoundLiteral):
            raise MalformedError("the braces of the initializer cannot be read")
        return literal.init, None
    expr = _parsed(text, scope, directive)
    match expr:
        case Assign(op="=", target=Name(symbol=symbol), value=assigned) if symbol is scope["omp_priv"]:
            return assigned, None
        case _:
            return None, expr


def _parsed(text: str, scope: Visible, directive: Pragma) -> Expr:
    expr = parse_expression(text, scope, directive.loc)
    if any(isinstance(node, OpaqueExpr) for node in walk(expr)):
        raise MalformedError(f"`{text}` is no expression")
    return expr
