"""What the device file has of each loop, for people who look at one loop: its kernels, what these call, its launcher.

In: Plan.   Out: Excerpt by the region's id; each piece stands in the device file as it is here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import islice

from ompc.base.translation import Excerpt
from ompc.plan.model.plan import Plan
from ompc.render.device import views
from ompc.render.environment import template


def excerpts(plan: Plan) -> dict[str, Excerpt]:
    """What the device file has of each loop on the device, by the region's id."""
    printed = views(plan)
    functions = dict(zip((f.name for f in plan.functions if not f.of_cuda), printed["functions"], strict=True))
    texts = {name: template("function.cu.j2").render(function=view) for name, view in functions.items()}
    found: dict[str, Excerpt] = {}
    views_in_order = iter(printed["loops"])
    for region in plan.on_device:
        own = list(islice(views_in_order, len(region.kernels)))
        kernels = "\n".join(template("kernels.cu.j2").render({"loop_kernels": each.kernels}) for each in own)
        launcher = "\n".join(template("launcher.cu.j2").render(printed | {"launcher": each.launcher}) for each in own)
        called = [texts[name] for name in _called(kernels, texts)]
        found[region.id] = Excerpt("\n".join([*called, kernels.rstrip("\n") + "\n"]), launcher)
    return found


def _called(kernels: str, functions: Mapping[str, str]) -> list[str]:
    """The functions that the text names, and those that these name, in the order of the file."""
    found: set[str] = set()
    texts = [kernels]
    while texts:
        words = set(re.findall(r"\w+", texts.pop()))
        new = (words & functions.keys()) - found
        texts += [functions[name] for name in new]
        found |= new
    return [name for name in functions if name in found]
