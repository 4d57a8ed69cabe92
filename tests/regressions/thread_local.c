/* on device: 1

   Thread-local variables keep their values when a loop ends, as threadprivate ones do: what the host's only thread wrote
   there is read afterwards, by the function itself, by another one, by another region. */
#include <omp.h>
#include <stdio.h>

static _Thread_local int last, bins[8];
static __thread double sum;
_Thread_local int known;
static int out[100];

static int left(void) { return bins[3]; }

static void scratch(void)
{
    static _Thread_local int own[2];
    #pragma omp parallel for
    for (int i = 0; i < 100; i++) {
        own[0] = i, own[1] = 2 * i;
        out[i] = own[0] + own[1];
    }
}

int main(void)
{
    omp_set_num_threads(1);
    #pragma omp parallel for
    for (int i = 0; i < 100; i++) {
        last = i;
        out[i] = last * 2;
    }
    printf("%d %d\n", last, out[99]);
    #pragma omp parallel for
    for (int i = 0; i < 100; i++)
        bins[i % 8] = i;
    printf("%d\n", left());
    #pragma omp parallel
    {
        #pragma omp for
        for (int i = 0; i < 100; i++) {
            sum = i;
            out[i] = sum;
        }
    }
    #pragma omp parallel for
    for (int i = 0; i < 100; i++)
        out[i] += sum;
    printf("%d\n", out[3]);
    #pragma omp parallel for
    for (int i = 0; i < 100; i++) {
        known = i;
        out[i] += known;
    }
    printf("%d %d\n", known, out[7]);
    scratch();
    printf("%d\n", out[50]);
    return 0;
}
