"""The names of macros in device code, and their definitions in front of it.

    // from jacobi.c
    #define NX 1024
    #define CELLS (NX * NX)
    #define AT(i, j) ((i) * NX + (j))

In: the plan's macros; expressions and lengths of arrays that are printed.
Out: names, with arguments; the lines of the definitions that these need.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import groupby
from pathlib import PurePath

from ompc.base.frozen import dataclass, field
from ompc.base.macros import Macro
from ompc.base.visible import one_line
from ompc.frontend.macro_calls import use_of
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.constants import constant_value
from ompc.ir.macro_names import macro_of, macros_around
from ompc.ir.rewrite import rewritten
from ompc.ir.show import c_expr
from ompc.ir.walk import Node, walk
from ompc.render.layout import broken_lines, words_of


@dataclass(frozen=True, slots=True)
class MacroNames:
    """`kept`: those that the file may name; `used` grows: those that it names."""

    kept: Collection[Macro] = ()
    used: dict[Macro, None] = field(default_factory=dict)
    _defined: dict[str, Macro] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._defined.update((each.name, each) for macro in self.kept for each in macro.with_named())

    def name_of(self, node: Node, exact: Collection[t.Expr] = ()) -> str | None:
        """The name that stands for a constant; None: it is printed, since it has none, or there are products in it that
        are `exact`.
        """
        macro = macro_of(node) if self.kept else None
        if macro is None or macro not in self.kept or (exact and any(part in exact for part in walk(node))):
            return None
        self.used[macro] = None
        return macro.name

    def use_of(self, node: Node, text: str, precedence: int) -> tuple[str, int]:
        """The use of the macros that the user has written for an expression, which is `text` without them."""
        for macro in macros_around(node) if self.kept else ():
            found = use_of(macro, text, self._defined) if macro in self.kept else None
            if found is not None:
                text, precedence = found[0], found[1].precedence
                self.used[macro] = None
        return text, precedence

    def words_of(self, lines: Iterable[str]) -> set[str]:
        """All names in `lines`, and in the definitions of the macros in them."""
        words = words_of(lines)
        named = [self._defined[word] for word in words & self._defined.keys()]
        return words | words_of(each.text for macro in named for each in macro.with_named())

    def text_of(self, array: ty.Array) -> str | None:
        """The length of an array, as it is written; None: it has no names of macros, or more than arithmetic."""
        written = array.written
        if not self.kept or written is None or constant_value(written) != array.length:
            return None
        named: set[t.Expr] = set()

        def change(node: Node) -> Node | None:
            name = self.name_of(node)
            if name is None:
                return None
            named.add(made := t.IntConst(ty.INT, written.loc, 0, name))
            return made

        whole = rewritten(written, change)
        return c_expr(whole) if named and all(node in named or _is_plain(node) for node in walk(whole)) else None

    def headers(self) -> list[str]:
        """Of the standard library, for its own."""
        return sorted({macro.header for macro in self._all() if macro.header})

    def lines(self) -> list[str]:
        """Definitions of the user's, in the order of the text, with the files that they are from."""
        own = [macro for macro in self._all() if not macro.header]
        files = {file: number for number, file in enumerate(dict.fromkeys(macro.file for macro in own))}
        own.sort(key=lambda macro: (files[macro.file], macro.line))
        lines: list[str] = []
        for file, macros in groupby(own, key=lambda macro: macro.file):
            place = "the command line" if file.startswith("<") else one_line(PurePath(file).name).replace("\\", "?")
            lines += [f"// from {place}", *(_definition(macro) for macro in macros)]
        return lines

    def _all(self) -> dict[Macro, None]:
        return dict.fromkeys(macro for used in self.used for macro in used.with_named())


def _definition(macro: Macro) -> str:
    return " \\\n".join(broken_lines([f"#define {macro.written}"], 0))


def _is_plain(node: Node) -> bool:
    """A number, or arithmetic that may stand between the angle brackets of a template."""
    match node:
        case t.IntConst(text=text):
            return text.isdecimal()
        case t.Binary(op=op):
            return op in ("+", "-", "*", "/", "%")
        case _:
            return isinstance(node, t.Unary)
