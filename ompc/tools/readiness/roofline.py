"""The estimated place of a loop under the roofs of a device.

    jacobi.c:99   0.17 to 0.67 operations for each byte: under the memory's roof whatever the caches do

The estimate's two ends come from locality/intensity.py: every access goes to memory, or each element once. Left of the
ridge, where the roofs meet, the memory is what limits; right of it, the arithmetic. Operations of both precisions
share a roof: that of the mixture.

    Source: Williams, Waterman and Patterson, CACM 52(4), 2009; the devices' figures are their makers' public ones.
    In: `work` of a loop in the report for machines, a Device.   Out: Roofline, or None: nothing is known.
    Not here: what a launch really reaches -- `ompc profile`; tensor cores, which no kernel here uses.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from ompc.base.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Device:
    """A device, with the source of its figures.

    `double`, `single`  operations per second at most
    `memory`            bytes per second
    """

    name: str
    double: float
    single: float
    memory: float
    source: str


DEVICES: Mapping[str, Device] = {
    "h200": Device("NVIDIA H200 SXM", 34e12, 67e12, 4.8e12, "NVIDIA H200 data sheet"),
    "a100": Device("NVIDIA A100 80GB SXM", 9.7e12, 19.5e12, 2.039e12, "NVIDIA A100 data sheet"),
    "l40s": Device("NVIDIA L40S", 1.43e12, 91.6e12, 0.864e12, "NVIDIA L40S data sheet; double at 1/64 of single"),
    "t4": Device("NVIDIA T4", 0.254e12, 8.1e12, 0.320e12, "NVIDIA T4 data sheet; double at 1/32 of single"),
}


class Roof(Enum):
    MEMORY = "memory"
    ARITHMETIC = "arithmetic"
    EITHER = "memory or arithmetic"
    NO_OPERATIONS = "memory, no floating-point operations"
    REGISTERS = "arithmetic, no arrays"


@dataclass(frozen=True, slots=True)
class Roofline:
    """The work of one iteration, and what limits it.

    `double`, `single`  operations
    `every`, `once`     bytes
    `least`, `most`     operations for each byte; None: no bytes
    `peak`              operations per second of this mixture
    """

    device: Device
    double: float
    single: float
    every: float
    once: float
    least: float | None
    most: float | None
    peak: float
    roof: Roof
    assumed: Mapping[str, object]
    unknown: tuple[str, ...]

    @property
    def ridge(self) -> float:
        return self.peak / self.device.memory

    def attainable(self, intensity: float) -> float:
        """Operations per second below the roofs."""
        return min(self.peak, intensity * self.device.memory)


def roofline(work: object, device: Device) -> Roofline | None:
    """From the record of the report for machines; None: it has none."""
    if not isinstance(work, Mapping):
        return None
    operations, moved = _numbers(work.get("operations")), _numbers(work.get("bytes"))
    double, single = operations.get("double", 0.0), operations.get("single", 0.0)
    every, once = moved.get("every access", 0.0), moved.get("each element once", 0.0)
    done = double + single
    least, most = (done / every if every else None), (done / once if once else None)
    peak = done / (double / device.double + single / device.single) if done else device.single
    assumed, unknown = work.get("assumed"), work.get("unknown")
    return Roofline(
        device,
        double,
        single,
        every,
        once,
        least,
        most,
        peak,
        _roof(done, least, most, peak / device.memory),
        assumed if isinstance(assumed, Mapping) else {},
        tuple(map(str, unknown)) if isinstance(unknown, list) else (),
    )


def _roof(done: float, least: float | None, most: float | None, ridge: float) -> Roof:
    if least is None or most is None:
        return Roof.REGISTERS
    if not done:
        return Roof.NO_OPERATIONS
    if most < ridge:
        return Roof.MEMORY
    return Roof.ARITHMETIC if least >= ridge else Roof.EITHER


def _numbers(value: object) -> dict[str, float]:
    if not isinstance(value, Mapping):
        return {}
    return {str(key): float(each) for key, each in value.items() if isinstance(each, (int, float))}
