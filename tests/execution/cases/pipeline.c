/* Threads that hand planes on to one another, as the sweeps of an SSOR solver do: none waits for the whole team. */
/* args: 4 40 */
/* args: 1 12 */
/* expect-gpu: 2 */
/* expect-host: OMPC364 OMPC364 OMPC364 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#define N 64

static double v[N][N], d[N];
static int done[64];

static int is_done(int i)
{
    int now;
    #pragma omp atomic read
    now = done[i];
    return now;
}

static void await_left(int me)
{
    while (done[me - 1] == 0) {
        #pragma omp flush(done)
    }
    done[me - 1] = 0;
    #pragma omp flush(done, v)
}

static void tell_right(int me)
{
    #pragma omp flush(done, v)
    while (is_done(me))
        ;
    #pragma omp atomic write
    done[me] = 1;
    #pragma omp flush(done)
}

static void diagonal(int k)
{
    #pragma omp for schedule(static) nowait
    for (int j = 1; j < N; j++)
        d[j] = 0.5 / (1 + k + j);
}

static void lower(int k, int me, int last)
{
    if (me > 0 && me <= last)
        await_left(me);
    #pragma omp for schedule(static) nowait
    for (int j = 1; j < N; j++)
        v[k][j] = d[j] * (v[k - 1][j] + v[k][j - 1]);
    if (me < last)
        tell_right(me);
}

int main(int argc, char **argv)
{
    int threads = argc > 1 ? atoi(argv[1]) : 4, planes = argc > 2 ? atoi(argv[2]) : 40, k;
    double sum = 0;
    #pragma omp parallel for
    for (k = 0; k < N; k++)
        for (int j = 0; j < N; j++)
            v[k][j] = 1 + (k * 7 + j * 3) % 5;
    omp_set_num_threads(threads);
    #pragma omp parallel private(k)
    {
        int me = omp_get_thread_num(), last = omp_get_num_threads() - 1;
        #pragma omp barrier
        for (k = 1; k < planes; k++) {
            diagonal(k);
            lower(k, me, last);
        }
        #pragma omp barrier
        #pragma omp for
        for (k = 1; k < N; k++)
            v[k][0] += 1;
    }
    #pragma omp parallel for reduction(+:sum)
    for (k = 0; k < N; k++)
        for (int j = 0; j < N; j++)
            sum += v[k][j];
    printf("%.12g\n", sum);
}
