"""Names that make, the shell, a preprocessor or a terminal take for something else: of files, directories, macros.

Each folder is really built by `make`, with compilers that write down their words and touch what they are to write.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from ompc.base.visible import UNSEEN
from ompc.cli import main
from ompc.plan.model.names import file_names

PROGRAM = """\
#include "own.h"
double a[100];
int main(void)
{
    #pragma omp parallel for
    for (int i = 0; i < 100; i++)
        a[i] = i;
    return a[OWN] != OWN;
}
"""
COMPILER = """\
#!/bin/sh
printf '%s\\0' "$@" >> words
output=
for word
do
    case "$before" in -o) output=$word;; esac
    case "$word" in *.c|*.cu|*.cc) test -f "$word" || exit 3;; esac
    before=$word
done
: > "$output"
"""
ODD = [
    *(
        "a b",
        "a;b",
        "a=b",
        "a\tb",
        "a\\b",
        "a*b",
        "a#b",
        "a$b",
        "$(ab)",
        "a`b`",
        "a%b",
        "a:b",
        'a"b',
        "a'b",
        "-ab",
        "a\udcffb",
        "aé",
    ),
    *("a?b", "a[b]", "~ab", "a|b", "a&b", "(a)", "a,b", "@a", "%", "a\rb", "a`b", "a\\", ".a", "+a", "export a"),
    *("define", "include", "ifeq", "a<b>", "a^b", "clean", "Makefile", "a\x1b[31mb", "a\u202eb", "a\\ b", "a\\\\b"),
    *("a\\#b", "a\\\\#b", "a\\:b", "*", "a b ", " a", "$(shell touch pwned)", "`touch pwned`", "a*", "a??'b"),
]
PLACES = 4
"""A name is one of a source, a directory, where ompc ran, or a macro's value: by day each in one place, by turns."""


def by_turns(place: int) -> list[object]:
    marks = [() if number % PLACES == place else pytest.mark.nightly for number in range(len(ODD))]
    return [pytest.param(name, marks=mark) for name, mark in zip(ODD, marks, strict=True)]


WITH_LINE_BREAKS = ["a\nb", "a\n\ttouch pwned", "a\nall:;touch pwned", "a\n$(shell touch pwned)"]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "work").mkdir()
    compiler = tmp_path / "compiler"
    compiler.write_text(COMPILER)
    compiler.chmod(0o755)
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path / "work"


def write_program(source: Path) -> None:
    source.parent.mkdir(parents=True, exist_ok=True)
    source.write_text(PROGRAM)
    source.with_name("own.h").write_text("#define OWN 7\n")


def make(folder: Path) -> list[str]:
    """All words of all compilers, in their order."""
    compiler = Path.cwd().parent / "compiler"
    tools = [f"CC={compiler}", f"NVCC={compiler}", "OMPC=echo"]
    subprocess.run(["make", "-s", *tools], cwd=folder, check=True)
    subprocess.run(["make", "-q", *tools], cwd=folder, check=True)  # nothing is left to do
    words = os.fsdecode((folder / "words").read_bytes()).split("\0")
    subprocess.run(["make", "-s", "clean"], cwd=folder, check=True)
    assert not [*folder.rglob("*.o")]
    assert not [*Path.cwd().parent.rglob("pwned")]
    return words


@pytest.mark.parametrize("name", [*by_turns(0), *WITH_LINE_BREAKS])
def test_a_folder_of_any_source_builds(place: Path, name: str) -> None:
    write_program(place / f"{name}.c")
    assert main(["translate", f"./{name}.c", "-o", "out"]) == 0
    (generated,) = Path("out").glob("*_launchers.cu")
    words = make(Path("out"))
    assert words.count(generated.name) == 1
    assert generated.stem.removesuffix("_launchers") in words  # the program
    texts = "\n".join(path.read_bytes().decode("latin-1") for path in Path("out").glob("*.cu"))
    assert not any(line.startswith(("all:", "touch", "\ttouch")) for line in texts.splitlines())


