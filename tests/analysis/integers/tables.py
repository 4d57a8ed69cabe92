"""Tables of cases: C on the left, what an analysis says of it on the right of `=>`.

    in for (int i = 0; i < n; i++)              the loops around the cases that follow; the first one is annotated
    i + 1           => i + 1
    i * m           => nothing

A line that begins with `#` is a comment. All cases of a table are loops of one program, which is compiled once;
`pytest --rewrite` writes the right sides anew.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

from ompc.analysis.facts import Facts
from ompc.base.diagnostics import Reason
from ompc.driver import compile_to

TABLES = Path(__file__).parent / "tables"
DECLARATIONS = """
double w[33], g[20][30]; int table[50]; struct pair { int left, right; } pairs[9];
double sqrt(double);
int shared, taken, *at = &taken; enum color { RED, GREEN } color; short narrow;
static int twice(int k) { return 2 * k; }
static void change_shared(void) { shared = 3; }
"""
FUNCTION = """
void f%d(int n, int m, long l, unsigned un, unsigned long ul, unsigned char uc, signed char sc, double *y,
         double *x, int *idx, double (*u)[30])
{
    int j = 0, k = 0; double s = 0; (void)j; (void)k; (void)s;
    #pragma omp parallel for firstprivate(j, k) %s
    %s { %s }
}
"""


@dataclass(frozen=True, slots=True)
class Case:
    head: str
    clauses: str
    code: str
    expected: str


def cases_of(name: str) -> Iterator[Case]:
    head = clauses = ""
    for line in _lines(name):
        if line.startswith("in "):
            head, _, clauses = line.removeprefix("in ").partition(" with ")
        elif _is_case(line):
            code, _, expected = line.partition("=>")
            yield Case(head, clauses, code.strip(), expected.strip())


def _lines(name: str) -> list[str]:
    return (TABLES / f"{name}.txt").read_text().splitlines()


def _is_case(line: str) -> bool:
    return bool(line.strip()) and not line.startswith(("#", "in "))


@lru_cache(maxsize=1)
def facts_of(name: str, body: str = "{}") -> Sequence[Facts | Reason]:
    """The facts of each case; `body` is the statement that its code is a part of."""
    bodies = [(case, body.replace("{}", case.code.replace("#pragma", "\n#pragma"))) for case in cases_of(name)]
    texts = [FUNCTION % (number, case.clauses, case.head, code) for number, (case, code) in enumerate(bodies)]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "t.c"
        path.write_text(DECLARATIONS + "".join(texts))
        return tuple(compile_to("analysis", path).facts.values())


def check(name: str, rewrite: bool, say: Callable[[Facts], str], body: str = "{}") -> None:
    """Does `say` find of each case what the table says?"""
    found = [known.message if isinstance(known, Reason) else say(known) for known in facts_of(name, body)]
    compare(name, found, rewrite)


def compare(name: str, found: Sequence[str], rewrite: bool) -> None:
    """Are these the right sides of the table?"""
    said = iter(found)
    lines = [re.sub(r"\s*=>", " =>", line) for line in _lines(name)]
    column = max(len(line.partition("=>")[0]) for line in lines if _is_case(line))
    text = [f"{line.partition('=>')[0]:<{column}}=> {next(said)}" if _is_case(line) else line for line in lines]
    if rewrite:
        (TABLES / f"{name}.txt").write_text("\n".join(text) + "\n")
    else:
        assert list(map(_squeezed, text)) == list(map(_squeezed, lines))


def _squeezed(line: str) -> str:
    return " ".join(line.split())
