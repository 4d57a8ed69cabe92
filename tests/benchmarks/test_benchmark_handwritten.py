"""The programs written by hand: nvcc takes them without a warning, and they say the same as the C programs do.

Without a GPU they run on emulated_cuda/cuda_runtime.h, with launches written as calls.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from accepted_by_nvcc import FRONT_ENDS, MACHINE_CODE
from prepared_runtime import SANITIZERS

from benchmarks.kernels_suite import KERNELS
from benchmarks.memory_suite import MEMORY, Study
from benchmarks.suite import HANDWRITTEN, SOURCES, Program
from ompc.base.resources import Runtime, runtime_directories
from ompc.toolchain.machine.nvcc import require_nvcc
from ompc.tools.answers.compare import first_difference

HERE = Path(__file__).resolve().parent
STUDIES = {study.program.name: study for study in MEMORY if study.program.handwritten}
PROGRAMS = {kernel.program.name: kernel.program for kernel in KERNELS if kernel.program.handwritten}
VERSIONS = sorted(
    {
        (program.cuda_source.stem, flags)
        for program in (*PROGRAMS.values(), *(study.program for study in STUDIES.values()))
        for flags in program.handwritten.values()
    }
)
MACROS = sorted({flag.removeprefix("-D").partition("=")[0] for _, flags in VERSIONS for flag in flags} | {"REAL"})
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
"""Program, arguments, and the bytes of one result that is copied back beside arrays, for each launch at most."""
KERNEL_CASES = [
    ("triad", ["1", "1009 2"]),
    ("dot", ["1", "1009 2"]),
    ("product-float", ["1 1 1", "33 17 40 2", "128 32 256", "129 16 127"]),
    ("product-double", ["5 7 3", "128 16 128 2", "130 24 131"]),
    ("sweep", ["1 1", "3 3", "33 65 3"]),
    ("sweep-residual", ["2 5", "33 65 3"]),
    ("jacobi-8192", ["33 65 10 0"]),
    ("stencil3d", ["1 1 1", "3 3 3", "18 9 66 3"]),
    ("transpose", ["1 1", "33 65 2"]),
    ("convolution", ["1 1", "3 4", "33 64 2", "17 133"]),
    ("convolution-array", ["33 64", "17 133"]),
    ("atax", ["1 1", "33 64 2", "300 133"]),
    ("pi_integral", ["1", "1009"]),
    ("pi_montecarlo", ["1", "1009"]),
    ("mandelbrot", ["101 50"]),
    ("matmul-138", ["128 128 138", "7 40 17"]),
    ("histogram", ["1 256", "1009 256 2"]),
    ("histogram-2", ["1008 2"]),
    ("spmv", ["1 1", "1009 40 1 2", "9001 3 2 2", "9001 9001 3 2"]),
    ("laplacian-zipf", ["9001 9001 3 2"]),
    ("nbody", ["1", "301 2"]),
    ("verlet", ["1", "7 2"]),
    ("forces", ["2", "6 2"]),
    ("forces-newton", ["6 2"]),
    ("boids", ["1", "300 16 2"]),
    ("boids-aligned", ["300 16 2"]),
    ("correlation", ["1 1", "33 17 2", "70 131"]),
    ("covariance", ["2 1", "33 17 2", "70 131"]),
    ("gramschmidt", ["1 1", "17 33 2", "70 9"]),
    ("lu", ["1", "2", "67 2"]),
    ("cholesky", ["1", "2", "67 2"]),
    ("trmm", ["1 1", "33 17 2", "131 70"]),
    ("ludcmp", ["1", "2", "67 2"]),
    ("floyd-warshall", ["1", "67 2"]),
    ("doitgen", ["1 1 1", "3 5 17 2", "7 11 163"]),
    ("fdtd-apml", ["1 1 1", "3 5 17 3"]),
]
"""Of `kernels`: programs and their arguments."""


def together(folder: Path) -> str:
    """All versions as one file, each in a namespace: most of what a small file costs is the header that all share."""
    names = ["climits", "cmath", "cstdint", "cstring", "utility"]
    headers = [f"{folder}/{name}.cuh" for name in ("device", "cublas", "tiles", "columns")]
    shared = [*headers, *("program.h", "matrix.h", "cells.h", "dense.h", "layer.h")]
    lines = [*(f"#include <{name}>" for name in names), *(f'#include "{name}"' for name in shared)]
    for stem, flags in VERSIONS:
        macros = [flag.removeprefix("-D").replace("=", " ") for flag in flags]
        lines += [*(f"#undef {macro}" for macro in MACROS), *(f"#define {macro}" for macro in macros)]
        lines += [f"namespace {namespace(stem, flags)} {{", f'#include "{folder}/{stem}.cu"', "}"]
    mains = [
        f'    if (!std::strcmp(argv[1], "{n}")) return {n}::main_of_it(argc - 1, argv + 1);'
        for n in (namespace(*version) for version in VERSIONS)
    ]
    lines += ["#undef main", "int main(int argc, char **argv)", "{", *mains, "    return 9;", "}"]
    return "#define main main_of_it\n" + "\n".join(lines) + "\n"


def namespace(stem: str, flags: tuple[str, ...]) -> str:
    return re.sub(r"\W", "_", "_".join(("of", stem, *flags)))


@pytest.fixture(scope="module")
def emulated(tmp_path_factory: pytest.TempPathFactory, nightly: bool) -> Path:
    """Every version of every program, for the host; the first argument says which."""
    folder = tmp_path_factory.mktemp("handwritten")
    for source in HANDWRITTEN.glob("*.cu*"):
        text = re.sub(r"(\w+(?:<\w+>)?)<<<(.*)>>>\(", r"emulated(\1, \2)(", source.read_text(encoding="utf-8"))
        (folder / source.name).write_text(text, encoding="utf-8")
    (folder / "all.cu").write_text(together(folder), encoding="utf-8")
    directories = (
        HERE / "emulated_cuda",
        SOURCES,
        *(folder for kind in (Runtime.EMULATE, Runtime.COMMON) for folder in runtime_directories(kind)),
    )
    checks = SANITIZERS if nightly else ()  # by day answers and traffic
    command = ["c++", "-x", "c++", "-std=c++17", "-O1", *checks, *(f"-I{directory}" for directory in directories)]
    subprocess.run([*command, folder / "all.cu", "-o", folder / "all", "-ldl"], check=True)
    library = ["cc", "-O1", "-shared", "-fPIC", HERE / "emulated_cuda" / "cublas.c", "-o", folder / "libcublas.so"]
    subprocess.run(library, check=True)
    return folder / "all"


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The C programs, those of the memory suite by the name of the source."""
    folder = tmp_path_factory.mktemp("c")
    sources = {study.program.source.stem: (study.program.source, ()) for study in STUDIES.values()}
    sources |= {f"kernel-{p.name}": (p.source, p.sizes["quick"].flags) for p in PROGRAMS.values()}
    for name, (source, flags) in sources.items():
        subprocess.run(["gcc", "-O1", "-fopenmp", *flags, source, "-o", folder / name, "-lm"], check=True)
    return {name: folder / name for name in sources}