@pytest.mark.parametrize("name", by_turns(1))
def test_directories_of_any_name_are_found(place: Path, name: str) -> None:
    write_program(place / name / "program.c")
    (place / name / "inc").mkdir()
    words = [f"-I./{name}/inc", "-include", f"./{name}/own.h", f"-L./{name}"]
    assert main(["translate", f"./{name}/program.c", "-o", f"./{name}/out", "--vendor", *words]) == 0
    folder = Path(name) / "out"
    given = make(folder)
    (included,) = (word[2:] for word in set(given) if word.startswith("-I") and word.endswith("/inc"))
    assert (folder / included).samefile(place / name / "inc")
    assert (folder / given[given.index("-include") + 1]).samefile(place / name / "own.h")
    assert (folder / given[given.index("-iquote") + 1]).samefile(place / name)
    (library,) = (word[2:] for word in set(given) if word.startswith("-L"))
    assert (folder / library).samefile(place / name)


@pytest.mark.parametrize("name", by_turns(2))
def test_where_ompc_ran_may_have_any_name(place: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    write_program(place / name / "src" / "program.c")
    monkeypatch.chdir(place / name)
    assert main(["translate", "src/program.c", "-o", str(place / "out")]) == 0
    monkeypatch.chdir(place)
    given = make(Path("out"))
    assert (place / "out" / given[given.index("-iquote") + 1]).samefile(place / name / "src")


@pytest.mark.parametrize(
    "value", [*by_turns(3), "'a'", '"a"', "a\\'", "# b", "\\", "a\\\\", "$$", "$x", "%d\\n", "a,b c"]
)
def test_values_of_macros_reach_the_compiler_as_they_are(place: Path, value: str) -> None:
    write_program(place / "program.c")
    assert main(["translate", "program.c", "-o", "out", f"-DVALUE={value}"]) == 0
    assert f"-DVALUE={value}" in make(Path("out"))


@pytest.mark.parametrize("text", WITH_LINE_BREAKS)
def test_a_makefile_with_a_line_break_in_a_word_is_refused(
    place: Path, text: str, capfd: pytest.CaptureFixture[str]
) -> None:
    write_program(place / "program.c")
    write_program(place / text / "program.c")
    for words in (["program.c", f"-DVALUE={text}"], ["program.c", f"-I{text}"], [f"{text}/program.c"]):
        assert main(["translate", *words]) == 1
        (said,) = capfd.readouterr().err.splitlines()
        assert said.endswith("[OMPC106]") and "a\\x0a" in said
        assert not Path("program.ompc").exists()


def test_sources_whose_names_become_one_are_told_apart() -> None:
    assert file_names([Path("a$(b)$c.c")]) == ("a__b__c",)  # nvcc has a shell read it once more
    assert file_names([Path("a;b.c"), Path("a=b.c"), Path("-.c"), Path("ü.c")]) == ("a_b", "a_b_2", "_", "ü")


@pytest.mark.parametrize("text", ["\x1b]0;title\x07", "\x1b[31m", "\u202e", "\u2066", "\x9b31m", "\r", "\x08", "\x7f"])
def test_no_terminal_gets_what_reorders_or_commands(place: Path, text: str, capfd: pytest.CaptureFixture[str]) -> None:
    """In a name, in a line that is shown, in the compiler's own words, in a report."""
    loop = f"#pragma omp parallel for private({text})\nfor (int i = 0; i < 9; i++) /* {text} */ a[i] = {text};"
    source = Path(f"a{text}.c")
    source.write_text(f"int a[9];\nvoid f(void)\n{{\n{loop}\n}}\n")
    good = Path(f"b{text}.c")
    good.write_text(
        PROGRAM.replace('#include "own.h"', f"/* {text} */ extern int g(int);")
        .replace("= i;", f"= g(i) /* {text} */;")
        .replace("OWN", "7")
    )
    for words in (
        ["translate", str(source)], ["explain", str(source)], ["explain", str(good)], ["translate", str(good)],
        ["build", str(source), "--target", "emulate"], ["explain", str(good), "--html", "page.html"],
        ["translate", "no" + str(good)], ["build-and-run", str(good), "--target", "host"],
    ):  # fmt: skip
        main([*words, "--color", "never"])
        said = capfd.readouterr()
        for shown in (said.err, said.out):
            assert not UNSEEN.search(shown), (words, shown)
    assert not UNSEEN.search(Path("page.html").read_text())


def test_a_pipe_is_no_source(place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """It would be waited for, and could be read once only: the C compiler is asked several times."""
    os.mkfifo("pipe.c")
    for command in ("translate", "build", "explain"):
        assert main([command, "pipe.c"]) == 1
        assert capfd.readouterr().err.startswith("ompc: error: pipe.c is a pipe, which can be read only once [OMPC103]")
