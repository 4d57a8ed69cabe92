"""Check what the analyses promise about a loop; a failure is a bug of ours and says so with the facts' text.

    every access stands in the kernel's code, in the function that it names
    an object outside the threads is declared outside of the kernel's code
    exact products are products of floating numbers

In: the facts of all loops.   Out: nothing, or InternalError.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ompc.analysis.facts import Facts
from ompc.analysis.show import show_facts
from ompc.base.diagnostics import InternalError, Reason
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.walk import walk
from ompc.omp.model import ParallelLoop


def verify_facts(facts: Mapping[ParallelLoop, Facts | Reason]) -> None:
    """Raise InternalError at the first broken promise."""
    for loop, known in facts.items():
        if isinstance(known, Facts):
            for broken in _broken(known):
                raise InternalError(f"analysis of {loop.id}: {broken}\n{show_facts({loop: known})}")


def _broken(facts: Facts) -> Iterator[str]:
    nodes = {
        function: set(walk(function.body)) for function in facts.device_code.functions if function.body is not None
    }
    in_body = set(walk(facts.device_code.body))
    for access in facts.accesses:
        if access.node not in (in_body if access.function is None else nodes[access.function]):
            yield f"an access to {access.obj} does not stand where it says"
    code = in_body.union(*nodes.values())
    declared = {node.symbol for node in code if isinstance(node, t.VarDecl)}
    for obj in facts.shared_objects:
        if obj.symbol in declared:
            yield f"{obj} is declared inside the kernel, yet counts as shared"
    for product in facts.exact:
        if not isinstance(product, (t.Binary, t.Assign)) or not isinstance(product.type, ty.Float):
            yield "an exact product that is none"
