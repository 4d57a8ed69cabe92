"""Loops at random, of the kinds that the integer core reasons about; what draws decides (hypothesis, or `random`).

They count up and down, by all integer types, with `!=`, in steps, and are left by `break`; subscripts are sums,
products and conversions; bounds are numbers at the ends of types, parameters and outer counters. What a program does in
which C leaves it undefined is for enumeration.py to say.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

Choose = Callable[[Sequence[str]], str]

TYPES = "int|int|int|unsigned|long|unsigned long|unsigned char|signed char|unsigned short".split("|")
PARAMETERS = "n m l un ul uc sc".split()
HEADS = [
    "int i = 0; i < n; i++",
    "int i = 0; i < 6; i++",
    "int i = 1; i < n - 1; i++",
    "int i = n; i > 0; i--",
    "int i = m; i < n; i += 2",
    "unsigned i = 0; i < un; i++",
    "unsigned char i = 0; i < uc; i++",
    "short i = sc; i != n; i++",
]
ENDS = "0 1 2 5 9 127 250 255 300 65535 4294967295u".split()


@dataclass(slots=True)
class RandomLoop:
    """`code` is the body of a loop with `head`."""

    choose: Choose
    variables: list[str] = field(default_factory=lambda: ["i"])
    names: int = 0

    def name(self) -> str:
        self.names += 1
        return f"q{self.names}"

    def atom(self) -> str:
        return self.choose([self.choose(self.variables)] * 6 + ["0", "1", "3", self.choose(PARAMETERS)])

    def expression(self, depth: int = 2) -> str:
        kind = self.choose("atom sum sum product product cast quotient".split()) if depth else "atom"
        inner = "" if kind == "atom" else self.expression(depth - 1)
        match kind:
            case "sum":
                return f"{inner} {self.choose('+-')} {self.expression(depth - 1)}"
            case "product":
                return f"({inner}) * {self.choose(['2', '3', 'm', 'n', '5u', 'un'])}"
            case "cast":
                return f"({self.choose(TYPES)})({inner})"
            case "quotient":
                return f"({inner}) {self.choose(['/', '%', '&', '>>'])} {self.choose('12347')}"
            case _:
                return self.atom()

    def condition(self, depth: int = 1) -> str:
        match self.choose("memory compare compare compare not joint truth".split()) if depth else "compare":
            case "memory":
                return f"x[{self.atom()}] > 0"
            case "not":
                return f"!({self.condition(depth - 1)})"
            case "joint":
                return f"({self.condition(0)}) {self.choose(['&&', '||'])} ({self.condition(depth - 1)})"
            case "truth":
                return self.expression(1)
            case _:
                return f"{self.expression(1)} {self.choose(['<', '<=', '>', '>=', '==', '!='])} {self.expression(1)}"

    def bound(self) -> str:
        simple = [self.choose(ENDS), self.choose(PARAMETERS), self.choose(self.variables)]
        return f"{self.choose(simple)}{self.choose(['', '', ' + 1', ' - 1', ' - 2'])}"

    def place(self) -> str:
        name = self.choose(["y", "y", "x", "g", "u"])
        second = f"[{self.expression(1)}]" if name in "gu" else ""
        return f"{name}[{self.expression(1 if second else 2)}]{second}"

    def loop(self, depth: int) -> str:
        name, down = self.name(), self.choose("uuud") == "d"
        relation = self.choose([">", ">=", "!="] if down else ["<", "<", "<=", "!="])
        step = "1" if relation == "!=" else self.choose(["1", "1", "1", "2", "3", "7", "100"])
        change = f"{name} {'+-'[down]}= {step}"
        head = f"{self.choose(TYPES)} {name} = {self.bound()}; {name} {relation} {self.bound()}; {change}"
        self.variables.append(name)
        leaves = self.choose(["", "", "", f"if (x[{self.atom()}] > 0) break; "])
        body = self.statements(depth - 1)
        self.variables.remove(name)
        return f"for ({head}) {{ {leaves}{body} }}"

    def statement(self, depth: int) -> str:
        match self.choose("write write write update if define loop loop".split()):
            case "update":
                return f"{self.place()} += 1;"
            case "if":
                other = self.choose(["", f" else {self.place()} = 2;"])
                return f"if ({self.condition()}) {{ {self.place()} = 1; }}{other}"
            case "define":
                name, value = self.name(), self.expression()
                self.variables.append(name)
                return f"{self.choose(['int', 'long', 'unsigned', 'unsigned char'])} {name} = {value};"
            case "loop" if depth:
                return self.loop(depth)
            case _:
                return f"{self.place()} = {self.choose(['1', self.place()])};"

    def statements(self, depth: int) -> str:
        known = list(self.variables)
        text = " ".join(self.statement(depth) for _ in self.choose(["1", "12", "123"]))
        self.variables = known
        return text


def random_loop(choose: Choose) -> tuple[str, str]:
    """The head of a loop, and its body."""
    return choose(HEADS), RandomLoop(choose).statements(2)


@dataclass(slots=True)
class RandomPrivateElements(RandomLoop):
    """Of `double t[8]`, which each iteration has for itself; most subscripts are inside."""

    def place(self) -> str:
        name, other = self.choose(self.variables), self.choose(self.variables)
        inside = f"({self.expression(1)}) & 7"
        index = [self.choose("01234567"), name, name, inside, f"{name} / {self.choose('234')}", f"{name} % 8"]
        return f"t[{self.choose([*index, f'{name} - {other}', self.expression(1)])}]"

    def bound(self) -> str:
        odd = self.choose(["ul - 1", "un - 2", "m / 2", "n + 1", "m * n"])
        return self.choose(
            ["0", "2", "8", self.choose("345678"), self.choose(PARAMETERS), self.choose(self.variables), odd]
        )


def random_private_elements(choose: Choose) -> tuple[str, str]:
    """The head of a loop, and a body that reads some elements at its end."""
    body = RandomPrivateElements(choose)
    return choose(HEADS[:5]), f"double t[8]; {body.statements(2)} {body.statements(1)} y[i] = {body.place()};"
