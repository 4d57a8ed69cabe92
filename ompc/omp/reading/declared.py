"""Reading `declare reduction` (OpenMP 5.2, 5.5.11).

    #pragma omp declare reduction(nearer : struct point : \\
            omp_out = omp_in.d < omp_out.d ? omp_in : omp_out) initializer(omp_priv = {DBL_MAX, -1})

One directive declares a reduction for each of its types. Combiner and initializer are expressions over variables that
only they have.

In: the directive's argument, its initializer, the pragma.   Out: `DeclaredReduction`s, or MalformedError.
Not here: which of them a clause means -- omp/declared_reductions.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ompc.ir import types as ty
from ompc.ir.declared_reduction import DeclaredReduction
from ompc.ir.directive import Clause
from ompc.ir.tree import Assign, Cast, CompoundLiteral, Expr, Name, OpaqueExpr, Pragma, Storage, Symbol
from ompc.ir.walk import walk
from ompc.omp.reading.clause_text import MalformedError, split_top_level
from ompc.sema.expressions import parse_expression
from ompc.sema.scope import Scope, Visible

_VARIABLES = ("omp_out", "omp_in", "omp_priv", "omp_orig")


def declared_reductions(clauses: Mapping[str, Clause], pragma: Pragma) -> Iterator[DeclaredReduction]:
    """One reduction for each type of the directive. Raises MalformedError."""
    argument, initializer = clauses.get("declare reduction"), clauses.get("initializer")
    parts = split_top_level("" if argument is None else argument.text, ":", limit=2)
    if len(parts) != 3:
        raise MalformedError("it takes a name, types and a combiner")
    for kind in split_top_level(parts[1], ","):
        yield _for_type(parts[0], kind, parts[2], None if initializer is None else initializer.text, pragma)


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
