"""`ompc cc` as build systems use it. The kernels are emulated; OMPC_LOG shows which loops ran on the device."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from ompc.base.resources import PACKAGE
from ompc.toolchain.objects.cc_arguments import SETTINGS

LOOPS = """\
static double scale = {factor};
extern double shared[];
static void work(double *v, int n) {{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        v[i] = v[i] * scale + shared[i];
}}
struct item {{ double x[{factor}]; }};
void {name}(double *v, int n) {{
    static struct item items[100];
    work(v, n);
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        items[i].x[0] = v[i];
    for (int i = 0; i < n; i++)
        v[i] = items[i].x[0] + 1;
}}
"""
MAIN = """\
#include <stdio.h>
#include <stdlib.h>
double shared[100];
void first(double *, int), second(double *, int);
int main(void) {
    double *v = malloc(100 * sizeof *v), s = 0;
    for (int i = 0; i < 100; i++) { v[i] = i; shared[i] = i * 0.5; }
    first(v, 100);
    second(v, 100);
#pragma omp parallel for reduction(+:s)
    for (int i = 0; i < 100; i++) s += v[i];
    printf("%g %s:%d\\n", s, __FILE__, __LINE__);
    free(v);
    return 0;
}
"""
SMALL = """\
#include <stdio.h>
int a[100];
int main(void) {
    int s = 0;
#pragma omp parallel for
    for (int i = 0; i < 100; i++) a[i] = i;
    for (int i = 0; i < 100; i++) s += a[i];
    printf("%d\\n", s);
    return 0;
}
"""


class Project:
    """A folder with the commands `ompc-cc` and `ompc-c++` on the PATH; `sh` runs a command in it."""

    def __init__(self, directory: Path, cxx: str, ompc_command: str) -> None:
        self.directory = directory
        commands = directory / "bin"
        commands.mkdir()
        for name, command in (("ompc", ""), ("ompc-cc", "cc"), ("ompc-c++", "c++")):
            (commands / name).write_text(f'#!/bin/sh\nexec {ompc_command} {command} "$@"\n')
            (commands / name).chmod(0o755)
        self.environ = {
            **{name: value for name, value in os.environ.items() if name not in {"CC", "CXX", "MAKEFLAGS"}},
            "PATH": f"{commands}:{os.environ['PATH']}",
            "PYTHONPATH": str(PACKAGE.parent),
            "OMPC_TARGET": "emulate",
            "OMPC_CXX": cxx,
            "OMPC_LOG": "3",
            "OMPC_WITHOUT": "glue",  # which loops there are is to be seen in the texts
        }

    def write(self, name: str, text: str) -> None:
        (self.directory / name).parent.mkdir(parents=True, exist_ok=True)
        (self.directory / name).write_text(text)

    def sh(self, command: str, status: int = 0, **environ: str) -> str:
        """Standard output and error together."""
        done = subprocess.run(
            ["sh", "-c", command],
            cwd=self.directory,
            env={**self.environ, **environ},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=300,
        )
        assert done.returncode == status, done.stdout
        return done.stdout

    def launches(self, program: str) -> list[str]:
        """Run it; the last line is what it prints, those before the loops that ran on the device."""
        lines = self.sh(program).splitlines()
        return [line.partition(": grid")[0] for line in lines if ": grid" in line or not line.startswith("ompc: ")]


@pytest.fixture
def project(tmp_path: Path, hasty_cxx: str, ompc_command: str) -> Project:
    project = Project(tmp_path, hasty_cxx, ompc_command)
    project.write("small.c", SMALL)
    project.write("main.c", MAIN)
    project.write("a/util.c", LOOPS.format(name="first", factor=2))
    project.write("b/util.c", LOOPS.format(name="second", factor=3))
    return project


ALL_LOOPS = [
    "ompc: a/util.c:4: work",
    "ompc: a/util.c:12: first",
    "ompc: b/util.c:4: work",
    "ompc: b/util.c:12: second",
    "ompc: main.c:10: main_s",
    "40000 main.c:12",
]


@pytest.mark.slow
def test_a_makefile_with_objects_archives_and_dependency_files(project: Project) -> None:
    project.write(
        "Makefile",
        "CFLAGS = -fopenmp -O1 -g -Wall -Wextra -Werror -MMD -MP -fPIC\n"
        "program: main.o libutil.a\n\t$(CC) -fopenmp main.o -L. -lutil -o $@\n"
        "shared: main.o libs.so\n\t$(CC) -fopenmp main.o -L. -ls -Wl,-rpath,. -o $@\n"
        "libutil.a: a/util.o b/util.o\n\t$(AR) rcs $@ $^\n"
        "libs.so: a/util.o b/util.o\n\t$(CC) -fopenmp -shared $^ -o $@\n",
    )
    make = 'make -j2 CC="ompc-cc" program shared'
    project.sh(make)
    assert project.launches("./program") == ALL_LOOPS
    assert project.launches("./shared") == ALL_LOOPS
    assert (project.directory / "a/util.d").read_text() == "a/util.o: a/util.c\n"
    first = (project.directory / "main.o").read_bytes()
    project.sh("rm main.o a/util.o; " + make)
    assert (project.directory / "main.o").read_bytes() == first, "an unchanged file comes from the cache"
    # Another linker says what is missing, by name; the program of another compiler can use the library.
    assert "ompc_missing__link_with_ompc_cc" in project.sh("gcc -fopenmp main.o a/util.o b/util.o -o x", status=1)
    project.sh("gcc -fopenmp main.c -L. -ls -Wl,-rpath,. -o plain")
    assert project.launches("./plain") == [line for line in ALL_LOOPS if "main_s" not in line]


@pytest.mark.slow
def test_one_command_from_sources_to_program(project: Project) -> None:
    project.write("words", '-fopenmp "main.c" -o program\n')
    assert project.sh("ompc-cc @words a/util.c b/util.c -O2 -flto -MMD --opt baseline") == ""
    assert project.launches("./program") == ALL_LOOPS
    project.sh("cp main.c Makefile.c; cp a/util.c ompc_rows.c; ompc-cc -x c -fopenmp Makefile.c ompc_rows.c b/util.c")
    assert project.launches("./a.out")[-1] == "40000 Makefile.c:12"


CALLS = """\
#include <stdio.h>
#include "scale.h"
int main(void) {
    static double v[100];
    double s = 0;
#pragma omp parallel for reduction(+:s)
    for (int i = 0; i < 100; i++) s += v[i] = scaled(i);
    printf("%g\\n", s);
    return 0;
}
"""
SCALED = """\
#include "scale.h"
static double factor(int i) { return i % 2 ? FACTOR : 1; }
double scaled(int i) { return shifted(i) * factor(i); }
"""


@pytest.fixture
def calling(project: Project) -> Project:
    """main.c calls scaled() of lib/scale.c, which calls shifted() of lib/shift.c."""
    project.write("calls.c", CALLS)
    project.write("lib/scale.h", "double scaled(int), shifted(int);\n")
    project.write("lib/scale.c", SCALED)
    project.write("lib/shift.c", "double shifted(int i) { return i + 1; }\n")
    return project


ON_DEVICE = ["ompc: calls.c:6: main_v", "10150"]
COMPILE = "ompc-cc -q -fopenmp -Ilib -c calls.c && cd lib && ompc-cc -fopenmp -DFACTOR=3 -c scale.c shift.c && cd .."
COMPILE_EACH = COMPILE.replace("scale.c shift.c", "scale.c && ompc-cc -fopenmp -c shift.c")
AGAIN = "ompc: note: calls.c is compiled again: its loops call functions of scale.c, shift.c, \
so what was said of 'scaled' (OMPC320) no longer holds [OMPC425]\n"


def test_functions_of_other_objects(calling: Project) -> None:
    calling.sh(COMPILE_EACH)
    assert calling.sh("ompc-cc -fopenmp calls.o lib/scale.o lib/shift.o -o program") == AGAIN
    assert calling.launches("./program") == ON_DEVICE
    assert ".ompc.unit" in calling.sh("readelf -SW calls.o")
    assert ".ompc.unit" not in calling.sh("readelf -SW program")
    # Through archives, by name and by -l; the archives that the link names stay as they are.
    calling.sh("ar rcs libcalls.a calls.o && ar rcs libscale.a lib/scale.o lib/shift.o && sha1sum *.a > before")
    calling.write("start.c", "int start;\n")
    for words in ("-Wl,--undefined=main libcalls.a libscale.a", "start.c -Wl,-u,main -L. -lcalls -lscale"):
        assert calling.sh(f"ompc-cc -fopenmp {words} -o program") == AGAIN
        assert calling.launches("./program") == ON_DEVICE
    calling.sh("sha1sum -c before")


def test_functions_of_other_sources_of_one_command(calling: Project) -> None:
    said = calling.sh("ompc-cc -fopenmp -Ilib -DFACTOR=3 calls.c lib/scale.c lib/shift.c -o program")
    assert "[OMPC320]" in said and said.endswith(AGAIN.replace("of scale.c, shift.c", "of lib/scale.c, lib/shift.c"))
    assert calling.launches("./program") == ON_DEVICE


def test_functions_of_other_objects_that_are_not_what_they_were(calling: Project) -> None:
    calling.sh(COMPILE_EACH)
    calling.write("lib/shift.c", "double shifted(int i) { return i + 2; }\n")
    calling.write("other.c", "double scaled(int i) { return i; }\n")
    objects = "calls.o lib/scale.o lib/shift.o"
    for words in (
        f"{objects} -o program",  # another text than that of the object
        f"-Wl,--wrap=scaled -Wl,--defsym=__wrap_scaled=shifted {objects} -o wrapped",
        "calls.o other.o lib/shift.o -o other",  # compiled by another compiler
    ):
        assert calling.sh(f"gcc -c other.c; ompc-cc -fopenmp {words}") == ""
    assert calling.launches("./program") == ["10150"]
    assert calling.launches("./wrapped") == ["5050"]
    assert calling.launches("./other") == ["4950"]


def test_the_same_file_twice_with_other_macros(project: Project) -> None:
    project.write(
        "t.c",
        "T NAME[9];\nvoid F(void) {\n#pragma omp parallel for\nfor (int i = 0; i < 9; i++) NAME[i] = i / 2.0;\n}\n",
    )
    project.write(
        "use.c",
        "#include <stdio.h>\nvoid fd(void), fi(void);\nextern double d[];\nextern int k[];\n"
        'int main(void) { fd(); fi(); printf("%g %d\\n", d[3], k[3]); return 0; }\n',
    )
    project.sh(
        "for f in '-DT=double -DNAME=d -DF=fd -o 1.o' '-DT=int -DNAME=k -DF=fi -o 2.o';"
        " do ompc-cc -fopenmp -c t.c $f; done"
    )
    project.sh("ompc-cc -fopenmp use.c 1.o 2.o -o use")
    assert project.launches("./use") == ["ompc: t.c:3: fd", "ompc: t.c:3: fi", "1.5 1"]


def test_its_own_help_comes_before_the_host_compilers(project: Project) -> None:
    said = project.sh("ompc-cc --help")
    own, _, host = said.partition("The host compiler's own help follows.\n")
    assert own.startswith("Usage: ompc cc [OPTIONS] FILE...") and max(map(len, own.splitlines())) <= 80
    assert host.strip() == project.sh("cc --help").strip()
    assert not [name for name in SETTINGS if f"--{name} " not in own]


def test_what_is_not_ompcs_is_the_host_compilers(project: Project) -> None:
    project.write("bad.c", "int main(void) { return x; }\n")
    for words in (
        *("-fopenmp -c bad.c", "-c bad.c", "-fopenmp -c absent.c", "-fopenmp -c small.c -o absent/x.o", "-Q1"),
        *("-fopenmp -c small.c -o small.c", "-fopenmp small.c -o ./small.c"),
        *("--version", "-dumpmachine", "-v", "-E small.c", "-fopenmp -M small.c", "", "-print-prog-name=ld"),
    ):
        expected = subprocess.run(f"cc {words}", shell=True, cwd=project.directory, capture_output=True, text=True)
        got = subprocess.run(
            f"ompc-cc {words}", shell=True, cwd=project.directory, capture_output=True, text=True, env=project.environ
        )
        assert (got.returncode, got.stdout) == (expected.returncode, expected.stdout), words
        assert got.stderr == expected.stderr or words == "-v", words
    project.sh("ompc-cc -fopenmp -c small.c -o /dev/null")
    assert Path("/dev/null").is_char_device()
    project.sh("ompc-cc -fopenmp -S small.c && ompc-cc -fopenmp small.s -o asm && ./asm")


def test_host_only_options_and_standard_input(project: Project) -> None:
    said = project.sh("ompc-cc -fopenmp -c small.c --coverage -o small.o")
    assert said == "ompc: note: small.c is compiled for the host alone, because of --coverage [OMPC422]\n"
    assert "[OMPC422]" in project.sh("ompc-cc -fopenmp -x c - -o in < small.c; ./in")
    assert "4950" in project.sh("./in")
    assert project.sh("OMPC_QUIET=1 ompc-cc -fopenmp -c small.c -save-temps") == ""


def test_warnings_show_the_user_s_lines(project: Project) -> None:
    project.write(
        "warns.c",
        "int a[9];\nvoid f(void) {\n#pragma omp parallel for\n    for (int i = 0; i < 9; i++) a[i] = i;\n"
        "    int unused = 3;\n}\nint main(void) { f(); return a[2] - 2; }\n",
    )
    build = "ompc build --target emulate --cxx $OMPC_CXX"
    for command in ("ompc-cc -fopenmp -Wall -c warns.c", f"{build} -O0 -Wall warns.c -o warns"):
        said = project.sh(command)
        assert "warns.c:5:9: warning: unused variable" in said and "    5 |     int unused = 3;\n" in said, command


def test_pragmas_without_fopenmp_are_pointed_out(project: Project) -> None:
    why = "since -fopenmp is not given: its OpenMP pragmas are ignored"
    told = f"ompc: note: small.c is compiled for the host alone, {why} [OMPC422]\n"
    assert project.sh("ompc-cc -O1 -c small.c") == told
    assert project.sh("ompc-cc small.c -o serial") == told
    project.write("none.c", "int f(void) { return 1; }\n")
    for words in (
        "none.c",
        "-fno-openmp small.c",
        "-Wno-unknown-pragmas small.c",
        "-w small.c",
        "--target host small.c",
    ):
        assert project.sh(f"ompc-cc -c {words}") == "", words


def test_settings_that_do_not_exist(project: Project) -> None:
    assert "[OMPC420]" in project.sh("ompc-cc --opt fast -c small.c", status=1)
    assert "[OMPC420]" in project.sh("ompc-cc -c small.c", status=1, OMPC_TARGET="gpu")


def test_a_failing_tool_leaves_the_file_to_the_host(project: Project) -> None:
    said = project.sh(
        "ompc-cc -fopenmp -O1 small.c -o small", OMPC_CXX="false", OMPC_CACHE_DIR=str(project.directory / "c")
    )
    assert said.startswith("ompc: warning: small.c is compiled for the host alone: ") and said.count("\n") == 1
    assert "[OMPC421]" in said
    assert project.launches("./small") == ["4950"]


def test_objects_that_do_not_go_together(project: Project) -> None:
    project.sh("ompc-cc -fopenmp -c small.c")
    path = project.directory / "small.o"
    data = path.read_bytes()
    assert data.count(b"ompc-object:emulate_") == 1
    at = data.index(b"ompc-object:emulate_") + len(b"ompc-object:emulate_")
    path.write_bytes(data[:at] + b"00000000" + data[at + 8 :])
    assert "was compiled by another version of ompc [OMPC423]" in project.sh("ompc-cc -fopenmp small.o", status=1)


def test_objects_that_create_threads(project: Project) -> None:
    project.write("t.c", "#include <pthread.h>\nint f(pthread_t *t) { return pthread_create(t, 0, 0, 0); }\n")
    said = project.sh("ompc-cc -fopenmp small.c t.c -o small")
    assert said == "ompc: warning: t.c creates threads of its own: all loops of the program run on the host [OMPC424]\n"
    assert project.launches("./small") == ["4950"]


@pytest.mark.slow
def test_wrappers_around_compilers(project: Project) -> None:
    project.write("bin/mpicc", '#!/bin/sh\nexec ${OMPI_CC:-gcc} -DMPI=1 "$@" -lm\n')
    project.write("bin/ccache", '#!/bin/sh\nexec "$@"\n')
    project.sh("chmod +x bin/*")
    for command in (
        "ompc-cc --cc mpicc",
        'ompc-cc --cc "ccache gcc"',
        "ccache ompc-cc",
        "OMPI_CC=ompc-cc mpicc",
        'CC="ompc cc" CXX="ompc c++" ompc-cc',
    ):
        project.sh(f"{command} -fopenmp small.c -o small")
        assert project.launches("./small") == ["ompc: small.c:5: main_a", "4950"], command
    project.sh("OMPI_CC=ompc-cc OMPC_CC=mpicc ompc-cc -fopenmp small.c -o small && ./small")  # around itself


def test_c_plus_plus_links_objects_with_device_code(project: Project) -> None:
    project.write(
        "m.cpp",
        '#include <vector>\nextern "C" { void first(double *, int); double shared[100]; }\n'
        "int main() { std::vector<double> v(9); first(v.data(), 9); }\n",
    )
    project.sh("ompc-cc -fopenmp -c a/util.c -o u.o && ompc-c++ -fopenmp m.cpp u.o -o m")
    assert project.launches("./m") == ["ompc: a/util.c:4: work", "ompc: a/util.c:12: first"]


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("cmake") is None, reason="no cmake")
def test_cmake(project: Project) -> None:
    project.write(
        "CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.10)\nproject(p C)\nfind_package(OpenMP REQUIRED)\n"
        "add_library(util STATIC a/util.c b/util.c)\nadd_executable(program main.c)\n"
        "target_link_libraries(util OpenMP::OpenMP_C)\ntarget_link_libraries(program util OpenMP::OpenMP_C)\n",
    )
    project.sh("cmake -S . -B out -DCMAKE_C_COMPILER=ompc-cc -DCMAKE_BUILD_TYPE=Debug && cmake --build out")
    assert len([line for line in project.launches("out/program") if line.startswith("ompc:")]) == 5


def test_a_configure_script(project: Project) -> None:
    """What autoconf's checks do: tiny files, messages to a log, exit status and output looked at."""
    project.write(
        "configure",
        'set -e\nt() { printf \'%b\' "$1" > conftest.c; shift; $CC "$@" conftest.c -o conftest 2> conftest.err; }\n'
        "t 'int main(void) { return 0; }\\n' && ./conftest && echo works\n"
        "t '#ifndef _OPENMP\\n#error no\\n#endif\\n#include <omp.h>\\n"
        "int main(void) { return omp_get_num_threads() - 1; }\\n'"
        " -fopenmp && ./conftest && echo openmp && test ! -s conftest.err && echo silent\n"
        "t 'int main(void) { return no_such_function(); }\\n' -fopenmp || echo missing\n"
        "t 'int main(void) { return sizeof(int[sizeof(long) == 8 ? 1 : -1]) == 4; }\\n' -c && echo size\n"
        "t 'int main(void) { return 0; }\\n' -no-such-option || echo rejected\n"
        "echo 'x' | $CC -E - > /dev/null && echo preprocesses\n",
    )
    said = project.sh("sh configure", CC="ompc-cc").split()
    assert said == ["works", "openmp", "silent", "missing", "size", "rejected", "preprocesses"]


