#include "ompc_host.h"

enum { TABLE = 1000 }; /* elements of the constant array */

#ifdef __cplusplus
extern "C" {
#endif
int ompc_twice(int n, const void *x, void *y);        /* y[i] = 2 * x[i] */
int ompc_twice_mapped(int n, const void *x, void *y); /* the same, of a target construct */
int ompc_look_up(int n, const void *table, void *y);  /* y[i] = table[i % TABLE], in constant memory */
int kernels_done(void);                               /* of the first two, so far; -1: not known */
#ifdef __cplusplus
}
#endif
