"""No function of the runtime calls one that the runtime replaces.

It would wait for the launch that it is a part of, or call itself for ever; and a C program may have a function of its
own of that name. What the object files of the runtime refer to is looked up, and what an executable calls into which
libstdc++ is linked statically: there its functions call those that the runtime has put in front of libc's.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from prepared_runtime import runtime_object
from runtime_builds import Builder, compile_or_fail, run

from ompc.base.resources import Runtime, runtime_files

# Memory that the program is to free comes from where its own comes from, whoever replaces that.
MEMORY = {"malloc", "calloc", "realloc", "free", "posix_memalign", "aligned_alloc"}
# Of libstdc++ and libgcc: memory likewise; the end of a program by an exception that nobody catches; what waits for
# another thread's initialisation of a static object, or registers its end.
OF_CXX = {"__cxa_atexit", "syscall", "abort", "fputs", "fputc", "fwrite"}
# Of NVIDIA's header: it loads the tool that is to hear of ranges.
OF_NVTX = {"dlopen"}
# Of the compiler: the end of a static object is registered as the program's are, and in their order.
OF_STATIC_OBJECTS = {"__cxa_atexit"}
_SECTION, _FUNCTION = re.compile(r"^Disassembly of section (.*):$"), re.compile(r"^[0-9a-f]+ <(.*)>:$")
_RELOCATION = re.compile(r"\bR_\w+\s+([A-Za-z_]\w*)(?:[-+]0x[0-9a-f]+)?$")
_CALL = re.compile(r"<([A-Za-z_]\w*)(?:@plt)?>$")


def lines_of(*command: str | Path) -> Iterator[str]:
    yield from subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


def replaced(heap: Path) -> set[str]:
    """What the program's calls find in the runtime instead of libc."""
    defined = (line.split() for line in lines_of("nm", "--defined-only", heap))
    names = {words[-1] for words in defined if words[-2] == "W"}
    assert {"clock_gettime", "malloc", "write", "sigaction"} <= names
    return names


def uses(binary: Path, names: set[str], pattern: re.Pattern[str]) -> set[tuple[str, str]]:
    """Functions, and which of the names they refer to."""
    found, function = set(), ""
    for line in lines_of("objdump", "-dr", "--no-show-raw-insn", binary):
        if head := _FUNCTION.match(line):
            function = head[1]
        elif (name := pattern.search(line)) and name[1] in names:
            found.add((function, name[1]))
    return found


def heap_object(build: Builder) -> Path:
    return build.c_runtime("heap.o", "-O2")


def check(heap: Path, objects: Iterable[Path]) -> None:
    names = replaced(heap)
    for each in (heap, *objects):
        # printf goes on as another of the program's calls
        calls = uses(each, names, _RELOCATION)
        allowed = MEMORY | OF_NVTX | OF_STATIC_OBJECTS
        wrong = {(user, name) for user, name in calls if user not in names and name not in allowed}
        assert wrong == set(), f"{each.name}: ompc_libc.h says how the runtime calls these"
        clocks = [line for line in lines_of("nm", "-uC", each) if "std::chrono::" in line]
        assert clocks == [], f"{each.name}: they ask clock_gettime; ompc::now() does not"


def test_the_emulating_runtime_calls_nothing_that_it_replaces(build: Builder) -> None:
    program = build.emulated("device")
    check(heap_object(build), [runtime_object(build.runtime, ("-O1",)), program.with_name(f"{program.name}.cu.o")])


@pytest.mark.nvcc
def test_the_runtime_of_cuda_calls_nothing_that_it_replaces(build: Builder) -> None:
    check(heap_object(build), [build.runtime_of_cuda()])


PROGRAM = """
#include <time.h>
int main(void)
{
    struct timespec now;
    return clock_gettime(CLOCK_MONOTONIC, &now);
}
"""


def test_what_is_linked_from_libstdcxx_calls_nothing_that_the_runtime_replaces(build: Builder, tmp_path: Path) -> None:
    """Of what the linker keeps since the runtime needs it."""
    heap, runtime = heap_object(build), runtime_object(build.runtime, ("-O1",))
    (tmp_path / "main.c").write_text(PROGRAM)
    main = tmp_path / "main.o"
    compile_or_fail(["gcc", "-c", tmp_path / "main.c", "-o", main])
    static = ["-fopenmp", "-static-libstdc++", "-static-libgcc", "-Wl,--gc-sections"]
    program = tmp_path / "program"
    compile_or_fail(["g++", *static, main, heap, runtime, "-lm", "-o", program])
    names = replaced(heap)
    own = {line.split()[-1] for line in lines_of("nm", "--defined-only", heap)}
    calls = {(user, name) for user, name in uses(program, names, _CALL) if user not in own}
    assert ("main", "clock_gettime") in calls
    assert {name for user, name in calls if user != "main"} <= MEMORY | OF_CXX


@pytest.mark.parametrize("level", ["3", "5"])
def test_what_is_logged_and_profiled_with_a_static_libstdcxx(build: Builder, tmp_path: Path, level: str) -> None:
    """The program reads clocks behind launches that nobody has waited for."""
    shared = build.emulated("clocks")
    parts = [shared.with_name(f"{shared.name}.{part}") for part in ("o", "cu.o", "heap.o")]
    program = tmp_path / "clocks"
    runtime = runtime_object(build.runtime, ("-O1",))
    compile_or_fail(["g++", "-fopenmp", "-static-libstdc++", "-static-libgcc", *parts, runtime, "-lm", "-o", program])
    for each in (shared, program):
        done = run([each], OMPC_LOG=level, OMPC_PROFILE=str(tmp_path / "ledger"))
        assert (done.returncode, done.stdout) == (0, "ok\n"), done.stderr
        assert "its kernel took" in done.stderr


def test_libraries_that_are_loaded_later_need_no_place_in_static_memory_of_threads(build: Builder) -> None:
    """There is room for few of them: dlopen fails then."""
    heap = build.c_runtime("heap-of-library.o", "-O2", "-fPIC", "-DOMPC_LIBRARY")
    assert "TPOFF" not in subprocess.run(["readelf", "-rW", heap], capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("flags", [["-O2"], ["-O2", "-fPIC", "-DOMPC_LIBRARY"]], ids=["program", "library"])
def test_what_units_of_c_share_is_hidden(build: Builder, flags: list[str]) -> None:
    """It is neither the program's nor another runtime's: only ompc_host.h, and what is in front of libc, is visible."""
    heap = build.c_runtime(f"heap{len(flags)}.o", *flags)
    symbols = [line.split() for line in lines_of("readelf", "-sW", heap)]
    found = {words[7]: words[5] for words in symbols if len(words) == 8 and words[4] == "GLOBAL" and words[6] != "UND"}
    declared = runtime_files(Runtime.COMMON)["ompc_host.h"].read_text()
    assert len(found) > 80 and all(name.startswith("ompc_") for name in found)
    visible = {name for name, visibility in found.items() if visibility == "DEFAULT"}
    assert [n for n in visible - {"ompc_missing__link_with_ompc_cc"} if not re.search(rf"\b{n}\(", declared)] == []
