"""The legality checks of rewrites of a loop.

Of some no program is known that goes wrong without them, and this is why:

    sinking/own               what threads share conflicts with itself when the inner loop is to be an axis, and a sum
                              is an exposed read of what is assigned
    sinking/own declaration   loops that declare static variables stay on the host; an array with first values is the
                              same one each time, and one without carries nothing
    interchange/own scalar    what threads share conflicts with itself in the mapping; what pointers lead to is one of
                              the `own arrays`
    interchange/privatisable  a loop stays on the host where an iteration reads what a firstprivate array had before
    scalars/stay inside       such a subscript is undefined in C, and gcc takes members for apart, too
    former/named              of what is accessed by another name, or in a function, no subscripts are known, so that
                              nothing says which values a read wants; an atomic operation that only its own iteration
                              does on an element is one like any other
    scan/handed on            OpenMP forbids it. Where the answer is the same if each iteration does both phases at
                              once, and if all input phases come first, as in gcc's programs, it is the same value in
                              all iterations: a case tries it with gcc's answer alone
    scan/meeting              as before: a kernel's order, tile by tile, lies between these two, so that what a phase
                              finds is what it finds in one of them
    threads/copied            arrays of variable length have types that name what the launcher does not know, and loops
                              with volatile objects or pointers in structs stay on the host
    counters/places           a place of the first phase is none, and what is read there may be beyond an array; nothing
                              uses it, so that compilers leave the access out
    counters/twice            what it is about is written, which `counters/alone` refuses, or an iteration's own
    counters/nothing          as before
    fixed/place               what each thread has one of is not nameable; a bit-field leaves the loop on the host
"""

from __future__ import annotations

from .checks import FALSE, NONE, NOTHING, TRUE, Check

SINKING = (
    Check("sinking/repeatable", "sinking", "plan.rewrites.sinking:_Nest._is_repeatable", TRUE,
          "a store, or a call, between two loops is done for every point"),
    Check("sinking/own", "sinking", "plan.rewrites.sinking:_Nest._is_own", TRUE,
          "a variable that threads share is assigned for every point"),
    Check("sinking/own declaration", "sinking", "plan.rewrites.sinking:_Nest._is_own_declaration", TRUE,
          "an array, or a variable that keeps its value, begins anew for every point"),
    Check("sinking/names", "sinking", "plan.rewrites.sinking:_Nest._hides_names", FALSE,
          "a variable that is declared inside hides another one of its name"),
    Check("sinking/pointer type", "sinking", "plan.rewrites.row_pointers:_is_alike", TRUE,
          "elements of another size are found in the place of a pointer's own"),
    Check("sinking/effects", "sinking", "plan.rewrites.sinking:has_effects", FALSE,
          "the initialiser of a counter that is declared in front of its loop is left out, with what it does"),
)  # fmt: skip

DONE_ONCE = (
    Check("once/own scalars", "done once", "plan.rewrites.done_once:_Beside._keeps_scalars", TRUE,
          "what stands behind a loop reads a variable as another than the last iteration has left it"),
    Check("once/names", "done once", "plan.rewrites.done_once:_Beside._hides_names", FALSE,
          "a statement in the loop means the loop's variable by the name of another one"),
    Check("once/same end", "done once", "plan.rewrites.done_once:_has_same_end", TRUE,
          "no iteration has the number of the loop around it: the statements are not done"),
    Check("once/same range", "done once", "plan.rewrites.done_once:_is_same_range", TRUE,
          "no iteration has the number of the loop around it: the statements are not done"),
)  # fmt: skip

RENAMING = (
    Check("renaming/values", "renaming", "plan.rewrites.renaming:_has_values", TRUE,
          "a value that an iteration, or what stands behind the loop, reads is another variable's"),
    Check("renaming/plain", "renaming", "plan.rewrites.renaming:_is_plain", TRUE,
          "a variable that is wanted behind the parallel loop, or that pointers lead to, is another one in a loop"),
)  # fmt: skip

