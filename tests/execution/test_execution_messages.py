"""What translated programs say when they cannot go on, or cannot write their ledger."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from execution_build import Ran, Workshop, run
from execution_case import block_of_page, read_case

from ompc.base.options import Level
from ompc.toolchain.machine.setting import Target

OUT_OF_BOUNDS = """/* expect-gpu: 1 */
#include <stdlib.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 100;
    double *a = malloc(100 * sizeof(double));
    int *index = calloc(200, sizeof(int));
    for (int i = 0; i < 200; i++)
        index[i] = i;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[index[i]] = i;
    printf("%g\\n", a[99]);
    return 0;
}
"""


PRINTS_MUCH = """/* expect-gpu: 1 */
#include <stdio.h>
int main(void)
{
    double x[100], s = 0;
    for (int i = 0; i < 100; i++)
        x[i] = i;
    #pragma omp target data map(tofrom: x)
    for (int n = 1; n <= 4; n++) {
        #pragma omp target teams distribute parallel for reduction(+: s) map(tofrom: s)
        for (int i = 0; i < 100; i++) {
            x[i]++;
            if (i % (n == 1 ? 50 : 2) == 0)
                printf("%d: %g\\n", i, x[i]);
            s += x[i];
        }
    }
    printf("%g\\n", s);
    return 0;
}
"""


OWN_MALLOC = """/* expect-gpu: 2 */
/* flags: -fno-builtin */
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
static char fixed[1 << 20];
static char *pool = fixed;
static size_t used, bytes = sizeof fixed;
void *malloc(size_t n)
{
    n = (n + 31) / 16 * 16;
    if (n > bytes - used) {
        bytes = n > 1 << 22 ? n : 1 << 22;
        pool = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        used = 0;
    }
    char *block = pool + used;
    *(size_t *)block = n - 16;
    used += n;
    return block + 16;
}
void free(void *block) { (void)block; }
void *calloc(size_t count, size_t n) { return memset(malloc(count * n), 0, count * n); }
void *realloc(void *block, size_t n)
{
    size_t before = block ? ((size_t *)block)[-2] : 0;
    return memcpy(malloc(n), block ? block : fixed, before < n ? before : n);
}
static void scatter(int n, double *to, const int *index)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        to[index[i]] = to[index[i]] / 2 + i;
}
int main(void)
{
    int n = 20000;
    double *large = calloc(n, sizeof *large), sum = 0;
    int *index = calloc(n, sizeof *index);
    for (int i = 0; i < n; i++)
        index[i] = n - 1 - i;
    for (int turn = 0; turn < 20; turn++) {
        #pragma omp parallel for
        for (int i = 0; i < n; i++)
            large[i] = large[i] / 2 + i;
        large[4] += 1, large[0] += 0;
        scatter(n, large, index);
        large = realloc(large, (n + turn * 1000) * sizeof *large);
    }
    for (int i = 0; i < n; i++)
        sum += large[i];
    printf("%.3f\\n", sum);
    return 0;
}
"""


def run_emulated(text: str, workshop: Workshop, directory: Path, words: list[str], **environ: str) -> Ran:
    source = directory / "program.c"
    source.write_text(text)
    program = workshop.program(read_case(source), Level.AUTO, Target.EMULATE, directory / "program")
    return run(program, words, environ)


def test_an_access_out_of_bounds_names_the_array_and_ends_the_program(workshop: Workshop, tmp_path: Path) -> None:
    ran = run_emulated(OUT_OF_BOUNDS, workshop, tmp_path, ["150"])
    assert ran.status == 70 and ran.out == ""
    assert re.search(r"program\.c:11: .*'a'.*\[OMPC461\]", ran.err), ran.err


@pytest.mark.parametrize("setting", ["OMPC_DISABLE", "OMPC_LOG"])
def test_the_answer_is_the_same_with(setting: str, workshop: Workshop, tmp_path: Path) -> None:
    ran = run_emulated(OUT_OF_BOUNDS, workshop, tmp_path, [], **{setting: "1"})
    assert (ran.status, ran.out, ran.err) == (0, "99\n", "")


def test_a_program_with_a_malloc_of_its_own(workshop: Workshop, tmp_path: Path) -> None:
    """Its blocks are parts of an array and of what it maps, and the runtime's are, too."""
    ran = run_emulated(OWN_MALLOC, workshop, tmp_path, [], OMPC_SUMMARY="1")
    assert (ran.status, ran.out) == (0, "399980000.666\n")
    assert re.search(r"the program has a malloc of its own \[OMPC473\]\n.*'?to'? .*\[OMPC452\]", ran.err), ran.err
    assert "1 of 2 loops on the device, launched 20 times; on the host 20 times: 20 OMPC452" in ran.err


