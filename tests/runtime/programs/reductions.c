#include "reductions.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N = 1000 };

static const char *const op_names[] = {
#define ONE(number, Op) #Op,
    OPERATORS(ONE)
#undef ONE
};
static const char *const type_names[TYPES] = {
#define ONE(number, T) [number] = #T,
    INTEGERS(ONE) FLOATS(ONE)
#undef ONE
};

/* Fills x with small values (a few elements differ, so that no operator's result is trivial) and combines them here. */
#define EXPECT(T, INTEGER_OPS)                                                       \
    {                                                                                \
        T *const v = x;                                                              \
        T r = start;                                                                 \
        for (long long i = 0; i < n; i++) {                                          \
            v[i] = (T)(op == 1 ? i % 97 == 5 ? 2 : 1 : (op == 4 ? 1 : i * 7 % 61 - 3)); \
            switch (op) {                                                            \
            case 0: r = (T)(r + v[i]); break;                                        \
            case 1: r = (T)(0 + r * v[i]); break;                                        \
            case 2: r = v[i] < r ? v[i] : r; break;                                  \
            case 3: r = v[i] > r ? v[i] : r; break;                                  \
            case 4: r = (T)(r && v[i]); break;                                       \
            case 5: r = (T)(r || v[i]); break;                                       \
            INTEGER_OPS                                                              \
            }                                                                        \
        }                                                                            \
        memcpy(expected, &r, sizeof r);                                              \
        r = start;                                                                   \
        memcpy(variable, &r, sizeof r);                                              \
        return sizeof r;                                                             \
    }
#define BITS                             \
    case 6: r &= v[i]; break;            \
    case 7: r |= v[i]; break;            \
    case 8: r ^= v[i]; break;

static size_t expect(int op, int type, long long n, void *x, void *expected, void *variable)
{
    const int start = op == 1 ? 3 : op == 2 ? 50 : 1;
    switch (type) {
#define ONE(number, T) \
    case number:       \
        EXPECT(T, BITS)
        INTEGERS(ONE)
#undef ONE
#define ONE(number, T) \
    case number:       \
        EXPECT(T, )
        FLOATS(ONE)
#undef ONE
    }
    return 0;
}

static int check(int op, int type, int shape, long long n)
{
    static double x[N];
    double expected = 0, variable = 0;
    const size_t bytes = expect(op, type, n, x, &expected, &variable);
    OMPC_OFFLOAD(ompc_reduce_array(op, type, shape, n, x, &variable))
    {
        puts("refused");
        return 1;
    }
    if (memcmp(&expected, &variable, bytes) == 0)
        return 0;
    printf("%s of %s, shape %d, n = %lld: wrong\n", op_names[op], type_names[type], shape, n);
    return 1;
}

int main(void)
{
    int wrong = 0;
    for (int op = 0; op < OPS; op++)
        for (int type = 0; type < (op < BIT_OPS ? TYPES : FIRST_FLOAT); type++)
            for (int shape = 0; shape < SHAPES && type_names[type] != NULL; shape++)
                wrong += check(op, type, shape, shape == 2 ? 1 : N);

    static double x[N];
    for (int i = 0; i < N; i++)
        x[i] = i * 0.5;
    double sum = 1, largest = -INFINITY, total = 0;
    if (!ompc_two_reductions(N, x, &sum, &largest, &total) || sum != 249751 || largest != 499.5 || total != 499500)
        wrong++, printf("several reductions: %g %g %g\n", sum, largest, total);
    puts(wrong ? "FAILED" : "ok");
    return wrong != 0;
}
