"""Macros that would change what the rest of the device file means, which has words besides the user's.

    #define n 100             ompc's text has a parameter `n`                   100 is printed
    #define max(a, b) ...     ompc's text has a call of `ompc::max(x, y)`       (a) > (b) ? ... is printed
    #define rows 64           nobody else says `rows`                           kept

The file is printed without these macros: what has a name of theirs then is not the user's use of them. Names in
capitals need no such care (plan/program/macro_names.py), unless they have parameters.

In: Plan, and what prints it.   Out: the same plan without the macros that clash.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

from ompc.base.macros import Macro
from ompc.frontend.text import read_tokens
from ompc.plan.model.plan import Plan


def without_clashes(plan: Plan, printed: Callable[[Plan], str]) -> Plan:
    """`printed`: the device file of a plan."""
    asked = {each for macro in plan.macro_names for each in macro.with_named() if _may_clash(each)}
    if not asked:
        return plan
    others = tuple(macro for macro in plan.macro_names if asked.isdisjoint(macro.with_named()))
    words = list(read_tokens(printed(replace(plan, macro_names=others))))
    names = {word.text for word in words}
    calls = {word.text for word, behind in pairwise(words) if behind.text == "("}
    clashing = {macro for macro in asked if macro.name in (names if macro.parameters is None else calls)}
    kept = tuple(macro for macro in plan.macro_names if clashing.isdisjoint(macro.with_named()))
    return replace(plan, macro_names=kept)


def _may_clash(macro: Macro) -> bool:
    return not macro.header and (macro.parameters is not None or not macro.name.isupper())