LINE = """\
extern double line[8];
#pragma omp threadprivate(line)
void fill(double *row, int n, int i);
"""
SOLVES = """\
#include <stdio.h>
#include "line.h"
static double v[99];
double most(void);
int main(void) {
    #pragma omp parallel for
    for (int i = 0; i < 99; i++) { fill(line, 8, i); v[i] = line[i % 8]; }
    printf("%g\\n", v[98] + most());
}
"""
FILLS = """\
#include "line.h"
double line[8];
void fill(double *row, int n, int i) { for (int k = 0; k < n; k++) row[k] = i + k; }
"""
OTHERS = {
    "written first": ("double most(void) { fill(line, 8, 2); return line[7]; }", True),
    "what the loop has left": ("double most(void) { return line[7] > 0; }", False),
}


@pytest.mark.parametrize("name", OTHERS)
def test_scratch_that_other_objects_name(project: Project, name: str) -> None:
    """All files of the link are read, and nothing else may be in it."""
    other, on_device = OTHERS[name]
    project.write("line.h", LINE)
    project.write("a.c", SOLVES)
    project.write("b.c", FILLS)
    project.write("c.c", '#include "line.h"\n' + other)
    project.sh("for file in a b c; do ompc-cc -q -fopenmp -c $file.c; done")
    project.sh("ompc-cc -q -fopenmp a.o b.o c.o -o program")
    assert bool(project.launches("./program")[:-1]) == on_device
    project.sh("gcc -fopenmp -c c.c -o d.o && ompc-cc -q -fopenmp a.o b.o d.o -o program")  # whose source nobody knows
    assert not project.launches("./program")[:-1]


