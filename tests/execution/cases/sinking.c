/* Statements between two loops, which move into the inner one: declarations, indices, row pointers, coefficients,
   guards, several of them, private variables of clauses, bounds that are named. */
/* args: 9 7 */
/* args: 0 7 */
/* args: 5 0 */
/* args: 1 1 */
/* expect-gpu: 20 */
#include <stdio.h>
#include <stdlib.h>
#include <math.h>

struct cell { double mass; int kind; };
static double grid[16][16], cube[8][16][16];
static struct cell cells[16 * 16];

static double sum(const double *a, int n)
{
    double found = 0;
    for (int i = 0; i < n; i++) found += a[i] * (i % 31 + 1);
    return found;
}

static void rows(double *a, const double *b, const double *r, const int *on, int n, int m)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int j;
        for (j = 0; j < m; j++) a[i * m + j] = i + j * 0.5;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int base = i * m;
        for (int j = 0; j < m; j++) a[base + j] += base;
    }
    int i, j, base, from, end;
    double *line;
    #pragma omp parallel for private(j, base, from, end, line)
    for (i = 0; i < n; i++) {  // variables of clauses, which are assigned: their values are used in the head and for `line`
        base = i * m;
        from = 1;
        end = m - 1;
        line = a + i * m;
        for (j = from; j < end; j++) {
            a[base + j] += from;
            line[j] *= 2;
        }
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        const int from = 2;  // nobody else names it
        for (int j = from; j < m; j++) a[i * m + j] -= 0.25;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double *row = a + i * m;
        const double *other = &b[i * m];
        for (int j = 0; j < m; j++) row[j] += other[j] + *other;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double f = r[i];
        for (int j = m - 1; j >= 0; j--) a[i * m + j] *= f;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        if (!on[i]) continue;
        for (int j = 0; j < m; j++) a[i * m + j] += 100;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        if (on[i] > 1) {
            double f = r[i] * 2;
            for (int j = 0; j < m; j++) a[i * m + j] -= f;
        }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double f;
        if (on[i]) f = r[i]; else f = -1;
        for (unsigned j = 0; j < (unsigned)m; j++) a[i * m + j] += f * j;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int end = m - 1, from = end / 2;
        for (int j = from; j <= end; j++) a[i * m + j] /= 2;
    }
}

static void clauses(double *a, const double *r, int n, int m)
{
    int i, j, base, last;
    double f, total = 0;
    #pragma omp parallel for private(j, base, f)
    for (i = 0; i < n; i++) {
        base = i * m;
        f = r[i];
        f += 1;
        for (j = 0; j < m; j++) a[base + j] += f;
    }
    #pragma omp parallel for private(j, last) reduction(+:total)
    for (i = 0; i < n; i++) {
        last = i * m;
        for (j = 0; j < m; j++) total += a[last + j];
    }
    printf("%g\n", total);
    #pragma omp parallel
    {
        #pragma omp for private(j, base)
        for (i = 0; i < n; i++) {
            base = i * m;
            for (j = 0; j < m; j++) a[base + j] -= 3;
        }
    }
}

static void nests(int n, int m)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double (*plane)[16] = cube[i % 8];
        int k = i % 8;
        (void)k;
        if (i >= 8) continue;
        for (int j = 0; j < m; j++) {
            double *row = plane[j], f = i * 0.25;
            for (int l = 0; l < 16; l++) row[l] += f + j - l;
        }
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        struct cell *c = cells + i * 16;
        double w = fabs(i - 3.5);
        for (int j = 0; j < m; j++) {
            double t = w * j;
            c[j].mass += t;
            (c + j)->kind = j;
        }
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double *row = grid[i];
        int t = i;
        for (int j = 0; j < m; j++) {
            double t = 2 * j;
            row[j] = t;
        }
        (void)t;
    }
}

/* Names that hide each other. */
static void names(double *a, int n, int m)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int j = 5;
        double f = j;
        for (int j = 0; j < m; j++) a[i * m + j] += f - j;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double f = i;
        for (int j = 0; j < m; j++) {
            double g = f;
            { double f = g * 2; a[i * m + j] += f; }
        }
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double *row = a + i * m;
        for (int j = 0; j < m; j++) { const double i = j; row[j] += i; }
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        long n = i;
        for (int j = 0; j < m; j++) a[i * m + j] += n;
    }
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]), m = atoi(argv[2]);
    double *a = calloc(256, sizeof *a), *b = calloc(256, sizeof *b);
    static double r[16];
    static int on[16];
    (void)argc;
    for (int i = 0; i < 256; i++) b[i] = i % 11;
    for (int i = 0; i < 16; i++) r[i] = 1 + i * 0.5, on[i] = i % 3;
    rows(a, b, r, on, n, m);
    printf("%g\n", sum(a, 256));
    clauses(a, r, n, m);
    printf("%g\n", sum(a, 256));
    nests(n, m);
    double found = sum(&cube[0][0][0], 8 * 256) + sum(&grid[0][0], 256);
    for (int i = 0; i < 256; i++) found += cells[i].mass * i + cells[i].kind;
    printf("%g\n", found);
    names(a, n, m);
    printf("%g\n", sum(a, 256));
    free(a), free(b);
    return 0;
}
