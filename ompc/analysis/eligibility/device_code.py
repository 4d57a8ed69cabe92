"""Analysis: the device call graph: the code of a parallel loop, and all that it calls.

A kernel is the loop's body plus a `__device__` copy of every function that it calls, directly or not. This module finds
them and says, for the first construct that cannot run on a device, why the loop stays on the host.

    In:  a ParallelLoop, the Unit.    Out: DeviceCode (functions, callees first), or a Reason (OMPC32x).
    Not here: which objects are accessed -- analysis/memory/accesses.py; data-sharing rules -- plan/memory/variables.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from ompc.analysis.eligibility.complex_numbers import why_no_complex
from ompc.analysis.eligibility.function_pointers import pointer_words
from ompc.analysis.eligibility.library_effects import is_of_system
from ompc.analysis.eligibility.variable_rows import is_arithmetic_on_rows
from ompc.base.diagnostics import Reason, StaysOnHost
from ompc.base.frozen import dataclass
from ompc.base.source import Location
from ompc.ir import device_library
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.directive import Directive
from ompc.ir.queries import called_functions, is_constant_table, only_reads, unread_in
from ompc.ir.walk import Node, type_expressions, walk
from ompc.omp.constructs import binds_to_thread, is_openmps, readable
from ompc.omp.linear import moves_its_linear
from ompc.omp.model import ParallelLoop, Sharing
from ompc.sema.initial_parts import has_later_union_member, initial_parts, initial_texts, overrides_inside
from ompc.transform import device_prints
from ompc.transform.lock_sections import LOCKS, TAKING, why_no_section

_SIMD_OPERATORS = frozenset("+ - * & | ^ && || min max".split())
THREAD_QUERIES = frozenset(
    "omp_get_thread_num omp_get_num_threads omp_get_max_threads omp_get_level omp_get_active_level omp_in_parallel"
    " omp_get_ancestor_thread_num omp_get_team_size omp_get_team_num omp_get_num_teams omp_get_place_num".split()
)


@dataclass(frozen=True, eq=False)
class DeviceCode:
    """What runs on the device for one loop; `functions` are ordered so that each comes after those it calls.

    `orders_atomics`: a `requires` of the file says that an `atomic` without a memory order is not relaxed.
    """

    loop: ParallelLoop
    functions: tuple[t.Function, ...]
    orders_atomics: bool = False

    @property
    def body(self) -> t.Stmt:
        assert self.loop.body is not None
        return self.loop.body

    def bodies(self) -> Iterator[t.Stmt]:
        """The loop's body, then the bodies of the functions."""
        yield self.body
        for function in self.functions:
            assert function.body is not None
            yield function.body

    @cached_property
    def leaves(self) -> bool:
        """May an iteration end the program?"""
        return any(isinstance(node, t.Leave) for node in self.nodes)

    @property
    def prints(self) -> tuple[t.Print, ...]:
        """What an iteration may print."""
        return tuple(node for node in self.nodes if isinstance(node, t.Print))

    def says_anything(self, code: t.Stmt) -> bool:
        """May it print or end the program, or a function that it calls? Then what it does has a place in the output."""
        called = called_functions(code, {function.symbol: function for function in self.functions})
        bodies = (code, *(function.body for function in called if function.body is not None))
        return any(isinstance(node, (t.Leave, t.Print)) for body in bodies for node in walk(body))

    @cached_property
    def nodes(self) -> tuple[Node, ...]:
        """Every node of every body, in pre-order; evaluating the lengths in types, not among them, changes nothing."""
        return tuple(node for body in self.bodies() for node in walk(body))


def device_code(loop: ParallelLoop, unit: t.Unit) -> DeviceCode | Reason:
    """The functions that `loop` calls, or why its code cannot run on a device."""
    assert loop.body is not None
    order: list[t.Function] = []
    try:
        _visit_calls(loop.body, unit, order, path=())  # first: `printf` says more than its string does
        # Of each thread of the team, or by now of the kernel's, also as what the team's threads have added up; or a
        # variable in which they have the same value.
        of_team = (Sharing.SHARED,) if loop.team is not None else ()
        resolved = (Sharing.TEAM_PRIVATE, Sharing.PRIVATE, Sharing.REDUCTION, *of_team)
        own = (symbol for symbol, sharing in loop.sharing.items() if sharing in resolved)
        alone = frozenset[t.Pragma]() if loop.target is None else loop.target.alone
        _check_code(loop.body, None, frozenset(own), alone)
        for expr in _combining(loop):
            _check_combiner(expr, unit)
            _visit_calls(expr, unit, order, path=())
            _check_code(expr, None)
    except StaysOnHost as refused:
        return refused.reason
    return DeviceCode(loop, tuple(order), any(map(_orders_atomics, unit.pragmas)))


