"""Plan: what the host's statements run: launches, functions, and what could keep them from going through to their end.

    for (k = 0; k < steps; k++)      runs the launch in `step`, which nothing else runs
        step(now, next);

    In: HostUses of a program with `main`, its launches.   Out: HostFlow, asked about a Section of statements.
    Not here: which objects they touch -- analysis/host/host_uses.py; where pointers come from -- roots.py.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator

from ompc.analysis.eligibility import library_effects as library
from ompc.analysis.host.host_code import HostCode, Span, Use
from ompc.analysis.host.host_objects import Object, origins
from ompc.analysis.host.host_pointers import Pointers
from ompc.analysis.host.host_uses import HostUses
from ompc.base.frozen import dataclass
from ompc.ir import tree as t
from ompc.ir.exits import goes_elsewhere
from ompc.ir.walk import Node, children, walk

_Site = tuple[t.Symbol, int]
"""A function, and a place in it."""

LOOPS = (t.For, t.While, t.DoWhile)


@dataclass(frozen=True, slots=True, eq=False)
class Section:
    """Statements that follow each other in a block of a function; `span`: their places, `before`: those in front of
    them in the block and in the blocks around it.
    """

    code: HostCode
    statements: tuple[t.Stmt, ...]
    before: tuple[t.Stmt, ...]

    @property
    def function(self) -> t.Function:
        return self.code.function

    @property
    def span(self) -> Span:
        places = self.code.places
        return Span(places[self.statements[0]].begin, places[self.statements[-1]].end)


class HostFlow:
    """Answers for one program."""

    def __init__(
        self, uses: HostUses, pointers: Pointers, launches: Collection[t.Pragma], passed: Collection[t.Pragma] = ()
    ) -> None:
        """`passed`: other pragmas that will not be there."""
        self.codes, self._pointers, self._pragmas, self.passed = uses.codes, pointers, launches, passed
        self.sites: defaultdict[t.Symbol, list[_Site]] = defaultdict(list)
        self.called_back: set[t.Symbol] = set()
        self._callees: defaultdict[t.Symbol, set[t.Symbol]] = defaultdict(set)
        for symbol, code in self.codes.items():
            for at, _, seen, back in code.calls:
                self.called_back |= {callee.symbol for callee in back}
                for callee in (*seen, *back):
                    self.sites[callee.symbol].append((symbol, at))
                    self._callees[symbol].add(callee.symbol)
        self.below = {symbol: self._reached(self._callees[symbol]) for symbol in self.codes}
        self._own = {symbol: frozenset(_launched_in(code)) for symbol, code in self.codes.items()}
        self._together = self._reached(self._run_together())
        self.shared = frozenset(self._used_at_any_time(uses))

    def launched(self, code: HostCode, span: Span) -> frozenset[object]:
        """The loops of launches that run at these places."""
        direct = (e.what.loop for e in code.events if isinstance(e.what, Use) and span.holds(e.at))
        return frozenset(direct).union(*(self._own[callee] for callee in self.called(code, span)))

    def called(self, code: HostCode, span: Span) -> frozenset[t.Symbol]:
        """The functions that run there."""
        calls = ((*seen, *back) for at, _, seen, back in code.calls if span.holds(at))
        return self._reached(callee.symbol for callees in calls for callee in callees)

    def goes_through(self, section: Section) -> bool:
        """Do the statements end where they end in the text, with nothing in them that is not known, one at a time?"""
        symbol = section.function.symbol
        if symbol in self.below[symbol] or symbol in self._together:
            return False
        labels = (span for node, span in section.code.places.items() if isinstance(node, t.Label))
        if any(map(goes_elsewhere, section.statements)) or any(span.begin <= section.span.end for span in labels):
            return False  # nor may a jump miss what pointers are given in front of them
        called = self.called(section.code, section.span)
        bodies = [self.codes[each].function.body for each in called]
        known = [node for root in (*section.statements, *bodies) if root is not None for node in self._of_host(root)]
        return not any(map(self._is_unknown, known))

    def runs_only_in(self, sections: Collection[Section], loop: object) -> bool:
        """Is the loop's launch run by nothing else?"""
        return all(
            self._is_inside(sections, symbol, event.at, frozenset())
            for symbol, code in self.codes.items()
            for event in code.events
            if isinstance(event.what, Use) and event.what.loop == loop
        )

    def can_meet(self, one: Section, other: Section) -> bool:
        """Can the one run while the other does?"""
        if one.function is other.function:
            return one.span.begin <= other.span.end and other.span.begin <= one.span.end
        return other.function.symbol in self.called(one.code, one.span) or one.function.symbol in self.called(
            other.code, other.span
        )

    def may_be_freed(self, section: Section, objects: Collection[Object], declared: float, everywhere: bool) -> bool:
        """Can the blocks be freed before the end of the statements? `declared`: where the function declares the pointer
        to them; `everywhere`: other functions can free them before this one is called.
        """
        freeing = self._freeing(objects)
        return self._is_freed(section.code, section.span, freeing, objects, declared, everywhere, frozenset())

    # ------------------------------------------------------------ what runs

    def _reached(self, begin: Iterable[t.Symbol]) -> frozenset[t.Symbol]:
        seen = set(begin)
        pending = list(seen)
        while pending:
            more = self._callees[pending.pop()] - seen
            seen |= more
            pending += more
        return frozenset(seen)

    def _run_together(self) -> Iterator[t.Symbol]:
        """What threads may run at the same time: what a pragma of the host's calls, or code that is not seen."""
        yield from self.called_back
        for code in self.codes.values():
            pragmas = [node for node in code.places if isinstance(node, t.Pragma) and not self._is_gone(node)]
            spans = [code.places[node] for node in pragmas]
            for at, _, seen, back in code.calls:
                if any(span.holds(at) for span in spans):
                    yield from (callee.symbol for callee in (*seen, *back))

    def _used_at_any_time(self, uses: HostUses) -> Iterator[Object]:
        """The objects of launches that threads, or transfers that go on when their call has returned, may use."""
        for code in self.codes.values():
            assert code.function.body is not None
            for call in (node for node in walk(code.function.body) if isinstance(node, t.Call)):
                seen, unseen = self._pointers.callees(call)
                if any(map(library.keeps, unseen)):
                    yield from self._pointers.reachable(found for a in call.args for found in self._pointers.passed(a))
                if not all(map(library.is_library, unseen)) or not (seen or unseen):
                    for callee in self._pointers.called_back(call):
                        yield from uses.used_in(self.codes[callee.symbol]) if callee.symbol in self.codes else ()

    def _is_inside(
        self, sections: Collection[Section], function: t.Symbol, at: float, active: frozenset[t.Symbol]
    ) -> bool:
        if any(section.function.symbol is function and section.span.holds(at) for section in sections):
            return True
        sites = self.sites[function]
        if not sites or function in active:
            return False
        return all(self._is_inside(sections, caller, place, active | {function}) for caller, place in sites)

    # ------------------------------------------------------------ what is in them

    def _of_host(self, root: Node) -> Iterator[Node]:
        """What the host runs of it, the pragmas of launches themselves included."""
        yield root
        if root not in self._pragmas:
            for child in children(root):
                yield from self._of_host(child)

    def _is_gone(self, pragma: t.Pragma) -> bool:
        return pragma in self._pragmas or pragma in self.passed

    def _is_unknown(self, node: Node) -> bool:
        match node:
            case t.OpaqueExpr() | t.OpaqueStmt():
                return True
            case t.Pragma():
                return not self._is_gone(node)
            case t.Call():
                seen, unseen = self._pointers.callees(node)
                known = all(library.is_library(s) and not library.may_end_program(s) for s in unseen)
                return not known or not (seen or unseen)
            case _:
                return False

    # ------------------------------------------------------------ blocks that end

    def _freeing(self, objects: Collection[Object]) -> frozenset[t.Symbol]:
        own = {s for s, code in self.codes.items() if any(self._frees(arg, objects) for _, arg in code.freed)}
        return frozenset(s for s in self.codes if s in own or not own.isdisjoint(self.below[s]))

    def _frees(self, argument: t.Expr, objects: Collection[Object]) -> bool:
        return are_related(self._pointers.value(argument), objects)

    def _is_freed(
        self, code: HostCode, span: Span, freeing: Collection[t.Symbol], objects: Collection[Object], declared: float,
        everywhere: bool, active: frozenset[t.Symbol],
    ) -> bool:  # fmt: skip
        places = [at for at, argument in code.freed if self._frees(argument, objects)]
        places += [at for at, _, seen, back in code.calls if any(f.symbol in freeing for f in (*seen, *back))]
        around = [loop for loop in code.loops if loop.holds(span.begin) and not loop.holds(declared)]
        if any(at <= span.end or any(loop.holds(at) for loop in around) for at in places):
            return True
        symbol = code.function.symbol
        if not everywhere or symbol in active:
            return everywhere and symbol in active
        return any(
            self._is_freed(self.codes[caller], Span(at, at), freeing, objects, declared, True, active | {symbol})
            for caller, at in self.sites[symbol]
        )


def _launched_in(code: HostCode) -> Iterator[object]:
    return (event.what.loop for event in code.events if isinstance(event.what, Use))


def are_related(some: Iterable[Object], others: Collection[Object]) -> bool:
    """Can an object of the one be one of the other? A block stands for its copies, and a copy for its block."""
    return any(a in origins(b) or b in origins(a) for a in some for b in others)
