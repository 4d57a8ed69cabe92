/* Pointers that a path leaves without a value: no iteration reads through them then, and launchers get a null pointer. */
/* args: 0 300 */
/* args: 1 300 */
/* args: 0 1 */
/* args: 1 0 */
/* expect-gpu: 4 */
/* expect-added: 2 */
#include <stdio.h>
#include <stdlib.h>

static unsigned hash;
static void note(double x) { hash = hash * 31 + (unsigned)(long)(x * 8); }

/* A matrix of which a process may have no columns of others. */
static void product(int n, const int *first, const double *x, double *y, int others)
{
    int i, j, *columns, count = 0;
    double *ext, scale = 0.5;
    if (others) {
        columns = malloc((n + 1) * sizeof *columns);
        ext = malloc((n + 1) * sizeof *ext);
        for (i = 0; i < n; i++) {
            columns[i] = (i * 7 + 3) % n;
            ext[i] = i % 5 - 2;
        }
    }
#pragma omp parallel for private(i, j)
    for (i = 0; i < n; i++) {
        double sum = scale * x[i];
        for (j = first[i]; j < first[i + 1]; j++)
            sum += ext[columns[j]];
        y[i] = sum;
    }
    for (i = 0; i < n; i++)
        count += y[i] > 0;
    note(count);
    if (others) {
        free(columns);
        free(ext);
    }
}

/* The loop asks whether there is an array. */
static void asked(int n, double *y, int weighted)
{
    double *weights;
    if (weighted) {
        weights = malloc((n + 1) * sizeof *weights);
        for (int i = 0; i < n; i++)
            weights[i] = 1 + i % 3;
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        y[i] *= weighted ? weights[i] : 2;
    if (weighted)
        free(weights);
}

/* In a loop around it the pointer keeps what the first turn gave it, in its own block. */
static void kept(int n, double *y, int turns)
{
    double *before;
    for (int turn = 0; turn < turns; turn++) {
        if (turn == 0) {
            before = malloc((n + 1) * sizeof *before);
            for (int i = 0; i < n; i++)
                before[i] = i % 4;
        }
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            y[i] += before[i];
    }
    if (turns > 0)
        free(before);
}

/* A jump back: the stack may still have the value, and the declaration stays as it is. */
static void jumps(int n, double *y)
{
    int turn = 0;
again:;
    double *again_read;
    if (turn == 0) {
        again_read = y;
    } else {
        again_read = y + n / 2;
    }
#pragma omp parallel for
    for (int i = 0; i < n / 2; i++)
        again_read[i] += i % 3;
    if (++turn < 2)
        goto again;
}

int main(int argc, char **argv)
{
    const int others = argc > 1 ? atoi(argv[1]) : 0, n = argc > 2 ? atoi(argv[2]) : 300;
    int *first = malloc((n + 1) * sizeof *first);
    double *x = malloc((n + 1) * sizeof *x), *y = malloc((n + 1) * sizeof *y);
    for (int i = 0; i <= n; i++) {
        first[i] = others ? i : 0;
        x[i] = i % 9 - 4;
    }
    product(n, first, x, y, others);
    asked(n, y, others);
    kept(n, y, 3);
    jumps(n, y);
    for (int i = 0; i < n; i++)
        note(y[i]);
    printf("%u\n", hash);
    free(first);
    free(x);
    free(y);
    return 0;
}