ASKING = """\
#include <stdio.h>
int my_number(void), my_team(void);
static int y[100];
int main(void) {
    int s = 0;
    #pragma omp parallel num_threads(3)
    {
        for (int i = 100 * my_number() / my_team(); i < 100 * (my_number() + 1) / my_team(); i++) y[i] += i;
        #pragma omp barrier
        int me = my_number(), threads = my_team();
        for (int i = me; i < 100; i += threads) y[i] *= 2;
    }
    for (int i = 0; i < 100; i++) s += y[i];
    printf("%d\\n", s);
}
"""
ANSWERS = """\
#include <omp.h>
int my_number(void) { int number = omp_get_thread_num(); return number; }
int my_team(void) { int threads = omp_get_num_threads(); return threads; }
"""


def test_threads_that_ask_by_functions_of_other_files(project: Project) -> None:
    """The first loop's bounds are no questions before the link; the second one's threads differ in `me`."""
    project.write("asking.c", ASKING)
    project.write("answers.c", ANSWERS)
    project.sh("ompc-cc -w -q -fopenmp -c asking.c && ompc-cc -fopenmp -c answers.c")
    said = project.sh("ompc-cc -fopenmp asking.o answers.o -o program")
    assert said == (
        "ompc: note: asking.c is compiled again: its threads may ask for their numbers by functions of answers.c "
        "[OMPC425]\n"
    )
    assert project.launches("./program") == ["ompc: asking.c:11: main_y", "9900"]


