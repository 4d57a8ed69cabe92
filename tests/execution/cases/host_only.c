/* Loops that stay on the host, one for each reason that a whole program can have. */
/* args: 20 */
/* expect-gpu: 0 */
/* expect-host: OMPC320 OMPC321 OMPC322 OMPC323 OMPC324 OMPC325 OMPC326 OMPC327 OMPC360 OMPC329 OMPC330 OMPC333 OMPC334 OMPC336 OMPC339 OMPC343 OMPC320 OMPC323 OMPC320 OMPC322 OMPC320 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
#include <omp.h>
#include <complex.h>
#include <setjmp.h>

static double a[100];
static int ints[100];
static double *pointers[100];
static volatile int flag = 1;
struct flag { _Bool on : 1; };

static long depth(int n) { return n <= 0 ? 1 : depth(n - 1) + n; }
static double apply(double (*f)(double), double x) { return f(x); }
static double half(double x) { return x / 2; }
static double (*const halves[])(double) = {half, half};
static long double complex waves[100];
static jmp_buf back;
static int risky(int i) { return setjmp(back) ? 0 : i; }
static int counted(int i) { static int calls[100]; calls[i]++; return calls[i]; }

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    char text[100];
    for (int i = 0; i < 100; i++) a[i] = i, pointers[i] = &a[i];

    #pragma omp parallel for
    for (int i = 0; i < n; i++) a[i] += rand() * 0 + i;
    #pragma omp parallel for
    for (int i = 0; i < n; i++) a[i] += depth(i);
    #pragma omp parallel for
    for (int i = 0; i < n; i++) a[i] = apply(half, a[i]);
    #pragma omp parallel for
    for (int i = 0; i < n; i++) { long double wide = a[i]; a[i] = wide * 3; }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) { struct flag f = {a[i] > 3}; f.on++; a[i] += f.on; }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) { double w[i + 1]; w[i] = a[i]; a[i] = w[i] + 1; }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) a[i] += counted(i);
    #pragma omp parallel for
    for (int i = 0; i < n; i++) a[i] += flag;
    #pragma omp parallel for
    for (int i = 0; i < n; i++) pointers[i] = &a[i];
    #pragma omp parallel for
    for (int i = 0; i < n; i++) { double *p = (double *)((uintptr_t)a + i * sizeof(double)); *p += 1; }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        #pragma omp taskloop shared(ints)
        for (int k = i; k < i + 1; k++) ints[k] += 1;
    }
    static double scratch[20000];
    #pragma omp parallel for firstprivate(scratch)
    for (int i = 0; i < n; i++) { for (int k = 0; k < 20000; k += 100) scratch[k] = i; a[i] += scratch[100]; }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) { const char *abc = "abc"; text[i] = abc[i % 3]; }
    double *last = a;
    #pragma omp parallel for lastprivate(last)
    for (int i = 0; i < n; i++) last = &a[i];
    #pragma omp parallel for
    for (int i = 0; i < n; i++) ints[i] += omp_get_ancestor_thread_num(0) * 0 + 1;
    #pragma omp parallel for collapse(4)
    for (int i = 0; i < 2; i++) for (int j = i; j < 2; j++) for (int k = 0; k < 2; k++) for (int l = 0; l < 2; l++)
        ints[i * 8 + j * 4 + k * 2 + l] += 5;
    #pragma omp parallel for
    for (int i = 0; i < n; i++) a[i] += risky(i);
    #pragma omp parallel for
    for (int i = 0; i < n; i++) waves[i] = waves[i] * waves[i] + i;
    #pragma omp parallel for
    for (int i = 0; i < n; i++) if (a[i] < -1) perror("below");
    #pragma omp parallel for
    for (int i = 0; i < n; i++) a[i] += halves[i % 2](i);
    #pragma omp parallel for
    for (int i = 0; i < n; i++) { double *own = realloc(NULL, sizeof *own); if (own) { *own = i; a[i] += *own; } free(own); }
    double s = *last;
    for (int i = 0; i < n; i++) s += creall(waves[i]) + a[i] * (i % 3) + ints[i] + text[i];
    printf("%.10g\n", s);
    return 0;
}
