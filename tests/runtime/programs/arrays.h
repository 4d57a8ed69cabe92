#include "ompc_host.h"

#ifdef __cplusplus
extern "C" {
#endif
int ompc_add(int n, const void *x, void *y);                      /* y[i] += x[i]; distinct blocks */
int ompc_add_openmpc(int n, const void *x, void *y);              /* the same, as OpenMPC launches */
int ompc_move(int n, const void *from, void *to);                 /* to[i] = from[i]; pointers into one block are fine */
int ompc_middle(int lo, int hi, void *x);                         /* x[i] = i for lo <= i <= hi: a section */
int ompc_fill(int n, void *x);                                    /* overwrite */
int ompc_weighted(int n, void *y, const void *w);                 /* y[i] = w[i % 5]: constant */
int ompc_constant_alias(void *w);                                 /* writes the array that the constant comes from */
int ompc_last(int n, const void *x, void *x_last, void *i_last);  /* lastprivate */
int ompc_table(int rows, int columns, void *t);                   /* t[i][j] += 10 * i + j, 2-D */
int ompc_cube(int a, int b, int c, void *t);                      /* 3-D */
int ompc_pinned(long n, void *x);                                 /* doubles x, host_register */
int ompc_nothing(int n, void *x);                                 /* empty section, null pointer */
int ompc_struct(int n, void *points);                             /* arrays of structs, unaligned char section beside */
#ifdef __cplusplus
}
#endif

struct point {
    double x;
    char tag;
    int n;
};
