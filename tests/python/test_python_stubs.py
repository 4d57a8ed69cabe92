"""Stubs of libraries: what mypy takes and refuses, and where they are written."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import ompc

PROGRAMS = Path(__file__).parent / "programs"
ROOT = Path(__file__).parent.parent.parent

USE = '''\
from typing import TYPE_CHECKING, cast

import numpy as np

import ompc

if TYPE_CHECKING:
    import values
lib = cast("values.Library", ompc.load("values.c", target="host", stubs=True, quiet=True))
doubles, floats, shorts, bits = np.zeros(3), np.zeros(3, np.float32), np.zeros(3, np.int16), np.zeros(3, np.bool_)
integers, grid = np.zeros(6, np.int32), np.zeros((3, 4), np.float32)
one, text, rows = np.int64(1), b"text", [np.zeros(2), np.zeros(2)]

integer: int = lib.plus_one(3) + lib.plus_one(one) + lib.plus_one(x=True, stream=1)
lib.plus_one(3.0)  # arg-type
lib.plus_one(doubles)  # arg-type
lib.plus_one(text)  # arg-type
lib.plus_one()  # call-arg
lib.plus_one(y=3)  # call-arg
lib.as_char(b"a")
truth: bool = lib.as_bool(one)
number: float = lib.as_float(3) + lib.as_double(one) + lib.as_long_double(np.float32(3))
lib.as_double(text)  # arg-type
lib.as_double(None)  # arg-type
lib.first(doubles)
lib.first(None)
lib.first(floats)  # arg-type
lib.first([1.0])  # arg-type
lib.first(3)  # arg-type
lib.fixed(grid, 5, integers, shorts)
lib.fixed(doubles, 5, integers, shorts)  # arg-type
lib.fixed(grid, 5, integers, integers)  # arg-type
lib.length(text)
lib.length("text")  # arg-type
lib.fill(bits, 3)
lib.fill(text, 3)  # arg-type
lib.imaginary(np.zeros(2, complex))
lib.move(np.zeros(1, lib.move.parameter_dtype(0)), 3)
lib.moved((1.0, 2.0, 3), 0.5)["mass"]
lib.sum_of_rows(rows, 2, 2)
found = lib.field_new(3)
lib.field_step(found)
if found is not None:
    integer = found + lib.field_cells(found)
integer = found  # assignment
lib.same(3), lib.same(doubles), lib["lambda"](in_=1, unused=2, from_=3)
lib["lambda"]("1", 2, 3)  # call-overload, arg-type
lib.nothing()
lib.globals.count = one
lib.globals.count = text  # assignment
lib.globals.limit = 3.0  # misc
lib.globals.table = [[1, 2, 3], [4, 5, 6]]
integer = lib.globals.table.shape[0] + lib.globals.sun.itemsize + lib.globals.count
'''


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("stubs")
    shutil.copy(PROGRAMS / "values.c", place)
    ompc.load(place / "values.c", target="host", stubs=True, quiet=True)
    return place


@pytest.mark.slow
def test_mypy_knows_the_functions(folder: Path) -> None:
    """Each line that says so in its comment is refused, for that reason, and no other."""
    (folder / "use.py").write_text(USE)
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--no-error-summary", "use.py", "values.pyi"]
    environment = {**os.environ, "MYPYPATH": str(ROOT), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    said = re.findall(r"^(use\.py|values\.pyi):(\d+): error: .*\[([\w-]+)\]$", done.stdout, re.MULTILINE)
    refused = {int(line): code for file, line, code in said if file == "use.py"}
    assert not [each for each in said if each[0] == "values.pyi"] and done.stderr == "", done.stdout + done.stderr
    comments = [line.partition("  # ")[2].split(", ") for line in USE.splitlines()]
    expected = {number: codes for number, codes in enumerate(comments, 1) if codes != [""]}
    assert set(refused) == set(expected), done.stdout
    assert all(refused[line] in codes for line, codes in expected.items()), done.stdout


@pytest.mark.slow
def test_what_mypy_takes_runs(folder: Path) -> None:
    lines = [line for line in USE.splitlines() if "  # " not in line]
    (folder / "runs.py").write_text("\n".join(lines) + "\n")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "runs.py"], cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_where_stubs_are_written(folder: Path, tmp_path: Path) -> None:
    before = (folder / "values.pyi").stat().st_mtime_ns
    ompc.load(folder / "values.c", target="host", stubs=True, quiet=True)
    assert (folder / "values.pyi").stat().st_mtime_ns == before
    own = tmp_path / "own.pyi"
    text = 'struct report { int x; };\n/* Says "so" \\ ends. */\nint report(int self, int stream) { return self; }\n'
    ompc.compile_string(text, target="host", stubs=own, quiet=True)
    written = own.read_text()
    compile(written, str(own), "exec")
    assert '_Literal["report"]' in written and "\n    report: " not in written
    assert "        self_,\n        /,\n        self: _Integer,\n        stream: _Integer,\n    ) -> " in written
    ompc.compile_string("int f(void) { return 1; }", target="host", stubs=str(own), quiet=True)
    assert "report" not in own.read_text()
    own.write_text("x: int\n")
    with pytest.raises(FileExistsError, match=r"own.pyi is not ompc's; stubs=FILE names another"):
        ompc.compile_string(text, target="host", stubs=own)
    with pytest.raises(ValueError, match="stubs=True: a text lies in no folder"):
        ompc.compile_string(text, target="host", stubs=True)
    assert own.read_text() == "x: int\n"


def test_what_cannot_be_called_returns_nothing(tmp_path: Path) -> None:
    own: Any = tmp_path / "own.pyi"
    text = "int print(const char *f, ...) { return *f; }\ndouble _Complex c(double _Complex z) { return z; }\n"
    ompc.compile_string(text, target="host", stubs=own)
    assert own.read_text().count(") -> _NoReturn:") == 2
