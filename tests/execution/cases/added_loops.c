/* Loops without a pragma between launches, which are launched, too: boundaries, copies, an optimiser's step, loops in functions. */
/* args: 40 3 */
/* args: 3 2 */
/* args: 40 0 */
/* expect-gpu: 5 */
/* expect-added: 8 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define N 64

static double u[N][N], v[N][N], edge[N];
static unsigned char marks[N];
static long steps;
typedef struct { float weight, gradient, mean, spread; } Parameter;

static double clamped(double x) { return x < -1 ? -1 : x > 1 ? 1 : x; }

static void boundary(int n)
{
    int i, j;
    for (j = 0; j < n; j++) {
        v[0][j] = v[1][j];
        v[n - 1][j] = clamped(v[n - 2][j]);
    }
    for (i = n - 1; i >= 0; i -= 1)
        v[i][0] = v[i][n - 1] = edge[i];
}

static void step(int n)
{
    int i, j;
    double old;
    #pragma omp parallel for private(j)
    for (i = 1; i < n - 1; i++)
        for (j = 1; j < n - 1; j++)
            v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
    boundary(n);
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) {
            old = u[i][j];
            u[i][j] = 0.5 * (old + v[i][j]);
        }
    steps++;
}

/* Pointers, a variable that keeps its last value, unsigned and narrow counters. */
static float update(Parameter *p, size_t count, float rate)
{
    float last = 0;
    for (size_t k = 0; k < count; k++) {
        p[k].mean = 0.9f * p[k].mean + 0.1f * p[k].gradient;
        p[k].spread = 0.99f * p[k].spread + 0.01f * p[k].gradient * p[k].gradient;
        last = p[k].weight - rate * p[k].mean / (sqrtf(p[k].spread) + 1e-8f);
        p[k].weight = last;
    }
    return last;
}

static void forward(Parameter *p, const double *x, int count)
{
    #pragma omp parallel for
    for (int k = 0; k < count; k++)
        p[k].gradient = (float)(p[k].weight * x[k % N] - 1);
}

static void swap(double *a, double *b, int n)
{
    for (int i = 0; i < n; i++) {
        double t = a[i];
        a[i] = b[i];
        b[i] = t;
    }
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]), turns = atoi(argv[2]), row = 2;
    size_t count = 100 * (size_t)n;
    Parameter *p = calloc(count, sizeof *p);
    double *a = calloc(N, sizeof *a), *b = malloc(n * sizeof *b), last = 0;
    for (int i = 0; i < n; i++) { /* before the first launch */
        edge[i] = a[i] = i;
        b[i] = 1;
        for (int j = 0; j < n; j++)
            u[i][j] = i * j % 7;
    }
    for (int t = 0; t < turns; t++) {
        step(n);
        forward(p, a, (int)count);
        last += update(p, count, 0.01f);
        #pragma omp parallel for
        for (int i = 0; i < n; i++)
            a[i] += b[i] * 0.5;
        swap(a, b, n);
        for (unsigned char c = 0; c < 20; c++) marks[c] = marks[c] + c;
        if (t % 2)
            for (int j = 1; j < n - 1; j++)
                u[row][j] = v[row + (n > 3)][j] * 2;
        else
            for (int i = 0; i < n; i++)
                u[i][0] = a[i];
        #pragma omp parallel for
        for (int i = 0; i < n; i++)
            marks[i] += i;
        do
            #pragma omp parallel for
            for (int i = 0; i < n; i++)
                b[i] += marks[i];
        while (0);
        for (int i = 0; i < n; i++) { a[i] += b[i]; b[n - 1 - i] += 0.25; }
    }
    double s = 0, r = 0;
    for (int i = 0; i < n; i++) { /* behind the last one */
        s += a[i] + 3 * b[i] + marks[i];
        for (int j = 0; j < n; j++)
            s += u[i][j] + (i + j) * v[i][j];
    }
    for (size_t k = 0; k < count; k++)
        r += p[k].weight;
    printf("%.10g %.5g %.5g %ld\n", s, r, last, steps);
    free(p);
    free(a);
    free(b);
    return 0;
}
