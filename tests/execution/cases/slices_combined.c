/* Launches in slices whose iterations are combined to numbers, which the slices hand on (see slices.c). */
/* args: 70 41 */
/* args: 900 3 */
/* args: 4 130 */
/* args: 1 1 */
/* args: 0 5 */
/* expect-gpu: 3 */
/* expect-added: 1 */
#include <stdio.h>
#include <stdlib.h>

static double *numbers(long n, int step)
{
    double *made = malloc(sizeof *made * (size_t)(n + 8));
    for (long i = 0; i < n + 8; i++)
        made[i] = (double)((i * step) % 23) - 7;
    return made;
}

/* The host writes all of it, which then comes to the device anew. */
static void change(double *a, long n)
{
    for (long i = 0; i < n; i++)
        a[i] += 1;
}

/* Numbers that are combined: each slice goes on with what those before have come to. */
static void combined(int n, int m, int steps, const double *a, double *b)
{
    double total = 3, most = -1e9;
    long count = 5;
    int all = 1, some = 0;
    unsigned mixed = 77;
#pragma omp parallel for reduction(+ : total, count) reduction(max : most) reduction(&& : all) reduction(|| : some) reduction(^ : mixed)
    for (int i = 0; i < n * m; i++) {
        double v = a[i];
        for (int s = 0; s < steps; s++)
            v = v * 0.5 + b[i];
        b[i] = v;
        total += v;
        most = v > most ? v : most;
        count += v > 3;
        all = all && a[i] < 15;
        some = some || a[i] > 14.5;
        mixed ^= (unsigned)i * 2654435761u;
    }
    printf("combined %.10g %.10g %ld %d %d %u\n", total, most, count, all, some, mixed);
}

/* Rows of a nest; products, which wrap. */
static void norms(int n, int m, int steps, const double *a, const double *b)
{
    double least = 1e9, sum = 0;
    unsigned long product = 1;
#pragma omp parallel for reduction(min : least) reduction(- : sum) reduction(* : product)
    for (int i = 1; i < n; i++)
        for (int j = 0; j < m; j++) {
            double v = 0;
            for (int s = 0; s < steps; s++)
                v = v * 0.5 + a[i * m + j] - a[(i - 1) * m + j];
            least = v < least ? v : least;
            sum -= v * b[i * m + j];
            product *= (unsigned long)(2 * i + 1) + 2 * (unsigned long)j;
        }
    printf("norms %.10g %.10g %lu\n", least, sum, product);
}

/* Few points with long sums, whose results are summed. */
static void energies(int n, int m, const double *a, const double *b)
{
    double sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 5; j++) {
            double s = 0;
            for (int k = 0; k < m; k++)
                s += a[i * m + k] * b[j * m + k];
            sum += s * s;
        }
    printf("energies %.10g\n", sum);
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 9, m = argc > 2 ? atoi(argv[2]) : 5;
    const long all = (long)n * m, rows = (n > 5 ? n : 5) * (long)m;
    double *a = numbers(all, 3), *b = numbers(all, 7), *c = numbers(rows, 11);
    for (int turn = 0; turn < 2; turn++) {
        change(a, all), change(b, all), change(c, rows);
        combined(n, m, 3 + turn, a, b);
        norms(n, m, 3 + turn, a, b); /* they have come */
        change(a, all), change(b, all);
        norms(n, m, 3 + turn, a, b);
        change(b, all), change(c, rows);
        energies(n, m, b, c);
    }
    free(a);
    free(b);
    free(c);
    return 0;
}
