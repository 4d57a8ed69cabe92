"""What a pragma says, as data: stage omp reads the text once, and every later stage sees only this.

    #pragma omp parallel for reduction(+ : sum) if(n > LIMIT)
      ->  Directive(Kind.OPENMP, "parallel for", clauses: reduction, modifier "+", symbols (sum,); if, expr n > 100)

Not here: reading the text -- omp/directives.py; which directives and clauses there are -- omp/grammar.py; what a
construct does with threads -- omp/constructs.py.
"""

from __future__ import annotations

from dataclasses import replace
from enum import Enum
from typing import TYPE_CHECKING

from ompc.base.diagnostics import Diagnostic, Reason
from ompc.base.frozen import dataclass
from ompc.base.source import Location

if TYPE_CHECKING:
    from ompc.ir.tree import Expr, Symbol


class Kind(Enum):
    """Whose pragma it is."""

    OPENMP = "a directive of OpenMP"
    UNKNOWN = "begins with `omp`, and with no directive that ompc knows"
    OWN = "ompc's, or OpenMPC's `cuda`"
    FOREIGN = "somebody else's"
    UNREAD = "not read yet"


@dataclass(frozen=True, slots=True)
class Operand:
    """A part of a list item: its text, macros expanded, and what that means; None: it is no expression."""

    text: str
    expr: Expr | None


@dataclass(frozen=True, slots=True)
class Section:
    """A list item of `map`, `to` and `from` at its first brackets with a colon, `base[first : count]`.

    `first` is None without such brackets, `count` is None where it is left out. `rest`: further brackets follow.
    """

    base: Operand
    first: Operand | None = None
    count: Operand | None = None
    rest: bool = False


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause as written.

    `name`       canonical name ("private", "reduction", "schedule", "collapse", "if", "num_threads", ...)
    `modifier`   the part before a colon: the reduction operator, the directive-name modifier of `if`, ...; None without
    `items`      list items as text (variables, array sections), or the single argument of an expression clause
    `symbols`    the list items resolved in the pragma's scope, for clauses that list variables; () otherwise
    `expr`       the typed argument of an expression clause (`if`, `num_threads`, `collapse`, chunk size); else None
    `user_text`  the argument, without its modifier, in the user's own spelling (macros not expanded); equals the
                 expanded text when it cannot be found
    `sections`   each item of `map`, `to` and `from`; None: it has another form
    `unread`     what follows the list (`linear(x : step(2))`) is no expression
    """

    name: str
    modifier: str | None = None
    items: tuple[str, ...] = ()
    symbols: tuple[Symbol, ...] = ()
    expr: Expr | None = None
    user_text: str = ""
    sections: tuple[Section | None, ...] = ()
    unread: bool = False


@dataclass(frozen=True, slots=True)
class Directive:
    """A directive: its canonical `name` ("parallel for", "for simd", "atomic", ...) and its clauses in order.

    `name`     "" for whatever is not of `Kind.OPENMP`
    `problem`  what of it could not be read; `clauses` are those before
    `warning`  that compilers ignore the line, though it looks like a directive
    `named`    the variables that its clauses name, also within expressions
    `used`     those of which the construct may use the original: not named only in `private` and `shared`
    """

    kind: Kind
    name: str
    clauses: tuple[Clause, ...]
    loc: Location
    problem: Reason | None = None
    warning: Diagnostic | None = None
    named: frozenset[Symbol] = frozenset()
    used: frozenset[Symbol] = frozenset()

    def all(self, name: str) -> tuple[Clause, ...]:
        return tuple(c for c in self.clauses if c.name == name)

    def first(self, name: str) -> Clause | None:
        return next(iter(self.all(name)), None)

    def joined(self, inner: Directive, name: str, clauses: tuple[Clause, ...]) -> Directive:
        """This one and an inner one as one."""
        problem, named = self.problem or inner.problem, self.named | inner.named
        return replace(self, name=name, clauses=clauses, problem=problem, named=named, used=self.used | inner.used)

    def listed(self, *names: str) -> frozenset[Symbol]:
        """The variables in the clauses of these names."""
        return frozenset(symbol for clause in self.clauses if clause.name in names for symbol in clause.symbols)


UNREAD = Directive(Kind.UNREAD, "", (), Location("", 0))
"""Of a pragma that stage omp has not seen: an analysis must read it as "may do anything"."""
