"""One case: types, arrays, functions, then a sequence of loops and host code, then checksums. And files of many cases.

    static void c3(void) { declarations; fill; parallel loops, regions, host code; CHECK_...; }

A file holds many cases, since compiling the runtime's header is most of the cost of a small program. Its main runs all
of them, or those whose numbers are its arguments.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace

from .adjacent import make_adjacent
from .between import make_between
from .bodies import place_of
from .boxes import make_boxes
from .chains import make_chains
from .changing_bounds import make_changing_bounds
from .coalesced import make_coalesced
from .collected import make_collected
from .common_rows import make_common_rows
from .components import make_components
from .counting import make_counting
from .counts import make_counts
from .criticals import make_criticals
from .divided import make_divided
from .edges import make_edges
from .equal import make_equal
from .former_values import make_former_values
from .functions import add_function, add_macro, add_updater, alias_calls, call_of_loops
from .inductions import make_inductions
from .inspected import make_inspected
from .kept_apart import make_kept_apart
from .last_bits import make_last_bits
from .last_iterations import make_last_iterations
from .library_calls import HEADERS, make_library_call
from .linear import make_linear
from .loops import check
from .names import Names
from .narrow import make_narrow
from .nests import Wish, make_nest
from .ordered import make_ordered
from .pairs import make_pairs
from .patterns import add_struct, add_union
from .pieces import make_pieces
from .pivots import make_pivots
from .pixels import make_pixels
from .printing import print_program
from .producers import make_producers
from .products import make_product
from .quotients import make_quotients
from .recurrences import make_recurrences
from .regions import make_region
from .returned import make_returned
from .rows import add_rows
from .scalars import CHAR, DOUBLE, EXACT, INT, LONG, SHORT, UINT
from .scans import make_scan
from .scratch import FUNCTIONS as OF_SCRATCH
from .scratch import make_scratch
from .sequences import make_sequence
from .several_values import make_several_values
from .shifts import make_shifts
from .short_nests import make_short_nests
from .sites import Site
from .statements import make_statements
from .storage import Extents, element_text, fill, make_array, make_permutation
from .stores_beside import make_stores_beside
from .strips import make_strips
from .targets import make_target
from .tasks import make_tasks
from .thread_numbers import make_thread_numbers
from .transpositions import make_transposition
from .tree import Program, Stmt, line, literally
from .turns import make_turns
from .unswitched import make_unswitched
from .variable_rows import make_variable_rows
from .wraps import make_wraps

PRELUDE = """\
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
@HEADERS@#define PRAGMA(...) PRAGMA_(__VA_ARGS__)
#define PRAGMA_(...) _Pragma(#__VA_ARGS__)
#define CHECK_INTEGERS(name, count, element) do { \\
        unsigned long long hash_ = 14695981039346656037ULL; \\
        for (long q = 0; q < (long)(count); q++) hash_ = (hash_ ^ (unsigned long long)(element)) * 1099511628211ULL; \\
        printf("%s I %llx\\n", name, hash_); fflush(stdout); } while (0)
#define CHECK_REALS(kind, name, count, element) do { \\
        double sum_ = 0, size_ = (count); \\
        for (long q = 0; q < (long)(count); q++) \\
            sum_ += (element) * (1 + q % 7), size_ += fabs((double)(element)) * 7; \\
        printf("%s %s %.17g %.17g\\n", name, kind, sum_, size_); fflush(stdout); } while (0)
