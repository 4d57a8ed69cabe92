/* ompc_page_locked.h: page-locked blocks (private to the units of C). */

#ifndef OMPC_PAGE_LOCKED_H
#define OMPC_PAGE_LOCKED_H

#include "ompc_libc.h"

OMPC_OWN void ompc_page_locked_release(void *base);

#endif
