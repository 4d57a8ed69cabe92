/* What threads make of their numbers, where names, arrays or values mean something else inside of the loop. */
/* args: 3 */
/* args: 1 */
/* refuses: OMPC458 */
/* expect-gpu: 12 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static int out[200];
int elsewhere = 9;

static void show(const char *what)
{
    long all = 0;
    for (int k = 0; k < 200; k++) {
        all = (all * 31 + out[k]) % 1000003;
        out[k] = 0;
    }
    printf("%s %ld\n", what, all);
}

int main(int argc, char **argv)
{
    const int team = argc > 1 ? atoi(argv[1]) : 1, n = 200;
    int bins = 3, same = 1, tab[64];
    for (int k = 0; k < 64; k++)
        tab[k] = k;

    /* names: of the loop's counter, of variables in between, of a file's variable again */
#pragma omp parallel num_threads(team)
    {
        int q = omp_get_thread_num() * bins;
#pragma omp for
        for (int bins = 0; bins < 200; bins++)
            out[bins] = q;
    }
    show("counter");
#pragma omp parallel num_threads(team)
    {
        int off = omp_get_thread_num() * 3, q = off + 1;
        {
            int off = 70;
#pragma omp for
            for (int k = 0; k < 200; k++)
                out[k] = off + q;
        }
    }
    show("in between");
#pragma omp parallel num_threads(team)
    {
        int me = omp_get_thread_num(), q = me * 3;
#pragma omp for
        for (int me = 0; me < 200; me++)
            out[me] = q + me;
    }
    show("number");
#pragma omp parallel num_threads(team)
    {
        int elsewhere = omp_get_thread_num() * 2, q = elsewhere + 1;
        {
            extern int elsewhere;
#pragma omp for
            for (int k = 0; k < 200; k++)
                out[k] = elsewhere + q;
        }
    }
    show("file's");
#pragma omp parallel num_threads(team)
    {
        int off = omp_get_thread_num() * 3, d = off + 1;
        {
            int off = d * 2;
#pragma omp for
            for (int k = 0; k < 200; k++)
                out[k] = off;
        }
    }
    show("twice");

    /* an array of which each iteration has a copy; a value that another thread hands on */
#pragma omp parallel num_threads(team)
    {
        int *p = &tab[omp_get_thread_num() * 4];
#pragma omp for private(tab)
        for (int k = 0; k < 200; k++) {
            for (int j = 0; j < 64; j++)
                tab[j] = 1000;
            out[k] = p[1] + tab[2];
        }
    }
    show("copies");
#pragma omp parallel num_threads(team)
    {
        int me = omp_get_thread_num();
        int off = me * 3 + 1;
#pragma omp single copyprivate(off)
        {
        }
#pragma omp for
        for (int k = 0; k < 200; k++)
            out[k] = off;
    }
    for (int k = 0; k < 200; k++)
        same &= out[k] == out[0];
    printf("handed on %d\n", same);

    /* in bounds, too */
#pragma omp parallel num_threads(team)
    {
        int all = omp_get_thread_num() * 0 + n, step = omp_get_thread_num() * 0 + 2;
#pragma omp for
        for (int k = 0; k < all; k++)
            out[k] = all + k;
#pragma omp for collapse(2)
        for (int k = 0; k < 10; k++)
            for (int j = 0; j < all / 10; j++)
                out[k * 20 + j] += all + j;
#pragma omp for
        for (int k = 0; k < n; k += step)
            out[k] += step + k;
#pragma omp for
        for (int k = step; k < n; k++)
            out[k] += step + k;
#pragma omp for
        for (int k = 0; k < n; k++)
            for (int j = 0; j < step; j++)
                out[k] += j;
    }
    show("bounds");
    return 0;
}
