"""What several commands do: translate the files that were asked for, build them, run the program."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

import click

from ompc.base.cache_directory import cache_directory
from ompc.base.diagnostics import CompileError, Diagnostic, Kind
from ompc.base.translation import Translation
from ompc.base.watch import Watch
from ompc.cli.output import say
from ompc.cli.watching import watched
from ompc.command_options import Asked
from ompc.toolchain.build import build_program
from ompc.toolchain.cache.cache import DEFAULT_LIMIT_BYTES, Cache
from ompc.toolchain.folder import origin_of
from ompc.toolchain.machine.setting import choose_setting
from ompc.toolchain.run import run_program


def translate_asked(asked: Asked, watch: Watch | None = None) -> tuple[Translation, ...]:
    """The files, translated. `watch`: of the build that this is part of."""
    if watch is None:
        with watched(asked) as own:
            return translate_asked(asked, own)
    # Here, since a build from the cache and `doctor` need none of the stages, whose import takes longer than they do.
    with watch.stage("", "loading"):
        from ompc import driver

    options = asked.request.options
    say(() if options.tuning is None else options.tuning.problems)
    return driver.translate_program(asked.request.sources, options, watch)


def translate_to(asked: Asked, folder: Path, has_runtime: bool) -> Translation:
    """The program as the folder has it. `has_runtime`: with all of the runtime's sources; else that is a library."""
    origin = origin_of(folder)
    options = replace(asked.request.options, origin=origin)
    from ompc.render.makefiles.makefile import word_with_line_break

    broken = word_with_line_break(asked.request.sources, options)
    if broken is not None:
        raise CompileError(Diagnostic("OMPC106", Kind.ERROR, f"no Makefile can have a line break, as in {broken}"))
    if options.lines_from is not None:
        options = replace(options, lines_from=origin)
    translations = translate_asked(replace(asked, request=replace(asked.request, options=options)))
    from ompc import driver

    if not has_runtime and not options.plain:
        return driver.with_library(translations, asked.request.sources, options)
    if len(translations) == 1:
        return translations[0]
    return driver.in_one_folder(translations, asked.request.sources, options)


def build_asked(asked: Asked, program: Path) -> tuple[int, int]:
    """Build it, and say what there is to be said. How many parallel loops it has, and how many are for the device."""
    # Nobody sees the host file, but the compiler speaks of its lines, which are to be the user's.
    options = replace(asked.request.options, keep_lines=True)
    asked = replace(asked, request=replace(asked.request, options=options))
    setting = choose_setting(asked.request, os.environ)
    say(setting.notes)
    with watched(asked) as watch:
        translate = partial(translate_asked, asked, watch=watch)
        built = build_program(asked.request, setting, translate, program, open_cache(), watch)
    say(built.diagnostics, asked.quiet)
    return built.loops


def open_cache() -> Cache:
    limit = os.environ.get("OMPC_CACHE_LIMIT", "")
    return Cache(cache_directory(os.environ), int(limit) << 20 if limit.isdecimal() else DEFAULT_LIMIT_BYTES)


def environment_of(asked: Asked) -> Mapping[str, str]:
    """What the program is run in."""
    return {**os.environ, "OMPC_OFFLOAD": "mandatory"} if asked.request.require_gpu else os.environ


def run_built(program: Path, environ: Mapping[str, str]) -> int:
    sys.stdout.flush()
    status, killed = run_program(program, click.get_current_context().meta["arguments"], environ)
    say([killed] if killed else [])
    return status
