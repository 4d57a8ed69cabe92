/* Values that threads make of their numbers by assignments in front of a loop, of which one alone may reach it. */
/* args: 200 4 */
/* args: 37 3 */
/* args: 5 1 */
/* expect-gpu: 13 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
enum { MOST = 200, ROWS = 17 };
static double x[MOST], sums[ROWS * MOST];
static int key[MOST], n;

static void show(const char *what)
{
    double all = 0;
    for (int k = 0; k < ROWS * MOST; k++) {
        all = all * .99 + sums[k];
        sums[k] = 0;
    }
    printf("%s %.12g\n", what, all);
}

/* A row of each thread, as products with transposed matrices have it; another one behind it; the other way round. */
static void rows(int size)
{
    int me, threads, offset, i, rows, back;
    double *row;
#pragma omp parallel private(me, threads, offset, i, rows, row, back)
    {
        me = omp_get_thread_num();
        threads = omp_get_num_threads();
        offset = size * me;
#pragma omp for
        for (i = 0; i < n; i++)
            sums[offset + key[i]] += x[i];
        offset = size * (threads - me);
        row = sums + offset;
#pragma omp for
        for (i = 0; i < n; i++)
            row[key[i]] += 2 * x[i];
        rows = 8;
        {
            back = threads - 1 - me;
            offset = size * (back + rows);
        }
#pragma omp for
        for (i = 0; i < n; i++)
            sums[offset + key[i]] += 3 * x[i];
        offset = 0;
    }
    show("rows");
}

/* The value is another one in each round, or where the threads come round again. */
static void rounds(int size)
{
    int offset;
#pragma omp parallel private(offset)
    {
        int me = omp_get_thread_num();
        offset = size * me;
        for (int round = 0; round < 3; round++) {
#pragma omp for
            for (int i = 0; i < n; i++)
                sums[offset + key[i]] += x[i];
            offset = size * (me + 1);
        }
        for (int round = 0; round < 3; round++) {
            offset = size * (me + 2);
#pragma omp for
            for (int i = 0; i < n; i++)
                sums[offset + key[i]] += x[i];
            offset = 0;
        }
        for (int round = 0; round < 3; round++) {
            offset = size * (me + round);
#pragma omp for
            for (int i = 0; i < n; i++)
                sums[offset + key[i]] += x[i];
        }
    }
    show("rounds");
}

/* Perhaps another assignment reaches the loop, or one that only some execute; or what the value is made of has changed. */
static void perhaps(int size, int some)
{
    int offset, base, me;
    const int many = omp_get_max_threads();
#pragma omp parallel private(offset, base, me)
    {
        me = omp_get_thread_num();
        offset = size * me;
        if (some)
            offset = size * (many - 1 - me);
#pragma omp for
        for (int i = 0; i < n; i++)
            sums[offset + key[i]] += x[i];
        base = me + 1;
        offset = size * base;
        base = 0;
#pragma omp for
        for (int i = 0; i < n; i++)
            sums[offset + key[i] + base] += 2 * x[i];
        base = me;
        base += 1;
        offset = size * base;
#pragma omp for
        for (int i = 0; i < n; i++)
            sums[offset + key[i]] += 3 * x[i];
        offset = size * me;
        for (int k = 0; k < some; k++)
            offset += size;
#pragma omp for
        for (int i = 0; i < n; i++)
            sums[offset + key[i]] += 4 * x[i];
        offset = size * me;
        while (some) {
            if (me > many)
                break;
            offset = size;
            break;
        }
#pragma omp for schedule(static)
        for (int i = 0; i < n; i++) {
#pragma omp atomic
            sums[offset + key[i]] += 4;
        }
        offset = size * me;
        int *to = &base;
        base = 2 * size;
        *to += me * size;
#pragma omp for
        for (int i = 0; i < n; i++)
            sums[base + key[i]] += offset;
    }
    show("perhaps");
}

/* One thread gives all others its value. */
static void given(int size)
{
    int offset;
#pragma omp parallel private(offset)
    {
        int me = omp_get_thread_num();
        offset = size * me;
#pragma omp single copyprivate(offset)
        offset = size * 3;
#pragma omp for
        for (int i = 0; i < n; i++) {
#pragma omp atomic
            sums[offset + key[i]] += x[i];
        }
    }
    show("given");
}

int main(int argc, char **argv)
{
    n = argc > 1 ? atoi(argv[1]) : MOST;
    omp_set_num_threads(argc > 2 ? atoi(argv[2]) : 4);
    for (int i = 0; i < MOST; i++) {
        x[i] = i * 37 % 101 - 50;
        key[i] = i * 7 % n;
    }
    rows(n);
    rounds(n);
    perhaps(n, 0);
    perhaps(n, 1);
    given(n);
    return 0;
}
