"""`ompc doctor`: what is installed, whether it works together, and what to install.

Compilers are tried on a small program, not only looked up: a missing libgomp or a host compiler that is too new for
nvcc shows only then.

In: the environment.   Out: `Examination`: findings in order, and the targets that can be used.
"""

from __future__ import annotations

import platform
import sys
import tempfile
from collections.abc import Mapping
from enum import Enum
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from ompc import __version__
from ompc.base.cache_directory import cache_directory
from ompc.base.diagnostics import CompileError
from ompc.base.ending import temporary_directory
from ompc.base.frozen import dataclass
from ompc.toolchain.calibrate import calibration_file, stored_calibrations
from ompc.toolchain.machine.cc import Compiler, find_c_compiler, find_cxx_compiler, run_tool, version_line
from ompc.toolchain.machine.gpu import Machine, find_machine
from ompc.toolchain.machine.nvcc import Nvcc, cuda_version, find_nvcc
from ompc.toolchain.machine.nvrtc import find_nvrtc
from ompc.toolchain.machine.setting import Target

_C_PROGRAM = """
#include <omp.h>
#include <stdio.h>
#include <math.h>
int main(void) { int n = 0;
#pragma omp parallel reduction(+:n)
  n += 1;
  return n > 0 && n <= omp_get_max_threads() && fabs(-1.0) == 1.0 ? 0 : 1; }
"""
_CXX_PROGRAM = "#include <cstdio>\n#include <vector>\nint main() { std::vector<int> v(3); return (int)v.size() - 3; }\n"
_CUDA_PROGRAM = '__global__ void k(double *p) { *p = 1; }\nextern "C" void f(double *p) { k<<<1, 1>>>(p); }\n'


class State(Enum):
    OK = "ok"
    MISSING = "missing"
    BAD = "problem"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the examination; `advice` is what to do when it is not OK."""

    subject: str
    state: State
    text: str
    advice: str | None = None


@dataclass(frozen=True, slots=True)
class Examination:
    findings: tuple[Finding, ...]
    targets: tuple[Target, ...]

    @property
    def healthy(self) -> bool:
        """Translated programs can be run here, at least on the CPU."""
        return Target.EMULATE in self.targets


def examine(environ: Mapping[str, str]) -> Examination:
    """Look at everything a build needs; takes a second or two, most of it for the trial with nvcc."""
    nvcc = find_nvcc(environ)
    cuda = cuda_version(nvcc, environ) if nvcc is not None else None
    machine = find_machine(environ)
    with temporary_directory("ompc-doctor-") as directory:
        cc = _examine_cc(environ, Path(directory))
        cxx = _examine_cxx(environ, Path(directory))
        toolkit = _examine_nvcc(nvcc, cuda, environ, Path(directory))
    gpu = _examine_gpu(machine)
    fit = [_examine_driver(machine, cuda), _examine_cupy(machine, cuda)]
    fit += [] if machine.cupy is None else [_examine_nvrtc(environ)]
    calibrations = _examine_calibrations(machine, environ)
    usable = [(Target.HOST, [cc]), (Target.EMULATE, [cc, cxx]), (Target.CUDA, [cc, cxx, toolkit])]
    return Examination(
        findings=(_versions(), cc, cxx, toolkit, gpu, *fit, *calibrations, _examine_cache(environ)),
        targets=tuple(target for target, needs in usable if all(f.state is State.OK for f in needs)),
    )


def _versions() -> Finding:
    """Of what runs ompc."""
    try:
        numpy = f"NumPy {version('numpy')}"
    except PackageNotFoundError:
        numpy = 'no NumPy, which ompc.load needs: pip install "ompc[python]"'
    return Finding("ompc", State.OK, f"{__version__}, Python {platform.python_version()} ({sys.executable}), {numpy}")


def _first_line(text: str) -> str:
    """The line of a compiler's output that says what is wrong."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return next((line for line in lines if "error" in line), lines[0] if lines else "it failed without a message")


