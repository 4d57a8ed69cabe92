"""Options that several commands have: what is built for, what is written, what is kept between builds and runs."""

from __future__ import annotations

import argparse
import os
from pathlib import Path


def positive(text: str) -> int:
    """A number from 1 on, as argparse wants it."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("at least 1 is wanted")
    return number


def add_measurement(parser: argparse.ArgumentParser, kept: str) -> None:
    """From the target to what is kept in --work, which is `kept`."""
    parser.add_argument("--target", choices=("cuda", "emulate"), default="cuda")
    parser.add_argument("--arch", help="the GPU to compile for, such as sm_90 (default: this machine's)")
    parser.add_argument("--fp", choices=("default", "strict", "fast"), default="default", help="of what ompc builds")
    parser.add_argument("--json", type=Path, help="write every run's raw numbers here")
    parser.add_argument("--png", type=Path, help="write the picture here (needs matplotlib)")
    parser.add_argument("--save", action="store_true", help="both, under benchmarks/results/DATE-DEVICE")
    parser.add_argument("--work", type=Path, help=f"keep {kept} in this folder")
    parser.add_argument("--jobs", type=positive, default=min(8, os.cpu_count() or 1), help="builds at a time")


def add_stages(parser: argparse.ArgumentParser) -> argparse._MutuallyExclusiveGroup:
    """Building alone, or measuring what was built."""
    when = parser.add_mutually_exclusive_group()
    when.add_argument("--build-only", action="store_true", help="build into --work and stop")
    when.add_argument("--reuse", action="store_true", help="measure the executables that are in --work")
    return when
