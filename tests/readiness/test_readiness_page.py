"""The page of the readiness report as text: what it says, and that it is one well-formed file without connections."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from readiness_program import PROGRAM, readiness

from ompc.base.diagnostics import TITLES
from ompc.base.resources import section
from ompc.tools.profile.ledger import PARTS, parse_ledger
from ompc.tools.readiness.colour import c_lines
from ompc.tools.readiness.line_links import LineLinks
from ompc.tools.readiness.loop_lines import LoopLines
from ompc.tools.readiness.markdown import as_html
from ompc.tools.readiness.measured import with_profile
from ompc.tools.readiness.page import page
from ompc.tools.readiness.shared_variables import ensure_of
from ompc.tools.readiness.words import scaled

VOID = {"meta", "line", "circle", "polyline", "br", "link", "hr", "input", "rect"}


class Checked(HTMLParser):
    """Tags that are balanced; all ids, the places that links lead to, and the page's text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.text: list[str] = []
        self.tags: set[str] = set()
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        if tag not in VOID:
            self.open.append(tag)
        for name, value in attrs:
            assert not name.startswith("on") and name not in {"src", "style"}
            if name == "id":
                self.ids.append(str(value))
            if name in {"href", "aria-labelledby"}:
                self.links.append(str(value).removeprefix("#"))

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


@pytest.fixture(scope="module")
def html(tmp_path_factory: pytest.TempPathFactory) -> str:
    return page(readiness(tmp_path_factory.mktemp("readiness")))


def test_it_is_one_file_that_leads_nowhere_else(html: str) -> None:
    checked = Checked(html)
    assert len(checked.ids) == len(set(checked.ids))
    assert set(checked.links) <= set(checked.ids)
    assert not checked.tags & {"link", "img", "iframe", "form"} and html.count("<script") == 1
    assert not re.search(r"https?:|url\(|@import", html)


def test_it_says_where_each_loop_runs_and_shows_its_kernel(html: str) -> None:
    said = " ".join("".join(Checked(html).text).split())
    assert "1 of 4 parallel loops runs on the device, 3 on the host" in said
    assert "line 13, main 100 iterations" in said
    assert "main_a(double *__restrict__ a" in said and 'extern "C" int ompc_launch_main_a' in said
    assert "static __device__ double scaled" in said  # what the kernel calls stands above it
    for code in ("OMPC203", "OMPC331", "OMPC320"):
        assert TITLES[code].replace("`", "") in said and f'id="{code}"' in html
    assert "add reduction(+:sum)" in said
    assert "Stay on the device between launches" not in said or "Transfers" in said


def test_all_of_the_source_is_there_once(html: str) -> None:
    lines = re.findall(r'id="file-1-(\d+)"', html)
    assert [int(line) for line in lines] == list(range(1, PROGRAM.count("\n") + 1))
    assert "</pre><script>alert" not in html
    assert html.count("&lt;/pre&gt;&lt;script&gt;alert(1)&lt;/script&gt;") == 1


def test_files_that_are_odd(tmp_path: Path) -> None:
    odd = 'int f(void) { return 1; } // \udcff\x0c\x01 "</script>\r\n#pragma GCC poison zzz\r\n'
    found = readiness(tmp_path, odd=odd, empty="", nested="void f(int n) { void g(void) { n++; } }\n")
    html = page(found)
    Checked(html)
    assert "No parallel loops." in html and "OMPC105" in html


NESTED = """void f(int n, int *a) {
    int g(int x) { return x + n; }
#pragma omp parallel for
    for (int i = 0; i < n; i++) a[i] = g(i);
    _Pragma("omp parallel") { }
}
"""


def test_files_that_cannot_be_read_are_counted(tmp_path: Path) -> None:
    said = " ".join("".join(Checked(page(readiness(tmp_path, nested=NESTED, program=PROGRAM))).text).split())
    assert "3 on the host, and 1 file with parallel pragmas cannot be read. " in said
    assert "cannot be read; 2 parallel pragmas" in said
    said = " ".join("".join(Checked(page(readiness(tmp_path, nested=NESTED))).text).split())
    assert "No parallel loops, and 1 file with parallel pragmas cannot be read. " in said


def test_codes_are_named_once(tmp_path: Path) -> None:
    loop = "#pragma omp parallel for\n for (int i = 0; i < n; i++) { s += i; t = i; }\n"
    html = page(readiness(tmp_path, races=f"int f(int n) {{\n int s = 0, t = 0;\n{loop} return s + t;\n}}\n"))
    assert re.search(r'<span class="gist">OMPC203 iterations', html)