def _examine_cc(environ: Mapping[str, str], scratch: Path) -> Finding:
    try:
        cc = find_c_compiler(environ)
    except CompileError as error:
        return _missing("C compiler", error)
    return _tried("C compiler", cc, environ, scratch, _C_PROGRAM, ["-x", "c", "-fopenmp"])


def _examine_cxx(environ: Mapping[str, str], scratch: Path) -> Finding:
    try:
        cxx = find_cxx_compiler(environ)
    except CompileError as error:
        return _missing("C++ compiler", error)
    return _tried("C++ compiler", cxx, environ, scratch, _CXX_PROGRAM, ["-x", "c++", "-std=c++17", "-fopenmp"])


def _missing(subject: str, error: CompileError) -> Finding:
    diagnostic = error.diagnostics[0]
    return Finding(subject, State.MISSING, diagnostic.message, diagnostic.help)


def _tried(
    subject: str, compiler: Compiler, environ: Mapping[str, str], scratch: Path, text: str, flags: list[str]
) -> Finding:
    source = scratch / "trial"
    source.write_text(text)
    program = scratch / "trial.out"
    outcome = run_tool([*compiler.command, *flags, str(source), "-o", str(program), "-lm"], environ)
    if outcome.ok:
        outcome = run_tool([str(program)], environ)
    if outcome.ok:
        return Finding(subject, State.OK, f"{compiler.path}: {version_line(compiler, environ)}")
    failure = f"{compiler.path} cannot build or run a small OpenMP program: {_first_line(outcome.text)}"
    return Finding(subject, State.BAD, failure, "install gcc and g++ with libgomp and libc6-dev, or set CC and CXX")


def _examine_nvcc(
    nvcc: Nvcc | None, cuda: tuple[int, int] | None, environ: Mapping[str, str], scratch: Path
) -> Finding:
    if nvcc is None:
        return Finding("nvcc", State.MISSING, "not found", 'pip install ".[gpu]" brings nvcc and CuPy')
    source = scratch / "trial.cu"
    source.write_text(_CUDA_PROGRAM)
    outcome = run_tool(_nvcc_trial(nvcc, source, environ), environ)
    where = f"{nvcc.path} ({nvcc.origin}), CUDA {_dotted(cuda)}"
    if outcome.ok and cuda is not None:
        return Finding("nvcc", State.OK, where)
    failure = f"{where}, cannot compile a small kernel: {_first_line(outcome.text)}"
    advice = "nvcc accepts host compilers up to some version: name an older one with CXX, such as CXX=g++-14"
    return Finding("nvcc", State.BAD, failure, advice)


def _nvcc_trial(nvcc: Nvcc, source: Path, environ: Mapping[str, str]) -> list[str]:
    """The call that a build makes, with the same host compiler."""
    command = [str(nvcc.path), "-std=c++17", "-c", str(source), "-o", f"{source}.o"]
    try:
        return [*command, "-ccbin", str(find_cxx_compiler(environ).path)]
    except CompileError:
        return command


def _dotted(version: tuple[int, int] | None) -> str:
    return "(version unknown)" if version is None else f"{version[0]}.{version[1]}"


def _examine_gpu(machine: Machine) -> Finding:
    if machine.gpus:
        names = "; ".join(f"{g.name} (sm_{g.capability[0]}{g.capability[1]})" for g in machine.gpus)
        return Finding("GPU", State.OK, names)
    advice = "without one, programs run on the CPU (--target emulate), and --target cuda builds for other machines"
    return Finding("GPU", State.MISSING, machine.problem or "none found", advice)


def _examine_driver(machine: Machine, cuda: tuple[int, int] | None) -> Finding:
    if machine.driver_cuda is None:
        return Finding("NVIDIA driver", State.MISSING, machine.driver or "none found")
    serves = f"{machine.driver or '(version unknown)'}, serves CUDA up to {_dotted(machine.driver_cuda)}"
    if cuda is None or machine.driver_cuda >= cuda:
        return Finding("NVIDIA driver", State.OK, serves)
    if machine.driver_cuda[0] == cuda[0]:
        # Minor-version compatibility: programs run, but the driver cannot compile this toolkit's PTX.
        return Finding(
            "NVIDIA driver",
            State.OK,
            f"{serves}: older than the toolkit's {_dotted(cuda)}, so build for this very GPU (--arch native)",
        )
    advice = f"update the driver, or take a toolkit of CUDA {machine.driver_cuda[0]} (set CUDA_HOME)"
    return Finding("NVIDIA driver", State.BAD, f"{serves}: too old for the toolkit's CUDA {_dotted(cuda)}", advice)


