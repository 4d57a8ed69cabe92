"""The integer core by itself, a table for each question (tables.py)."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from claims import wrong_claims
from tables import check, facts_of

from ompc.analysis.dependence.dependence import Dependences, obstacle
from ompc.analysis.dependence.iteration_pairs import Dependence
from ompc.analysis.facts import Facts
from ompc.analysis.independence import independence
from ompc.analysis.integers.constraints import Points
from ompc.analysis.integers.domain_forms import DomainForms
from ompc.analysis.integers.equality import same
from ompc.analysis.integers.polynomials import (
    CounterCopy,
    Factor,
    Fixed,
    Forms,
    Length,
    Polynomial,
    Quotient,
    variable,
)
from ompc.analysis.integers.ranges import keeps_value, range_of
from ompc.analysis.integers.truth_values import is_truth_value
from ompc.analysis.memory.extents import Section
from ompc.analysis.memory.iteration_footprints import iteration_footprints
from ompc.analysis.memory.lmad import Lmad
from ompc.analysis.memory.memory_objects import MemoryObject
from ompc.base.diagnostics import Reason
from ompc.ir import tree as t
from ompc.ir.show import c_expr
from ompc.ir.walk import walk
from ompc.omp.loops import sequential_loop
from ompc.omp.model import CanonicalLoop

SUBSCRIPT = "y[{}] = 1;"


def subscript(facts: Facts) -> t.Expr:
    """Of the only element of y."""
    (access,) = facts.of(obj(facts, "*y"))
    assert access.subscripts is not None
    return access.subscripts[0]


def obj(facts: Facts, name: str) -> MemoryObject:
    return next(obj for obj in facts.shared_objects if str(obj) == name)


def loops(facts: Facts) -> tuple[CanonicalLoop, ...]:
    """All that are around the innermost statement, outermost first."""
    return (*facts.loop.loops, *facts.inner_loops.values())


def entered(facts: Facts) -> tuple[DomainForms, Points]:
    forms, points = DomainForms(facts.invariant, {}), Points()
    for loop in loops(facts):
        points.has_entered(forms.enter(loop))
    points.constraints.clear()
    return forms, points


def named(points: Points, *texts: str | None) -> str:
    """isl's text with the program's names."""
    names = {name: polynomial(variable(factor)).removeprefix("1*") for factor, name in points.counters.items()}
    names |= {name: polynomial(Polynomial(((key, 1),))).removeprefix("1*") for key, name in points.parameters.items()}
    text = " and ".join("nothing" if text is None else text for text in (*texts, *points.constraints))
    return re.sub(r"\b[ip]\d+\b", lambda found: names[found.group()], text)


def polynomial(p: Polynomial | None) -> str:
    if p is None:
        return "nothing"
    terms = ["*".join([str(coefficient), *map(_factor, factors)]) for factors, coefficient in p.terms]
    return " + ".join(terms) or "0"


def _factor(factor: Factor) -> str:
    match factor:
        case Length(dimension=dimension):
            return f"#{dimension}"
        case Quotient(numerator=numerator, divisor=divisor):
            return f"[({polynomial(numerator)}) / {divisor}]"
        case Fixed(text=text):
            return f"[{text}]"
        case t.Symbol(name=name):
            return name
        case CounterCopy():
            raise AssertionError("nothing is compared")


def lmad(part: Lmad) -> str:
    turns = [
        ("trips" if dimension.count is None else f"({polynomial(dimension.count)})")
        + ("" if dimension.step == 1 else f"/{dimension.step}")
        + f" times {polynomial(dimension.stride)}"
        for dimension in part.dimensions
    ]
    return f"{polynomial(part.first)} {part.bytes}: {', '.join(turns)}"


def affine(facts: Facts) -> str:
    forms, points = entered(facts)
    found = forms.of(subscript(facts))
    return named(points, None if found is None else points.text(found))


def space(facts: Facts) -> str:
    """Of the last loop of the body."""
    statement = [node for node in walk(facts.device_code.body) if isinstance(node, t.For)][-1]
    loop, (forms, points) = sequential_loop(statement), entered(facts)
    if isinstance(loop, Reason):
        return loop.message.rpartition(": ")[2]
    points.counters.pop(loop.var, None)
    return named(points) if points.has_entered(forms.enter(loop)) else "nothing"


def polynomial_form(facts: Facts) -> str:
    forms = Forms(facts.invariant, {})
    for loop in loops(facts):
        forms.enter(loop)
    return polynomial(forms.of(subscript(facts)))


def value_range(facts: Facts) -> str:
    (forms, _), node = entered(facts), subscript(facts)
    low, high = range_of(node, forms.ranges)
    return f"{low} .. {high}" + ("" if keeps_value(node, forms.ranges) else " *")


def equality(facts: Facts) -> str:
    compared = next(node for node in walk(facts.device_code.body) if isinstance(node, t.Binary) and node.op == "==")
    is_same = same(compared.left, compared.right)
    return "same" if is_same else "not"


def invariant(facts: Facts) -> str:
    """Of the first subscript of y."""
    (first, *_) = facts.of(obj(facts, "*y"))
    assert first.subscripts is not None
    found = facts.invariance.obstacle(first.subscripts[0])
    return "yes" if found is None else f"no: {c_expr(found)}"


def definitions(facts: Facts) -> str:
    found = facts.known.definitions.items()
    return ", ".join(f"{symbol.name}: {c_expr(value.init)}" for symbol, value in found) or "none"


def truth_values(facts: Facts) -> str:
    declared = [node.symbol for node in walk(facts.device_code.body) if isinstance(node, t.VarDecl)]
    return ", ".join(symbol.name for symbol in declared if is_truth_value(facts.device_code.body, symbol)) or "none"


def section(facts: Facts) -> str:
    footprints, of = facts.footprints, obj(facts, "*y")
    exact, window = footprints.section(of), footprints.bounding_section(of)
    if exact is not None:
        return f"elements {_section(exact)}"
    return "nothing" if window is None else f"window {_section(window)}"


def _section(found: Section) -> str:
    text = f"{found.lower} .. {found.upper}" + ("" if found.condition is None else f" if {found.condition}")
    return text.replace("(long long)", "")


def bounding_section(facts: Facts) -> str:
    found = facts.bounding_sections.of(obj(facts, "*y"))
    if found is None:
        return "nothing"
    return ("exactly " if found.exact else "within ") + "; ".join(map(lmad, found.lmads))


def touched(facts: Facts) -> str:
    parts = iteration_footprints(facts.lmads, facts.of(obj(facts, "*y")), facts.loop.loops[0])
    texts = (f"{lmad(part.lmad)} | {polynomial(part.stride)}" for part in parts or ())
    return "nothing" if parts is None else "; ".join(texts)


def written(facts: Facts) -> str:
    return "; ".join(map(lmad, facts.must_writes.of(obj(facts, "*y")))) or "nothing"


def overwritten(facts: Facts) -> str:
    return "yes" if facts.footprints.overwrites(obj(facts, "g")) else "no"


def independent(facts: Facts) -> str:
    return "promised" if independence(facts).unproved else "proved"


def inner_independent(facts: Facts) -> str:
    loop = next((loop for loop in facts.inner_loops.values() if loop.var.name == "q"), None)
    if loop is None:
        return "no canonical loop"
    shared = [access for access in facts.accesses if not facts.is_thread_private(access.obj)]
    inside = [access for access in shared if loop.statement in access.context]
    return obstacle(facts.candidate(loop, facts.loop.loops), inside, facts.atomic_operations) or "independent"


def directions(facts: Facts) -> str:
    """Of the first write of y and each other access to it, for the loop over q."""
    loop = next(loop for loop in facts.inner_loops.values() if loop.var.name == "q")
    dependences = Dependences(facts.candidate(loop, facts.loop.loops))
    found = facts.of(obj(facts, "*y"))
    first = next(access for access in found if access.mode.writes)
    return "; ".join(_direction(dependences.between(first, other)) for other in found if other is not first)


def _direction(found: Dependence | None) -> str:
    if found is None:
        return "not known"
    distance = "" if found.distance is None else f" by {found.distance}"
    return " ".join(sign for sign in "<=>" if sign in found.directions) + distance or "none"


QUESTIONS: dict[str, tuple[Callable[[Facts], str], str]] = {
    "affine": (affine, SUBSCRIPT),
    "polynomials": (polynomial_form, SUBSCRIPT),
    "ranges": (value_range, SUBSCRIPT),
    "spaces": (space, "for ({}) y[k] = i;"),
    "left_spaces": (space, "for ({}) { if (x[k] > 0) break; y[k] = i; }"),
    "equality": (equality, "if ({}) y[i] = 1;"),
    "invariant": (invariant, "{}"),
    "definitions": (definitions, "{}"),
    "truth_values": (truth_values, "{}"),
    "sections": (section, "{}"),
    "bounding_sections": (bounding_section, "{}"),
    "iteration_footprints": (touched, "{}"),
    "must_writes": (written, "{}"),
    "upward_exposed": (overwritten, "{}"),
    "independent": (independent, "{}"),
    "inner_independent": (inner_independent, "{}"),
    "directions": (directions, "{}"),
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_table(name: str, pytestconfig: pytest.Config) -> None:
    say, body = QUESTIONS[name]
    check(name, pytestconfig.getoption("--rewrite"), say, body)
    for facts in facts_of(name, body):
        if isinstance(facts, Facts):
            assert wrong_claims(facts) == []
