"""Analysis: between which statements of `main` each function of a program may run.

    int main(void) { read_sizes(); nx = n - 2; set_up(); for (...) step(); }      set_up and step: behind `nx = n - 2`

The statements of `main` run one after the other. A function that is called once, by a statement of its own, counts as
its statements, and so on. Every other function runs while a statement runs that calls it, directly or not; or at any
time, where something else than a call names it: its address, an attribute, assembler, a pragma; or a task calls it.

    In: all units of a program, the words that only their text has.   Out: ProgramOrder.items, .window, None: not known.
    Not here: what the functions do -- settled.py.   Source: call graphs of whole programs (Ryder, IEEE TSE 1979).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from ompc.analysis.eligibility.library_effects import may_return_again
from ompc.base.frozen import dataclass, field
from ompc.ir import tree as t
from ompc.ir.exits import has_goto, returns_early
from ompc.ir.queries import nodes, only_reads, unread_in
from ompc.ir.walk import Node
from ompc.omp.constructs import may_be_deferred

AT_ANY_TIME = -1, 1 << 60
"""The window of a function that something else than `main` may call."""

_AROUND_MAIN = frozenset({"constructor", "destructor", "section"})
_CALLED_BY_SYSTEM = re.compile(r"_.*|ompt_.*|[cm]alloc|realloc|free|(posix_)?memalign|aligned_alloc|p?valloc")

Window = tuple[int, int]
"""The first and the last statement of `main` during which a function may run."""


@dataclass(frozen=True, slots=True)
class Item:
    """A statement that `main` runs, of the unit number `unit`."""

    unit: int
    statement: t.Stmt


@dataclass(slots=True)
class _Mentions:
    """The functions that code names: `called` once for each call; `free`: not only called."""

    called: list[t.Symbol] = field(default_factory=list)
    free: set[t.Symbol] = field(default_factory=set)


class ProgramOrder:
    """`items`: what `main` runs, in order; none where no order is known."""

    def __init__(self, units: Sequence[t.Unit], hidden: Collection[str]) -> None:
        self._units = units
        self._functions = {f.symbol: (at, f) for at, unit in enumerate(units) for f in unit.functions.values()}
        self._external: dict[str, list[t.Symbol]] = {}
        for unit in units:
            for name, function in unit.functions.items():
                if name not in unit.internal:
                    self._external.setdefault(name, []).append(function.symbol)
        self._mentions = {s: self._mentioned(at, _code_of(f)) for s, (at, f) in self._functions.items()}
        self._free = self._free_functions(hidden)
        self._calls = Counter(s for mentions in self._mentions.values() for s in mentions.called)
        self._windows: dict[t.Symbol, Window] = {}
        self._in_place: frozenset[t.Symbol] = frozenset()
        self.items: list[Item] = []
        main = self._main(hidden)
        if main is not None:
            at, body = main
            self._run(at, body)
            self._find_windows()

    def window(self, function: t.Symbol) -> Window | None:
        """When the function with this symbol may run; None: never, as far as the program calls it."""
        return self._windows.get(function)

    def bodies(self) -> Iterator[tuple[int, Node]]:
        """All code that may run, each with the last statement of `main` meanwhile."""
        for last, item in enumerate(self.items):
            yield last, item.statement
        for symbol, (_, last) in self._windows.items():
            if symbol not in self._in_place:
                yield from ((last, part) for part in _code_of(self._functions[symbol][1]))

    # ---------------------------------------------------------------- who names whom

    def _mentioned(self, at: int, codes: Collection[Node]) -> _Mentions:
        found = _Mentions()
        callees: set[int] = set()
        for code in codes:
            for node in nodes(code):
                if isinstance(node, t.Call) and isinstance(node.function, t.Name):
                    callees.add(id(node.function))
                    found.called += self._meant(at, node.function.symbol)
                elif isinstance(node, t.Name) and node.symbol.storage is t.Storage.FUNCTION:
                    found.free |= set() if id(node) in callees else {*self._meant(at, node.symbol)}
        if any(_defers(node) for code in codes for node in nodes(code)):
            found.free |= {*found.called}
        return found

    def _meant(self, at: int, symbol: t.Symbol) -> list[t.Symbol]:
        """The functions that a name stands for; of inline ones there may be several."""
        unit = self._units[at]
        if symbol.name in unit.internal:
            return [unit.functions[symbol.name].symbol] if symbol.name in unit.functions else []
        return self._external.get(symbol.name, [])

    def _free_functions(self, hidden: Collection[str]) -> set[t.Symbol]:
        """Those that something else than a call in the program names."""
        found = set().union(*(mentions.free for mentions in self._mentions.values()))
        for at, unit in enumerate(self._units):
            inits = [variable.init for variable in unit.variables if variable.init is not None]
            named = self._mentioned(at, inits)
            found |= {*named.called, *named.free}
        by_system = {s for s in self._functions if s.name in hidden or _CALLED_BY_SYSTEM.fullmatch(s.name)}
        return found | by_system

    # ------------------------------------------------------------------- main's course

    def _main(self, hidden: Collection[str]) -> tuple[int, t.Block] | None:
        """`main`, where its statements run in their order, once, and all that runs is seen."""
        mains = [(at, f) for s, (at, f) in self._functions.items() if s.name == "main"]
        if len(mains) != 1 or not _AROUND_MAIN.isdisjoint(word.strip("_") for word in hidden):
            return None
        at, main = mains[0]
        running = self._closure({main.symbol, *self._free})
        if main.body is None or main.symbol in self._free or self._calls[main.symbol]:
            return None
        if has_goto(main.body) or any(map(_defers, nodes(main.body))) or not all(map(self._is_seen, running)):
            return None
        return at, main.body

    def _is_seen(self, symbol: t.Symbol) -> bool:
        """Is nothing in it unknown, and does it return once?"""
        body = self._functions[symbol][1].body
        if body is None or unread_in(body) is not None:
            return False
        return not any(isinstance(n, t.Name) and may_return_again(n.symbol) for n in nodes(body))

    def _run(self, at: int, statement: t.Stmt) -> None:
        """Add what a statement runs to `items`."""
        function = self._in_its_place(at, statement)
        if isinstance(statement, t.Block):
            for part in statement.items:
                self._run(at, part)
        elif function is None:
            self.items.append(Item(at, statement))
        else:
            first = len(self.items)
            self.items += [Item(at, t.ExprStmt(arg.loc, arg)) for arg in _arguments(statement)]
            unit, called = self._functions[function]
            assert called.body is not None
            self._run(unit, called.body)
            self._windows[function] = first, max(first, len(self.items) - 1)

    def _in_its_place(self, at: int, statement: t.Stmt) -> t.Symbol | None:
        """The function whose statements stand for this call: the only one of it in the program."""
        match statement:
            case t.ExprStmt(expr=t.Call(function=t.Name(symbol=symbol), args=args)):
                found = self._meant(at, symbol)
                if len(found) != 1 or found[0] in self._free or self._calls[found[0]] != 1:
                    return None
                body = self._functions[found[0]][1].body
                simple = all(map(only_reads, args))
                runs_through = body is not None and not has_goto(body) and not returns_early(body)
                return found[0] if simple and runs_through and not any(map(_defers, nodes(body or statement))) else None
            case _:
                return None

    def _find_windows(self) -> None:
        self._in_place = frozenset(self._windows)
        first, last = self._by_items(range(len(self.items))), self._by_items(range(len(self.items) - 1, -1, -1))
        for symbol in first:
            self._windows.setdefault(symbol, (first[symbol], last[symbol]))
        self._windows.update(dict.fromkeys(self._closure(self._free), AT_ANY_TIME))

    def _by_items(self, order: Collection[int]) -> dict[t.Symbol, int]:
        """The first item, in this order, that calls each function, directly or not."""
        found: dict[t.Symbol, int] = {}
        for at in order:
            item = self.items[at]
            for symbol in self._closure({*self._mentioned(item.unit, [item.statement]).called}, found):
                found[symbol] = at
        return found

    def _closure(self, roots: Collection[t.Symbol], known: Collection[t.Symbol] = ()) -> set[t.Symbol]:
        """The functions, and those that they call, directly or not; without those `known`, and what only they call."""
        found: set[t.Symbol] = set()
        pending = list(roots)
        while pending:
            symbol = pending.pop()
            if symbol not in found and symbol not in known:
                found.add(symbol)
                pending += self._mentions[symbol].called
        return found


def _code_of(function: t.Function) -> list[Node]:
    """What a call of it evaluates; lengths in the types of its parameters that do something are in its body, too."""
    return [] if function.body is None else [function.body]


def _arguments(statement: t.Stmt) -> tuple[t.Expr, ...]:
    match statement:
        case t.ExprStmt(expr=t.Call(args=args)):
            return args
        case _:
            return ()


def _defers(node: Node) -> bool:
    """May code of a construct run when the statement has ended?"""
    return isinstance(node, t.Pragma) and may_be_deferred(node)
