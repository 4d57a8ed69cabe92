/* Macros in loops and pragmas, _Pragma is elsewhere; continued lines, pragmas in if/else without braces, __LINE__. */
/* args: 20 */
/* args: 3 */
/* expect-gpu: 9 */
#include <stdio.h>
#include <stdlib.h>
#include <assert.h>

#define N 64
#define AT(m, i, j) ((m)[(i) * N + (j)])
#define FOR(v, to) for (int v = 0; v < (to); v++)
#define OPS +
#include <float.h>
#ifndef FLT_MAX /* it is there: this definition is not taken */
#define FLT_MAX 3.5e38
#endif
#define SUM reduction(OPS:total)
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define BODY(i) do { \
        line[i] += 2; \
        if (line[i] > 50) line[i] = 0; \
    } while (0)

static double m[N * N];
static int line[N];

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    #pragma omp parallel for
    FOR(i, N)
        FOR(j, n)
            AT(m, i, j) = MAX(i, j) * 0.5;
    double total = 0;
    #pragma omp parallel for SUM
    FOR(i, N * N) total += m[i];
    if (n > 10)
        #pragma omp parallel for
        for (int i = 0; i < N; i++)
            line[i] = i;
    else
        #pragma omp parallel for
        for (int i = 0; i < N; i++)
            line[i] = -i;
    #pragma omp parallel for
    for (int i = 0; i < N; i++) BODY(i);
    if (n == 20) if (argc > 1)
#pragma omp parallel for
        for (int i = 0; i < N; i++) line[i] *= 3;
    for (int k = 0; k < 2; k++)
#pragma omp \
   parallel \
   for
        for (int i = 0;
             i < N;
             i++)
        {
            line[i] += /* the sum */ k; // and a comment
        }
    int where = __LINE__;
    assert(where == 60);
    switch (n) {
    case 20:
#pragma omp parallel for
        for (int i = 0; i < N; i++) line[i]--;
        break;
    default:
        ;
    }
    #pragma omp parallel for
    for (int i = 0; i < N; i++) m[i] = m[i] > 20 ? FLT_MAX : m[i];
    total += m[5] / FLT_MAX + m[45] / FLT_MAX;
    int check = 0;
    for (int i = 0; i < N; i++)
        check = check * 7 % 100003 + line[i];
    printf("%.10g %d %d %s\n", total, check, where, __func__);
    return 0;
}
