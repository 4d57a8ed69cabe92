"""Where ompc keeps what it can make again: builds, the runtime, what Python compiles of ompc itself.

In: the environment.   Out: a path; nothing is made there.   Not here: the cache of builds -- toolchain/cache/cache.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def cache_directory(environ: Mapping[str, str]) -> Path:
    """$OMPC_CACHE_DIR, else ompc's folder in $XDG_CACHE_HOME, else in ~/.cache."""
    if environ.get("OMPC_CACHE_DIR"):
        return Path(environ["OMPC_CACHE_DIR"])
    base = environ.get("XDG_CACHE_HOME", "")
    # The XDG specification: a relative path is invalid and to be ignored.
    if Path(base).is_absolute():
        return Path(base) / "ompc"
    home = environ.get("HOME")
    if not home:
        import tempfile  # as every command begins here, and nearly all have a home

        home = tempfile.gettempdir()
    return Path(home) / ".cache" / "ompc"
