"""Sizes, alignments, offsets and bit positions agree with the C compiler's."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ompc.ir import types as ty
from ompc.ir.queries import declarations_in
from ompc.ir.tree import Unit

SCALARS = (
    "char|signed char|unsigned char|short|unsigned|int|long|unsigned long|long long|float|double|long double|_Bool|\
char *|int (*)(void)".split("|")
)
BIT_TYPES = {"_Bool": 1, "char": 8, "unsigned char": 8, "short": 16, "int": 32, "unsigned": 32, "long": 64}


def member(rng: random.Random, name: str, earlier: list[str]) -> str:
    kind = rng.randrange(8)
    if kind < 3:
        bit_type = rng.choice(list(BIT_TYPES))
        width = rng.randint(0, BIT_TYPES[bit_type])
        return f"{bit_type} {name if width and rng.random() < 0.9 else ''} : {width};"
    if kind == 3 and earlier:
        return f"struct {rng.choice(earlier)} {name}[{rng.randint(1, 3)}];"
    if kind == 4:
        return f"union {{ {rng.choice(SCALARS[:12])} {name}a; {rng.choice(SCALARS[:12])} {name}b[3]; }};"
    if kind == 5:
        return f"_Alignas({rng.choice([4, 8, 16, 32])}) int {name};"
    if kind == 6:
        scalar, attribute = rng.choice(SCALARS[:13]), f"__attribute__((aligned({rng.choice([1, 2, 4, 8, 16])})))"
        return f"{attribute} {scalar} {name};" if rng.random() < 0.5 else f"{scalar} {name}[2] {attribute};"
    scalar = rng.choice(SCALARS)
    return f"int (*{name})(void);" if "(" in scalar else f"{scalar} {name}{rng.choice(['', '', '[3]', '[2][5]'])};"


def structs(rng: random.Random, count: int) -> Iterator[str]:
    names: list[str] = []
    for number in range(count):
        kind = "union" if rng.random() < 0.15 else "struct"
        body = " ".join(member(rng, f"m{i}", names) for i in range(rng.randint(1, 6)))
        tail = " int tail[];" if kind == "struct" and rng.random() < 0.1 else ""
        aligned = f"__attribute__((__aligned__({rng.choice([2, 8, 16])})))" if rng.random() < 0.2 else ""
        before, behind = (aligned, "") if rng.random() < 0.5 else ("", aligned)
        yield f"{kind} {before} S{number} {{ {body} int last;{tail} }} {behind};"
        if kind == "struct" and not tail:
            names.append(f"S{number}")


def fields(record: ty.Record, base: int = 0) -> Iterator[tuple[str, int, ty.Field]]:
    for field in record.fields or ():
        if field.name is not None:
            yield field.name, base + field.offset, field
        elif isinstance(field.type, ty.Struct):
            yield from fields(field.type.record, base + field.offset)


def named(unit: Unit) -> list[ty.Record]:
    return [r for r in unit.records if r.tag and r.tag.startswith("S")]


@pytest.mark.parametrize("seed", range(3))
def test_layouts_agree_with_the_compiler(
    seed: int, unit_of: Callable[[str], Unit], gcc_accepts: Callable[[str], None]
) -> None:
    text = "\n".join(structs(random.Random(seed), 120))
    lines = ["#include <stddef.h>", text]
    for record in named(unit_of(text)):
        spelled = f"{record.kind} {record.tag}"
        assert record.opaque is None
        lines.append(f'_Static_assert(sizeof({spelled}) == {record.size}, "size of {spelled}");')
        lines.append(f'_Static_assert(_Alignof({spelled}) == {record.align}, "alignment of {spelled}");')
        for name, offset, field in fields(record):
            if field.bits is None:
                lines.append(f'_Static_assert(offsetof({spelled}, {name}) == {offset}, "{spelled}.{name}");')
    gcc_accepts("\n".join(lines))


def test_bit_positions_agree_with_the_compiler(tmp_path: Path, unit_of: Callable[[str], Unit]) -> None:
    """Each bit-field is set to ones in a zeroed object; the bytes show where it lives."""
    text = "\n".join(structs(random.Random(7), 60))
    body, expected = [], []
    for record in named(unit_of(text)):
        for name, offset, field in fields(record):
            if field.bits is None or record.size is None:
                continue
            first = 8 * offset + field.bits[0]
            expected.append(sum(1 << bit for bit in range(first, first + field.bits[1])))
            body.append(
                f"{{ {record.kind} {record.tag} s; memset(&s, 0, sizeof s); s.{name} = -1; show(&s, sizeof s); }}"
            )
    program = (
        f"#include <stdio.h>\n#include <string.h>\n{text}\nstatic void show(void *p, size_t n)"
        '{ for (size_t i = n; i-- > 0;) printf("%02x", ((unsigned char *)p)[i]); puts(""); }\n'
        f"int main(void) {{ {chr(10).join(body)} return 0; }}"
    )
    (tmp_path / "bits.c").write_text(program)
    subprocess.run(["cc", "-w", "-o", str(tmp_path / "bits"), str(tmp_path / "bits.c")], check=True)
    output = subprocess.run([str(tmp_path / "bits")], capture_output=True, text=True, check=True).stdout
    assert len(expected) > 50
    assert [int(line, 16) for line in output.split()] == expected


@pytest.mark.parametrize(
    "declaration",
    [
        "struct __attribute__((packed)) S { char c; int i; };",
        "struct S { char c; int i; } __attribute__((__packed__));",
        "struct S { char c; int i __attribute__((packed)); };",
        "typedef struct S { char c; int i; } __attribute__((aligned(512))) T;",
        "typedef struct S { char c; int i; } T __attribute__((aligned(64)));",
        "typedef struct S { char c; int i; } T __attribute__((aligned(16)));",
        "struct __attribute__((packed)) S { char c; int i; } __attribute__((aligned(4)));",
        "struct __attribute__((aligned(16), packed)) S { char c; int i; };",
        "struct __attribute__((aligned(16))) S { char c; int i; } __attribute__((aligned(8)));",
        "struct __attribute__((aligned)) S { char c; int i; };",
        "struct __attribute__((aligned(sizeof(long)))) S { char c; int i; };",
        "struct S { char c; int i __attribute__((aligned(16))), j; };",
        "struct S { char c; int *__attribute__((aligned(16))) p; };",
        "struct S { char c; int i : 3 __attribute__((aligned(8))); };",
        "struct S { char c; int i __attribute__((aligned(16))) __attribute__((aligned(8))); };",
        "#pragma pack(1)\nstruct S { char c; int i; };\n#pragma pack()",
        "#pragma pack(push, 2)\nstruct S { char c; int i; };\n#pragma pack(pop)",
        "struct S { struct { char c; int i; } __attribute__((packed)) inner; };",
        "struct [[gnu::packed]] S { char c; int i; };",
    ],
)
def test_a_layout_that_attributes_change_is_opaque(declaration: str, unit_of: Callable[[str], Unit]) -> None:
    unit = unit_of(declaration + "\nstruct After { char c; int i; };")
    before, after = (next(r for r in unit.records if r.tag == tag) for tag in ("S", "After"))
    assert before.opaque is not None
    assert before.size is None
    assert (after.opaque, after.size) == (None, 8)


def test_harmless_attributes_leave_layouts_alone(unit_of: Callable[[str], Unit]) -> None:
    unit = unit_of(
        "struct S { char c; int i; } x __attribute__((aligned(64)));\n"
        "double a[4] __attribute__((aligned(64)));\n"
        "static inline __attribute__((always_inline)) int f(void) __attribute__((const));\n"
        "struct T { int used __attribute__((deprecated)); };"
    )
    assert [r.opaque for r in unit.records] == [None, None]
    assert [d.symbol.name for d in unit.variables] == ["x", "a"]
    assert unit.variables[1].symbol.type == ty.Array(ty.DOUBLE, 4)


@pytest.mark.parametrize(
    "declaration",
    ["typedef float v __attribute__((vector_size(16)));", "typedef int v __attribute__((mode(DI)));"],
)
def test_attributes_that_change_a_type_make_it_unknown(declaration: str, unit_of: Callable[[str], Unit]) -> None:
    unit = unit_of(declaration + " v x; int y;")
    assert isinstance(unit.variables[0].symbol.type, ty.Unknown)
    assert unit.variables[1].symbol.type == ty.INT


@pytest.mark.parametrize(
    ("declaration", "name"),
    [
        ("typedef int any __attribute__((__may_alias__)); any t;", "t"),
        ("__attribute__((cleanup(f))) int t = 1;", "t"),
        ("int s __attribute__((cleanup(f))) = 1, t __attribute__((cleanup(f)));", "t"),
        ("__attribute__((cleanup(f))) int s[2] = {1, 2}, t = 3;", "t"),
        ("__attribute__((cleanup(f))) int s = f(&(int){1}), *t;", "t"),
    ],
)
def test_objects_that_more_than_their_names_lead_to_are_unknown(
    declaration: str, name: str, unit_of: Callable[[str], Unit]
) -> None:
    unit = unit_of("int f(void *); void g(int u) { " + declaration + " }")
    body = unit.functions["g"].body
    assert body is not None
    symbols = {d.symbol.name: d.symbol for d in declarations_in(body)}
    assert isinstance(symbols[name].type, ty.Unknown)
    assert unit.functions["g"].params[0].type == ty.INT
