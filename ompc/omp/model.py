"""The OpenMP view of a unit: canonical loops, data-sharing attributes, parallel loops.

One `ParallelLoop` stands for every worksharing-loop construct of the unit (also those that stay on the host: `host`
says why). `analysis` and `plan` read these; nothing here decides where a loop runs, except that what this stage cannot
understand is host.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from ompc.base.diagnostics import Reason
from ompc.base.frozen import dataclass, field
from ompc.base.source import Location
from ompc.base.tuning import NO_CHOICES, ShapeChoices
from ompc.ir import types as ty
from ompc.ir.declared_reduction import DeclaredReduction
from ompc.ir.directive import DIVIDED, ONCE, Clause, Directive, Kind
from ompc.ir.queries import is_written
from ompc.ir.tree import Expr, For, Pragma, Stmt, Symbol
from ompc.omp.asked import Asked, Divisible, Inspected, LeastValue, TeamSize, Unswitched, Within


class Sharing(Enum):
    """Data-sharing attribute in the loop (OpenMP 5.2, 5.1.1). Reductions are in `ParallelLoop.reductions` too."""

    SHARED = "shared"
    PRIVATE = "private"
    FIRSTPRIVATE = "firstprivate"
    LASTPRIVATE = "lastprivate"
    FIRST_LASTPRIVATE = "firstprivate lastprivate"
    REDUCTION = "reduction"
    SHARED_REDUCTION = "reduction in place"  # no copies: all iterations accumulate into the original's elements
    LOOP = "loop variable"  # private, assigned by the loop itself; also in `lastprivates` if the clause says so
    TEAM_PRIVATE = "private in the region"  # each thread of the team has a copy that outlives the loop

    @property
    def one_for_all(self) -> bool:
        """Do all iterations use the one original object?"""
        return self is Sharing.SHARED or self is Sharing.SHARED_REDUCTION


@dataclass(frozen=True, slots=True, eq=False)
class CanonicalLoop:
    """A loop in canonical form (OpenMP 5.2, 4.4.1): for (var = lower; var `relation` upper; var += step).

    `relation`       normalised to have `var` on its left: < <= > >= !=
    `down`           does the variable decrease?
    `step`           the magnitude of the increment: positive in every conforming program (`var -= 2` gives step 2 with
                     `down` true; `var += s` under `var > b` gives step -s)
    `constant_step`  its value when known at compile time
    `declared_here`  `for (int i = ...`
    `dependent`      a bound names the variable of an outer loop of the same `collapse`, so that the trip count differs
                     from one outer iteration to the next (4.4.2, non-rectangular nests)
    `pointer`        the user's variable where the loop is over a pointer, and `var` counts the elements
                     (pointer_loops.py)
    """

    statement: For
    var: Symbol
    declared_here: bool
    lower: Expr
    upper: Expr
    relation: str
    step: Expr | None  # None: 1 (++ or --)
    constant_step: int | None
    down: bool
    body: Stmt
    dependent: bool = False
    pointer: Symbol | None = None

    @property
    def type(self) -> ty.Type:
        return self.var.type


@dataclass(frozen=True, slots=True)
class Dimension:
    """One dimension of an array section, `[lower : length]`; None: from 0, or to the end. `single`: one index."""

    lower: Expr | None
    length: Expr | None
    single: bool = False


@dataclass(frozen=True, slots=True)
class ReductionItem:
    """`op` is one of + * - & | ^ && || min max, or the name of `declared`; `section` of an array, () for all of it."""

    symbol: Symbol
    op: str
    section: tuple[Dimension, ...] = ()
    declared: DeclaredReduction | None = None


@dataclass(frozen=True, slots=True)
class Scan:
    """That iterations see prefixes of the reductions: `inclusive`: with what they put in themselves."""

    inclusive: bool

    @property
    def words(self) -> str:
        return "inclusive" if self.inclusive else "exclusive"


@dataclass(frozen=True, slots=True)
class MappedSection:
    """`p[first : count]` of a map clause, as C text without side effects; in elements of what the pointer points to."""

    first: str
    count: str


@dataclass(frozen=True, slots=True, eq=False)
class Target:
    """What the target and teams levels of a construct add to its loop.

    `copies`       scalars of which the target region has one copy: what the loop writes there does not come back
    `sections`     how far map clauses say that pointers reach
    `alone`        worksharing constructs in the body that each thread of the kernel runs by itself
    `waits`        a `depend` clause: tasks created before must have finished
    `independent`  the directives say that no iteration depends on another; else (`target simd`) it is to be proved
    """

    copies: frozenset[Symbol]
    sections: Mapping[Symbol, MappedSection]
    alone: frozenset[Pragma]
    waits: bool
    independent: bool


@dataclass(frozen=True, slots=True)
class Override:
    """What the user's `#pragma cuda` and `#pragma ompc` lines ask of a loop (omp/wishes/openmpc.py).

    `host`            why it stays on the host
    `threads`         of a block
    `blocks`          of the grid, at most
    `constant`        arrays in constant memory
    `not_constant`    arrays that are not there
    `annotated_only`  no further loop joins the grid
    `shape`           of the launches, and how the kernel is made, at --opt auto
    `measured`        what says so, if not the source
    """

    host: Reason | None = None
    threads: int | None = None
    blocks: int | None = None
    constant: frozenset[Symbol] = frozenset()
    not_constant: frozenset[Symbol] = frozenset()
    annotated_only: bool = False
    shape: ShapeChoices = NO_CHOICES
    measured: str = ""

    @property
    def kernel_because(self) -> str:
        """Why the kernel is made as `shape` says."""
        return self.measured or "as `#pragma ompc` asks"

    def then(self, inner: Override) -> Override:
        """Both, where `inner` wins."""
        return Override(
            inner.host or self.host,
            inner.threads or self.threads,
            inner.blocks or self.blocks,
            (self.constant - inner.not_constant) | inner.constant,
            (self.not_constant - inner.constant) | inner.not_constant,
            inner.annotated_only or self.annotated_only,
            self.shape.then(inner.shape),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Team:
    """The threads that share the iterations of a loop which is no parallel region of its own.

    `region`   the `parallel` directive around the loop; None: the loop is orphaned
    `code`     what every thread of the team runs: the region's body, or that of the function
    `private`  the variables of which each thread has its own for all of `code`
    `results`  those that the region reduces at its end, with the operator
    """

    region: Directive | None
    code: Stmt
    private: frozenset[Symbol]
    results: Mapping[Symbol, str]


class League(Enum):
    """What a launch asks of the teams that come to it, where a `teams` region has other code too."""

    NONE = "there are no teams"
    IN_TURN = "teams run one after the other"
    ONE = "there is one team"


@dataclass(frozen=True, slots=True)
class FixedRead:
    """An integer in memory that the launch does not change, which a variable of the kernel stands for.

    `condition`  under which the host may read it, as C text; empty: always
    `compared`   lvalues that must not lie in what the loop writes
    `meaning`    what people call it, where it is no part of the program's text
    """

    value: Expr
    condition: str
    compared: tuple[Expr, ...]
    meaning: str = ""


@dataclass(frozen=True, slots=True)
class Succession:
    """What lets iterations depend on earlier ones, as nobody promises that they do not: `because` of what, in a
    message's words. `adds_in_order`: sums have the last bits of the iterations' order, too; not so where several
    threads, each in its order, add.
    """

    because: str
    adds_in_order: bool = True


@dataclass(frozen=True, slots=True)
class Places:
    """Elements that counters give out (transform/threads/ordered_counters.py).

    `slot`      the iteration's variable with the place, by which alone it stores there
    `in_order`  is not 0 where places may meet, so that iterations store in their order
    """

    slot: Symbol
    in_order: Symbol


@dataclass(frozen=True, slots=True)
class Divided:
    """Of a loop that the threads of a team divide themselves: the kernel's variables for its bounds.

    `first`, `end`  what each thread has as bounds of its part, and the launch as bounds of all parts
    `turns`         each thread has every so many iterations, as many as this is; None: it has a block of them
    """

    first: Symbol
    end: Symbol
    turns: Expr | None = None


@dataclass(frozen=True, slots=True, eq=False)
class ParallelLoop:
    """A worksharing loop and all that its directive says.

    `id`         unique in the unit (loop_names.py)
    `directive`  merged when `parallel` holds nothing but one `for` (then `pragma` is the outer pragma)
    `loops`      the associated loops, outermost first, as many as `collapse` says; empty when `host` is for their form
    `body`       the body of the innermost associated loop
    `sharing`    for every variable declared outside the loop and used in it, or listed in a clause
    `host`       why this loop must stay on the host as far as its directive and form go; None if nothing is against it
    `target`     of a target or teams construct; None for any other, or when `host` is set
    `team`       whose threads share the iterations; None: the construct is a parallel region itself
    `agreed`     the threads' own variables that must be the same in all of them, though the kernel does not use them
    `override`   what the user's `#pragma cuda` lines ask
    `linear`     lastprivate copies that begin with a value of their own, and whose last value they have (linear.py)
    `league`     what the launch asks of the teams around it
    `copied`     variables of file scope of which a construct around the loop has copies, as no called function has
    `in_order`   what lets iterations depend on earlier ones, as one thread runs them in their order; None: nothing
    `fixed`      variables of the kernel that stand for what the host reads in memory (plan/rewrites/fixed_reads.py)
    `former`     arrays of the kernel that stand for what others hold before the launch (plan/rewrites/former_values.py)
    `thread_copies`  pointers of the kernel to what each thread has in a variable (transform/threads/thread_copies.py)
    `phases`     the variable with the number of the phase of the launch; None: the launch has no phases
    `places`     of a loop in phases: what its parts' iterations store by places of counters; None: nothing
    `scratch`    pointers of the kernel to rows of the launch's memory, as many as two variables' product, and one more
    `least`      what must be so for privatised objects to be that; else the host runs the loop
    (privatisation/array_privatisation.py)
    `unswitched` what must be so since the kernel has not some branches; else the host runs the loop (unswitching.py)
    `kept`       parts of objects that the host has asked for, and that the launch must not write (asked_exits.py)
    `scan`       what iterations see of the reductions; None: nothing (scans.py)
    `within`     between which numbers variables must be for iterations to be independent (plan/rewrites/sizes.py)
    `divisible`  of what sizes must be multiples for strips to be whole (plan/rewrites/whole_loops.py)
    `sizes`      what must be so for the kernel to know how many threads the region has (thread_numbers.py)
    `inspected`  what an inspector must find for privatised objects to be that (privatisation/inspection)
    `chain`      the loops and statements that one block does as this one, in the order of the text (analysis/chains.py)
    `wholes`     by the counters of loops that have some of the iterations of others: those (plan/rewrites/one_apart.py)
    `divided`    how its threads divide it, of a kernel; None: OpenMP does, or one thread runs it (divided_loops.py)
    `unordered_sums`  the variables inside of it to which the program lets threads add in any order
    """

    id: str
    function: str
    directive: Directive
    pragma: Pragma
    loc: Location
    loops: tuple[CanonicalLoop, ...]
    body: Stmt | None
    sharing: Mapping[Symbol, Sharing]
    reductions: tuple[ReductionItem, ...]
    lastprivates: tuple[Symbol, ...]
    conditional: frozenset[Symbol]  # of the lastprivates, those with the modifier: only iterations that assign count
    condition: Clause | None  # the `if` clause
    host: Reason | None
    target: Target | None = None
    team: Team | None = None
    override: Override = Override()
    agreed: tuple[Symbol, ...] = ()
    linear: Mapping[Symbol, Symbol] = field(default_factory=dict)
    league: League = League.NONE
    copied: frozenset[Symbol] = frozenset()
    in_order: Succession | None = None
    fixed: Mapping[Symbol, FixedRead] = field(default_factory=dict)
    former: Mapping[Symbol, Symbol] = field(default_factory=dict)
    thread_copies: Mapping[Symbol, Symbol] = field(default_factory=dict)
    phases: Symbol | None = None
    places: Places | None = None
    scratch: Mapping[Symbol, tuple[Symbol, Symbol]] = field(default_factory=dict)
    least: tuple[LeastValue, ...] = ()
    unswitched: tuple[Unswitched, ...] = ()
    kept: tuple[Expr, ...] = ()
    within: tuple[Within, ...] = ()
    divisible: tuple[Divisible, ...] = ()
    sizes: tuple[TeamSize, ...] = ()
    inspected: tuple[Inspected, ...] = ()
    scan: Scan | None = None
    chain: tuple[ParallelLoop, ...] = ()
    wholes: Mapping[Symbol, CanonicalLoop] = field(default_factory=dict)
    divided: Divided | None = None
    unordered_sums: frozenset[Symbol] = frozenset()

    @property
    def asked(self) -> tuple[Asked, ...]:
        """What must be so for the kernel to do what the loop does."""
        return (*self.least, *self.within, *self.divisible, *self.unswitched, *self.sizes, *self.inspected)

    @property
    def line(self) -> int:
        return self.loc.line

    @property
    def has_pragma(self) -> bool:
        """Does the program say something about it?"""
        return self.pragma.directive.kind is not Kind.ADDED

    @property
    def has_line(self) -> bool:
        """Has the text a pragma in front of it, be it one that says little about it?"""
        return self.has_pragma or is_written(self.pragma)

    @property
    def is_added(self) -> bool:
        """Does one thread run it, as far as the program says (added_loops.py)?"""
        return not self.has_pragma and not self.is_divided

    @property
    def is_divided(self) -> bool:
        """Do the threads of its team divide it themselves (divided_loops.py)?"""
        return not self.has_pragma and self.pragma.directive.name == DIVIDED

    @property
    def directive_words(self) -> str:
        """The directive's name, or what people call a loop without one."""
        if self.has_pragma:
            return self.directive.name
        return "divided among threads" if self.is_divided else "no pragma"

    @property
    def is_statement(self) -> bool:
        """Is it a single statement of the program's, which was made a loop of one iteration?"""
        return self.is_added and self.pragma.directive.name == ONCE
