"""Made-up ledgers and records, as the runtime and benchmarks/fig16.py write them."""

from __future__ import annotations

from typing import Any


def region(wall: float, h2d: float, kernel: float, d2h: float, launches: int = 1, refused: int = 0) -> dict[str, Any]:
    """One region of a ledger, in seconds."""
    return {
        "id": "main_41",
        "file": "a.c",
        "line": 41,
        "directive": "parallel for",
        "launches": launches,
        "refused": refused,
        "wall_seconds": wall,
        "h2d_seconds": h2d,
        "h2d_bytes": 8,
        "kernel_seconds": kernel,
        "d2h_seconds": d2h,
        "d2h_bytes": 8,
    }


def ledger(*regions: dict[str, Any], page_lock: float = 0.0) -> dict[str, Any]:
    """A ledger of these regions, one after the other, and of a host that computes for a second."""
    totals = {key: sum(region[key] for region in regions) for key in ("h2d_seconds", "kernel_seconds", "d2h_seconds")}
    parts = {"h2d": totals["h2d_seconds"], "kernel": totals["kernel_seconds"], "d2h": totals["d2h_seconds"]}
    launch = sum(region["wall_seconds"] for region in regions) - sum(totals.values())
    parts |= {"launch": launch, "wait": 0.0, "page_lock": page_lock, "init": 0.3, "host": 1.0}
    return {
        "schema": 2,
        "target": "cuda",
        "device": "a GPU",
        "init_seconds": 0.3,
        "page_lock_seconds": page_lock,
        "wall_seconds": sum(parts.values()),
        "parts": parts,
        "regions": list(regions),
    }


def ledger_of_schema_1(*regions: dict[str, Any], host_alloc: float = 0.0) -> dict[str, Any]:
    """As in records of older measurements."""
    return {
        "schema": 1,
        "target": "cuda",
        "device": "a GPU",
        "init_seconds": 0.3,
        "host_alloc_seconds": host_alloc,
        "regions": list(regions),
    }


def variant(*ledgers: dict[str, Any], problem: str | None = None) -> dict[str, Any]:
    """The runs of one executable."""
    return {"problem": problem, "runs": [{"round": k, "own_seconds": 0.4, "ledger": x} for k, x in enumerate(ledgers)]}


def program(name: str, openmpc: dict[str, Any] | None = None, **variants: dict[str, Any]) -> dict[str, Any]:
    """A program of a record, with a host run of 1 ms."""
    host = {"problem": None, "stdout": "x 1\n", "runs": [{"round": 0, "own_seconds": 1e-3}]}
    size = {"label": f"{name} size", "arguments": [], "defines": []}
    return {
        "name": name,
        "title": name.title(),
        "rtol": 1e-9,
        "size": size,
        "openmpc": openmpc,
        "variants": {"host": host, **variants},
    }


def record(*programs: dict[str, Any]) -> dict[str, Any]:
    """A record of a measurement."""
    return {
        "schema": 1,
        "experiment": "fig16",
        "date": "2030-01-02T03:04:05+00:00",
        "command": "python -m benchmarks fig16",
        "target": "cuda",
        "sizes": "thesis",
        "rounds": 3,
        "environment": {"device": "a GPU", "driver": "1"},
        "host_compiler": "gcc",
        "openmpc": {"source": "built from its source", "columns": {}},
        "programs": list(programs),
    }
