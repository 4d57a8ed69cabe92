"""pycparser, taught the GNU C that programs use and the old C that it forgot.

    a ?: b                   TernaryOp without a middle
    case 1 ... 5:            Case of BinaryOp("...")
    [0 ... 9] = 1            IndexDesignator of BinaryOp("...")
    &&label, goto *p         UnaryOp("&&"), and a call of COMPUTED_GOTO
    __real__ z, __imag__ z   UnaryOp
    __typeof__(x)            TypeOf
    ({ ... })                Compound
    __builtin_va_arg(ap, T)  FuncCall, as for every builtin function with types among its arguments
    int a[*n];               an array length that starts with a star
    int v asm("a");          `SYMBOL asm a` in the Decl's storage (from neutralise.py)
    1024 for NX              the node is in `named` (from macro_uses.py), with NX
    f(a) int a; {...}        an old-style definition without a return type; `extern n;` without a type

It overrides methods that pycparser does not promise to keep; its version is pinned exactly for that reason. Python 3.10
gets pycparser 3.11, which parses fewer declarations without a type, so those files stay on the host there.

In: tokens.   Out: pycparser's nodes.   Not here: what they mean -- ompc/sema.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from pycparser import c_ast
from pycparser.c_lexer import CLexer
from pycparser.c_parser import CParser

from ompc.base.macros import Macro
from ompc.frontend.macro_uses import MacroPlace
from ompc.frontend.neutralise import SYMBOL

COMPUTED_GOTO = "__ompc_computed_goto"
RANGE = "..."
TYPE_BUILTINS = frozenset({"__builtin_va_arg", "__builtin_types_compatible_p"})


_PLAIN = re.compile(
    r"""[ \t]*(?:(?P<word>[^\W\d]\w*)(?![\w$'"\\])
    |(?P<sign>[(){}\],;~]|\[(?!\s*\[)|=(?!=)|\*(?!=)|\+(?![+=])|-(?![->=])|&(?![&=])|<(?![<=:%])|>(?![>=]))
    |(?P<number>[1-9][0-9]*)(?![\w.'$]))""",
    re.VERBOSE,
)
"""Matches plain tokens: words that begin no literal (L'a', u8"b"), signs that begin no longer one and no attribute, and
decimal numbers. Letters of names may be any, which pycparser's own do not know.
"""
_SIGNS = dict(
    zip(
        "(){}[],;~=*+-&<>",
        """LPAREN RPAREN LBRACE RBRACE LBRACKET RBRACKET COMMA SEMI NOT EQUALS TIMES PLUS MINUS AND LT GT""".split(),
        strict=True,
    )
)
_TRIES_ALL_RULES = hasattr(CLexer, "_attribute_arguments")
"""Is this the lexer that tries every rule at every token? The version for Python 3.10 is another one."""


class GnuLexer(CLexer):  # type: ignore[misc, unused-ignore]
    """pycparser's lexer with `__typeof__` as a token like `_Atomic`: with parentheses it is a type specifier.

    neutralise.py rewrites `typeof` to it.
    """

    _pos: int

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.ends: frozenset[int] = frozenset()  # where what macros stand for begins and ends
        self.position: dict[int, int] = {}  # of the tokens there, by their ids; the parser keeps all tokens

    def _make_token(self, tok_type: str, value: str, pos: int) -> Any:
        token = super()._make_token("_ATOMIC" if value == "__typeof__" else tok_type, value, pos)
        if pos in self.ends:
            self.position[id(token)] = pos
        return token

    def token(self) -> Any:
        """pycparser's own tries every rule at every token: nine of ten are plain words, signs and numbers."""
        if not _TRIES_ALL_RULES or self._pending_tok is not None or self._in_attribute:
            return super().token()
        return self._plain() or super().token()

    def _match_token(self) -> Any:
        """Behind blank lines, too."""
        return (None if self._in_attribute else self._plain()) or super()._match_token()

    def _plain(self) -> Any:
        found = _PLAIN.match(self._lexdata, self._pos)
        if found is None or (kind := found.lastgroup) is None:
            return None
        value = found[kind]
        if kind == "word":
            name = self._keyword_map.get(value, "ID")
        else:
            name = "INT_CONST_DEC" if kind == "number" else _SIGNS[value]
        token = self._make_token(name, value, found.start(kind))
        self._pos = found.end()
        return token


class _Wrapper(c_ast.Node):  # type: ignore[misc, unused-ignore]
    """A node with one child that only some versions of pycparser have."""

    __slots__ = ("__weakref__", "coord", "expr")
    attr_names = ()

    def __init__(self, expr: c_ast.Node, coord: Any = None) -> None:
        self.expr = expr
        self.coord = coord

    def children(self) -> tuple[tuple[str, c_ast.Node], ...]:
        return (("expr", self.expr),)

    def __iter__(self) -> Iterator[c_ast.Node]:
        yield self.expr


class TypeOf(_Wrapper):
    """`__typeof__(expr)`: `expr` is an expression or a Typename."""

    __slots__ = ()


class IndexDesignator(_Wrapper):
    """`[expr] =` in an initialiser, where a plain ID is a member's name."""

    __slots__ = ()


def declared_name(declarator: c_ast.Node) -> c_ast.Node:
    """The innermost node of a declarator, which holds the name."""
    while not isinstance(declarator, c_ast.TypeDecl) and getattr(declarator, "type", None) is not None:
        declarator = declarator.type
    return declarator


def _about_symbol(node: c_ast.Node) -> str | None:
    """What neutralise.py made a specifier of; None: it is one of the user's."""
    value = getattr(getattr(node, "alignment", None), "value", "")
    return value[1:-1] if isinstance(value, str) and value.startswith(f'"{SYMBOL} ') else None


class GnuParser(CParser):  # type: ignore[misc, unused-ignore]
    """Each method handles one extension and leaves the rest to pycparser."""

    def __init__(self, macros: Iterable[MacroPlace] = ()) -> None:
        super().__init__(lexer=GnuLexer)
        self._places = {(place.first, place.last): place.macros for place in macros}
        self.clex.ends = frozenset(end for place in self._places for end in place)
        self.named: dict[c_ast.Node, tuple[Macro, ...]] = {}
        """The operands that macros have made, all their tokens and no other; inner ones first."""
        self._behind: list[tuple[c_ast.Node, str]] = []  # what stands behind declarators about their symbols

    if _TRIES_ALL_RULES:

        def _peek(self, k: int = 1) -> Any:
            """As pycparser's, for tokens that have been read already: it is asked five times for each token."""
            stream = self._tokens
            at = stream._index + k - 1
            token = stream._buffer[at] if k > 0 and at < len(stream._buffer) else stream.peek(k)
            if token is not self._typedef_checked_token:
                self._classify_identifier(token)
            return token

        def _peek_type(self, k: int = 1) -> str | None:
            stream = self._tokens
            at = stream._index + k - 1
            token = stream._buffer[at] if k > 0 and at < len(stream._buffer) else stream.peek(k)
            if token is not self._typedef_checked_token:
                self._classify_identifier(token)
            return token.type if token is not None else None

    def _parse_external_declaration(self) -> list[c_ast.Node]:
        token = self._peek()
        if token is None or token.type != "ID" or not hasattr(self, "_parse_function_definition"):
            return list(super()._parse_external_declaration())
        declarator = self._parse_id_declarator()
        spec = {
            "qual": [],
            "alignment": [],
            "storage": [],
            "type": [c_ast.IdentifierType(["int"], coord=declarator.coord)],
            "function": [],
            "type_attributes": [],
        }
        if self._peek_type() == "LBRACE" or self._starts_declaration():
            return [self._parse_function_definition(spec, declarator)]
        infos = self._parse_init_declarator_list(first={"decl": declarator, **self._initialised()})
        declarations = self._build_declarations(spec=spec, decls=infos, typedef_namespace=True)
        return list(self._parse_declaration_end(declarations))

    def _parse_init_declarator(self, id_only: bool = False) -> dict[str, c_ast.Node]:
        """A variable's name hides a typedef of that name already in its own initialiser: `uint *uint = f(*uint)`."""
        declarator = self._parse_id_declarator() if id_only else self._parse_declarator()
        name = getattr(declared_name(declarator), "declname", None)
        if self._peek_type() == "EQUALS" and name is not None:
            self._add_identifier(name, declarator.coord)
        return {"decl": declarator, **self._initialised()}

    def _initialised(self) -> dict[str, c_ast.Node]:
        return {"init": self._parse_initializer()} if self._accept("EQUALS") else {}

    def _build_declarations(
        self, spec: dict[str, Any], decls: list[dict[str, Any]], typedef_namespace: bool = False
    ) -> list[c_ast.Node]:
        """`extern n;` and `static m = 3;` declare an int (C89). What is said of symbols comes into the storage."""
        first = decls[0].get("decl")
        if not spec["type"] and first is not None:
            spec["type"] = [c_ast.IdentifierType(["int"], coord=first.coord)]
        said = [text for node in spec["alignment"] if (text := _about_symbol(node)) is not None]
        spec["alignment"] = [node for node in spec["alignment"] if _about_symbol(node) is None]
        named = [None if info["decl"] is None else declared_name(info["decl"]) for info in decls]
        built = list(super()._build_declarations(spec, decls, typedef_namespace))
        for node, name in zip(built, named, strict=True):
            behind = [text for declarator, text in self._behind if declarator is name]
            if said or behind:
                node.storage = [*node.storage, *said, *behind]
        return built

    def _parse_declarator(self) -> c_ast.Node:
        return self._with_symbol(super()._parse_declarator())

    def _parse_id_declarator(self) -> c_ast.Node:
        return self._with_symbol(super()._parse_id_declarator())

    def _with_symbol(self, declarator: c_ast.Node) -> c_ast.Node:
        """Notes what stands behind a declarator about its symbol."""
        while self._peek_type() == "_ALIGNAS":
            text = _about_symbol(self._parse_alignment_specifier())
            if text is not None:
                self._behind.append((declared_name(declarator), text))
        return declarator

    def _parse_atomic_specifier(self) -> c_ast.Node:
        token = self._peek()
        if token is None or token.value != "__typeof__":
            return super()._parse_atomic_specifier()
        self._advance()
        self._expect("LPAREN")
        operand = self._parse_type_name() if self._starts_declaration() else self._parse_expression()
        self._expect("RPAREN")
        return TypeOf(operand, self._tok_coord(token))

    def _parse_primary_expression(self) -> c_ast.Node:
        return self._named(self._parse_primary)

    def _parse_primary(self) -> c_ast.Node:
        token = self._peek()
        if token is not None and token.type == "ID" and token.value in TYPE_BUILTINS:
            return self._type_builtin()
        if token is None or token.type != "LPAREN" or self._peek_type(2) != "LBRACE":
            return super()._parse_primary_expression()
        self._advance()
        statements = self._parse_compound_statement()
        self._expect("RPAREN")
        return statements

    def _parse_designator(self) -> c_ast.Node:
        token = self._peek()
        if token is None or token.type != "LBRACKET":
            return super()._parse_designator()
        self._advance()
        index = self._parse_constant_expression()
        self._expect("RBRACKET")
        return IndexDesignator(index, self._tok_coord(token))

    def _type_builtin(self) -> c_ast.Node:
        """A builtin function with types among its arguments."""
        name = self._parse_identifier()
        self._expect("LPAREN")
        operands = c_ast.ExprList([self._type_or_expression()], name.coord)
        while self._accept("COMMA"):
            operands.exprs.append(self._type_or_expression())
        self._expect("RPAREN")
        return c_ast.FuncCall(name, operands, name.coord)

    def _type_or_expression(self) -> c_ast.Node:
        return self._parse_type_name() if self._starts_declaration() else self._parse_assignment_expression()

    def _parse_array_decl_common(self, base_type: c_ast.Node | None, coord: Any = None) -> c_ast.Node:
        if self._peek_type(2) != "TIMES" or self._peek_type(3) == "RBRACKET":
            return super()._parse_array_decl_common(base_type, coord)
        bracket = self._expect("LBRACKET")
        length = self._parse_assignment_expression()
        self._expect("RBRACKET")
        return c_ast.ArrayDecl(base_type, length, [], coord if coord is not None else self._tok_coord(bracket))

    def _parse_conditional_expression(self) -> c_ast.Node:
        condition = self._parse_binary_expression()
        if not self._accept("CONDOP"):
            return condition
        then = None if self._peek_type() == "COLON" else self._parse_expression()
        self._expect("COLON")
        return c_ast.TernaryOp(condition, then, self._parse_conditional_expression(), condition.coord)

    def _parse_constant_expression(self) -> c_ast.Node:
        """Case labels and designators are the only constant expressions that `...` may follow."""
        first = self._parse_conditional_expression()
        if not self._accept("ELLIPSIS"):
            return first
        return c_ast.BinaryOp(RANGE, first, self._parse_conditional_expression(), first.coord)

    def _parse_unary_expression(self) -> c_ast.Node:
        return self._named(self._parse_unary)

    def _named(self, parse: Callable[[], c_ast.Node]) -> c_ast.Node:
        first = self.clex.position.get(id(self._peek())) if self._places else None
        node = parse()
        if first is not None:
            stream = self._tokens
            last = self.clex.position.get(id(stream._buffer[stream._index - 1]))
            found = () if last is None else self._places.get((first, last), ())
            if found:
                known = self.named.get(node, ())
                self.named[node] = known if known[-len(found) :] == found else known + found
        return node

    def _parse_unary(self) -> c_ast.Node:
        token = self._peek()
        if token is not None and token.type == "LAND":
            self._advance()
            return c_ast.UnaryOp("&&", self._parse_identifier_or_typeid(), self._tok_coord(token))
        if token is not None and token.value in ("__real__", "__imag__", "__real", "__imag"):
            self._advance()
            return c_ast.UnaryOp(token.value, self._parse_cast_expression(), self._tok_coord(token))
        return super()._parse_unary_expression()

    def _parse_jump_statement(self) -> c_ast.Node:
        if self._peek_type() != "GOTO" or self._peek_type(2) != "TIMES":
            return super()._parse_jump_statement()
        coord = self._tok_coord(self._advance())
        self._advance()
        target = self._parse_expression()
        self._expect("SEMI")
        return c_ast.FuncCall(c_ast.ID(COMPUTED_GOTO, coord), c_ast.ExprList([target], coord), coord)
