"""Processes of the language server: what goes wrong in one is an answer, and what is given up ends."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path

import pytest

from ompc.base.options import Options
from ompc.lsp.answers import Answer, Failure, Job, Result
from ompc.lsp.projects import Projects
from ompc.lsp.unsaved import laid_out
from ompc.lsp.workers import Workers


def job(tmp_path: Path, compiler: str, text: str = "int x;\n") -> Job:
    """A file whose C compiler is a script."""
    script = tmp_path / "compiler"
    script.write_text(f"#!/bin/sh\n{compiler}\n")
    script.chmod(0o755)
    (tmp_path / "a.c").write_text(text)
    return Job(str(tmp_path / "a.c"), str(tmp_path), Options(cc=str(script)))


def results(*jobs: Job) -> list[Result]:
    async def run() -> list[Result]:
        workers = Workers()
        try:
            return await asyncio.gather(*map(workers.result_of, jobs))
        finally:
            workers.close()

    return asyncio.run(run())


def test_a_process_that_ends_is_a_failure_and_the_next_one_works(tmp_path: Path) -> None:
    (tmp_path / "good").mkdir()
    failed, good = results(job(tmp_path, "kill -9 $PPID"), job(tmp_path / "good", 'exec gcc "$@"'))
    assert isinstance(failed, Failure) and failed.why.endswith("has ended by SIGKILL")
    assert isinstance(good, Answer) and good.diagnostics == ()


def test_no_compiler_is_a_message(tmp_path: Path) -> None:
    asked = job(tmp_path, "")
    (tmp_path / "compiler").unlink()
    (found,) = results(asked)
    assert isinstance(found, Answer) and [each.code for each in found.diagnostics] == ["OMPC104"]


def test_what_is_given_up_ends_with_its_compilers_and_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = job(tmp_path, f"echo $$ >> {tmp_path}/started; exec sleep 600")

    async def run() -> None:
        workers = Workers()
        task = asyncio.ensure_future(workers.result_of(asked))
        while not (tmp_path / "started").exists():
            await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        workers.close()

    asyncio.run(run())
    processes = [Path("/proc") / line for line in (tmp_path / "started").read_text().split()]
    end = time.monotonic() + 20
    while any(process.exists() for process in processes):
        assert time.monotonic() < end, "a compiler still runs"
        time.sleep(0.05)


def test_a_file_is_compiled_as_its_database_says(tmp_path: Path) -> None:
    own, other = tmp_path / "build", tmp_path / "other"
    for folder, flag in ((own, "-DA"), (other, "-DB")):
        folder.mkdir()
        entry = {"directory": str(folder if folder == own else "gone"), "file": str(tmp_path / "a.c")}
        text = json.dumps([{**entry, "command": f"cc {flag} -I. -c {tmp_path}/a.c"}])
        (folder / "compile_commands.json").write_text(text)
    for build_path, flags, place in ((None, ("-DA", f"-I{own}"), own), (other, ("-DB", f"-I{other}/gone"), tmp_path)):
        found = Projects(Options(cpp_flags=("-DC",)), build_path).of(str(tmp_path / "a.c"))
        assert found.options.cpp_flags == (*flags, "-DC") and found.options.part and found.directory == str(place)
    found = Projects(Options()).of(str(tmp_path / "b.c"))
    assert found.options == Options() and found.directory == str(tmp_path), "it is in no database: a program of its own"
    (own / "compile_commands.json").unlink()
    assert [each.code for each in Projects(Options(), own).of(str(tmp_path / "a.c")).problems] == ["OMPC108"]


def test_unsaved_texts_lie_where_options_lead() -> None:
    texts = {"/p/src/a.c": "int a;\n", "/p/inc/n.h": "int n;\n"}
    with laid_out(texts) as unsaved:
        root = unsaved.root
        assert unsaved.path("/p/src/a.c") == Path(f"{root}/p/src/a.c") and unsaved.path("/p/b.c") == Path("/p/b.c")
        assert unsaved.path("/p/inc/n.h").read_text() == "int n;\n"
        assert unsaved.flags(("-I/p/inc", "-DX", "-isystem", "/q")) == (
            *(f"-I{root}/p/inc", "-I/p/inc", "-DX", "-isystem", f"{root}/q", "-isystem", "/q"),
            *("-iquote", f"{root}/p/src", "-iquote", f"{root}/p/inc", "-iquote", "/p/src", "-iquote", "/p/inc"),
        )
        assert unsaved.real(f"{root}/p/src/a.c:3: bad") == "/p/src/a.c:3: bad"
    assert not Path(root).exists()
    with laid_out({}) as nothing:
        assert nothing.flags(("-Ix",)) == ("-Ix",) and nothing.real("/p/a.c") == "/p/a.c"
