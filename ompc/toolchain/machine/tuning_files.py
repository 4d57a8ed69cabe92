"""Where measured shapes of launches are kept: one JSON file for each kind of device, beside the machine's calibration.

    ~/.config/ompc/tuning/NVIDIA-H200.json        $OMPC_TUNING names another folder; empty: nothing is read or kept

Files of several devices may lie there: translations have the shapes of all, and programs choose by the device's name.

In: the environment.   Out: `Tuning`; CompileError OMPC411: it cannot be written.
Not here: what the numbers mean -- ompc/base/tuning.py.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

from ompc.base.diagnostics import CompileError, Diagnostic, Kind
from ompc.base.tuning import ChoiceError, Entry, Tuning, from_json, to_json
from ompc.toolchain.machine.user_settings import file_stem, settings_directory


def tuning_directory(environ: Mapping[str, str]) -> Path | None:
    """None: nothing is kept."""
    if "OMPC_TUNING" in environ:
        return Path(environ["OMPC_TUNING"]) if environ["OMPC_TUNING"] else None
    settings = settings_directory(environ)
    return None if settings is None else settings / "tuning"


def read_tuning(environ: Mapping[str, str]) -> Tuning:
    """All that is kept; a file that cannot be used is a warning (OMPC484) in `problems`."""
    directory = tuning_directory(environ)
    paths = sorted(directory.glob("*.json")) if directory is not None else []
    read = [(path, *_entries(path)) for path in paths]
    entries = tuple(entry for _, found, _ in read for entry in found)
    return Tuning(entries, tuple(_unused(path, why) for path, _, why in read if why is not None))


def _entries(path: Path) -> tuple[tuple[Entry, ...], str | None]:
    """What a file holds, or why it cannot be used."""
    try:
        return from_json(json.loads(path.read_text(encoding="utf-8"))), None
    except (OSError, ValueError, RecursionError) as error:
        return (), f"it cannot be read: {error}"
    except ChoiceError as error:
        return (), str(error)


def _unused(path: Path, why: str) -> Diagnostic:
    help_ = "remove it, and run `ompc tune` again"
    return Diagnostic("OMPC484", Kind.WARNING, f"the measurements in {path} are not used: {why}", help=help_)


def keep_tuning(environ: Mapping[str, str], device: str, tuning: Tuning) -> Path | None:
    """Write the device's file in one step; None: nothing is kept, as the environment wants it."""
    directory = tuning_directory(environ)
    if directory is None:
        return None
    path = directory / f"{file_stem(device)}.json"
    record = to_json(device, (entry for entry in tuning.entries if entry.device == device))
    try:
        directory.mkdir(parents=True, exist_ok=True)
        fresh = path.with_name(f".new-{os.getpid()}")
        fresh.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
        fresh.replace(path)
    except OSError as error:
        raise CompileError(Diagnostic("OMPC411", Kind.ERROR, f"cannot write {path}: {error.strerror}")) from None
    return path
