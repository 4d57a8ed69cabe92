"""Where ompc's own files are: the templates and the runtime, in a checkout as in an installed wheel.

In a checkout `templates/` and `docs/` lie beside the package; the wheel carries the templates and the page about
diagnostics inside (see pyproject.toml).
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from enum import Enum
from functools import cache, lru_cache
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent


RUNTIME_FOLDER, KERNELS_FOLDER, HOST_FOLDER = "ompc_runtime", "ompc_kernels", "ompc_host"
"""Subfolders of a translated folder: with `--vendor`, all of the runtime's files, and what is built from them; else the
headers of its kernels, and those of `make host`. The Makefiles' templates name them too.
"""


class Runtime(Enum):
    """Directories of runtime sources that go together. A program takes COMMON and CUDA or EMULATE; one that calls MPI,
    MPI too; a library, NVRTC with CUDA; `make host` HOST alone. A room of COMMON includes itself and those before it;
    the rooms in a folder come before the files that lie beside them.
    """

    COMMON = (
        *(f"libc/{room}" for room in ("base", "process", "blocks", "guards", "system")),
        "libc",
        *(f"kernel/{room}" for room in ("shape", "language", "arrays", "reductions", "lanes", "tiles", "printing")),
        *("kernel", "cost", "observe", "device", "memory", "messages", "launch"),
    )
    CUDA = ("cuda",)
    EMULATE = ("emulate",)
    NVRTC = ("nvrtc",)
    MPI = ("mpi",)
    HOST = ("host",)


def templates_directory() -> Path:
    """The directory of the Jinja2 templates. FileNotFoundError: the installation is broken."""
    for candidate in (PACKAGE / "templates", PACKAGE.parent / "templates"):
        if candidate.is_dir():
            return candidate
    raise FileNotFoundError(f"ompc's templates are missing beside {PACKAGE}")


def runtime_directories(part: Runtime) -> tuple[Path, ...]:
    return tuple(PACKAGE / "runtime" / room for room in part.value)


def include_words(*parts: Runtime) -> list[str]:
    """What a compiler is given to find the headers of these parts: no name stands for two headers of one program."""
    return [f"-I{directory}" for part in parts for directory in runtime_directories(part)]


def cmake_directory() -> Path:
    """The directory of ompc.cmake, for projects that use CMake."""
    return PACKAGE / "cmake"


def measuring_directory() -> Path:
    """The program that `ompc doctor --calibrate` builds, with a directory for each target beside it."""
    return PACKAGE / "runtime" / "measure"


def runtime_files(part: Runtime) -> dict[str, Path]:
    """The sources of one part by the name they have in a translated folder, where no rooms are; no build products."""
    return dict(_runtime_files(part))


_ENDINGS = (".h", ".hpp", ".cuh", ".c", ".cc", ".cpp", ".inc")


@cache
def _runtime_files(part: Runtime) -> tuple[tuple[str, Path], ...]:
    """Every build asks for them several times; a process does not change its own installation."""
    rooms = runtime_directories(part)
    return tuple(
        (path.relative_to(directory).as_posix(), path)
        for directory in rooms
        for path in sorted(_sources_below(directory, frozenset(map(str, rooms))))
    )


def _sources_below(directory: Path, rooms: frozenset[str]) -> Iterator[Path]:
    """Not in rooms that lie there: those come by themselves."""
    for place, folders, names in os.walk(directory):
        folders[:] = [name for name in folders if os.path.join(place, name) not in rooms]  # noqa: PTH118
        yield from (Path(place, name) for name in names if name.endswith(_ENDINGS))


def runtime_units(*parts: Runtime, suffix: str) -> list[Path]:
    """What is compiled once for all programs: the C files (".c") of these parts, or the C++ files (".cc")."""
    files = (path for part in parts for name, path in runtime_files(part).items() if name.endswith(suffix))
    return list(files)


def advice(code: str) -> str | None:
    """What a user can do about a diagnostic, as its section of docs/diagnostics.md says; None: there is no section."""
    found = re.search(r"^\*\*What to do\.\*\* (.*?)$", section(code) or "", re.MULTILINE)
    return None if found is None else found.group(1)


def section(code: str) -> str | None:
    """The text of a diagnostic's section of docs/diagnostics.md, below its title; None: there is none."""
    return _sections().get(code)


def page_of_codes() -> Path | None:
    """docs/diagnostics.md; None: the installation lacks it."""
    pages = (directory / "diagnostics.md" for directory in (PACKAGE / "docs", PACKAGE.parent / "docs"))
    return next((page for page in pages if page.is_file()), None)


@lru_cache(maxsize=1)
def _sections() -> dict[str, str]:
    page = page_of_codes()
    if page is None:
        return {}
    parts = re.split(r"^## (\w+):.*\n", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {code: text.strip("\n") for code, text in zip(parts[1::2], parts[2::2], strict=True)}


@lru_cache(maxsize=1)
def runtime_digest() -> str:
    """SHA-256 of the runtime's sources. Equal where objects that were compiled with them can be linked together."""
    digest = hashlib.sha256()
    for part in Runtime:
        for name, path in runtime_files(part).items():
            digest.update(f"{part.value}/{name}\0".encode() + path.read_bytes())
    return digest.hexdigest()


@lru_cache(maxsize=1)
def package_digest() -> str:
    """SHA-256 of everything that can change what ompc generates: its modules, templates and runtime."""
    digest = hashlib.sha256()
    for root in (PACKAGE, templates_directory()):
        for path in sorted(root.rglob("*")):
            if path.is_file() and path.suffix != ".pyc":
                digest.update(path.relative_to(root).as_posix().encode() + b"\0")
                digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()
