"""`ompc explain`: the report as tables for people.

    jacobi.c: 2 parallel loops, 1 on the GPU

    Line  Function  Directive                         Runs on  Why
    41    main      parallel for reduction(+:error)   GPU      200 threads in blocks of 128
    60    main      parallel for                      host     OMPC310: calls printf

    main_41  jacobi.c:41  parallel for reduction(+:error)
    Array  Type             Bytes   Access  Lives in  Host buffer  In     Out  Because
    uold   double[200][200]  320000  read   global    pageable     whole  -    ...

In: the report (schema 1; see `Translation.report`).   Out: rich renderables, or plain text of any width for a pipe.
Unknown keys are ignored and missing ones shown as "-", so that an older report can still be read.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence

from rich import box
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

Record = Mapping[str, object]

_LOOP_COLUMNS = ("Line", "Function", "Directive", "Runs on", "Why")
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
_NUMBERS = {"Line", "Bytes"}


def explanation(report: Record, plain: bool = False) -> list[RenderableType]:
    """The headline, the table of loops, and a table of variables for each loop on the GPU."""
    regions = _records(report.get("regions"))
    parts: list[RenderableType] = [Text(_headline(report, regions))]
    if regions:
        parts += [Text(), _loops(regions, plain)]
    for region in regions:
        variables = _records(region.get("variables"))
        if variables:
            title = f"{_show(region.get('id'))}  {_show(report.get('source'))}:{_show(region.get('line'))}"
            parts += [Text(), Text(f"{title}  {_show(region.get('directive'))}", style="bold")]
            parts.append(_variables(variables, plain))
    return parts


def plain_explanation(report: Record) -> str:
    """The same as text without colours or wrapping, one line per row, for files and pipes."""
    stream = io.StringIO()
    console = Console(file=stream, width=100_000, color_system=None, force_terminal=False, highlight=False)
    for part in explanation(report, plain=True):
        console.print(part)
    return "".join(line.rstrip() + "\n" for line in stream.getvalue().splitlines())


def _headline(report: Record, regions: Sequence[Record]) -> str:
    on_gpu = sum(region.get("target") == "gpu" for region in regions)
    loops = "1 parallel loop" if len(regions) == 1 else f"{len(regions) or 'no'} parallel loops"
    where = f", {on_gpu} on the GPU, {len(regions) - on_gpu} on the host" if regions else ""
    return f"{_show(report.get('source'))}: {loops}{where} (--opt {_show(report.get('opt'))})"


def _loops(regions: Sequence[Record], plain: bool) -> Table:
    rows = [
        [
            _show(region.get("line")),
            _show(region.get("function")),
            _show(region.get("directive")),
            "GPU" if region.get("target") == "gpu" else "host",
            _why(region),
        ]
        for region in regions
    ]
    return _table(_LOOP_COLUMNS, rows, plain)


def _why(region: Record) -> str:
    reason = region.get("reason")
    if isinstance(reason, Mapping):
        return f"{_show(reason.get('code'))}: {_show(reason.get('message'))}"
    launch = region.get("launch")
    if isinstance(launch, Mapping):
        return "; ".join(f"{key} {_show(value)}" for key, value in launch.items() if value is not None) or "-"
    return _show(launch)


def _variables(variables: Sequence[Record], plain: bool) -> Table:
    rows = [[_show(variable.get(key)) for _, key in _VARIABLE_COLUMNS] for variable in variables]
    return _table([title for title, _ in _VARIABLE_COLUMNS], rows, plain)


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]], plain: bool) -> Table:
    table = Table(box=None if plain else box.SIMPLE_HEAD, pad_edge=False, padding=(0, 2, 0, 0))
    for title in columns:
        last = title in {"Why", "Because"}
        # The sentences may wrap on a terminal; names and numbers stay whole.
        table.add_column(title, justify="right" if title in _NUMBERS else "left", no_wrap=plain or not last)
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
    return str(value)


def _records(value: object) -> list[Record]:
    return [entry for entry in value if isinstance(entry, Mapping)] if isinstance(value, (list, tuple)) else []
