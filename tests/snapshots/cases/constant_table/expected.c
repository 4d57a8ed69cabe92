#include "input.ompc.h"
/* A table of coefficients that all lanes read at the same place, and one that each lane reads at its own. */
static double coefficients[33], lookup[1000], in[1032], out[1000];

void convolve(int n)
{
    OMPC_OFFLOAD(ompc_launch_convolve(n, lookup, in, out, coefficients))
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double s = lookup[i];
        for (int k = 0; k < 33; k++)
            s += coefficients[k] * in[i + k];
        out[i] = s;
    }
}
OMPC_GLOBALS({coefficients, sizeof coefficients}, {lookup, sizeof lookup}, {in, sizeof in}, {out, sizeof out})
