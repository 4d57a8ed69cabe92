/* gpus: several */
/* args: 40 12 4 */
/* args: 3 5 3 */
/* args: 2 1 2 */
/* args: 130 67 3 */
/* expect-gpu: 12 */
/* expect-added: 3 */
/* Loops that several devices do in parts, and what is between them: test_execution_devices.py runs it on some. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double weights[9] = {0.1, 0.05, 0.1, 0.15, 0.2, 0.15, 0.1, 0.05, 0.1};

static double sweep(int n, int m, const double *restrict u, double *restrict v)
{
    double change = 0;
#pragma omp parallel for reduction(+ : change)
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++) {
            double s = 0;
            for (int a = -1; a <= 1; a++)
                for (int b = -1; b <= 1; b++)
                    s += weights[3 * (a + 1) + b + 1] * u[(i + a) * m + j + b];
            v[i * m + j] = s;
            change += fabs(s - u[i * m + j]);
        }
    return change;
}

static void transpose(int n, int m, const double *restrict u, double *restrict t)
{
#pragma omp parallel for
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            t[i * n + j] = u[j * m + i];
}

static void planes(int n, const double *restrict u, double *restrict v)
{
#pragma omp parallel for collapse(2)
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            for (int k = 1; k < n - 1; k++)
                v[(i * n + j) * n + k] = (u[((i - 1) * n + j) * n + k] + u[((i + 1) * n + j) * n + k] + u[(i * n + j - 1) * n + k] +
                                          u[(i * n + j + 1) * n + k] + u[(i * n + j) * n + k - 1] + u[(i * n + j) * n + k + 1]) / 6;
}

int main(int argc, char **argv)
{
    const int n = atoi(argv[1]), m = atoi(argv[2]), turns = atoi(argv[3]), cube = n < 40 ? n : 20, all = n * m;
    double *u = malloc(all * sizeof *u), *v = malloc(all * sizeof *v), *t = malloc(all * sizeof *t);
    double *p = malloc(cube * cube * cube * sizeof *p), *q = malloc(cube * cube * cube * sizeof *q);
    unsigned char *text = malloc(all + 3), *other = malloc(all + 3);
    int least = 1 << 30, counts[8] = {0}, small[5] = {1, 2, 3, 4, 5};
    long sum = 0;
    double change = 0;
    for (int i = 0; i < all; i++)
        u[i] = v[i] = (i * 7919 % 1013) / 1013.0, t[i] = 0;
    for (int i = 0; i < all + 3; i++)
        text[i] = i * 37 % 251, other[i] = 1;
    for (int i = 0; i < cube * cube * cube; i++)
        p[i] = q[i] = i * 31 % 257 / 257.0;
    for (int turn = 0; turn < turns; turn++) {
        change = sweep(n, m, u, v);
        if (turn % 2 == 0)
            v[all / 2] += 0.5; /* host code between launches */
        transpose(n, m, v, t);
        planes(cube, p, q);
        planes(cube, q, p);
        weights[turn % 9] += 0.001;
#pragma omp parallel for
        for (int i = 0; i < all; i++)
            u[i] = v[i] + 0.25 * t[i];
#pragma omp parallel for
        for (int i = all - 1; i >= 0; i--)
            t[i] = u[i] - t[i];
#pragma omp parallel for
        for (int i = n / 2; i < n; i++) /* half of the rows */
            for (int j = 0; j < m; j++)
                v[i * m + j] += t[i * m + j] * small[(i + j) % 5];
#pragma omp parallel for
        for (int i = 1; i < all; i += 2)
            v[i] *= 1.25;
#pragma omp parallel for
        for (int i = 0; i < all; i++)
            other[i + 3] = text[i + 1] / 2;
#pragma omp parallel for reduction(min : least) reduction(+ : sum)
        for (int i = 0; i < all; i++) {
            const int found = (other[i + 3] * 13 + i) % 1009;
            least = found < least ? found : least;
            sum += found;
        }
#pragma omp parallel for
        for (int i = 0; i < all; i++) {
#pragma omp atomic
            counts[other[i + 3] % 8]++;
        }
#pragma omp parallel for
        for (int i = 0; i < 5; i++)
            small[i] = small[i] % 7 + i;
        text[turn] = (unsigned char)(sum % 200);
#pragma omp parallel for
        for (int i = 0; i < n; i++) /* rows of another array than the iterations' own */
            for (int j = 0; j < m; j++)
                u[i * m + j] += v[(n - 1 - i) * m + j];
    }
    double total = 0;
    for (int i = 0; i < all; i++)
        total += u[i] * (i % 11) + v[i] + t[i] * (i % 3);
    for (int i = 0; i < cube * cube * cube; i++)
        total += p[i] * (i % 5);
    printf("%.10g %.10g %d %ld %d %d %d\n", total, change, least, sum, counts[0], counts[5], small[3]);
    return 0;
}
