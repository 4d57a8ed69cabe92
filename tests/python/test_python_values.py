"""Scalars, structs, pointers and variables between Python and C; what is said where they do not fit."""

from __future__ import annotations

import array
import ctypes
import inspect
import pydoc
from typing import Any

import numpy as np
import pytest

from ompc.python.library import Library

BODY: Any = np.dtype({
    "names": ["position", "mass", "id"],
    "formats": [("f8", 3), "f4", "i4"],
    "offsets": [0, 24, 28],
    "itemsize": 32,
})  # fmt: skip

RANGES = [
    ("as_signed_char", -128, 127),
    ("as_unsigned_char", 0, 255),
    ("as_short", -(2**15), 2**15 - 1),
    ("as_unsigned_short", 0, 2**16 - 1),
    ("plus_one", -(2**31), 2**31 - 1),
    ("as_unsigned_int", 0, 2**32 - 1),
    ("as_long", -(2**63), 2**63 - 1),
    ("as_long_long", -(2**63), 2**63 - 1),
    ("as_unsigned_long", 0, 2**64 - 1),
    ("as_size", 0, 2**64 - 1),
    ("as_color", 0, 2**32 - 1),
]


@pytest.mark.parametrize(("name", "least", "most"), RANGES)
def test_integers_are_checked(values: Library, name: str, least: int, most: int) -> None:
    function = getattr(values, name)
    if name != "plus_one":
        assert [function(least), function(most)] == [least, most]
    assert function(np.int8(7)) == function(7)
    for wrong in (least - 1, most + 1):
        with pytest.raises(ValueError, match=f"from {least} to {most}, got {wrong}"):
            function(wrong)
    for strange in (1.0, "1", None, np.float64(1), np.zeros(1)):
        with pytest.raises(TypeError, match=rf"^{name}\(\), parameter '.* x': expected an integer, got "):
            function(strange)


def test_other_scalars(values: Library) -> None:
    assert values.as_bool(True) is True and values.as_bool(0) is False and values.as_bool(17) is True
    assert [values.as_char(b"a"), values.as_char(b"\xff"), values.as_char(-3)] == [97, -1, -3]
    assert values.as_float(0.1) == np.float32(0.1) and values.as_double(np.float32(0.5)) == 0.5
    assert values.as_double(3) == 3.0 and values.as_long_double(1.5) == 1.5
    assert values.nothing() is None
    with pytest.raises(TypeError, match="expected a number, got '1'"):
        values.as_double("1")
    for name, value in [("as_double", 10**400), ("as_float", 1e60), ("as_float", np.float64(-1e60))]:
        with pytest.raises(OverflowError, match=rf"^{name}\(\), parameter '.* x': .* which is too large"):
            getattr(values, name)(value)
    assert values.as_float(float("-inf")) == -np.inf and values.as_double(np.float32("inf")) == np.inf
    assert np.isnan(values.as_float(np.nan)) and values.as_float(1e-60) == 0


def test_structs(values: Library) -> None:
    body = np.array(([1, 2, 3], 4, 5), BODY)
    moved = values.moved(body, 10)
    assert moved["position"].tolist() == [11, 2, 3] and moved["id"] == 5 and body["position"][0] == 1
    assert values.moved(([1, 0, 0], 1, 2), 1)["position"][0] == 2
    assert values.moved({"position": [1, 0, 0], "mass": 1, "id": 2}, 1)["mass"] == 1
    assert values.moved(moved, 1)["position"][0] == 12
    values.move(body, 5)
    assert body["position"][0] == 6
    flags = values.with_a(values.with_a.parameter_type(0)(2, 3, 4), 7)
    assert (flags.a, flags.b, flags.rest) == (7, 3, 4)
    for wrong in (1, ([1, 0], 1, 2), {"mass": 1}, np.zeros((), "f8"), np.zeros(1, BODY)):
        with pytest.raises(TypeError, match=r"^moved\(\), parameter 'struct body b': expected"):
            values.moved(wrong, 1)


def test_what_c_returns_is_passed_back(values: Library) -> None:
    made = values.field_new(5)
    values.field_step(made)
    values.field_step(values.same(made))
    assert values.field_cells(made) == values.field_cells(values.field_read()) == 7
    assert repr(made) == f"<field * {made:#x}>" and made == values.globals.current and values.field_new(0) is None
    assert ctypes.cast(made, ctypes.POINTER(ctypes.c_int))[0] == 0
    for call, said in [
        (lambda: values.field_step(values.field_read()), "got <const field \\* 0x"),
        (lambda: values.move(made, 1), "got <field \\* 0x"),
        (lambda: values.field_step(5), "got 5 \\(int\\)"),
        (lambda: values.same_opaque(made), "got <field \\* 0x"),
    ]:
        with pytest.raises(TypeError, match=said):
            call()


