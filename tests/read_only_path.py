"""Kernels that read by the read-only data path what they may store to, found in PTX.

    cvta.to.global.u64  %rd1, %rd2;         %rd1 is in the array of parameter %rd2
    selp.b64            %rd3, %rd1, %rd4;   %rd3 in that or in the array of %rd4, wherever it is computed from either
    ld.global.nc.f64    %fd1, [%rd3];       must be in no array that a store or an atomic operation may be in

Registers are taken to have all values that they are assigned anywhere.

    In: PTX, as nvcc -ptx prints it.   Out: the kernels' mangled names.
"""

from __future__ import annotations

import re
from collections import defaultdict

_KERNEL = re.compile(r"\.entry (\w+)\((?:.*?)\)\n(.*?)\n}\n", re.DOTALL)
_INSTRUCTION = re.compile(r"^\s*(?:@!?%p\d+\s+)?([a-z][\w.]*)\s+([^;]*);", re.MULTILINE)
_ADDRESS = re.compile(r"\[(%rd\d+)")
_STORES = ("st.global", "st.u", "st.s", "st.f", "st.b", "st.v", "atom.", "red.")
_NO_ADDRESS = ("ld.", "setp", "bra", "call", *_STORES)


def stored_and_read(ptx: str) -> list[str]:
    """The kernels that have such loads."""
    return [name for name, body in _KERNEL.findall(ptx) if _has_such_loads(body)]


def _has_such_loads(body: str) -> bool:
    instructions = _INSTRUCTION.findall(body)
    arrays = _arrays(instructions)
    stored, read = set[str](), set[str]()
    for operation, operands in instructions:
        if (address := _ADDRESS.search(operands)) is not None:
            if operation.startswith(_STORES):
                stored |= arrays[address[1]]
            elif operation.startswith("ld.global.nc"):
                read |= arrays[address[1]]
    return not stored.isdisjoint(read)


def _arrays(instructions: list[tuple[str, str]]) -> defaultdict[str, set[str]]:
    """In which arrays the address in a register may be, by the parameters that lead to them."""
    found = defaultdict[str, set[str]](set)
    moves = []
    for operation, operands in instructions:
        target, *sources = (word.strip() for word in operands.split(","))
        if operation.startswith("cvta.to.global"):
            found[target].update(sources)
        elif target.startswith("%rd") and not operation.startswith(_NO_ADDRESS):
            moves.append((target, sources))
    changed = True
    while changed:
        changed = False
        for target, sources in moves:
            new = set().union(*(found[source] for source in sources)) - found[target]
            found[target] |= new
            changed |= bool(new)
    return found
