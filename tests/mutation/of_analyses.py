"""The legality checks in analyses that several rewrites rest on.

Without `atomics/` object, section and append, a critical section is done without a lock: threads of the emulator do
not meet there, those of a GPU do.
"""

from __future__ import annotations

from typing import Any

from ompc.analysis.floats.contraction_safety import ContractionSafety
from ompc.ir import tree as t
from ompc.ir.queries import symbols_in

from .checks import EMPTY_SET, FALSE, NONE, NOTHING, TRUE, Answer, Check

_CONTRACTED = Answer("always all may be contracted", lambda _: ContractionSafety(frozenset(), frozenset()))

_FIRST_OF_ALL = Answer("the first of them alone", lambda given: _first(given["functions"], given["objects"]))


def _first(functions: Any, objects: Any) -> list[t.Function]:
    return [f for f in functions if f.body is not None and not symbols_in(f.body).isdisjoint(objects)][:1]


DEPENDENCE = (
    Check("dependence/told", "loops that run in order", "analysis.dependence.one_value:_is_told", TRUE,
          "what the last iteration has stored is lost: others store something else"),
    Check("dependence/alike", "loops that run in order", "analysis.dependence.one_value:_are_alike", TRUE,
          "what the last statement has stored is lost: others store something else"),
    Check("dependence/obstacle", "inner loops as axes, interchange", "analysis.dependence.dependence:obstacle", NONE,
          "iterations that touch the same element run in parallel"),
    Check("dependence/conflict", "inner loops as axes, interchange, independence",
          "analysis.dependence.dependence:Dependences.may_conflict", FALSE,
          "iterations that touch the same element run in parallel"),
    Check("dependence/meet", "inner loops as axes, interchange, independence",
          "analysis.dependence.dependence:Dependences._may_meet", FALSE,
          "iterations that touch the same element run in parallel"),
    Check("dependence/look", "inner loops as axes, interchange, independence",
          "analysis.dependence.dependence:_are_apart", TRUE,
          "iterations that touch the same element run in parallel"),
    Check("dependence/fixed", "inner loops as axes, interchange, independence",
          "analysis.integers.domain_forms:DomainForms._is_fixed", TRUE,
          "a subscript that changes counts for one number"),
    Check("dependence/lost", "inner loops as axes, interchange, independence",
          "analysis.integers.domain_forms:_is_lost", FALSE,
          "a number that is not the same in two iterations, and of which no more is known, counts for the same"),
    Check("dependence/fits", "inner loops as axes, interchange, independence",
          "analysis.integers.domain_forms:_fits", TRUE,
          "a condition compares numbers that C converts to others, or that have wrapped round"),
    Check("dependence/passed by", "inner loops as axes, interchange, independence",
          "analysis.memory.access_relation:_may_be_passed_by", FALSE,
          "a jump into a branch passes by its condition"),
    Check("dependence/never 0", "inner loops as axes, interchange, independence",
          "analysis.dependence.dependence:_is_never_0", TRUE,
          "iterations that touch the same element run in parallel"),
    Check("dependence/grows", "inner loops as axes, interchange, independence",
          "analysis.integers.growing:_grows", TRUE,
          "a variable that becomes less counts for one that does not"),
    Check("dependence/may wrap", "inner loops as axes, interchange, independence",
          "analysis.dependence.dependence:_Pairs.may_wrap", FALSE,
          "places 2^64 apart are the same one"),
    Check("dependence/wraps", "inner loops as axes, interchange, independence",
          "analysis.integers.domain_forms:_may_wrap", FALSE,
          "places 2^64 apart are the same one; a loop without a sign passes by its end"),
    Check("dependence/members", "inner loops as axes, members of structs",
          "analysis.dependence.dependence:_members_differ", TRUE,
          "iterations that touch the same member run in parallel"),
    Check("dependence/own memory", "inner loops as axes, members of structs",
          "analysis.memory.access_relation:_has_memory_of_its_own", TRUE,
          "members of a union, or bit-fields, count for different memory"),
    Check("dependence/commute", "inner loops as axes, interchange, independence",
          "analysis.reductions.atomic_operations:AtomicOperations.commute", TRUE,
          "a plain access beside an atomic one, or operations of two kinds, come in any order"),
    Check("dependence/keeps value", "polynomials of integers",
          "analysis.integers.polynomials:keeps_value", TRUE,
          "an operation without a sign wraps round, and its polynomial does not"),
    Check("dependence/all values", "conversions of integers",
          "analysis.integers.ranges:has_all_values", TRUE,
          "a conversion to a narrower type counts for none"),
)  # fmt: skip

