"""The legality checks of placement, of copies that are left out, and of private memory.

No program is known that goes wrong without `copies/solid`: C lets a store to a record change what lies between its
members, and a copy of a whole record has these bytes too. `constant/number` seems to matter for numbers of the type
`long double` alone, which is another one in device code of nvcc's.
"""

from __future__ import annotations

from .checks import EMPTY_SET, FALSE, NONE, TRUE, Check, argument

COPIES = (
    Check("copies/followed", "copy-in elimination", "analysis.memory.must_writes:MustWrites._is_followed", TRUE,
          "what only some threads, or iterations, write is not copied in"),
    Check("copies/reads own", "copy-in elimination", "analysis.memory.must_writes:MustWrites._reads_own", TRUE,
          "an element that is read before it is written is not copied in"),
    Check("copies/precedes", "copy-in elimination", "analysis.memory.must_writes:_precedes", TRUE,
          "an element that is read before it is written is not copied in"),
    Check("copies/solid", "copy-in elimination", "analysis.memory.must_writes:_is_solid", TRUE,
          "the bytes between the members of a record are not copied in, and come back as others"),
    Check("copies/certain", "copy-in elimination, exact sections",
          "analysis.memory.access_relation:AccessRelations.is_certain", TRUE,
          "elements that a condition leaves alone are not copied in"),
    Check("copies/can say", "copy-in elimination, bounding sections",
          "plan.memory.copy_in_elimination:can_say", TRUE,
          "the launcher names variables that it does not have"),
    Check("copies/whole array", "copy-in elimination", "analysis.memory.extents:Footprints.overwrites", TRUE,
          "an array that is written in part, or read, is not copied in"),
    Check("copies/declared array", "copy-in elimination", "plan.memory.variables:_surely_overwritten", TRUE,
          "elements that are not written come back as garbage"),
    Check("copies/beyond type", "exact sections", "analysis.memory.extents:is_beyond_type", FALSE,
          "elements of an array at the end of a record are not copied"),
    Check("copies/same ends", "exact sections", "analysis.memory.extents:_same_ends", TRUE,
          "memory that the program may leave alone, and that need not exist, is copied"),
    Check("copies/counts numbers", "must-write regions, bounding sections",
          "analysis.memory.lmad:_counts_numbers", TRUE,
          "a loop turns another number of times than its bounds are apart"),
    Check("copies/own rows", "must-write regions, bounding sections", "analysis.memory.lmad:_has_own_rows", FALSE,
          "rows of a pointer have another length than those of the array"),
    Check("copies/section certain", "bounding sections",
          "analysis.memory.bounding_sections:BoundingSections._is_certain", TRUE,
          "memory that need not exist counts for a part of the array"),
    Check("copies/single object", "arrays of one element", "analysis.memory.single_objects:is_single_object", TRUE,
          "elements behind the first one are not copied"),
)  # fmt: skip

PLACEMENT = (
    Check("constant/plain pointer", "constant memory", "plan.memory.constant:_is_plain_pointer", TRUE,
          "a pointer that moves is an array in constant memory"),
    Check("constant/table", "constant tables", "plan.memory.constant_tables:_is_known", TRUE,
          "a table that another file, or a pointer, changes has the text's elements in the device file"),
    Check("constant/number", "constant tables", "plan.memory.constant_tables:_is_number", TRUE,
          "an element that is no number is printed into the device file"),
    Check("placement/relied on", "`__restrict__`, launches compared", "plan.memory.variables:_is_relied_on", FALSE,
          "arrays that overlap are not found out before the launch"),
    Check("placement/proved", "objects behind stored pointers", "plan.memory.variables:_is_proved", FALSE,
          "rows that overlap are not found out before the launch"),
    Check("placement/merged loads", "`__restrict__`", "plan.memory.merged_loads:without_merged_loads",
          argument("variables"),
          "nvcc reads by the read-only data path what the thread has stored (not on the emulator)"),
    Check("private/only elements", "private arrays, element by element",
          "plan.parameters.expansion:_only_elements", TRUE,
          "a pointer into an array whose elements lie apart leads to another thread's"),
)  # fmt: skip

PRIVATISATION = (
    Check("private/keeps nothing", "private arrays of an iteration", "analysis.facts:Facts.keeps_nothing", TRUE,
          "an array of the thread carries values from one iteration to another"),
    Check("private/own values", "array privatisation",
          "analysis.privatisation.array_privatisation:PrivatisableObjects._own_values", EMPTY_SET,
          "an object of the team's threads is read before the iteration has written it"),
    Check("private/not read after", "array privatisation",
          "analysis.privatisation.array_privatisation:_not_read_after", EMPTY_SET,
          "what the loop has left in an object of the thread is read behind it"),
    Check("private/never kept", "array privatisation",
          "analysis.privatisation.array_privatisation:PrivatisableObjects._never_kept", EMPTY_SET,
          "a later call reads what the loop has left in an object that keeps its value"),
    Check("private/interference", "array privatisation",
          "analysis.privatisation.concurrent_context:ConcurrentContext._keeps", TRUE,
          "another thread changes an integer from which the analysis concludes"),
    Check("private/comparable", "variables of the team's threads",
          "analysis.privatisation.team_private:_not_comparable", NONE,
          "the threads' copies of a variable differ, and the launch does not see it"),
    Check("private/plain", "variables of the team's threads", "analysis.privatisation.team_private:_is_plain", TRUE,
          "a variable that pointers lead to is each iteration's own"),
    Check("private/no value before", "variables of the team's threads",
          "analysis.privatisation.team_private:_has_no_value_before", TRUE,
          "a variable with a value from before the loop is each iteration's own"),
    Check("private/only in loop", "variables of the team's threads",
          "analysis.privatisation.team_private:_only_in_loop", TRUE,
          "a variable that other code of the team names is each iteration's own"),
    Check("private/carried scalars", "firstprivate variables",
          "analysis.privatisation.loop_carried:loop_carried_scalars", NONE,
          "a firstprivate variable that carries a value from one iteration of the thread to the next"),
    Check("private/always assigned", "lastprivate variables, shared scalars",
          "analysis.flow.definite_assignment:is_always_assigned", TRUE,
          "the last iteration assigns nothing, and an earlier one's value is wanted"),
    Check("private/shared, plain", "shared scalars", "analysis.privatisation.shared_scalars:is_plain", TRUE,
          "a called function names the variable that all iterations share"),
    Check("private/shared, written first", "shared scalars",
          "analysis.privatisation.shared_scalars:is_written_first", TRUE,
          "an iteration reads what it had before the loop"),
    Check("private/unread, behind", "reductions of which nobody reads the result",
          "analysis.privatisation.unread_reductions:read_after", FALSE,
          "the result of a reduction that is read behind the loop is what it was before"),
)  # fmt: skip

CHECKS = (*COPIES, *PLACEMENT, *PRIVATISATION)
