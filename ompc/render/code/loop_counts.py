"""Trip counts of canonical loops, and the entries of shared ones, as calls of the runtime (ompc_trips.h, ompc_lanes.h).

    for (i = 0; i <= n; i += 2)      ompc::trips_le<int>(0, n, 2)      ompc::entries_le<int>(0, n, 2)

In: a CanonicalLoop, its bounds as text.   Out: text.
"""

from __future__ import annotations

from ompc.ir import types as ty
from ompc.omp.model import CanonicalLoop

_RELATIONS = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge", "!=": "ne"}


def trip_count(loop: CanonicalLoop, lower: str, upper: str, step: str) -> str:
    """The number of iterations; `step` is the magnitude of the increment."""
    return _counted("trips", loop, lower, upper, step)


def entries_of(loop: CanonicalLoop, lower: str, upper: str, step: str) -> str:
    """The first iteration, and their number."""
    return _counted("entries", loop, lower, upper, step)


def _counted(what: str, loop: CanonicalLoop, lower: str, upper: str, step: str) -> str:
    if loop.relation == "!=" and loop.down:
        step = f"-{step}"
    return f"ompc::{what}_{_RELATIONS[loop.relation]}<{integer_name(loop.type)}>({lower}, {upper}, {step})"


def integer_name(kind: ty.Type) -> str:
    """The C++ name of a loop variable's type."""
    match kind:
        case ty.Int(name=name):
            return name
        case ty.Enum(underlying=underlying):
            return underlying.name
        case _:
            raise TypeError(f"a loop variable of type {kind!r}")
