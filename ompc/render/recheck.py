"""Is the edited host text still the user's program? The C compiler and its preprocessor are asked.

An edit may land where no one foresaw it (in an argument of a macro, in a part that a macro hides). So the host text
must still compile, every OpenMP pragma of the original must still be there, in order, and each call of a launcher must
stand directly above its own pragma. A loop for which this does not hold stays on the host (OMPC342).

    In: the plan, the host text, the preprocessed original, the options.
    Out: the regions to give up, by id, with the reason; empty when all is well.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from ompc.diagnostics import CompileError, Reason
from ompc.frontend import Preprocessed, check_syntax
from ompc.frontend.preprocess import expand
from ompc.options import Options
from ompc.plan.model import Plan, RegionPlan
from ompc.render.host import call_text, header_name, header_text, unplaceable
from ompc.resources import Runtime, runtime_directory

_MARKER = re.compile(r'# \d+ "((?:[^"\\]|\\.)*)"')
_PRAGMA = re.compile(r"\s*#\s*pragma\s+(omp\b.*)")
_CALL = re.compile(r"\b(ompc_\w+)\s*\(")

_Event = tuple[str, str]
"""`pragma` or `call`, and its text."""


def recheck(plan: Plan, host: str, original: Preprocessed, options: Options) -> Mapping[str, Reason]:
    """Compile and preprocess `host`, which was made of `original`. CompileError OMPC104: no compiler."""
    lost = unplaceable(plan, original)
    if lost:
        return lost
    with tempfile.TemporaryDirectory(prefix="ompc-host-") as directory:
        path = Path(directory) / f"{plan.name}.c"
        path.write_bytes(host.encode("utf-8", errors="surrogateescape"))
        header = header_text(plan).encode("utf-8", errors="surrogateescape")
        (Path(directory) / header_name(plan)).write_bytes(header)
        flags = ("-iquote", str(Path(original.file).parent), f"-I{runtime_directory(Runtime.COMMON)}")
        seen = replace(options, cpp_flags=(*options.cpp_flags, *flags))
        try:
            with ThreadPoolExecutor(max_workers=1) as pool:  # the compiler runs twice, at the same time
                checking = pool.submit(check_syntax, path, seen)
                edited = expand(path, seen)
                checking.result()
        except CompileError as error:
            return _refused(plan, error)
    return _misplaced(plan, _events(original.expanded, original.file), _events(edited, str(path)))


def _refused(plan: Plan, error: CompileError) -> Mapping[str, Reason]:
    """The compiler shows the lines that it rejects: the launchers on them are to blame, or else nobody knows who is."""
    if error.diagnostics[0].code == "OMPC104":
        raise error
    messages = "\n".join(note for diagnostic in error.diagnostics for note in diagnostic.notes)
    first = re.search(r"error: (.*)", messages)
    why = f"the C compiler rejects the edited host file: {first.group(1) if first else error.diagnostics[0].message}"
    called = set(_CALL.findall(messages))
    named = [region for region in plan.on_device if region.launcher in called]
    return _given_up(named or plan.on_device, why)


def _given_up(regions: Iterable[RegionPlan], why: str) -> dict[str, Reason]:
    return {region.id: Reason("OMPC342", why, region.loop.pragma.loc) for region in regions}


def _misplaced(plan: Plan, original: list[_Event], events: list[_Event]) -> Mapping[str, Reason]:
    if _pragmas(events) != _pragmas(original):
        return _given_up(plan.on_device, "a pragma of the original is lost in the edited host file")
    lost = [region for region in plan.on_device if not _stands_above_pragma(region, events)]
    changed = [region for region in plan.on_device if region not in lost and not _is_as_meant(region, events)]
    return {
        **_given_up(lost, "the call of its launcher would not stand directly above its pragma"),
        **_given_up(changed, "a macro has the name of a variable that its launcher would be given"),
    }


def _pragmas(events: list[_Event]) -> list[str]:
    return [text for kind, text in events if kind == "pragma"]


def _events(expanded: str, file: str) -> list[_Event]:
    """The OpenMP pragmas of all files, and the launcher calls in the main one, `file`, in the order of the text.

    The text of a call is what stands on its line from its name on.
    """
    events: list[_Event] = []
    in_main = True
    for line in expanded.split("\n"):
        if not line:
            continue
        if (marker := _MARKER.match(line)) is not None:
            in_main = marker.group(1).replace('\\"', '"').replace("\\\\", "\\") == file
        elif (pragma := _PRAGMA.match(line)) is not None:
            events.append(("pragma", " ".join(pragma.group(1).split())))
        elif in_main and "ompc_" in line:
            events += (("call", line[call.start() :]) for call in _CALL.finditer(line))
    return events


def _calls_of(region: RegionPlan, events: list[_Event]) -> list[int]:
    """Where in `events` the launcher of `region` is called."""
    name = re.compile(rf"{re.escape(region.launcher)}\s*\(")
    return [index for index, (kind, text) in enumerate(events) if kind == "call" and name.match(text)]


def _stands_above_pragma(region: RegionPlan, events: list[_Event]) -> bool:
    at = _calls_of(region, events)
    if len(at) != 1 or at[0] + 1 >= len(events):
        return False
    return events[at[0] + 1] == ("pragma", " ".join(region.loop.pragma.text.split()))


def _is_as_meant(region: RegionPlan, events: list[_Event]) -> bool:
    """Has the preprocessor left the call as it was written, but for blanks?"""
    seen, meant = ("".join(text.split()) for text in (events[_calls_of(region, events)[0]][1], call_text(region)))
    return seen.startswith(meant)
