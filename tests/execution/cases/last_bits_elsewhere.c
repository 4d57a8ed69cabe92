/* What a loop stores decides somewhere else in the file, by a route on which it is not compared as it is: its bytes are read,
   it is copied, sorted, seen through another type, at the edge of a function. Kernels are optimised, since only then
   products are contracted. */
/* args: 300 */
/* expect-gpu: 37 */
/* flags: -O1 */
#include <complex.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define N 300

struct point { double x, y; };
union view { struct point p; double a[2]; };
union bits { double value; uint64_t whole; };

static double x[N], y[N], z[N], work[N], zeros[N];
static double compared[N], copied[N], hashed[N], cast[N], named[N], listed[N], sorted[N], called[N], chosen[N], one[N];
static double section[N], flat[2 * N], whole[N], gone[N], squares[N], roots_of[N], divisors[N], powers[N];
static double given[N], led[N], numbered[N], bytewise[N], printed[N], parsed[N], passed_on[N], terms[N], latest;
static int visited[N];
static struct point literals[N];
static union view views[N];
static union bits bits[N];
static double *const by_name = named, *const table[2] = {gone, listed};

static int order(const void *a, const void *b)
{
    const double c = *(const double *)a, d = *(const double *)b;
    return c < d ? -1 : c > d;
}

static int less(double a, double b) { return a < b; }
static int (*const tests[])(double, double) = {less};

static unsigned long hash(const void *memory, size_t bytes)
{
    const unsigned char *b = memory;
    unsigned long h = 14695981039346656037ul;
    while (bytes--)
        h = (h ^ *b++) * 1099511628211ul;
    return h;
}

static int tenth(double *a, int n)
{
    int count = 0;
    #pragma omp parallel for reduction(+ : a[:10], count)
    for (int i = 0; i < n; i++) {
        a[i % 10] += 0;
        count++;
    }
    return count;
}

/* Half of the differences are 0 on the host, as z is what it makes of the product. */
#define STORE(target) \
    _Pragma("omp parallel for") \
    for (int i = 0; i < n; i++) { \
        double s_ = x[i]; \
        for (int k_ = 0; k_ < 60; k_++) \
            s_ = s_ * 0.5 + y[i]; \
        work[i] = s_; \
        target = x[i] * y[i] - z[i]; \
    }
#define COUNT(what, condition) \
    do { \
        int count = 0; \
        for (int i = 0; i < n; i++) \
            count += (condition) != 0; \
        printf("%-12s %d\n", what, count); \
    } while (0)

static void bytes(int n)
{
    STORE(compared[i])
    printf("compared %d\n", memcmp(compared, zeros, n * sizeof *zeros) == 0);
    STORE(copied[i])
    uint64_t number = 0, sum = 0;
    for (int i = 0; i < n; i++) {
        memcpy(&number, &copied[i], sizeof number);
        sum += number;
    }
    printf("copied %lu\n", (unsigned long)sum);
    STORE(hashed[i])
    printf("hashed %lx\n", hash(hashed, n * sizeof *hashed));
    STORE(cast[i])
    COUNT("cast", ((uint64_t *)cast)[i] & 1);
    STORE(bits[i].value)
    COUNT("union", bits[i].whole);
}

static void names(int n)
{
    STORE(named[i])
    COUNT("named", by_name[i] > 0);
    STORE(gone[i])
    COUNT("table", table[0][i] < 0);
    struct point *pairs = (struct point *)flat;
    STORE(pairs[i].y)
    COUNT("flat", flat[2 * i + 1]);
    STORE(views[i].p.y)
    COUNT("view", views[i].a[1] > 0);
    double *heap = malloc(n * sizeof *heap);
    STORE(heap[i])
    heap = realloc(heap, 2 * n * sizeof *heap);
    COUNT("moved", heap[i] > 0);
    free(heap);
}

static void structs(int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double s = x[i];
        for (int k = 0; k < 60; k++)
            s = s * 0.5 + y[i];
        work[i] = s;
        literals[i] = (struct point){1, x[i] * y[i] - z[i]};
    }
    COUNT("literal", literals[i].y);
    STORE(listed[i])
    COUNT("listed", (struct point){.x = listed[i]}.x > 0 || ((double[]){3, listed[i]})[1] < 0);
}

