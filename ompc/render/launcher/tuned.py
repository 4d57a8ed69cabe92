"""The launcher's table of shapes that are known to be good.

    static const ompc::Tuned tuned[] = {
        ompc::on("NVIDIA H200", 24).block(64, 4).rows(8), // 1.31 times as fast, measured
    };
    launch.tuned(tuned);

In: KernelPlan.   Out: lines for templates/launcher.cu.j2.   Not here: which entry counts -- ompc_tuning.h.
"""

from __future__ import annotations

import re

from ompc.plan.model.launch import TunedShape
from ompc.plan.model.plan import KernelPlan


def tuned_table(kernel: KernelPlan, name: str, launch: str) -> list[str]:
    """Nothing where nothing is known."""
    if not kernel.tuned:
        return []
    entries = [f"    {_entry(shape)}, // {shape.because}" for shape in kernel.tuned]
    return [f"static const ompc::Tuned {name}[] = {{", *entries, "};", f"{launch}.tuned({name});"]


def _entry(shape: TunedShape) -> str:
    where = "anywhere()" if shape.device is None else f"on({_literal(shape.device)}, {shape.size_class})"
    calls = shape.choices.values().items()
    return f"ompc::{where}" + "".join(f".{name}({_numbers(value)})" for name, value in calls)


def _numbers(value: int | tuple[int, int]) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _literal(text: str) -> str:
    """A device's name as a C++ string; nothing that is no plain character."""
    plain = re.sub(r"[^ -~]", "?", text).replace("\\", "\\\\")
    return '"' + plain.replace('"', '\\"').replace("??", "?\\?") + '"'
