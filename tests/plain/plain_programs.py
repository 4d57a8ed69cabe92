"""Plain folders, translated, built for the host with shim/cuda_runtime.h, and run."""

from __future__ import annotations

import atexit
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from ompc import driver
from ompc.base.options import Options, plain_options
from ompc.base.translation import Translation

ROOT = Path(__file__).parents[2]
PROGRAMS = ROOT / "benchmarks" / "programs"
HAND_WRITTEN = ROOT / "benchmarks" / "handwritten"
SHIM = Path(__file__).parent / "shim"

_WARNINGS = ("-Wall", "-Wextra", "-Werror", "-Wno-unused-function", "-Wno-sign-compare", "-Wno-unused-variable")
_COMPILE = ("g++", "-std=c++17", "-O0", *_WARNINGS)
_LAUNCH = re.compile(r"(\w+)<<<(\w+), (\w+)>>>\(\s*")
_TOGETHER = re.compile(r"\bblock_\w+\(")


def plain(source: Path, *flags: str) -> Translation:
    """The file at `source`, translated with --plain."""
    return driver.translate(source, plain_options(Options(cpp_flags=flags)))


def plain_folder(sources: Sequence[Path], *flags: str) -> Translation:
    """The files of a program, as one folder."""
    options = plain_options(Options(cpp_flags=flags))
    return driver.in_one_folder(driver.translate_program(sources, options), sources, options)


def written(translation: Translation, folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in translation.files.items():
        (folder / name).write_text(text)
    return folder


def built_on_host(translation: Translation, folder: Path, *flags: str) -> Path:
    """The program with kernels that the host runs."""
    written(translation, folder)
    program, objects = folder / "program", []
    for name, text in translation.files.items():
        source = folder / name
        if source.suffix == ".cu":
            kernels = folder / f"{source.stem}_shimmed.cc"
            kernels.write_text('#include "cuda_runtime.h"\n' + _on_host(text))
            objects.append(f"{kernels}.o")
            _run(*_COMPILE, f"-I{_prepared()}", f"-I{SHIM}", "-c", str(kernels), "-o", objects[-1])
        elif source.suffix == ".c":
            objects.append(f"{source}.o")
            _run("gcc", "-fopenmp", "-O1", "-w", *flags, "-c", str(source), "-o", objects[-1])
    _run("g++", "-fopenmp", *objects, "-o", str(program), "-lm")
    return program


@cache
def _prepared() -> str:
    """A folder with the shim's header as g++ has read it, which is three quarters of what a program costs."""
    folder = Path(tempfile.mkdtemp(prefix="ompc-shim-"))
    atexit.register(shutil.rmtree, folder)
    _run(*_COMPILE, "-x", "c++-header", str(SHIM / "cuda_runtime.h"), "-o", str(folder / "cuda_runtime.h.gch"))
    return str(folder)


def built_by_gcc(source: Path | Sequence[Path], folder: Path, *flags: str) -> Path:
    program, sources = folder / "original", [source] if isinstance(source, Path) else source
    _run("gcc", "-fopenmp", "-O1", "-w", *flags, *map(str, sources), "-o", str(program), "-lm")
    return program


def output_of(program: Path, *arguments: str) -> str:
    return subprocess.run([program, *arguments], check=True, capture_output=True, text=True, timeout=300).stdout


def moved_by(program: Path, *arguments: str) -> int:
    """The bytes that crossed."""
    ran = subprocess.run([program, *arguments], check=True, capture_output=True, text=True, timeout=300)
    found = re.search(r"^moved (\d+)$", ran.stderr, re.MULTILINE)
    assert found is not None
    return int(found.group(1))


def _on_host(text: str) -> str:
    """Launches as calls; threads run together where the kernel has a barrier."""
    bodies = dict(re.findall(r"__global__ void (\w+)\(.*?\n\{\n(.*?)\n\}\n", text, re.DOTALL))

    def launch(found: re.Match[str]) -> str:
        together = "true" if _TOGETHER.search(bodies[found.group(1)]) else "false"
        return f"shim::launch<{together}>({', '.join(found.groups())}, "

    return _LAUNCH.sub(launch, text)


def _run(*words: str) -> None:
    ran = subprocess.run(words, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
