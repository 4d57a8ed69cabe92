"""The kernels of a library that NVRTC compiles, when the library is loaded.

    the library says which kernels it starts and which variables it fills     a_c::f_6, a_c::mm_12_tiled<8>, (& a_c::t)
    NVRTC compiles these of each device file                                   or the cache has them
    the library gets the images, and what the names are in them                (runtime/nvrtc/ompc_images.cc)

In: the loaded library, its translations.   Out: nothing; the library can launch.   CompileError OMPC403.
"""

from __future__ import annotations

import ctypes
import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from ompc.base.ending import temporary_directory
from ompc.base.options import FloatingPoint
from ompc.base.resources import package_digest
from ompc.base.translation import Translation
from ompc.toolchain.cache.cache import Cache, key_of
from ompc.toolchain.commands.nvrtc_commands import kernel_options
from ompc.toolchain.machine.nvrtc import Image, compile_kernels
from ompc.toolchain.machine.setting import Setting


def hand_over(
    handle: Any, translations: Sequence[Translation], setting: Setting, fp: FloatingPoint, cache: Cache
) -> None:
    """Compile what the library names, and hand it over, before a function of it is called. `handle` is ctypes'."""
    wanted = _names(handle)
    files = sorted({file for file, _ in wanted})

    def made(file: int) -> Image:
        names = [name for of, name in wanted if of == file]
        return _image(translations[file], names, setting, fp, cache)

    with ThreadPoolExecutor(max_workers=4) as pool:
        images = dict(zip(files, pool.map(made, files), strict=True))
    for file, image in images.items():
        handle.ompc_code_image(ctypes.c_size_t(file), image.code, ctypes.c_size_t(len(image.code)))
        numbers = [number for number, (of, _) in enumerate(wanted) if of == file]
        for number, name in zip(numbers, image.names, strict=True):
            handle.ompc_code_is(ctypes.c_size_t(number), name.encode())


def _names(handle: Any) -> list[tuple[int, str]]:
    """The device file and the name of each kernel and variable, in the library's order."""
    if getattr(handle, "ompc_code_name", None) is None:
        return []
    ask = handle.ompc_code_name
    ask.argtypes, ask.restype = [ctypes.c_size_t, ctypes.POINTER(ctypes.c_int)], ctypes.c_char_p
    found: list[tuple[int, str]] = []
    file = ctypes.c_int()
    while (name := ask(len(found), ctypes.byref(file))) is not None:
        found.append((file.value, name.decode()))
    return found


def _image(translation: Translation, names: Sequence[str], setting: Setting, fp: FloatingPoint, cache: Cache) -> Image:
    """From the cache, if nothing has changed."""
    text, options = translation.make_kernels(), kernel_options(setting, fp, translation.contracts)
    assert setting.nvrtc is not None
    inputs = {"text": text, "names": list(names), "options": options, "nvrtc": setting.nvrtc.version}
    key = key_of({"kernels": inputs, "ompc": package_digest()})
    known = cache.find_step(key)
    if known is not None:
        head, code = known.read_bytes().split(b"\n", 1)
        return Image(code, tuple(json.loads(head)))
    made = compile_kernels(text, translation.device_file, names, options)
    with temporary_directory("ompc-") as directory:
        file = Path(directory) / "image"
        file.write_bytes(json.dumps(made.names).encode() + b"\n" + made.code)
        cache.store_step(key, file)
    return made