def _combining(loop: ParallelLoop) -> Iterator[t.Expr]:
    """The combiners and initializers of user-defined reductions, which run on the device too."""
    declared = {item.declared: None for item in loop.reductions if item.declared is not None}
    return (expr for reduction in declared for expr in reduction.expressions)


def _check_combiner(expr: t.Expr, unit: t.Unit) -> None:
    """It runs on the host too, which has nothing to leave and nobody to tell."""
    order: list[t.Function] = []
    _visit_calls(expr, unit, order, path=())
    for code in (expr, *(function.body for function in order)):
        for node in walk(code) if code is not None else ():
            if isinstance(node, (t.Leave, t.Print)):
                what = "end the program" if isinstance(node, t.Leave) else "print"
                raise StaysOnHost("OMPC320", f"may {what} where a reduction combines two values", node.loc)


def _visit_calls(body: t.Stmt | t.Expr, unit: t.Unit, order: list[t.Function], path: tuple[str, ...]) -> None:
    for node in walk(body):
        if isinstance(node, t.Call):
            callee = _callee(node, unit, body)
            if callee is None or callee in order:
                continue
            if callee.name in path:
                raise StaysOnHost("OMPC321", f"calls '{callee.name}', which is recursive", node.loc)
            assert callee.body is not None
            _check_signature(callee)
            _visit_calls(callee.body, unit, order, (*path, callee.name))
            _check_code(callee.body, callee)
            order.append(callee)


def _callee(call: t.Call, unit: t.Unit, body: t.Stmt | t.Expr) -> t.Function | None:
    """The function that `call`, in `body`, reaches; None for a device library function."""
    if not isinstance(call.function, t.Name) or not isinstance(call.function.symbol.type, ty.Function):
        raise StaysOnHost("OMPC322", f"calls through {pointer_words(call, unit)}", call.loc)
    name = call.function.symbol.name
    visible = unit.functions.get(name)
    if visible is None and device_library.is_device_function(name):
        return None
    if name in LOCKS:
        how = f" {why_no_section(body, call)}" if name in TAKING else ""
        raise StaysOnHost("OMPC349", f"calls '{name}'{how}: its iterations wait for one another", call.loc)
    if name in THREAD_QUERIES:
        raise StaysOnHost("OMPC339", f"calls '{name}': the result depends on which thread runs the iteration", call.loc)
    if visible is None and name in device_prints.FUNCTIONS:
        why = device_prints.as_print(call, name)
        why = why if isinstance(why, str) else "its result is used"
        raise StaysOnHost("OMPC362", f"calls '{name}', which the host cannot do for it: {why}", call.loc)
    if visible is None and name.startswith("omp_"):
        raise StaysOnHost("OMPC320", f"calls '{name}', which only the OpenMP runtime of the host can answer", call.loc)
    if visible is None:
        is_of_library = is_of_system(call.function.symbol.loc)
        what = "a library function without a device version" if is_of_library else "whose source is not here"
        raise StaysOnHost("OMPC320", f"calls '{name}', {what}", call.loc)
    if visible.opaque is not None or visible.body is None:
        raise StaysOnHost("OMPC320", f"calls '{name}', which cannot be analysed: {visible.opaque}", call.loc)
    return visible


def _check_signature(function: t.Function) -> None:
    kind = function.symbol.type
    assert isinstance(kind, ty.Function)
    if kind.variadic:
        raise StaysOnHost(
            "OMPC320", f"calls '{function.name}', which takes a variable number of arguments", function.symbol.loc
        )
    for parameter in function.params:
        if ty.is_variably_modified(parameter.type):
            raise StaysOnHost(
                "OMPC325",
                f"calls '{function.name}', which uses its parameter '{parameter.name}', with rows of variable length,"
                " as ompc cannot say by elements",
                parameter.loc,
            )
        _check_type(parameter.type, parameter.loc)
    _check_type(kind.returns, function.symbol.loc)


