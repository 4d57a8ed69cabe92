"""A file that cannot be analysed, or that the C compiler refuses: its own text, all loops on the host.

    {"schema": 1, "source": "nest.c", "opt": "auto", "regions": [],
     "problem": {"code": "OMPC105", "message": "this file cannot be analysed, ...", "line": 3, "pragmas": 1}}

`pragmas` is how many directives of the text create threads: nobody has looked at their loops, so they are none of the
report's regions, but whoever counts loops must know of them.

In: the file, why.   Out: a Translation.   Not here: finding out that it must be -- driver.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ompc.base.diagnostics import Diagnostic
from ompc.base.dumps import Dumps
from ompc.base.options import Options
from ompc.base.translation import Translation
from ompc.frontend.preprocess import read_source
from ompc.omp.unread_text import count_of_regions, has_target_constructs
from ompc.render.makefiles.makefile import makefile_text


def copied_through(source: Path, name: str, options: Options, why: tuple[Diagnostic, ...], dumps: Dumps) -> Translation:
    """`why`: what the user is told; the first of it is what the report says. CompileError OMPC103: it is no text."""
    text = read_source(source)
    report: Mapping[str, object] = {
        "schema": 1,
        "source": str(source),
        "opt": options.level.value,
        "regions": [],
        "problem": _problem(why[0], text),
    }
    return Translation(
        name=name,
        files={f"{name}.c": text, "Makefile": makefile_text(None, source, options, name)},
        make_report=lambda: report,
        diagnostics=why,
        dumps=dumps,
        dependencies=(source,),
        has_device_code=False,
        offloads=has_target_constructs(text),
    )


def _problem(why: Diagnostic, text: str) -> Mapping[str, object]:
    line = why.at.line if why.at is not None and why.at.line > 0 else None
    return {"code": why.code, "message": why.message, "line": line, "pragmas": count_of_regions(text)}
