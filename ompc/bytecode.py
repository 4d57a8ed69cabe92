"""Where Python keeps what it has compiled of ompc, when it keeps none beside the sources.

Compiling ompc's own modules takes longer than translating a file of a thousand lines. Python does it at each start
where it may not write (an installation of somebody else's, PYTHONDONTWRITEBYTECODE); ompc then has a folder for that in
its cache, which holds what builds made in any case.

In: the environment.   Out: `sys.pycache_prefix`.   Not here: the cache of builds -- toolchain/cache/cache.py.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from importlib.util import cache_from_source
from pathlib import Path

FOLDER = "bytecode"

_COMPILED_LATE = "driver.py"
"""A module of the package that Python compiles late: where its bytecode exists, that of the others does, too."""


def keep_bytecode(module: str, environ: Mapping[str, str]) -> None:
    """`module`: the path of a module of ompc's."""
    package = Path(module).parent
    if sys.pycache_prefix is not None or Path(cache_from_source(str(package / _COMPILED_LATE))).exists():
        return
    if not sys.dont_write_bytecode and os.access(package, os.W_OK):
        return
    from ompc.base.cache_directory import cache_directory

    folder = cache_directory(environ) / FOLDER
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        known = folder.stat()
    except OSError:
        return
    if known.st_uid != os.getuid() or known.st_mode & 0o022:
        return  # whoever can write there would be running code
    sys.pycache_prefix = str(folder)
    sys.dont_write_bytecode = False
