"""Libraries whose kernels NVRTC compiles: what is found, what the library asks for, what NVRTC makes of it. No GPU."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest

import ompc
from ompc.base.diagnostics import CompileError
from ompc.base.options import Options
from ompc.base.resources import Runtime, include_words, runtime_files
from ompc.plan.model.plan import MESSAGES
from ompc.python import kernels
from ompc.python.failures import LoadError
from ompc.toolchain import doctor
from ompc.toolchain.commands.commands import Variant, host_runtime_command, host_runtime_units
from ompc.toolchain.machine import nvrtc, setting
from ompc.toolchain.machine.gpu import Gpu, Machine
from ompc.toolchain.machine.nvrtc import Image, Nvrtc, compile_kernels, find_nvrtc, find_runtime
from ompc.toolchain.machine.setting import KernelCompiler, Request, Target, choose_setting

PROGRAMS = Path(__file__).parent / "programs"
CASES = Path(__file__).parent.parent / "execution" / "cases"

TABLES = """
#include <stdio.h>
struct pair { double value; int where; };
double weights[64];
void weigh(int n, double *x)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 64; k++)
            x[i] += weights[k] * x[i];
}
void multiply(int n, double c[n][n], double a[n][n], double b[n][n])
{
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++)
                sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
}
double least(int n, const struct pair *pairs)
{
    double found = 1e9;
#pragma omp parallel for reduction(min : found)
    for (int i = 0; i < n; i++) {
        found = pairs[i].value < found ? pairs[i].value : found;
        if (pairs[i].where < 0)
            printf("%d\\n", i);
    }
    return found;
}
"""


def toolkit(folder: Path, version: int, library: str = "libcudart_static.a") -> Path:
    (folder / "include").mkdir(parents=True)
    (folder / "lib").mkdir()
    (folder / "include" / "cuda_runtime_api.h").write_text(f"#define CUDART_VERSION  {version}\n")
    (folder / "lib" / library).touch()
    return folder


def test_headers_and_library_of_one_toolkit(tmp_path: Path) -> None:
    old, new = toolkit(tmp_path / "cu12", 12060), toolkit(tmp_path / "cu13", 13000)
    shared = toolkit(tmp_path / "shared", 12080, "libcudart.so.12")
    assert find_runtime({}, [tmp_path]) == (new / "include", new / "lib" / "libcudart_static.a")
    assert find_runtime({"CUDA_HOME": str(old)}, []) is None
    assert find_runtime({"CUDA_PATH": str(shared)}, []) == (shared / "include", shared / "lib" / "libcudart.so.12")
    assert find_runtime({"CUDA_HOME": str(tmp_path / "nowhere")}, []) is None


def test_why_nvrtc_cannot_be_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(nvrtc.importlib.util, "find_spec", lambda name: None)
    assert find_nvrtc({}) == "there is no CuPy"
    monkeypatch.setattr(nvrtc.importlib.util, "find_spec", lambda name: name)
    monkeypatch.setattr(nvrtc, "_library", lambda: SimpleNamespace(getVersion=lambda: 1 / 0))
    assert "cannot be loaded: division" in str(find_nvrtc({}))
    monkeypatch.setattr(nvrtc, "_library", lambda: SimpleNamespace(getVersion=lambda: (13, 0)))
    assert "were not found" in str(find_nvrtc({}, [tmp_path]))
    new = toolkit(tmp_path / "cu13", 13000)
    found = find_nvrtc({}, [tmp_path])
    assert isinstance(found, Nvrtc) and found.version == (13, 0) and found.include == new / "include"
    assert found.identity() == found.identity()


def request(compiler: KernelCompiler | None, target: Target, arch: str | None = None) -> Request:
    return Request(Path("a.c"), Options(), target=target, arch=arch, kernels=compiler)


def test_which_compiler_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Machine((Gpu("a GPU", (9, 0)),))
    some = Nvrtc((13, 0), Path("/include"), Path("/lib/libcudart_static.a"))
    monkeypatch.setattr(setting, "find_nvcc", lambda environ: None)
    monkeypatch.setattr(setting, "find_nvrtc", lambda environ: some)
    monkeypatch.setattr(setting, "require_nvrtc", lambda environ: some)
    for compiler in (None, KernelCompiler.NVRTC):
        for target in (Target.AUTO, Target.CUDA):
            chosen = choose_setting(request(compiler, target), os.environ, lambda environ: machine)
            assert chosen.nvrtc is some and chosen.nvcc is None and chosen.architecture == "-arch=sm_90"
    chosen = choose_setting(request(KernelCompiler.NVCC, Target.AUTO), os.environ, lambda environ: machine)
    assert chosen.target is Target.EMULATE and "no nvcc was found:" in chosen.notes[0].message
    monkeypatch.setattr(setting, "find_nvrtc", lambda environ: "there is no CuPy")
    chosen = choose_setting(request(None, Target.AUTO), os.environ, lambda environ: machine)
    assert chosen.target is Target.EMULATE and "NVRTC cannot be used (there is no CuPy)" in chosen.notes[0].message
    chosen = choose_setting(request(KernelCompiler.NVRTC, Target.AUTO), os.environ, lambda environ: machine)
    assert chosen.notes[0].message.startswith("NVRTC cannot be used (there is no CuPy): the kernels run on the CPU")
    chosen = choose_setting(request(KernelCompiler.NVRTC, Target.AUTO), os.environ, lambda environ: Machine())
    assert chosen.notes[0].message.startswith("no GPU was found")
    with pytest.raises(CompileError, match="OMPC408"):
        choose_setting(request(KernelCompiler.NVRTC, Target.CUDA, "all"), os.environ)


def test_an_option_and_a_library_that_there_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="compiler is one of nvcc, nvrtc, not 'gcc'"):
        ompc.compile_string("int x;", compiler="gcc")
    monkeypatch.setattr(nvrtc.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(LoadError, match=r"NVRTC cannot be used: there is no CuPy \[OMPC402\]"):
        ompc.compile_string("int x;", target="cuda", compiler="nvrtc")


def test_launchers_name_each_kernel() -> None:
    """Where NVRTC compiles kernels, they have no addresses: the runtime's macros say OMPC_KERNEL(kernel<8>)."""
    for header in runtime_files(Runtime.COMMON).values():
        assert not re.search(r"[ (]kernel<[^>]*>, __VA_ARGS__", header.read_text()), header.name