def test_what_clauses_say() -> None:
    assert ensure_of("reduction(+:s)").endswith("iterations; sums of floating-point numbers are rounded anew.")
    assert ensure_of("reduction(max:m)") == "`m` is to hold the result over all iterations."


def test_a_header_with_loops_is_a_file_of_the_report(tmp_path: Path) -> None:
    (tmp_path / "fill.h").write_text(
        "static void fill(int *a)\n{\n    #pragma omp parallel for\n    for (int i = 0; i < 9; i++) a[i] = i;\n}\n"
    )
    both = {name: f'#include "fill.h"\nint {name}[9];\nvoid go_{name}(void) {{ fill({name}); }}\n' for name in "ab"}
    found = readiness(tmp_path, **both)
    assert [Path(file.path).name for file in found.files] == ["a.c", "fill.h", "b.c"]
    (loop,) = found.loops
    assert (Path(loop.file).name, loop.first, loop.last) == ("fill.h", 3, 4)
    Checked(page(found))


STATES = """\
void scale(double *to, const double *from, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) to[i] = from[i];
}
void scatter(double *to, const int *index, int n)
{
    #pragma omp parallel for if (n > 500)
    for (int i = 0; i < n; i++) to[index[i]] = i;
}
double a[9];
void set(int n)
{
    #pragma omp parallel for
    for (int i = 0; i < 9; i++) a[i] = n;
}
int (*get)(int);
void call(int *b)
{
    #pragma omp parallel for
    for (int i = 0; i < 9; i++) b[i] = get(i);
}
"""


def rows(html: str) -> list[str]:
    """Of the list of loops, as text."""
    found = re.findall(r"<tr data-loop.*?</tr>", html, re.DOTALL)
    return [words_of(row) for row in found]


def words_of(html: str) -> str:
    """Those of neighbouring cells apart."""
    return " ".join(" ".join(Checked(html).text).split())


def test_each_state_has_a_word_a_shape_and_what_it_depends_on(tmp_path: Path) -> None:
    html = page(readiness(tmp_path, states=STATES))
    checked, promised, proved, host = rows(html)
    assert checked.startswith("◐ checked ") and checked.endswith("n iterations; if to and from do not overlap")
    assert promised.startswith("◇ promised ") and promised.endswith("; as its pragma promises ; only if n > 500")
    assert proved.startswith("● proved ") and proved.endswith(" 9 iterations")
    assert host.startswith("○ host ") and "OMPC322 calls through the function pointer" in host
    assert "Proved, if to and from do not overlap" in words_of(html)
    assert 'data-codes="OMPC453' in html and 'data-codes="OMPC322"' in html


def test_sizes_that_only_a_run_knows_are_said_as_elements(tmp_path: Path) -> None:
    heap = "#include <stdlib.h>\nint main(void) {\n double *p = malloc(80000), s = 0; int n = 10000;\n"
    loop = "#pragma omp parallel for\n for (int i = 0; i < n; i++) p[i] = i;\n"
    end = "for (int k = 0; k < n; k++) s += p[k];\n return s > 1;\n}\n"
    said = words_of(page(readiness(tmp_path, heap=heap + loop + end)))
    assert "when the host reads it" in said and "out 1 p : elements 0 .. n - 1 of double" in said
    assert "p double * elements 0 .. n - 1 of double write" in said


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("at line 3", 'at <a href="#f-1-3">line 3</a>'),
        ("lines 3, 4 and 99", '<a href="#f-1-3">lines 3</a>, <a href="#f-1-4">4</a> and 99'),
        ("line 3, 5 iterations", '<a href="#f-1-3">line 3</a>, 5 iterations'),
        ("`line 3` < 4", "<code>line 3</code> &lt; 4"),
        ("so [OMPC453], [OMPC452]", 'so [<a href="#OMPC453">OMPC453</a>], [OMPC452]'),
        (
            "by b.h:2 (called at line 1) and 4 (called at a.c:9), n",
            'by <a href="#f-2-2">b.h:2</a> (called at <a href="#f-2-1">line 1</a>) and <a href="#f-2-4">4</a> '
            '(called at <a href="#f-1-9">a.c:9</a>), n',
        ),
        ("other.h:3, xa.c:3 and inline 3", "other.h:3, xa.c:3 and inline 3"),
        ("lines 2, 3 elements", '<a href="#f-1-2">lines 2</a>, 3 elements'),
    ],
)
def test_lines_that_are_named_are_links(text: str, html: str) -> None:
    linked = LineLinks({"a.c": "f-1", "./b.h": "f-2"}, {"a.c": 9, "./b.h": 5}, {"OMPC453"})
    assert linked(text, "./a.c") == html