def _check_code(
    body: t.Stmt | t.Expr,
    in_function: t.Function | None,
    own: frozenset[t.Symbol] = frozenset(),
    alone: frozenset[t.Pragma] = frozenset(),
) -> None:
    """Raise on the first node that a device cannot run.

    `own`: threadprivate variables of which it may read a copy. A thread runs the constructs in `alone` by itself.
    """
    harmless = _nan_payloads(body) | _initial_texts(body)
    for node in walk(body):
        _check_complex(node)
        match node:
            case t.OpaqueExpr(why=why, loc=loc) | t.OpaqueStmt(why=why, loc=loc):
                raise StaysOnHost("OMPC324", f"contains {why}", loc)
            case t.Cast(type=kind) if (length := _length_with_effects(kind)) is not None:
                message = "contains a cast to a type with a length that changes something when it is evaluated"
                raise StaysOnHost("OMPC324", message, length.loc)
            case t.Sizeof(loc=loc):
                raise StaysOnHost("OMPC324", "takes the size of a variable-length array type", loc)
            case t.StringConst(loc=loc) if node not in harmless:
                raise StaysOnHost("OMPC334", "uses a string constant", loc)
            case t.Return(loc=loc) if in_function is None:
                raise StaysOnHost("OMPC324", "leaves the loop with return", loc)
            case t.Pragma(directive=Directive(name="flush"), loc=loc):
                raise StaysOnHost("OMPC349", "contains '#pragma omp flush': its iterations wait for one another", loc)
            case t.Pragma(loc=loc) if node not in alone and not _is_harmless(node):
                raise StaysOnHost("OMPC330", f"contains '#pragma {node.spelling}'", loc)
            case t.VarDecl(symbol=symbol):
                _check_local(symbol, in_function)
            case t.Expr(loc=loc) if is_arithmetic_on_rows(node):
                raise StaysOnHost("OMPC325", "computes with a pointer to rows of variable length", loc)
            case t.InitList(loc=loc) if overrides_inside(node):
                raise StaysOnHost("OMPC324", "contains an initialiser that replaces a part of an earlier one", loc)
            case t.CompoundLiteral(type=kind, init=init, loc=loc):
                _check_literal(kind, init, loc)
            case t.IncDec(op=op, operand=t.Member(type=kind, member=member), loc=loc) if (
                ty.unqualified(kind) == ty.BOOL and member.bits is not None
            ):
                raise StaysOnHost("OMPC324", f"contains `{op}` of a bit-field of type _Bool", loc)  # C++ has none
            case t.Name(symbol=symbol, loc=loc):
                _check_object(symbol, loc, own)
            case t.Expr(type=kind, loc=loc):
                _check_type(kind, loc)
            case _:
                pass


def _check_complex(node: Node) -> None:
    if (refused := why_no_complex(node)) is not None:
        raise StaysOnHost(refused.code, refused.message, refused.at)


def _length_with_effects(kind: ty.Type) -> t.Expr | None:
    """A variable length in a type, which the kernel's text does not have, although evaluating it does something."""
    return next((n for n in type_expressions(kind) if not only_reads(n) or unread_in(n) is not None), None)


def _check_literal(kind: ty.Type, init: t.InitList, loc: Location) -> None:
    """C++'s temporary dies at the end of its expression, and is initialised by a union's first member only."""
    _check_type(kind, loc)
    if has_later_union_member(initial_parts(init), kind):
        raise StaysOnHost("OMPC324", "contains a compound literal of a union", loc)


def _nan_payloads(body: t.Stmt | t.Expr) -> set[t.StringConst]:
    """The empty strings in what <math.h> makes of NAN, which the device has as a constant."""
    calls = (node for node in walk(body) if isinstance(node, t.Call) and isinstance(node.function, t.Name))
    names = device_library.CONSTANTS
    nans = (call for call in calls if isinstance(call.function, t.Name) and call.function.symbol.name in names)
    return {argument for call in nans for argument in call.args if isinstance(argument, t.StringConst)}


def _initial_texts(body: t.Stmt | t.Expr) -> set[t.StringConst]:
    """String constants that are copied into an array of the code's own, and those that are only subscripted."""
    found: set[t.StringConst] = set()
    for node in walk(body):
        match node:
            case t.VarDecl(symbol=symbol, init=t.StringConst() as text) if isinstance(symbol.type, ty.Array):
                found.add(text)
            case t.Index(base=t.StringConst() as text):
                found.add(text)
            case t.InitList():
                found.update(initial_texts(node))
            case _:
                pass
    return found


