"""What trees contain: questions that many stages ask, each answered once.

In: a part of the typed tree.   Out: what is in it, in the order of the text.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from ompc.ir import tree as t
from ompc.ir.walk import walk


def reached(body: t.Stmt, functions: Mapping[str, t.Function]) -> tuple[t.Stmt, ...]:
    """`body`, and the bodies of all functions that it calls, directly or not."""
    found = [body]
    seen: set[str] = set()
    for code in found:  # grows meanwhile
        for name in called(code):
            function = functions.get(name)
            if function is not None and function.body is not None and function.name not in seen:
                seen.add(function.name)
                found.append(function.body)
    return tuple(found)


@lru_cache(maxsize=4096)
def called(code: t.Stmt) -> tuple[str, ...]:
    """The names of the functions that it calls, each once, in the order of the text."""
    calls = (node.function for node in walk(code) if isinstance(node, t.Call))
    return tuple(dict.fromkeys(function.symbol.name for function in calls if isinstance(function, t.Name)))


@lru_cache(maxsize=4096)
def may_be_left(body: t.Stmt) -> bool:
    """May a jump in the body of a loop end it? Also one that ends a loop inside it counts."""
    return any(isinstance(node, _ENDS) for node in walk(body))


_ENDS = (t.Break, t.Goto, t.Return, t.Leave)
