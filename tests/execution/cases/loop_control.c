/* What controls a loop: bounds and arguments that call functions without side effects, `linear` variables that are not
   the loop's own. */
/* args: 24 */
/* args: 1 */
/* expect-gpu: 16 */
/* expect-host: OMPC305 OMPC304 OMPC304 OMPC304 OMPC304 */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int a[1000], calls;
struct Grid { int n; double *v; };

static void show(const char *name, long value)
{
    long sum = 0;
    for (int i = 0; i < 1000; i++) { sum = sum * 7 % 1000003 + a[i]; a[i] = 0; }
    printf("%s %ld %ld\n", name, value, sum);
}

static int width(const struct Grid *g)
{
    int w = 0;
    for (int k = 0; k < g->n; k++) w += k % 2;
    return w;
}
static int factorial(int n) { return n <= 1 ? 1 : n * factorial(n - 1); }
static int letters(const char *s) { int n = 0; while (*s++) n++; return n; }
static int counted(int n) { return calls++, n; }
static inline int least(int x, int y) { return x < y ? x : y; }

static void bounds(int n, const char *text)
{
    struct Grid g = {n, 0};
    #pragma omp parallel for
    for (int i = 0; i < (int)sqrt(n) + (int)floorf(log2f((float)n)) + (int)fmod(n, 7); i++) a[i] += i;
    #pragma omp parallel for
    for (int i = 0; i < (int)strlen(text) + abs(-n) + atoi("3"); i++) a[i] += i;
    #pragma omp parallel for
    for (int i = least(n, 10); i < 10 * width(&g); i += least(2, n)) a[i] += i;
    #pragma omp parallel for num_threads(factorial(3)) if(width(&g) > 1) schedule(dynamic, factorial(2))
    for (int i = 0; i < factorial(5); i++) a[i] += i % 7;
    #pragma omp parallel for
    for (int i = 0; i < __builtin_popcount((unsigned)n) + letters(text); i++) a[i] += i;
    #pragma omp parallel for
    for (int i = 0; i < counted(n); i++) a[i] += i;
    #pragma omp parallel
    {
        #pragma omp for
        for (int i = 0; i < width(&g) + letters(text); i++) a[i] += i;
    }
    show("bounds", calls > 0);
}

static void linear(int n)
{
    int i, j = 5, two = 2;
    long far = LONG_MAX - 100;
    unsigned char u = 250;
    short down = 900;
    register unsigned r = 7;

    #pragma omp parallel for linear(j)
    for (i = 0; i < n; i++) { a[j] = i; j++; }
    show("default", j);
    #pragma omp parallel for linear(j: two) schedule(dynamic, 3)
    for (i = n; i > 0; i -= 3) { a[i] = j; j = two + j; }
    show("variable step", j);
    #pragma omp parallel for simd linear(down: -2) linear(u: 3) linear(i)
    for (i = 1; i <= n; i++) { int k = down -= 2; a[k] += u; u += 3; }
    show("down", down + u + i);
    #pragma omp parallel for linear(j, far: 4) reduction(+: r)
    for (unsigned long k = 1; k < 20; k += 5) { r += far % 1000; far = far + 4; a[j += 4] = (int)k; }
    show("two", j + far % 1000 + r);
    #pragma omp parallel for linear(r: 3) collapse(2) lastprivate(i)
    for (i = 0; i < n; i++)
        for (int k = 7; k >= 2; k -= 2) { a[i * 8 + k] += r; { r += 3; } }
    show("collapse", r + i);
    #pragma omp parallel for linear(j)
    for (int k = 3; k < n - 4; k++) { a[k] = j; j++; }
    show("perhaps no iterations", j);
    #pragma omp parallel
    {
        #pragma omp for linear(j) nowait
        for (int k = 0; k < n; k++) a[j++ % 700] += k;
        #pragma omp for
        for (int k = 0; k < n; k++) a[700 + k] = k;
        #pragma omp single
        j += n > 1 ? 3 : 0;
        #pragma omp for linear(j: 2)
        for (int k = 0; k < n; k++) { a[k] = j; j += 2; }
    }
    show("team", j);
    #pragma omp parallel for firstprivate(j)
    for (i = 0; i < n; i++) {
        int s = j, k;
        #pragma omp simd linear(s: 2) linear(k: 1)
        for (k = 0; k < 5; k++) { a[i] += s; s += 2; }
        a[i] += s;
    }
    show("simd inside", j);
    i = 0;
    #pragma omp parallel for linear(j: 2) num_threads(1)
    for (int k = 0; k < n; k++) { if (k % 2) continue; j += 2; }
    #pragma omp parallel for linear(j: 2) num_threads(1)
    for (int k = 0; k < n; k++) a[k] = j;
    #pragma omp parallel for linear(j: 2) num_threads(1)
    for (int k = 0; k < n; k++) { j += 1; a[k] = j; }
    #pragma omp parallel for linear(j: two) num_threads(1)
    for (int k = 0; k < n; k++) { if (k >= 0) j += two; a[k] = j; }
    show("not moved by the step", j);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 24;
    bounds(n, "hello, world");
    linear(n);
    return 0;
}