TEAM = """\
#include <stdio.h>
void sweep(int n, double *a), await(int me), done(int me);
int omp_get_thread_num(void);
static double a[100];
int main(void) {
    FIRST
    for (int i = 0; i < 100; i++) a[i] = i;
    #pragma omp parallel num_threads(3)
    {
        int me = omp_get_thread_num();
        if (me > 0) await(me - 1);
        sweep(100, a);
        done(me);
    }
    printf("%g\\n", a[99]);
}
"""
SWEEP = """\
void sweep(int n, double *a) {
    #pragma omp for schedule(static) nowait
    for (int i = 0; i < n; i++) a[i] *= 2;
}
"""
AWAIT = """\
static int ready[64];
void await(int me) { while (ready[me] == 0) {
    #pragma omp flush(ready)
} }
void done(int me) { ready[me] = 1;
    #pragma omp flush(ready)
}
"""
WAITING = "ompc: note: sweep.c is compiled again: threads of a team wait for one another beside its loops, \
as the other files show [OMPC425]\n"


@pytest.mark.parametrize("together", [True, False])
def test_teams_whose_threads_wait_in_other_files(project: Project, together: bool) -> None:
    """The region, the loop and the waiting are in three files: only the link sees that the loop stays (OMPC364)."""
    project.write("team.c", TEAM.replace("FIRST", "#pragma omp parallel for"))
    project.write("plain.c", TEAM.replace("FIRST", ""))
    project.write("sweep.c", SWEEP)
    project.write("await.c", AWAIT)
    project.write("none.c", "void await(int me) {} void done(int me) {}")
    if together:
        command = "ompc-cc -fopenmp {}.c sweep.c {}.c -o program"
    else:
        project.sh("for file in team plain sweep await none; do ompc-cc -fopenmp -c $file.c; done")
        command = "ompc-cc -fopenmp {}.o sweep.o {}.o -o program"
    for _ in range(2):  # the second time from the cache
        assert project.sh(command.format("team", "await")) == WAITING
        assert project.launches("./program") == ["ompc: team.c:6: main_a", "198"]
    assert project.sh(command.format("plain", "await")) == WAITING  # nothing is left for the device
    assert project.launches("./program") == ["198"]
    assert project.sh("nm program | grep -c ompc_ || true") == "0\n"
    assert project.sh(command.format("team", "none")) == ""
    assert project.launches("./program") == ["ompc: team.c:6: main_a", "ompc: sweep.c:2: sweep", "198"]


