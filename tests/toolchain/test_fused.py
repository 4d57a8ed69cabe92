"""Emulated kernels contract products and sums, but for those that the plan keeps apart."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from ompc.base.options import FloatingPoint, Options
from ompc.driver import translate
from ompc.toolchain.build import build_program
from ompc.toolchain.cache.cache import Cache
from ompc.toolchain.commands.fused import contraction_words, fused_instructions
from ompc.toolchain.machine.flags import split_flags
from ompc.toolchain.machine.setting import Request, Target, choose_setting

TEXT = """
#include <stdio.h>
static double x[50], y[50], z[50], out[50], work[50];
int main(void)
{
    for (int i = 0; i < 50; i++)
        x[i] = 5 + i * 0.1, y[i] = 8.6 + i * 0.01, z[i] = x[i] * y[i];
    #pragma omp parallel for
    for (int i = 0; i < 50; i++) {
        double s = 0;
        for (int k = 0; k < 60; k++)
            s = s * 0.5 + x[i];
        work[i] = s;
        out[i] = x[i] * y[i] - z[i];
    }
    double sum = 0;
    for (int i = 0; i < 50; i++)
        sum += out[i] * out[i];
    printf("%g", sum);
}
"""


def test_words() -> None:
    for contracts in (True, False):
        words = contraction_words(contracts)
        fast = contracts and fused_instructions() is not None
        assert ("-ffp-contract=fast" in words) == fast and ("-ffp-contract=off" in words) != fast


@pytest.mark.parametrize("fp", [FloatingPoint.DEFAULT, FloatingPoint.STRICT])
def test_a_difference_of_a_product_and_itself(tmp_path: Path, fp: FloatingPoint, keeping_cxx: str) -> None:
    """What is only printed may differ at the default, and does: else no test without a GPU shows what must not."""
    if fused_instructions() is None:
        pytest.skip("this machine has no FMA")
    source = tmp_path / "a.c"
    source.write_text(TEXT)
    options = Options(fp=fp)
    request = Request(source, options, split_flags(["-O1"])[1], Target.EMULATE, cxx=keeping_cxx)
    setting = choose_setting(request, os.environ)
    program = tmp_path / "a"
    build_program(request, setting, lambda: translate(source, options), program, Cache(tmp_path / "cache", 1 << 30))
    environ = {**os.environ, "OMPC_OFFLOAD": "always"}
    out = subprocess.run([program], env=environ, capture_output=True, text=True, check=True).stdout
    assert (float(out) == 0) == (fp is FloatingPoint.STRICT)
