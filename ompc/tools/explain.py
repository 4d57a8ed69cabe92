"""`ompc explain`: the report for people.

On a terminal, with what several variables share said once:

    jacobi.c: 2 parallel loops, 1 on the GPU (proved), 1 on the host (--opt auto)

    jacobi.c:41  main  parallel for reduction(+:error)                          on the GPU, proved
    n - 2 iterations; blocks of up to 256 threads; one thread per iteration; reductions: error by +
    Proved: no two iterations touch the same element

      Array  Type              Bytes   Access  Lives in  Host buffer  In            Out
      uold   double [200][200] 320000  read    readonly  pageable     whole object  -
        uold            only read, not constant: lanes of a warp read different elements
        n, m            parameter: only read: passed by value

    jacobi.c:60  main  parallel for                                                         host
    OMPC320: calls rand, which has no device version
    What to do: move the call out of the loop.

In a pipe or file: plain text, a table row for each loop and each variable with its own reasons, nothing shortened.

In: the report (schema 1; see `Translation.report`), which may lack keys or have new ones; advice by code
(`ompc.base.resources.advice`).   Out: text, or rich's words on a terminal.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from rich import box
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ompc.base.resources import advice
from ompc.base.visible import one_line

Record = Mapping[str, object]

_VARIABLE_COLUMNS = (
    ("Variable", "name"),
    ("Type", "type"),
    ("Bytes", "bytes"),
    ("Access", "access"),
    ("Lives in", "placement"),
    ("Host buffer", "host_buffer"),
    ("In", "transfer_in"),
    ("Out", "transfer_out"),
    ("Because", "because"),
)
_ON_GPU = {"proved": "green", "promised": "cyan"}
"""What a launch rests on, each with its colour."""
_NUMBERS = {"Line", "Bytes"}
_WHOLE = {"Variable", "Bytes", "Access", "Lives in", "Copied", ""}
"""Columns that no narrow terminal breaks; in the others, words can be cut."""
_WITHOUT_MEMORY = {"parameter", "register"}
"""Placements of variables that need no row of their own: nothing about them differs but the name."""


def print_explanation(report: Record, console: Console | None = None) -> None:
    """Print to the terminal, as wide as it is."""
    console = Console(highlight=False) if console is None else console
    regions = records(report.get("regions"))
    console.print(Text(_headline(report, regions)))
    for line in _problem(report):
        console.print(Padding(Text(line), (0, 0, 0, 2)))
    for region in regions:
        console.print()
        console.print(_region(region, _show(report.get("source"))))


def plain_explanation(report: Record) -> str:
    """The same as text without colours or wrapping, one line per loop and variable, for files and pipes."""
    regions = records(report.get("regions"))
    parts: list[RenderableType] = [Text(_headline(report, regions)), *map(Text, _problem(report))]
    if regions:
        parts += [Text(), _table(("Line", "Function", "Directive", "Runs on", "Why"), map(_loop_cells, regions))]
    for region in regions:
        if variables := records(region.get("variables")):
            title = f"{_show(region.get('id'))}  {_show(report.get('source'))}:{_show(region.get('line'))}"
            rows = ([_show(variable.get(key)) for _, key in _VARIABLE_COLUMNS] for variable in variables)
            parts += [Text(), Text(f"{title}  {_show(region.get('directive'))}")]
            parts.append(_table([title for title, _ in _VARIABLE_COLUMNS], rows))
            if (residual_transfers := _residual_transfers(variables)) is not None:
                parts += [Text(), residual_transfers]
    return _printed(parts)


def _printed(parts: Iterable[RenderableType]) -> str:
    stream = io.StringIO()
    # A notebook would get what is printed as cells of its own, whatever the file is.
    console = Console(
        file=stream, width=100_000, color_system=None, force_terminal=False, force_jupyter=False, highlight=False
    )
    for part in parts:
        console.print(part)
    return "".join(line.rstrip() + "\n" for line in stream.getvalue().splitlines())


def _headline(report: Record, regions: Sequence[Record]) -> str:
    problem = report.get("problem")
    if isinstance(problem, Mapping):
        pragmas = problem.get("pragmas")
        has = f", and has {pragmas} parallel pragma{'' if pragmas == 1 else 's'}" if pragmas else ""
        return f"{_show(report.get('source'))}: the file cannot be read{has} (--opt {_show(report.get('opt'))})"
    added = sum(region.get("directive") == "no pragma" for region in regions)
    regions = [region for region in regions if region.get("directive") != "no pragma"]
    states = [state_of(region) for region in regions]
    on_gpu = len(states) - states.count("host")
    rests = _by_state(states, on_gpu)
    loops = "1 parallel loop" if len(regions) == 1 else f"{len(regions) or 'no'} parallel loops"
    where = f", {on_gpu} on the GPU{rests}, {len(regions) - on_gpu} on the host" if regions else ""
    more = f"; {added} more without a pragma, added by ompc" if added else ""
    return f"{_show(report.get('source'))}: {loops}{where}{more} (--opt {_show(report.get('opt'))})"


def _by_state(states: Sequence[str], on_gpu: int) -> str:
    """How many of those on the GPU are proved, and how many promised; all of them alike: no numbers."""
    counts = {state: states.count(state) for state in _ON_GPU if state in states}
    told = [state if count == on_gpu else f"{count} {state}" for state, count in counts.items()]
    return f" ({', '.join(told)})" if told else ""


def _problem(report: Record) -> list[str]:
    """Why the file could not be read, if so, and what could be done."""
    problem = report.get("problem")
    return [] if not isinstance(problem, Mapping) else _told(problem, None)


def state_of(region: Record) -> str:
    """Of a loop: "proved", "promised" or "host"; "" where the report does not say. One that each launch will leave to
    the host is there.
    """
    found = region.get("independence")
    if region.get("target") != "gpu" or any(refusal.get("certain") for refusal in refusals(region)):
        return "host"
    return _show(found.get("state")) if isinstance(found, Mapping) else ""


def _loop_cells(region: Record) -> list[str]:
    state = state_of(region)
    named = [_show(region.get(key)) for key in ("line", "function", "directive")]
    place = state if state == "host" else ", ".join(filter(None, ("GPU", state)))
    return [*named, place, ". ".join(_because(region))]


def _because(region: Record) -> list[str]:
    """Why the loop runs where it does: its launch in words; or the reason, and what could be done."""
    races = records(region.get("races"))
    if races:
        return [line for race in races for line in _race(race)]
    reason = region.get("reason")
    if not isinstance(reason, Mapping):
        refused = [refusal_words(refusal) for refusal in refusals(region)]
        rests = independence_words(region.get("independence"))
        also = [*version_words(region), *fusion_words(region)]
        return [*refused, launch_words(region.get("launch")), *also, *rests, *last_bits_words(region)]
    return _told(reason, region.get("line"))


def _told(reason: Record, known: object) -> list[str]:
    """A reason and its advice; the line is said where it is not `known`."""
    at = f" (line {reason['line']})" if reason.get("line") not in {None, known} else ""
    told = [f"{_show(reason.get('code'))}: {_show(reason.get('message'))}{at}"]
    todo = advice(str(reason.get("code")))
    return told if todo is None else [*told, f"What to do: {todo}"]


def independence_words(found: object) -> list[str]:
    """On what it rests that the iterations run at the same time; what the launcher looks at besides."""
    if not isinstance(found, Mapping):
        return []
    told = [f"{_show(found.get('state')).capitalize()}: {_show(found.get('because'))}"]
    checks = [_show(check.get("what")) + _in_brackets(check.get("code")) for check in records(found.get("checks"))]
    return [*told, f"Checked at each launch: {'; '.join(checks)}"] if checks else told


def version_words(region: Record) -> list[str]:
    """Of the loop's second kernel, if it has one: when it is launched, and how."""
    version = region.get("version")
    if not isinstance(version, Mapping):
        return []
    return [f"Where {_show(version.get('where'))}: {launch_words(version.get('launch'))}"]