KEPT_ROWS = (
    Check("rows/apart", "kept-rows", "analysis.locality.kept_rows:_are_apart", TRUE,
          "two rows in variables are one"),
    Check("rows/straight", "kept-rows", "analysis.locality.kept_rows:is_pure", TRUE,
          "an element is read or written only if a condition holds, or by an assignment inside of an expression"),
    Check("rows/by elements", "kept-rows", "analysis.locality.kept_rows:KeptRows._is_named_by_elements", TRUE,
          "a pointer, or a function, leads to an element that is in a variable"),
)  # fmt: skip

ITERATION_ROWS = (
    Check("pieces/straight", "pieces", "analysis.locality.iteration_rows:is_straight", TRUE,
          "an element is changed only if a condition on data holds, and is not seen to be"),
    Check("pieces/fit", "pieces", "analysis.locality.iteration_rows:_Rows._is_fit", TRUE,
          "another row of the array is used, too, or an entry that is no constant: it sees what memory had"),
    Check("pieces/loaded", "pieces", "plan.rewrites.elements.iteration_rows:_reads_before", FALSE,
          "a piece reads what nobody has loaded"),
)  # fmt: skip

CARRIED = (
    Check("carried/straight", "recurrences", "analysis.locality.recurrences:is_straight", TRUE,
          "an element is accessed only if a condition holds, or by an assignment inside of an expression"),
    Check("carried/inside", "recurrences", "analysis.locality.recurrences:_is_inside", TRUE,
          "what stands behind the subscript that moves is no constant of the array: two variables are one element"),
    Check("carried/guards", "recurrences", "analysis.locality.iteration_steps:_Reader._is_guard", TRUE,
          "the condition under which the elements are accessed changes in the loop"),
    Check("carried/fixed", "recurrences", "analysis.locality.iteration_steps:is_fixed", TRUE,
          "the loop changes its bounds, or where the array's row is"),
    Check("carried/own", "recurrences", "analysis.locality.iteration_steps:_Reader._is_own", TRUE,
          "a copy of the counter is changed by its address"),
    Check("carried/fit", "recurrences", "analysis.locality.recurrences:_Windows._is_fit", TRUE,
          "the loop accesses other elements of the array, too, or some of them not in each iteration"),
)  # fmt: skip

STRIPS = (
    Check("strips/order", "strips", "plan.rewrites.whole_loops:_keeps_order", TRUE,
          "two loops are none of the grid's, and their iterations come in another order"),
    Check("strips/pragma", "strips", "plan.rewrites.whole_loops:unproved", NONE,
          "iterations of a strip depend on each other, and strips do not"),
    Check("strips/before", "strips", "analysis.interchange.strips:_is_before", TRUE,
          "the last strip is cut behind its end"),
    Check("strips/apart", "strips", "plan.rewrites.elements.sums_in_place:_stays_apart", TRUE,
          "the loop reads the element whose value a variable has meanwhile"),
)  # fmt: skip

PRODUCERS = (
    Check("producers/heads", "producer fusion", "analysis.locality.producers:_Question._have_fit_heads", TRUE,
          "the loops count in other ways, or the producer's counter is wanted behind it"),
    Check("producers/plain", "producer fusion", "analysis.locality.producers:_Question._are_plain", TRUE,
          "a jump leaves some elements unmade, or the rest of the producer undone"),
    Check("producers/names", "producer fusion", "analysis.locality.producers:_Question._mean_the_same", TRUE,
          "a name of the producer is another variable's where the consumer stands"),
    Check("producers/fit", "producer fusion", "analysis.locality.producers:_Question._is_fit", TRUE,
          "elements are wanted by others, or were there before"),
    Check("producers/apart", "producer fusion", "analysis.locality.producers:_Effects.concern", FALSE,
          "the consumer sees what the producer has set so far, or sets what that one goes on from"),
    Check("producers/unread", "producer fusion", "analysis.locality.producers:_Question._is_unread", TRUE,
          "what stands between the loops is not done"),
    Check("producers/followed", "producer fusion", "transform.calls.callees:only_followed", TRUE,
          "a function does more with an address than to follow it"),
)  # fmt: skip

