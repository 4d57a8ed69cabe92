"""Plan: how many bytes of an array cross, in C over the launch function's parameters.

    static double u[200][200]         sizeof(double[200][200])
    y[i], for i from 0 to n - 1       n * sizeof(double)
    x[column[k]], x from malloc       malloc_usable_size(x), where x is always the beginning of a block

In: Variables, the loops of the grid, what pointers hold.   Out: Extent, or None: it is not known.
"""

from __future__ import annotations

import re

from ompc.analysis.integers.polynomials import Polynomial, number, variable
from ompc.analysis.memory.extents import Section
from ompc.analysis.memory.lmad import Lmad
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.plan.model.extent import BoundingExtent, MappedExtent, ObjectExtent, SectionExtent
from ompc.plan.model.launch import GridLoop
from ompc.plan.model.names import spelled
from ompc.plan.model.plan import KernelPlan
from ompc.plan.model.variable import Variable
from ompc.plan.plain.model import Extent, TypeText

_BELOW = re.compile(r"(?:\(long long\))?(\w+) - (\d+)")
_NAME, _NAMES = re.compile(r"\w+"), re.compile(r"\w+( \* \w+)*")

_NUMBER = re.compile(r"(?:\(long\))?\(?(\d+)\)?")


class Sizes:
    """Of the arrays of one launch; `types` prints types, `arguments` are what the host passes for parameters."""

    def __init__(self, kernel: KernelPlan, types: TypeText) -> None:
        self._types = types
        self._trips = {loop.loop.statement: _trips(loop) for loop in kernel.grid}
        self._arguments = {str(argument.name): argument.host_text for argument in kernel.arguments}

    def of(self, v: Variable) -> Extent | None:
        """What certainly is one object's, and all that the launch uses."""
        match v.extent:
            case ObjectExtent(bytes=None):
                return Extent(str(v.sizes[0]))
            case ObjectExtent():
                return Extent(f"sizeof({self._types(ty.unqualified(v.symbol.type))})")
            case MappedExtent():
                first, count = (self._number(str(name)) for name in v.sizes)
                return self._elements(v, count, "" if first == "0" else first)
            case SectionExtent(section=section) if not v.dimensions:  # else it may count rows
                return self._section(section, v)
            case BoundingExtent(bounding_section=found) if found.exact and len(found.lmads) == 1:
                return self.dense(found.lmads[0])
            case _:
                return None

    def dense(self, part: Lmad) -> Extent | None:
        """All bytes of `part`, if there are none between them and it begins where the pointer points to."""
        total = number(part.bytes)
        for dimension in sorted(part.dimensions, key=lambda d: d.stride.degree):
            if not dimension.stride.terms:
                continue
            count = self._trips.get(dimension.loop.statement) if dimension.step == 1 else None
            if count is None or dimension.stride != total:
                return None
            total = total * count
        if part.first.terms:
            return None
        return self._product(total, part)

    def _product(self, total: Polynomial, part: Lmad) -> Extent | None:
        element, size = ty.unqualified(part.node.type), ty.size_of(part.node.type) or 1
        count = Polynomial(tuple((factors, coefficient // size) for factors, coefficient in total.terms))
        if len(count.terms) > 1 and count.degree > 1:  # a product of ints, before it is one of bytes
            return None
        return Extent(self._times(_text(count), self._types(element)))

    def _section(self, section: Section, v: Variable) -> Extent | None:
        renamed = any(spelled(symbol.name) != symbol.name for symbol in section.symbols)
        if renamed or section.condition is not None or "floord" in section.lower + section.upper:
            return None
        below = _BELOW.fullmatch(section.upper)
        if section.lower.isdecimal() and section.upper.isdecimal():
            count = str(int(section.upper) + 1 - int(section.lower))
        elif section.lower.isdecimal() and below is not None:
            less = int(below.group(2)) - 1 + int(section.lower)
            count = below.group(1) + (f" - {less}" if less > 0 else f" + {-less}" if less < 0 else "")
        elif section.lower.isdecimal():
            count = f"{section.upper} + {1 - int(section.lower)}"
        else:
            return None
        return self._elements(v, count, "" if section.lower == "0" else section.lower)

    def _elements(self, v: Variable, count: str, first: str = "") -> Extent:
        element = self._types(ty.unqualified(v.element))
        return Extent(self._times(count, element), first and self._times(first, element))

    def _times(self, count: str, element: str) -> str:
        """In size_t from the first product on."""
        if _NAME.fullmatch(count):
            return f"{count} * sizeof({element})"
        return f"sizeof({element}) * {count if _NAMES.fullmatch(count) else f'({count})'}"

    def _number(self, name: str) -> str:
        """The parameter, or the number that the host passes for it."""
        return number_of(self._arguments.get(name, name)) or name


def number_of(text: str) -> str:
    """The number that an argument is; empty: it is none."""
    found = _NUMBER.fullmatch(text)
    return "" if found is None else found.group(1)


def _trips(loop: GridLoop) -> Polynomial | None:
    upper = loop.upper
    if upper.constant is not None:
        end = number(upper.constant)
    elif isinstance(upper.expr, t.Name):
        end = variable(upper.expr.symbol)
    else:
        return None
    if loop.lower.constant is None or loop.step.constant != 1 or loop.loop.relation not in ("<", "<="):
        return None
    return end + number(-loop.lower.constant + (loop.loop.relation == "<="))


def _text(p: Polynomial) -> str:
    text = ""
    for factors, coefficient in sorted(p.terms, key=lambda term: (not term[0], term[1] < 0)):
        words = [str(abs(coefficient))] * (abs(coefficient) != 1 or not factors)
        words += [spelled(factor.name) for factor in factors if isinstance(factor, t.Symbol)]
        sign = (" - " if coefficient < 0 else " + ") if text else "-" * (coefficient < 0)
        text += sign + " * ".join(words)
    return text or "0"