#define CHECK_EXACT(name, count, element) CHECK_REALS("E", name, count, element)
#define CHECK_FINE(name, count, element) CHECK_REALS("F", name, count, element)
#define CHECK_COARSE(name, count, element) CHECK_REALS("C", name, count, element)
#define malloc(bytes) malloc((bytes) + ROOM)
#define calloc(count, bytes) calloc((count) + ROOM / (bytes), bytes)
""".replace("@HEADERS@", HEADERS + OF_SCRATCH)

_ROOM = (0, 70_000, 600)
"""Bytes by which the heap blocks of a case are larger than its arrays: with pages of their own, rows in slabs."""


@dataclass(frozen=True, slots=True)
class Case:
    """A program of its own; its names begin with c and its number."""

    number: int
    program: Program

    @property
    def function(self) -> str:
        return f"c{self.number}"


def make_case(seed: int, number: int, only: tuple[str, ...] = ()) -> Case:
    """The case `number` of the seed; always the same. `only`: the kinds of its segments, which are names of MAKERS."""
    rng = random.Random(f"{seed}:{number}")
    prefix = f"c{number}"
    site = Site(rng, Names(rng, prefix), [])
    extents = _extents(site)
    _prepare(site, extents)
    filled = [fill(site, a) for a in site.arrays if a.kind != "middle"]
    segments: list[Stmt] = []
    for _ in range(rng.randint(2, 5)):
        segments += make_segment(site, only)
    checks = [
        check(site, a.name, a.size, literally(element_text(a), a.elem), a.quality)
        for a in site.arrays
        if a.kind != "middle"
    ]
    frees = [line(f"free({a.name});") for a in site.arrays if a.kind == "heap"]
    body = (*site.top, *filled, *segments, *checks, *frees)
    main = Stmt((f"static void {prefix}(void)",), body, pinned=True)
    return Case(number, (*site.file, main))


def _extents(site: Site) -> Extents:
    rng = site.rng
    n = rng.choice([1, 2, 7, 16, 33, 50, 64, 100, 100, 129, 257, 300])
    rows, columns = rng.choice([1, 3, 4, 8, 17]), rng.choice([1, 2, 5, 8, 20])
    texts = []
    for stem, value in (("n", n), ("rows", rows), ("m", columns)):
        kind = rng.choice(["local", "local", "macro", "enum", "number", "global"])
        if kind == "number":
            texts.append(str(value))
            continue
        name = site.names.local(stem) if kind == "local" else site.names.file_scope(stem.upper())
        if kind == "local":
            site.declare(f"{rng.choice(['int', 'int', 'const int', 'long'])} {name} = {value};", name)
        elif kind == "macro":
            site.file.append(line(f"#define {name} {value}", pinned=True))
        elif kind == "enum":
            site.file.append(line(f"enum {{ {name} = {value} }};", pinned=True))
        else:
            site.file.append(line(f"static int {name} = {value};", pinned=True))
            site.variables.add(name)
        site.sizes.append((name, value))
        texts.append(name)
    return Extents(n, rows, columns, *texts)


def _prepare(site: Site, extents: Extents) -> None:
    """Arrays, scalars, functions and macros that the segments use."""
    rng = site.rng
    while len(site.arrays) < rng.randint(3, 6):
        for a in make_array(site, extents):
            site.arrays.append(a)
            site.variables.add(a.name)
    for _ in range(rng.choice([0, 0, 1, 1, 2])):
        if (permutation := make_permutation(site, extents)) is not None:
            site.permutations.append(permutation)
    for _ in range(rng.choice([1, 2, 3])):
        place = place_of(site.names.local(), rng.choice([INT, INT, LONG, DOUBLE, UINT, SHORT, CHAR]), EXACT)
        value = site.maker(replace(site, arrays=[]).scope()).literal()
        text = print_program((line(value),)).strip() if not place.type.floating else rng.choice(["0.5", "3.0", "-2.25"])
        site.declare(f"{place.type.name} {place.pieces[0]} = {text};", str(place.pieces[0]))
        site.scalars.append(place)
    for make, most in (
        (add_macro, 1),
        (add_function, 2),
        (add_updater, 1),
        (add_struct, 1),
        (add_union, 1),
        (add_rows, 1),
    ):
        for _ in range(rng.randint(0, most)):
            make(site)


def make_segment(site: Site, only: tuple[str, ...] = ()) -> list[Stmt]:
    """One step of the case's main function."""
    chosen = {name: MAKERS[name] for name in only} or MAKERS
    makers, weights = zip(*chosen.values(), strict=True)
    make: Maker = site.rng.choices(makers, weights)[0]
    return make(site)


def _wish(site: Site) -> Wish:
    style = site.rng.choice(["line"] * 12 + ["_Pragma", "macro"])
    directive = site.rng.choice(["parallel for"] * 12 + ["parallel for simd"])
    return Wish(directive, cells="simd" not in directive, style=style)


def _loop(site: Site) -> list[Stmt]:
    before, loop, after, _ = make_nest(site, _wish(site))
    return [*before, loop, *after]


def _host(site: Site) -> list[Stmt]:
    before, loop, after, _ = make_nest(site, Wish(""))
    return [*before, loop, *after]


def _function(site: Site) -> list[Stmt]:
    calls, after, _ = call_of_loops(site, Wish())
    return [*calls, *after]


