/* Variables that have the names of functions, and lead to others. */
/* args: 20 */
/* args: 1 */
/* expect-gpu: 2 */
/* expect-host: OMPC322 OMPC322 OMPC322 */
#include <stdio.h>
#include <stdlib.h>

static double table[64][5];

static void scale(double *row, int n) { for (int m = 0; m < n; m++) row[m] *= 2; }
static void raise(double *row, int n) { for (int m = 0; m < n; m++) row[m] += 100; }
static void all(int n, double x[][n]) { for (int m = 0; m < n; m++) x[0][m] *= 2; }
static void others(int n, double x[][n]) { for (int m = 0; m < n; m++) x[0][m] += 50; }
static int least(int a, int b) { return a < b ? a : b; }
static int most(int a, int b) { return a > b ? a : b; }

static void by_names(int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        scale(table[i], 5);
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < least(3, 5); j++)
            table[i][j] += j;
        all(5, table + i);
    }
}

static void by_pointers(int n)
{
    void (*scale)(double *, int) = raise;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        scale(table[i], 5);
    void (*all)(int n, double x[][n]) = others;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        all(5, table + i);
    int (*least)(int, int) = most;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < least(3, 5); j++)
            table[i][j] += j;
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 20;
    for (int i = 0; i < 64; i++)
        for (int j = 0; j < 5; j++)
            table[i][j] = i + j;
    by_names(n);
    by_pointers(n);
    double sum = 0;
    for (int i = 0; i < 64; i++)
        for (int j = 0; j < 5; j++)
            sum += table[i][j] * (i % 7 + j);
    printf("%.17g\n", sum);
    return 0;
}