ONE_APART = (
    Check("apart/repeat", "one apart", "plan.rewrites.one_apart:can_repeat", TRUE,
          "iterations are done that the loop does not reach, or those of other bounds"),
    Check("apart/place", "one apart", "plan.groups.counter_places:_is_up_to", TRUE,
          "an iteration is done that the loop has not, since it lies before it or behind it"),
    Check("apart/alike", "one apart", "plan.rewrites.one_apart:_counts_alike", TRUE,
          "a bound of a type without a sign is compared with a number below 0"),
    Check("apart/kept", "one apart", "plan.rewrites.one_apart:is_kept", TRUE,
          "another variable of that name, or of another type, says where the parts end"),
)  # fmt: skip

FORMER_VALUES = (
    Check("former/before", "former values", "analysis.dependence.former_values:_is_former", TRUE,
          "what an earlier iteration has written is read in a copy that is older"),
    Check("former/order", "former values", "analysis.dependence.former_values:_Order.is_before", TRUE,
          "what the iteration itself has written is read in a copy that is older"),
    Check("former/first", "former values", "plan.rewrites.former_values:_are_ahead", TRUE,
          "what the iteration itself has written is read in a copy that is older, by loops behind each other"),
    Check("former/named", "former values", "plan.rewrites.former_values:is_named", TRUE,
          "an element is accessed by another name, by a function, or by an atomic operation"),
)  # fmt: skip

LAST_ITERATION = (
    Check("last/counter", "last iteration", "plan.rewrites.last_iteration:is_own_counter", TRUE,
          "what stands behind a loop sees its counter, which has another value then, or is another variable's name"),
    Check("last/more", "last iteration", "plan.rewrites.last_iteration:_Writer._may_do_more", TRUE,
          "a loop that counts otherwise, or to what changes, has one iteration more or less"),
    Check("last/asked", "last iteration", "plan.rewrites.last_iteration:least_bound", NOTHING,
          "what stands behind a loop that has fewer than no iterations is not done"),
)  # fmt: skip

FLAT_ROWS = (
    Check("flat rows/length", "rows of variable length", "transform.rows.row_shapes:is_stable", TRUE,
          "the length of a row is read again after it has changed"),
    Check("flat rows/kept", "rows of variable length", "transform.rows.row_shapes:is_kept", TRUE,
          "a pointer to rows, or a length, is read again after it has changed"),
    Check("flat rows/same rows", "rows of variable length", "transform.rows.row_places:Places._is_like", TRUE,
          "a pointer to rows of another length is taken for another name of an object"),
    Check("flat rows/known", "rows of variable length", "transform.rows.row_places:Places._is_known", TRUE,
          "the length of an object's rows is taken from what has changed since its declaration"),
    Check("flat rows/fixed", "rows of variable length", "transform.rows.flat_rows:Flattening._is_fixed", TRUE,
          "a value that changes stands for a pointer"),
    Check("flat rows/named", "rows of variable length", "transform.rows.kernel_rows:_is_clean", TRUE,
          "a pointer that is gone is named in a length"),
    Check("flat rows/one length", "rows of variable length", "plan.memory.row_lengths:_is_steady", TRUE,
          "two lengths by a variable that has changed between them are one"),
    Check("flat rows/parameters", "rows of variable length", "transform.calls.inlining:_Inliner._can_declare", TRUE,
          "lengths of parameters are evaluated before what they change"),
)  # fmt: skip

FUSION = (
    Check("fusion/part", "fusion", "plan.rewrites.fusion:_may_be_part", TRUE,
          "a loop that has more than its iterations, as last values or an `if` clause, has only these"),
    Check("fusion/construct", "fusion", "plan.rewrites.fusion:_have_same_construct", TRUE,
          "the threads of a region share what each of them has to do"),
    Check("fusion/iterations", "fusion", "plan.rewrites.fusion:_have_same_iterations", TRUE,
          "the second loop has the iterations of the first one"),
    Check("fusion/end", "fusion", "plan.rewrites.fusion:_comes_to_its_end", TRUE,
          "an iteration of the first loop that goes on with the next one leaves out that of the second"),
    Check("fusion/names", "fusion", "plan.rewrites.fusion:_names_agree", TRUE,
          "a variable of the second loop is hidden by one of the first that has its name"),
    Check("fusion/variables", "fusion", "plan.rewrites.fusion:_sharings_agree", TRUE,
          "a variable that one of the loops has copies of is a copy in the other one, too"),
    Check("fusion/results", "fusion", "plan.rewrites.fusion:_sees_results", FALSE,
          "the second loop reads a sum of the first one before it is there"),
    Check("fusion/bounds", "fusion", "plan.rewrites.fusion:_has_fixed_bounds", TRUE,
          "the second loop has as many iterations as it had before the first one changed that"),
)  # fmt: skip

