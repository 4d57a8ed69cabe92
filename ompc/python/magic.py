"""`%%ompc` in IPython and Jupyter: a cell of C whose functions are functions of the session.

    %load_ext ompc

    %%ompc --target emulate -O3 -DN=3
    void scale(int n, double *x)
    {
    #pragma omp parallel for
        for (int i = 0; i < n; i++) x[i] *= N;
    }

    scale(10, x)

In: the cell's first line and its text, the shell.   Out: names in the session; what `ompc explain` says of the cell.
    UsageError, which IPython shows as a message: an option that there is not, what the compiler says.
"""

from __future__ import annotations

import argparse
import json
import keyword
import shlex
import sys
from typing import Any, NoReturn

from IPython.core.error import UsageError

from ompc.python.failures import LoadError
from ompc.python.library import Library
from ompc.python.load import Wanted, file_of_text, load_files
from ompc.tools.overview import overview
from ompc.tools.wrapping import WIDTH, as_text

OPTIONS = ("target", "opt", "fp", "arch", "cc", "cxx", "compiler")


def register(shell: Any) -> None:
    """Give the shell the magic."""

    def ompc(line: str, cell: str) -> None:
        run_cell(shell, line, cell)

    ompc.__doc__ = f"Compile C, and bind its functions.\n\n{_parser().format_help()}"
    shell.register_magic_function(ompc, "cell", "ompc")


def run_cell(shell: Any, line: str, cell: str) -> None:
    """Compile the cell, bind its functions, and say where its loops run. UsageError."""
    try:
        given, flags = _parser().parse_known_args(shlex.split(line))
    except ValueError as error:
        raise UsageError(f"%%ompc: {error}") from None
    options = {name: getattr(given, name) for name in OPTIONS if getattr(given, name) is not None}
    wanted = Wanted(**options, flags=flags, quiet=True)
    file = file_of_text(cell, wanted, "cell.c")

    def shown(text: str) -> str:
        return text.replace(f"{file.parent}/", "")

    try:
        library = load_files(file, wanted)
    except (LoadError, ValueError) as error:
        raise UsageError(shown(str(error))) from None
    bound = _bound(library, given.library)
    shell.push(bound, interactive=False)
    if not bound:
        raise UsageError("%%ompc: the cell has no function that can be called from outside of it")
    reports = json.loads(shown(json.dumps(library._contents.reports())))
    sys.stdout.write(f"{', '.join(sorted(bound))}\n{as_text(overview(reports, WIDTH)).rstrip()}\n")


def _bound(library: Library, name: str | None) -> dict[str, object]:
    """What the session gets, by its names there. A word of Python's is no name."""
    functions: dict[str, object] = {each: library[each] for each in library._functions if not keyword.iskeyword(each)}
    return functions if name is None else {**functions, name: library}


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"%%ompc: {message}")


def _parser() -> _Parser:
    epilog = "All other options are the C compiler's."
    parser = _Parser("%%ompc", epilog=epilog, allow_abbrev=False, add_help=False)
    for name in OPTIONS:
        parser.add_argument(f"--{name}", help="as of ompc.load")
    parser.add_argument("--library", metavar="NAME", help="also bind the library, for its globals and its report")
    return parser
