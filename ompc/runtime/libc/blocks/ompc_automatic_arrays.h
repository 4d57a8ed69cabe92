/* ompc_automatic_arrays.h: automatic arrays of the initial thread, as blocks (private to the units of C). */

#ifndef OMPC_AUTOMATIC_ARRAYS_H
#define OMPC_AUTOMATIC_ARRAYS_H

#include "ompc_libc.h"

#include <stdint.h>

OMPC_OWN void ompc_find_initial_stack(void);
OMPC_OWN int ompc_automatic_find(uintptr_t address, uintptr_t *base, size_t *bytes);
OMPC_OWN int ompc_automatic_guardable(uintptr_t address, uintptr_t page, uintptr_t block[2], uintptr_t pages[2]);
OMPC_OWN void ompc_forget_automatic_arrays(void (*tell)(uintptr_t base, size_t bytes)); /* of those that are watched */
OMPC_OWN void ompc_block_flags(uintptr_t base, int added); /* of any block */

#endif
