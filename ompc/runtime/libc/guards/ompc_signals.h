/* ompc_signals.h: what others ask of the program's signals (private to the units of C). */

#ifndef OMPC_SIGNALS_H
#define OMPC_SIGNALS_H

#include "ompc_libc.h"

extern OMPC_OWN int ompc_has_pending;       /* SIGSEGV was sent while the program had it blocked */
extern OMPC_OWN int ompc_is_programs_alone; /* SIGSEGV: nothing is pretended any more */
extern OMPC_OWN int ompc_is_called_back;    /* the program has asked to be called by threads of libc (ompc_notices.c) */
OMPC_OWN void ompc_look_at_first_mask(void);
OMPC_OWN int ompc_take_faults(void); /* 1: ours is the handler of SIGSEGV */
OMPC_OWN void ompc_unguarded_fault(int number, siginfo_t *info, void *context);
OMPC_OWN void ompc_set_faults(int how); /* in the mask of this thread */
OMPC_OWN void ompc_fetches(const char *function, const sigset_t *set);
OMPC_OWN void ompc_leave_handlers(void); /* by a jump */
OMPC_OWN void ompc_leave_signals_behind(void);

#endif
