/* ompc_at_exit.h: how far the program has come (private to the units of C). */

#ifndef OMPC_AT_EXIT_H
#define OMPC_AT_EXIT_H

#include "ompc_libc.h"

extern OMPC_OWN int ompc_main_is_near;

#endif
