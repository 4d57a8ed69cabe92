"""Is the edited host text still the user's program? The C compiler and its preprocessor are asked.

An edit may land where no one foresaw it (in an argument of a macro, in a part that a macro hides). So the host text
must still compile, headers that were copied must come out as before, every OpenMP pragma of the original must still be
there, in order, and each call of a launcher must stand directly above its own pragma. A loop for which this does not
hold stays on the host (OMPC342).

    In: the plan, the host text, the preprocessed original, the options.
    Out: the regions to give up, by id, with the reason; empty when all is well.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path, PurePath

from ompc.base.diagnostics import CompileError, Reason
from ompc.base.ending import temporary_directory
from ompc.base.options import Options
from ompc.base.resources import Runtime, include_words
from ompc.base.source import file_named
from ompc.frontend import Preprocessed, check_syntax
from ompc.frontend.preprocess import expand
from ompc.omp.without_pragma.added_loops import first_word
from ompc.omp.without_pragma.divided_loops import BESIDES
from ompc.plan.model.plan import Plan, RegionPlan, asked_text
from ompc.plan.program.macros import unpinned
from ompc.plan.program.regions_as_written import AS_WRITTEN
from ompc.plan.residency.target_data import TARGET_DATA
from ompc.render.host.host import as_written_name, call_text, headers, offload_line, plain_call
from ompc.render.host.places import copied_headers, keeps_data, unplaceable

_MARKER = re.compile(r'# \d+ "((?:[^"\\]|\\.)*)"')
_ENTERED_OR_LEFT = re.compile(r'# \d+ "((?:[^"\\]|\\.)*)"(?: \d+)*? ([12])\b')
_PRAGMA = re.compile(r"\s*#\s*pragma\s+(omp\b.*)")
_LINE_MARK = re.compile(r"^[ \t]*#[ \t]*(?:line\b|\d).*(?<!\\)$", re.MULTILINE)
_REFUTED = re.compile(r"was made with (\w+) = ")
_CALL = re.compile(r"\b(ompc_\w+)\s*\(")

_OF_RUNTIME = frozenset(f"ompc_target_{end}" for end in "host deferred home begin end enter exit update".split()) | {
    "ompc_all_stay",
    "ompc_fused",
    "ompc_fuses",
    "ompc_host_turn",
    "ompc_host_skips",
    "ompc_host_done",
    "ompc_parts_of",
    "ompc_threads_here",
    "ompc_threads_of",
    "ompc_threads_of_teams",
}
"""The runtime's functions that stand beside launchers, in OMPC_OFFLOAD, and above other target constructs."""

_OFFLOAD = (
    ("for(intompc_on_host=ompc_host_turn(!", ");ompc_on_host;ompc_on_host=ompc_host_done(ompc_on_host))"),
    ("if(", "||ompc_host_skips()){}else"),
)
"""What OMPC_OFFLOAD puts before and behind a call in parentheses, without blanks: first from C99 on, then before C99.
"""

_Event = tuple[str, str]
"""`pragma` or `call`, and its text."""


def recheck(plan: Plan, host: str, original: Preprocessed, options: Options) -> Mapping[str, Reason]:
    """Compile and preprocess `host`, which was made of `original`. CompileError OMPC104: no compiler."""
    lost = unplaceable(plan, original)
    if lost:
        return lost
    texts = {f"{plan.name}.c": host, **headers(plan, original)}
    with temporary_directory("ompc-host-") as directory:
        path, *_ = [_written(directory, name, text) for name, text in texts.items()]
        seen = _as_compiled(original, options)
        try:
            with ThreadPoolExecutor(max_workers=1) as pool:  # the compiler runs twice, at the same time
                checking = pool.submit(check_syntax, path, seen)
                edited = expand(path, seen)
                checking.result()
        except CompileError as error:
            refused = _refused(plan, _showing_lines(directory, texts, seen) or error)
            return refused if not plan.as_written else _in_one_form("the C compiler does not take it")
    edited, second_forms = without_second_forms(edited, [as_written_name(plan, region) for region in plan.as_written])
    if not _are_as_written(second_forms, plan, original):
        return _in_one_form("the preprocessor does not leave it as it is")
    copied = frozenset(header.file for header in copied_headers(plan, original))
    changed = _changed_headers(plan, original.expanded, edited, copied)
    events = (_events(original.expanded, {original.file}), _events(edited, {str(path), *copied}))
    return changed or _misplaced(plan, *events) or _asked_otherwise(plan, edited)


def compiles(text: str, plan: Plan, original: Preprocessed, options: Options) -> bool:
    """Does the C compiler take the text of a file without device code? Not so if a macro has an array's name."""
    with temporary_directory("ompc-host-") as directory:
        try:
            check_syntax(_written(directory, f"{plan.name}.c", text), _as_compiled(original, options))
        except CompileError:
            return False
    return True


def _written(directory: str, name: str, text: str) -> Path:
    path = Path(directory) / name
    path.write_bytes(text.encode("utf-8", errors="surrogateescape"))
    return path


