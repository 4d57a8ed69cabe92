"""Expressions of the typed tree as CUDA C++ text with C's meaning.

Where C++ reads the same text differently, a cast makes C's reading explicit:

    u = -1, u unsigned       u = (unsigned int)-1  compilers warn where a constant changes its sign
    sqrt(x), x float         sqrt((double)x)      C++ would choose the float overload
    double *p = malloc(n)    (double *)...        no implicit conversion from void *
    a[i][j], a VLA           a[i * a_dim1 + j]    CUDA has no variable-length types
    z * z + c, exact         ompc::mul(z, z) + c  the product is rounded before the sum (contraction_safety.py)
    x, a cell                *x                   lives in device memory
    1 / sqrt(x), contracted  ompc::rsqrt(x)       (plan/model/contraction.py)

In: symbols' bindings, exact products, which arrays are const in this kernel.   Out: text.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from ompc.analysis.floats.rsqrt import root_below
from ompc.analysis.reductions.atomics import Forms
from ompc.analysis.reductions.operations import Operation
from ompc.frontend.expression_text import ASSIGNMENT, BINARY, COMMA, CONDITIONAL, POSTFIX, UNARY
from ompc.ir import device_library
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.access_paths import base_symbols
from ompc.omp.uses import has_side_effects
from ompc.plan.model.names import spelled
from ompc.plan.model.plan import MESSAGES, Binding, DeviceFunction, ExtraParameter
from ompc.render.code.batched_division import inverse_root, is_fast, quotient, root
from ompc.render.code.complex_numbers import complex_cast, complex_text, real_part
from ompc.render.code.conversions import (
    changes,
    common_real,
    conversion_through,
    converts_result,
    is_cast_beside,
    operand_as,
    operand_type,
    wraps,
)
from ompc.render.code.cuda_atomics import cuda_operation
from ompc.render.code.device_printf import noting
from ompc.render.code.initialisers import assignments, braced, string_initialiser, value_of_member
from ompc.render.code.operations import operation_text
from ompc.render.code.spelling import Spelling
from ompc.render.code.types import constant_text

_NEEDS_CLARITY = frozenset({"&", "|", "^", "<<", ">>", "&&", "||"})
"""Operators whose mixed operands compilers warn about, so that readers get the parentheses."""

Text = tuple[str, int]
"""An expression's text and the precedence of its outermost operator."""


