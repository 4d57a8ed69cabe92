"""Failures that are worth a person's time: reduced, and written to files, one for each kind of fault.

In: failures.   Out: files `KIND-SEED-NUMBER.c`, each headed by what fails and how to see it.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from .building import Workshop
from .campaign import Settings
from .cases import Case, print_file
from .checking import Failure, check_level, expectations


def distinct(failures: Iterable[Failure]) -> list[Failure]:
    """One failure of each kind and key; for differences, which have no key, one for each case."""
    found: dict[tuple[object, ...], Failure] = {}
    for f in failures:
        found.setdefault((f.kind, f.case.number if f.kind == "difference" else f.key), f)
    return list(found.values())


def reduced(failure: Failure, settings: Settings, most: int) -> Failure:
    """The same failure of a smaller case."""
    from .reduction import reduce_case

    with tempfile.TemporaryDirectory(prefix="ompc-reduce-") as made:
        workshop = settings.workshop(Path(made))

        def fails(case: Case) -> bool:
            again = recheck(workshop, replace(failure, case=case))
            return again is not None and again.same(failure)

        if not fails(failure.case):
            return replace(failure, detail=f"(only in a file with other cases)\n{failure.detail}")
        case = reduce_case(failure.case, fails, most)
        return recheck(workshop, replace(failure, case=case)) or failure


def recheck(workshop: Workshop, failure: Failure) -> Failure | None:
    """How the case fails now, in a file of its own."""
    source = workshop.directory / "candidate.c"
    source.write_text(print_file([failure.case]))
    if failure.level is None:
        _, found = expectations(workshop, source, [failure.case])
        return found[0] if found else None
    if not workshop.accepted(source):
        return None
    if failure.kind in ("traceback", "internal", "refused"):
        found = check_level(workshop, source, [failure.case], failure.level, (), {})
        return found[0] if found else None
    if failure.kind == "compile":  # the reference is needed last, since building it costs as much
        found = check_level(workshop, source, [failure.case], failure.level, (), {})
        return found[0] if found and not expectations(workshop, source, [failure.case])[1] else None
    expected, wrong = expectations(workshop, source, [failure.case])
    if wrong:
        return None
    found = check_level(workshop, source, [failure.case], failure.level, (failure.seed,), expected)
    return found[0] if found else None


def write_failure(failure: Failure, settings: Settings, folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{failure.kind}-{settings.seed}-{failure.case.number}.c"
    level = failure.level.value if failure.level else "gcc"
    detail = failure.detail.replace("*/", "* /").strip()
    comment = f"/* {failure.kind} at {level}, OMPC_SEED={failure.seed}: {failure.key}\n{detail}\n*/\n"
    path.write_text(comment + print_file([failure.case]))
    return path
