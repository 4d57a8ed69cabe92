"""A translation made by hand, to test building and writing without the stages that make one.

The program doubles its argument "on the device". The device file is what real ones are: C++ for g++, CUDA for nvcc.
"""

from __future__ import annotations

from pathlib import Path

from ompc.base.diagnostics import Diagnostic, Kind
from ompc.base.source import Location
from ompc.base.translation import Translation

SOURCE = """\
#include <stdio.h>
#include <stdlib.h>
#include "amount.h"
int main(int argc, char **argv) {
    int x[AMOUNT];
    if (argc > 2) abort();
    x[0] = argc > 1 ? atoi(argv[1]) : 21;
    #pragma omp parallel for
    for (int i = 0; i < 1; i++)
        x[i] *= 2;
    printf("%s %d\\n", __FILE__, x[0]);
    return x[0] == 14 ? 7 : 0;
}
"""
DEVICE = """\
#ifdef __CUDACC__
__global__ void twice(int *x) { *x *= 2; }
extern "C" int ompc_main_8(int *x)
{
    int *d = nullptr, count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0)
        return 0;
    cudaMalloc(&d, sizeof(int));
    cudaMemcpy(d, x, sizeof(int), cudaMemcpyHostToDevice);
    twice<<<1, 1>>>(d);
    return cudaMemcpy(x, d, sizeof(int), cudaMemcpyDeviceToHost) == cudaSuccess;
}
#else
extern "C" int ompc_main_8(int *x) { *x *= 2; return 1; }
#endif
"""
REPORT = {
    "schema": 1,
    "source": "twice.c",
    "opt": "auto",
    "regions": [
        {
            "id": "main_8",
            "function": "main",
            "line": 8,
            "directive": "parallel for",
            "target": "gpu",
            "reason": None,
            "launch": {"dimensions": 1, "block": [256, 1, 1]},
            "variables": [
                {
                    "name": "x",
                    "type": "int[4]",
                    "bytes": 16,
                    "access": "readwrite",
                    "placement": "global",
                    "host_buffer": "pageable",
                    "transfer_in": "whole",
                    "transfer_out": "whole",
                    "because": "it is written",
                }
            ],
        },
        {
            "id": "main_20",
            "function": "main",
            "line": 20,
            "directive": "parallel for",
            "target": "host",
            "reason": {"code": "OMPC310", "message": "calls printf"},
            "launch": None,
            "variables": [],
        },
    ],
}


def write_source(directory: Path) -> Path:
    """twice.c and the header it includes."""
    (directory / "amount.h").write_text("#define AMOUNT 4\n")
    source = directory / "twice.c"
    source.write_text(SOURCE)
    return source


def translation(source: Path) -> Translation:
    host = '#include "twice.ompc.h"\n' + source.read_text().replace(
        "    #pragma omp", "    if (ompc_main_8(x)) {} else\n    #pragma omp"
    )
    return Translation(
        name="twice",
        files={
            "twice.c": host,
            "twice.cu": DEVICE,
            "twice.ompc.h": "int ompc_main_8(int *x);\n",
            "Makefile": "all:\n\ttrue\n",
        },
        make_report=lambda: REPORT,
        diagnostics=(
            Diagnostic("OMPC310", Kind.HOST, "stays on the host: calls printf", Location(str(source), 20, 5)),
            Diagnostic("OMPC201", Kind.WARNING, "looks like OpenMP", Location(str(source), 8, 5), help="write omp"),
        ),
        dumps={"plan": "the plan\n", "regions": "the regions\n"},
        dependencies=(source, source.parent / "amount.h"),
    )