def test_texts_end_with_a_zero(values: Library) -> None:
    for text in (np.array(b"abc"), np.array([b"ab", b"cde"]), np.array(b"abc", "S9")):
        assert values.length(text) == (2 if text.size == 2 else 3)
    values.fill(np.array(b"abc", "S4"), 3)
    with pytest.raises(ValueError, match=r"with a zero at the end, got .* without; a view as np\.uint8"):
        values.fill(np.array(b"abc"), 3)


def test_arrays_that_are_no_plain_data(values: Library, loops: Library) -> None:
    masked = np.ma.array([1.0, 2], mask=[False, True])
    for takes in (values.first, values.same, loops.to_device):
        with pytest.raises(ValueError, match="without a mask"):
            takes(masked)
    for takes in (values.same, loops.to_device):
        with pytest.raises(TypeError, match=r"of objects of Python"):
            takes(np.array([object()], dtype=object))
    with pytest.raises(TypeError, match=r"expected an array of NumPy, got a list; np.array\(..., dtype\) makes one"):
        loops.to_device([1, 2, 3])


def test_nested_structs(values: Library) -> None:
    sample = values.sum_of_grid.parameter_dtype(0)
    records = np.zeros(2, sample)
    records["grid"] = 2
    assert values.sum_of_grid(records, 2) == 24 and sample.itemsize == 56
    with pytest.raises(TypeError, match="of 45 bytes array of shape"):
        values.sum_of_grid(np.zeros(2, [("tag", "i1"), ("body", BODY), ("grid", "i2", (2, 3))]), 2)
    made = values.moved.parameter_type(0)(mass=3)
    values.move(made, 2.0)
    assert (made.position[0], made.mass) == (2.0, 3.0)


def test_pointers(values: Library) -> None:
    assert values.length(b"four") == 4 and values.length(None) == 0
    buffer = np.zeros(4, np.int8)
    values.fill(buffer, 3)
    assert bytes(buffer) == b"xxx\0"
    text = np.array(b"many", "S8")
    assert values.length(text) == 4
    assert values.first(None) == -1 and values.first(np.array([2.5, 1])) == 2.5 and values.first(np.array(4.0)) == 4
    assert values.same(None) is None and values.same(12345) == 12345
    assert values.same(buffer) == buffer.ctypes.data and values.same_opaque(77) == 77
    assert ctypes.string_at(values.a_text()) == b"text"
    assert values.same(ctypes.c_void_p(5)) == 5 and values.same(ctypes.pointer(ctypes.c_int(1))) != 0
    square = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)(lambda x: x * x)
    assert values.call(square, 7) == 49
    assert values.first((ctypes.c_double * 2)(8, 9)) == 8
    rows = [np.arange(3.0), np.ones(3)]
    assert values.sum_of_rows(rows, 2, 3) == 6
    assert values.imaginary(np.array([1 + 2j])) == 2
    short = np.array([3], np.int16)
    assert values.fixed(np.full((3, 4), 2, "f4"), 1, np.array([5, 6], np.int32), short) == 11


@pytest.mark.parametrize(
    ("call", "error", "said"),
    [
        (lambda v: v.length("text"), TypeError, "got 'text' (str); encode it to bytes"),
        (lambda v: v.fill(b"abc", 3), TypeError, "memory that can be written to, got bytes"),
        (lambda v: v.first([1.0]), TypeError, "got a list; np.array(..., \"float64\") makes an array of it"),
        (lambda v: v.first([1, 2, 3]), TypeError, 'np.array(..., "float64") makes an array of it'),
        (lambda v: v.first(np.array([1, 2, 3])), TypeError, "got an int64 array of shape (3,)"),
        (lambda v: v.first(np.zeros(1, "u1")), TypeError, "got a uint8 array of shape (1,)"),
        (lambda v: v.first(array.array("d", [1])), TypeError, "got an array"),
        (lambda v: v.first(5), TypeError, "expected a C-contiguous array of float64, got 5 (int)"),
        (lambda v: v.first(np.zeros(2, "f4")), TypeError, "array of float64, got a float32 array of shape (2,)"),
        (lambda v: v.first(np.zeros(2, ">f8")), TypeError, "got a float64 of the other byte order array"),
        (lambda v: v.first((ctypes.c_int * 2)()), TypeError, "c_double of ctypes"),
        (lambda v: v.fixed(np.zeros((3, 5), "f4"), 1, np.zeros(2, "i4"), None), ValueError, "(3 or more, 4), got a"),
        (lambda v: v.fixed(None, 3, np.zeros(3, "i4"), None), ValueError, "of shape (n + 1 = 4 or more,), got a"),
        (lambda v: v.sum_of_rows([np.zeros(1, "f4")], 1, 1), TypeError, "element 0: expected a C-contiguous"),
        (lambda v: v.sum_of_rows(np.zeros((2, 2)), 1, 1), TypeError, "expected a list of arrays"),
        (lambda v: v.conjugate(1j), TypeError, "conjugate() cannot be called from Python: ompc cannot pass a"),
        (lambda v: v.print(b"x"), TypeError, "takes a variable number of arguments"),
        (lambda v: v.plus_one(), TypeError, "int plus_one(int x) takes 1 argument; missing: x"),
        (lambda v: v.plus_one(1, 2), TypeError, "takes 1 argument, 2 were given"),
        (lambda v: v.plus_one(1, x=2), TypeError, "plus_one() got two values for 'x'"),
        (lambda v: v.plus_one(y=2), TypeError, "plus_one() has no parameter 'y': int plus_one(int x)"),
        (lambda v: v.plus_on(1), AttributeError, "has no function plus_on; is it plus_one?"),
        (lambda v: v.hidden, AttributeError, "has no function hidden"),
    ],
)
def test_what_does_not_fit_is_said(values: Library, call: Any, error: type[Exception], said: str) -> None:
    with pytest.raises(error) as raised:
        call(values)
    assert said in str(raised.value)


