"""The directives and clauses of OpenMP 5.2 for C, as tables.

    CLAUSES      clause name -> its shape: how the text between its parentheses is built
    DIRECTIVES   directive name -> the clauses it takes; combined names take what their constituents take (5.2, 17.1)

Nothing here decides what ompc supports; that is regions.py. Names of OpenMP 4 and 5.0 that 5.2 has dropped (`master`,
`declare target to`) are still read, since compilers still take them.

Out: the tables, and `words_of_directive`.   Not here: reading a pragma's text -- reading/directives.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType

from ompc.base.frozen import dataclass


class Shape(Enum):
    """What stands between a clause's parentheses."""

    NONE = "no parentheses"
    LIST = "item, ..."
    MODIFIED_LIST = "[modifier :] item, ..."
    LIST_THEN_EXPRESSION = "item, ... [: expression]"
    EXPRESSION = "[modifier :] expression"
    KIND = "[modifier :] kind [, expression]"
    BOUNDS = "[expression :] expression"
    TEXT = "anything: kept as one item"


@dataclass(frozen=True, slots=True)
class ClauseGrammar:
    """`optional`: the parentheses may be left out.

    `modifiers`: the words that may stand before the colon of an EXPRESSION, where a colon may also belong to `?:`;
    elsewhere any text may.
    """

    shape: Shape
    optional: bool = False
    modifiers: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class DirectiveGrammar:
    """`argument` is the shape of a parenthesised argument after the name (`critical(name)`); it may be left out."""

    clauses: frozenset[str]
    argument: Shape = Shape.NONE


LEAVES: Mapping[str, frozenset[str]] = MappingProxyType({
    name: frozenset(clauses.split())
    for name, clauses in {
        "parallel": "allocate copyin default firstprivate if num_threads private proc_bind reduction shared",
        "for": "allocate collapse firstprivate lastprivate linear nowait order ordered private reduction schedule",
        "simd": "aligned collapse if lastprivate linear nontemporal order private reduction safelen simdlen",
        "loop": "bind collapse lastprivate order private reduction",
        "distribute": "allocate collapse dist_schedule firstprivate lastprivate order private",
        "teams": "allocate default firstprivate num_teams private reduction shared thread_limit",
        "target": "allocate defaultmap depend device firstprivate has_device_addr if in_reduction is_device_ptr map "
                  "nowait private thread_limit uses_allocators",
        "taskloop": "allocate collapse default final firstprivate grainsize if in_reduction lastprivate mergeable "
                    "nogroup num_tasks priority private reduction shared untied",
        "sections": "allocate firstprivate lastprivate nowait private reduction",
        "master": "",
        "masked": "filter",
    }.items()
})
"""The constructs that combined names are made of."""

COMBINED = (
    "for simd", "parallel for", "parallel for simd", "parallel loop", "parallel sections", "taskloop simd",
    "parallel master", "parallel masked",
    "master taskloop", "master taskloop simd", "parallel master taskloop", "parallel master taskloop simd",
    "masked taskloop", "masked taskloop simd", "parallel masked taskloop", "parallel masked taskloop simd",
    "distribute simd", "distribute parallel for", "distribute parallel for simd",
    "teams distribute", "teams distribute simd", "teams distribute parallel for", "teams distribute parallel for simd",
    "teams loop", "target parallel", "target parallel for", "target parallel for simd", "target parallel loop",
    "target simd", "target teams", "target teams distribute", "target teams distribute simd",
    "target teams distribute parallel for", "target teams distribute parallel for simd", "target teams loop",
)

