"""The host's side of device printf: one function that makes the user's own calls.

    case 0: // line 12
        std::printf("%d: %g\\n", message.get<int>(0), message.get<double>(1));
        break;

In: the plan's prints.   Out: lines for templates/device.cu.j2; the kernel's call for a print.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.plan.model.plan import MESSAGES
from ompc.render.code.types import TypePrinter

PRINTER = "ompc_print"
"""The function of the device file that prints for the kernels."""


def printed(prints: Sequence[t.Print], types: TypePrinter) -> list[str]:
    """The body of the switch over the prints' numbers."""
    lines: list[str] = []
    for number, node in enumerate(prints):
        lines += [f"case {number}: // line {node.loc.line}", f"    {_host_call(node, types)};", "    break;"]
    return lines


def _host_call(node: t.Print, types: TypePrinter) -> str:
    positions = count()
    arguments: list[str] = []
    for item in node.given:
        if isinstance(item, str):
            arguments.append(item)
            continue
        value = f"message.get<{_noted(item, types)}>({next(positions)})"
        arguments.append(f"ompc::chosen({{{', '.join(item)}}}, {value})" if isinstance(item, tuple) else value)
    return f"std::{node.name}({', '.join(arguments)})"


def noting(node: t.Print, number: int, arguments: Sequence[str], types: TypePrinter) -> str:
    """The call by which a kernel notes a print."""
    kinds = [_noted(item, types) for item in node.given if not isinstance(item, str)]
    of = f"<{', '.join(kinds)}>" if kinds else ""
    return f"ompc::print{of}({', '.join([MESSAGES, str(number), *arguments])})"


def _noted(item: ty.Type | tuple[str, ...], types: TypePrinter) -> str:
    return "int" if isinstance(item, tuple) else types.declare(item)