def _is_harmless(node: t.Pragma) -> bool:
    """A `simd` hint inside the body, or a pragma of somebody else's (unroll, ivdep), changes no meaning.

    Nor do `nothing`, `unroll` and `assume`, whose condition nobody evaluates.

    Run one after the other, its iterations give what `reduction` and `lastprivate` promise, and what `linear` does
    where the body adds the step. With `private` a variable keeps its old value outside: not so in one thread.
    """
    if not is_openmps(node) or node.directive.name in ("nothing", "unroll", "assume"):
        return True
    if node.directive.name in ("atomic", "critical"):
        return True  # analysis/reductions/atomic_operations.py says whether they can be done
    directive = readable(node)
    return (
        directive is not None
        and (directive.name == "simd" or binds_to_thread(directive))
        and directive.first("private") is None
        and (directive.first("linear") is None or moves_its_linear(node))
        and all(clause.modifier in _SIMD_OPERATORS for clause in directive.all("reduction"))
    )


def _orders_atomics(pragma: t.Pragma) -> bool:
    """May it give atomic operations another order than `relaxed`?"""
    default = pragma.directive.first("atomic_default_mem_order")
    unread = pragma.directive.name == "requires" and pragma.directive.problem is not None
    return unread or (default is not None and default.kind != "relaxed")


def _check_local(symbol: t.Symbol, in_function: t.Function | None) -> None:
    if symbol.storage is t.Storage.LOCAL_STATIC and not is_constant_table(symbol):
        raise StaysOnHost("OMPC326", f"'{symbol.name}' is static inside the code of the loop", symbol.loc)
    if symbol.storage is t.Storage.LOCAL_STATIC and isinstance(ty.element_of(symbol.type), ty.Complex):
        raise StaysOnHost("OMPC326", f"'{symbol.name}' is static inside the code of the loop, and complex", symbol.loc)
    if ty.is_variably_modified(symbol.type) and (in_function is not None or not isinstance(symbol.type, ty.Array)):
        message = f"'{symbol.name}' has a variable size and is declared inside a called function"
        if in_function is None:
            message = f"'{symbol.name}' points to rows of a variable length and is declared inside the loop"
        raise StaysOnHost("OMPC325", message, symbol.loc)
    _check_object(symbol, symbol.loc)


def _check_object(symbol: t.Symbol, loc: Location, own: frozenset[t.Symbol] = frozenset()) -> None:
    if isinstance(symbol.type, ty.Function):
        return
    if (symbol.storage is t.Storage.THREAD or symbol.threadprivate) and symbol not in own:
        raise StaysOnHost("OMPC309", f"'{symbol.name}' has one copy per thread", loc)
    _check_type(symbol.type, loc)


def _check_type(kind: ty.Type, loc: Location) -> None:
    if "volatile" in kind.quals or "_Atomic" in kind.quals:
        raise StaysOnHost("OMPC327", "accesses a volatile or _Atomic object", loc)
    match kind:
        case ty.Float(size=size) | ty.Complex(of=ty.Float(size=size)) if size > 8:
            raise StaysOnHost("OMPC323", "uses long double, which no GPU has", loc)
        case ty.Int(size=16):
            raise StaysOnHost("OMPC323", "uses __int128", loc)
        case ty.Unknown(why=why):
            raise StaysOnHost("OMPC323", f"uses a type that ompc does not know: {why}", loc)
        case ty.Pointer(to=ty.Function()):
            raise StaysOnHost("OMPC322", "uses a function pointer", loc)
        case ty.Pointer(to=of) | ty.Array(of=of):
            _check_type(of, loc)
        case ty.Struct(record=record):
            _check_record(record, loc)
        case _:
            pass


def _check_record(record: ty.Record, loc: Location) -> None:
    if record.opaque is not None:
        raise StaysOnHost(
            "OMPC337", f"the layout of '{record.tag or record.typedef_name}' is not known: {record.opaque}", loc
        )
    if record.fields is not None and record.size == 0:
        raise StaysOnHost("OMPC337", f"the {record.kind} '{record.tag or record.typedef_name}' has no members", loc)
    for member in record.fields or ():
        if not isinstance(
            member.type, ty.Pointer
        ):  # pointers may lead back to the record; reading one is refused elsewhere
            _check_type(member.type, loc)
