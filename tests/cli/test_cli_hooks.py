"""What other projects call: the hook of pre-commit and the action of GitHub. Their commands exist and do their work."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ompc.base.resources import PACKAGE
from ompc.cli import main

yaml = pytest.importorskip("yaml", reason="no PyYAML (extra `dev`)")
ROOT = PACKAGE.parent

GOOD = "int a[9];\nvoid f(void)\n{\n#pragma omp parallel for\n    for (int i = 0; i < 9; i++)\n        a[i] = i;\n}\n"
BAD = GOOD.replace("a[i] = i", "a[i] = a[8 - i]")


def read(name: str) -> Any:
    return yaml.safe_load((ROOT / name).read_text())


def test_the_hook_fails_where_there_is_something_to_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (hook,) = read(".pre-commit-hooks.yaml")
    assert {"id", "name", "entry", "language", "files"} <= hook.keys() and hook["language"] == "python"
    ompc, *words = shlex.split(hook["entry"])
    assert ompc == "ompc"
    monkeypatch.chdir(tmp_path)
    Path("good.c").write_text(GOOD)
    Path("bad.c").write_text(BAD)
    assert main([*words, "good.c"]) == 0
    assert main([*words, "good.c", "bad.c"]) == 1


class Job:
    """A repository with two commits, and the steps of the action in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "project"
        self.runner = folder / "runner"
        for path in (self.folder, self.runner / "ompc" / "bin"):
            path.mkdir(parents=True)
        command = self.runner / "ompc" / "bin" / "ompc"
        command.write_text(f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -m ompc "$@"\n')
        command.chmod(0o755)
        (self.folder / "old.c").write_text(BAD)
        (self.folder / "mesh file.c").write_text(GOOD)
        self.git("init", "-q")
        self.first = self.commit()
        (self.folder / "mesh file.c").write_text(BAD)
        (self.folder / "-new.c").write_text(GOOD)
        (self.folder / "notes.txt").write_text("no C\n")
        self.commit()

    def git(self, *words: str) -> str:
        command = ["git", "-c", "user.name=a", "-c", "user.email=a@b", *words]
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=True).stdout.strip()

    def commit(self) -> str:
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "x")
        return self.git("rev-parse", "HEAD")

    def run(self, **inputs: str) -> tuple[int, str, str]:
        """All steps but the first, which installs ompc, and the last: the status, what is said, what is put out."""
        action = read("action.yml")
        given = {name: of["default"] for name, of in action["inputs"].items()} | inputs
        out = self.runner / "output"
        out.write_text("")
        environ = {**os.environ, "RUNNER_TEMP": str(self.runner), "GITHUB_OUTPUT": str(out)}
        environ["PATH"] = f"{self.runner}/ompc/bin:{environ['PATH']}"
        said = ""
        for step in action["runs"]["steps"][1:-1]:
            own = {name: given.get(text.split()[1].removeprefix("inputs."), "") for name, text in step["env"].items()}
            command = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step["run"]]
            done = subprocess.run(command, cwd=self.folder, env=environ | own, capture_output=True, text=True)
            said += done.stdout + done.stderr
            if done.returncode != 0:
                return done.returncode, said, out.read_text()
        return 0, said, out.read_text()


def test_the_action_looks_at_what_has_changed(tmp_path: Path) -> None:
    job = Job(tmp_path)
    status, said, out = job.run(base=job.first)
    assert status == 1 and out == "sarif=ompc.sarif\n"
    assert "mesh file.c:4: warning:" in said and "old.c" not in said and said.endswith("ompc: 1 finding\n")
    (job.folder / "known").mkdir()
    (job.folder / "ompc.sarif").rename(job.folder / "known" / "old.sarif")
    assert job.run(base=job.first, baseline="known/old.sarif", sarif="b.sarif")[::2] == (0, "sarif=b.sarif\n")
    assert job.run(base=job.git("rev-parse", "HEAD")) == (0, "No C file has changed.\n", "")
    assert "ompc: 2 findings" in job.run(base="0" * 40)[1], "the first push of a branch: all files"
    assert job.run(files="old.c", options="-DN=3 -q")[0] == 1
    assert job.run(base="no such commit")[0] != 0


def test_the_action_names_what_its_steps_have() -> None:
    action = read("action.yml")
    install, *_, upload = steps = action["runs"]["steps"]
    assert action["runs"]["using"] == "composite"
    assert all(("uses" in step) != ("run" in step and step["shell"] == "bash") for step in steps)
    assert "github/codeql-action/upload-sarif" in upload["uses"] and "always()" in upload["if"]
    assert "GITHUB_ACTION_PATH" in install["run"] and (ROOT / "pyproject.toml").is_file()
    texts = "".join(str(step) for step in steps)
    assert all(f"inputs.{name}" in texts for name in action["inputs"])
    assert "steps.check.outputs.sarif" in str(action["outputs"])