_OTHERS: Mapping[str, tuple[str, Shape]] = {
    "task": ("affinity allocate default depend detach final firstprivate if in_reduction mergeable priority private "
             "shared untied", Shape.NONE),
    "section": ("", Shape.NONE),
    "single": ("allocate copyprivate firstprivate nowait private", Shape.NONE),
    "scope": ("allocate firstprivate nowait private reduction", Shape.NONE),
    "critical": ("hint", Shape.TEXT),
    "barrier": ("", Shape.NONE),
    "taskwait": ("depend nowait", Shape.NONE),
    "taskyield": ("", Shape.NONE),
    "taskgroup": ("allocate task_reduction", Shape.NONE),
    "atomic": ("read write update capture compare fail weak hint seq_cst acq_rel acquire release relaxed", Shape.NONE),
    "flush": ("seq_cst acq_rel acquire release", Shape.LIST),
    "ordered": ("threads simd depend doacross", Shape.NONE),
    "depobj": ("depend destroy update", Shape.TEXT),
    "cancel": ("parallel sections for taskgroup if", Shape.NONE),
    "cancellation point": ("parallel sections for taskgroup", Shape.NONE),
    "target data": ("device if map use_device_addr use_device_ptr", Shape.NONE),
    "target enter data": ("depend device if map nowait", Shape.NONE),
    "target exit data": ("depend device if map nowait", Shape.NONE),
    "target update": ("depend device from if nowait to", Shape.NONE),
    "declare simd": ("aligned inbranch linear notinbranch simdlen uniform", Shape.NONE),
    "declare target": ("device_type enter indirect link to", Shape.LIST),
    "begin declare target": ("device_type indirect", Shape.NONE),
    "end declare target": ("", Shape.NONE),
    "declare reduction": ("initializer", Shape.TEXT),
    "declare mapper": ("map", Shape.TEXT),
    "declare variant": ("adjust_args append_args match", Shape.TEXT),
    "begin declare variant": ("match", Shape.NONE),
    "end declare variant": ("", Shape.NONE),
    "threadprivate": ("", Shape.LIST),
    "allocate": ("align allocator", Shape.LIST),
    "scan": ("exclusive inclusive", Shape.NONE),
    "requires": ("atomic_default_mem_order dynamic_allocators reverse_offload unified_address unified_shared_memory",
                 Shape.NONE),
    "assume": ("absent contains holds no_openmp no_openmp_routines no_parallelism", Shape.NONE),
    "assumes": ("absent contains holds no_openmp no_openmp_routines no_parallelism", Shape.NONE),
    "begin assumes": ("absent contains holds no_openmp no_openmp_routines no_parallelism", Shape.NONE),
    "end assumes": ("", Shape.NONE),
    "nothing": ("", Shape.NONE),
    "error": ("at message severity", Shape.NONE),
    "unroll": ("full partial", Shape.NONE),
    "tile": ("sizes", Shape.NONE),
    "interop": ("depend destroy device init nowait use", Shape.NONE),
    "dispatch": ("depend device is_device_ptr nocontext novariants nowait", Shape.NONE),
    "metadirective": ("when default otherwise", Shape.NONE),
    "begin metadirective": ("when default otherwise", Shape.NONE),
    "end metadirective": ("", Shape.NONE),
}
"""Directives that are not part of a combined one: their clauses, and the shape of their argument."""


def _combined(name: str) -> DirectiveGrammar:
    """What the constituents take together. `parallel` ends in a barrier, so `nowait` can then only be `target`'s."""
    words = name.split()
    clauses = frozenset().union(*(LEAVES[word] for word in words))
    if "parallel" in words and "target" not in words:
        clauses -= {"nowait"}
    return DirectiveGrammar(clauses)


DIRECTIVES: Mapping[str, DirectiveGrammar] = MappingProxyType(
    {name: DirectiveGrammar(clauses) for name, clauses in LEAVES.items()}
    | {name: _combined(name) for name in COMBINED}
    | {name: DirectiveGrammar(frozenset(clauses.split()), shape) for name, (clauses, shape) in _OTHERS.items()}
)

_SHAPES: Mapping[Shape, str] = {
    Shape.NONE: "nowait untied mergeable nogroup inbranch notinbranch read write capture compare weak seq_cst acq_rel "
                "acquire release relaxed threads simd parallel sections for taskgroup full dynamic_allocators "
                "reverse_offload unified_address unified_shared_memory no_openmp no_openmp_routines no_parallelism",
    Shape.LIST: "private firstprivate shared copyin copyprivate nontemporal uniform use_device_ptr use_device_addr "
                "is_device_ptr has_device_addr inclusive exclusive enter link",
    Shape.MODIFIED_LIST: "lastprivate reduction in_reduction task_reduction map to from depend affinity allocate",
    Shape.LIST_THEN_EXPRESSION: "linear aligned",
    Shape.EXPRESSION: "num_threads collapse safelen simdlen final priority thread_limit num_tasks grainsize device "
                      "filter hint align if",
    Shape.KIND: "schedule dist_schedule default proc_bind bind order defaultmap device_type fail at severity "
                "atomic_default_mem_order",
    Shape.BOUNDS: "num_teams",
    Shape.TEXT: "uses_allocators detach doacross initializer adjust_args append_args match when otherwise "
                "absent contains holds message allocator sizes init use nocontext novariants",
}

_EXPRESSION_MODIFIERS: Mapping[str, frozenset[str]] = {
    "if": frozenset(DIRECTIVES),
    "device": frozenset({"ancestor", "device_num"}),
    "grainsize": frozenset({"strict"}),
    "num_tasks": frozenset({"strict"}),
}

CLAUSES: Mapping[str, ClauseGrammar] = MappingProxyType(
    {
        name: ClauseGrammar(shape, modifiers=_EXPRESSION_MODIFIERS.get(name, frozenset()))
        for shape, names in _SHAPES.items()
        for name in names.split()
    }
    | {name: ClauseGrammar(Shape.EXPRESSION, optional=True) for name in ("ordered", "partial", "indirect")}
    | {name: ClauseGrammar(Shape.TEXT, optional=True) for name in ("update", "destroy")}
)

_LONGEST_NAME = max(len(name.split()) for name in DIRECTIVES)


def words_of_directive(words: list[str]) -> int:
    """How many of the leading `words` make the longest directive name; 0 if none does."""
    return next((n for n in range(min(_LONGEST_NAME, len(words)), 0, -1) if " ".join(words[:n]) in DIRECTIVES), 0)
