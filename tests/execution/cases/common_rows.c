/* Rows that all read one element of each column, of an array that they change; a row that changes the element itself. */
/* args: 37 */
/* args: 1 */
/* args: 110 */
/* expect-gpu: 8 */
#include <stdio.h>
#include <stdlib.h>

static void show(const char *what, const int *v, int count)
{
    long long sum = 0;
    for (int i = 0; i < count; i++)
        sum += (i % 97 + 1LL) * v[i];
    printf("%s %lld\n", what, sum);
}

/* Each row reads a[k][j]. */
static void eliminate(int n, int (*a)[n], int k)
{
#pragma omp parallel for
    for (int i = k + 1; i < n; i++)
        for (int j = k + 1; j < n; j++)
            a[i][j] = (a[i][j] + a[i][k] * a[k][j]) % 1009;
}

/* Each row from j on reads a[j][k], which lies in another row for each column. */
static void eliminate_half(int n, int *a)
{
    for (int k = 0; k < n; k++) {
#pragma omp parallel for
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j <= i; j++)
                a[i * n + j] = (a[i * n + j] + a[i * n + k] * a[j * n + k]) % 1009;
    }
}

/* Of some columns nothing is read; of others first here, then there. */
static void sometimes(int n, int (*a)[n], int (*b)[n], int k)
{
#pragma omp parallel for
    for (int i = k + 1; i < n; i++)
        for (int j = k + 1; j < n; j++) {
            int kept = j % 3 == 0 && a[k][j] % 2 ? a[k][j] + 1 : b[i][j];
            if (i % 5 != 1)
                a[i][j] = kept % 500 + (j % 7 ? a[k][j] % 11 : 3);
        }
}

/* One row, which changes a[k][j] before it reads it. */
static void own_row(int n, int (*a)[n], int (*b)[n], int k)
{
#pragma omp parallel for
    for (int i = k; i <= k; i++)
        for (int j = 0; j < n; j++) {
            a[i][j] += 1;
            b[i][j] = a[k][j] * 2;
        }
}

/* One row, which reads it before that. */
static void own_row_before(int n, int (*a)[n], int (*b)[n], int k)
{
#pragma omp parallel for
    for (int i = k; i <= k; i++)
        for (int j = 0; j < n; j++) {
            b[i][j] += a[k][j] % 3;
            a[i][j] = a[k][j] % 800 + b[i][j] % 5;
        }
}

/* The row of the element moves with the rows, by another name. */
static void behind(int n, int (*a)[n], int (*b)[n])
{
#pragma omp parallel for
    for (int i = 1; i < n; i++)
        for (int j = 0; j < n; j++) {
            int row = i - 1;
            b[i][j] += a[row][j] % 50;
        }
}

/* In a loop of its own: the element of another row for each turn. */
static void in_turns(int n, int (*a)[n], int k)
{
#pragma omp parallel for
    for (int i = 4; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int l = 0; l < 3; l++)
                a[i][j] = (a[i][j] + a[l][j] * l + a[k % 4][j]) % 1009;
}

/* Nothing else in the body names the counter of the element, since nothing is kept. */
static void for_nothing(const int *b)
{
#pragma omp parallel for
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 8; j++) {
            float v = b[16 * j + 2] + b[64 - 16 * i];
            v = -1;
        }
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 37, count = n * n;
    int *a = malloc(count * sizeof *a), *b = calloc(count + 128, sizeof *b);
    for (int q = 0; q < count; q++)
        a[q] = q * 37 % 101, b[q] = q * 7 % 31;
    for (int k = 0; k < n; k += 1 + n / 4) {
        eliminate(n, (int (*)[n])a, k);
        show("eliminate", a, count);
        eliminate_half(n, a);
        show("half", a, count);
        sometimes(n, (int (*)[n])a, (int (*)[n])b, k);
        show("sometimes", a, count);
        own_row(n, (int (*)[n])a, (int (*)[n])b, k);
        show("own", b, count);
        own_row_before(n, (int (*)[n])a, (int (*)[n])b, k);
        show("before", a, count);
        behind(n, (int (*)[n])a, (int (*)[n])b);
        show("behind", b, count);
        in_turns(n, (int (*)[n])a, k);
        show("turns", a, count);
        for_nothing(b);
    }
    free(a);
    free(b);
    return 0;
}
