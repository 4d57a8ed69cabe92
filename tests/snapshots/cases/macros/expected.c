#include "input.ompc.h"
/* Macros of the user's, as kernels have them. */
#include <stdint.h>

#define ROWS 200
#define columns 300
#define AT(i, j) ((i) * columns + (j))
#define U(i, j) u[AT(i, j)]
#define SQ(x) ((x) * (x))
#define max(a, b) ((a) > (b) ? (a) : (b))
#define LAST (ROWS - 1)
#define get(p) (*(p))

static int u[ROWS * columns], v[ROWS * columns];

void steepest(int64_t *best)
{
OMPC_OFFLOAD(ompc_launch_steepest(u, v, best))
#pragma omp parallel for
    for (int i = 1; i < LAST; i++) {
        int64_t least = INT64_MAX;
        for (int j = 1; j < columns - 1; j++) {
            int slope = max(SQ(U(i + 1, j) - U(i - 1, j)), SQ(U(i, j + 1) - U(i, j - 1)));
            v[AT(i, j)] = slope;
            if (slope < least)
                least = slope;
        }
        get(best + i) = least;
    }
}
OMPC_OWN_PAGES(u);
OMPC_OWN_PAGES(v);
OMPC_GLOBALS({u, sizeof u}, {v, sizeof v})
