"""Pragma texts that no accepted program contains, or that need no program around them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ompc.base.diagnostics import Kind as Severity
from ompc.base.source import Location
from ompc.ir import types as ty
from ompc.ir.directive import Directive, Kind
from ompc.ir.tree import Pragma, Storage, Symbol
from ompc.omp.grammar import CLAUSES, DIRECTIVES
from ompc.omp.reading.clause_text import MalformedError, pragma_as_written, scan_clauses, split_top_level
from ompc.omp.reading.directives import read_pragma

SCOPE = {name: Symbol(name, ty.INT, Storage.AUTO, Location("a.c", 1), i) for i, name in enumerate("abcn")}


def parse(text: str, *lines: str) -> Directive:
    return read_pragma(Pragma(Location("a.c", 1), text, None, SCOPE), lines)


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
    assert parsed.kind is Kind.OPENMP and parsed.problem is not None
    assert parsed.problem.code in ("OMPC304", "OMPC311")


def test_an_unknown_clause_keeps_the_directive() -> None:
    parsed = parse("omp parallel for frobnicate(1)")
    assert parsed.kind is Kind.OPENMP and parsed.problem is not None
    assert (parsed.name, parsed.problem.code) == ("parallel for", "OMPC304")


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
    assert parsed.kind is Kind.OPENMP and parsed.problem is None
    assert parsed.name == name


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
    assert parsed.kind is Kind.OPENMP and parsed.problem is None
    assert " ".join(clause.name for clause in parsed.clauses) == clauses


@pytest.mark.parametrize("text", ["once", "GCC ivdep", "pack(push, 1)", "STDC FP_CONTRACT ON", "", "acc parallel loop"])
def test_other_pragmas_are_somebody_elses(text: str) -> None:
    assert (parse(text).kind, parse(text).warning) == (Kind.FOREIGN, None)


@pytest.mark.parametrize(("text", "name", "clauses"), [
    ("cuda gpurun constant(a)", "cuda gpurun", ["constant"]),
    ("cuda\tgpurun  threadblocksize ( n ) noconstant(a , b)", "cuda gpurun", ["threadblocksize", "noconstant"]),
    ("cuda gpurun constant(a) noconstant(unknown)", "cuda gpurun", ["constant"]),
    ("cuda nogpurun", "cuda nogpurun", []),
    ("ompc block( 64 , 4 )rows(8)", "ompc", ["block", "rows"]),
    ("ompc rows(n)", "ompc", []),
    ("ompc", "ompc", []),
])
def test_own_pragmas_are_read_too(text: str, name: str, clauses: list[str]) -> None:
    found = parse(text)
    assert (found.kind, found.name, found.warning) == (Kind.OWN, name, None)
    assert [clause.name for clause in found.clauses] == clauses
    assert (found.problem is not None) == ("unknown" in text or "(n)" in text)


@pytest.mark.parametrize(("clauses", "named", "used"), [
    ("private(a) shared(b)", "ab", ""),
    ("private(a) firstprivate(a)", "a", "a"),
    ("if(a > n) reduction(max: b)", "abn", "abn"),
    ("private((a)", "a", "a"),
    ("schedule(static, c) nowait frobnicate(n)", "cn", "cn"),
])
def test_the_variables_that_clauses_name(clauses: str, named: str, used: str) -> None:
    for name in ("parallel for", "frobnicate"):
        found = parse(f"omp {name} {clauses}")
        assert {symbol.name for symbol in found.named} == {*named}
        assert name == "frobnicate" or {symbol.name for symbol in found.used} == {*used}


def test_sections_have_their_parts() -> None:
    (clause,) = parse("omp target update to(a, b[n:2*n], c[1][:n])").clauses
    whole, part, row = (item.section for item in clause.listed)
    assert whole is not None and (whole.base.text, whole.first, whole.count) == ("a", None, None)
    assert part is not None and part.first is not None and part.count is not None
    assert (part.base.text, part.first.text, part.count.text, part.count.expr is None) == ("b", "n", "2*n", False)
    assert row is not None and row.first is not None and (row.base.text, row.first.text) == ("c[1]", "0")


@pytest.mark.parametrize(("text", "brackets", "rest"), [
    ("a", [], False),
    ("a[2:n]", ["2:n"], False),
    ("a [ 2 : n ] [:]", ["2:n", ":"], False),
    ("a[n ? 1 : 2 : 3]", ["n ? 1 : 2:3"], False),
    ("a[(n ? 1 : 2)]", ["(n ? 1 : 2)"], False),
    ("a[1].q[0:n]", ["1"], True),
    ("a[0:n:2]", [], True),
    ("a[]", [], True),
])
def test_what_follows_the_variable_of_an_item(text: str, brackets: list[str], rest: bool) -> None:
    (item,) = parse(f"omp target update to({text})").clauses[0].listed
    found = [
        ("" if b.lower is None else b.lower.text) + ("" if b.single else ":")
        + ("" if b.length is None else b.length.text)
        for b in item.brackets
    ]  # fmt: skip
    assert (item.symbol.name, found, item.rest) == ("a", brackets, rest)


@pytest.mark.parametrize(("text", "nearest"), [
    ("omp paralle for", "`#pragma omp parallel for`"),
    ("omp Parallel For private(a)", "`#pragma omp parallel for`"),
    ("OMP parallel for", "`#pragma omp parallel for`"),
    ("opm parallel", "`#pragma omp parallel`"),
    ("omp barier", "`#pragma omp barrier`"),
])
def test_misspelt_directives_name_the_nearest(text: str, nearest: str) -> None:
    directive = parse(text)
    warning = directive.warning
    assert directive.kind in (Kind.UNKNOWN, Kind.FOREIGN) and warning is not None
    assert (warning.code, warning.kind) == ("OMPC201", Severity.WARNING)
    assert warning.help is not None and nearest in warning.help


def test_clauses_keep_the_users_spelling() -> None:
    parsed = parse(
        "omp parallel for reduction(+ :a) if(n > 100) schedule(static , 4)",
        "#pragma omp parallel for reduction(PLUS: a) \\", "   if (BIG) /* why */ schedule(static,CHUNK) // more",
    )
    assert parsed.kind is Kind.OPENMP
    assert [c.user_text for c in parsed.clauses] == ["a", "BIG", "static,CHUNK"]


def test_clauses_from_a_macro_keep_the_expanded_text() -> None:
    parsed = parse("omp parallel for if(n > 100)", "#pragma omp parallel for CLAUSES")
    assert parsed.kind is Kind.OPENMP and parsed.clauses[0].user_text == "n > 100"


def test_a_conditional_has_no_modifier() -> None:
    parsed = parse("omp parallel if(n ? a : b) num_threads(2)")
    assert parsed.kind is Kind.OPENMP and parsed.problem is None
    assert (parsed.clauses[0].modifier, parsed.clauses[0].text) == (None, "n ? a : b")


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
