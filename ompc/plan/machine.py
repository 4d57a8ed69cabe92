"""Machine model: what of a device the deciders' thresholds depend on, each number once, with where it comes from.

Numbers of CUDA's architectures are those of the CUDA C++ Programming Guide, "Compute Capabilities". What was chosen by
measuring names the program; where no measurement is on record, it says so. What a launch costs, and how fast memory is,
is not here: the runtime measures that (ompc_costs.h, `ompc doctor --calibrate`).

Not here: limits of ompc's own work, such as how many sets are compared.
"""

from __future__ import annotations

from ompc.analysis.memory.contiguity import WIDEST
from ompc.base.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Machine:
    """All sizes are bytes, but for those of code, which are nodes of the tree.

    Of every device:
    `warp`                 lanes of a warp
    `block_threads`        threads of a block, whatever registers the kernel needs: 65,536 registers of a multiprocessor
                           by the 255 that a thread may have
    `block_threads_shared` threads of a block whose arrays in shared memory have copies for each (ompc_histograms.h)
    `registers`            of four bytes, that a thread may have
    `shared`               shared memory of a block that does not ask for more
    `shared_asked`         what a block may ask for wherever tensor cores know doubles; least on sm_86 and sm_89
    `shared_most`          what a block may ask for on any device so far: sm_90
    `bank`                 width of a bank of shared memory
    `vector`               what a thread reads or writes by one instruction; contiguity.py asks for as much
    `vector_least`         the smaller of the two sizes of a record that is read by one instruction (at_once in
                           ompc_vector_access.h)
    `asynchronous_copies`  what one asynchronous copy into shared memory may move
    `constant`             constant memory of a device
    `parameters`           parameters of a kernel, on every device and with every CUDA
    `axes`                 of a grid

    Chosen; where neither a program nor a reason in numbers is named, with the benchmark programs and without a record:
    `local_arrays`         private arrays of a thread in local memory, which is set aside for all threads that a device
                           holds: 64 KB are 17 GB on an H200 (132 multiprocessors, 2048 threads)
    `transposed_shared`    shared memory of a block that transposes tiles of 64 or 32 points a side: so that a
                           multiprocessor has room for several blocks
    `short_loop`           iterations of a loop that fills no warp as an axis: an eighth of one
    `far_lanes`            elements apart where neighbouring lanes read sectors of 32 bytes of their own: staging pays
    `by_value`             struct that is a parameter: sixteen of them are all that a kernel may have
    `group_arrays`         arrays of an iteration that is shared by a block: so that a multiprocessor holds several
    `reduced`              type that is reduced: 32 values, one for each warp of a block at most, take 16 KB of `shared`
    `product_padding`      eight banks behind an iteration's elements, where a warp reads those of four at once
    `small_array`          private array that is not worth a place of its own: the compiler keeps it in registers
    `narrow`               elements of which a thread that moves one a turn has too few bytes under way
    `least_neighbours`     iterations of a thread, of which the widest elements fill a vector
    `neighbours_vectors`   vectors of the narrowest elements that a thread reads before its first iteration
    `neighbours_bytes`     of all that it reads there: 40 of its registers
    `tile_side`            threads of a block along one axis of a tile: 16 times 16 are `block_threads` (ompc_tiles.h)
    `tile_points`          points that a thread may have along y, or one, where it adds no products (ompc_tiles.h)
    `tile_depths`          iterations of the inner loop that are staged at a time: as many as there is shared memory for
    `tile_depth_of_many`   the same where many elements are staged: as much to do between two barriers as with half as
                           many elements of twice as many iterations; of 8 bytes each, a sector of 32
    `tile_depths_of_one`   the same where a thread has one point: the block waits for elements more than it computes
    `tile_words`           registers that a point may need from one iteration of the inner loop to the next
    `kept_elements`        variables of a loop that hold elements: registers, beside those for its other numbers
    `carried_elements`     variables that hold what a loop uses again of arrays: registers, as those
    `shifted_elements`     variables of loops that have become one, half of the 255 registers beside those of its sums
    `kept_row`             elements of a row that straight-line code keeps, and of all rows that it does: 255 registers
    `kept_rows`            hold 127 numbers of eight bytes
    `group_sizes`          (nodes of a body at most, its operations in words of four bytes, iterations of its batches):
                           there must be registers and room in the cache for all
    `group_of_one_word`    iterations of a batch with one operation of four bytes that need not be watched
    `term_bytes`           of terms, which go through shared memory, for a byte that neighbouring lanes read side by
                           side: lists of places, at which the most is read, are no gain
    `entry_bytes`          all terms of one entry together: a warp keeps those of 64 entries, of up to 36 bytes, in 2304
                           bytes of shared memory (ompc_lanes.h)
    `histogram_reductions` reductions beside a histogram: 32 values each, for which the launch leaves 3 KB of `shared`
                           (ompc_reduce.h)
    `repeated_work`        operations and reads that every point may repeat so that a nest becomes perfect; a division
                           counts for 8 of them, a call for more than all
    `slice_work`           operations of an iteration, below which copies hide no kernel: the bus brings a double in
                           0.16 ns, in which the device does some thousand operations
    `copied_whole`         array that is copied in one part: 1.3 ms of the bus, at 0.16 ns a double
    `operations_per_byte`  on doubles, below which a kernel waits for memory: without FMA an H200 does 3.5 of them while
                           a byte arrives; a fifth of that allows for elements that come from a cache
                           (benchmarks/results, 2026-11-23: contraction in all benchmark programs)

    Of code, as much as the cache for instructions and the registers hold; chosen with the benchmark programs, without a
    record of the single measurement:
    `row_body`, `row_body_unrolled`    a body that a thread runs for eight rows; with its short loops unrolled
    `one_turn_places`                  elements that a point names, so that its threads are short of registers
    `one_turn_body`                    a body that is compiled twice for that
    `tile_body`                        an inner body that is unrolled for 64 points of a thread
    `transposed_body`                  a body that a thread runs for 16 or 4 points, by the side of the tile
    `producer_body`                      terms that warps compute for another one
    `jammed_body`, `jammed_around`     a shared loop's iteration, which is there twice; what is around these loops
    `coarsened_body`, `coarsened_body_small`   a body that a thread runs for neighbouring iterations: at all; for many
    `aligned_body`                     a body that is compiled twice
    `few_registers`, `many_registers`  entries' code that needs few; that needs many
    `nodes_of_instruction`             of an entry's code, for one instruction; not compared with machine code
    `slow_instructions`                of a quotient, a root or a function, beside its node; likewise

    Of memory, for the cost model of groups (ompc_group_costs.h):
    `near`          bytes from one access to the next one's, of which the sectors between are also read: two sectors
    `cached_reads`  times that an element comes from a cache where another axis of the grid reads it, too; fitted to the
                    products of benchmarks/groups
    """

    warp: int = 32
    block_threads: int = 256
    block_threads_shared: int = 512
    registers: int = 255
    shared: int = 48 * 1024
    shared_asked: int = 99 * 1024
    shared_most: int = 227 * 1024
    bank: int = 4
    vector: int = WIDEST
    vector_least: int = 8
    asynchronous_copies: tuple[int, ...] = (4, 8)
    constant: int = 64 * 1024
    parameters: int = 4096
    axes: int = 3
    local_arrays: int = 64 * 1024
    group_arrays: int = 32 * 1024
    transposed_shared: tuple[tuple[int, int], ...] = ((64, 34 * 1024), (32, 48 * 1024))
    short_loop: int = 4
    far_lanes: int = 8
    by_value: int = 256
    reduced: int = 512
    product_padding: int = 32
    small_array: int = 1024
    narrow: int = 2
    least_neighbours: int = 4
    neighbours_vectors: int = 2
    neighbours_bytes: int = 160
    tile_side: int = 16
    tile_points: tuple[int, ...] = (8, 4, 2)
    tile_depths: tuple[int, ...] = (16, 8)
    tile_depth_of_many: int = 4
    tile_depths_of_one: tuple[int, ...] = (32, 16, 8)
    tile_words: int = 4
    kept_elements: int = 8
    carried_elements: int = 48
    shifted_elements: int = 80
    kept_row: int = 100
    kept_rows: int = 120
    group_sizes: tuple[tuple[int, int, int], ...] = ((100, 2, 32), (100, 4, 16), (160, 8, 8), (300, 32, 4))
    group_of_one_word: int = 64
    term_bytes: int = 2
    entry_bytes: int = 32
    histogram_reductions: int = 8
    repeated_work: int = 32
    slice_work: int = 100
    copied_whole: int = 64 << 20
    operations_per_byte: float = 0.7
    row_body: int = 500
    row_body_unrolled: int = 2000
    one_turn_places: int = 8
    one_turn_body: int = 5000
    tile_body: int = 80
    transposed_body: tuple[tuple[int, int], ...] = ((64, 60), (32, 250))
    producer_body: int = 60
    jammed_body: int = 160
    jammed_around: int = 500
    coarsened_body: int = 160
    coarsened_body_small: int = 40
    aligned_body: int = 3000
    few_registers: int = 40
    many_registers: int = 160
    nodes_of_instruction: int = 3
    slow_instructions: int = 20
    near: int = 64
    cached_reads: int = 2


DEVICE = Machine()
"""The one that kernels are made for: what is said of it holds from sm_70 on, unless it says otherwise."""
