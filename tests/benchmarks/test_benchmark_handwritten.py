"""The programs written by hand: nvcc takes them without a warning, and they say the same as the C programs do.

Without a GPU they run on emulated_cuda/cuda_runtime.h, with launches written as calls.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from prepared_runtime import SANITIZERS

from benchmarks.compare import first_difference
from benchmarks.memory_suite import MEMORY, Study
from benchmarks.suite import HANDWRITTEN
from ompc.resources import Runtime, runtime_directory
from ompc.toolchain.nvcc import require_nvcc

HERE = Path(__file__).resolve().parent
STUDIES = {study.program.name: study for study in MEMORY if study.program.handwritten}
VERSIONS = {
    (study.program.cuda_source.stem, version): flags
    for study in STUDIES.values()
    for version, flags in study.program.handwritten.items()
}
CASES = [
    ("jacobi-200", "200 200 3 0", 8),
    ("jacobi-200", "7 31 13 0", 8),
    ("jacobi-200", "1 1 2 0", 8),
    ("jacobi-200", "2 5 0 0", 8),
    ("jacobi-200", "33 129 200 0", 8),
    ("heat", "200 200 3", 0),
    ("heat", "7 31 13", 0),
    ("heat", "1 1 2", 0),
    ("heat", "65 257 5", 0),
    ("table_uniform", "1009", 8),
    ("table_uniform", "1", 8),
    ("table_lanes", "1009 20", 8),
    ("launch_cost", "20", 0),
    ("transfer_many", "1009 3", 0),
]
"""Program, arguments, and the bytes of one result that comes home beside arrays, for each launch at most."""


def together(folder: Path) -> str:
    """All versions as one file, each in a namespace: most of what a small file costs is the header that all share."""
    names = ["climits", "cmath", "cstdint", "cstring", "utility"]
    lines = [*(f"#include <{name}>" for name in names), f'#include "{folder}/device.cuh"']
    for key, flags in VERSIONS.items():
        macros = [flag.removeprefix("-D") for flag in flags]
        lines += [*(f"#define {macro}" for macro in macros), f"namespace {namespace(key)} {{"]
        lines += [f'#include "{folder}/{key[0]}.cu"', "}", *(f"#undef {macro}" for macro in macros)]
    mains = [
        f'    if (!std::strcmp(argv[1], "{n}")) return {n}::main_of_it(argc - 1, argv + 1);'
        for n in map(namespace, VERSIONS)
    ]
    lines += ["#undef main", "int main(int argc, char **argv)", "{", *mains, "    return 9;", "}"]
    return "#define main main_of_it\n" + "\n".join(lines) + "\n"


def namespace(key: tuple[str, str]) -> str:
    return "_".join(key).replace("-", "_")


@pytest.fixture(scope="module")
def emulated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every version of every program, for the host; the first argument says which."""
    folder = tmp_path_factory.mktemp("handwritten")
    for source in HANDWRITTEN.glob("*.cu*"):
        text = re.sub(r"(\w+(?:<\w+>)?)<<<(.*)>>>\(", r"emulated(\1, \2)(", source.read_text(encoding="utf-8"))
        (folder / source.name).write_text(text, encoding="utf-8")
    (folder / "all.cu").write_text(together(folder), encoding="utf-8")
    directories = HERE / "emulated_cuda", *(runtime_directory(kind) for kind in (Runtime.EMULATE, Runtime.COMMON))
    command = ["c++", "-x", "c++", "-std=c++17", "-O1", *SANITIZERS, *(f"-I{directory}" for directory in directories)]
    subprocess.run([*command, folder / "all.cu", "-o", folder / "all"], check=True)
    return folder / "all"


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The C programs, by the name of the source."""
    folder = tmp_path_factory.mktemp("c")
    sources = {study.program.source.stem: study.program.source for study in STUDIES.values()}
    for stem, source in sources.items():
        subprocess.run(["gcc", "-O1", "-fopenmp", source, "-o", folder / stem, "-lm"], check=True)
    return {stem: folder / stem for stem in sources}


def output(executable: Path, arguments: str) -> tuple[str, str]:
    environment = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0"}  # what lives until the end is not freed
    done = subprocess.run([executable, *arguments.split()], env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


@pytest.mark.parametrize(("name", "arguments", "result"), CASES)
def test_they_do_what_the_program_does_with_the_least_traffic(
    name: str, arguments: str, result: int, programs: dict[str, Path], emulated: Path
) -> None:
    study: Study = STUDIES[name]
    program = study.program
    minimum = study.minimum(*map(int, arguments.split()))
    expected, _ = output(programs[program.source.stem], arguments)
    for version in program.handwritten:
        stdout, stderr = output(emulated, f"{namespace((program.source.stem, version))} {arguments}")
        assert first_difference(expected, stdout, rtol=program.rtol) is None
        moved = re.search(r"^moved (\d+) (\d+)$", stderr, re.MULTILINE)
        assert moved is not None
        to_device, to_host = int(moved[1]), int(moved[2])
        steps = int(arguments.split()[2]) if "jacobi" in name else 1
        assert minimum.allows(to_device, to_host - result * steps)
        assert to_host >= minimum.to_host
        assert to_device >= minimum.to_device - 3 * 8  # Jacobi's weights are arguments


@pytest.mark.nvcc
def test_nvcc_accepts_them(tmp_path: Path) -> None:
    source = tmp_path / "all.cu"
    source.write_text(together(HANDWRITTEN), encoding="utf-8")
    command = [require_nvcc(os.environ).path, "-std=c++17", "-arch=sm_90", "-Werror", "all-warnings"]
    command += ["-Xcompiler", "-Wall,-Wextra", "-c", source, "-o", tmp_path / "all.o"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0 and not done.stderr.strip(), done.stdout + done.stderr
