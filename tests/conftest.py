"""What every test shares: which hardware and tools a marked test needs, and a build cache of the session's own."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from pathlib import Path

import pytest
from cpu_seconds import ProcessorSeconds
from gcc_not_asked import do_not_ask_gcc
from prepared_runtime import compile_apart, emulating_compiler, hasty_compiler, keeping_cxx_compiler
from ready_ompc import ready_ompc

from ompc.base import frozen
from ompc.toolchain.machine.gpu import find_gpu
from ompc.toolchain.machine.nvcc import find_nvcc

frozen.ENFORCED = True
"""In tests an assignment to a frozen instance is an error; the stages are imported later than this file."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--nightly", action="store_true", help="all tests, at all levels, and with the slow compilers")
    parser.addoption("--check", action="store_true", help="only what needs no compiler, or seconds of one")
    parser.addoption("--all-levels", action="store_true", help="run every case at `thesis` and at `baseline`")
    parser.addoption("--rewrite", action="store_true", help="write the expectations anew from what the stages give")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(ProcessorSeconds(), "processor seconds")


BUILDS = {"workshop", "build", "emulating_cxx", "hasty_cxx", "keeping_cxx", "library_cxx", "emulated"}
"""Fixtures with which a test builds programs."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Choose the tests of the tier, and order them: the longer a test may take, the earlier.

    Each worker gets a stretch of the list, and takes of another's end when it has done its own: what is there must be
    short, so that nobody waits. The files of the longest are dealt in turn, and what nvcc compiles one by one. Others
    stay together by file as well, as they share what fixtures make.
    """
    kept = [item for item in items if _is_of_tier(item)]
    left = [item for item in items if not _is_of_tier(item)]
    if left:
        config.hook.pytest_deselected(items=left)
    together: dict[object, list[pytest.Item]] = {}
    for item in kept:
        if item.get_closest_marker("nvcc"):
            together[item] = [item]
        elif item.get_closest_marker("slow"):
            together.setdefault(item.path, []).append(item)
    long = list(together.values())
    chosen = {item for group in long for item in group}
    building = [item for item in kept if item not in chosen and _builds(item)]
    chosen |= set(building)
    others = [item for item in kept if item not in chosen]
    workers = getattr(config, "workerinput", {}).get("workercount", 1)
    dealt = [[*chain(*long[k::workers]), *_stretch(building, k, workers)] for k in range(workers)]
    items[:] = _as_long_as_another(dealt, others)


def pytest_collection_finish() -> None:
    """The collector of garbage need not search 9,000 tests again and again: a fifth of the time of translations."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def _stretch(items: list[pytest.Item], number: int, workers: int) -> list[pytest.Item]:
    share = -(-len(items) // workers)
    return items[number * share : (number + 1) * share]


def _as_long_as_another(dealt: list[list[pytest.Item]], others: list[pytest.Item]) -> list[pytest.Item]:
    """pytest-xdist cuts the list into stretches of one length."""
    left = sum(map(len, dealt)) + len(others)
    items: list[pytest.Item] = []
    for number, of_one in enumerate(dealt):
        share = left // (len(dealt) - number)
        room = max(share - len(of_one), 0)
        items += [*of_one, *others[:room]]
        others = others[room:]
        left -= share
    return [*items, *others]


def _builds(item: pytest.Item) -> bool:
    return bool(BUILDS & set(getattr(item, "fixturenames", ())))


def _is_of_tier(item: pytest.Item) -> bool:
    """`make check` leaves out what builds programs, `make test` what only the night has time for."""
    if item.config.getoption("--nightly"):
        return True
    marks = {mark.name for mark in item.iter_markers()}
    if item.config.getoption("--check"):
        return not marks & {"nightly", "other_level", "slow", "nvcc", "gpu"} and not _builds(item)
    return "nightly" not in marks and ("other_level" not in marks or item.config.getoption("--all-levels"))


@lru_cache(maxsize=1)
def gpu_is_here() -> bool:
    return bool(find_gpu(os.environ).gpus)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip what this machine cannot run; without nvcc, fail where CI has asked for it to be there."""
    if item.get_closest_marker("gpu") and not gpu_is_here():
        pytest.skip("no GPU")
    needs_nvcc = item.get_closest_marker("nvcc") or item.get_closest_marker("gpu")
    if needs_nvcc and find_nvcc(os.environ) is None:
        if os.environ.get("OMPC_REQUIRE_NVCC") == "1":
            pytest.fail("nvcc was not found, and OMPC_REQUIRE_NVCC=1 says that it must be", pytrace=False)
        pytest.skip("no nvcc")


@pytest.fixture(scope="session")
def nightly(pytestconfig: pytest.Config) -> bool:
    """Whether tests that have a quick way and a thorough one go the thorough one."""
    return bool(pytestconfig.getoption("--nightly"))


@pytest.fixture(scope="session")
def shared_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for all workers of the session together."""
    base = tmp_path_factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


@pytest.fixture(scope="session")
def runtime_folder(shared_folder: Path, nightly: bool) -> Path:
    """Where what of the runtime is the same for every program is compiled: once for the session, or, with
    OMPC_TESTS_KEEP, until its text changes. At night each of its files is compiled by itself.
    """
    kept = os.environ.get("OMPC_TESTS_KEEP")
    folder = Path(kept).absolute() if kept else shared_folder / "runtime"
    compile_apart(folder, nightly)
    return folder


@pytest.fixture(scope="session", autouse=True)
def session_cache(shared_folder: Path) -> Iterator[None]:
    """Builds are cached for the session and never in the user's own cache; programs use the built-in costs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", str(shared_folder / "config"))
        patch.setenv("OMPC_CACHE_DIR", str(shared_folder / "ompc-cache"))
        patch.setenv("OMPC_HISTORY", "")  # programs remember nothing of other tests
        yield


@pytest.fixture
def gcc_is_not_asked(nightly: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """By day, whether the texts of a test and what becomes of them are C. It is a sixth of what a plan costs, there are
    thousands, and gcc has its say on all that the snapshots, the execution cases and random programs have.
    """
    if not nightly:
        do_not_ask_gcc(monkeypatch)


@pytest.fixture(scope="session")
def emulating_cxx(runtime_folder: Path) -> str:
    """The command of a C++ compiler that is quick for emulated kernels, with -O0; see prepared_runtime.py."""
    return emulating_compiler(runtime_folder, ("-O0",))


@pytest.fixture(scope="session")
def hasty_cxx(runtime_folder: Path) -> str:
    """One for programs that another compiler links."""
    return hasty_compiler(runtime_folder)


@pytest.fixture(scope="session")
def keeping_cxx(runtime_folder: Path) -> str:
    """One for programs of which it matters how kernels are compiled: the runtime is compiled once all the same."""
    return keeping_cxx_compiler(runtime_folder)


@pytest.fixture(scope="session")
def ompc_command() -> Iterator[str]:
    """The words of a shell for `ompc`, which start no interpreter anew; see ready_ompc.py."""
    with ready_ompc() as words:
        yield words