INSTALLS = """#include <signal.h>
#include <stdlib.h>
static void report(int number) { (void)number; }
void install(void)
{
    static stack_t own;
    struct sigaction action = {0};
    own.ss_size = 1 << 16;
    own.ss_sp = malloc(own.ss_size);
    sigaltstack(&own, 0);
    action.sa_handler = report;
    action.sa_flags = SA_ONSTACK;
    sigaction(SIGABRT, &action, 0);
    sigaction(SIGSEGV, &action, 0);
}
"""
LOADS = """/* expect-gpu: 1 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    void *library = dlopen(argv[1], RTLD_NOW);
    ((void (*)(void))dlsym(library, "install"))();
    double *a = calloc(100000, sizeof *a);
    for (int t = 0; t < 3; t++) {
        #pragma omp parallel for
        for (int i = 0; i < 100000; i++)
            a[i] += i + t;
    }
    printf("%g %d\\n", a[argc], argc);
    return 0;
}
"""


@pytest.mark.parametrize("library, copies", [("libucs.so.0", 1), ("libLLVM-16.so.1", 1), ("libother.so", 3)])
def test_handlers_on_stacks_of_their_own(library: str, copies: int, workshop: Workshop, tmp_path: Path) -> None:
    """Reports of crashes of libraries that are known; others end the guarding of pages, which is said."""
    source, path = tmp_path / "library.c", tmp_path / library
    source.write_text(INSTALLS)
    subprocess.run(["gcc", "-shared", "-fPIC", str(source), "-o", str(path)], check=True)
    ran = run_emulated(LOADS, workshop, tmp_path, [str(path)], OMPC_LOG="3")
    assert (ran.status, ran.out) == (0, "9 2\n")
    assert len(re.findall("800000 bytes to the device, ", ran.err)) == copies, ran.err
    assert ("calls sigaction with SA_ONSTACK" in ran.err and "[OMPC473]" in ran.err) == (copies > 1)


NOT_UNDERSTOOD = {
    "OMPC_OFFLOAD=foo": "is not understood, and not followed: it is always, never, profit or mandatory",
    "OMPC_GUARD=x": "is not understood, and not followed: it is 0 or 1",
    "OMPC_CHECK=foo": "is not understood, and not followed: it is a list of memory, coherence, overwrites",
    "OMPC_WAIT=maybe": "is taken for 1: it is 0 or 1",
    "OMPC_DISABLE=no": "is taken for 1: it is 0 or 1",
    "OMPC_TILES=abc": "is taken for 0: it is a number",
    "OMPC_SEED=abc": "is not understood, and not followed: it is a number",
    "OMPC_SLICE=abc": "is not understood, and not followed: it is a number",
    "OMPC_LOCKED_MEMORY=10G": "is not understood, and not followed: it is a number",
    "OMPC_PRINT_MEMORY=-1": "is not understood, and not followed: it is a number",
    "OMPC_DEVICE_MEMORY=1e9": "is not understood, and not followed: it is a number",
    "OMPC_COPIES=x": "is not understood, and not followed: it is a number",
}
REGIONS = {
    "bogus[": "OMPC_REGIONS is not followed: 'bogus[' is not understood",
    "nosuch_12": "OMPC_REGIONS: 'nosuch_12' names none of the 1 loops that were reached",
    "main_a,-program.c:7": "OMPC_REGIONS: '-program.c:7' names none of the 1 loops that were reached",
    "main_a@program.c#..3": "",
    "-main_a,5..7": "",
}