UNSWITCHING = (
    Check("unswitching/fixed", "unswitching", "transform.unswitching:_is_fixed", TRUE,
          "a branch is left out that some iterations take"),
    Check("unswitching/of the file", "unswitching", "transform.unswitching:_is_of_file", TRUE,
          "the launch asks another variable than the function"),
)  # fmt: skip

THREAD_NUMBERS = (
    Check("questions/own", "thread numbers", "transform.calls.questions:_is_own", TRUE,
          "a function that sets a variable of others is taken for a question"),
    Check("divided/read behind", "loops that threads divide", "plan.mapping.divided:read_after", FALSE,
          "a thread reads its counter behind the loop"),
    Check("divided/any order", "loops that threads divide", "omp.without_pragma.divided_loops:_may_be_first", TRUE,
          "what the first part of a loop gives a variable is read there, by its name or another"),
    Check("divided/kept bounds", "loops that threads divide", "plan.decide:changed_bounds", NONE,
          "a bound in memory that the loop changes is read once"),
    Check("divided/together", "loops that threads divide",
          "analysis.privatisation.team_private:_keeps_together", FALSE,
          "an iteration reads what the one before it, of the same thread, has left in a variable"),
    Check("threads/number", "thread numbers", "transform.thread_numbers:_is_answer", TRUE,
          "a thread's own variable is taken for its number"),
    Check("threads/reaching", "thread numbers", "transform.threads.reaching_values:_is_gone", FALSE,
          "a value is made again that another assignment has replaced"),
    Check("threads/stays", "thread numbers", "transform.thread_values:_stays", TRUE,
          "a value is made again of a variable that has changed since"),
    Check("threads/once", "thread numbers", "transform.thread_values:_is_plain", TRUE,
          "a variable that other code changes by a pointer is made again"),
    Check("threads/names", "thread numbers", "transform.thread_values:_are_confused", FALSE,
          "a name in a value means something else inside of the loop"),
    Check("threads/copied", "tables of what threads have", "transform.threads.thread_copies:_is_copied", TRUE,
          "what the program looks at in a certain way, or of a length of its own, is in a table"),
    Check("threads/no other way", "tables of what threads have", "analysis.loops:_is_table", TRUE,
          "a pointer leads to a variable, and the kernel changes what the table has"),
    Check("threads/named", "tables of what threads have", "analysis.loops:_are_tables", TRUE,
          "a called function names the variable itself"),
    Check("threads/commute", "rows of which threads have some in common",
          "analysis.reductions.atomic_operations:AtomicOperations.all_commute", TRUE,
          "rows that overlap are written, and not added to"),
    Check("threads/nested", "nested regions", "transform.serialise_nested:_asks", FALSE,
          "the thread of an inner team gets the number of the outer team's"),
)  # fmt: skip

ORDERED_COUNTERS = (
    Check("counters/blocks", "ordered counters", "transform.threads.ordered_counters:_has_blocks", TRUE,
          "the parts of a thread are other iterations than its own"),
    Check("counters/places", "ordered counters", "transform.threads.ordered_counters:_gives_places", TRUE,
          "what is made of a place, and is none, is that of the first phase"),
    Check("counters/one place", "ordered counters", "transform.threads.ordered_counters:_is_place", TRUE,
          "a variable with a place gets another value before it is used"),
    Check("counters/whole", "ordered counters", "transform.threads.ordered_counters:_holds", TRUE,
          "places that differ are one, of which a shorter integer keeps a part"),
    Check("counters/twice", "ordered counters", "transform.threads.ordered_counters:_may_be_done_twice", TRUE,
          "a statement with effects is done in two phases"),
    Check("counters/nothing", "ordered counters", "transform.threads.ordered_counters:_changes_nothing", TRUE,
          "what an expression changes is changed in two phases"),
    Check("counters/alone", "ordered counters", "analysis.loops:_is_alone", TRUE,
          "iterations meet elsewhere, or read what others store"),
)  # fmt: skip

