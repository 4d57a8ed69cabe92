"""An object that the link makes again: the program's other files show what a file alone does not.

    simulation.c   ... mat = pick_mat(&seed);           the function of another file becomes part of the kernel
    sweep.c        #pragma omp for nowait               in another file's region threads wait for one another beside
                                                        this loop (OMPC364): the host has it from the start

An object whose loops all stay on the host now is compiled from the source as it is.

In: a unit, those that it needs, the pipeline, the cache.   Out: `Made`; None: the object stays as it is.
Not here: which units -- cc_units.py; how objects are made -- cc_object.py.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from ompc.base.diagnostics import CompileError
from ompc.base.frozen import dataclass
from ompc.base.options import Options
from ompc.base.resources import package_digest
from ompc.base.translation import Translation
from ompc.base.working_directory import working_directory
from ompc.toolchain.cache.cache import Cache, key_of
from ompc.toolchain.machine.setting import Setting
from ompc.toolchain.objects.cc_object import (
    Job,
    Made,
    compiled,
    digest_of,
    plain_object,
    preprocessed,
    request_of,
    tagged,
)
from ompc.toolchain.objects.cc_units import Unit

_WAITS = "OMPC364"


@dataclass(frozen=True, slots=True)
class Others:
    """The files that are read with a unit. `beside`: their functions become part of its kernels; `around`: they show
    what the threads of its teams do; `program`: all others, if there is no other code, read where a loop asks for that
    (OMPC309).
    """

    beside: Sequence[Unit]
    around: Sequence[Unit] = ()
    program: Sequence[Unit] = ()


Translate = Callable[[Options, Others, bool], Translation]
"""The pipeline; its last argument says whether `beside` is all of the program."""


def make_again(
    unit: Unit,
    others: Others,
    command: Sequence[str],
    setting: Setting,
    translate: Translate,
    cache: Cache,
    directory: Path,
) -> Made | None:
    """The object of `unit` in the scratch directory, made with what others show; None: that changes nothing, or a
    source is not what it was. `command`: the host compiler's words.
    """
    job = _job_of(unit)
    request = request_of(job, unit.own, command)

    def current(units: Sequence[Unit]) -> list[Unit]:
        return [other for other in units if _is_current(other, setting, directory)]

    now = replace(others, beside=current(others.beside), around=current(others.around))
    if not (now.beside or now.around) or not current([unit]):
        return None
    texts = [[each.text() for each in units] for units in ((unit,), now.beside, now.around, now.program)]
    key = key_of({"units": texts, "setting": setting.identity(), "ompc": package_digest()})
    known = cache.find_step(key)
    if known is not None:
        path = shutil.copyfile(known, directory / "combined.o")
        return Made(path, (), "", None, unit) if path.stat().st_size > 0 else None
    with working_directory(Path(unit.directory)):
        options = tagged(request, unit)
        translation = translate(options, now, False)
        asks = now.program and any(diagnostic.code == "OMPC309" for diagnostic in translation.diagnostics)
        if asks and len(current(now.program)) == len(now.program):
            translation = translate(options, Others(now.program), True)
        waits = unit.teams and any(diagnostic.code == _WAITS for diagnostic in translation.diagnostics)
        if translation.has_device_code and (waits or now.beside):
            made = compiled(job, request, setting, translation, cache, directory)
        elif waits:
            made = plain_object(job, setting, directory)
        else:
            cache.store_step(key, _nothing(directory))
            return None
    cache.store_step(key, made.object)
    return replace(made, unit=unit)


def options_of(unit: Unit, command: Sequence[str]) -> Options:
    """How the unit was translated. `command`: the host compiler's words."""
    return request_of(_job_of(unit), unit.own, command).options


def _nothing(directory: Path) -> Path:
    """A file that says so."""
    path = directory / "nothing"
    path.write_bytes(b"")
    return path


def _job_of(unit: Unit) -> Job:
    return Job(Path(unit.source), unit.language, unit.flags, (), "", None)


def _is_current(unit: Unit, setting: Setting, directory: Path) -> bool:
    """Would the preprocessor make of the source what it made when the object was compiled?"""
    job = _job_of(unit)
    try:
        with working_directory(Path(unit.directory)):
            expanded, _ = preprocessed(job, setting, directory)
    except (CompileError, OSError):
        return False
    return digest_of(job, expanded) == unit.digest
