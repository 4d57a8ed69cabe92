"""A small program with loops on the device and on the host, for the tests of the readiness report."""

from __future__ import annotations

from pathlib import Path

from ompc.base.options import Options
from ompc.driver import translate_program
from ompc.tools.readiness.gather import gather
from ompc.tools.readiness.model import Readiness
from ompc.tools.readiness.roofline import DEVICES

PROGRAM = """\
#include <stdio.h>
#include <stdlib.h>
#define N 100
static double a[N], b[N], w[4];
int seen[N];

static double scaled(double x) { return x * w[1]; }

int main(void)
{
    static double t; double sum = 0; /* </pre><script>alert(1)</script> & "quoted" */
    w[1] = 2;
    #pragma omp parallel for
    for (int i = 0; i < N; i++)
        a[i] = scaled(i);
    #pragma omp parallel for
    for (int i = 0; i < N; i++)
        sum += a[i];
    #pragma omp parallel for
    for (int i = 0; i < N; i++)
        if (a[i] > 0) {
            t = a[i];
            b[i] = t * t;
        }
    #pragma omp parallel for
    for (int i = 0; i < N; i++)
        seen[i] = rand();
    printf("%g %g %d\\n", sum, b[3], seen[0] >= 0);
    return 0;
}
"""


def readiness(directory: Path, **texts: str) -> Readiness:
    """The report of the files, each `name="text"`; without any, of PROGRAM."""
    return gather(*translated(directory, **texts), DEVICES["h200"])


def translated(directory: Path, **texts: str):  # type: ignore[no-untyped-def]
    sources = []
    for name, text in (texts or {"program": PROGRAM}).items():
        sources.append(directory / f"{name}.c")
        sources[-1].write_bytes(text.encode(errors="surrogateescape"))
    return translate_program(sources, Options()), sources
