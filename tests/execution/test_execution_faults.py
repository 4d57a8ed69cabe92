"""What the device refuses, kernels that fail, programs that end or fork in the middle, many of them, many launches.

The answer is that of gcc -fopenmp, or the program ends with a message and a status. Faults are injected into the
emulated device (OMPC_FAULTS); with a GPU the same programs run on it.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import time
from pathlib import Path

import pytest
from execution_build import Ran, Workshop, run
from execution_case import Case, read_case
from machine_costs import cheap_locks

from ompc.base.options import Level
from ompc.toolchain.machine.setting import Target

FAULTS = Path(__file__).parent / "faults"
each_level = pytest.mark.parametrize("level", [Level.AUTO, Level.THESIS, Level.BASELINE], ids=lambda level: level.value)


def case_of(name: str, level: Level, workshop: Workshop) -> Case:
    """The program, all of whose loops are on the device."""
    case = read_case(FAULTS / f"{name}.c")
    regions = workshop.translation(case, level).report["regions"]
    assert isinstance(regions, list)
    assert [region["target"] for region in regions] == ["gpu"] * case.on_device
    return case


def codes(ran: Ran) -> set[str]:
    return set(re.findall(r"OMPC\d{3}", ran.err))


@pytest.mark.parametrize("sanitize", [False, True], ids=["plain", "sanitized"])
@each_level
def test_whatever_is_refused_the_answer_is_the_same(
    level: Level, sanitize: bool, workshop: Workshop, tmp_path: Path
) -> None:
    case = case_of("resources", level, workshop)
    program = workshop.program(case, level, Target.EMULATE, tmp_path / "program", sanitize)
    expected = run(workshop.reference(case), [])
    settings = [{"OMPC_FAULTS": f"alloc:{n}"} for n in range(1, 21)]
    settings += [{"OMPC_FAULTS": f"alloc:{n}+"} for n in (1, 4, 11)]
    settings += [{"OMPC_FAULTS": f"start:{n}"} for n in ("1", "2", "3", "5", "8", "13", "21", "6+")]
    settings += [{"OMPC_DEVICE_MEMORY": memory} for memory in ("0", "100", "15000", "90000", "130000", "200000")]
    settings += [{"OMPC_FAULTS": f"lock:{n}"} for n in ("1", "2", "3", "1+", "4+")]
    settings += [{"OMPC_LOCKED_MEMORY": memory} for memory in ("0", "10000", "100000")]
    if sanitize or level is not Level.AUTO:  # all of them where most is kept on the device
        settings = settings[:: 5 if sanitize else 3]
    locks = cheap_locks(tmp_path)
    for setting in [{}, *settings]:
        ran = run(program, [], {**setting, "OMPC_CALIBRATION": locks})
        assert (ran.status, ran.out) == (0, expected.out), f"{setting}\n{ran.out}{ran.err}\nexpected:\n{expected.out}"
        refused = setting.get("OMPC_FAULTS", "").startswith(("alloc", "start")) or "OMPC_DEVICE_MEMORY" in setting
        assert codes(ran) <= ({"OMPC454"} if refused else set()), f"{setting}\n{ran.err}"
        assert codes(ran) or "alloc:1+" not in setting.values(), "nothing was refused"


@each_level
def test_a_kernel_that_fails_ends_the_program(level: Level, workshop: Workshop, tmp_path: Path) -> None:
    """Which one it was is said, nothing that it has computed is used, and the status is an error's."""
    case = case_of("resources", level, workshop)
    program = workshop.program(case, level, Target.EMULATE, tmp_path / "program")
    whole = run(workshop.reference(case), []).out
    text = case.source.read_text().splitlines()
    lines = set()
    for number in range(1, 30, 3):
        ran = run(program, [], {"OMPC_FAULTS": f"kernel:{number}"})
        said = re.fullmatch(r"ompc: \S*resources\.c:(\d+): ([a-z ]+): a fault that .* \[OMPC460\]\n", ran.err)
        if number <= 25:
            assert said is not None and ran.status == 70 and whole.startswith(ran.out), ran
            assert text[int(said[1]) - 1].strip().startswith(f"#pragma omp {said[2]}")
            lines.add(said[1])
        else:
            assert (ran.status, ran.out) == (0, whole)
    assert len(lines) > 4


