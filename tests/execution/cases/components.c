/* Sums of vectors in short loops over their components: in memory, in arrays of an iteration, in every kind of loop. */
/* args: 70 */
/* args: 1 */
/* args: 0 */
/* expect-gpu: 7 */
/* expect-added: 1 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void forces(int n, const double *x, double *f, double *energy)
{
    double sum = 0;
    #pragma omp parallel for reduction(+ : sum)
    for (int k = 0; k < n; k++) {
        for (int d = 0; d < 3; d++)
            f[3 * k + d] = 0;
        for (int j = 0; j < n; j++) {
            double r[3], square = 0.5;
            if (k == j)
                continue;
            for (int d = 0; d < 3; d++) {
                r[d] = x[3 * k + d] - x[3 * j + d];
                square += r[d] * r[d];
            }
            for (int d = 0; d < 3; d++)
                f[3 * k + d] -= r[d] / square;
            sum += 1 / square;
        }
    }
    *energy = sum;
}

static void own(int n, const double (*x)[2], double (*f)[2])
{
    #pragma omp parallel for
    for (int k = 0; k < n; k++) {
        double a[2] = {1}, scale = 1;
        for (int j = 0; j < n; j++) {
            for (int d = 1; d >= 0; d--)
                a[d] += (x[j][d] - x[k][1 - d]) * scale;
            scale = -scale;
        }
        for (int d = 0; d < 2; d++)
            f[k][d] = a[d];
    }
}

/* Products of small matrices; integers, whose order does not matter. */
static void matrices(int n, const long (*m)[3][3], long (*total)[3])
{
    #pragma omp parallel for
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++)
            for (int a = 0; a < 3; a++)
                for (int b = 0; b < 3; b++)
                    total[k][a] += m[j][a][b] * (k + b);
}

/* The counter is the function's, and has a value behind the loop. */
static void outer(int n, const long *x, long *f)
{
    int d;
    #pragma omp parallel for private(d)
    for (int k = 0; k < n; k++) {
        long sum = 0;
        for (int j = 0; j < n; j++) {
            for (d = 0; d < 4; d += 2)
                f[4 * k + d] += x[j] + d;
            sum += d;
        }
        f[4 * k + 1] = sum;
    }
}

/* A jump, and an element that is read meanwhile. */
static void in_the_way(int n, const long *x, long *f)
{
    #pragma omp parallel for
    for (int k = 0; k < n; k++) {
        for (int j = 0; j < n; j++)
            for (int d = 0; d < 3; d++) {
                if (x[j] % 5 == d)
                    break;
                f[4 * k + d] += x[j] * d;
            }
        for (int j = 0; j < n; j++)
            for (int d = 0; d < 3; d++)
                f[4 * k + d] += f[4 * k + (d + 1) % 3] % 7 + x[j];
    }
}

/* As its neighbour's elements are, in an array that is longer. */
static void components(int n, const long *x, long *f)
{
    #pragma omp parallel for
    for (int k = 0; k < n; k++) {
        long a[4] = {3, 2}, b[4];
        for (int d = 0; d < 4; d++)
            b[d] = k;
        for (int j = 0; j < n; j++) {
            long largest = 0;
            for (int d = 0; d < 4; d++) {
                long here = x[j] * (d + 1) % 11;
                a[d] += here, largest = here > largest ? here : largest;
                b[d] = b[d] * 3 % 101 + here;
            }
            a[largest % 4] += 0;
            b[0] ^= largest;
        }
        for (int d = 0; d < 4; d++)
            f[4 * k + d] += a[d] + b[d];
    }
}

/* All calls by name give the same number of dimensions; another one is seen at run time. */
static void spread(int n, int dims, const long *x, long *f)
{
    int d;
    #pragma omp parallel for private(d)
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++) {
            long r[4], square = 1;
            for (d = 0; d < dims; d++)
                r[d] = x[j] * (d + 1) - k, square += r[d] * r[d] % 5;
            for (d = 0; d < dims; d++)
                f[dims * k + d] += r[d] * square;
        }
}

int main(int argc, char **argv)
{
    void (*const other)(int, int, const long *, long *) = argc > 5 ? NULL : spread;
    const int n = argc > 1 ? atoi(argv[1]) : 50;
    double *x = calloc(3 * n + 1, sizeof *x), *f = calloc(3 * n + 1, sizeof *f), energy = 0, sum = 0;
    double (*p)[2] = calloc(n + 1, sizeof *p), (*q)[2] = calloc(n + 1, sizeof *q);
    long (*m)[3][3] = calloc(n + 1, sizeof *m), (*t)[3] = calloc(n + 1, sizeof *t), all = 0;
    long *y = calloc(n + 1, sizeof *y), *z = calloc(4 * n + 1, sizeof *z);
    for (int k = 0; k < n; k++) {
        for (int d = 0; d < 3; d++)
            x[3 * k + d] = k * (d + 1) % 7 + d;
        p[k][0] = k % 4, p[k][1] = k % 3, y[k] = k * 5 % 13;
        for (int d = 0; d < 9; d++)
            m[k][d / 3][d % 3] = (k + d) % 5;
    }
    forces(n, x, f, &energy);
    own(n, p, q);
    matrices(n, m, t);
    outer(n, y, z);
    in_the_way(n, y, z);
    components(n, y, z);
    int dims;
    dims = 3;
    spread(n, dims, y, z);
    other(n, 2, y, z);
    for (int k = 0; k < n; k++) {
        sum += f[3 * k] + 2 * f[3 * k + 1] + 3 * f[3 * k + 2] + q[k][0] * 5 + q[k][1];
        all += (t[k][0] + t[k][1] * 2 + t[k][2] * 3 + z[4 * k] * 5 + z[4 * k + 1] + z[4 * k + 2] * 7 + z[4 * k + 3]) % 10007;
    }
    printf("%.8f %.8f %ld\n", sum, energy, all);
    free(x), free(f), free(p), free(q), free(m), free(t), free(y), free(z);
    return 0;
}
