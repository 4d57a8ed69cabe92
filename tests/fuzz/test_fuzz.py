"""A fixed set of random programs, and that the fuzzer finds a wrong kernel and makes its program small."""

from __future__ import annotations

import re
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from ompc.base.options import Level
from ompc.base.translation import Translation

from .building import Workshop
from .campaign import Settings, check_numbers
from .cases import MAKERS, make_case, print_file
from .checking import Failure
from .keeping import reduced
from .printing import print_program
from .reduction import reduce_case

PER_FILE = 8
FILES = [
    pytest.param(range(start, start + PER_FILE), id=f"{start}-{start + PER_FILE - 1}", marks=marks)
    for start, marks in ((0, ()), (PER_FILE, pytest.mark.nightly))
]


@pytest.mark.slow
@pytest.mark.parametrize("numbers", FILES)
def test_random_programs(numbers: range, tmp_path: Path, runtime_folder: Path, nightly: bool) -> None:
    """Two levels with sanitizers and without; the third takes its turn."""
    other = (Level.THESIS, Level.BASELINE)[numbers[0] // PER_FILE % 2]
    settings = Settings(seed=2026, levels=(Level.AUTO, other), runtime=runtime_folder, messages=nightly)
    outcome = check_numbers(settings, numbers, tmp_path)
    assert [(f.case.number, f.level, f.kind, f.key, f.detail) for f in outcome.failures] == []
    assert outcome.on_device > len(numbers) / 2, outcome.codes


def test_a_case_is_always_the_same() -> None:
    assert make_case(3, 14) == make_case(3, 14)
    assert print_file([make_case(3, 14)]) != print_file([make_case(4, 14)])


def test_one_kind_of_segments_alone() -> None:
    texts = [print_program(make_case(1, number, ("critical",)).program) for number in range(8)]
    excluding = ("#pragma omp critical", "#pragma omp atomic", "omp_set_lock(")
    assert all(any(words in text for words in excluding) for text in texts)


def test_gcc_takes_every_kind(tmp_path: Path) -> None:
    source = tmp_path / "cases.c"
    source.write_text(print_file([make_case(1, number, (kind,)) for number, kind in enumerate(MAKERS)]))
    command = ["gcc", "-w", "-fopenmp", "-fsyntax-only", str(source)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_gcc_takes_what_is_generated(tmp_path: Path) -> None:
    source = tmp_path / "cases.c"
    source.write_text(print_file([make_case(1, number) for number in range(40)]))
    command = ["gcc", "-w", "-fopenmp", "-fsyntax-only", str(source)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_reduction_keeps_what_fails() -> None:
    case = next(c for c in (make_case(0, k) for k in range(100)) if "reduction(" in print_program(c.program))
    small = reduce_case(case, lambda c: "reduction(" in print_program(c.program), most=500)
    assert len(print_program(small.program)) < len(print_program(case.program)) / 4


@pytest.mark.nightly
@pytest.mark.slow
def test_a_wrong_kernel_is_found_and_made_small(
    tmp_path: Path, runtime_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every kernel forgets its first assignment to an element."""
    translation = Workshop.translation

    def wrong(self: Workshop, source: Path, level: Level) -> Translation:
        right = translation(self, source, level)
        text = {
            k: re.sub(r"^( +\w+\[.*\]) = .*;$", r"\1 = 0;", v, flags=re.M)
            for k, v in right.files.items()
            if k.endswith(".cu")
        }
        return replace(right, files={**right.files, **text})

    monkeypatch.setattr(Workshop, "translation", wrong)
    settings = Settings(seed=2026, levels=(Level.BASELINE,), orders=("1",), runtime=runtime_folder)
    outcome = check_numbers(settings, range(6), tmp_path)
    failures = [f for f in outcome.failures if f.kind == "difference"]
    assert failures
    small: Failure = reduced(failures[0], settings, most=6)
    assert small.kind == "difference"