def _steps(site: Site) -> list[Stmt]:
    """A time loop around other segments."""
    inside = [*_loop(site), *(_swap(site) or _host(site))]
    step = site.names.local("step")
    return [Stmt((f"for (int {step} = 0; {step} < {site.rng.choice([2, 3])}; {step}++)",), tuple(inside), unwraps=True)]


def _swap(site: Site) -> list[Stmt]:
    """Two pointers to blocks of the same kind change places."""
    heap = [
        a for a in site.arrays if a.kind == "heap" and not any(b.group == a.group and b is not a for b in site.arrays)
    ]
    for a in heap:
        for b in heap:
            same = (a.elem, a.dims, a.lo, a.hi, a.quality) == (b.elem, b.dims, b.lo, b.hi, b.quality)
            if a is not b and same and "const" not in a.marks[0]:
                t = site.names.local("swap")
                text = f"{{ {a.elem.name} *{t} = {a.name}; {a.name} = {b.name}; {b.name} = {t}; }}"
                return [line(text)]
    return []


def _scalar(site: Site) -> list[Stmt]:
    """Host code that reads elements into a variable."""
    known = [s for s in site.scalars if str(s.pieces[0]) in site.variables]
    if not known:
        return []
    place = site.rng.choice(known)
    return [line(place, " = ", site.maker().value(place, 2), ";")]


Maker = Callable[[Site], list[Stmt]]
MAKERS: dict[str, tuple[Maker, int]] = {
    "loop": (_loop, 10), "host": (_host, 3), "function": (_function, 4), "region": (make_region, 3),
    "target": (make_target, 1), "swap": (_swap, 1), "steps": (_steps, 1), "alias": (alias_calls, 1),
    "scalar": (_scalar, 1), "product": (make_product, 1), "pairs": (make_pairs, 1), "linear": (make_linear, 2),
    "between": (make_between, 2), "transposition": (make_transposition, 1),
    "several-values": (make_several_values, 2), "library-call": (make_library_call, 2),
    "last-bits": (make_last_bits, 3), "equal": (make_equal, 1), "sequence": (make_sequence, 3),
    "critical": (make_criticals, 1), "quotient": (make_quotients, 1), "bounds": (make_changing_bounds, 1),
    "thread-numbers": (make_thread_numbers, 1), "scan": (make_scan, 1),
    "narrow": (make_narrow, 1), "pixels": (make_pixels, 1), "ordered": (make_ordered, 1),
    "variable-rows": (make_variable_rows, 1), "unswitched": (make_unswitched, 1),
    "adjacent": (make_adjacent, 1), "kept-apart": (make_kept_apart, 1),
    "pivots": (make_pivots, 1), "former-values": (make_former_values, 1),
    "last-iterations": (make_last_iterations, 1), "stores-beside": (make_stores_beside, 1),
    "coalesced": (make_coalesced, 1),
    "short-nests": (make_short_nests, 1),
    "statements": (make_statements, 1), "chains": (make_chains, 1),
    "recurrences": (make_recurrences, 1), "edges": (make_edges, 1),
    "producers": (make_producers, 1), "strips": (make_strips, 1),
    "wraps": (make_wraps, 1), "components": (make_components, 1),
    "returned": (make_returned, 1), "counting": (make_counting, 1),
    "turns": (make_turns, 1), "inspected": (make_inspected, 1),
    "counts": (make_counts, 1), "collected": (make_collected, 1),
    "pieces": (make_pieces, 1), "shifts": (make_shifts, 1), "inductions": (make_inductions, 1),
    "tasks": (make_tasks, 1), "common-rows": (make_common_rows, 1),
    "scratch": (make_scratch, 1), "divided": (make_divided, 1), "boxes": (make_boxes, 1),
}  # fmt: skip
"""The kinds of segments, and how often each is made."""


def print_file(cases: list[Case]) -> str:
    """The C text of a file with these cases."""
    texts = [
        f"\n/* case {c.number} */\n#undef ROOM\n#define ROOM {_ROOM[c.number % len(_ROOM)]}\n{print_program(c.program)}"
        for c in cases
    ]
    calls = "".join(f"    if (wanted(argc, argv, {c.number})) {c.function}();\n" for c in cases)
    chosen = (
        "\nstatic int wanted(int argc, char **argv, int number)\n{\n    for (int k = 1; k < argc; k++)\n"
        "        if (atoi(argv[k]) == number) return 1;\n    return argc < 2;\n}\n"
    )
    return f"{PRELUDE}{''.join(texts)}{chosen}\nint main(int argc, char **argv)\n{{\n{calls}    return 0;\n}}\n"
