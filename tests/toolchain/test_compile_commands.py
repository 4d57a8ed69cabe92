"""compile_commands.json: the options of each file, as the build system gives them to its compiler."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ompc.base.diagnostics import CompileError
from ompc.cli import main
from ompc.toolchain.objects.compile_commands import database_near, read_database


def write(folder: Path, *entries: dict[str, object]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "compile_commands.json").write_text(json.dumps(entries))
    return folder


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two files with other values of K, and a header that only the options lead to."""
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "inc/n.h": "#define N 100\n",
        "src/a.c": '#include "n.h"\ndouble x[N];\nvoid f(void)\n{\n#pragma omp parallel for\n'
        "    for (int i = 0; i < N; i++)\n        x[i] = K;\n}\n",
        "src/b.c": '#include "n.h"\ndouble y[N]; void f(void);\nint main(void)\n{ f();\n#pragma omp parallel for\n'
        "    for (int i = 1; i < N; i++)\n        y[i] = y[i - K];\n    return 0;\n}\n",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    build = str(tmp_path / "build")
    write(
        tmp_path / "build",
        {"directory": build, "file": "../src/a.c", "command": "gcc -I../inc '-DK=2 + 1' -O3 -MF a.d -c ../src/a.c"},
        {"directory": build, "file": "../src/b.c", "arguments": "ccache gcc -I ../inc -DK=1 -c ../src/b.c".split()},
        {"directory": build, "file": "../src/b.c", "arguments": "gcc -DK=0 -c ../src/b.c".split()},
        {"directory": build, "file": "../src/c.cc", "arguments": "g++ -c ../src/c.cc".split()},
    )
    return tmp_path


def test_each_file_has_its_options_with_paths_from_here(project: Path) -> None:
    found = read_database(Path("build"), project)
    assert {str(source.relative_to(project)): command.flags for source, command in found.items()} == {
        "src/a.c": ("-Iinc", "-DK=2 + 1"),
        "src/b.c": ("-I", "inc", "-DK=1"),
    }
    assert read_database(project / "build" / "compile_commands.json", project) == found


@pytest.mark.parametrize("here", [None, "else"])
def test_paths_elsewhere_stay_whole(here: str | None, project: Path) -> None:
    found = read_database(project / "build", None if here is None else project / here)
    assert found[project / "src" / "a.c"].flags[0] == f"-I{project}/inc"


def test_the_nearest_one_is_found(project: Path) -> None:
    assert database_near(Path("src/a.c")) == project / "build" / "compile_commands.json"
    write(project / "src", {"directory": ".", "file": "a.c", "command": "cc -c a.c"})
    assert database_near(Path("src/a.c")) == project / "src" / "compile_commands.json"


def test_explain_takes_all_files_of_the_database(project: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "-p", "build"]) == 0
    said = capfd.readouterr()
    assert "2 files: 2 parallel loops, 1 on the GPU, 1 on the host" in said.out
    assert "src/b.c:5: warning: iterations i = 1 and i = 2" in said.err, "K is 1 in this file"


def test_options_of_the_command_line_come_behind(project: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "-p", "build", "src/b.c", "-UK", "-DK=0"]) == 0
    assert "1 on the GPU" in capfd.readouterr().out


def test_changes_are_tried_with_the_options_of_the_file(project: Path, capfd: pytest.CaptureFixture[str]) -> None:
    source = project / "src" / "a.c"
    body = "    {\n        x[i] = K;\n        sleep(0);\n    }"
    source.write_text("#include <unistd.h>\n" + source.read_text().replace("        x[i] = K;", body))
    assert main(["explain", "-p", "build", "src/a.c", "--fix", "-"]) == 0
    assert "take the call of `sleep` out of the loop" in capfd.readouterr().out


def test_a_translated_folder_compiles_each_file_with_its_options(project: Path) -> None:
    assert main(["translate", "-p", "build", "-o", "out"]) == 0
    text = (project / "out" / "Makefile").read_text()
    assert "$(CC) -I'$(ORIGIN)/inc' '-DK=2 + 1' $(HOST_FLAGS)" in text
    assert "$(CC) -I '$(ORIGIN)/inc' -DK=1 $(HOST_FLAGS)" in text


@pytest.mark.parametrize(
    ("text", "words", "said"),
    [
        (None, (), "cannot be read: No such file or directory"),
        ("[", (), "is no JSON"),
        ("{}", (), "is no list of commands"),
        ('[1, {"file": "a.c", "command": "cc \'"}]', ("a.c",), "has no command that compiles a.c"),
    ],
)
def test_what_cannot_be_used_is_said(
    text: str | None, words: tuple[str, ...], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    if text is not None:
        Path("compile_commands.json").write_text(text)
    assert main(["explain", "-p", ".", *words]) == 1
    message = capfd.readouterr().err
    assert said in message and "[OMPC108]" in message
    with pytest.raises(CompileError):
        read_database(Path("nowhere"))


def test_a_database_without_c_files_is_a_wrong_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("compile_commands.json").write_text("[]")
    assert main(["explain", "-p", "compile_commands.json"]) == 2
    assert main(["explain"]) == 2
    assert "Missing argument 'FILE.c...'" in capfd.readouterr().err
