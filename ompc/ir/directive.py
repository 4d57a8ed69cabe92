"""What a pragma says, as data: stage omp reads the text once, and every later stage sees only this.

    #pragma omp parallel for reduction(+ : sum) if(n > LIMIT)
      ->  Directive(Kind.OPENMP, "parallel for", clauses: reduction, modifier "+", listed (sum,); if, expr n > 100)

Not here: reading the text -- omp/reading; which directives and clauses there are -- omp/grammar.py; what a
construct does with threads -- omp/constructs.py.
"""

from __future__ import annotations

from dataclasses import replace
from enum import Enum
from typing import TYPE_CHECKING

from ompc.base.diagnostics import Diagnostic, Reason
from ompc.base.frozen import dataclass
from ompc.base.source import Location

ONCE = "once"
"""The name of an added directive in front of a statement that is no loop."""
CHAIN = "chain"
"""That of one in front of several loops and statements that one block does (analysis/chains.py)."""
DIVIDED = "divided"
"""That of one in front of a loop of which each thread of a region has a part (without_pragma/divided_loops.py)."""

if TYPE_CHECKING:
    from ompc.ir.declared_reduction import DeclaredReduction
    from ompc.ir.tree import Expr, Symbol


class Kind(Enum):
    """Whose pragma it is."""

    OPENMP = "a directive of OpenMP"
    UNKNOWN = "begins with `omp`, and with no directive that ompc knows"
    OWN = "ompc's, or OpenMPC's `cuda`"
    FOREIGN = "somebody else's"
    ADDED = "none of the program's: ompc's own, in front of a loop that has none"
    UNREAD = "not read yet"


@dataclass(frozen=True, slots=True)
class Operand:
    """A part of a list item: its text, macros expanded, and what that means; None: it is no expression."""

    text: str
    expr: Expr | None


@dataclass(frozen=True, slots=True)
class Brackets:
    """`[lower : length]`; None: from 0, or to the end. `single`: one index, which is `lower`."""

    lower: Operand | None
    length: Operand | None
    single: bool = False


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
class ListItem:
    """A variable in a list, or a part of it.

    `text`      as it stands there, macros expanded
    `brackets`  those that follow the variable's name at once
    `rest`      something else follows them: a member, or what is no array section
    `section`   of `map`, `to` and `from`: how far it reaches; None: it has another form
    """

    text: str
    symbol: Symbol
    brackets: tuple[Brackets, ...] = ()
    rest: bool = False
    section: Section | None = None

    @property
    def whole(self) -> bool:
        """Is it the variable, and no part of it?"""
        return not self.brackets and not self.rest


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause as written.

    `name`       canonical name ("private", "reduction", "schedule", "collapse", "if", "num_threads", ...)
    `modifiers`  the parts before a colon: the reduction operator, the directive-name modifier of `if`, ...
    `kind`       the word of a clause that takes one: `static` of `schedule`, `none` of `default`
    `listed`     the items of a list
    `expr`       the typed argument of an expression clause (`if`, `num_threads`, `collapse`, chunk size); else None
    `lower`      the least number of `num_teams(lower : upper)`
    `numbers`    of a clause of `#pragma ompc`
    `text`       the argument without its modifiers, macros expanded; "" where there is none
    `user_text`  the same in the user's own spelling; equals `text` when that cannot be found
    `unread`     an expression among them is none: what follows a list (`linear(x : step(2))`), a number of teams
    """

    name: str
    modifiers: tuple[str, ...] = ()
    kind: str | None = None
    listed: tuple[ListItem, ...] = ()
    expr: Expr | None = None
    lower: Expr | None = None
    numbers: tuple[int, ...] = ()
    text: str = ""
    user_text: str = ""
    unread: bool = False

    @property
    def modifier(self) -> str | None:
        """All of them; None where there is none."""
        return ", ".join(self.modifiers) or None

    @property
    def symbols(self) -> tuple[Symbol, ...]:
        """The variables of its list."""
        return tuple(item.symbol for item in self.listed)


@dataclass(frozen=True, slots=True)
class Directive:
    """A directive: its canonical `name` ("parallel for", "for simd", "atomic", ...) and its clauses in order.

    `name`     "ompc" and "cuda gpurun" for those of `Kind.OWN`, "" for what is nobody's that ompc knows, or ompc's own
    `problem`  what of it could not be read; `clauses` are those before
    `warning`  that compilers ignore the line, though it looks like a directive
    `named`    the variables that its clauses name, also within expressions
    `text`     what follows `#pragma omp`, or `#pragma` of other kinds, on one line, with macros expanded
    `written`  what follows `#pragma` in the user's text, on one line; empty: it is not known
    `declares` the reductions of a `declare reduction`, one for each type
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
    declares: tuple[DeclaredReduction, ...] = ()
    text: str = ""
    written: str = ""

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
"""The directive of a pragma that stage omp has not seen. An analysis must read it as "may do anything"."""
