/* ompc_mappings.h: what becomes of memory that the program maps (private to the units of C). */

#ifndef OMPC_MAPPINGS_H
#define OMPC_MAPPINGS_H

#include "ompc_libc.h"

#include <stdint.h>

OMPC_OWN uintptr_t ompc_page_end(uintptr_t address);
OMPC_OWN void ompc_forget_mapped(uintptr_t begin, size_t bytes);
OMPC_OWN int ompc_leaves_contents(int advice);
OMPC_OWN void ompc_pages_change(uintptr_t begin, size_t bytes);
OMPC_OWN void ompc_protected_by_program(void *base, size_t bytes, int protection);

#endif
