"""Differential fuzzing: random OpenMP C programs, as gcc -fopenmp runs them and as ompc translates them.

A small compiler backwards, read in this order:

    scalars.py        C's arithmetic types, their limits and the usual arithmetic conversions
    tree.py           the tree of a program: expressions and statements whose text has holes for other nodes
    printing.py       tree -> C text
    hidden.py         names that hide others, in that text
    expressions.py    random expressions whose value ranges are known, so that nothing overflows
    objects.py        arrays and scalars of a program, and how their elements are spelt
    bodies.py         random statements of a loop's body            (forms.py: those with control flow)
    patterns.py       idioms: struct values, unions, array and declared reductions, critical minima
    between.py        nests with bounds in memory and statements between their loops
    linear.py         nests over rows and planes of one array, which may overlap
    equal.py          loops in functions that get one array by several names
    products.py       nests around a sum of products, in all orders
    last_bits.py     loops that make integers of last bits
    transpositions.py nests that read matrices along rows and along columns
    several_values.py nests whose subscripts are variables with several values
    sequences.py      iterations that are sequences of inner loops over a row
    changing_bounds.py inner loops whose bounds lie in memory that the loop changes
    criticals.py      critical sections and atomic operations, those that commute and others
    thread_numbers.py loops that ask which thread runs an iteration
    scans.py          loops with `scan`, whose iterations see prefixes
    ordered.py        loops with `ordered` blocks, of independent iterations and of others
    narrow.py         loops over elements of one and two bytes, at any address
    pixels.py         nests over pixels of several channels, which may overlap
    variable_rows.py  loops over rows of variable length, and functions that get such rows
    adjacent.py       loops that follow each other over the same range
    kept_apart.py     pairs of loops that follow each other, and that one thing keeps from being one
    pivots.py         nests over rows of which one element is read by all iterations, and changed by one
    former_values.py  nests whose iterations read what only later ones write, or not quite
    last_iterations.py nests with something behind an inner loop, which may be one iteration more of it, or may not
    stores_beside.py  nests with stores beside a loop over sums of products, which one of its iterations may do, or not
    coalesced.py      iterations that may end early, with loops in each other that threads may divide as one, or not
    short_nests.py    iterations with short loops in each other, over blocks and arrays of their own, or not quite
    edges.py          edges of grids, done for one value of a counter between loops
    producers.py      loops that use up what others make step by step, or not quite
    strips.py         nests that were divided into strips by hand
    components.py     sums of small vectors in loops over their components
    counting.py       rows in which inner loops count, and form sums that are seen meanwhile, or not quite
    collected.py      loops that add at places that data chooses, and see what is there, or do not
    counts.py         loops whose entries count and use what the counter was, of a row or the iteration's own
    turns.py          rows behind pointers, around whose inner loops stand loops of as many turns as each wants
    boxes.py          points of boxes behind pointers of tables, with strides of their own
    returned.py       functions that return values and set variables and rows, in inner loops
    wraps.py          nests with subscripts that are one of several numbers, and members that neighbours touch
    pieces.py         rows that an iteration works on in several pieces, or not quite
    recurrences.py    inner loops that carry values along arrays, or not quite
    shifts.py         loops that hand elements on, some iterations behind each other, or not quite
    chains.py         short loops, statements between them and host loops around, which one block may do, or not quite
    statements.py     statements between launches that change one element, or not quite
    common_rows.py    rows that read one element of each column
    divided.py        loops that the threads of a region divide themselves
    scratch.py        loops that allocate blocks and free them again, or keep them
    tasks.py          loops whose iterations make tasks
    inductions.py     loops with variables that move beside the counter, always or sometimes
    inspected.py      loops with scratch of each thread at places that only a run shows
    unswitched.py     loops with branches that only the host can run
    quotients.py      loops with quotients and roots, on which something depends
    loops.py          parallel loops: headers, clauses, who owns which element
    regions.py        parallel regions, sections, tasks, target constructs
    cases.py          one case: declarations, a sequence of loops and host code, checksums
    building.py       a file of many cases -> gcc's program, ompc's programs
    verdicts.py       run them, compare them
    reduction.py      make the tree of a failing case small
    campaign.py       many files at once, and what they found

`python -m tests.fuzz --help` runs it. Nothing here knows what ompc supports: a loop that stays on the host must give
the right answer too.
"""
