"""What a construct does with threads: the questions that several stages ask of a directive, each answered once.

A combined directive does what its constituents do (OpenMP 5.2, 17.1): `parallel for`, `target teams loop` and
`distribute parallel for simd` all share a loop's iterations out. `target data` is no `target` construct.

    constituents("target teams distribute parallel for")   {target, teams, distribute, parallel, for}
    constituents("target enter data")                      {target enter data}

In: a `Directive`, as resolve.py has read it.   Out: yes or no. What is no directive of OpenMP does none of these.
Not here: what ompc supports of them -- parallel_loop.py.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from ompc.ir.directive import Directive, Kind
from ompc.ir.tree import Pragma, Symbol
from ompc.ir.walk import walk
from ompc.omp.grammar import LEAVES

_TEAMS_AND_TASKS = frozenset({"parallel", "teams", "target", "task", "taskloop"})
_OFFLOAD = frozenset({"target", "teams", "distribute"})
_LOOPS = frozenset({"for", "loop", "distribute"})
_DIVIDED = _LOOPS | {"taskloop", "task", "sections", "section", "single"}
_BY_ALL = frozenset({"simd", "barrier", "flush", "taskwait", "nothing", "assume"})
_OPERATORS = frozenset({"+", "-", "*", "&", "|", "^", "&&", "||", "min", "max"})
_EXCLUDING = frozenset({"critical", "atomic", "ordered"})


@cache
def constituents(name: str) -> frozenset[str]:
    """The constructs that a combined directive is made of; the name itself of any other."""
    words = frozenset(name.split())
    return words if words and words <= LEAVES.keys() else frozenset({name})


def is_made_of(directive: Directive, *names: str) -> bool:
    """Is one of these constructs a constituent?"""
    return not constituents(directive.name).isdisjoint(names)


def openmp(pragma: Pragma) -> Directive | None:
    """The directive of OpenMP, though perhaps not all of it could be read."""
    return pragma.directive if pragma.directive.kind is Kind.OPENMP else None


def readable(pragma: Pragma) -> Directive | None:
    """The directive of OpenMP, if all of it could be read."""
    directive = openmp(pragma)
    return None if directive is None or directive.problem is not None else directive


def is_openmps(pragma: Pragma) -> bool:
    """May it mean something to a compiler with OpenMP?"""
    return pragma.directive.kind not in (Kind.FOREIGN, Kind.OWN, Kind.ADDED)


# ------------------------------------------------------------------ one construct


def forks_team(directive: Directive) -> bool:
    """Does a team of threads run its body?"""
    return is_made_of(directive, "parallel")


def begins_offload(directive: Directive) -> bool:
    """Does it begin a target region or a league of teams, or share among teams?"""
    return not _OFFLOAD.isdisjoint(constituents(directive.name))


def is_target_region(directive: Directive) -> bool:
    """Does a device run its body?"""
    return is_made_of(directive, "target")


def shares_iterations(directive: Directive) -> bool:
    """Are the iterations of its loop spread over threads? With `loop bind(thread)` each thread has them all."""
    return not _LOOPS.isdisjoint(constituents(directive.name)) and not binds_to_thread(directive)


def binds_to_thread(directive: Directive) -> bool:
    """Is it a `loop` of which each thread has all iterations?"""
    bind = directive.first("bind")
    return directive.name == "loop" and bind is not None and bind.kind == "thread"


def counts(directive: Directive) -> bool:
    """Is the variable of its loop private there? That of a `simd` loop is the one outside (OpenMP 5.2, 5.1.1)."""
    return is_made_of(directive, "for", "loop", "distribute", "taskloop")


def is_divided(directive: Directive) -> bool:
    """Does one thread of a team run only a part of its body, or nothing?"""
    return not _DIVIDED.isdisjoint(constituents(directive.name))


def excludes_others(directive: Directive) -> bool:
    """Does one thread at a time run its body?"""
    return directive.name in _EXCLUDING


# ------------------------------------------------------------------ one pragma


def may_run_beside(pragma: Pragma) -> bool:
    """May other threads than that which comes to the pragma run its body?"""
    return _may_be(pragma, _TEAMS_AND_TASKS)


def may_be_deferred(pragma: Pragma) -> bool:
    """May its body, or what that calls, run when the statement has ended?"""
    return _may_be(pragma, frozenset({"task", "taskloop", "target", "dispatch"}))


def _may_be(pragma: Pragma, names: frozenset[str]) -> bool:
    """Is it such a construct, or one that is not known and owns a statement?"""
    if pragma.directive.kind in (Kind.UNKNOWN, Kind.UNREAD):
        return pragma.body is not None or pragma.directive.kind is Kind.UNREAD
    return not names.isdisjoint(constituents(pragma.directive.name))


def is_run_by_all(pragma: Pragma) -> bool:
    """Do all threads that come to the pragma run its body, each as often and not one after the other?"""
    return pragma.directive.name in _BY_ALL or not is_openmps(pragma)


def listed(directives: Iterable[Directive], *names: str) -> frozenset[Symbol]:
    """The variables in the clauses of these names."""
    return frozenset[Symbol]().union(*(directive.listed(*names) for directive in directives))


def is_sequential_simd(pragma: Pragma) -> bool:
    """Does a sequential loop do what the construct `simd` says, its private variables being declared in a block?"""
    directive = readable(pragma)
    if directive is None or directive.name != "simd" or pragma.body is None:
        return False
    if directive.all("private") or directive.all("linear") or any(map(_is_part_of_simd, walk(pragma.body))):
        return False
    return all(clause.modifier in _OPERATORS for clause in directive.all("reduction"))


def _is_part_of_simd(node: object) -> bool:
    return isinstance(node, Pragma) and node.directive.name in ("scan", "ordered", "ordered simd")
