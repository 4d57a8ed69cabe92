"""Pragma texts that no accepted program contains, or that need no program around them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ompc.base.diagnostics import Diagnostic, Kind
from ompc.base.source import Location
from ompc.ir import types as ty
from ompc.ir.tree import Pragma, Storage, Symbol
from ompc.omp.clause_text import MalformedError, pragma_as_written, scan_clauses, split_top_level
from ompc.omp.directives import Parsed, parse_pragma
from ompc.omp.grammar import CLAUSES, DIRECTIVES

SCOPE = {name: Symbol(name, ty.INT, Storage.AUTO, Location("a.c", 1), i) for i, name in enumerate("abcn")}


def parse(text: str, *lines: str) -> Parsed | Diagnostic | None:
    return parse_pragma(Pragma(Location("a.c", 1), text, None, SCOPE), lines)


def test_every_clause_of_a_directive_has_a_shape() -> None:
    assert {clause for grammar in DIRECTIVES.values() for clause in grammar.clauses} <= set(CLAUSES)


@pytest.mark.parametrize("text", [
    "omp parallel for private(a",
    "omp parallel for private(a]",
    "omp parallel for private",
    "omp parallel for private()",
    "omp parallel for private(unknown)",
    "omp parallel for private(a,,b)",
    "omp parallel for nowait)",
    "omp parallel for )",
    "omp parallel for collapse()",
    "omp parallel for num_threads(1 +)",
    "omp parallel for schedule(static, 1, 2)",
    "omp parallel for schedule()",
    "omp for nowait(1)",
    "omp critical (",
    "omp parallel for \"",
])
def test_malformed_text_is_a_reason(text: str) -> None:
    parsed = parse(text)
    assert isinstance(parsed, Parsed) and parsed.problem is not None
    assert parsed.problem.code in ("OMPC304", "OMPC311")


def test_an_unknown_clause_keeps_the_directive() -> None:
    parsed = parse("omp parallel for frobnicate(1)")
    assert isinstance(parsed, Parsed) and parsed.problem is not None
    assert (parsed.directive.name, parsed.problem.code) == ("parallel for", "OMPC304")


@pytest.mark.parametrize(("text", "name"), [
    ("omp parallel for simd collapse(2)", "parallel for simd"),
    ("omp  target   teams distribute parallel for simd", "target teams distribute parallel for simd"),
    ("omp cancellation point for", "cancellation point"),
    ("omp ordered simd", "ordered"),
    ("omp atomic update", "atomic"),
    ("omp parallel private(a)", "parallel"),
    ("omp taskloop simd", "taskloop simd"),
])
def test_the_longest_directive_name_wins(text: str, name: str) -> None:
    parsed = parse(text)
    assert isinstance(parsed, Parsed) and parsed.problem is None
    assert parsed.directive.name == name


@pytest.mark.parametrize(("text", "clauses"), [
    ("omp metadirective when(device={kind(nohost)}: parallel for) otherwise(nothing)", "when otherwise"),
    ("omp begin metadirective when(user={condition(a)}: parallel) default(nothing)", "when default"),
    ("omp end metadirective", ""),
    ("omp tile sizes(4, 4)", "sizes"),
    ("omp interop init(prefer_type(1), targetsync: a) depend(in: b) device(0) nowait", "init depend device nowait"),
    ("omp interop use(a)", "use"),
    ("omp interop destroy(a)", "destroy"),
    ("omp dispatch novariants(1) nocontext(n > 2) is_device_ptr(a)", "novariants nocontext is_device_ptr"),
    ("omp assume no_openmp no_parallelism absent(task) contains(simd)", "no_openmp no_parallelism absent contains"),
    ("omp begin assumes holds(a) no_openmp_routines", "holds no_openmp_routines"),
    ("omp end assumes", ""),
    ("omp declare mapper(struct s a) map(a)", "declare mapper map"),
    ("omp begin declare target device_type(host) indirect", "device_type indirect"),
    ("omp declare target enter(a) link(b) indirect(1)", "enter link indirect"),
    ("omp declare variant(f) match(construct={dispatch}) adjust_args(nothing: a) append_args(interop(target))",
     "declare variant match adjust_args append_args"),
    ("omp begin declare variant match(implementation={vendor(gnu)})", "match"),
    ("omp end declare variant", ""),
    ("omp allocate(a) align(64) allocator(omp_default_mem_alloc)", "allocate align allocator"),
    ("omp requires reverse_offload unified_address unified_shared_memory",
     "reverse_offload unified_address unified_shared_memory"),
    ("omp target uses_allocators(omp_default_mem_alloc) nowait", "uses_allocators nowait"),
    ("omp task detach(a)", "detach"),
    ("omp taskwait nowait depend(in: a)", "nowait depend"),
    ("omp ordered doacross(source:)", "doacross"),
    ("omp scan inclusive(a, b)", "inclusive"),
    ("omp error at(compilation) severity(fatal) message(\"why\")", "at severity message"),
    ("omp cancel taskgroup", "taskgroup"),
])
def test_what_the_newest_compilers_take(text: str, clauses: str) -> None:
    parsed = parse(text)
    assert isinstance(parsed, Parsed) and parsed.problem is None
    assert " ".join(clause.name for clause in parsed.directive.clauses) == clauses


@pytest.mark.parametrize("text", ["once", "GCC ivdep", "pack(push, 1)", "STDC FP_CONTRACT ON", "", "acc parallel loop"])
def test_other_pragmas_are_none(text: str) -> None:
    assert parse(text) is None


@pytest.mark.parametrize(("text", "nearest"), [
    ("omp paralle for", "`#pragma omp parallel for`"),
    ("omp Parallel For private(a)", "`#pragma omp parallel for`"),
    ("OMP parallel for", "`#pragma omp parallel for`"),
    ("opm parallel", "`#pragma omp parallel`"),
    ("omp barier", "`#pragma omp barrier`"),
])
def test_misspelt_directives_name_the_nearest(text: str, nearest: str) -> None:
    warning = parse(text)
    assert isinstance(warning, Diagnostic) and (warning.code, warning.kind) == ("OMPC201", Kind.WARNING)
    assert warning.help is not None and nearest in warning.help


def test_clauses_keep_the_users_spelling() -> None:
    parsed = parse(
        "omp parallel for reduction(+ :a) if(n > 100) schedule(static , 4)",
        "#pragma omp parallel for reduction(PLUS: a) \\", "   if (BIG) /* why */ schedule(static,CHUNK) // more",
    )
    assert isinstance(parsed, Parsed)
    assert [c.user_text for c in parsed.directive.clauses] == ["a", "BIG", "static,CHUNK"]


def test_clauses_from_a_macro_keep_the_expanded_text() -> None:
    parsed = parse("omp parallel for if(n > 100)", "#pragma omp parallel for CLAUSES")
    assert isinstance(parsed, Parsed) and parsed.directive.clauses[0].user_text == "n > 100"


def test_a_conditional_has_no_modifier() -> None:
    parsed = parse("omp parallel if(n ? a : b) num_threads(2)")
    assert isinstance(parsed, Parsed) and parsed.problem is None
    assert (parsed.directive.clauses[0].modifier, parsed.directive.clauses[0].items) == (None, ("n ? a : b",))


def test_text_is_split_outside_brackets_and_literals() -> None:
    assert split_top_level("a[0, 1], f(b, c) ,')', \",\"", ",") == ["a[0, 1]", "f(b, c)", "')'", '","']
    with pytest.raises(MalformedError):
        scan_clauses("private(a))")


def test_no_pragma_at_the_line() -> None:
    assert pragma_as_written(["int x;"], 1) is None
    assert pragma_as_written([], 3) is None
    assert pragma_as_written(["  #  pragma   omp for"], 1) == "omp for"
    assert pragma_as_written(["/* a */ # /* b */ pragma omp \\\r", " for // c\r"], 1) == "omp for"


@given(st.lists(st.sampled_from([*CLAUSES, "omp", "parallel", "for", *"()[]{},:?\"'\\ a1+"]), max_size=14).map("".join))
def test_no_text_raises(text: str) -> None:
    parse("omp parallel for " + text, "#pragma omp parallel for " + text)
    parse(text)