SIZED = """#include "line.h"
extern double v[100];
extern int n, inside;
void ends(int last), part(void);
void part(void)
{
    #pragma omp parallel for
    for (int i = 0; i < 100; i++) {
        ends(inside + 1);
        for (int k = 1; k <= inside; k++) line[k] = i;
        for (int k = 0; k < n; k++) v[i] += line[k] * k;
    }
}
"""
SETS = """#include <stdio.h>
#include <stdlib.h>
#include "line.h"
double line[8], v[100];
int n, inside;
void part(void);
void ends(int last) {{ line[0] = line[last] = 1; }}
int main(int count, char **texts)
{{
    n = count > 1 ? atoi(texts[1]) : 6;
    inside = n - 2;
    {then}
    part();
    printf("%g\\n", v[3]);
    return 0;
}}
"""


@pytest.mark.parametrize(("then", "on_device"), [("", True), ("if (count > 2) inside++;", False)])
def test_sizes_that_another_object_sets(project: Project, then: str, on_device: bool) -> None:
    """What `main` only reads from some statement on holds in the functions of other files."""
    project.write("line.h", "extern double line[8];\n#pragma omp threadprivate(line)\n")
    project.write("a.c", SIZED)
    project.write("b.c", SETS.format(then=then))
    project.sh("for file in a b; do ompc-cc -q -fopenmp -c $file.c; done && ompc-cc -q -fopenmp a.o b.o -o program")
    assert bool(project.launches("./program")[:-1]) == on_device
    assert project.launches("./program 7")[-1] == project.sh("gcc -fopenmp a.c b.c -o plain && ./plain 7").strip()