def fusion_words(region: Record) -> list[str]:
    """Which loops are launched together with it."""
    fusion = region.get("fusion")
    if not isinstance(fusion, Mapping):
        return []
    others = _lines(fusion.get("lines") or ())
    if fusion.get("chain"):
        return [f"A chain with {others}: one block does them one after the other, where that takes less time"]
    return [f"Fused with {others}: one kernel, which moves {_show(fusion.get('saved'))} bytes less in each iteration"]


def _lines(value: object) -> str:
    lines = value if isinstance(value, (list, tuple)) else (value,)
    return f"line{'' if len(lines) == 1 else 's'} {', '.join(map(str, lines))}"


def last_bits_words(region: Record) -> list[str]:
    """Because of what floating-point numbers may differ from the host's in their last bits."""
    found = records(region.get("last_bits"))
    return [f"Last bits may differ: {'; '.join(map(_last_bits, found))}"] if found else []


def _last_bits(found: Record) -> str:
    lines = found.get("lines")
    if not isinstance(lines, (list, tuple)) or not lines:
        return _show(found.get("what"))
    return f"{_show(found.get('what'))} (line{'' if len(lines) == 1 else 's'} {', '.join(map(str, lines))})"


def refusals(region: Record) -> list[Record]:
    """Launches of the loop that will be, or are likely to be, left to the host."""
    found = region.get("independence")
    return records(found.get("refusals")) if isinstance(found, Mapping) else []