SHORT_LOOPS = (
    Check("short/straight", "short loops", "plan.rewrites.elements.short_loops:_is_straight", TRUE,
          "a loop that is left early, or changes its counter, does all its iterations"),
    Check("short/own counter", "short loops", "plan.rewrites.elements.short_loops:_is_own", TRUE,
          "the counter has no value behind the loop"),
)  # fmt: skip

PREFIXES = (
    Check("scan/handed on", "scan", "analysis.scan_phases:_handed_on", NONE,
          "the scan phase finds what another iteration has left in a variable"),
    Check("scan/changed", "scan", "analysis.scan_phases:_changed_item", NONE,
          "the scan phase changes a copy of the prefix that is a constant"),
    Check("scan/meeting", "scan", "analysis.scan_phases:_meeting", NONE,
          "an input phase finds what the scan phase of an iteration in another tile has written"),
    Check("scan/threads", "scan", "analysis.scan_phases:_why_threads_leave", NONE,
          "a thread leaves the kernel that others wait for; what iterations print, or keep of the best, is lost"),
)  # fmt: skip

INTERCHANGE = (
    Check("interchange/counters", "interchange and fusion", "plan.rewrites.interchange:_Mover._check_counters", NONE,
          "the variable of a loop is wanted behind it"),
    Check("interchange/bounds", "interchange and fusion", "plan.rewrites.interchange:_Mover._check_bounds", NONE,
          "a loop around turns less often in some iterations of the one that comes out"),
    Check("interchange/value", "interchange and fusion", "plan.rewrites.interchange:_Mover._check_value", NONE,
          "what is repeated for each iteration has another value there, or an effect"),
    Check("interchange/known", "interchange and fusion", "plan.rewrites.interchange:_Mover._is_known", TRUE,
          "a bound has another value in each iteration of the loop that comes out"),
    Check("interchange/own scalar", "interchange and fusion", "plan.rewrites.interchange:_Mover._is_own", TRUE,
          "a variable that threads share, or that pointers lead to, is each iteration's own"),
    Check("interchange/privatisable", "interchange and fusion, array contraction",
          "plan.rewrites.interchange:_Mover._is_privatisable", TRUE,
          "an array with a value from before, or one that is wanted after, is each iteration's own"),
    Check("interchange/of each iteration", "interchange and fusion",
          "plan.rewrites.interchange:_Mover._is_of_each_iteration", TRUE,
          "an array of the thread carries values from one iteration to another"),
    Check("interchange/own arrays", "interchange and fusion",
          "plan.rewrites.interchange:_Mover._own_objects_written", NOTHING,
          "an array of the thread carries values from one loop, or iteration, to another"),
    Check("interchange/inside", "interchange and fusion", "plan.rewrites.interchange:_Mover._is_inside", TRUE,
          "an element of an array of the thread that stands beside the loops is of another iteration"),
    Check("interchange/plain declaration", "interchange and fusion", "plan.rewrites.interchange:_is_plain", TRUE,
          "a variable that keeps its value begins anew in each iteration"),
    Check("interchange/may be asked", "interchange and fusion",
          "analysis.interchange.loop_bounds:may_be_asked", TRUE,
          "a bound below 0 without a sign is evaluated where the program does not come"),
    Check("interchange/meet", "interchange and fusion", "analysis.interchange.loop_bounds:meet", TRUE,
          "a joint loop with a step passes by the iterations of one of its loops"),
    Check("interchange/reckoned", "interchange and fusion", "analysis.interchange.loop_bounds:_is_reckoned", TRUE,
          "bounds without a sign differ by what their polynomials do not say"),
    Check("interchange/holds", "interchange and fusion", "analysis.interchange.loop_bounds:_holds", TRUE,
          "the joint loop's variable does not have all values of the bounds"),
    Check("interchange/condition", "interchange and fusion",
          "plan.rewrites.joint_bounds:JointBounds.condition", NONE,
          "each iteration of the joint loop does what only some of a loop should"),
    Check("interchange/names", "interchange and fusion", "plan.rewrites.joint_body:hides_names", FALSE,
          "the joint loop's variable hides another one of its name"),
    Check("interchange/dimension", "array contraction",
          "analysis.interchange.array_contraction:_is_variable", TRUE,
          "elements of several iterations share the one place that is left"),
)  # fmt: skip