def _as_compiled(original: Preprocessed, options: Options) -> Options:
    """The options with which the host file finds the user's headers, and the runtime's."""
    flags = ("-iquote", str(Path(original.file).parent), *include_words(Runtime.COMMON))
    return replace(options, cpp_flags=(*options.cpp_flags, *flags))


def _in_one_form(why: str) -> Mapping[str, Reason]:
    """No region has a second form: that needs nobody's attention."""
    return {AS_WRITTEN: Reason("OMPC342", f"a region is not to be had twice: {why}")}


def _are_as_written(second_forms: Sequence[str], plan: Plan, original: Preprocessed) -> bool:
    """Does the preprocessor make of each of them what it makes of the user's region?"""
    if len(second_forms) != len(plan.as_written):
        return False
    program = _text_of(original.expanded, original.file) if second_forms else ""
    for text, region in zip(second_forms, plan.as_written, strict=True):
        packed = "".join(_packed(line) for _, line in _lines(text))
        before, behind = f"if(ompc_all_stay({region.loops}))", "else"
        if not (packed.startswith(before) and packed.endswith(behind)):
            return False
        if packed.removeprefix(before).removesuffix(behind) not in program:
            return False
    return True


def without_second_forms(expanded: str, names: Sequence[str]) -> tuple[str, Sequence[str]]:
    """What the preprocessor has made of a file, less what comes out of the headers of these names, and that."""
    rest: list[str] = []
    found: list[list[str]] = []
    depth = 0
    for line in expanded.split("\n") if names else ():
        marker = _ENTERED_OR_LEFT.match(line)
        if depth == 0 and marker is not None and marker.group(2) == "1" and PurePath(marker.group(1)).name in names:
            found.append([])
            depth = 1
        elif depth == 0:
            rest.append(line)
        else:
            depth += {"1": 1, "2": -1}[marker.group(2)] if marker is not None else 0
            found[-1].append(line)
            if depth == 0:
                rest.append(found[-1].pop())  # in which file and line it goes on
    return "\n".join(rest) if names else expanded, ["\n".join(lines) for lines in found]


def _asked_otherwise(plan: Plan, edited: str) -> Mapping[str, Reason]:
    """The loops of which the preprocessor changes what the host asks or does before the call, beside the user's own
    clause.
    """
    before = {region: list(_before_call(region)) for region in plan.on_device}
    text = "".join(_packed(line) for _, line in _lines(edited)) if any(before.values()) else ""
    changed = [region for region, said in before.items() if any(re.search(each, text) is None for each in said)]
    return _given_up(changed, "a macro has the name of a variable that the host asks for before the call")


def _before_call(region: RegionPlan) -> Iterator[str]:
    """Each matches the call behind what comes first; copies of variables may be declared between them (host.py)."""
    call = rf"[^#]{{0,4000}}?\b{re.escape(region.launcher)}\("
    if region.loop.asked:
        yield rf"{re.escape(_packed(asked_text(region.loop, region.tag)))}\)&&{call}"
    if (besides := region.loop.pragma.directive.first(BESIDES)) is not None:
        yield rf"\({re.escape(_packed(besides.text))},{call}"


def _showing_lines(directory: str, texts: Mapping[str, str], options: Options) -> CompileError | None:
    """The compiler's words on the text without #line: behind one it shows other lines than those that it means."""
    path, *_ = [_written(directory, name, _LINE_MARK.sub("", text)) for name, text in texts.items()]
    try:
        check_syntax(path, options)
    except CompileError as error:
        return error
    return None


def _refused(plan: Plan, error: CompileError) -> Mapping[str, Reason]:
    """The compiler shows the lines that it rejects: the launchers on them are to blame, or else nobody knows who is."""
    if error.diagnostics[0].code == "OMPC104":
        raise error
    messages = "\n".join(note for diagnostic in error.diagnostics for note in diagnostic.notes)
    first = re.search(r"error: (.*)", messages)
    why = f"the C compiler rejects the edited host file: {first.group(1) if first else error.diagnostics[0].message}"
    if keeps_data(plan) and "OMPC_TARGET_" in messages:
        return {TARGET_DATA: Reason("OMPC342", why)}
    if macros := {macro.name for macro in plan.macros} & set(_REFUTED.findall(messages)):
        return {unpinned(name): Reason("OMPC342", why) for name in sorted(macros)}
    called = set(_CALL.findall(messages))
    joint = [region.joint for region in plan.on_device if region.joint is not None]
    if fused := [region for region in joint if region.launcher in called]:
        return _given_up(fused, why)
    named = [region for region in plan.on_device if region.launcher in called]
    return _given_up(named or plan.on_device, why) or {TARGET_DATA: Reason("OMPC342", why)}


def _given_up(regions: Iterable[RegionPlan], why: str) -> dict[str, Reason]:
    return {region.id: Reason("OMPC342", why, region.loop.pragma.loc) for region in regions}