@pytest.mark.gpu
@each_level
def test_a_kernel_that_fails_on_a_gpu(level: Level, workshop: Workshop, tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text(OUT_OF_BOUNDS)
    program = workshop.program(read_case(source), level, Target.CUDA, tmp_path / "program")
    ran = run(program, ["900000000"])
    assert ran.status == 70 and "sum" not in ran.out
    assert re.search(r"program\.c:9: parallel for: .* \[OMPC460\]\n", ran.err), ran.err


OUT_OF_BOUNDS = """/* expect-gpu: 1 */
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    long far = argc > 1 ? atol(argv[1]) : 0;
    double *a = calloc(100, sizeof(double)), sum = 0;
    long *index = calloc(100, sizeof(long));
    #pragma omp parallel for
    for (int i = 0; i < 100; i++)
        a[index[i] + far * 1000] = i;
    for (int i = 0; i < 100; i++)
        sum += a[i];
    printf("sum %g\\n", sum);
    return 0;
}
"""


def check(ran: Ran, expected: Ran) -> None:
    """Same output and status; a refusal is no error."""
    assert (ran.status, ran.out) == (expected.status, expected.out), f"{ran.out}{ran.err}\nexpected:\n{expected.out}"


def check_endings(level: Level, target: Target, workshop: Workshop, directory: Path) -> None:
    case = case_of("endings", level, workshop)
    program = workshop.program(case, level, target, directory / "program")
    for mode in range(11):
        ran, expected = run(program, [str(mode)]), run(workshop.reference(case), [str(mode)])
        check(ran, expected)
        assert codes(ran) <= {"OMPC450", "OMPC451"}, ran.err


def check_processes(level: Level, target: Target, workshop: Workshop, directory: Path) -> None:
    case = case_of("processes", level, workshop)
    program = workshop.program(case, level, target, directory / "program")
    locks = cheap_locks(directory)
    # One thread, as libgomp's others do not survive a fork, and the child would wait for them.
    alone = {"OMP_NUM_THREADS": "1", "OMPC_CALIBRATION": locks}
    for arguments in ([], ["first"]):
        ran = run(program, arguments, alone)
        check(ran, run(workshop.reference(case), arguments, alone))
        assert codes(ran) <= ({"OMPC450"} if target is Target.CUDA else set()), ran.err


@each_level
def test_programs_that_end_in_the_middle(level: Level, workshop: Workshop, tmp_path: Path) -> None:
    check_endings(level, Target.EMULATE, workshop, tmp_path)


@pytest.mark.gpu
@each_level
def test_programs_that_end_in_the_middle_on_a_gpu(level: Level, workshop: Workshop, tmp_path: Path) -> None:
    check_endings(level, Target.CUDA, workshop, tmp_path)


@each_level
def test_processes_that_fork(level: Level, workshop: Workshop, tmp_path: Path) -> None:
    check_processes(level, Target.EMULATE, workshop, tmp_path)


@pytest.mark.gpu
@each_level
def test_processes_that_fork_on_a_gpu(level: Level, workshop: Workshop, tmp_path: Path) -> None:
    check_processes(level, Target.CUDA, workshop, tmp_path)


@pytest.mark.parametrize("begun", [[], ["blocked"], ["ignored"]], ids=["as usual", "blocked", "ignored"])
def test_programs_that_have_sigsegv_for_themselves(begun: list[str], workshop: Workshop, tmp_path: Path) -> None:
    """Blocked, ignored, sent, fetched, on stacks of its own, in threads of libc; from the start or after a launch."""
    case = case_of("signals", Level.AUTO, workshop)
    program = workshop.program(case, Level.AUTO, Target.EMULATE, tmp_path / "program")
    for part in range(10):
        ran, expected = (run(each, [str(part), *begun]) for each in (program, workshop.reference(case)))
        check(ran, expected)
        assert codes(ran) <= ({"OMPC473"} if part in (1, 3, 4) else set()), ran.err


@pytest.mark.parametrize("arrays", ["1000", "300000"], ids=["started by a launch", "started early"])
def test_a_device_that_forks_while_it_starts(arrays: str, workshop: Workshop, tmp_path: Path) -> None:
    """As CUDA does under its debugger, in the thread that starts it. Forks of the program wait for that thread."""
    source = tmp_path / "program.c"
    source.write_text(FORKS)
    case = read_case(source)
    program = workshop.program(case, Level.AUTO, Target.EMULATE, tmp_path / "program")
    alone = {"OMP_NUM_THREADS": "1"}
    for arguments in ([arrays], [arrays, "early"]):
        expected = run(workshop.reference(case), arguments, alone)
        assert expected.out.count("sum") == 2
        check(run(program, arguments, {**alone, "OMPC_FAULTS": "fork:1"}), expected)


def test_a_program_that_ends_while_the_device_starts(workshop: Workshop, tmp_path: Path) -> None:
    """What CUDA has for the program's end is registered while it starts, and would come before what is registered
    ahead of that: it waits for the thread that starts the device.
    """
    source = tmp_path / "program.c"
    source.write_text(ENDS)
    case = read_case(source)
    program = workshop.program(case, Level.AUTO, Target.EMULATE, tmp_path / "program")
    for arguments in (["300000"], ["300000", "loop"]):
        expected = run(workshop.reference(case), arguments)
        check(run(program, arguments, {"OMPC_FAULTS": "end:1"}), expected)


ENDS = """/* expect-gpu: 1 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    double *u = malloc(n * sizeof *u);
    for (int i = 0; i < n; i++)
        u[i] = i % 17;
    usleep(50000);
    for (int t = 0; t < argc - 2; t++)
        #pragma omp parallel for
        for (int i = 0; i < n; i++)
            for (int k = 0; k < argc; k++)
                u[i] += k + t;
    printf("%g\\n", u[n - 1]);
    return 0;
}
"""
FORKS = """/* expect-gpu: 2 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static void child_looks(const double *a, int n)
{
    pid_t child = fork();
    if (child == 0) {
        printf("sum %g\\n", a[n - 1]), fflush(stdout);
        _exit(0);
    }
    waitpid(child, NULL, 0);
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1000;
    double *a = calloc(n, sizeof(double)), sum = 0;
    if (argc > 2)
        child_looks(a, n);
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = i;
    if (argc == 2)
        child_looks(a, n);
    #pragma omp parallel for reduction(+:sum)
    for (int i = 0; i < n; i++)
        sum += a[i];
    printf("sum %g\\n", sum);
    return 0;
}
"""


KEEPS_ERRNO = """/* expect-gpu: 2 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    int n = 300000;
    double *a = malloc(n * sizeof *a);
    errno = 77;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = i;
    printf("%d\\n", errno);
    #pragma omp parallel
    {
        #pragma omp for
        for (int i = 0; i < n; i++)
            a[i] += 1;
    }
    printf("%d %g\\n", errno, a[5]);
    return 0;
}
"""


def test_launches_leave_errno_alone(workshop: Workshop, tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text(KEEPS_ERRNO)
    case = read_case(source)
    program = workshop.program(case, Level.AUTO, Target.EMULATE, tmp_path / "program")
    check(run(program, []), run(workshop.reference(case), []))


LOOKED_AT = """/* expect-gpu: 2 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
static double numbers[30000];
void stop_here_once(int how)
{
    if (how == 1)
        abort();
    assert(how != 2);
    if (how == 3)
        *(volatile int *)(long)(how - 3) = 1;
}
int main(int argc, char **argv)
{
    #pragma omp parallel for
    for (int i = 0; i < 30000; i++)
        numbers[i] = i;
    #pragma omp parallel for
    for (int i = 0; i < 30000; i++)
        numbers[i] += 0.5;
    stop_here_once(argc > 1 ? atoi(argv[1]) : 0);
    printf("%g\\n", numbers[7]);
    return 0;
}
"""


def test_what_a_debugger_and_a_core_file_show(workshop: Workshop, tmp_path: Path) -> None:
    """They read memory without touching it."""
    source = tmp_path / "program.c"
    source.write_text(LOOKED_AT)
    program = workshop.program(read_case(source), Level.AUTO, Target.EMULATE, tmp_path / "program")
    for how in ("1", "2", "3"):
        for core in ("0", "unlimited"):
            command = f'ulimit -c {core}; cd "{tmp_path}"; exec "{program}" {how}'
            ran = run(Path("/bin/bash"), ["-c", command], {"OMPC_LOG": "4"})
            assert ran.status < 0, ran
            assert ("numbers: 240000 bytes home" in ran.err) == (core == "unlimited"), ran.err
    if shutil.which("gdb") is None:
        pytest.skip("no gdb")
    commands = ("break stop_here_once", "run", "p ((double *)&numbers)[7]", "c")
    look = [word for command in commands for word in ("-ex", command)]
    ran = run(Path("gdb"), ["-batch", "-nx", *look, str(program)])
    assert "= 7.5" in ran.out and "exited normally" in ran.out, ran.out + ran.err
    assert "so that the debugger shows them" in ran.err + ran.out


@pytest.mark.gpu
@each_level
def test_programs_that_share_a_gpu(level: Level, workshop: Workshop, tmp_path: Path) -> None:
    case = case_of("resources", level, workshop)
    program = workshop.program(case, level, Target.CUDA, tmp_path / "program")
    expected = run(workshop.reference(case), [])
    together = [subprocess.Popen([program], stdout=subprocess.PIPE, text=True) for _ in range(4)]
    assert [(each.communicate()[0], each.returncode) for each in together] == [(expected.out, 0)] * 4


@each_level
def test_launches_leave_nothing_behind(level: Level, workshop: Workshop, tmp_path: Path) -> None:
    case = case_of("launches", level, workshop)
    program = workshop.program(case, level, Target.EMULATE, tmp_path / "program")
    unchecked = {"OMPC_CHECK": ""}  # else each launch compares all that stays
    ran = run(program, ["21000" if level is Level.AUTO else "6000"], unchecked)
    check(ran, run(workshop.reference(case), ["21000" if level is Level.AUTO else "6000"]))
    assert ran.err == ""


@pytest.mark.gpu
def test_a_million_launches(workshop: Workshop, tmp_path: Path) -> None:
    case = case_of("launches", Level.AUTO, workshop)
    program = workshop.program(case, Level.AUTO, Target.CUDA, tmp_path / "program")
    begun = time.monotonic()
    ran = run(program, ["1000000"], {"OMPC_CHECK": ""})
    taken = time.monotonic() - begun
    check(ran, run(workshop.reference(case), ["1000000"]))
    assert taken < 60, f"{taken:.1f} s"


@pytest.mark.parametrize("memory", ["410000", "500000", "900000"])
def test_what_stays_on_the_device_makes_room(memory: str, workshop: Workshop, tmp_path: Path) -> None:
    """All of the program's arrays have 1.4 MB, the largest 400 KB: no loop is refused."""
    case = case_of("room", Level.AUTO, workshop)
    program = workshop.program(case, Level.AUTO, Target.EMULATE, tmp_path / "program")
    ran = run(program, [], {"OMPC_DEVICE_MEMORY": memory})
    check(ran, run(workshop.reference(case), []))
    assert ran.err == ""
