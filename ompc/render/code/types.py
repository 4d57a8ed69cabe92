"""C types and declarations as CUDA C++ text.

Typedefs are printed as what they stand for, enumerations as their integer type (C lets every integer into an enum;
C++ does not), records by their tag in the program's namespace.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.show import integer_text
from ompc.plan.model.names import Name, first_free, spelled
from ompc.render.code.macro_names import MacroNames
from ompc.sema.records import align_of

COPIES_KEEP = 16
"""A copy of a block on the device begins at the same address modulo so many bytes."""


class RecordNames:
    """Spelling of the records of one device file; one without a name is called after the first member that it is the
    type of, `block_read` of `struct block { struct { ... } read, write; }`. Equal tags of different scopes get
    numbers, and so does what is called as a function is: nvcc writes the types of parameters without `struct`.
    """

    def __init__(self, records: Iterable[ty.Record], functions: Iterable[str], hidden: Collection[str] = ()) -> None:
        """`hidden`: what objects and functions are called."""
        self._hidden = hidden
        self._names: dict[ty.Record, str] = {}
        taken, records = set(functions), tuple(records)
        places = _places(records)
        for record in records:
            self._names[record] = first_free(spelled(_wanted(record, places)), taken)
            taken.add(self._names[record])

    @property
    def all(self) -> frozenset[str]:
        return frozenset(self._names.values())

    def __getitem__(self, record: ty.Record) -> str:
        return self._names[record]

    def __contains__(self, record: ty.Record) -> bool:
        return record in self._names

    def is_one_word(self, record: ty.Record) -> bool:
        """Is `t` enough for `struct t`? C++ looks for an object with that name first."""
        return self._names[record] not in self._hidden


def _places(records: Iterable[ty.Record]) -> dict[ty.Record, tuple[ty.Record, str]]:
    """Of which record each is first the type of a member, or of its elements, and of which member."""
    found: dict[ty.Record, tuple[ty.Record, str]] = {}
    for record in records:
        for member in record.fields or ():
            kind: ty.Type = member.type
            while isinstance(kind, (ty.Array, ty.Pointer)):
                kind = kind.of if isinstance(kind, ty.Array) else kind.to
            if isinstance(kind, ty.Struct) and kind.record is not record and member.name is not None:
                found.setdefault(kind.record, (record, member.name))
    return found


def _wanted(record: ty.Record, places: Mapping[ty.Record, tuple[ty.Record, str]]) -> str:
    own = record.typedef_name or record.tag
    if own is not None or record not in places:
        return own or "anonymous"
    outer, member = places[record]  # further out at each step: what has no name stands within
    return f"{_wanted(outer, places)}_{member}"


class TypePrinter:
    def __init__(self, records: RecordNames, macros: MacroNames | None = None) -> None:
        self._records = records
        self._macros = macros or MacroNames()

    def declare(self, kind: ty.Type, name: Name = "") -> str:
        """The declaration of `name`, or of a declarator, with type `kind`: `declare(Pointer(DOUBLE), "p")` is
        "double *p".
        """
        declarator = str(name)
        match kind:
            case ty.Pointer(to=ty.Struct(record=record) as to) if record not in self._records:
                return self.declare(ty.Pointer(ty.Void(quals=to.quals), quals=kind.quals), declarator)
            case ty.Pointer(to=ty.Array() as to) if ty.is_variably_modified(
                to
            ):  # rows of variable length are flattened
                return self.declare(ty.Pointer(ty.element_of(to), quals=kind.quals), declarator)
            case ty.Pointer(to=to):
                inner = f"*{self._pointer_quals(kind)}{declarator}".rstrip()
                return self.declare(to, f"({inner})" if isinstance(to, ty.Array) else inner)
            case ty.Array(of=of, length=length):
                text = self._macros.text_of(kind) or (str(length) if isinstance(length, int) else "")
                return self.declare(of, f"{declarator}[{text}]")
            case _:
                name = self._base(kind)
                return f"{name}{'' if declarator[:1] in ('', '[') else ' '}{declarator}"

    def in_front_of_braces(self, kind: ty.Type) -> str:
        """The type of a compound literal, as the single word that C++ wants: `t` of `(struct t){1, 2}`."""
        if isinstance(kind, ty.Struct) and self._records.is_one_word(kind.record):
            return self._records[kind.record]
        return f"ompc::Type<{self.declare(ty.unqualified(kind))}>"

    @staticmethod
    def _pointer_quals(kind: ty.Pointer) -> str:
        words = {"const": "const ", "restrict": "__restrict__ "}
        return "".join(text for qual, text in words.items() if qual in kind.quals)

    def _base(self, kind: ty.Type) -> str:
        const = "const " if "const" in kind.quals else ""
        match kind:
            case ty.Void():
                return const + "void"
            case ty.Int(name=name):
                return const + ("bool" if name == "_Bool" else name)
            case ty.Float(name=name):
                return const + name
            case ty.Complex(of=of):
                return f"{const}ompc::Complex<{of.name}>"
            case ty.Enum(underlying=underlying):
                return const + underlying.name
            case ty.Struct(record=record):
                return f"{const}{record.kind} {self._records[record]}"
            case _:
                raise TypeError(f"no device type for {kind!r}")


def as_const(kind: ty.Type) -> ty.Type:
    """`kind` with const elements: the pointee type of a read-only array."""
    if isinstance(kind, ty.Array):
        return replace(kind, of=as_const(kind.of))
    return ty.qualified(kind, frozenset({"const"}))


def aligned_as_on_host(symbol: t.Symbol) -> str:
    """In front of the declaration of an array that pointers to larger types may lead into, since it has characters or
    stands for a block: arrays of 16 bytes and more are aligned to 16 (System V ABI for x86-64, 3.1.2), and blocks of
    `malloc` are.
    """
    kind, bytes_ = ty.element_of(symbol.type), ty.size_of(symbol.type)
    of_bytes = isinstance(symbol.type, ty.Array) and ty.size_of(kind) == 1 and symbol.address_taken
    raw = of_bytes or symbol.for_any_type
    return _alignas(COPIES_KEEP) if raw and bytes_ is not None and bytes_ >= COPIES_KEEP else ""


def first_of(kind: ty.Type) -> ty.Type:
    """What a pointer to an object points to: an array's first element or row, else the object."""
    return kind.of if isinstance(kind, ty.Array) else kind


