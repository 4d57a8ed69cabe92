"""What evaluating a piece of a program does, as far as OpenMP's rules ask: side effects, questions about the team.

What functions of the program do is not looked at (omp/purity.py).
Not here: what code names and assigns -- ir/queries.py.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache

from ompc.ir.queries import nodes
from ompc.ir.tree import Assign, Call, Expr, IncDec, Name, OpaqueExpr, Pragma, Stmt, Symbol
from ompc.ir.types import is_integer
from ompc.ir.walk import walk

_MATHEMATICS = """acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 expm1 fabs fdim
floor fma fmax fmin fmod hypot ilogb ldexp llrint llround log log10 log1p log2 logb lrint lround nearbyint pow remainder
rint round scalbln scalbn sin sinh sqrt tan tanh tgamma trunc""".split()
_TEXTS = "strlen strnlen strcmp strncmp strchr strrchr strstr memcmp atoi atol atoll atof".split()
_BITS = [f"__builtin_{name}{width}" for name in "clz ctz ffs parity popcount".split() for width in ("", "l", "ll")]
_OF_OPENMP = """max_threads num_procs num_threads thread_limit default_device initial_device num_devices dynamic nested
max_active_levels supported_active_levels""".split()

_QUERIES = frozenset(
    {
        *(prefix + name + width for prefix in ("", "__builtin_") for name in _MATHEMATICS for width in ("", "f", "l")),
        *(prefix + name for prefix in ("", "__builtin_") for name in (*_TEXTS, "abs", "labs", "llabs")),
        *_BITS,
        "__builtin_expect",
        "omp_in_parallel",
        *(f"omp_get_{name}" for name in _OF_OPENMP),
    }
)
"""Library functions that can be called once more, or not at all, without anyone noticing; their names are reserved."""

NUMBER, COUNT = "omp_get_thread_num", "omp_get_num_threads"
QUESTIONS = frozenset({NUMBER, COUNT})
"""Which thread runs this, and how many there are: what follows from a loop's schedule and its team."""
TEAM, TEAMS = "omp_get_team_num", "omp_get_num_teams"
ALL_QUESTIONS = QUESTIONS | {TEAM, TEAMS}
"""And which team of a league."""
_ABOUT_THE_TEAM = frozenset({"omp_get_max_threads", "omp_get_num_threads", "omp_in_parallel"})
"""Queries that may have another answer inside a parallel region than in front of it (OpenMP 5.2, 2.4 and 18.2)."""

_KEPT = 256
"""How many answers of a kind are kept: those about the functions and loops that are being looked at."""


def named_in_clauses(root: Stmt, but: Pragma | None) -> frozenset[Symbol]:
    """What the pragmas in `root`, except for `but`, may read: all that their clauses name, and do not only replace."""
    return frozenset[Symbol]().union(*(named for pragma, named in _named_by_pragmas(root) if pragma is not but))


@lru_cache(maxsize=_KEPT)
def _named_by_pragmas(root: Stmt) -> tuple[tuple[Pragma, frozenset[Symbol]], ...]:
    return tuple((node, node.directive.used) for node in walk(root) if isinstance(node, Pragma))


def is_query(function: Symbol, call: Expr) -> bool:
    """Is this the C library's function, or OpenMP's, that answers without a trace?"""
    declared_in_header = function.loc.file != call.loc.file
    return function.name in _QUERIES and (declared_in_header or function.name.startswith("__builtin_"))


def question_about_team(e: Expr) -> str | None:
    """A function called in `e` that may have another answer inside a parallel region than in front of it."""
    calls = (node for node in nodes(e) if isinstance(node, Call))
    names = (call.function.symbol.name for call in calls if isinstance(call.function, Name))
    return next((name for name in names if name in _ABOUT_THE_TEAM), None)


def has_side_effects(e: Expr, pure: Collection[Symbol] = frozenset(), of_bound: bool = False) -> bool:
    """May evaluating `e` once more be noticed: an assignment, ++, a call, a volatile object, something unknown?

    Calls of the functions in `pure` are not (omp/purity.py), nor are reads of volatile variables `of_bound`, which may
    be read any number of times (omp/volatile_bounds.py).
    """
    parts = (node for node in nodes(e) if isinstance(node, Expr))
    return any(_is_effect(node, pure) for node in parts if not (of_bound and _is_volatile_variable(node)))


def _is_volatile_variable(e: Expr) -> bool:
    return isinstance(e, Name) and is_integer(e.type) and "_Atomic" not in e.type.quals


def _is_effect(e: Expr, pure: Collection[Symbol]) -> bool:
    match e:
        case Call(function=Name(symbol=symbol)) if symbol in pure:
            return False
        case Assign() | IncDec() | OpaqueExpr():
            return True
        case Call(function=Name(symbol=symbol)):
            return not is_query(symbol, e)
        case Call():
            return True
        case _:
            return bool(e.type.quals & {"volatile", "_Atomic"})
