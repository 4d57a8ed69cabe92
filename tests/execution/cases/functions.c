/* Functions: nested, static, inline, pointer arguments, structs by value, file-scope scalars and arrays, writing globals. */
/* args: 100 */
/* args: 1 */
/* expect-gpu: 8 */
#include <stdio.h>
#include <stdlib.h>
#include <math.h>

typedef struct { double x, y, z; } Vec;
typedef struct { Vec at; int cells[4]; } Body;

static double gain = 0.5;
int bias = 3;
static double weights[5] = {0.1, 0.2, 0.4, 0.2, 0.1};
static double log_of[200];
static int counts[200];
static Body bodies[200];

static inline double square(double v) { return v * v; }
double norm(Vec v) { return sqrt(square(v.x) + square(v.y) + square(v.z)); }
static Vec scaled(Vec v, double by)
{
    v.x *= by; v.y *= by; v.z *= by;
    return v;
}
static void note(int i, double v) { log_of[i] = v; counts[i] += bias; }
static double smooth(const double *p, int n, int i)
{
    double s = 0;
    for (int k = -2; k <= 2; k++)
        if (i + k >= 0 && i + k < n)
            s += weights[k + 2] * p[i + k];
    return s * gain;
}
static int gcd(int a, int b)
{
    while (b) { int t = a % b; a = b; b = t; }
    return a;
}
static void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
static void sort4(int *v)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3 - i; j++)
            if (v[j] > v[j + 1])
                swap(&v[j], &v[j + 1]);
}
static void divide(int a, int b, int *quotient, int *rest) { *quotient = a / b; *rest = a % b; }
static double *row(double (*m)[8], int i) { return m[i]; }
static void early(int *out, int i)
{
    if (i % 3 == 0) { out[i] = -1; return; }
    if (i % 3 == 1) return;
    out[i] = i;
}
double later(double);

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    static double in[200], out[200], m[25][8];
    for (int i = 0; i < n; i++)
        in[i] = i * 0.7;
    bias += n > 50;

    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        Vec v = {in[i], 1.0, i % 3};
        v = scaled(v, 2.0);
        bodies[i].at = scaled(v, gain);
        out[i] = norm(v) + norm(bodies[i].at);
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        note(i, smooth(in, n, i));
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int q, r, values[4] = {i * 7 % 13, i * 5 % 11, i % 3, 4};
        divide(i + 100, i % 9 + 1, &q, &r);
        sort4(values);
        sort4(bodies[i].cells);
        for (int k = 0; k < 4; k++)
            bodies[i].cells[k] += values[k] * (k + 1);
        counts[i] += gcd(q + 12, r + 18);
    }
    #pragma omp parallel for
    for (int i = 0; i < 25; i++) {
        double *p = row(m, i);
        for (int k = 0; k < 8; k++)
            p[k] = row(m, i)[(k + 7) % 8] + i * k;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        early(counts, i);
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        out[i] += later(in[i]);
    double total = 0;
    #pragma omp parallel for reduction(+:total)
    for (int i = 0; i < n; i++)
        total += norm(bodies[i].at) + bodies[i].cells[3] + square(i);
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        Body *b = &bodies[i];
        b->at.x += b->cells[i & 3];
        (*b).at.y -= 1;
        sort4(b->cells);
    }
    for (int i = 0; i < n; i++)
        printf("%d %.10g %.10g %.10g %.10g %d\n", counts[i], log_of[i], out[i], bodies[i].at.x, bodies[i].at.y, bodies[i].cells[0]);
    printf("%.12g %.10g\n", total, m[24][7]);
    return 0;
}

double later(double v) { return v > 1 ? exp(-v) : v; }
