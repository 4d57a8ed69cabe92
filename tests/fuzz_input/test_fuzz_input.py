"""Anything at all may come in: it gives a translation or an error that is explained, never a traceback.

Quick by default; OMPC_FUZZ_EXAMPLES=5000 tries so many other inputs in each test.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mutations import pragmas, programs, with_mutated_pragmas

from ompc import driver, frontend
from ompc.base.diagnostics import TITLES, CompileError
from ompc.base.options import Level, Options
from ompc.base.source import Location
from ompc.ir.tree import Pragma
from ompc.omp.reading.directives import read_pragma

EXAMPLES = int(os.environ.get("OMPC_FUZZ_EXAMPLES", "0"))
COMMON = {
    "deadline": None,
    "derandomize": not EXAMPLES,
    "database": None,
    "suppress_health_check": list(HealthCheck),
}


@pytest.fixture(scope="module")
def source() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as directory:
        yield Path(directory) / "a.c"


def check_translation(source: Path, program: bytes) -> None:
    source.write_bytes(program)
    try:
        translation = driver.translate(source, Options(level=Level.AUTO))
    except CompileError as error:
        assert {diagnostic.code for diagnostic in error.diagnostics} <= set(TITLES)
        return
    assert {diagnostic.code for diagnostic in translation.diagnostics} <= set(TITLES)
    assert translation.host_file in translation.files


@pytest.mark.slow
@settings(max_examples=EXAMPLES or 1500, **COMMON)
@given(pragmas())
def test_any_pragma(text: str) -> None:
    read_pragma(Pragma(Location("a.c", 1), text, None, {}), [f"#pragma {text}"])


@pytest.mark.slow
@settings(max_examples=EXAMPLES or 60, **COMMON)
@given(program=programs())
def test_any_program(source: Path, program: bytes) -> None:
    check_translation(source, program)


NEST = b"""#include <omp.h>
double a[100]; int key[10];
double f(int n)
{
    double sum = 0, most = 0; int k = 0;
    #pragma omp parallel
    {
        #pragma omp for
        for (int i = 0; i < n; i++)
            a[i] = i;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            sum += a[i];
            #pragma omp atomic
            key[i] += j;
        }
    #pragma omp target teams distribute parallel for map(tofrom: a)
    for (int i = 1; i < n; i++) {
        #pragma omp simd
        for (int j = 0; j < n; j++)
            if (a[i] > most) most = a[j];
    }
    return sum + most + k;
}
"""


@pytest.mark.slow
@settings(max_examples=EXAMPLES or 80, **COMMON)
@given(program=st.data())
def test_pragmas_that_one_compiler_refuses_and_another_accepts(source: Path, program: st.DataObject) -> None:
    """The C compiler's opinion of the directives is not asked."""
    with mock.patch.object(frontend, "check_syntax", lambda *_: ()):
        check_translation(source, program.draw(with_mutated_pragmas(NEST)))


def wrapped(before: str, after: str = "") -> bytes:
    head = "double a[100];\nvoid f(int n)\n{\n#pragma omp parallel for\nfor (int i = 0; i < n; i++)\na[i] = "
    return f"{head}{before}{after};\n}}\n".encode()


@pytest.mark.parametrize(
    "program",
    [
        *(b"", b"\n", b"x", b"/*", b"#", b"#pragma omp", b"#pragma omp parallel for"),
        *(b'#include "a.c"\n', b"\0", b"\xff\xfe"),
        wrapped("+".join(["a[i]"] * 2000)),
        wrapped("(1+" * 200 + "i", ")" * 200),
        wrapped("".join(f"i == {k} ? {k} : " for k in range(300)), "0"),
        wrapped("-~" * 500, "i"),
        wrapped("9" * 5000),
        wrapped("0x" + "f" * 5000),
        wrapped("sizeof(double[n])"),
        b"int main(void) { return 0; }",
        b"int " + b"*" * 2000 + b"p;\nint " + b"(" * 500 + b"g" + b")" * 500 + b"(void);\n",
        b"int z = " + b"{" * 300 + b"1" + b"}" * 300 + b";\n",
        b"void f(int n) {" + b"".join(b"if (n == %d) n++; else " % k for k in range(500)) + b"; }\n",
        b"void f(int n) {\n" + b"#pragma omp parallel\n{\n" * 100 + b"}" * 100 + b"}\n",
        b"#line 9 \"b.c\"\n" + wrapped("i"),
        wrapped("i").replace(b"\n", b"\r"),
        b"\xef\xbb\xbf" + wrapped("i").replace(b"\n", b"\r\n"),
    ],
)  # fmt: skip
def test_extremes(source: Path, program: bytes) -> None:
    check_translation(source, program)
