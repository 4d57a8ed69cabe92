/* Pragmas out of macros, in a header, after labels and cases, as bodies, with #if in and around them. */
/* args: 40 3 */
/* args: 7 -1 */
/* args: 90 1 */
/* expect-gpu: 19 */
/* expect-host: OMPC342 OMPC307 OMPC307 OMPC342 OMPC342 OMPC342 OMPC342 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define TEXT(x) #x
#define OMP(x) _Pragma(TEXT(omp x))
#define PARALLEL_FOR _Pragma("omp parallel for")
#define SPLIT_PARALLEL_FOR _Pragma("omp parallel") _Pragma("omp for")
#define LOOP(i, n) _Pragma("omp parallel for") for (int i = 0; i < (n); i++)
#define LOOP_IF(i, n, c) OMP(parallel for if(c) schedule(static)) for (int i = 0; i < (n); i++)
#define FILL(a, n, v) LOOP(q, n) (a)[q] = (v)
#define COUNTED(i, n) count++; LOOP(i, n)
#define TWICE(i, n, one, two) LOOP(i, n) one; LOOP(i, n) two
#include "positions.h"

static double a[SIZE], b[SIZE];
static int count;

static void show(const char *name)
{
    double sum = 0;
    for (int i = 0; i < SIZE; i++)
        sum += a[i] * (i + 1) + b[i] * i + in_header[i];
    printf("%s %.1f\n", name, sum);
}

static void macros(int n, int on)
{
    PARALLEL_FOR
    for (int i = 0; i < n; i++)
        a[i] = i;
    LOOP(i, n) a[i] += 1;
    LOOP(i,
         n /* a comment */)
        a[i] += 2;
    LOOP_IF(i, n, on > 0)
        a[i] += 3;
    FILL(b, n, on);
    SPLIT_PARALLEL_FOR
    for (int i = 0; i < n; i++)
        a[i] += 4;
    OMP(parallel for schedule(static)) for (int i = 0; i < n; i++) a[i] += 5;
    _Pragma("omp parallel for") for (int i = 0; i < n; i++) a[i] += 6;
    if (n > 10)
        LOOP(i, n) a[i] += 7;
    else
        LOOP(i, n) a[i] -= 7;
    if (on) LOOP(i, n) a[i] += 8;
    TWICE(i, n, a[i] += 9, b[i] -= a[i]);
    if (on)
        for (int k = 0; k < 2; k++)
            LOOP(i, n) b[i] += k;
    COUNTED(i, n) a[i] += 10;
    count += on; LOOP(i, n) a[i] += 11;
    show("macros");
}

static void statements(int n, int on)
{
    int i, k = 0;
    switch (on) {
    case 3:
        #pragma omp parallel for
        for (i = 0; i < n; i++) a[i] += 2;
        break;
    case 1: LOOP(q, n) a[q] -= 2;
    default:
    #pragma omp parallel for
        for (i = 0; i < n; i++) a[i] += 3;
    }
    do
        #pragma omp parallel for
        for (i = 0; i < n; i++) b[i] += 1;
    while (++k < 3);
    while (k-- > 0)
again:
        #pragma omp parallel for
        for (i = 0; i < n; i++) b[i] *= 2;
    if (on-- == 3)
        goto again;
    {
#ifdef SIZE
        #pragma omp parallel for \
            schedule(static) /* why */ \
            num_threads(2)
#else
        #pragma omp parallel for
#endif
        for (i = 0; i < n; i++) {
#if SIZE > 5
            a[i] += b[i];
#else
            a[i] -= b[i];
#endif
        }
    }
	# pragma	omp	parallel	for
	for (i = 0; i < n; i++)
		a[i] += 1;
    %: pragma omp parallel for
    for (i = 0; i < n; i++)
        a[i] += 1;
    show("statements");
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]), on = atoi(argv[2]);
    macros(n, on);
    statements(n, on);
    header_fill(n, 2.5);
    printf("%.1f %d\n", header_sum(in_header, n), count);
    show("header");
    return 0;
}
