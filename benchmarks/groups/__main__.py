"""The command line: `python -m benchmarks.groups`: what the cost model of groups chooses, beside all else.

    loop               iterations  entries   chosen      1      2 ...   512   chosen / best
    dense_rows            4000000        4       58     58     74 ...   790            1.00

Microseconds of a launch whose data is on the device, the best of four in each of several runs. What a launch chooses
by is in ompc/runtime/kernel/shape/ompc_group_costs.h; tests/runtime/test_group_costs.py asks it again, without a GPU.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.environment import describe

PROGRAM = Path(__file__).parent / "shared_loops.c"
THREADS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)
"""What OMPC_LANES asks for, beside nothing."""
ALIKE = 13.0
"""Microseconds, below which a launch is all that is measured."""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.groups", description="Measure groups of threads.")
    parser.add_argument("--json", type=Path, help="write the record there")
    parser.add_argument("--runs", type=int, default=2, help="of the program, for each size of groups")
    asked = parser.parse_args(arguments)
    record = measured(asked.runs)
    if asked.json is not None:
        asked.json.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    print(table(record))
    return 0


def measured(runs: int) -> dict[str, Any]:
    """The record. Raises subprocess.CalledProcessError where the program cannot be built or run."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "shared_loops"
        build = [sys.executable, "-m", "ompc", "cc", "-O3", "-fopenmp", str(PROGRAM), "-lm", "-o", str(program)]
        subprocess.run(build, check=True)
        found: dict[tuple[str, int, int], dict[str, float]] = {}
        for lanes in [None, *THREADS] * runs:
            for line in _output(program, lanes).splitlines():
                loop, points, entries, text = line.split()
                times = found.setdefault((loop, int(points), int(entries)), {})
                key = "chosen" if lanes is None else str(lanes)
                times[key] = min(float(text), times.get(key, math.inf))
    rows = [
        {"loop": loop, "iterations": points, "entries": entries, "microseconds": times}
        for (loop, points, entries), times in found.items()
    ]
    command = shlex.join(["python", "-m", "benchmarks.groups", "--runs", str(runs)])
    return {"schema": 1, "command": command, "environment": describe(), "rows": rows}


def _output(program: Path, lanes: int | None) -> str:
    environment = {name: text for name, text in os.environ.items() if not name.startswith("OMPC_")}
    environment |= {"OMPC_WAIT": "1", "OMPC_OFFLOAD": "always"} | ({} if lanes is None else {"OMPC_LANES": str(lanes)})
    return subprocess.run([program], env=environment, check=True, capture_output=True, text=True).stdout


def table(record: Mapping[str, Any]) -> str:
    """A line for each row, and the geometric mean."""
    head = f"{'loop':16}{'iterations':>11}{'entries':>9}{'chosen':>9}"
    lines = [head + "".join(f"{n:9}" for n in THREADS) + "   / best"]
    ratios: list[float] = []
    for row in record["rows"]:
        times = row["microseconds"]
        best = min(times[str(n)] for n in THREADS)
        ratios.append(max(ALIKE, times["chosen"]) / max(ALIKE, best))
        numbers = "".join(f"{times[key]:9.0f}" for key in ("chosen", *map(str, THREADS)))
        lines.append(f"{row['loop']:16}{row['iterations']:11}{row['entries']:9}{numbers}{ratios[-1]:9.2f}")
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    return "\n".join([*lines, f"chosen / best: geometric mean {mean:.3f}, worst {max(ratios):.2f}"])


if __name__ == "__main__":
    sys.exit(main())