def refusal_words(refusal: Record) -> str:
    how = "Will be" if refusal.get("certain") else "Is likely to be"
    place = f", {refusal['file']}:{refusal['line']}" if refusal.get("line") else ""
    return f"{how} refused at run time: {_show(refusal.get('what'))}{place} [{_show(refusal.get('code'))}]"


def _race(race: Record) -> list[str]:
    return [f"{_show(race.get('code'))}: {_show(race.get('message'))}", f"What to do: {_show(race.get('help'))}"]


def launch_words(launch: object) -> str:
    """The launch of a kernel as a sentence; keys that are not known follow as they are."""
    if not isinstance(launch, Mapping):
        return _show(launch)
    words = [say(launch[key]) for key, say in _LAUNCH_WORDS.items() if launch.get(key) is not None]
    known = (*_LAUNCH_WORDS, "axes", "threads", "alone")
    unknown = {key: value for key, value in launch.items() if key not in known and value is not None}
    words += [f"{key}: {_show(value)}" for key, value in unknown.items()]
    return "; ".join(filter(None, (*words, *_alone(launch)))) or "-"


def _alone(launch: Record) -> Iterator[str]:
    """The long loops that one thread runs, but for those of which the mapping says so."""
    mapping = str(launch.get("mapping") or "")
    for loop in records(launch.get("alone")):
        if f"over {loop.get('loop')} stays" in mapping and str(loop.get("because")) in mapping:
            continue
        name = "a loop" if loop.get("loop") is None else f"the loop over {_show(loop.get('loop'))}"
        trips = "" if loop.get("iterations") is None else f", {_show(loop.get('iterations'))} iterations"
        yield f"one thread runs {name} (line {_show(loop.get('line'))}{trips}): {_show(loop.get('because'))}"


def _iterations(value: object) -> str:
    factors = [str(factor) for factor in value] if isinstance(value, (list, tuple)) else [_show(value)]
    alone = len(factors) == 1
    if not factors:
        return "a statement between launches"
    return " x ".join(f if alone or " " not in f else f"({f})" for f in factors) + " iterations"


def _in_brackets(code: object) -> str:
    return "" if code is None else f" [{_show(code)}]"


_LAUNCH_WORDS: Mapping[str, Callable[[object], str]] = {
    "iterations": _iterations,
    "chain": lambda value: f"a chain: the loops and statements of {_lines(value)}, where one block takes less time",
    "dimensions": lambda value: "" if value == 1 else f"a grid of {value} dimensions",
    "block": lambda value: f"blocks of {_show(value)}",
    "grid": str,
    "mapping": str,
    "reductions": lambda value: "reductions: " + (", ".join(value) if isinstance(value, list) else str(value)),
    "condition": lambda value: f"only if {value}",
    "transposed through tiles": lambda value: f"through tiles: {value}",
    "at once": str,
    "groups of threads": lambda value: f"where a group of threads has an iteration, {value}",
    "few points": lambda value: f"where there are few points, {value}",
    "messages": str,
}
"""How each key of a launch is put into words, in the order in which they are said."""