def output(executable: Path, arguments: str, **more: str) -> tuple[str, str]:
    checks = "detect_leaks=0:handle_sigill=1"  # what lives until the end is not freed
    environment = {**os.environ, "ASAN_OPTIONS": checks, **more}
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
    for flags in program.handwritten.values():
        stdout, stderr = output(emulated, f"{namespace(program.source.stem, flags)} {arguments}")
        assert first_difference(expected, stdout, rtol=program.rtol) is None
        moved = re.search(r"^moved (\d+) (\d+)$", stderr, re.MULTILINE)
        assert moved is not None
        to_device, to_host = int(moved[1]), int(moved[2])
        steps = int(arguments.split()[2]) if "jacobi" in name else 1
        assert minimum.allows(to_device, to_host - result * steps)
        assert to_host >= minimum.to_host
        assert to_device >= minimum.to_device - 3 * 8  # Jacobi's weights are arguments


@pytest.mark.parametrize(("name", "arguments"), [(name, a) for name, cases in KERNEL_CASES for a in cases])
def test_kernels_say_what_the_program_says(
    name: str, arguments: str, programs: dict[str, Path], emulated: Path
) -> None:
    program: Program = PROGRAMS[name]
    expected, _ = output(programs[f"kernel-{name}"], arguments)
    wanted = {"KERNEL_TIMES": "1", "CUBLAS_LIBRARY": str(emulated.with_name("libcublas.so"))}
    for flags in program.handwritten.values():
        stdout, stderr = output(emulated, f"{namespace(program.cuda_source.stem, flags)} {arguments}", **wanted)
        assert first_difference(expected, stdout, rtol=program.rtol) is None
        assert re.search(r"^seconds \S+$", stderr, re.MULTILINE)
        assert re.search(r"^kernels \S+$", stderr, re.MULTILINE)


def test_every_version_by_hand_has_a_case() -> None:
    cases = [*(PROGRAMS[name] for name, _ in KERNEL_CASES), *(STUDIES[name].program for name, *_ in CASES)]
    tried = {(p.cuda_source.stem, flags) for p in cases for flags in p.handwritten.values()}
    assert set(VERSIONS) <= tried


def test_without_cublas_it_is_skipped(emulated: Path) -> None:
    command = [emulated, namespace("dot", ("-DCUBLAS",)), "9"]
    done = subprocess.run(command, env={**os.environ, "CUBLAS_LIBRARY": "no"}, capture_output=True, text=True)
    if done.returncode != 0:  # this machine may have it
        assert (done.returncode, done.stderr.splitlines()[-1]) == (77, "skipped: no cuBLAS here")


@pytest.mark.nvcc
def test_nvcc_accepts_them(tmp_path: Path, nightly: bool) -> None:
    source = tmp_path / "all.cu"
    source.write_text(together(HANDWRITTEN), encoding="utf-8")
    command = [require_nvcc(os.environ).path, "-std=c++17", "-Werror", "all-warnings", f"-I{SOURCES}"]
    command += MACHINE_CODE if nightly else FRONT_ENDS
    command += ["-Xcompiler", "-Wall,-Wextra", "-c", source, "-o", tmp_path / "all.o"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0 and not done.stderr.strip(), done.stdout + done.stderr
