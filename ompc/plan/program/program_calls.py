"""Plan: calls by which a whole program keeps its loops on the host.

    pthread_create(...)         another thread may write to a block that a launch copies back whole
    fesetround(FE_UPWARD)       kernels round to the nearest number, and trap nothing
    asm("syscall" : ...)        the system is given memory whose newest values are on the device, and nobody is asked
    int omp_get_thread_num()    what stands for the answers of OpenMP's own function is not what the program gets

It is enough that such a function is named: it may be called through a pointer. Inline functions that nothing names are
never called: headers of the compiler have such that set the rounding mode. Of a file that no stage has understood, the
text is read. What files do that ompc does not see shows when the program runs: OMPC424, OMPC474.

    In: Unit, or the text of a file.   Out: the Reason, or None.
"""

from __future__ import annotations

import re

from ompc.analysis.eligibility.called_functions import called_functions
from ompc.base.diagnostics import Reason
from ompc.ir import tree as t
from ompc.ir.walk import walk
from ompc.omp.uses import ALL_QUESTIONS

_THREADS = ("pthread_create", "thrd_create")
_ROUNDING = (
    "fesetround fesetenv feupdateenv fesetmode feenableexcept _mm_setcsr __builtin_ia32_ldmxcsr _MM_SET_ROUNDING_MODE"
    " _MM_SET_EXCEPTION_MASK"
).split()
_ENTERS = ("syscall", "sysenter", "svc")
"""The instructions that enter the operating system, on x86-64 and AArch64."""
_ANSWERS = ALL_QUESTIONS | {"omp_get_max_threads", "omp_in_parallel", "omp_get_level", "omp_get_active_level"}
_NAMED = re.compile(rf"\b({'|'.join((*_THREADS, *_ROUNDING))})\b")
_IN_ASSEMBLY = re.compile(rf"\b(?:__)?asm(?:__)?\b[^;{{}}]*\b({'|'.join(_ENTERS)})\b")
_BY_ASSEMBLY = "enters the system by assembly"


def kept_by_calls(unit: t.Unit) -> Reason | None:
    """The first function of these that the file's own functions name; not the bodies of <xmmintrin.h>'s."""
    called = called_functions(unit)
    for function in unit.functions.values():
        body = function.body or function.unread
        if function.name in _ANSWERS and function.name in called:
            return Reason("OMPC339", f"the program has an `{function.name}` of its own", function.symbol.loc)
        if body is None or function.name in _ROUNDING or function.name not in called:
            continue
        for node in walk(body):
            if (
                isinstance(node, (t.OpaqueStmt, t.OpaqueExpr))
                and node.why == "asm"
                and not node.members.isdisjoint(_ENTERS)
            ):
                return Reason("OMPC365", f"the program {_BY_ASSEMBLY}", node.loc)
            if isinstance(node, t.Name) and node.symbol.name in (*_THREADS, *_ROUNDING) and _is_function(node):
                code, what = _said(node.symbol.name)
                return Reason(code, f"the program {what}", node.loc)
    return None


def kept_by_text(source: str, text: str) -> Reason | None:
    found = _NAMED.search(text)
    if found is None:
        return Reason("OMPC365", f"{source} {_BY_ASSEMBLY}") if _IN_ASSEMBLY.search(text) else None
    code, what = _said(found[1])
    return Reason(code, f"{source} {what}")


def _is_function(node: t.Name) -> bool:
    return node.symbol.storage is t.Storage.FUNCTION


def _said(name: str) -> tuple[str, str]:
    if name in _THREADS:
        return "OMPC340", f"creates threads of its own with {name}"
    return "OMPC363", f"changes how floating-point numbers are computed with {name}"