def test_what_a_function_says_of_itself(values: Library) -> None:
    assert inspect.getdoc(values.plus_one) == (
        "int plus_one(int x)\n\nThe value\nand one.\n\nParameters:\n    x: an integer\n\n"
        "Raises:\n    TypeError: arguments of another type\n    ValueError: an integer that does not fit"
    )
    moved = inspect.getdoc(values.moved)
    assert moved.startswith("struct body moved(struct body b, double by)\n\nMoves a body.\n  by: how far\n\nParam")
    assert "    b: a record of (position: float64 x 3, mass: float32, id: int32)" in moved
    assert "    by: a number\n" in moved
    assert inspect.getdoc(values.nothing) == "void nothing(void)"
    fixed = inspect.getdoc(values.fixed)
    for line in [
        "t: a C-contiguous array of float32 of shape (3 or more, 4), which may be written to",
        "b: a C-contiguous array of int32 of shape (n + 1 or more,), which may be written to",
        "c: a C-contiguous array of int16 of shape (any,)",
        "ValueError: an integer that does not fit; an array of another shape or order; a loop that would leave one",
    ]:
        assert f"    {line}\n" in fixed
    assert "    x: a C-contiguous array of float64 of any shape\n" in inspect.getdoc(values.first)
    said = pydoc.plain(pydoc.render_doc(values))
    for line in ["int plus_one(int x)", "    The value", "const double limit", "<ompc library values.c"]:
        assert line in said
    assert inspect.getdoc(type(values)).startswith("C functions as attributes")
    assert (
        str(inspect.signature(values.fixed))
        == "(t: 'float [3][4]', n: 'int', b: 'int [n + 1]', c: 'const short []') -> 'int'"
    )
    assert list(inspect.signature(getattr(values, "lambda")).parameters) == ["in_", "unused", "from_"]
    assert getattr(values, "lambda")(2, 1, from_=4) == 8
    assert repr(values.plus_one) == "<plus_one: int plus_one(int x)>"
    assert repr(values).startswith("<ompc library values.c: ") and repr(values).endswith(" functions (host)>")
    assert "plus_one" in dir(values) and "hidden" not in dir(values)


def test_names_of_libc_are_the_library_s_own(values: Library) -> None:
    assert values.twice_dirname(4) == 8


def test_variables(values: Library) -> None:
    variables = values.globals
    assert dir(variables) == ["count", "current", "limit", "message", "ready", "sun", "table"]
    assert (variables.count, variables.limit, variables.ready) == (3, 2.5, False)
    variables.count, variables.ready = np.int64(4), True
    assert (variables.count, variables.ready) == (4, True)
    assert variables.table.tolist() == [[1, 2, 3], [4, 5, 6]]
    variables.table[1, 2] = 7
    assert variables.table[1, 2] == 7
    variables.table = 1.5
    assert variables.table.sum() == 9
    variables.sun["mass"] = 2
    assert variables.sun["mass"] == 2 and ctypes.string_at(variables.message) == b"text"
    variables.sun = ([1, 2, 3], 4, 5)
    assert variables.sun["position"].tolist() == [1, 2, 3]
    for name, value, said in [
        ("limit", 1.0, "'const double limit' is constant"),
        ("message", 5, "'char \\*message' is a pointer"),
        ("other", 1, "no variable other"),
    ]:
        with pytest.raises(AttributeError, match=said):
            setattr(variables, name, value)
    with pytest.raises(ValueError, match="'int count': expected an integer from"):
        variables.count = 2**40
    with pytest.raises(AttributeError):
        assert variables.hidden
