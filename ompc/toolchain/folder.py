"""Write the translated folder, whole or not at all.

The new folder is made beside its place and renamed. An earlier translation is replaced; files in it that ompc did not
write (a build, notes) are kept. `.ompc.json` lists what ompc wrote with its hashes, so that nothing of the user's is
ever lost: a folder without that list, or with a generated file that was edited since, is refused.

In: a translation, the folder's path.   Out: nothing.   CompileError OMPC405: refused.  OMPC411: cannot be written.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from ompc.base.diagnostics import CompileError, Diagnostic, Kind
from ompc.base.ending import temporary_directory, undisturbed
from ompc.base.resources import RUNTIME_FOLDER, Runtime, runtime_files
from ompc.base.translation import Translation
from ompc.toolchain.cache.cache import hash_file

LIST_NAME = ".ompc.json"
NEW = ".ompc-new-"
"""The prefix of the folder's name until the folder is complete."""


def folder_contents(translation: Translation, has_runtime: bool) -> dict[str, bytes]:
    """Every file of the folder by name: what was generated, and the runtime, if it is to have that."""
    contents = {name: text.encode(errors="surrogateescape") for name, text in translation.files.items()}
    if not has_runtime:
        return contents
    for part in (Runtime.COMMON, Runtime.CUDA):
        contents.update((f"{RUNTIME_FOLDER}/{name}", path.read_bytes()) for name, path in runtime_files(part).items())
    return contents


def origin_of(folder: Path) -> str:
    """The path from `folder` to the current directory; absolute where they have nothing but the root in common."""
    here, there = Path.cwd(), folder.resolve()
    apart = os.path.commonpath([here, there]) == here.anchor
    return str(here) if apart else os.path.relpath(here, there)


def write_folder(translation: Translation, folder: Path, force: bool = False, has_runtime: bool = False) -> None:
    """Write or replace `folder`, with the sources of the runtime or without. `force` gives up edits to generated files,
    never a folder that is not ompc's.
    """
    try:
        _check_replaceable(folder, force)
        _replace(folder, folder_contents(translation, has_runtime))
    except OSError as error:
        raise CompileError(
            Diagnostic("OMPC411", Kind.ERROR, f"cannot write {error.filename or folder}: {error.strerror}")
        ) from None


def _check_replaceable(folder: Path, force: bool) -> None:
    if not folder.is_symlink() and not folder.exists():
        return
    if not folder.is_dir():
        raise _refusal(f"{folder} exists and is not a folder")
    if folder.resolve() == Path.cwd() or folder.resolve() in Path.cwd().parents:
        raise _refusal(f"{folder} is the current directory or contains it")
    if not any(folder.iterdir()):
        return
    written = _read_list(folder)
    if written is None:
        raise _refusal(f"{folder} exists and was not written by ompc")
    edited = [name for name, content in sorted(written.items()) if hash_file(folder / name) not in {content, None}]
    if edited and not force:
        raise _refusal(f"{folder / edited[0]} was changed after ompc wrote it", "--force gives the changes up")


def _refusal(message: str, help_: str = "choose another folder with -o") -> CompileError:
    return CompileError(Diagnostic("OMPC405", Kind.ERROR, message, help=help_))


def _read_list(folder: Path) -> dict[str, str] | None:
    """The names and hashes of what ompc wrote there; None: it did not write the folder."""
    try:
        listed = json.loads((folder / LIST_NAME).read_text())["files"]
        return {str(name): str(content) for name, content in listed.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def _replace(folder: Path, contents: Mapping[str, bytes]) -> None:
    target = folder.resolve()
    target.parent.mkdir(parents=True, exist_ok=True)
    with temporary_directory(NEW, target.parent) as name:
        _fill(Path(name), contents)
        _keep_other_files(target, Path(name))
        with undisturbed():
            _swap(target, Path(name))


def _fill(new: Path, contents: Mapping[str, bytes]) -> None:
    new.chmod(0o755)
    for name, content in contents.items():
        path = new / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    listed = {name: hashlib.sha256(content).hexdigest() for name, content in sorted(contents.items())}
    (new / LIST_NAME).write_text(json.dumps({"files": listed}, indent=1) + "\n")


def _keep_other_files(old: Path, new: Path) -> None:
    written = _read_list(old) or {}
    for path in sorted(old.rglob("*")) if old.is_dir() else ():
        name = path.relative_to(old)
        if (path.is_dir() and not path.is_symlink()) or name.as_posix() in {*written, LIST_NAME}:
            continue
        if not (new / name).exists():
            (new / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, new / name, follow_symlinks=False)


def _swap(target: Path, new: Path) -> None:
    """Rename. A folder cannot replace one that is not empty, so the old one steps aside, and back on failure."""
    if not target.exists():
        new.rename(target)
        return
    aside = new.with_name(new.name.replace(NEW, ".ompc-old-"))
    target.rename(aside)
    try:
        new.rename(target)
    except BaseException:
        aside.rename(target)
        raise
    with contextlib.suppress(OSError):
        shutil.rmtree(aside)