static void functions(int n)
{
    STORE(sorted[i])
    const double zero = 0;
    printf("sought %d\n", bsearch(&zero, sorted, n, sizeof *sorted, order) != NULL);
    STORE(called[i])
    COUNT("called", tests[n < 0](called[i], 0));
    STORE(chosen[i])
    COUNT("chosen", (i % 2 ? one[i] : chosen[i]) > 0);
    STORE(section[i])
    printf("%d\n", tenth(section, n));
    COUNT("section", section[i] > 0);
    STORE(whole[i])
    COUNT("complex", whole[i] + 2 * I != 2 * I);
}

static void edges(int n)
{
    double roots = 0, quotients = 0, logarithms = 0;
    STORE(squares[i])
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        roots_of[i] = sqrt(squares[i]);
    STORE(divisors[i])
    STORE(powers[i])
    for (int i = 0; i < n; i++) {
        roots += roots_of[i];
        quotients += 1 / divisors[i];
        logarithms += log(powers[i]);
    }
    printf("edges %g %g %g\n", roots, quotients, logarithms);
}

static int positive(int n, ...)
{
    va_list rest;
    va_start(rest, n);
    int count = 0;
    for (int i = 0; i < n; i++)
        count += va_arg(rest, double) > 0;
    const double *const first = va_arg(rest, double *);
    va_end(rest);
    return count + (first[n] > 0);
}

static void routes(int n)
{
    STORE(given[i])
    STORE(led[i])
    COUNT("given", positive(1, given[i], led + i - 1));
    STORE(numbered[i])
    const uintptr_t address = (uintptr_t)numbered;
    COUNT("numbered", ((double *)address)[i] > 0);
    STORE(bytewise[i])
    uint64_t number = 0, sum = 0;
    for (int i = 0; i < n; i++) {
        bcopy(&bytewise[i], &number, sizeof number);
        sum += number;
    }
    printf("bytewise %lu\n", (unsigned long)sum);
    char text[40];
    STORE(printed[i])
    COUNT("printed", (snprintf(text, sizeof text, "%.3g", printed[i]), strcmp(text, "0")));
    STORE(parsed[i])
    COUNT("parsed", (sprintf(text, "%.3e", parsed[i]), strtod(text, NULL) > 0));
}

static void sums(int n)
{
    double sum = 0, part = 0;
    latest = 0;
    #pragma omp parallel for reduction(+ : latest)
    for (int i = 0; i < n; i++)
        latest += x[i];
    printf("latest %.10g\n", latest);
    STORE(passed_on[i])
    #pragma omp parallel for lastprivate(latest)
    for (int i = 0; i < n - 30; i++)
        latest = passed_on[i];
    printf("latest %d\n", latest > 0);
    #pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++) {
        double s = x[i];
        for (int k = 0; k < 60; k++)
            s = s * 0.5 + y[i];
        work[i] = s;
        double r = x[i] * y[i] - z[i];
        sum += r * r;
    }
    printf("sum %d\n", sum == 0);
    STORE(terms[i])
    #pragma omp parallel for reduction(- : part)
    for (int i = 0; i < n; i++)
        part -= fabs(terms[i]);
    printf("sum %d\n", part < 0.0 || !part);
}

/* How many iterations there are is computed as on the host, too. */
static void bounds(int n)
{
    for (int k = 0; k < 20; k++) {
        const double a = x[k], b = y[k], c = a * b;
        STORE(work[i])
        #pragma omp parallel for
        for (int i = 0; i < n / 2 + (int)(1e17 * (a * b - c)); i++)
            visited[i]++;
        #pragma omp parallel for collapse(2)
        for (int i = (a * b - c > 0); i < n - (a * b - c < 0); i += 5)
            for (int j = 0; j < 3 + (a * b - c > 0); j++)
                visited[i + j] += 3;
    }
    COUNT("bounds", visited[i] % 7 == 1);
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : N;
    for (int i = 0; i < n; i++) {
        x[i] = 5.0 + i % 17 * 0.1;
        y[i] = 8.6 + i % 23 * 0.01;
        z[i] = x[i] * y[i];
    }
    bytes(n);
    names(n);
    structs(n);
    functions(n);
    edges(n);
    routes(n);
    sums(n);
    bounds(n);
    return 0;
}