def array_parameter(printer: TypePrinter, element: ty.Type, name: Name, const: bool, restrict: bool) -> str:
    """A kernel parameter through which an array is reached: `const double (*__restrict__ u)[200]`."""
    pointer = f"*__restrict__ {name}" if restrict else f"*{name}"
    return printer.declare(
        as_const(element) if const else element, f"({pointer})" if isinstance(element, ty.Array) else pointer
    )


def member_declarations(printer: TypePrinter, record: ty.Record) -> list[str]:
    """The members of a record as they stand between its braces; unnamed bit-fields are part of the layout."""
    lines: list[str] = []
    end = 0
    for member in record.fields or ():
        if member.bits is not None and record.kind == "struct":
            begin = 8 * member.offset + member.bits[0]
            lines += _padding(end, begin)
            end = begin + member.bits[1]
        else:
            begin = 8 * member.offset
            aligned = 8 * _on_device(max(align_of(member.type) or 1, member.align))
            if record.kind == "struct" and -(-end // aligned) * aligned < begin:  # behind `int : 0`
                lines += _padding(end, begin)
            end = max(end if record.kind == "union" else 0, begin + 8 * (ty.size_of(member.type) or 0))
        if member.name is None and isinstance(member.type, ty.Struct):
            head = f"{_alignas(member.align)}{declared_as(member.type.record)}{{"
            lines += [head, *("    " + line for line in member_declarations(printer, member.type.record)), "};"]
            continue
        name = "" if member.name is None else spelled(member.name)
        width = f" : {member.bits[1]}" if member.bits is not None else ""
        lines.append(f"{_alignas(member.align)}{printer.declare(_member_type(member.type), name)}{width};")
    aligned = 8 * _on_device(record.align or 1)
    if record.size is not None and -(-end // aligned) * aligned < 8 * record.size:
        if record.kind == "union":
            name = first_free("all_bytes", {member.name or "" for member in record.fields or ()})
            lines.append(f"unsigned char {name}[{record.size}];")
        else:
            lines += _padding(end, 8 * record.size)
    return lines


def declared_as(record: ty.Record, name: str = "") -> str:
    """What stands in front of the brace: `struct alignas(16) name `. C++ wants none that is less than it has anyway."""
    more = record.aligned > 1 and record.aligned == record.align
    return f"{record.kind} {_alignas(record.aligned if more else 0)}{name and name + ' '}"


def _alignas(bytes_: int) -> str:
    return f"alignas({_on_device(bytes_)}) " if bytes_ else ""


def _on_device(alignment: int) -> int:
    """Of what is aligned to so many bytes on the host: copies begin at the same address modulo COPIES_KEEP."""
    return min(alignment, COPIES_KEEP)


def _padding(begin: int, end: int) -> list[str]:
    """Unnamed bit-fields for the bits from `begin` to `end`, none of which crosses a byte, or a word."""
    lines: list[str] = []
    while begin < end:
        words = (end - begin) // 64 if begin % 64 == 0 else 0
        width = 64 * words or min(end - begin, 8 - begin % 8)
        lines.append(f"unsigned long long {', '.join([': 64'] * words)};" if words else f"unsigned char : {width};")
        begin += width
    return lines


def _member_type(kind: ty.Type) -> ty.Type:
    """A pointer to what the device does not have (a function, an opaque type) keeps its place and size."""
    if isinstance(kind, ty.Array):
        return replace(kind, of=_member_type(kind.of))
    return ty.Pointer(ty.VOID) if isinstance(kind, ty.Pointer) and not _is_known(kind.to) else kind


def _is_known(kind: ty.Type) -> bool:
    match kind:
        case ty.Pointer(to=of) | ty.Array(of=of):
            return _is_known(of) and not ty.is_variably_modified(kind)
        case ty.Void() | ty.Int() | ty.Enum() | ty.Struct():
            return True
        case ty.Float(size=size) | ty.Complex(of=ty.Float(size=size)):
            return size <= ty.DOUBLE.size
        case _:
            return False


def constant_text(node: t.IntConst, enumerators: Collection[str]) -> str:
    """An integer constant; `enumerators` are those that the file defines."""
    if node.text.isidentifier():
        return spelled(node.text) if node.text in enumerators else integer_text(node.value, node.type)
    if node.text.startswith("sizeof"):
        return f"{node.value}ul"  # may name types that the device file does not have
    return node.text