FLOATS = (
    Check("floats/exact", "contraction", "analysis.facts:Facts.exact", EMPTY_SET,
          "a product is contracted whose last bit decides a comparison, an integer or a subscript"),
    Check("floats/contraction safety", "contraction, sums by lanes",
          "analysis.facts:Facts.contraction_safety", _CONTRACTED,
          "a sum is formed by lanes, or a product contracted, whose last bit decides"),
    Check("floats/decides", "contraction, sums by lanes",
          "analysis.floats.deciding_uses:DecidingUses._decides", NONE,
          "a use of a value that is not known to be harmless counts for harmless", acts=True),
    Check("floats/quotient", "contraction, sums by lanes",
          "analysis.floats.deciding_uses:DecidingUses._quotient", NONE,
          "a divisor near 0 makes much of its last bit", acts=True),
    Check("floats/call", "contraction, sums by lanes",
          "analysis.floats.deciding_uses:DecidingUses._library_call", NONE,
          "floor() makes another integer of a last bit", acts=True),
    Check("floats/far", "contraction, sums by lanes", "analysis.floats.deciding_uses:DecidingUses._is_far", TRUE,
          "an operand that may be at the edge of what a function takes counts for far from it"),
    Check("floats/compared", "contraction, sums by lanes",
          "analysis.floats.compared_objects:ComparedObjects.has", FALSE,
          "another loop, or the host, compares what was stored"),
    Check("floats/tested sum", "contraction, sums by lanes",
          "analysis.floats.compared_objects:ComparedObjects.is_in_tested_sum", FALSE,
          "somebody asks whether a sum is 0, of which a last bit was lost"),
    Check("floats/bits", "contraction", "analysis.floats.deciding_uses:bits_read", NOTHING,
          "the bits of a number are read as an integer"),
)  # fmt: skip

REDUCTIONS = (
    Check("reductions/other use", "reductions", "analysis.reductions.accumulation:other_use", NONE,
          "an iteration reads what others have added up so far"),
    Check("reductions/whole struct", "reductions by hand", "analysis.reductions.record_merging:_is_named", FALSE,
          "the struct of a thread goes elsewhere than into the total"),
    Check("reductions/keeps total", "reductions by hand", "analysis.reductions.merging:_keeps_total", TRUE,
          "parts that are in range are added up where their sum is not"),
    Check("reductions/alike", "reductions by hand", "analysis.flow.team_uniform:TeamUniformity.beside", TRUE,
          "threads merge different parts of what they have added up"),
    Check("reductions/region", "reductions by hand",
          "analysis.privatisation.array_privatisation:PrivatisableObjects.only_in_region", TRUE,
          "what one thread has added up is read elsewhere"),
    Check("inspection/reads", "scratch of threads", "analysis.privatisation.inspection.accesses:Accesses._read",
          Answer("always []", lambda _: []),
          "an iteration reads what another one has left"),
    Check("inspection/kept", "scratch of threads", "analysis.privatisation.inspection.inspectors:_named_in",
          _FIRST_OF_ALL,
          "a function reads what a loop on the device has not left"),
    Check("reductions/truncates", "reductions, sums by lanes", "analysis.reductions.accumulation:_truncates", FALSE,
          "each step of an integer sum of fractions cuts something off"),
    Check("reductions/repeatable", "least and greatest values",
          "analysis.reductions.accumulation:_is_repeatable", TRUE,
          "what is compared is another value than what replaces"),
    Check("reductions/escapes", "user-defined reductions",
          "analysis.reductions.associativity:escaping_use", NONE,
          "a partial value gets out of the reduction variable"),
    Check("atomics/object", "critical sections", "analysis.reductions.atomic_operations:_Checker.check_object", NONE,
          "an object that two kinds of operations change, or others read, is changed in any order"),
    Check("atomics/section", "critical sections", "analysis.reductions.atomic_operations:_Checker.check_section", NONE,
          "what a critical section does beside its operations is done without a lock"),
    Check("atomics/append", "critical sections", "analysis.reductions.atomic_operations:_Checker.is_append", TRUE,
          "two iterations store to one element"),
    Check("atomics/argmin", "critical sections, argmin and argmax",
          "analysis.reductions.atomic_operations:_Checker.check_arg_reduction", NONE,
          "an iteration reads the companion of the best value so far"),
)  # fmt: skip

ADDED = (
    Check("added/left", "added loops", "omp.added_loops:_is_left", FALSE,
          "the kernel does the iterations behind the one that breaks"),
    Check("added/team", "added loops", "plan.mapping.added:_asks_for_team", FALSE,
          "a thread of a team gets another answer than the one thread that runs the loop"),
    Check("added/read behind", "added loops", "plan.mapping.added:_is_read_behind", FALSE,
          "the loop variable has another value behind the loop"),
    Check("added/bounds", "added loops", "plan.mapping.added:_has_fixed_bounds", TRUE,
          "the loop changes how many iterations it has"),
    Check("added/proved", "added loops", "plan.mapping.added:unproved", NONE,
          "iterations depend on earlier ones"),
)  # fmt: skip

EXPRESSIONS = (
    Check("expressions/wide fields", "bit-fields wider than int", "sema.wide_fields:_agrees", TRUE,
          "an operation is done with as many bits as a bit-field's type has, and on the host with as many as it has"),
    Check("expressions/complex", "complex numbers", "analysis.eligibility.complex_numbers:why_no_complex", NONE,
          "constants are multiplied with other roundings; a side effect takes place twice"),
)  # fmt: skip

CHECKS = (*EXPRESSIONS, *DEPENDENCE, *FLOATS, *REDUCTIONS, *ADDED)