def test_doctor_says_whether_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "find_nvrtc", lambda environ: Nvrtc((13, 0), Path("/include"), Path("/lib")))
    assert doctor._examine_nvrtc({}).text == "13.0, with /include (for ompc.load without nvcc)"
    monkeypatch.setattr(doctor, "find_nvrtc", lambda environ: "no library")
    assert doctor._examine_nvrtc({}).state is doctor.State.MISSING


@pytest.mark.nightly
@pytest.mark.nvcc
def test_the_library_names_its_kernels_and_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    """The host's part is built and loaded; NVRTC's is written down. The second time, the cache has it."""
    runtime = find_runtime(os.environ)
    assert runtime is not None
    asked: list[tuple[str, Sequence[str]]] = []

    def written_down(text: str, file: str, names: Sequence[str], options: Sequence[str]) -> Image:
        assert "__global__" in text and "ompc::Launch" not in text and "printf" not in text
        assert "-fmad=false" in options and "-arch=sm_90" in options
        asked.append((file, names))
        return Image(b"image\n", tuple("_" + name for name in names))

    monkeypatch.setattr(setting, "require_nvrtc", lambda environ: Nvrtc((13, 0), *runtime))
    monkeypatch.setattr(kernels, "compile_kernels", written_down)
    for _ in range(2):
        library = ompc.compile_string(TABLES, target="cuda", compiler="nvrtc", arch="sm_90", fp="strict", quiet=True)
        assert all(region["target"] == "gpu" for region in library.regions())
    ((file, names),) = asked
    plain = {name.strip("(& )").removeprefix("string_c::") for name in names}
    assert file == "string.cu" and len(plain) == len(names)
    line = TABLES[: TABLES.index("collapse")].count("\n") + 1
    tiled = {f"multiply_{line}_tiled<{points}>" for points in (2, 4, 8)}
    assert plain >= {"weights", MESSAGES, f"multiply_{line}", *tiled}


