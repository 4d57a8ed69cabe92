"""The MPIs of the machine: Debian's Open MPI and MPICH have programs with their names."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

CASES = Path(__file__).parent / "cases"


@dataclass(frozen=True)
class Mpi:
    """One MPI, where programs are built, the C++ compiler for their kernels, and the words for `ompc`."""

    name: str
    folder: Path
    cxx: str
    ompc: str

    @property
    def compiler(self) -> str:
        return f"mpicc.{self.name}"

    def build(self, case: str, *, with_ompc: bool, options: Sequence[str] = ()) -> Path:
        """The program of a case, as its compiler makes it or as ompc does; by the first worker that needs it."""
        output = self.folder / f"{case}{''.join(options)}-{self.name}-{'ompc' if with_ompc else 'plain'}"
        if output.exists():
            return output
        mine = output.with_name(f"{output.name}.{os.getpid()}")
        own = [*self.ompc.split(), "cc", "--target", "emulate"] if with_ompc else [self.compiler]
        command = [*own, "-O1", "-w", "-fopenmp", *options, str(CASES / f"{case}.c"), "-o", str(mine)]
        environ = {**os.environ, "OMPC_CC": self.compiler, "OMPC_CXX": self.cxx}
        built = subprocess.run(command, env=environ, capture_output=True, text=True)
        assert built.returncode == 0, built.stderr
        assert "OMPC426" not in built.stderr
        mine.rename(output)
        return output

    def run(
        self, program: Path, ranks: int, *arguments: str, environ: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """So many processes of a program, which must end well."""
        own = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMP_NUM_THREADS": "2"}
        own |= {"OMPC_OFFLOAD": "always", "OMPC_HISTORY": ""}
        more = ["--oversubscribe"] if self.name == "openmpi" else []
        command = [f"mpirun.{self.name}", *more, "-n", str(ranks), str(program), *arguments]
        everything = {**os.environ, **own, **(environ or {})}
        ran = subprocess.run(command, env=everything, capture_output=True, text=True, timeout=120)
        assert ran.returncode == 0, ran.stderr
        return ran


@pytest.fixture(scope="session", params=["openmpi", "mpich"])
def mpi(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, keeping_cxx: str, ompc_command: str
) -> Mpi:
    name = str(request.param)
    if shutil.which(f"mpicc.{name}") is None:
        assert name not in os.environ.get("OMPC_REQUIRE_MPI", "").split(), f"{name} is not there"
        pytest.skip(f"there is no {name}")
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "mpi"  # of all workers
    folder.mkdir(exist_ok=True)
    return Mpi(name, folder, keeping_cxx, ompc_command)
