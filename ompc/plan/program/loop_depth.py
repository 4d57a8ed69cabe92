"""Loop depth: is a program's work so deeply nested that the device is worth starting before anybody has asked for it?

    for (t = 0; t < steps; t++)              three loops deep: most likely more work than memory, of which each byte
        #pragma omp parallel for             is used again and again; the device starts while the program still makes
        for (i ...) for (j ...)              its data

    #pragma omp parallel for                 two: each byte is used once or twice. Such programs may be over before a
    for (i ...) for (j ...)                  device has started, which takes a third of a second

To start it takes a processor for as long, which the program's threads, of which there is one for each, miss at every
barrier: on 16 processors a thousand loops of 4 ms together took 330 ms meanwhile. What is not started early is started
by the loop that pays for it (ompc_cost_model.h).

    In: a unit, its loops on the device.   Out: is one of them that deep?
    Not here: how much work a launch has -- analysis/locality/intensity.py, and when it is known, the launch.
"""

from __future__ import annotations

from collections.abc import Iterable

from ompc.ir import tree as t
from ompc.ir.walk import Node, children
from ompc.omp.model import ParallelLoop

DEEP = 3
"""Loops one in another, from which on programs work on their data again and again."""

_LOOPS = (t.For, t.While, t.DoWhile)


def has_deep_loops(unit: t.Unit, loops: Iterable[ParallelLoop]) -> bool:
    """Is one of `loops` in so many others, or has so many in it?"""
    depths = _Depths(unit)
    return any(depths.around(loop) + depths.of(loop.loops[0].statement) >= DEEP for loop in loops if loop.loops)


class _Depths:
    """Loops around and in the code of a file. A function that calls itself, or that no call in the file leads to, may
    be in a loop.
    """

    def __init__(self, unit: t.Unit) -> None:
        self._functions = unit.functions
        self._inside: dict[str, int] = {}
        self._outside: dict[str, int] = {}
        self._calls: dict[str, dict[str, int]] = {}  # of each function, the deepest call in each other one
        self._pragmas: dict[t.Pragma, int] = {}
        for name, function in unit.functions.items():
            if function.body is not None:
                self._note(name, function.body)

    def _note(self, name: str, body: t.Stmt) -> None:
        stack: list[tuple[Node, int]] = [(body, 0)]
        while stack:
            node, depth = stack.pop()
            if isinstance(node, t.Pragma):
                self._pragmas[node] = depth
            elif (called := _called(node)) is not None:
                callers = self._calls.setdefault(called, {})
                callers[name] = max(depth, callers.get(name, 0))
            inside = depth + isinstance(node, _LOOPS)
            stack += [(child, inside) for child in children(node)]

    def of(self, code: Node) -> int:
        """How many loops are in each other in `code`, and the functions that it calls."""
        deepest, stack = 0, [(code, 0)]
        while stack:
            node, depth = stack.pop()
            called = _called(node)
            inside = depth + isinstance(node, _LOOPS)
            deepest = max(deepest, inside if called is None else inside + self._of_function(called))
            stack += [(child, inside) for child in children(node)]
        return deepest

    def _of_function(self, name: str) -> int:
        if name not in self._inside:
            self._inside[name] = 1  # for calls of itself
            function = self._functions.get(name)
            self._inside[name] = 0 if function is None or function.body is None else self.of(function.body)
        return self._inside[name]

    def around(self, loop: ParallelLoop) -> int:
        """In how many loops the host comes to `loop`."""
        return self._pragmas.get(loop.pragma, 0) + self._around_function(loop.function)

    def _around_function(self, name: str) -> int:
        if name not in self._outside:
            self._outside[name] = 1  # for calls of itself
            around = (depth + self._around_function(caller) for caller, depth in self._calls.get(name, {}).items())
            self._outside[name] = max(around, default=0 if name == "main" else 1)
        return self._outside[name]


def _called(node: Node) -> str | None:
    """The function that `node` calls by its name."""
    return node.function.symbol.name if isinstance(node, t.Call) and isinstance(node.function, t.Name) else None