def _residual_transfers(arrays: Iterable[Record]) -> Table | None:
    """When each array crosses the bus, and because of what; None: none does."""
    rows = [
        [_show(name), _show(transfer.get("way")), _show(transfer.get("when")), _show(transfer.get("because"))]
        for array in arrays
        for name, transfer in _named_once(array)
    ]
    return _table(("Copied", "", "When", "Because"), rows) if rows else None


def _named_once(array: Record) -> Iterable[tuple[object, Record]]:
    residual_transfers = records(array.get("crossings"))
    return zip([array.get("name"), *[" "] * len(residual_transfers)], residual_transfers, strict=False)


def _region(region: Record, source: str) -> RenderableType:
    state = state_of(region)
    gpu = ", ".join(filter(None, ("on the GPU", state)))
    place = ("on the host", "yellow") if state == "host" else (gpu, _ON_GPU.get(state, "green"))
    title = f"{source}:{_show(region.get('line'))}  {_show(region.get('function'))}  "
    parts: list[RenderableType] = [
        Text.assemble((title + _show(region.get("directive")), "bold"), "  ", place),
        *(Padding(Text(line), (0, 0, 0, 2)) for line in _because(region)),
    ]
    variables = records(region.get("variables"))
    arrays = [v for v in variables if v.get("placement") not in _WITHOUT_MEMORY]
    if arrays:
        parts.append(Padding(_arrays(arrays), (0, 0, 0, 2)))
    if (residual_transfers := _residual_transfers(variables)) is not None:
        parts.append(Padding(residual_transfers, (0, 0, 1, 2)))
    if variables:
        parts.append(Padding(_reasons(arrays, [v for v in variables if v not in arrays]), (0, 0, 0, 2)))
    return Group(*parts)


def _arrays(arrays: Sequence[Record]) -> Table:
    """A row for each array, without the reasons, and without columns that say nothing."""
    columns = [(title, key) for title, key in _VARIABLE_COLUMNS if key != "because"]
    columns = [(title, key) for title, key in columns if any(array.get(key) is not None for array in arrays)]
    rows = [[_short(array, key) for _, key in columns] for array in arrays]
    return _table([title for title, _ in columns], rows, box.SIMPLE_HEAD)


def _short(array: Record, key: str) -> str:
    """A cell; the size stands in its own column already."""
    return _show(array.get(key)).removesuffix(f", {_show(array.get('bytes'))} bytes")


def _reasons(arrays: Sequence[Record], others: Sequence[Record]) -> Table:
    """Each reason once, with all the variables that it holds for; what holds for the same ones together."""
    said: dict[str, list[str]] = {}
    for array in arrays:
        for reason in _show(array.get("because")).split("; "):
            said.setdefault(reason, []).append(_show(array.get("name")))
    for variable in others:
        reason = f"{_show(variable.get('placement'))}: {_show(variable.get('because'))}"
        said.setdefault(reason, []).append(_show(variable.get("name")))
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(max_width=28)
    table.add_column()
    by_names: dict[str, list[str]] = {}
    for reason, names in said.items():
        by_names.setdefault(", ".join(names), []).append(reason)
    for listed, reasons in by_names.items():
        table.add_row(Text(listed), Text("; ".join(reasons)))
    return table


def _table(columns: Sequence[str], rows: Iterable[Sequence[str]], lines: box.Box | None = None) -> Table:
    table = Table(box=lines, pad_edge=False, padding=(0, 2, 0, 0))
    for title in columns:
        table.add_column(title, justify="right" if title in _NUMBERS else "left", no_wrap=title in _WHOLE)
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    return table


def _show(value: object) -> str:
    """A value of the report as a cell."""
    if value is None or value == "":
        return "-"
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_show(inner)}" for key, inner in value.items())
    if isinstance(value, (list, tuple)):
        return " x ".join(map(_show, value))
    return one_line(str(value))


def records(value: object) -> list[Record]:
    """The entries of a list of the report."""
    return [entry for entry in value if isinstance(entry, Mapping)] if isinstance(value, (list, tuple)) else []