def test_files_without_loops_that_reasons_name_are_there(tmp_path: Path) -> None:
    fill = "static void fill(void) { for (int i = 0; i < 9; i++) d[i] = i; }\n"
    (tmp_path / "data.h").write_text(f"static double d[9000];\n{fill}")
    main = "int main(void)\n{\n  fill();\n#pragma omp parallel for\n  for (int i = 0; i < 9; i++) d[i] *= 2;\n}\n"
    html = page(readiness(tmp_path, main=f'#include "data.h"\n{main}'))
    header = f"{tmp_path / 'data.h'}"
    assert f'<a href="#file-2-2">{header}:2</a> (called at <a href="#file-1-4">' in html
    assert set(Checked(html).links) <= set(Checked(html).ids)


def entry(name: str, line: int, kernels: float, **others: object) -> dict[str, object]:
    copies = {f"{way}_{what}": 0 for way in ("h2d", "d2h") for what in ("copies", "bytes", "seconds")}
    times = {"launches": 3, "refused": 0, "wall_seconds": 9.0, "kernel_seconds": kernels}
    place = {"id": name, "file": "states.c", "line": line, "directive": "parallel for"}
    return {**place, **times, **copies, "avoided": {}, "waits": {}, "arrays": [], **others}


def test_loops_are_ranked_by_what_a_run_measured(tmp_path: Path) -> None:
    regions = [entry("scale", 3, 0.25), entry("set", 14, 0.5), entry("gone", 70, 0.1)]
    regions += [entry("set", 14, 0.25, id="set_fused", loops=["set", "scale"])]
    parts = dict.fromkeys(PARTS, 0.0) | {"kernel": 1.0, "host": 1.0}
    head = {"schema": 2, "target": "cuda", "device": "a GPU", "wall_seconds": 2.0, "parts": parts}
    totals = {key: value for key, value in entry("", 0, 1.0).items() if key != "arrays"}
    ledger = {**head, "init_seconds": 0, "page_lock_seconds": 0, "totals": totals, "regions": regions}
    html = page(with_profile(readiness(tmp_path, states=STATES), parse_ledger(ledger), "run.json"))
    set_, scale, scatter, host = rows(html)
    assert "750 ms 37.5 %" in set_ and "500 ms 25.0 %" in scale
    assert "– not reached" in scatter and "– not measured" in host
    said = words_of(html)
    assert "Measured: 2.00 s on a GPU (run.json; 1 loop of it not in these files as they are now)" in said
    assert "kernels 1.00 s 50.0 %" in said and "together with line 3 : 6 launches" in said


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("#pragma omp for\nfor (;;)\n  x();\ny();\n", 3),
        ("#pragma omp for\nfor (;;) {\n  x();\n}\ny();\n", 4),
        ("#pragma omp for\nfor (;;)\n  if (x)\n    y();\n  else if (z)\n    a();\nb();\n", 6),
        ("#pragma omp for\nfor (;;)\n  do\n    x();\n  while (1);\nb();\n", 5),
        ("#pragma omp for \\\n  nowait\n#define A \\\n  b\nfor (;;)\n  x();\n", 6),
        ("#pragma omp for\nLOOP(i)\n", 1),
        ("#pragma omp for\nfor (;;) { x(\n", 1),
        ("#pragma omp for\nfor (;;)\n  x = (int[]){1,\n   2}[0];\n", 4),
        ("#pragma omp for\nfor (;;)\n" + "  if (x) y(); else\n" * 2000 + "  z();\n", 1),
    ],
)
def test_where_a_loop_ends(text: str, last: int) -> None:
    assert LoopLines(text).last_line(1) == last


def test_colours() -> None:
    first, second, third, fourth = c_lines("#pragma omp for \\\n  nowait\nint i; // n\n")
    assert first == '<i class="o">#</i><i class="o">pragma omp for \\</i>' and second == '<i class="o">  nowait</i>'
    assert third == '<i class="t">int</i> i; <i class="c">// n</i>' and fourth == ""


@pytest.mark.parametrize("code", sorted(TITLES))
def test_every_section_of_the_diagnostics_is_shown(code: str) -> None:
    html = as_html(section(code) or "")
    Checked(html)
    assert "What to do." in html and "**" not in html and "```" not in html


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0 B"), (8, "8 B"), (80.08, "80.1 B"), (1234, "1.2 kB"), (320000, "320 kB"), (4.8e12, "4.8 TB")],
)
def test_numbers(value: float, text: str) -> None:
    assert scaled(value, "B") == text
