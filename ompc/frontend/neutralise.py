"""Rewrite GNU spellings in preprocessed text to what the parser knows.

glibc's headers, and many programs, are full of `__attribute__`, `__extension__`, `__restrict` and `asm`. The parser
knows standard C only, so these words are blanked or replaced, keeping lines (and, where possible, columns).

    extern int f (char *__restrict s) __attribute__ ((__nothrow__));   ->   extern int f (char *restrict   s)        ;

An attribute that changes a layout (`packed`, `aligned`, `vector_size`, ...) must not vanish silently: it leaves a
marker that the parser passes on, and sema makes the type opaque.

    struct __attribute__((packed)) S { char c; };        ->   struct   S { _Pragma("ompc opaque packed") char c; };
    typedef float v __attribute__((vector_size(16)));   ->   typedef float v; _Pragma("ompc opaque-names vector_size v")

So do those that change what an access may reach (`may_alias`), or what is done with a variable besides what the text
says (`cleanup`, whose function gets its address when its scope ends).

An alignment that is a number is the exception, of a struct or of a single member.

    struct __attribute__((aligned(16))) V { float x; };  ->   struct   V { _Pragma("ompc aligned 16") float x; };
    double d __attribute__((aligned(16)));               ->   _Alignas(16) double d  ;

So must none that says for which symbol a name stands; it becomes a specifier that frontend/gnu.py knows:

    extern double view[9] asm("a");                      ->   extern double view[9] _Alignas("ompc symbol asm a");

In system headers names stand for what the library calls so, whatever the symbol (`fopen` for fopen64).

In: text as `cc -E` wrote it.   Out: text for the parser.
Not here: `#pragma pack`, which the parser sees by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ompc.base.frozen import dataclass, field

OPAQUE_RECORD = "ompc opaque"
ALIGNED_RECORD = "ompc aligned"
OPAQUE_NAMES = "ompc opaque-names"
SYMBOL = "ompc symbol"
ASM_CALL = "__ompc_asm"
IMAGINARY_CALL = "__ompc_imaginary"  # 1.0iF becomes __ompc_imaginary(1.0F)

# Names that the compiler predefines as types; sema knows them by name (see sema/builtins.py).
PRELUDE = (
    "typedef int __builtin_va_list, __auto_type, __label__, _Float16, __bf16, _Decimal32, _Decimal64, _Decimal128;"
    " typedef __int128 __int128_t; typedef unsigned __int128 __uint128_t;\n"
)

_WORDS = {
    "__extension__": "",
    "__restrict": "restrict",
    "__restrict__": "restrict",
    "__inline": "inline",
    "__inline__": "inline",
    "__const": "const",
    "__const__": "const",
    "__volatile": "volatile",
    "__volatile__": "volatile",
    "__signed": "signed",
    "__signed__": "signed",
    "__thread": "_Thread_local",
    "__alignof": "_Alignof",
    "__alignof__": "_Alignof",
    "__complex": "_Complex",
    "__complex__": "_Complex",
    "__builtin_offsetof": "offsetof",
    "__typeof": "__typeof__",
    "__typeof__": "__typeof__",
    "_Float128": "long double",
    "__float128": "long double",
    "_Float64x": "long double",
    "_Float64": "double",
    "_Float32x": "double",
    "_Float32": "float",
}
_ATTRIBUTE = ("__attribute__", "__attribute", "__declspec")
_ASM = ("asm", "__asm", "__asm__")

_TOKEN = re.compile(
    r'"(?:\\.|[^"\\\n])*"'
    r"|'(?:\\.|[^'\\\n])*'"
    r"|^[ \t]*\#[^\n]*"
    r"|\[\s*\["
    r"|[{};]"
    r"|(?<![\w.])[0-9][0-9.]*(?:[eE][+-]?[0-9]+)?[fFlL]?[iIjJ][fFlL]?\b"
    r"|\b(?:" + "|".join([*_WORDS, *_ATTRIBUTE, *_ASM, "typeof", "struct", "union"]) + r")\b",
    re.MULTILINE,
)
_LAYOUT = re.compile(
    r"\b(?:__)?(packed|aligned|vector_size|mode|scalar_storage_order|transparent_union|ms_struct|gcc_struct"
    r"|ext_vector_type|address_space|warn_if_not_aligned|may_alias|hardbool|cleanup)(?:__)?\b"
)
_ALIGNED = re.compile(r"\b(?:__)?aligned(?:__)?\s*\(\s*([1-9]|1[0-6]|32|64|128|256)\s*\)")
_UP_TO_BRACE = re.compile(r"[^;{]*")
_RETYPES = re.compile(
    r"\b(?:__)?(vector_size|mode|ext_vector_type|address_space|may_alias|hardbool|cleanup)(?:__)?\b"
)
_LINKED = re.compile(
    r"\b(?:__)?(?P<how>alias|weakref|weak|ifunc|section)(?:__)?\b(?:\s*\((?P<target>(?:\s*\"[^\"]*\")+)\s*\))?"
)
_SYSTEM_MARKER = re.compile(r'# \d+ "(?:\\.|[^"\\])*"[ \d]*\b3\b')
_TYPEDEF = re.compile(r"(?:\s*#[^\n]*\n)*\s*typedef\b")
_ASM_HEAD = re.compile(r"\s*(?:(?:__)?(?:volatile|goto|inline)(?:__)?\s*)*\(")
_BRACKET = re.compile(r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|[()\[\]]")
_DECLARATION = re.compile(r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|[()\[\]{},;]")
_VALUE = re.compile(r"[={(]")
_IDENTIFIER = re.compile(r"[^\W\d]\w*")
_ASM_NAME = re.compile(r"(?<![%$.\w\\])[^\W\d]\w*")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_LABEL = re.compile(r'(?:\s*"[^"\\\n]*")+\s*')
_NON_NEWLINE = re.compile(r"[^\n]")


def neutralise(text: str) -> str:
    """`text` with GNU spellings gone; as many lines as before, after one line of `PRELUDE`.

    The caller must put a line marker between the prelude and the text; `cc -E` output starts with one.
    """
    return PRELUDE + _Rewriter(text).run()


@dataclass(slots=True)
class _Brace:
    """An open `{`: its piece in the output, whether it opens the members of a record, and whether in a typedef."""

    piece: int
    record: bool
    typedef: bool = False


@dataclass(slots=True)
class _Rewriter:
    text: str
    pieces: list[str] = field(default_factory=list)
    done: int = 0  # input consumed
    braces: list[_Brace] = field(default_factory=list)
    closed: _Brace | None = None  # the record whose `}` was the last token but words
    head: int | None = None  # piece index of the last `struct`/`union`
    pending: list[str] = field(default_factory=list)  # what attributes between `struct` and its `{` say
    names: dict[str, list[str]] = field(default_factory=dict)  # declared names to mark at the next `;`, by attributes
    start: int = 0  # piece index where the current declaration began
    system: bool = False  # in a system header?

    def run(self) -> str:
        for match in _TOKEN.finditer(self.text):
            if match.start() >= self.done:
                self._token(match.group(), match.start(), match.end())
        self.pieces.append(self.text[self.done :])
        return "".join(self.pieces)

    def _token(self, token: str, begin: int, end: int) -> None:
        first = token[0]
        if "#" in token and first not in "\"'":
            self.system = _SYSTEM_MARKER.match(token) is not None if token.startswith("# ") else self.system
            return
        if first in "\"'":
            return
        self.pieces.append(self.text[self.done : begin])
        self.done = begin
        if first in "{};":
            self._punctuation(token)
        elif first.isdigit():
            self._emit(f"{IMAGINARY_CALL}({re.sub('[iIjJ]', '', token)})", end)
        elif first == "[":
            self._attribute(self._balanced_end(begin))
        elif token in _ATTRIBUTE:
            self._attribute(self._balanced_end(end))
        elif token in _ASM:
            self._asm(end)
        elif token in ("struct", "union"):
            self.head = len(self.pieces)
            self._emit(token, end)
        elif token == "typeof":
            self._emit("__typeof__" if self.text[end : end + 8].lstrip().startswith("(") else token, end)
        else:
            self._emit(_WORDS[token].ljust(len(token)), end)

    def _emit(self, replacement: str, end: int) -> None:
        self.pieces.append(replacement)
        self.done = end

    def _punctuation(self, token: str) -> None:
        if token == "{":
            declaration = "".join(self.pieces[self.start :])
            brace = _Brace(len(self.pieces), self._opens_record(), _TYPEDEF.match(declaration) is not None)
            self._emit("{", self.done + 1)
            self.braces.append(brace)
            for mark in self.pending if brace.record else ():
                self._mark(brace, mark)
            self.pending, self.closed = [], None
        elif token == "}":
            brace = self.braces.pop() if self.braces else _Brace(0, False)
            self.closed = brace if brace.record else None
            self._emit("}", self.done + 1)
        else:
            marks = [f'_Pragma("{OPAQUE_NAMES} {why} {" ".join(names)}")' for why, names in self.names.items()]
            self._emit(token + "".join(marks), self.done + 1)
            self.names, self.closed, self.pending = {}, None, []
        self.head = None
        self.start = len(self.pieces)

    def _opens_record(self) -> bool:
        return self.head is not None and re.fullmatch(r"\s*\w*\s*", "".join(self.pieces[self.head + 1 :])) is not None

    def _mark(self, brace: _Brace, mark: str) -> None:
        self.pieces[brace.piece] += f'_Pragma("{mark}")'

    def _balanced_end(self, begin: int) -> int:
        """The end of the bracketed group that starts at or after `begin`."""
        depth = 0
        for match in _BRACKET.finditer(self.text, begin):
            if match.group() in "([":
                depth += 1
            elif match.group() in ")]":
                depth -= 1
                if depth == 0:
                    return match.end()
        return len(self.text)

    def _attribute(self, end: int) -> None:
        attribute = self.text[self.done : end]
        layout = _LAYOUT.findall(attribute)
        aligned = _ALIGNED.search(attribute) if layout == ["aligned"] else None
        member = aligned is not None and self._aligns_member(aligned.group(1), end)
        if layout and not member:
            name = next(filter(_RETYPES.match, layout), layout[0])
            self._layout_attribute(name, aligned and aligned.group(1), end)
        linked = () if self.system else _LINKED.finditer(attribute)
        marks = "".join(_mark(match["how"], match["target"]) for match in linked)
        self._emit(marks + _NON_NEWLINE.sub(" ", attribute), end)

    def _aligns_member(self, number: str, end: int) -> bool:
        """Is it about a declaration of one member? Then it is said in C's words, in front."""
        before = "".join(self.pieces[self.start :])
        if not self.braces or not self.braces[-1].record or self.closed is not None or self._is_in_head():
            return False
        found = _UP_TO_BRACE.match(self.text, end)
        behind = found.group() if found is not None else ""
        if re.search(r"[,:(]", before + behind) or not self.text.startswith(";", end + len(behind)):
            return False
        if before.strip() and behind.strip() and "*" in before + behind:
            return False  # of the pointer, or of what it points to
        self.pieces.insert(self.start, f"_Alignas({number}) ")
        self.head = None if self.head is None else self.head + 1
        return True

    def _is_in_head(self) -> bool:
        """Directly behind `struct`?"""
        return self.head is not None and "".join(self.pieces[self.head + 1 :]).strip() == ""

    def _layout_attribute(self, name: str, aligned: str | None, end: int) -> None:
        """`aligned`: a number of bytes, which is all that it says."""
        declaration = "".join(self.pieces[self.start :])
        mark = f"{OPAQUE_RECORD} {name}" if aligned is None else f"{ALIGNED_RECORD} {aligned}"
        if self._is_in_head():
            self.pending.append(mark)
            return
        if self.closed is not None and not declaration.strip():  # struct {...} __attribute__((packed))
            self._mark(self.closed, mark)
            if aligned is not None:
                return
        elif self.closed is not None and self.closed.typedef:  # typedef struct {...} name __attribute__((aligned(8)))
            self._mark(self.closed, f"{OPAQUE_RECORD} {name}")
        if self.braces and self.braces[-1].record:
            self._mark(self.braces[-1], f"{OPAQUE_RECORD} {name}")
        elif _RETYPES.match(name) or _TYPEDEF.match(declaration):
            following = _ATTRIBUTES_ONLY.sub(" ", " ".join(_declarators(self.text[end : end + 2000])))
            self.names.setdefault(name, []).extend(_IDENTIFIER.findall(f"{declaration} {following}"))

    def _asm(self, end: int) -> None:
        head = _ASM_HEAD.match(self.text, end)
        if head is None:  # a variable called asm
            self._emit(self.text[self.done : end], end)
            return
        close = self._balanced_end(head.end() - 1)
        group = self.text[self.done : close]
        blank = _NON_NEWLINE.sub(" ", group)
        before = "".join(self.pieces[self.start :]).rstrip()
        statement = bool(self.braces) and (not before or before[-1] in "):" or before.endswith(("else", "do")))
        call = f'{ASM_CALL}("{" ".join(_named_by_asm(self.text[head.end() : close - 1]))}")' + "\n" * group.count("\n")
        label = self.text[head.end() : close - 1]
        declared = before and not self.system and _LABEL.fullmatch(label)
        mark = _mark("asm", label) if declared else ""
        if not before and not self.braces and not self.system:
            mark = f'_Pragma("{SYMBOL} {" ".join(_named_by_asm(label))}")'
        self._emit(call if statement else mark + blank, close)


def _declarators(text: str) -> Iterator[str]:
    """The words of a declaration's declarators, up to what begins each one's value or parameters."""
    depth, begin = 0, 0
    for match in _DECLARATION.finditer(text):
        sign = match.group()
        if depth == 0 and sign in ",;":
            yield _VALUE.split(text[begin : match.start()], maxsplit=1)[0]
            begin = match.end()
            if sign == ";":
                return
        elif sign in "([{":
            depth += 1
        elif sign in ")]}":
            depth -= 1
    yield _VALUE.split(text[begin:], maxsplit=1)[0]


def _mark(how: str, target: str | None) -> str:
    """`target`: adjacent string literals, which name one symbol together."""
    name = "".join(part[1:-1] for part in _STRING.findall(target or ""))
    return f'_Alignas("{SYMBOL} {how} {name}")'


def _named_by_asm(text: str) -> list[str]:
    """The identifiers in its template, where they may be objects with linkage, and in its operands."""
    template, _, operands = _STRING.sub(lambda match: match[0].replace(":", " "), text).partition(":")
    return sorted({*_ASM_NAME.findall(template), *_IDENTIFIER.findall(_STRING.sub(" ", operands))})


_ATTRIBUTES_ONLY = re.compile(r"__attribute__|__attribute")
