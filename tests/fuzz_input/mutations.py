"""Programs that nobody would write: the repository's own test programs, mutated.

bytes      a piece deleted, doubled, cut off, overwritten; odd bytes inserted
tokens     deleted, doubled, swapped, replaced by tokens of C that may stand nowhere
pragmas    lines made from the tables of OpenMP's grammar: every clause on every directive, arguments of the right
           shape and of the wrong one, in any place
"""

from __future__ import annotations

import re
from pathlib import Path

from hypothesis import strategies as st

from ompc.omp.grammar import CLAUSES, DIRECTIVES, Shape

ROOT = Path(__file__).parents[2]
LARGEST = 5000
PROGRAMS = tuple(
    path.read_bytes()
    for folder in ("tests/execution/cases", "tests/omp/cases", "benchmarks/programs")
    for path in sorted((ROOT / folder).glob("*.c"))
    if path.stat().st_size < LARGEST
)

_TOKEN = re.compile(rb"\w+|\s+|\"[^\"\n]*\"|#[^\n]*|.", re.DOTALL)
_ODD_BYTES = (
    b"\0", b"\xff", b"\xc3", b"\r", b"\f", b"\\\n", b"\\", b"/*", b"*/", b"//", b'"', b"'", b"#", b"??=",
    b"\xef\xbb\xbf", b"{", b"}", b"(", b")", b"[", b";", b",", b"((((((((", b"{{{{{{{{", b"0x", b"1e", b"'''",
    b"\n#line 3 \"x.c\"\n",
)  # fmt: skip
_ODD_TOKENS = (
    *(b"int", b"double", b"struct s", b"union { int u; }", b"typedef", b"static", b"extern", b"const", b"volatile"),
    *(
        b"_Bool",
        b"_Complex",
        b"__int128",
        b"long long",
        b"unsigned char",
        b"void",
        b"*",
        b"&",
        b"->",
        b"...",
        b"?",
        b":",
    ),
    *(
        b"case 1:",
        b"default:",
        b"break;",
        b"continue;",
        b"goto out;",
        b"out:",
        b"return",
        b"sizeof",
        b"for (;;)",
        b"else",
    ),
    *(
        b"while (0)",
        b"do",
        b"switch (1)",
        b"0",
        b"-1",
        b"1u",
        b"0.5f",
        b"1L << 40",
        b"'a'",
        b'"text"',
        b"i",
        b"n",
        b"++",
    ),
    *(b"__attribute__((aligned(8)))", b"({ 1; })", b"(int){3}", b"[0 ... 3] = 1", b".x = 1", b"_Alignas(16)", b"x[0]"),
    *(b"_Generic(1, int: 2)", b"__extension__", b"__typeof__(i)", b'_Static_assert(1, "");', b"#define i j\n"),
)
_ARGUMENTS = (
    *("n", "i", "a", "sum", "i, n", "a[0:n]", "a[:]", "+:sum", "max : sum", "-: n", "foo: sum", "tofrom: a[0:10]", "1"),
    *(
        "static",
        "static, 4",
        "monotonic: dynamic, n",
        "runtime",
        "none",
        "shared",
        "parallel: n > 1",
        "n + 1",
        "0",
        "-3",
    ),
    *("2", "99999999999999999999", "", ",", ":", "(", "))", "((", "a b c", '"x"', "'", "1 +", "n ? 1 : 2", "source"),
    *(
        "sink: i - 1",
        "concurrent",
        "close",
        "i: 2",
        "val(i): 2",
        "\\",
        "a[i",
        "*a",
        "&n",
        "omp_default_mem_alloc: a",
        "#",
    ),
)
_WORDS = tuple(
    sorted({*DIRECTIVES, *CLAUSES, "omp", "paralel", "fro", "Parallel", "acc", "once", "pack(1)", "GCC ivdep"})
)


@st.composite
def clauses(draw: st.DrawFn) -> str:
    name = draw(st.sampled_from(sorted(CLAUSES)))
    if CLAUSES[name].shape is Shape.NONE and draw(st.integers(0, 3)):
        return name
    return f"{name}({draw(st.sampled_from(_ARGUMENTS))})" if draw(st.integers(0, 9)) else name


@st.composite
def pragmas(draw: st.DrawFn) -> str:
    """The text after `#pragma`."""
    kind = draw(st.integers(0, 9))
    if kind == 0:
        return " ".join(draw(st.lists(st.sampled_from(_WORDS), max_size=6)))
    if kind == 1:
        return "omp " + draw(st.text(st.characters(exclude_characters="\n\r"), max_size=30))
    directive = draw(st.sampled_from(sorted(DIRECTIVES)))
    own = sorted(DIRECTIVES[directive].clauses)
    some = draw(st.lists(clauses(), max_size=4))
    if own and kind > 4:  # mostly clauses that the directive takes
        names = draw(st.lists(st.sampled_from(own), max_size=3))
        some += [f"{name}({draw(st.sampled_from(_ARGUMENTS))})" for name in names]
    separator = draw(st.sampled_from((" ", ", ", "  ", ",,")))
    argument = draw(st.sampled_from(("", "", "", "(n)", "(", "()")))
    return f"omp {directive}{argument} {separator.join(some)}".rstrip()


@st.composite
def with_mutated_bytes(draw: st.DrawFn, program: bytes) -> bytes:
    at, end = sorted((draw(st.integers(0, len(program))), draw(st.integers(0, len(program)))))
    piece = program[at : min(end, at + draw(st.integers(0, 60)))]
    match draw(st.integers(0, 4)):
        case 0:
            return program[:at]
        case 1:
            return program[:at] + program[at + len(piece) :]
        case 2:
            return program[:at] + piece * draw(st.integers(2, 4)) + program[at + len(piece) :]
        case 3:
            return program[:at] + draw(st.sampled_from(_ODD_BYTES)) + program[at:]
        case _:
            return program[:at] + draw(st.binary(max_size=4)) + program[at + 1 :]


@st.composite
def with_mutated_tokens(draw: st.DrawFn, program: bytes) -> bytes:
    tokens = _TOKEN.findall(program)
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, max(0, len(tokens) - 1)))
        match draw(st.integers(0, 3)):
            case 0:
                del tokens[at : at + 1]
            case 1:
                tokens[at:at] = tokens[at : at + 1]
            case 2:
                other = draw(st.integers(0, max(0, len(tokens) - 1)))
                tokens[at : at + 1] = tokens[other : other + 1]
            case _:
                tokens[at : at + 1] = [b" ", draw(st.sampled_from(_ODD_TOKENS)), b" "]
    return b"".join(tokens)


@st.composite
def with_mutated_pragmas(draw: st.DrawFn, program: bytes) -> bytes:
    lines = program.split(b"\n")
    places = [number for number, line in enumerate(lines) if b"#pragma" in line]
    for _ in range(draw(st.integers(1, 2))):
        line = b"#pragma " + draw(pragmas()).encode("utf-8", "surrogatepass")
        if places and draw(st.booleans()):
            at = draw(st.sampled_from(places))
            lines[at] = line if draw(st.booleans()) else lines[at] + b" " + draw(clauses()).encode()
        else:
            lines.insert(draw(st.integers(0, len(lines))), line)
    return b"\n".join(lines)


@st.composite
def programs(draw: st.DrawFn) -> bytes:
    program = draw(st.sampled_from(PROGRAMS))
    for _ in range(draw(st.integers(1, 2))):
        mutate = draw(st.sampled_from((with_mutated_bytes, with_mutated_tokens, with_mutated_pragmas)))
        program = draw(mutate(program))
    return program
