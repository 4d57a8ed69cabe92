"""Kernels that rely on the alignment of arrays (plan/forms/vector_access.py).

    template <bool aligned>
    __global__ void attract(..., const struct body *__restrict__ bodies_given, ...)     `parameter_names`
    {
        auto *const bodies = ompc::aligned<aligned, 16>(bodies_given);                     `declarations`
        ...
        const struct body own = ompc::whole(bodies[i]);                                    `whole_reads`
        if (ompc::at_once(bodies[j]).x > 0)

    const bool aligned = d_bodies.is_aligned(16);                                          `condition`

In: VectorAccesses of a schedule.   Out: text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ompc.ir import tree as t
from ompc.plan.model.launch import VectorAccess, VectorAccesses
from ompc.plan.model.names import Name


def _arrays(vectors: VectorAccesses | None) -> tuple[VectorAccess, ...]:
    return () if vectors is None else vectors.arrays


def parameter_names(vectors: VectorAccesses | None) -> dict[Name, Name]:
    """What the parameters for arrays are called, where the arrays' names are those of the kernel's own variables."""
    return {array.name: array.given for array in _arrays(vectors)}


def declarations(vectors: VectorAccesses | None) -> list[str]:
    relied_on: Name = "" if vectors is None else vectors.relied_on
    return [
        f"auto *const {array.name} = ompc::aligned<{relied_on}, {array.bytes}>({array.given});"
        for array in _arrays(vectors)
    ]


def whole_reads(vectors: VectorAccesses | None, text: Callable[[t.Expr], str]) -> dict[t.Expr, str]:
    """The reads of structs, whose `text` says where they are, and of structs of which members are wanted."""
    found = {node: f"ompc::whole({text(node)})" for array in _arrays(vectors) for node in array.whole}
    return found | {node: f"ompc::at_once({text(node)})" for array in _arrays(vectors) for node in array.apart}


def condition(vectors: VectorAccesses | None, devices: Mapping[Name, str]) -> str | None:
    """May the launch rely on it? `devices`: the launcher's names of the arrays."""
    asked = [f"{devices[array.name]}.is_aligned({array.bytes})" for array in _arrays(vectors)]
    return " && ".join(asked) or None


def because(vectors: VectorAccesses | None) -> list[str]:
    """For the comment above the kernel."""
    return [array.because for array in _arrays(vectors)]
