"""What the text of code depends on besides the tree.

    In: decisions of the plan.   Out: Spelling.   Not here: the text -- expressions.py.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from ompc.analysis.reductions.atomics import Forms
from ompc.analysis.reductions.operations import Operation
from ompc.base.frozen import dataclass, field
from ompc.ir import tree as t
from ompc.plan.model.batch_model import NO_BATCHES, Batches
from ompc.plan.model.names import Name
from ompc.plan.model.plan import Binding, DeviceFunction
from ompc.render.code.macro_names import MacroNames
from ompc.render.code.types import TypePrinter


@dataclass(frozen=True, slots=True)
class Spelling:
    """What the text depends on besides the tree: decisions of the plan."""

    types: TypePrinter
    bindings: Mapping[t.Symbol, Binding]
    exact: Collection[t.Expr]
    functions: Mapping[t.Symbol, DeviceFunction]
    enumerators: Collection[str]
    const_arrays: Collection[t.Symbol] = field(default_factory=frozenset)
    forms: Forms = field(default_factory=Forms)
    prints: Sequence[t.Print] = ()
    accumulators: Mapping[Operation, Name] = field(default_factory=dict)  # of those that are done on copies
    replaced: Mapping[t.Expr, Name] = field(default_factory=dict)  # nodes that other things stand for
    batches: Batches = NO_BATCHES
    inverse_roots: Collection[t.Expr] = field(default_factory=frozenset)  # that are one operation
    macros: MacroNames = field(default_factory=MacroNames)
    has_runtime: bool = True  # which has atomic operations that CUDA has not
    marks_lines: bool = False  # statements say where the user has them (line_marks.py)