class ExpressionPrinter:
    def __init__(self, spelling: Spelling) -> None:
        self._s = spelling

    def text(self, node: t.Expr) -> str:
        return self._print(node)[0]

    def first_term(self, node: t.Expr) -> str:
        """`node` as the left operand of a sum or difference."""
        return self._at(node, BINARY["+"])

    def factor_of_and(self, node: t.Expr) -> str:
        """`node` as an operand of `&&`."""
        known = ty.is_integer(node.type)
        return self._operand("&&", node, BINARY["&&"], ty.INT) if known else f"({self.text(node)})"

    def argument(self, node: t.Expr) -> str:
        """`node` as one argument of a call: a comma would make it two."""
        return self._at(node, ASSIGNMENT)

    def converted(self, node: t.Expr, target: ty.Type) -> str:
        """`node` where C converts it to `target` implicitly (assignment, initialisation, argument, return)."""
        return self._converted(node, target)[0]

    def name(self, symbol: t.Symbol) -> str:
        """The device spelling of a symbol's name, without dereference."""
        binding = self._s.bindings.get(symbol)
        return spelled(symbol.name) if binding is None else str(binding.name)

    def initializer(self, init: t.Expr, target: ty.Type) -> str:
        """The text after `=` in a declaration of type `target`."""
        if isinstance(init, t.StringConst):
            return string_initialiser(init, target)
        return self._braced(init, target) if isinstance(init, t.InitList) else self.converted(init, target)

    def words_of(self, lines: Iterable[str]) -> set[str]:
        """What `lines` name, also by way of macros."""
        return self._s.macros.words_of(lines)

    @property
    def forms(self) -> Forms:
        return self._s.forms

    @property
    def bound(self) -> Collection[t.Symbol]:
        """Variables that something else stands for than a variable of the same name."""
        return {symbol for symbol, binding in self._s.bindings.items() if binding != Binding(spelled(symbol.name))}

    @property
    def marks_lines(self) -> bool:
        return self._s.marks_lines

    def operation(self, operation: Operation) -> str:
        """The call of the runtime, or of CUDA, that does an atomic operation."""
        own = None if self._s.has_runtime else cuda_operation(operation, self.address, self.argument)
        return own or operation_text(operation, self.address, self.argument, self._s.accumulators.get(operation))

    def address(self, lvalue: t.Expr) -> str:
        """`&lvalue`, or what points to it already."""
        if isinstance(lvalue, t.Unary) and lvalue.op == "*":
            return self._at(lvalue.operand, ASSIGNMENT)
        text, precedence = self._plain(lvalue)
        if isinstance(lvalue, t.Name) and text.startswith("*"):
            return self.name(lvalue.symbol)
        return f"&{text}" if precedence >= UNARY else f"&({text})"

    def _print(self, node: t.Expr) -> Text:
        if node in self._s.replaced:
            return str(self._s.replaced[node]), POSTFIX
        operation = self._s.forms.expressions.get(node)
        return self._plain(node) if operation is None else (self.operation(operation), POSTFIX)

    def _plain(self, node: t.Expr) -> Text:
        name = self._s.macros.name_of(node, self._s.exact)
        known = None if name is None else (name, UNARY if isinstance(node, t.Unary) else POSTFIX)
        return self._s.macros.use_of(node, *(known or self._written_out(node)))

    def _written_out(self, node: t.Expr) -> Text:
        match node:
            case t.IntConst():
                text = constant_text(node, self._s.enumerators)
                return text, POSTFIX if text[0] != "-" else UNARY
            case t.FloatConst(type=ty.Complex() as kind):
                return complex_text(node, kind, self._s.types), POSTFIX
            case t.FloatConst(text=text) | t.StringConst(text=text):
                return text, POSTFIX
            case t.Name(symbol=symbol):
                return self._name(symbol)
            case t.Unary(op=op, operand=operand):
                return self._unary(op, operand)
            case t.IncDec(op=op, prefix=prefix, operand=operand):
                return self._counted(op, prefix, operand)
            case t.Binary():
                return self._binary(node)
            case t.Assign():
                return self._assign(node)
            case t.Conditional(condition=condition, then=then, other=other):
                results = (
                    self._cast(node.type, e)[0] if is_cast_beside(e, node.type) else self._at(e, CONDITIONAL)
                    for e in (then, other)
                )
                parts = (self._at(condition, CONDITIONAL + 1), *results)
                return "{} ? {} : {}".format(*parts), CONDITIONAL
            case t.Comma(left=left, right=right):
                return f"{self._at(left, COMMA)}, {self._at(right, ASSIGNMENT)}", COMMA
            case t.Index():
                return self._index(node), POSTFIX
            case t.Member() if (value := value_of_member(node)) is not None:
                return self._print(value)
            case t.Member():
                return self._member(node), POSTFIX
            case t.Leave():
                return f"ompc::leave({MESSAGES})", POSTFIX
            case t.Print(args=args):
                arguments = [self._at(argument, ASSIGNMENT) for argument in args]
                return noting(node, self._s.prints.index(node), arguments, self._s.types), POSTFIX
            case t.Call():
                return self._call(node), POSTFIX
            case t.Cast(type=kind, operand=operand):
                return self._cast(kind, operand)
            case t.CompoundLiteral(type=kind, init=init):
                return self._s.types.in_front_of_braces(kind) + self._braced(init, kind), POSTFIX
            case _:
                raise TypeError(f"no device text for {type(node).__name__}")

    def _at(self, node: t.Expr, precedence: int) -> str:
        """`node` as an operand that must bind at least as tightly as `precedence`."""
        text, own = self._print(node)
        return text if own >= precedence else f"({text})"

    def _assigned(self, target: t.Expr, precedence: int) -> str:
        """The target of an assignment as an operand."""
        binding = self._s.bindings.get(target.symbol) if isinstance(target, t.Name) else None
        return self._at(target, precedence) if binding is None or binding.assigned is None else binding.assigned

    def _counted(self, op: str, prefix: bool, operand: t.Expr) -> Text:
        """++ or --; C++ has none of a `bool`."""
        if ty.unqualified(operand.type) == ty.BOOL:
            target = self._assigned(operand, ASSIGNMENT)
            if prefix and op == "++":
                return f"{target} = true", ASSIGNMENT
            function = "set_true" if op == "++" else "toggled" if prefix else "toggle"
            return f"ompc::{function}({target})", POSTFIX
        if prefix:
            return f"{op}{self._assigned(operand, UNARY)}", UNARY
        return f"{self._assigned(operand, POSTFIX)}{op}", POSTFIX

    def _name(self, symbol: t.Symbol) -> Text:
        binding = self._s.bindings.get(symbol)
        if binding is not None and binding.dereferenced:
            return f"*{binding.name}", UNARY
        return self.name(symbol), POSTFIX

    def _unary(self, op: str, operand: t.Expr) -> Text:
        if op == "&" and isinstance(operand, t.Name) and self._name(operand.symbol)[0].startswith("*"):
            return self.name(operand.symbol), POSTFIX
        if op == "&" and isinstance(operand, t.Index) and isinstance(operand.type, ty.Array):
            flat = self._flattened(operand)
            if flat is not None and not ty.is_variably_modified(operand.type):
                return f"({self._s.types.declare(ty.Pointer(operand.type))})({flat[0]} + {flat[1]})", UNARY
        text = self._at(operand, UNARY)
        space = " " if text[0] == op and op in "+-&" else ""
        return f"{op}{space}{text}", UNARY

    def _binary(self, node: t.Binary) -> Text:
        if node in self._s.inverse_roots:
            operand = self._as(root_below(node).args[0], node.type)
            return inverse_root(self._s.batches, node, operand), POSTFIX
        if node in self._s.exact and node.op == "*":
            return self._product(node.left, node.right, node.type), POSTFIX
        if is_fast(self._s.batches, node):
            left, right = (self._as(operand, node.type) for operand in (node.left, node.right))
            return quotient(self._s.batches, node, left, right), POSTFIX
        precedence = BINARY[node.op]
        kind = operand_type(node.op, node.left, node.right)
        same = ty.unqualified(node.right.type) == ty.unqualified(node.type)
        if node.op == "+" and isinstance(node.left, t.IntConst) and node.left.text == "0" and same:
            return self._print(node.right)
        sides = ((node.left, precedence), (node.right, precedence + 1))
        return f" {node.op} ".join(self._operand(node.op, each, least, kind) for each, least in sides), precedence

    def _operand(self, op: str, node: t.Expr, precedence: int, kind: ty.Type) -> str:
        wanted = operand_as(node, kind, op)
        text, own = self._print(node) if wanted is None else self._cast(wanted, node)
        mixed = isinstance(node, t.Binary) and node.op != op and op in _NEEDS_CLARITY and own != POSTFIX
        comparison = isinstance(node, t.Binary) and own > BINARY["&"] and op in ("&&", "||")
        return f"({text})" if own < precedence or (mixed and not comparison) else text

    def _product(self, left: t.Expr, right: t.Expr, kind: ty.Type) -> str:
        return f"ompc::mul({self._as(left, kind)}, {self._as(right, kind)})"

    def _as(self, node: t.Expr, kind: ty.Type) -> str:
        """`node` with an explicit cast when its type is not `kind`: for templates and overloaded functions."""
        if ty.unqualified(node.type) == ty.unqualified(kind):
            return self._at(node, ASSIGNMENT)
        if isinstance(node, t.IntConst) and isinstance(kind, ty.Float) and self.text(node).isdecimal():
            return f"{node.text}.0{'f' if kind == ty.FLOAT else ''}"
        return self._cast(kind, node)[0]

    def _assign(self, node: t.Assign) -> Text:
        target = self._assigned(node.target, UNARY)
        exact, once = node.op == "*=" and node in self._s.exact, has_side_effects(node.target)
        if exact or (is_fast(self._s.batches, node) and not once):
            kind = common_real(node.target.type, node.value.type)
            left, right = self._as(node.target, kind), self._as(node.value, kind)
            if exact and once:  # `*p++` is not done twice
                return f"ompc::multiply({target}, {right})", POSTFIX
            made = f"ompc::mul({left}, {right})" if exact else quotient(self._s.batches, node, left, right)
            return f"{target} = {made}", ASSIGNMENT
        if node.op != "=":
            kind = operand_type(node.op[:-1], node.target, node.value)
            if converts_result(kind, node.target.type) and not once:
                whole = t.Binary(kind, node.loc, node.op[:-1], node.target, node.value)
                return f"{target} = {self._cast(ty.unqualified(node.target.type), whole)[0]}", ASSIGNMENT
            operand = self._cast(kind, node.value)[0] if wraps(node.value, kind) else self._at(node.value, ASSIGNMENT)
            return f"{target} {node.op} {operand}", ASSIGNMENT
        value, precedence = self._converted(node.value, node.target.type)
        return f"{target} = {value if precedence >= ASSIGNMENT else f'({value})'}", ASSIGNMENT

    def _converted(self, node: t.Expr, target: ty.Type) -> Text:
        if isinstance(node, t.InitList):
            return self._braced(node, target), POSTFIX
        if isinstance(target, ty.Pointer) and self._needs_pointer_cast(node, target):
            return self._cast(target, node)
        if changes(node, target):
            return self._cast(target, node)
        text, precedence = self._print(node)
        return (text, precedence) if precedence >= ASSIGNMENT else (f"({text})", POSTFIX)

    def _needs_pointer_cast(self, node: t.Expr, target: ty.Pointer) -> bool:
        source = ty.decayed(node.type)
        if not isinstance(source, ty.Pointer):
            return False
        if ty.unqualified(source.to) != ty.unqualified(target.to):
            return True
        return "const" not in target.to.quals and not base_symbols(node).isdisjoint(self._s.const_arrays)

    def _cast(self, kind: ty.Type, operand: t.Expr) -> Text:
        if isinstance(kind, ty.Complex):
            return complex_cast(operand, kind, self.argument, self._s.types), POSTFIX
        if (real := real_part(operand, kind)) is not None:
            return self._print(real) if real.type == ty.unqualified(kind) else self._cast(kind, real)
        through = conversion_through(operand.type, kind)
        between = "" if through is None else f"({through})"
        return f"({self._s.types.declare(ty.unqualified(kind))}){between}{self._at(operand, UNARY)}", UNARY

    def _index(self, node: t.Index) -> str:
        flat = self._flattened(node)
        if flat is not None:
            base, index = flat
            if not isinstance(node.type, ty.Array):
                return f"{base}[{index}]"
            of = node.type.of  # rows of a constant length inside of those of a variable one are still rows
            is_row = isinstance(of, ty.Array) and not ty.is_variably_modified(of)
            cast = f"({self._s.types.declare(ty.Pointer(of))})" if is_row else ""
            return f"({cast}({base} + {index}))" if cast else f"({base} + {index})"
        return f"{self._at(node.base, POSTFIX)}[{self.text(node.index)}]"

    def _flattened(self, node: t.Index) -> tuple[str, str] | None:
        """(base, linear index) of an element or row of a variable-length array:
        `u[i][j]` is ("u", "i * u_dim1 + j").
        """
        indices: list[t.Expr] = []
        base: t.Expr = node
        while isinstance(base, t.Index):
            indices.insert(0, base.index)
            base = base.base
        binding = self._s.bindings.get(base.symbol) if isinstance(base, t.Name) else None
        if binding is None or not binding.dimensions or len(indices) > len(binding.dimensions) + 1:
            return None  # the last subscripts are those of a pointer that is an element
        wide = ty.unqualified(indices[0].type) not in (ty.ULONG, ty.ULLONG)  # once it is multiplied by a long, below
        linear = self._at(indices[0], BINARY["*"]) if wide else f"(long long){self._at(indices[0], UNARY)}"
        for depth, dimension in enumerate(binding.dimensions, start=1):
            linear = f"({linear})" if depth > 1 and (" + " in linear or " - " in linear) else linear
            linear = "0" if linear == "0" else str(dimension) if linear == "1" else f"{linear} * {dimension}"
            if depth < len(indices):
                index = indices[depth]
                is_int = ty.unqualified(index.type) == ty.INT  # a sum stays in range: either is added
                if linear == "0" and is_int:
                    linear = self._at(index, BINARY["+"])
                elif self.text(index) != "0":
                    linear += f" + {self._at(index, BINARY['+'] + (not is_int))}"
        return str(binding.name), linear

    def _member(self, node: t.Member) -> str:
        name = spelled(node.member.name or "")
        outermost = node
        while isinstance(outermost.base, t.Member) and outermost.base.member.name is None:
            outermost = outermost.base  # an anonymous struct or union has no text
        base = outermost.base
        if outermost.arrow:
            return f"{self._at(base, POSTFIX)}->{name}"
        text, precedence = self._print(base)
        if text.startswith("*") and isinstance(base, t.Name):
            return f"{text[1:]}->{name}"
        return f"{text}.{name}" if precedence >= POSTFIX else f"({text}).{name}"

    def _call(self, node: t.Call) -> str:
        assert isinstance(node.function, t.Name)
        symbol = node.function.symbol
        if symbol in self._s.functions:
            return self._user_call(self._s.functions[symbol], node)
        if symbol.name in device_library.CONSTANTS:
            return device_library.CONSTANTS[symbol.name]
        if symbol.name in device_library.CLASSIFICATION:
            return f"{device_library.CLASSIFICATION[symbol.name]}({', '.join(map(self.text, node.args))})"
        function = device_library.FUNCTIONS[symbol.name]
        arguments = [self._as(a, kind) for a, kind in zip(node.args, function.params, strict=True)]
        if is_fast(self._s.batches, node):
            return root(self._s.batches, node, arguments[0])
        return f"{function.device_name}({', '.join(arguments)})"

    def _user_call(self, callee: DeviceFunction, node: t.Call) -> str:
        converted = self._as if callee.of_cuda else self.converted  # CUDA's are overloaded
        arguments = [converted(a, p.type) for a, p in zip(node.args, callee.function.params, strict=True)]
        return f"{callee.name}({', '.join([*arguments, *map(self._extra, callee.extra)])})"

    def _extra(self, extra: ExtraParameter) -> str:
        """A file-scope object handed on to a callee, in the form that the callee takes."""
        text, _ = self._name(extra.symbol)
        name = self.name(extra.symbol)
        if isinstance(extra.symbol.type, (ty.Array, ty.Pointer)):
            cast = extra.written is False or extra.symbol not in self._s.const_arrays
            return name if cast else f"({self._s.types.declare(ty.decayed(extra.symbol.type))}){name}"
        if extra.binding.dereferenced:
            return name if text.startswith("*") else f"&{name}"
        return text

    def _braced(self, init: t.InitList, target: ty.Type) -> str:
        return braced(init, target, self._initial)

    def after_initializer(self, init: t.Expr, target: ty.Type, name: str) -> list[str]:
        """Statements that finish the initialisation of `name`."""
        return assignments(init, target, name, self._initial) if isinstance(init, t.InitList) else []

    def _initial(self, value: t.Expr, target: ty.Type) -> str:
        """A value inside braces; cast to its member's type, since C++ refuses to narrow."""
        if isinstance(target, ty.Pointer):
            return self.converted(value, target)
        if isinstance(value, t.StringConst):
            return string_initialiser(value, target)
        return self._as(value, target) if ty.is_scalar(target) or ty.is_number(target) else self.text(value)
