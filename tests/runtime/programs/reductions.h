/* reductions.h: shared by reductions.c and reductions.cu. Guards the combination of partial results over warps, blocks and
   the grid: a lost partial result, a wrong identity, a counter that is not reset shows as a wrong value. */

#include "ompc_host.h"

/* The order of these two lists is the numbering that the launcher is called with. */
#define OPERATORS(X) X(0, Sum) X(1, Product) X(2, Min) X(3, Max) X(4, LogicalAnd) X(5, LogicalOr) X(6, BitAnd) X(7, BitOr) X(8, BitXor)
#ifdef FEW_TYPES /* one of each width, where compiling all takes long */
#define INTEGERS(X) X(0, _Bool) X(2, signed char) X(5, unsigned short) X(6, int) X(10, long long)
#else
#define INTEGERS(X)                                                                                              \
    X(0, _Bool) X(1, char) X(2, signed char) X(3, unsigned char) X(4, short) X(5, unsigned short) X(6, int)      \
    X(7, unsigned) X(8, long) X(9, unsigned long) X(10, long long) X(11, unsigned long long)
#endif
#define FLOATS(X) X(12, float) X(13, double)

enum { TYPES = 14, OPS = 9, BIT_OPS = 6, FIRST_FLOAT = 12, SHAPES = 7 };

#ifdef __cplusplus
extern "C" {
#endif
int ompc_reduce_array(int op, int type, int shape, long long n, const void *x, void *result);
int ompc_two_reductions(long long n, const void *x, void *sum, void *largest, void *total);
#ifdef __cplusplus
}
#endif
