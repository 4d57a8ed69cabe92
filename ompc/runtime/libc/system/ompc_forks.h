/* ompc_forks.h: around a copy of the process (private to the units of C). */

#ifndef OMPC_FORKS_H
#define OMPC_FORKS_H

#include "ompc_libc.h"

OMPC_OWN void ompc_watch_forks(void);
OMPC_OWN void ompc_before_fork(void);
OMPC_OWN void ompc_after_fork(void);
OMPC_OWN void ompc_after_fork_in_child(void);

#endif
