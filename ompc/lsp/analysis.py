"""What is said of one file: the messages and loops of `ompc explain`, and the changes that `--fix` tries for one loop.

    In: a Job.   Out: an Answer or Fixes, with absolute paths; CompileError for what is wrong with the command.
    Not here: who asks -- server.py; in which process -- workers.py.
"""

from __future__ import annotations

import gc
import json
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from ompc.base.diagnostics import CompileError, Diagnostic
from ompc.base.translation import Translation
from ompc.base.watch import Watch
from ompc.frontend.preprocess import read_source
from ompc.lsp.answers import Answer, Fix, Fixes, Job, LoopAnswer
from ompc.lsp.programs import Translate, translator
from ompc.lsp.unsaved import Unsaved, laid_out, whole
from ompc.tools.explain import records, state_of
from ompc.tools.explanation import explanation
from ompc.tools.readiness.gather import gather
from ompc.tools.readiness.loop_lines import LoopLines
from ompc.tools.readiness.model import Readiness
from ompc.tools.readiness.roofline import DEVICES
from ompc.tools.readiness.suggestions import Program, with_suggestions
from ompc.tools.wrapping import as_text

WIDTH = 100
"""Of the text about a loop, in characters."""
TRIED_SECONDS = 30.0
"""How long changes to one loop are tried."""


def work_on(job: Job) -> Answer | Fixes:
    """In a process of its own: the directory is the job's from here on."""
    gc.disable()  # as for a command: the trees live to the end
    os.chdir(job.directory)
    # A header that is not saved is found before the one on the disk by a source that lies in the same folder.
    with laid_out({job.path: _text(Path(job.path)), **job.texts} if job.texts else {}) as unsaved:
        source = unsaved.path(job.path)
        flags = unsaved.flags(job.options.cpp_flags)
        options = replace(job.options, cpp_flags=flags, partly=True)
        translate = translator(job, unsaved, options)
        program = Program((source,), options, translate((source,), options))
        if job.at is not None:
            return _fixes(job, program, translate, unsaved)
        return _answer(job, program.translations[0], unsaved)


def _answer(job: Job, translation: Translation, unsaved: Unsaved) -> Answer:
    diagnostics = tuple(_real(diagnostic, unsaved) for diagnostic in translation.diagnostics)
    reads = (unsaved.real_path(str(path)) for path in translation.dependencies)
    everything = dict.fromkeys((job.path, *reads, *(file.path for file in job.beside)))
    return Answer(diagnostics, tuple(_loops(job, translation, unsaved)), tuple(everything))


def _real(found: Diagnostic, unsaved: Unsaved) -> Diagnostic:
    at = None if found.at is None else replace(found.at, file=unsaved.real_path(found.at.file))
    help_ = None if found.help is None else unsaved.real(found.help)
    notes = tuple(map(unsaved.real, found.notes))
    return replace(found, message=unsaved.real(found.message), at=at, notes=notes, help=help_)


def _loops(job: Job, translation: Translation, unsaved: Unsaved) -> Iterator[LoopAnswer]:
    """Each with its text, in which files of the same folder have no other path than their names."""
    report = unsaved.real(json.dumps(translation.report))
    shown = json.loads(report.replace(json.dumps(f"{Path(job.path).parent}/")[1:-1], ""))
    lines: dict[str, LoopLines] = {}
    for region, told in zip(records(json.loads(report).get("regions")), records(shown.get("regions")), strict=True):
        file, first = whole(str(region.get("file") or job.path)), region.get("line")
        if not isinstance(first, int):
            continue
        if file not in lines:
            lines[file] = LoopLines(_text(unsaved.path(file)))
        text = as_text(explanation(shown, [told], WIDTH))
        yield LoopAnswer(file, first, lines[file].last_line(first), text, state_of(region) == "host")


def _text(path: Path) -> str:
    try:
        return read_source(path)
    except CompileError:
        return ""  # a line marker names a file that is not there


def _fixes(job: Job, program: Program, translate: Translate, unsaved: Unsaved) -> Fixes:
    """What brings the loop at `job.at` to the device."""
    found = gather(program.translations, program.sources, next(iter(DEVICES.values())))
    chosen = _only(found, job.at, unsaved)
    tried = with_suggestions(chosen, program, translate, TRIED_SECONDS, Watch())
    suggestions = (suggestion for loop in tried.loops for suggestion in loop.suggestions if suggestion.edits)
    return Fixes(tuple(Fix(s.title, s.ensure, unsaved.real_path(s.file), s.edits) for s in suggestions))


def _only(found: Readiness, at: tuple[str, int] | None, unsaved: Unsaved) -> Readiness:
    files = []
    for file in found.files:
        path = unsaved.real_path(file.path)
        files.append(replace(file, loops=tuple(loop for loop in file.loops if (path, loop.first) == at)))
    return replace(found, files=tuple(files))
