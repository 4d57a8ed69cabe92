"""Templates as Python code, kept where Python keeps what it has compiled of ompc.

Jinja compiles a template to Python at each start, which takes longer than all that is printed with it in a small file.
The code is kept as that of a module beside it would be (`__pycache__`, or the folder of ompc/bytecode.py), and is used
for the same text, version of Jinja and settings alone; what cannot be read whole counts as absent.

In: templates, by the loader of an environment.   Out: their code.   Not here: the environment -- environment.py.
"""

from __future__ import annotations

import contextlib
import hashlib
import marshal
import os
import sys
from importlib.util import cache_from_source
from pathlib import Path

import jinja2
from jinja2.bccache import Bucket

from ompc.base.ending import temporary_file

_HASH_CHARACTERS = 64


class TemplateCode(jinja2.BytecodeCache):
    """`settings`: of the environment, as far as code depends on them."""

    def __init__(self, settings: object) -> None:
        self._settings = f"{jinja2.__version__} {settings}\n"

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        """The path of the template's file."""
        return filename or name

    def get_source_checksum(self, source: str) -> str:
        return hashlib.sha256((self._settings + source).encode()).hexdigest()

    def load_bytecode(self, bucket: Bucket) -> None:
        try:
            content = _kept(bucket).read_bytes()
        except OSError:
            return
        if content[:_HASH_CHARACTERS] == bucket.checksum.encode():
            with contextlib.suppress(EOFError, ValueError, TypeError):
                bucket.code = marshal.loads(content[_HASH_CHARACTERS:])

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Where nothing can be written, nothing is kept."""
        if sys.dont_write_bytecode:
            return
        path = _kept(bucket)
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            with temporary_file(".new-", path.parent) as (handle, new):
                with os.fdopen(handle, "wb") as out:
                    out.write(bucket.checksum.encode() + marshal.dumps(bucket.code))
                new.chmod(0o644)
                new.replace(path)


def _kept(bucket: Bucket) -> Path:
    return Path(cache_from_source(f"{bucket.key}.py"))
