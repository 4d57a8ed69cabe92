"""The list of `python -m benchmarks programs`: what it may say, mistakes in it, how answers are compared."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from benchmarks.__main__ import main
from benchmarks.whole.answers import Check, difference, parse_check
from benchmarks.whole.building import Copies, build_all, compilers
from benchmarks.whole.finding import first_list
from benchmarks.whole.listing import ListError, read_list

pytest.importorskip("tomllib")

GOOD = """
[suite.NAS]
check = "regex VERIFICATION (\\\\w+)"
build = "$CC *.c -o $OUT"
timeout = 5

[[program]]
name = "CG"
suite = "NAS"
folder = "npb/CG"
also = ["npb/common", "sizes.h"]
time = "in (.*)"

[[program]]
name = "CG"
build = "make CC=${CC}"
run = "bin/cg <in >out"
check = "numbers 1e-6 0.5"
answer = ["stdout", "out"]
environment = { N = "3" }
status = 1
"""


def made(folder: Path, text: str) -> Path:
    (folder / "npb" / "CG").mkdir(parents=True, exist_ok=True)
    (folder / "npb" / "common").mkdir(exist_ok=True)
    (folder / "sizes.h").touch()
    (folder / "list.toml").write_text(text, encoding="utf-8")
    return folder / "list.toml"


def test_a_list(tmp_path: Path) -> None:
    one, two = read_list(made(tmp_path, GOOD), tmp_path)
    assert (one.label, one.place, one.folder) == ("NAS/CG", "NAS_CG", "npb/CG")
    assert (one.also, one.run, one.answer) == (("npb/common", "sizes.h"), "$OUT", ("stdout",))
    assert (one.timeout, one.status, one.build) == (5.0, 0, "$CC *.c -o $OUT")
    assert one.time is not None and one.check.pattern is not None
    assert (two.label, two.folder, two.status) == ("CG", ".", 1)
    assert (two.check, two.answer, two.environment) == (Check(1e-6, 0.5), ("stdout", "out"), {"N": "3"})
    assert [one.is_called(name) for name in ("CG", "NAS", "NAS/CG", "cg")] == [True, True, True, False]


SHORT = '[[program]]\nname = "a"\nbuild = "$CC"\ncheck = "exact"\n'


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "program: at least one table"),
        ("program = 3", "program: at least one table"),
        (SHORT + 'sise = "3"', "program a: unknown key 'sise'"),
        (SHORT + "[programs]", "unknown key 'programs'"),
        ('[[program]]\nbuild = "$CC"\ncheck = "exact"', "program 1: name is missing"),
        ('[[program]]\nname = "a"', "program a: build is missing"),
        ('[[program]]\nname = "a"', "program a: check is missing"),
        (SHORT.replace('"a"', '"a/b"'), "program a/b: name: a name with letters or digits"),
        (SHORT.replace('"$CC"', '"gcc a.c"'), "program a: build: $CC does not occur"),
        (SHORT.replace('"$CC"', '"$CCX a.c"'), "program a: build: $CC does not occur"),
        (SHORT.replace('"exact"', '"about"'), 'program a: check: "exact", "numbers TOLERANCE"'),
        (SHORT.replace('"exact"', '"numbers x"'), "program a: check: numbers: one or two numbers"),
        (SHORT.replace('"exact"', '"numbers -1"'), "program a: check: numbers: one or two numbers"),
        (SHORT.replace('"exact"', '"regex ("'), "program a: check: no regular expression"),
        (SHORT + 'run = "./$OUT 10"', "program a: run: $OUT is a whole path"),
        (SHORT + "run = 3", "program a: run: a text is wanted"),
        (SHORT + 'folder = "../x"', "program a: folder: a path inside"),
        (SHORT + 'folder = "/x"', "program a: folder: a path inside"),
        (SHORT + 'folder = "nowhere"', "program a: folder: there is no folder 'nowhere'"),
        (SHORT + 'also = ["nowhere"]', "program a: also: there is no 'nowhere'"),
        (SHORT + "answer = []", "program a: answer: a path or a list"),
        (SHORT + 'time = "[0-9]"', "program a: time: one group"),
        (SHORT + 'ignore = "("', "program a: ignore: no regular expression"),
        (SHORT + "status = true", "program a: status: a number from 0 to 255"),
        (SHORT + "timeout = 0", "program a: timeout: seconds"),
        (SHORT + "environment = { N = 3 }", "program a: environment: a table of texts"),
        (SHORT + SHORT, "program a: name: 'a' and 'a' are too much alike"),
        (SHORT + SHORT.replace('"a"', '"A"'), "program A: name: 'A' and 'a' are too much alike"),
        (SHORT + '[suite.S]\ncheck = "exact"', "suite S: no program is of this suite"),
        (SHORT + 'suite = "S"\n[suite.S]\nname = "b"', "suite S: unknown key 'name'"),
        (SHORT + 'suite = "S"\n[suite.S]\ntimeout = "b"', "suite S: timeout: seconds"),
        ("[[program]", "list.toml:"),
    ],
)
def test_mistakes_are_told_with_program_and_key(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(ListError, match=re.escape(told)):
        read_list(made(tmp_path, text), tmp_path)


def test_all_mistakes_are_told_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = made(tmp_path, '[[program]]\nname = "a"\nbuild = "cc"\n[[program]]\nstatus = "0"\n')
    with pytest.raises(SystemExit) as ended:
        main(["programs", str(tmp_path), "--list", str(path)])
    assert ended.value.code == 2
    told = capsys.readouterr().err
    for text in ("program a: build: $CC", "program a: check is missing", "program 2: status:", "program 2: name is"):
        assert text in told
    assert "program a: build is missing" not in told


@pytest.mark.parametrize(
    ("check", "expected", "actual", "told"),
    [
        ("exact", "a 1.0  \nb\n\n", "a 1.0\nb", None),
        ("exact", "a 1.0", "a 1.00", "line 1: expected 'a 1.0', got 'a 1.00'"),
        ("exact", "a\nb", "a", "line 2: expected 'b', got nothing"),
        ("exact", "time 3\na", "time 4\na", None),
        ("numbers 1e-3", "x 1.0 7", "x  1.0001 7", None),
        ("numbers 1e-3", "x 1.0 7", "x 1.0 8", "token 3: expected 7, got 8"),
        ("numbers 1e-3", "x 1.0", "x 1.01", "token 2: expected 1.0, got 1.01"),
        ("numbers 1e-3 0.1", "x 0.0", "x 0.05", None),
        ("numbers 0", "x 0.0", "x 1e-300", "token 2"),
        ("regex sum = (\\S+), n = (\\d+)", "sum = 1, n = 2 t", "sum = 1, n = 2 u", None),
        ("regex sum = (\\S+)", "sum = 1", "sum = 2", "match 1: expected '1', got '2'"),
        ("regex ok|bad", "ok\nok", "ok", "match 2: expected 'ok', got nothing"),
        ("regex ok", "no", "no", "nothing of gcc's answer matches"),
    ],
)
def test_answers(check: str, expected: str, actual: str, told: str | None) -> None:
    found = difference(parse_check(check), re.compile("time"), expected, actual)
    assert found == told if told is None or found is None else found.startswith(told)


def test_the_users_folder_stays_clean_and_what_compilers_made_is_not_copied(tmp_path: Path) -> None:
    """A Makefile would take an old object, library or program for up to date."""
    source = tmp_path / "npb" / "CG"
    path = made(tmp_path, GOOD.replace("$CC *.c -o $OUT", "ls -R ../.. >$OUT; : $CC; touch new"))
    (source / "old.o").write_bytes(b"\x7fELF...")
    (source / "old.a").write_bytes(b"!<arch>\n...")
    (source / "cg.c").touch()
    (source / "gone").symlink_to("nowhere")
    (tmp_path / "npb" / ".git").mkdir()
    before = sorted(tmp_path.rglob("*"))
    entry = read_list(path, tmp_path)[0]
    copies = Copies(tmp_path, tmp_path / "work", {"PATH": "/bin:/usr/bin"}, compilers("cuda", "sm_90", "default"))
    build_all(copies, [entry], 1, lambda done: None)
    assert sorted(p for p in tmp_path.rglob("*") if not p.is_relative_to(copies.work)) == before
    listing = (copies.place(entry, "auto") / "program").read_text(encoding="utf-8").split()
    assert {"cg.c", "common", "sizes.h"} <= set(listing)
    assert not {"old.o", "old.a", "gone"} & set(listing)
    assert "--arch sm_90" in copies.variables(entry, "auto")["CC"]


LOOP = "\n#pragma omp parallel for\nfor (;;) ;\n"
TREE = {
    "suite/make/Makefile": "include ../flags\nP = cg\nbin/$(P): cg.o\n\t$(CC) $(CFLAGS) -o $@ $^\n",
    "suite/make/cg.c": "int main(int argc,\n  char **argv)\n{" + LOOP + "}\n",
    "suite/flags": "CFLAGS = -fopenmp\n",
    "suite/common/bench.h": "int helper(void);\n",
    "suite/common/stdio.h": "",
    "suite/common/bench.c": "int helper(void) { return 1; }\n",
    "suite/alone/one.c": '#include <stdio.h>\n#include <bench.h>\nint main() {' + LOOP + "}\n",
    "suite/alone/two words.c": "main(n, v)\nint n; char *v[];\n{" + LOOP + "}\n",
    "suite/alone/part.c": "int part(void) { return 0; }\n",
    "suite/plain/Makefile": "x: x.c\n\tgcc x.c\n",
    "suite/plain/x.c": "int main(void) {" + LOOP + "}\n",
    "suite/none/none.c": "int main(void) { /* \n#pragma omp parallel for\n*/ }\n",
    "suite/declared/declared.c": "int main(void);\nvoid f(void) {" + LOOP + "}\n",
    "other/one.c": "int main(void) { _Pragma(\"omp parallel\") ; }\n",
}


def test_a_first_list(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, text in TREE.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert main(["programs", str(tmp_path), "--find"]) == 0
    found = {entry.label: entry for entry in read_list(tmp_path / "programs.toml", tmp_path)}
    assert {name: (entry.folder, entry.build) for name, entry in found.items()} == {
        "one": ("other", "$CC -O3 -fopenmp -w one.c -lm -o $OUT"),
        "suite/one": (
            "suite/alone",
            "$CC -O3 -fopenmp -w -I../common one.c part.c ../common/bench.c -lm -o $OUT",
        ),
        "suite/two words": ("suite/alone", "$CC -O3 -fopenmp -w 'two words.c' part.c -lm -o $OUT"),
        "suite/make": ("suite/make", 'make CC="$CC"'),
        "suite/x": ("suite/plain", "$CC -O3 -fopenmp -w x.c -lm -o $OUT"),
    }
    assert found["suite/make"].run == "bin/cg"
    assert found["suite/one"].also == ("suite/common",)
    assert "5 programs in" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["programs", str(tmp_path), "--find"])  # what the user has corrected is not written over
    empty = tmp_path / "empty"
    empty.mkdir()
    assert first_list(empty)[1] == 0
    assert main(["programs", str(empty), "--find"]) == 1
