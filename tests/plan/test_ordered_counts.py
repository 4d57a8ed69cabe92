"""Which loops are shared by groups of threads because their entries count in order, and how their counters are kept."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ompc.base.options import Options
from ompc.driver import translate

HEAD = """
int key[300], other[300], rank[40][300], at[40][64], more[40][64], far[40][3000], *rows[40];
unsigned char narrow[40][64]; volatile int odd[40][64]; double real[40][64]; _Bool truth[40][64];
static int digit(int k) { return k & 15; }
static int of(const int *k) { return *k & 15; }
static int first(int r) { return at[r][0]; }
"""


def _kernels(tmp_path: Path, entry: str, behind: str = "") -> str:
    text = f"for (int r = 0; r < 40; r++) {{ int b = 0; (void)b; for (int k = 0; k < n; k++) {{ {entry} }} {behind} }}"
    source = tmp_path / "x.c"
    source.write_text(f"{HEAD}void f(int n, int wanted)\n{{\n#pragma omp parallel for\n{text}\n}}\n")
    return translate(source, Options()).files.get("x.cu", "")


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ("rank[r][k] = at[r][key[k]]++;", "64>: 1, false, true, false"),
        ("rank[r][k] = --at[r][key[k] & 7] + k;", "64>: -1, true, true, false"),
        ("rank[r][k] = (at[r][digit(key[k])] -= 5);", "64>: -5, true, true, false"),
        ("b = key[k]; if (b & 1) rank[r][k] = narrow[r][b]++;", "64>: (unsigned char)1, false, true, false"),
        ("int was = at[r][key[k]]++; if (wanted > 2) rank[r][k] = was;", "64>: 1, false, wanted > 2, false"),
        ("int was = at[r][key[k]]++; if (k > 2) rank[r][k] = was;", "64>: 1, false, true, false"),
        ("rank[r][k] = far[r][key[k]]++;", "0>: 1, false, true, false"),
        ("rank[r][k] = at[r][key[k]]++; more[r][other[k]]++;", "64>: 1, false, true, false"),
    ],
)
def test_counts_in_order(tmp_path: Path, entry: str, expected: str) -> None:
    text = _kernels(tmp_path, entry)
    found = re.search(r"with_ordered_counts<(\d+>).*?ompc::Counts<[\w ]+>{(.*?)}", text, re.DOTALL)
    assert found is not None
    assert f"{found[1]}: {found[2]}" == expected


@pytest.mark.parametrize(
    "entry",
    [
        "rank[r][k] = at[r][key[k]]++ + at[r][0];",
        "rank[r][k] = at[r][key[k]]++ + first(r);",
        "rank[r][k] = at[r][key[k]]++ - at[r][other[k]]++;",
        "rank[r][k] = at[r][key[k]]++; at[r][other[k]]++;",
        "rank[r][k] = at[r][more[r][key[k]]++]++;",
        "rank[r][k] = key[k] && at[r][key[k]]++;",
        "rank[r][k] = key[k] ? at[r][key[k]]++ : 0;",
        "rank[r][k] = at[r][key[k]] += k;",
        "rank[r][k] = at[r][of(&key[k])]++;",
        "rank[r][k] = odd[r][key[k]]++;",
        "rank[r][k] = real[r][key[k]]++;",
        "rank[r][k] = truth[r][key[k]]++;",
        "rank[r][at[r][key[k]]++] = k;",
        "rank[r][k % 5] = at[r][key[k]]++;",
        "rank[r][k] += 3; rank[r][k] = at[r][rank[r][k] & 63]++;",
        "if (at[r][key[k]]++ & 1) rank[r][k] = 3;",
        "b += at[r][key[k]]++; rank[r][k] = b;",
        "if (k == 7) continue; rank[r][k] = at[r][key[k]]++;",
        "for (int t = 0; t < 2; t++) rank[r][k] += at[r][key[k]]++;",
        "at[r][key[k]]++;",
    ],
)
def test_what_is_something_else(tmp_path: Path, entry: str) -> None:
    assert "with_ordered_counts" not in _kernels(tmp_path, entry)


def test_one_kind_of_rows_in_shared_memory(tmp_path: Path) -> None:
    more = "for (int k = 0; k < n; k++) rank[r][k] += narrow[r][key[k]]++;"
    same = "for (int k = 0; k < n; k++) rank[r][k] += at[r][other[k]]++;"
    for behind, lengths in ((more, ["64", "0"]), (same, ["64", "64"])):
        text = _kernels(tmp_path, "rank[r][k] = at[r][key[k]]++;", behind)
        assert re.findall(r"with_ordered_counts<(\d+)>", text) == lengths