SCALARS = (
    Check("scalars/plain", "scalar replacement", "analysis.locality.scalar_replacement:_Finder._is_plain", TRUE,
          "an element that atomic operations change, or functions, stays in a variable meanwhile"),
    Check("scalars/throughout", "scalar replacement",
          "analysis.locality.scalar_replacement:_Finder._is_the_same_throughout", TRUE,
          "another element is read and written in a later iteration"),
    Check("scalars/stays", "scalar replacement", "analysis.locality.scalar_replacement:_Finder._stays", TRUE,
          "the element that was accessed before is another one than the loop's"),
    Check("scalars/uses", "scalar replacement", "analysis.locality.scalar_replacement:_Finder._uses", FALSE,
          "the first value of the variable passes by memory, from where it is read before the loop"),
    Check("scalars/bounds", "scalar replacement",
          "analysis.locality.scalar_replacement:_Finder._keeps_its_bounds", TRUE,
          "behind the loop its bounds say something else: the element is not stored"),
    Check("scalars/apart", "scalar replacement", "analysis.locality.scalar_replacement:is_apart", TRUE,
          "another access of the loop is to the same element, in memory"),
    Check("scalars/stay inside", "scalar replacement", "analysis.locality.scalar_replacement:_stay_inside", TRUE,
          "a subscript beyond the end of a member leads to another member"),
    Check("scalars/members", "scalar replacement",
          "analysis.locality.scalar_replacement:_are_members_of_one_struct", TRUE,
          "members of a union count for different elements"),
    Check("scalars/constants", "scalar replacement",
          "analysis.locality.scalar_replacement:_differ_by_constants", TRUE,
          "different subscripts of one value count for different elements"),
    Check("scalars/at once", "scalar replacement",
          "analysis.locality.scalar_replacement:_evaluates_at_once", TRUE,
          "an element that need not exist, or that is another thread's, is read and written back"),
    Check("scalars/evaluated", "scalar replacement", "analysis.locality.scalar_replacement:_is_evaluated", TRUE,
          "an element that need not exist, or that is another thread's, is read and written back"),
    Check("scalars/iteration", "scalar replacement",
          "analysis.locality.scalar_replacement:_has_an_iteration", TRUE,
          "an element of a loop without iterations is read and written back"),
)  # fmt: skip

FIXED = (
    Check("fixed/nameable", "fixed reads", "analysis.locality.invariant_loads:_Finder._is_nameable", TRUE,
          "the host reads its own copy of what each thread has one of"),
    Check("fixed/apart", "fixed reads", "analysis.locality.invariant_loads:_Finder._apart", TRUE,
          "an iteration changes what was read once, before the launch"),
    Check("fixed/differ", "fixed reads", "analysis.locality.invariant_loads:_Finder._differ", TRUE,
          "an iteration changes what was read once, before the launch"),
    Check("fixed/types", "fixed reads", "analysis.memory.effective_types:may_be_same", FALSE,
          "a write through a pointer to the same type changes what was read once"),
    Check("fixed/members", "fixed reads", "analysis.locality.invariant_loads:_other_member", TRUE,
          "an iteration changes the member that was read once"),
    Check("fixed/place", "fixed reads", "analysis.locality.invariant_loads:_Finder._is_place", TRUE,
          "a thread's own variable, or a bit-field, is read once for all"),
    Check("invariance/holds", "whatever asks for invariance", "analysis.integers.invariance:Invariance.holds", TRUE,
          "bounds, lengths, places and subscripts that change count for what they are once"),
    Check("invariance/kept", "whatever asks for invariance", "analysis.integers.invariance:Invariance._is_kept", TRUE,
          "variables and memory that the region changes count for unchanged, and calls for numbers"),
    Check("fixed/known bounds", "fixed reads",
          "analysis.locality.invariant_loads:_Finder._has_known_bounds", TRUE,
          "the host asks whether a loop has an iteration with variables that it does not see"),
    Check("fixed/always there", "fixed reads", "analysis.locality.invariant_loads:is_always_there", TRUE,
          "the host follows a pointer that the program follows only if the loop has an iteration"),
    Check("fixed/follows as far", "fixed reads", "analysis.locality.invariant_loads:_follows_as_far", TRUE,
          "the host follows a pointer that the program follows only sometimes"),
)  # fmt: skip

