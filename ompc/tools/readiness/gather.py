"""The facts of the readiness report, gathered from the translations of a program.

In: the translations, the paths of their sources, a Device.   Out: Readiness, without suggestions.
Not here: how they look -- page.py; what could be changed -- suggestions.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ompc import __version__
from ompc.base.diagnostics import CompileError, Kind
from ompc.base.frozen import dataclass, field
from ompc.base.source import Location
from ompc.base.translation import Excerpt, Translation
from ompc.frontend.preprocess import read_source
from ompc.tools.explain import (
    Standing,
    fusion_words,
    independence_words,
    last_bits_words,
    launch_words,
    records,
    refusal_words,
    refusals,
    standing,
    state_of,
    version_words,
)
from ompc.tools.readiness.loop_lines import LoopLines
from ompc.tools.readiness.model import Loop, Readiness, ResidualTransfer, SourceFile, Variable, Why
from ompc.tools.readiness.roofline import Device, roofline

Record = Mapping[str, object]
_STATES = {
    Standing.HOST: "host",
    Standing.PROMISED: "promised",
    Standing.CHECKED: "checked",
    Standing.PROVED: "proved",
    Standing.GPU: "promised",
}


def gather(translations: Sequence[Translation], sources: Sequence[Path], device: Device) -> Readiness:
    """What is known of a program's loops."""
    files: list[SourceFile] = []
    for number, (translation, source) in enumerate(zip(translations, sources, strict=True)):
        files += _Gatherer(translation, source, number, device).files()
    level = str(translations[0].report.get("opt", ""))
    more = f" and {len(sources) - 1} more" if len(sources) > 1 else ""
    known = _each_once(files)
    return Readiness(f"{sources[0]}{more}", level, __version__, known, tuple(_named(known)))


def _named(files: Sequence[SourceFile]) -> Iterator[SourceFile]:
    """The other files of which a loop's reasons name lines, in their order."""
    known = {file.path.removeprefix("./") for file in files}
    for path in dict.fromkeys(path for file in files for loop in file.loops for path in _paths(loop.record)):
        if path.removeprefix("./") not in known:
            known.add(path.removeprefix("./"))
            try:
                yield SourceFile(path, read_source(Path(path)), 0, ())
            except CompileError:
                continue  # a line marker names a file that is not here


def _paths(region: Record) -> Iterator[str]:
    """The files of the places that it names."""
    transfers = [each for v in records(region.get("variables")) for each in records(v.get("crossings"))]
    found = region.get("independence")
    told = records(found.get("refusals")) if isinstance(found, Mapping) else []
    for place in (*told, *(at for transfer in transfers for at in records(transfer.get("at")))):
        if place.get("file"):
            yield _text(place["file"])


def _each_once(files: Sequence[SourceFile]) -> tuple[SourceFile, ...]:
    """A header that several files include has its loops once."""
    found: dict[str, SourceFile] = {}
    for file in files:
        found.setdefault(file.path, file)
    return tuple(found.values())


_STAYS = "; the loop stays on the host"


@dataclass(slots=True)
class _Gatherer:
    """One translation. `texts`: the files that its loops stand in, with their lines."""

    translation: Translation
    source: Path
    number: int
    device: Device
    texts: dict[str, tuple[str, LoopLines]] = field(default_factory=dict)

    def files(self) -> Iterator[SourceFile]:
        own = str(self.source)
        excerpts = self.translation.make_excerpts()
        loops: dict[str, list[Loop]] = {own: []}
        for region in records(self.translation.report.get("regions")):
            loop = self._loop(region, excerpts.get(_text(region.get("id"))))
            loops.setdefault(loop.file, []).append(loop)
        warnings = self._warnings([why for found in loops.values() for loop in found for why in loop.why])
        for path in dict.fromkeys((*loops, *warnings)):
            found = loops.get(path, [])
            ordered = tuple(sorted(found, key=lambda loop: loop.first))
            problem, pragmas = self._problem() if path == own else (None, 0)
            text, told = self._read(path)[0], tuple(warnings.get(path, ()))
            yield SourceFile(path, text, self.number, ordered, problem, pragmas, told)

    def _warnings(self, reasons: Sequence[Why]) -> dict[str, list[Why]]:
        """Those about OpenMP, by the file that they stand in; no loop has them as its reason."""
        told = {(why.code, why.message) for why in reasons}
        found: dict[str, list[Why]] = {}
        for warning in self.translation.diagnostics:
            message = warning.message.removesuffix(_STAYS)
            is_told = (warning.code, message) in told
            if warning.kind is Kind.WARNING and warning.code.startswith("OMPC2") and not is_told:
                at = Location(str(self.source), 1) if warning.at is None else warning.at
                found.setdefault(at.file, []).append(Why(warning.code, message, warning.help, at.line))
        return found

    def _problem(self) -> tuple[Why | None, int]:
        """Why nothing of the file could be analysed, and how many pragmas of it that concerns."""
        problem = self.translation.report.get("problem")
        if not isinstance(problem, Mapping):
            return None, 0
        why = Why(_text(problem.get("code")), _text(problem.get("message")), line=_number(problem.get("line")))
        return why, _number(problem.get("pragmas")) or 0

    def _read(self, path: str) -> tuple[str, LoopLines]:
        if path not in self.texts:
            try:
                text = read_source(Path(path))
            except CompileError:
                text = ""  # a line marker names a file that is not here
            self.texts[path] = text, LoopLines(text)
        return self.texts[path]

    def _loop(self, region: Record, excerpt: Excerpt | None) -> Loop:
        file = _text(region.get("file") or self.source)
        first = _number(region.get("line")) or 1
        launch = region.get("launch")
        iterations = launch.get("iterations") if isinstance(launch, Mapping) else None
        why = tuple(_why(region, first))
        return Loop(
            id=_text(region.get("id")),
            file=file,
            first=first,
            last=self._read(file)[1].last_line(first),
            function=_text(region.get("function")),
            directive=_text(region.get("directive")),
            on_device=state_of(region) != "host",
            why=why,
            launch=launch_words(launch) if launch is not None else "",
            iterations=launch_words({"iterations": iterations}) if iterations else "",
            variables=tuple(map(_variable, records(region.get("variables")))),
            excerpt=excerpt,
            roofline=roofline(region.get("work"), self.device),
            record=region,
            state=_STATES[standing(region)],
            provisos=tuple(_provisos(region)),
            rests=tuple(_rests(region)),
            codes=tuple(dict.fromkeys(_codes(region, why))),
        )


