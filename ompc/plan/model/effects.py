"""What a launch does besides the stores of its iterations, and what may therefore be done to it.

    for (...) a[i] = f(b[i]);             nothing: iterations may come in any order, several to a thread, in parts
    for (...) sum += b[i];                a sum: also in parts, each of which goes on with those before
    for (...) last = i;                   a last value: in any order, but not in parts
    for (...) { sum += b[i]; scan; c[i] = sum; }    prefixes: the iterations before one must not come behind it
    for (...) printf("%d\\n", i);          their order shows, and a thread may leave the kernel before its end

Each kernel form asks for the property that it needs, not for the clauses that would break it.

    In: Facts.   Out: LaunchEffects.   Not here: what iterations do to each other -- analysis/independence.py.
"""

from __future__ import annotations

from ompc.analysis.facts import Facts
from ompc.base.frozen import dataclass
from ompc.ir import types as ty
from ompc.omp.model import League


@dataclass(frozen=True, slots=True)
class LaunchEffects:
    """Whether a launch has effects of each kind.

    `sums`          reductions of numbers by operators of the language
    `combinations`  other reductions: of records, or by the program's own operators
    `last_values`   lastprivate variables
    `latest`        those of them with `conditional:`, of which the last assignment counts
    `extrema`       argmin and argmax reductions: of equal values the first iteration's, or the last one's
    `prints`        output of iterations, in their order
    `ends`          iterations that may end the program, or the launch
    `scans`         prefixes, which the iterations see
    `atomics`       operations on what other iterations may change, too
    `league`        of one team, or of teams that run one after the other
    """

    sums: bool = False
    combinations: bool = False
    last_values: bool = False
    latest: bool = False
    extrema: bool = False
    prints: bool = False
    ends: bool = False
    scans: bool = False
    atomics: bool = False
    league: bool = False

    @classmethod
    def of(cls, facts: Facts) -> LaunchEffects:
        loop, code, forms = facts.loop, facts.device_code, facts.atomic_operations.forms
        sums = [ty.is_arithmetic(item.symbol.type) and item.declared is None for item in loop.reductions]
        return cls(
            sums=any(sums),
            combinations=not all(sums),
            last_values=bool(loop.lastprivates),
            latest=bool(loop.conditional),
            extrema=bool(facts.atomic_operations.arg_reductions),
            prints=bool(code.prints),
            ends=bool(code.leaves),
            scans=loop.scan is not None,
            atomics=bool(forms.operations or forms.ordered),
            league=loop.league is not League.NONE,
        )

    @property
    def reduces(self) -> bool:
        return self.sums or self.combinations

    @property
    def all_threads_end(self) -> bool:
        """Does each thread come to the end of the kernel, where the threads of a block may work together?"""
        return not (self.prints or self.ends)

    @property
    def is_order_free(self) -> bool:
        """Does nobody count the iterations?"""
        return self.all_threads_end and not (self.extrema or self.latest or self.scans)

    @property
    def may_interleave(self) -> bool:
        """May a thread do several iterations at once, statement by statement?"""
        return self.is_order_free and not (self.last_values or self.league)

    @property
    def may_be_split(self) -> bool:
        """May parts of the iterations be launched one after the other?"""
        return self.is_order_free and not (self.last_values or self.combinations)

    @property
    def may_be_spread(self) -> bool:
        """May several devices do a part of the iterations each at once? Atomic operations are those of one device."""
        return self.may_be_split and not self.atomics and not self.league

    @property
    def has_points_and_sums(self) -> bool:
        """Is there nothing but iterations and sums of numbers?"""
        return self.may_interleave and not self.combinations

    @property
    def has_only_points(self) -> bool:
        return self.may_interleave and not self.reduces
