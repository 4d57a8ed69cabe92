"""Which symbol of the linker each name of a file stands for: what names one symbol is one object, and one `Symbol`.

extern double view[9] asm("a");                            view is a
extern double b[9] __attribute__((alias("a")));            so is b, and other files may name it, too
static double w(double) __attribute__((weakref("f")));     w is f
#pragma redefine_extname f g                               f is g
__attribute__((weak)) double h(double x) {...}             h is any file's that defines it, or this one
__attribute__((section("s"))) double t[9];                 __start_s and a linker script lead to t, too

In: pycparser's declarations, as frontend/gnu.py marks them, and the file's pragmas.   Out: Linkage.
asm(".set c, a");                                          c and a, whatever they are, are not what they seem
Not here: linker scripts, `--defsym`, `--wrap`: a name means itself there.
Source: GCC, "Controlling Names Used in Assembler Code", "Common Function Attributes", "Symbol-Renaming Pragmas".
"""

from __future__ import annotations

import re

from pycparser import c_ast

from ompc.base.frozen import dataclass, field
from ompc.frontend.neutralise import SYMBOL
from ompc.frontend.pragmas import pragma_text

_RENAMES = re.compile(r"redefine_extname\s+(?P<name>\w+)\s+(?P<symbol>\w+)")
_WEAK = re.compile(r"weak\s+(?P<name>\w+)(?:\s*=\s*(?P<symbol>\w+))?")
_COPYING = frozenset({"target", "task", "taskloop"})
"""Constructs that have copies of variables that no clause names."""
_VERSION = re.compile(r"@.*", re.DOTALL)


@dataclass(slots=True)
class Linkage:
    """Which symbol of the linker each name of a file stands for.

    `symbols`   the symbol that a name stands for, where that is another one
    `borrowed`  names that their declarations do not define
    `shared`    symbols of objects that are reached by other names, too
    `weak`      symbols whose definition may be another file's
    `unknown`   those of which no one can say what they are
    """

    symbols: dict[str, str] = field(default_factory=dict)
    borrowed: set[str] = field(default_factory=set)
    shared: set[str] = field(default_factory=set)
    weak: set[str] = field(default_factory=set)
    unknown: set[str] = field(default_factory=set)

    def symbol(self, name: str) -> str:
        """As an identifier of C, which the label of a declaration need not be."""
        seen = {name}
        while (following := self.symbols.get(name)) is not None and following not in seen:
            seen.add(following)
            name = following
        return name

    def declare(self, node: c_ast.Decl) -> None:
        """What a declaration with linkage says of its symbol."""
        said = [word.removeprefix(f"{SYMBOL} ").partition(" ") for word in node.storage if word.startswith(SYMBOL)]
        if said and node.name is not None and "register" not in node.storage:
            self._declare(node.name, {how: target for how, _, target in said})
        elif said and node.name is not None:
            self.unknown.add(node.name)  # a register

    def _declare(self, name: str, said: dict[str, str]) -> None:
        if "asm" in said:
            self.symbols[name] = _identifier(said["asm"])
        own = self.symbol(name)
        of = _identifier(said.get("alias") or said.get("weakref") or "")
        if "weakref" in said and of:
            self.symbols[name] = of
            self.borrowed.add(name)
        elif of and "weak" in said:
            self._is_weak_alias(own, of)
        elif of:
            self.symbols[name] = of
            self.borrowed.add(name)
            self.shared.update((of, own))
        elif "weak" in said or "ifunc" in said:
            self.weak.add(own)
        if "section" in said:
            self.shared.add(own)

    def _is_weak_alias(self, name: str, of: str) -> None:
        """Either `of`, or what another file defines."""
        self.weak.add(name)
        self.unknown.update((name, of))

    def heed(self, pragma: str) -> None:
        """What a pragma says, its text after `#pragma`; assembler outside of functions is one of neutralise.py's."""
        if pragma.startswith(f"{SYMBOL} "):
            self.shared.update(pragma.split())
            self.weak.update(pragma.split())
        if (renames := _RENAMES.fullmatch(pragma)) is not None:
            self.symbols[renames["name"]] = renames["symbol"]
        elif (weak := _WEAK.fullmatch(pragma)) is not None:
            self.weak.add(weak["name"])
            if weak["symbol"] is not None:
                self._is_weak_alias(weak["name"], weak["symbol"])


def linkage_of(file: c_ast.FileAST) -> Linkage:
    """Of the declarations and pragmas of file scope: what is said of a name holds for all its declarations.

    A clause makes copies of what has its name, not of what has its symbol: `private(a)` leaves b, the alias, shared.
    """
    found = Linkage()
    for node in file.ext:
        match node:
            case c_ast.Decl():
                found.declare(node)
            case c_ast.FuncDef():
                found.declare(node.decl)
            case c_ast.Pragma():
                found.heed(pragma_text(node).strip())
            case _:
                pass
    words = _words_of_clauses(file) if found.symbols else frozenset()
    copies = not words.isdisjoint(_COPYING)
    of_clauses = (name for name in found.symbols if copies or name in words or found.symbol(name) in words)
    found.unknown.update(map(found.symbol, of_clauses))
    return found


def _words_of_clauses(node: c_ast.Node) -> frozenset[str]:
    """The words of all OpenMP pragmas in it."""
    if isinstance(node, c_ast.Pragma):
        words = re.findall(r"\w+", pragma_text(node))
        return frozenset(words) if words[:1] == ["omp"] else frozenset()
    return frozenset[str]().union(*(_words_of_clauses(child) for _, child in node.children()))


def has_own_symbol(node: c_ast.Decl) -> bool:
    """Does the declaration itself say for which symbol its name stands?"""
    return any(word.startswith(SYMBOL) for word in node.storage)


def _identifier(symbol: str) -> str:
    """`*f` and `f@V1` are f; of other symbols, a name that no function of C has."""
    name = _VERSION.sub("", symbol.removeprefix("*"))
    return name if not name or name.isidentifier() else "symbol_" + re.sub(r"\W", "_", name, flags=re.ASCII)
