"""What is said where no device can be used: each cause has its message. CUDA's runtime is real, the driver is not."""

from __future__ import annotations

from pathlib import Path

import pytest
from runtime_builds import PROGRAMS, Builder, nvcc, run

from ompc.base.resources import Runtime, include_words

pytestmark = pytest.mark.nvcc

NEWEST = "99000"


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("unusable") / "unusable"
    flags = ["-std=c++17", *include_words(Runtime.CUDA)]
    done = run([nvcc().path, *flags, PROGRAMS / "unusable.cc", "-o", made])
    assert done.returncode == 0, done.stderr
    return made


@pytest.mark.parametrize(
    ("version", "answer", "words"),
    [
        ("12020", "0", "the CUDA driver is too old for this program: it is made for CUDA 12.2, not "),
        (NEWEST, "100", "there is no CUDA device\n"),
        (NEWEST, "46", "the CUDA device is busy: "),
        (NEWEST, "803", "the CUDA driver and its library are of different versions\n"),
        (NEWEST, "3", "the device cannot be used: initialization error (cudaErrorInitializationError)\n"),
        (NEWEST, "999", "the device cannot be used: unknown error (cudaErrorUnknown)\n"),
    ],
)
def test_what_the_driver_answers(build: Builder, program: Path, version: str, answer: str, words: str) -> None:
    driver = build.plain(
        "libcuda.so.1", PROGRAMS / "fake_driver.c", ["-shared", "-fPIC", "-Wl,-soname,libcuda.so.1"], "gcc"
    )
    done = run([program], LD_LIBRARY_PATH=str(driver.parent), FAKE_VERSION=version, FAKE_INIT=answer)
    assert done.stdout.startswith(words) and done.returncode == 0


def test_devices_may_be_hidden(build: Builder, program: Path) -> None:
    assert (
        run([program, "100"], CUDA_VISIBLE_DEVICES="7").stdout
        == "there is no CUDA device that CUDA_VISIBLE_DEVICES shows\n"
    )


def test_a_device_of_another_architecture(program: Path) -> None:
    assert run([program, "209"]).stdout.startswith("the program is not compiled for this device")


def test_no_driver(program: Path) -> None:
    try:
        Path("/dev/nvidiactl").stat()
    except OSError:
        assert run([program]).stdout == "the CUDA driver is missing\n"
    else:
        pytest.skip("there is one here")
