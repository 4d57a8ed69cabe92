"""Random programs, and execution cases, with a check disabled: is it noticed, and by whom?

Only programs whose generated text changes are built and run. A find is looked at again with the check in its place: a
program that is wrong then, too, is a bug of ompc's.

In: a check, programs, what was observed of them.   Out: `Tried`.
"""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ompc.base.diagnostics import CompileError, InternalError
from ompc.base.options import FloatingPoint, Level
from ompc.toolchain.machine.setting import Target
from ompc.tools.answers.compare import first_difference
from tests.fuzz.building import Workshop
from tests.fuzz.checking import Failure, check_cases

from .checks import Check
from .disabling import disabled
from .observing import Observation, Program, in_time, text_of
from .table import BY_NAME

ROOT = Path(__file__).parents[2]
ORDERS = ("1", "2", "3", "7")


@dataclass(frozen=True, slots=True)
class Tried:
    """What a few programs have shown. `found`: by whom and where, empty where nobody has noticed; `detail` of that;
    `changed`: how many have another text; `is_bug`: the same without the mutation.
    """

    found: str = ""
    detail: str = ""
    changed: int = 0
    seconds: float = 0.0
    is_bug: bool = False


@dataclass(frozen=True, slots=True)
class Manner:
    """`wide`: changed programs are run in all orders of blocks and lanes; `texts`: the first one ends it, and none is
    run.
    """

    wide: bool = False
    texts: bool = False


def try_programs(name: str, programs: Sequence[tuple[Program, Observation]], folder: Path, manner: Manner) -> Tried:
    """Translate each with the check of this name disabled, then run those that have changed."""
    check, started = BY_NAME[name], time.monotonic()
    changed: list[Program] = []
    tried = Tried()
    for program, before in programs:
        found, text = _translated(check, program)
        if found:
            tried = Tried(f"{found[0]}, {program}", found[1], len(changed))
            break
        if text != before.text:
            changed.append(program)
            if manner.texts:
                tried = Tried(f"text, {program}")
                break
    if changed and not tried.found:
        run = _run_case if changed[0].case is not None else _run_random
        tried = run(check, changed, folder, manner.wide)
    return replace(tried, changed=len(changed), seconds=time.monotonic() - started)


def _translated(check: Check, program: Program) -> tuple[tuple[str, str] | None, str]:
    """Who has noticed, if somebody has, or the text."""
    try:
        with in_time(), disabled(check):
            return None, text_of(program.translation())
    except InternalError as error:
        return ("verifier", str(error).splitlines()[0]), ""
    except TimeoutError as error:
        return ("translation does not end", str(error)), ""
    except CompileError as error:
        return ("refused", str(error)), ""
    except Exception as error:  # whatever a disabled check leads to: it was noticed
        return ("traceback", f"{type(error).__name__}: {error}"), ""


# --------------------------------------------------------------------------- random programs


def _run_random(check: Check, programs: Sequence[Program], folder: Path, wide: bool) -> Tried:
    workshop = Workshop(folder, Target.EMULATE, None, FloatingPoint.DEFAULT, "-O1", messages=False, sanitize=False)
    cases = [program.made() for program in programs]
    name = f"{_file_name(check)}_{programs[0].number}"
    orders = ORDERS if wide else (ORDERS[programs[0].number % len(ORDERS)],)
    with disabled(check):
        failures = check_cases(workshop, cases, (Level.AUTO,), orders, name).failures
    failures = [failure for failure in failures if failure.kind != "generator"]
    if not failures:
        return Tried()
    first = failures[0]
    with_check = check_cases(workshop, [first.case], (Level.AUTO,), (first.seed,), f"{name}_with").failures
    return _of_failure(first, bool(with_check))


def _of_failure(failure: Failure, is_bug: bool) -> Tried:
    by = {"difference": "fuzzer", "internal": "verifier"}.get(failure.kind, f"fuzzer ({failure.kind})")
    where = f"program {failure.case.number} in order {failure.seed}"
    return Tried(f"{by}, {where}", failure.key[:200], is_bug=is_bug)


def _file_name(check: Check) -> str:
    return "".join(letter if letter.isalnum() else "_" for letter in check.name)


# --------------------------------------------------------------------------- execution cases


def read_cases() -> list[Program]:
    """The programs of tests/execution/cases."""
    found = _execution("execution_case").ALL_CASES
    return [_program_of(case) for case in found]


def _program_of(case: Any) -> Program:
    from ompc.toolchain.machine.flags import split_flags

    _, flags = split_flags(case.flags)
    return Program(case=case.source, flags=tuple(flags.preprocess), fp=FloatingPoint(case.fp))


def _execution(name: str) -> Any:
    """A module of the tests that compare programs, which are no package."""
    for path in (ROOT / "tests", ROOT / "tests" / "execution"):
        if str(path) not in sys.path:
            sys.path.append(str(path))
    return __import__(name)


def _run_case(check: Check, programs: Sequence[Program], folder: Path, _: bool) -> Tried:
    build, cases = _execution("execution_build"), _execution("execution_case")
    for program in programs:
        assert program.case is not None
        case = cases.read_case(program.case)
        name = f"{_file_name(check)}-{case.name}"
        workshop = build.Workshop(folder / name, folder / "runtime", messages=False)
        reference = build.Workshop(folder / "references", folder / "runtime").reference(case)
        made = folder / name / "program"
        made.parent.mkdir(parents=True, exist_ok=True)
        try:
            with disabled(check):  # an edited file has a cache of its own, which knows no build without the mutation
                workshop.program(case, Level.AUTO, Target.EMULATE, made, edit=str)
        except KeyError:
            continue  # there is no device file: all loops stay on the host
        except (AssertionError, InternalError) as error:
            return Tried(f"compiler, {program}", str(error)[:200])
        for arguments in case.runs:
            found = _compared(build, case, reference, made, arguments)
            if found:
                return Tried(found[0] + f", {program}", found[1])
    return Tried()


def _compared(build: Any, case: Any, reference: Path, made: Path, arguments: tuple[str, ...]) -> tuple[str, str] | None:
    try:
        expected, got = build.run(reference, arguments), build.run(made, arguments)
    except subprocess.TimeoutExpired:
        return "case (does not end)", " ".join(arguments)
    if got.status != expected.status:
        return "case (status)", f"{got.status}: {got.err[:150]}"
    if more := set(re.findall(r"OMPC\d{3}", got.err)) - case.refuses:
        return "case (refused when it runs)", " ".join(sorted(more))
    difference = first_difference(expected.out, got.out, case.rtol)
    return ("case", str(difference)[:200]) if difference else None
