"""Analysis: what of C's complex numbers kernels do not have.

    z * w, x / z, z += 2 * I        as gcc does them: the runtime's ompc::Complex
    (1.1 + 2.2i) * (3.3 + 4.4i)     a compiler rounds each part once, a program each product: on the host
    *p++ *= z, with double *p       the real part of a product that has to be written out: on the host
    long double _Complex            no device has its parts

In: a node of a loop's code.   Out: OMPC323 with its reason, or None.
Not here: types -- device_code.py; functions of <complex.h> -- ir/device_library.py.
"""

from __future__ import annotations

from ompc.base.diagnostics import Reason
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.walk import walk
from ompc.omp.uses import has_side_effects

_CONSTANT = (t.FloatConst, t.IntConst, t.Unary, t.Binary, t.Cast)


def why_no_complex(node: object) -> Reason | None:
    """Why a device does not compute the node as the host does."""
    match node:
        case t.Binary(op="*" | "/", left=left, right=right, loc=loc) if _folds(left) and _folds(right):
            return Reason("OMPC323", "multiplies or divides complex constants, which compilers round once", loc)
        case t.Assign(op=op, target=target, value=value, loc=loc) if (
            op != "="
            and isinstance(value.type, ty.Complex)
            and not isinstance(target.type, ty.Complex)
            and has_side_effects(target)
        ):
            return Reason("OMPC323", f"contains `{op}` of a complex number into a real one with a side effect", loc)
        case _:
            return None


def _folds(node: t.Expr) -> bool:
    return isinstance(node.type, ty.Complex) and all(isinstance(part, _CONSTANT) for part in walk(node))