GRID = """\
#include <stdio.h>
#include <omp.h>
#include "grid.h"
double grid[N];
double scratch[4];
#pragma omp threadprivate(scratch)
int main(void) {
    for (int step = 0; step < 10; step++)
        sweep();
    printf("%g %d %s:%d\\n", grid[N - 1], (int)((unsigned long)grid % 4096), __FILE__, __LINE__);
}
"""
SWEEPS = """\
#include "grid.h"
/* the next section */
void sweep(void) {
    #pragma omp parallel for
    for (int i = 0; i < N; i++) grid[i] = grid[i] * 1.5 + 1;
}
"""


@pytest.mark.parametrize("separately", [True, False])
def test_arrays_of_files_without_loops_have_pages_of_their_own(project: Project, separately: bool) -> None:
    """Else each launch would bring what shares their first and last page home at once."""
    project.write("grid.h", "#define N 100002\nextern double grid[N];\nvoid sweep(void);\n")
    project.write("grid.c", GRID)
    project.write("sweep.c", SWEEPS)
    if separately:
        assert project.sh("ompc-cc -fopenmp -Wall -Wextra -Werror -MMD -c grid.c") == ""
        assert (project.directory / "grid.d").read_text() == "grid.o: grid.c grid.h\n"
        project.sh("ompc-cc -fopenmp -c sweep.c && ompc-cc -fopenmp grid.o sweep.o -o program")
    else:
        project.sh("ompc-cc -fopenmp grid.c sweep.c -o program")
    assert project.launches("OMPC_PROFILE=profile.json ./program")[-1] == "113.33 0 grid.c:10"
    region = json.loads((project.directory / "profile.json").read_text())["regions"][0]
    assert region["launches"] == 10 and region["d2h_copies"] <= 2


def test_an_array_with_the_name_of_a_macro_stays_where_it_is(project: Project) -> None:
    project.write("grid.h", "#define N 100002\nextern double grid[N];\nvoid sweep(void);\n")
    project.write("grid.c", GRID + "#define grid 7\n")
    project.write("sweep.c", SWEEPS)
    assert project.sh("ompc-cc -fopenmp -c grid.c") == ""
    project.sh("ompc-cc -fopenmp grid.o sweep.c -o program")
    assert len(project.launches("./program")) == 11


def test_a_program_without_loops_on_the_device_is_the_host_compiler_s(project: Project) -> None:
    project.write("grid.h", "#define N 100002\nextern double grid[N];\nvoid sweep(void);\n")
    project.write("grid.c", GRID)
    project.write("sweep.c", '#include "grid.h"\nvoid sweep(void) { grid[N - 1]++; }\n')
    project.sh("ompc-cc -fopenmp -c grid.c && ompc-cc -fopenmp grid.o sweep.c -o program")
    assert project.launches("./program") == ["10 0 grid.c:10"]
    assert "ompc_register" not in project.sh("nm program")
