"""The pipeline of a folder without the runtime. Which loops need that, and where arrays stay on the device, depends on
all files of the program, so that they are planned together.

    In: the program's files.   Out: their Translations.   Not here: the stages -- pipeline.py, render/plain/files.py.
"""

from __future__ import annotations

from collections.abc import Sequence

from ompc.base.diagnostics import Reason
from ompc.base.options import Options
from ompc.base.translation import Translation
from ompc.ir.tree import Unit
from ompc.pipeline import Analysed, File, OfProgram, analysed, finished, planned_once, warnings_of
from ompc.render.local_names import with_names
from ompc.render.plain.files import PlainProgram, PlainSource, plain_program


def translated_plainly(
    files: Sequence[tuple[File, Sequence[Unit], Options]], program: OfProgram, unread: str = ""
) -> tuple[Translation, ...]:
    """Each file with the units of the others. `unread`: one more, of which nothing is known."""
    known = [(analysed(file, others, program), options) for file, others, options in files]
    warnings = [warnings_of(*each) for each in known]
    sources, plain = _planned(known, unread)
    return tuple(
        finished(each, own.plan, plain.host_of(own), told, options, plain.files_of(own))
        for (each, options), own, told in zip(known, sources, warnings, strict=True)
    )


def _planned(known: Sequence[tuple[Analysed, Options]], unread: str) -> tuple[list[PlainSource], PlainProgram]:
    """The verified plans, and the texts that follow. Each time some loops more stay on the host."""
    given_up: dict[str, dict[str, Reason]] = {each.file.name: {} for each, _ in known}
    while True:
        sources = []
        for each, options in known:
            plan = with_names(planned_once(each, options, given_up[each.file.name]))
            sources.append(PlainSource(plan, each.file.texts, each.file.source, options))
        plain = plain_program(sources, known[0][0].program.host.units, unread)
        if not plain.refused:
            return sources, plain
        for name, refused in plain.refused.items():
            given_up[name].update(refused)