def _examine_cupy(machine: Machine, cuda: tuple[int, int] | None) -> Finding:
    if machine.cupy is None:
        return Finding("CuPy", State.MISSING, "not installed (nvidia-smi is asked instead)")
    if machine.cupy_cuda is None:
        advice = "pip install --force-reinstall cupy-cuda13x"
        return Finding("CuPy", State.BAD, machine.problem or "does not load", advice)
    text = f"{machine.cupy}, for CUDA {machine.cupy_cuda[0]}"
    if cuda is not None and machine.cupy_cuda[0] != cuda[0]:
        advice = f"pip install cupy-cuda{cuda[0]}x (and uninstall the other)"
        return Finding("CuPy", State.BAD, f"{text}, while nvcc is of CUDA {cuda[0]}", advice)
    return Finding("CuPy", State.OK, text)


def _examine_nvrtc(environ: Mapping[str, str]) -> Finding:
    """CuPy's compiler, for libraries where there is no nvcc."""
    found = find_nvrtc(environ)
    if isinstance(found, str):
        advice = 'pip install "cupy-cuda13x[ctk]", for ompc.load without nvcc'
        return Finding("NVRTC", State.MISSING, f"cannot be used: {found}", advice)
    return Finding("NVRTC", State.OK, f"{_dotted(found.version)}, with {found.include} (for ompc.load without nvcc)")


def _examine_calibrations(machine: Machine, environ: Mapping[str, str]) -> list[Finding]:
    """One for each file of measurements, and one where the GPU that programs use has none."""
    found: list[Finding] = []
    stored = stored_calibrations(environ)
    for calibration in stored:
        if calibration.is_usable:
            where = f"{calibration.words.get('device')}, {calibration.words.get('date')} ({calibration.path})"
            found.append(Finding("measurements", State.OK, f"{where}: {calibration.summary()}"))
        else:
            text = f"{calibration.path} is no file of measurements"
            found.append(Finding("measurements", State.BAD, text, "ompc doctor --calibrate makes a new one"))
    named = "OMPC_CALIBRATION" in environ or not machine.gpus
    if not named and calibration_file(environ, machine.gpus[0].name) not in {c.path for c in stored}:
        text = f"none of {machine.gpus[0].name}: programs use built-in numbers, an H200's"
        found.append(
            Finding("measurements", State.MISSING, text, "ompc doctor --calibrate measures, once for a machine")
        )
    return found


def _examine_cache(environ: Mapping[str, str]) -> Finding:
    directory = cache_directory(environ)
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=directory):
            return Finding("build cache", State.OK, str(directory))
    except OSError as error:
        return Finding("build cache", State.BAD, f"{directory}: {error.strerror}", "set OMPC_CACHE_DIR")


def format_examination(examination: Examination) -> str:
    """The text of `ompc doctor`."""
    lines: list[str] = []
    for finding in examination.findings:
        lines.append(f"{finding.state.value:8} {finding.subject:14} {finding.text}")
        if finding.state is not State.OK and finding.advice:
            lines.append(f"{'':8} {'':14} -> {finding.advice}")
    names = ", ".join(_target_name(examination, target) for target in examination.targets) or "none"
    lines.append(f"\nTargets that work here: {names}")
    return "\n".join(lines)


def _target_name(examination: Examination, target: Target) -> str:
    runs = all(f.state is State.OK for f in examination.findings if f.subject in {"GPU", "NVIDIA driver"})
    return target.value if target is not Target.CUDA or runs else "cuda (builds, but cannot run)"
