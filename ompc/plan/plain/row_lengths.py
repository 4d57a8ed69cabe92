"""Plan: lengths of rows that the launch function has already, and is not told twice.

    void f(int m, double (*u)[m]) ... u[i][j] = m;      launch_f(n, m, u), which passes m to the kernel as u_dim1, too

In: KernelPlan.   Out: the variables' names, by the names of the kernel's parameters.
"""

from __future__ import annotations

from ompc.ir.queries import symbols_in
from ompc.plan.model.names import spelled
from ompc.plan.model.plan import KernelPlan


def told_otherwise(kernel: KernelPlan) -> dict[str, str]:
    own = {v.symbol for v in kernel.values}
    bounds = [bound.expr for loop in kernel.grid for bound in (loop.lower, loop.upper) if bound.expr is not None]
    own.update(*map(symbols_in, bounds))
    return {
        str(name): spelled(symbol.name)
        for v in kernel.arrays
        for name, symbol in zip(v.dimensions, v.lengths, strict=False)
        if symbol in own and symbol is not None
    }
