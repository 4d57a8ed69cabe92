"""What `--opt auto` does to a loop, by names, and how each of it is left out.

    ompc build jacobi.c --without tiles          of the translation: another text
    OMPC_GUARD=0 ./jacobi                        of the run: the same program
    ompc build jacobi.c --fp strict              contraction is an option of its own

Every one of them keeps the answer, but for the last bits of floating-point numbers where it says so; leaving them out
one after the other finds the one of which that is not true (`ompc bisect`). None needs one that stands behind it:
`--fp strict` takes away what follows contraction, too.

In: nothing.   Out: the names, as data.   Not here: what leaving one out means for the plan -- plan/.
"""

from __future__ import annotations

from collections.abc import Mapping

from ompc.base.frozen import dataclass, field


@dataclass(frozen=True, slots=True)
class Optimisation:
    """`does`: in a few words. `environ`: what leaves it out when the program runs; none: the translation does."""

    name: str
    does: str
    environ: Mapping[str, str] = field(default_factory=dict)
    strict: bool = False
    """`--fp strict` leaves it out."""
    rounds: bool = False
    """It may change the last bits of floating-point numbers."""

    @property
    def left_out_by(self) -> str:
        """What a user writes."""
        if self.environ:
            return " ".join(f"{name}={value}" for name, value in self.environ.items())
        return "--fp strict" if self.strict else f"--without {self.name}"

    @property
    def is_of_run(self) -> bool:
        return bool(self.environ)