def _misplaced(plan: Plan, original: list[_Event], events: list[_Event]) -> Mapping[str, Reason]:
    if _pragmas(events) != _pragmas(original):
        why = "a pragma of the original is lost in the edited host file"
        return _given_up(plan.on_device, why) or {TARGET_DATA: Reason("OMPC342", why)}
    lost = [region for region in plan.on_device if not _stands_above_pragma(region, events)]
    changed = [region for region in plan.on_device if region not in lost and not _is_as_meant(region, events)]
    joint = [region.joint for region in plan.on_device if region.joint is not None]
    if odd := [region for region in joint if not _is_called(region, events)]:
        return _given_up(odd, "the preprocessor changes the call of its launcher")
    return {
        **_given_up(lost, "the call of its launcher would not stand directly above its pragma"),
        **_given_up(changed, "a macro has the name of a variable, or puts something between the call and the pragma"),
    }


def _pragmas(events: list[_Event]) -> list[str]:
    return [text for kind, text in events if kind == "pragma"]


def _events(expanded: str, files: Collection[str]) -> list[_Event]:
    """The OpenMP pragmas of all files, and the launcher calls in `files`, in the order of the text.

    The text of a call is what stands between its name and the next event, blanks left out.
    """
    events: list[_Event] = []
    for file, line in _lines(expanded):
        found = _CALL.finditer(line) if file in files and "ompc_" in line else ()
        calls = [call for call in found if call.group(1) not in _OF_RUNTIME]
        if (pragma := _PRAGMA.match(line)) is not None:
            events.append(("pragma", " ".join(pragma.group(1).split())))
        elif calls:
            ends = [*(call.start() for call in calls[1:]), len(line)]
            events += (("call", _packed(line[call.start() : end])) for call, end in zip(calls, ends, strict=True))
        elif events and events[-1][0] == "call":
            events[-1] = ("call", events[-1][1] + _packed(line))
    return events


def _lines(expanded: str) -> Iterator[tuple[str, str]]:
    """The lines that are not blank, each with its file."""
    file = ""
    for line in expanded.split("\n"):
        if (marker := _MARKER.match(line)) is not None:
            file = file_named(marker.group(1))
        elif line and not line.isspace():
            yield file, line


def _packed(text: str) -> str:
    return "".join(text.split())


def _changed_headers(plan: Plan, original: str, edited: str, headers: Collection[str]) -> Mapping[str, Reason]:
    """The loops in headers whose copies, the calls aside, do not come out as the headers did."""
    own = [region for region in plan.on_device if region.loop.pragma.loc.file in headers]
    before, after = ({file: _text_of(expanded, file) for file in headers} for expanded in (original, edited))
    for region in own:
        file = region.loop.pragma.loc.file
        call = _packed(offload_line(region, expanded=True)).removeprefix("OMPC_OFFLOAD")
        for before_call, behind_call in _OFFLOAD:
            after[file] = after[file].replace(f"{before_call}{call}{behind_call}", "", 1)
    return {} if before == after else _given_up(own, "the copy of the header does not come out as the header does")


def _text_of(expanded: str, file: str) -> str:
    return "".join(_packed(line) for name, line in _lines(expanded) if name == file)


def _calls_of(region: RegionPlan, events: list[_Event]) -> list[int]:
    """Where in `events` the launcher of `region` is called."""
    name = re.compile(rf"{re.escape(region.launcher)}\s*\(")
    return [index for index, (kind, text) in enumerate(events) if kind == "call" and name.match(text)]


def _stands_above_pragma(region: RegionPlan, events: list[_Event]) -> bool:
    at = _calls_of(region, events)
    if len(at) == 1 and not region.loop.has_line:
        return True  # see _is_as_meant
    if len(at) != 1 or at[0] + 1 >= len(events):
        return False
    return events[at[0] + 1] == ("pragma", " ".join(region.loop.pragma.spelling.split()))


def _is_called(joint: RegionPlan, events: list[_Event]) -> bool:
    """Has the preprocessor left the call of several loops' launcher as it was written, in front of the first one's?"""
    at = _calls_of(joint, events)
    return len(at) == 1 and events[at[0]][1].startswith(f"{_packed(plain_call(joint))})||")


def _goes_on(text: str) -> bool:
    """Would `text` go on with the word in front of it?"""
    return bool(text) and (text[0].isalnum() or text[0] in "_$")


def _is_as_meant(region: RegionPlan, events: list[_Event]) -> bool:
    """Has the preprocessor left the call as it was written, with nothing but the rest of OMPC_OFFLOAD behind it?"""
    call = call_text(region, expanded=True)
    written = call[call.index(f"{region.launcher}(") :]
    behind = offload_line(region, expanded=True).partition(call)[2]
    meant = _packed(written + behind)
    found = events[_calls_of(region, events)[0]][1]
    if not region.loop.has_line:
        word = first_word(region.loop.pragma)
        begins = tuple(f"{meant}{end}{word}" for _, end in _OFFLOAD)
        return any(found.startswith(begin) and not _goes_on(found[len(begin) :]) for begin in begins)
    return found in {meant + end for _, end in _OFFLOAD}