def test_settings_that_mean_nothing_are_told(workshop: Workshop, tmp_path: Path) -> None:
    known = {
        "OMPC_CHECK": "memory,coherence",
        "OMPC_GUARD": "1",
        "OMPC_SEED": "0x2",
        "OMPC_SLICE": "100",
        "OMPC_WAIT": "0",
    }
    assert run_emulated(OUT_OF_BOUNDS, workshop, tmp_path, [], **known).err == ""
    for setting, told in NOT_UNDERSTOOD.items():
        variable, _, value = setting.partition("=")
        ran = run(tmp_path / "program", [], {variable: value})
        assert (ran.status, ran.out, ran.err) == (0, "99\n", f"ompc: {setting} {told}\n")
    for value, told in REGIONS.items():
        ran = run(tmp_path / "program", [], {"OMPC_REGIONS": value})
        assert (ran.out, ran.err) == ("99\n", told and f"ompc: {told}\n")


def test_each_level_of_the_log_says_what_the_page_shows(workshop: Workshop, tmp_path: Path) -> None:
    """The page has a program, and its log in which times differ."""
    (tmp_path / "program.c").write_text(
        block_of_page("debugging.md", "#include <stdio.h>\n#include <stdlib.h>\n") + "/* expect-gpu: 1 */\n"
    )
    case = read_case(tmp_path / "program.c")
    program = workshop.program(case, Level.AUTO, Target.EMULATE, tmp_path / "program")
    expected, outputs = [], []
    for line in block_of_page("debugging.md", "2  ompc: ").splitlines():
        level, _, text = line.partition("  ")
        expected.append((int(level), without_times(text)))
    for level in range(1, 6):
        ran = run(program, [], {"OMPC_LOG": str(level), "OMPC_CHECK": "", "OMPC_SEED": "1"})
        assert ran.status == 0
        said = [without_times(line) for line in ran.err.replace(f"{tmp_path}/", "").splitlines()]
        assert said == [text for of, text in expected if of <= level]
        outputs.append(ran.out)
    assert len(set(outputs)) == 1


def without_times(line: str) -> str:
    """And without the size of what the first look of the host brings home, which depends on where the block lies."""
    return re.sub(r"\d+ bytes home$", "BYTES home", re.sub(r"\d[\d.]* [mu]?s\b", "TIME", line))


def test_a_ledger_that_cannot_be_written_changes_nothing_else(workshop: Workshop, tmp_path: Path) -> None:
    ran = run_emulated(OUT_OF_BOUNDS, workshop, tmp_path, [], OMPC_PROFILE=str(tmp_path / "no" / "such" / "folder"))
    assert (ran.status, ran.out) == (0, "99\n")
    assert "OMPC456" in ran.err


@pytest.mark.parametrize("room", ["64", "200", "1000", "100000"])
def test_a_launch_that_prints_too_much_is_given_up(room: str, workshop: Workshop, tmp_path: Path) -> None:
    ran = run_emulated(PRINTS_MUCH, workshop, tmp_path, [], OMPC_PRINT_MEMORY=room, OMP_NUM_THREADS="1")
    lines = [f"{i}: {i + n}" for n in range(1, 5) for i in range(0, 100, 50 if n == 1 else 2)]
    assert (ran.status, ran.out.splitlines()) == (0, [*lines, str(4 * 4950 + 100 * 10)])
    assert ran.err.count("OMPC468") == (room != "100000"), ran.err