@pytest.mark.nvcc
def test_what_stands_for_a_header_is_read_instead_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A header of cuda/ that includes "ompc_kernel.h" finds the one beside it, whatever -I says: a library had two
    bodies of one function.
    """
    runtime = find_runtime(os.environ)
    assert runtime is not None
    monkeypatch.setattr(setting, "require_nvrtc", lambda environ: Nvrtc((13, 0), *runtime))
    chosen = choose_setting(request(KernelCompiler.NVRTC, Target.CUDA, "sm_90"), os.environ)
    files, beside = runtime_files(Runtime.CUDA), runtime_files(Runtime.NVRTC)
    replaced = {str(path) for name, path in files.items() if name in beside and name != "ompc_rt.h"}
    assert {Path(path).name for path in replaced} == {"ompc_cuda.h", "ompc_kernel.h"}
    units = host_runtime_units(chosen)
    assert {unit.name for unit in units} >= {"ompc_device.cc", "ompc_images.cc"}
    for unit in units:
        command = [*host_runtime_command(chosen, Variant(), unit, Path("unit.ii")), "-E"]
        command = [word for word in command if word not in ("-o", "unit.ii")]
        text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        file = ""
        for line in text.splitlines():
            if marker := re.match(r'# \d+ "(.*?)"', line):
                file = marker[1]
            else:
                assert file not in replaced or not line.strip(), (unit.name, file, line)
    only_here = next(unit for unit in units if unit.parent.name == "nvrtc")
    command = [*host_runtime_command(chosen, Variant(), only_here, Path(os.devnull)), "-fsyntax-only"]
    subprocess.run(command, check=True)


@pytest.fixture
def nvrtc_here() -> Iterator[None]:
    if isinstance(reason := find_nvrtc(os.environ), str):
        pytest.skip(reason)
    yield


@pytest.mark.slow
@pytest.mark.usefixtures("nvrtc_here")
@pytest.mark.parametrize("level", ["auto", "thesis", "baseline"])
def test_nvrtc_accepts_the_kernels(level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    images: list[Image] = []

    def kept(*arguments: object) -> Image:
        images.append(compile_kernels(*arguments))  # type: ignore[arg-type]
        return images[-1]

    monkeypatch.setattr(kernels, "compile_kernels", kept)
    sources = [CASES / f"{name}.c" for name in ("reductions_declared", "structs", "shared_loops", "prints")]
    for source in sources:
        ompc.load(source, target="cuda", compiler="nvrtc", arch="sm_90", opt=level, quiet=True)
    ompc.compile_string(TABLES, target="cuda", compiler="nvrtc", arch="sm_90", opt=level, quiet=True)
    assert len(images) == len(sources) + 1
    assert all(name.encode() in image.code for image in images for name in image.names)


@pytest.mark.usefixtures("nvrtc_here")
def test_errors_name_the_users_lines() -> None:
    with pytest.raises(CompileError) as caught:
        compile_kernels('#line 7 "a.c"\n__global__ void k() { nothing(); }\n', "a.cu", ["k"], ["-arch=sm_90"])
    (said,) = caught.value.diagnostics
    assert said.code == "OMPC403" and "a.c(7): error" in said.notes[0]


def test_kernels_name_only_what_stands_for_the_library(tmp_path: Path) -> None:
    """NVRTC reads functions of the host, too: what they name of `std` is in ompc_std.h, or they are left out for it."""
    for name, content in nvrtc.headers_for_kernels().items():
        (tmp_path / name).write_bytes(content)
    rooms = [*include_words(Runtime.CUDA), *include_words(Runtime.COMMON), *include_words(Runtime.NVRTC)]
    language = ["g++", "-x", "c++", "-std=c++17", "-E", "-P", "-nostdinc", "-D__CUDACC__", "-D__CUDACC_RTC__"]
    header = runtime_files(Runtime.CUDA)["ompc_rt.h"]
    text = subprocess.run(
        [*language, "-I", tmp_path, *rooms, header], check=True, capture_output=True, text=True
    ).stdout
    named = set(re.findall(r"\bstd::(\w+)", text))
    there = set(re.findall(r"\w+", runtime_files(Runtime.NVRTC)["ompc_std.h"].read_text()))
    assert len(named) > 10 and "GroupShape" in text
    assert named <= there