def _why(region: Record, first: int) -> Iterator[Why]:
    """The races that were proved, or else the one reason; or that its launches will be refused."""
    races = records(region.get("races"))
    reason = region.get("reason")
    at = _number(reason.get("line")) if isinstance(reason, Mapping) else None
    line = at if at != first else None
    for race in races:
        code = _text(race.get("code"))
        message = _text(race.get("message")).removesuffix(_STAYS)
        yield Why(code, message, _text(race.get("help")) or None, line, is_race=True)
    if isinstance(reason, Mapping) and not races:
        yield Why(_text(reason.get("code")), _text(reason.get("message")), line=line)

    for refusal in refusals(region):
        if refusal.get("certain"):
            here = refusal.get("file") == region.get("file")
            message = f"refused at run time: {_text(refusal.get('what'))}"
            yield Why(_text(refusal.get("code")), message, line=_number(refusal.get("line")) if here else None)


def _provisos(region: Record) -> Iterator[str]:
    """What the loop's place on the device depends on, in few words."""
    found, launch = region.get("independence"), region.get("launch")
    if state_of(region) == "host" or not isinstance(found, Mapping):
        return
    if standing(region) is Standing.CHECKED:
        yield _text(found.get("because")).removeprefix("proved, ")
    elif standing(region) is Standing.PROMISED:
        yield "as its pragma promises"
    if isinstance(launch, Mapping) and launch.get("condition"):
        yield f"only if {launch['condition']}"
    if refusals(region):
        yield "likely to be refused"


def _codes(region: Record, reasons: Sequence[Why]) -> Iterator[str]:
    """The host's, and those with which a check of the launcher or a refusal leaves it to the host."""
    yield from (why.code for why in reasons)
    found = region.get("independence")
    if isinstance(found, Mapping):
        told = [*records(found.get("checks")), *records(found.get("refusals"))]
        yield from (_text(check["code"]) for check in told if check.get("code"))


def _rests(region: Record) -> Iterator[str]:
    """What is said of a loop that has a kernel."""
    yield from (refusal_words(refusal) for refusal in refusals(region) if not refusal.get("certain"))
    yield from version_words(region)
    yield from fusion_words(region)
    yield from independence_words(region.get("independence"))
    yield from last_bits_words(region)


def _variable(record: Record) -> Variable:
    residual_transfers = tuple(
        ResidualTransfer(transfer.get("way") == "in", _text(transfer.get("when")), _text(transfer.get("because")))
        for transfer in records(record.get("crossings"))
    )
    return Variable(
        name=_text(record.get("name")),
        type=_text(record.get("type")),
        bytes=_number(record.get("bytes")),
        access=_text(record.get("access")),
        placement=_text(record.get("placement")),
        host_buffer=_text(record.get("host_buffer")) or None,
        transfer_in=_text(record.get("transfer_in")) or None,
        transfer_out=_text(record.get("transfer_out")) or None,
        because=_text(record.get("because")),
        residual_transfers=residual_transfers,
    )


def _text(value: object) -> str:
    return "" if value is None else str(value)


def _number(value: object) -> int | None:
    return value if isinstance(value, int) else None
