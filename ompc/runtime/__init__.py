"""The runtime of translated programs: where its C and C++ files are. They are data; nothing here is imported by the stages.

A program is compiled with `include_dirs(target)` on the include path, and `heap_source()` is compiled with the host C
compiler and linked in. `runtime_files(target)` is everything that a folder needs to be built without ompc: file names are
distinct, so the files may lie side by side.
"""

from __future__ import annotations

from pathlib import Path

TARGETS = ("cuda", "emulate")
_ROOT = Path(__file__).resolve().parent


def runtime_dir(target: str) -> Path:
    """The folder of `ompc_rt.h` for "cuda" or "emulate". ValueError for another target."""
    if target not in TARGETS:
        raise ValueError(f"no runtime for target {target!r}")
    return _ROOT / target


def common_dir() -> Path:
    """The folder of `ompc_host.h`, `ompc_heap.c` and the headers that both targets share."""
    return _ROOT / "common"


def include_dirs(target: str) -> tuple[Path, ...]:
    """The -I folders for the `.cu` (both) and for the host's C (the last one is enough), in order."""
    return runtime_dir(target), common_dir()


def heap_source() -> Path:
    """The host runtime, C11, compiled with the host C compiler for both targets."""
    return common_dir() / "ompc_heap.c"


def runtime_files(target: str) -> tuple[Path, ...]:
    """Every header and source of the runtime for `target`, sorted by name."""
    files = (path for folder in include_dirs(target) for path in folder.iterdir() if path.suffix in {".h", ".c"})
    return tuple(sorted(files, key=lambda path: path.name))