OPTIMISATIONS = (
    Optimisation("residency", "arrays stay on the device between launches", {"OMPC_GUARD": "0"}),
    Optimisation("overlap", "copies and kernels run beside each other and beside the host", {"OMPC_WAIT": "1"}),
    Optimisation("slices", "launches are made in parts while their data arrives", {"OMPC_SLICE": "0"}),
    Optimisation("page-locking", "host memory that is copied is page-locked", {"OMPC_LOCKED_MEMORY": "0"}),
    Optimisation("glue", "loops and statements between launches that have no pragma are launched, if nothing can tell"),
    Optimisation("divided-loops", "loops that the threads of a region divide themselves are launched for all of them"),
    Optimisation("fusion", "loops that follow each other are one kernel, where that loads or stores less"),
    Optimisation(
        "chains", "short loops one after the other, and the host's loops around them, are one block's work", rounds=True
    ),
    Optimisation("two-forms", "the host runs regions without a launch as the program has them"),
    Optimisation("own-pages", "arrays of the host get pages of their own"),
    Optimisation("mapped-data", "mapped data stays on the device between target constructs"),
    Optimisation("overwritten", "what a kernel overwrites is not copied to the device"),
    Optimisation("written-parts", "what a kernel does not write of an array that it uses stays right on the host"),
    Optimisation("constant-memory", "tables that kernels only read are in constant memory"),
    Optimisation("restrict", "kernels are promised that arrays do not overlap: the read-only data path"),
    Optimisation("equal-pointers", "loops that get one array by two names have a kernel for that"),
    Optimisation("fixed-reads", "integers in memory that a launch does not change are arguments of it"),
    Optimisation("renaming", "a variable that several loops use, each for values of its own, is one of each loop"),
    Optimisation("strips", "loops that were divided into tiles by hand become whole again"),
    Optimisation("settled-numbers", "what the program sets once is a number, where that makes iterations independent"),
    Optimisation("sizes", "iterations that are independent for usual sizes are so where the host finds such sizes"),
    Optimisation("asked-exits", "the host asks whether iterations end the program, where all or none of them do"),
    Optimisation("last-breaks", "a break in what is the last iteration of an inner loop anyway is a branch"),
    Optimisation("axes", "inner loops become axes of the grid, and axes change places"),
    Optimisation("sinking", "statements between loops move into the inner one, which becomes an axis"),
    Optimisation("boxes", "loops of triangles go over their bounding boxes, and become axes"),
    Optimisation("single-iterations", "statements for one value of a counter are an iteration of the loop beside them"),
    Optimisation("last-iteration", "what stands behind a loop is one more iteration of it, which becomes an axis"),
    Optimisation("former-values", "iterations that read what later ones write read a copy of it, and become an axis"),
    Optimisation("done-once", "stores beside an inner loop are done by one of its iterations, and it becomes an axis"),
    Optimisation("atomic-sums", "atomic sums become reductions", rounds=True),
    Optimisation("array-sums", "reductions of arrays are done in place"),
    Optimisation("block-copies", "blocks have copies of what kernels accumulate into, in shared memory"),
    Optimisation("collected-adds", "blocks add in shared memory first to elements that data chooses"),
    Optimisation("neighbours", "a thread does several neighbouring iterations"),
    Optimisation("narrow-streams", "a thread reads and writes 16 bytes of narrow elements at once"),
    Optimisation("tuned-shapes", "launches have the shapes that `ompc tune` or the source asks for"),
    Optimisation("tiles", "blocks compute tiles of points from shared memory"),
    Optimisation("transposed-tiles", "transposed accesses go through tiles in shared memory"),
    Optimisation("rows", "a thread computes several rows"),
    Optimisation("one-turn", "grids have a thread for each point, and kernels no loops over them"),
    Optimisation("short-loops", "short loops over the components of a sum are unrolled"),
    Optimisation("kept-elements", "elements that an inner loop goes on changing stay in variables"),
    Optimisation("carried-elements", "what a loop uses again of arrays in later iterations stays in variables"),
    Optimisation("iteration-rows", "a row that an iteration works on under several conditions stays in variables"),
    Optimisation("row-stores", "short rows that neighbouring threads store are stored by the warp together"),
    Optimisation("shifted-loops", "loops that hand elements on step by step are one, each some iterations behind"),
    Optimisation("producer-fusion", "a loop that uses up what another one makes step by step is one loop with it"),
    Optimisation("kept-rows", "rows of a thread's own arrays stay in variables where straight-line code works on them"),
    Optimisation("shared-loops", "lanes of a warp share inner loops"),
    Optimisation("helping-warps", "warps of a block share inner loops"),
    Optimisation("vector-reads", "neighbouring members and elements are read at once"),
    Optimisation("quick-quotients", "quotients and roots go in groups, without branches"),
    Optimisation(
        "contraction", "products and sums are one operation (FMA): one rounding less", strict=True, rounds=True
    ),
    Optimisation("lane-sums", "lanes form sums of their own: another order of additions", rounds=True),
    Optimisation("unroll-and-jam", "a thread does two iterations at once whose inner loops read the same"),
    Optimisation("block-rows", "all lanes of a block divide long rows: another order of additions", rounds=True),
    Optimisation(
        "split-sums", "threads of a block divide long sums of few points: another order of additions", rounds=True
    ),
    Optimisation(
        "group-loops", "threads of a block share the loops of an iteration that store, too", rounds=True
    ),
    Optimisation("short-nests", "short loops in each other become one, which threads of a block share"),
    Optimisation("shared-nests", "threads of a block share loops inside of each other as one loop"),
    Optimisation("asked-strides", "kernels ask whether strides are large enough for threads to share loops"),
    Optimisation("ordered-counts", "threads that share a loop count in the order of its entries"),
    Optimisation("apart", "a loop of which one iteration is in the way of the others is done in three parts"),
    Optimisation("tensor-cores", "sums of products come from tensor cores"),
    Optimisation("inverse-roots", "1 / sqrt(x) is one operation: one rounding less", rounds=True),
)
"""All of them, in this order: what moves data, where it lives, which thread does what, and how numbers are rounded."""

WITHOUT = tuple(one.name for one in OPTIMISATIONS if not one.environ and not one.strict)
"""The names that `--without` knows."""


def names_in(text: str) -> frozenset[str]:
    """Those of a list with commas. Raises ValueError for what is none; the message says which there are."""
    found = frozenset(name for name in text.split(",") if name)
    for name in sorted(found.difference(WITHOUT)):
        raise ValueError(f"there is no optimisation '{name}'; there are: {', '.join(WITHOUT)}")
    return found