VERSIONS = (
    Check("versions/constant", "second versions for equal pointers",
          "plan.rewrites.equal_pointers:_is_constant", TRUE,
          "a pointer that moves stands for one that does not"),
    Check("versions/alike", "second versions for equal pointers", "plan.rewrites.equal_pointers:_are_alike", TRUE,
          "a pointer to elements of another type stands for one"),
    Check("versions/length", "second versions for equal pointers", "plan.rewrites.equal_pointers:_same_length", TRUE,
          "rows of another length stand for a pointer's"),
    Check("versions/shared blocks", "kernels whose arrays may overlap",
          "plan.parameters.shared_blocks:SharedBlocks.are_used_by", FALSE,
          "two pointers into one block are taken for two arrays; then the launcher stays on the host"),
    Check("locks/section", "sections under locks", "transform.lock_sections:_why_not", NONE,
          "a section ends before its variables are used, or with locks in it"),
    Check("inlining/fit", "inlined calls", "transform.calls.inlining:_Inliner._is_fit", TRUE,
          "a function that returns early, or keeps values, becomes statements"),
    Check("inlining/known", "inlined calls", "transform.calls.inlining:_Inliner._is_known", TRUE,
          "a name means another object in the loop than in the function"),
    Check("inlining/replace", "inlined calls", "transform.calls.arguments:_is_fixed", TRUE,
          "an argument is evaluated again after the function has changed it"),
    Check("inlining/number", "inlined calls", "transform.calls.arguments:_is_number", TRUE,
          "an argument is evaluated again after the function has changed it"),
    Check("inlining/can wait", "inlined calls", "transform.calls.call_order:_can_wait", TRUE,
          "a call is done before what the rest of its expression changes"),
    Check("inlining/all", "inlined calls", "transform.calls.call_order:_is_all_that_is_assigned", TRUE,
          "a call changes what the rest of its expression reads"),
    Check("inlining/hidden", "inlined calls", "transform.calls.inlining:_Inliner._is_hidden", TRUE,
          "a variable that pointers lead to is one that has only its name"),
    Check("inlining/gets", "inlined calls", "transform.calls.inlining:_can_get", TRUE,
          "a variable gets its value before the function reads it for the last time"),
    Check("inlining/sets", "inlined calls", "transform.calls.callees:keeps_no_address", TRUE,
          "a pointer to a variable is kept, and leads to another one then"),
    Check("inlining/by name", "inlined calls", "transform.calls.callees:writes_by_name_alone", TRUE,
          "an argument is evaluated again after the function has changed it"),
)  # fmt: skip

INDUCTIONS = (
    Check("inductions/stays", "variables that move with counters",
          "transform.counters.induction_variables:_Substitution._stays", TRUE,
          "what is added is another number in each iteration"),
    Check("inductions/wanted", "variables that move with counters",
          "transform.counters.induction_variables:_Substitution._is_wanted", FALSE,
          "the variable has its first value behind the loop"),
    Check("inductions/distance", "variables that move with counters",
          "transform.counters.moving_values:Numbers._distance_fits", TRUE,
          "a loop that counts down is taken for one that comes to its first number"),
)  # fmt: skip

CHECKS = (
    *(*RENAMING, *KEPT_ROWS, *ITERATION_ROWS, *CARRIED, *STRIPS, *PRODUCERS, *ONE_APART, *FORMER_VALUES),
    *LAST_ITERATION,
    *(*FLAT_ROWS, *FUSION, *UNSWITCHING, *THREAD_NUMBERS, *ORDERED_COUNTERS, *SHORT_LOOPS, *PREFIXES),
    *(*INDUCTIONS, *SINKING, *DONE_ONCE, *INTERCHANGE, *SCALARS, *FIXED, *VERSIONS),
)
