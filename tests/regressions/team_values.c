/* on device: 12
   Variables that each thread of a region has for itself: a partial result that is merged where threads differ, or whose
   total is not what the parts were; values that a clause, the length of an array or assembly reads after the loop. */
#include <omp.h>
#include <stdio.h>

#define N 240
static int a[N], b[N], per_thread[64];

static void flags(void)
{
    int code = 0, mask = 0, truth = 6, bad = 0;
    #pragma omp parallel
    {
        int own = 0, bits = 0, six = 6, wrong = 0;
        #pragma omp for
        for (int i = 0; i < N; i++)
            if (a[i] > 5)
                own = 4;
        #pragma omp for
        for (int i = 0; i < N; i++)
            if (a[i] > 1000)
                six = 0;
        #pragma omp for
        for (int i = 0; i < N; i++)
            bits |= 1 << a[i];
        #pragma omp for
        for (int i = 0; i < N; i++)
            if (a[i] == 16)
                wrong = 1;
        #pragma omp critical
        {
            code |= own;
            mask |= bits;
            truth &= six;
            bad |= wrong;
        }
    }
    printf("flags %d %d %d %d\n", code, mask, truth, bad);
}

static void differing(void)
{
    int weighted = 0, busy = 0, some = 0, truncated = 0;
    #pragma omp parallel
    {
        int part = 0, again = 0, third = 0, me = omp_get_thread_num();
        double parts = 0;
        #pragma omp for schedule(static)
        for (int i = 0; i < N; i++)
            part += a[i];
        per_thread[omp_get_thread_num()] += part;
        #pragma omp for schedule(static) /* when it runs: on the host, since `me` is compared */
        for (int i = 0; i < N; i++)
            again += a[i];
        #pragma omp critical
        weighted += me * again;
        #pragma omp for schedule(static)
        for (int i = 0; i < N; i++)
            parts += a[i] + 0.3;
        #pragma omp critical
        truncated += parts;
        #pragma omp for schedule(static)
        for (int i = 0; i < N; i++)
            third += a[i];
        int mine = 0;
        mine += third;
        #pragma omp critical
        busy += mine > 0;
    }
    #pragma omp parallel
    for (int k = 0; k < 3; k++) {
        int part = 0;
        #pragma omp for schedule(static)
        for (int i = 0; i < N; i++)
            part += a[i] + k;
        if (omp_get_thread_num() == 0)
            continue;
        #pragma omp critical
        some += part;
    }
    printf("differing %d %d %d %d", weighted, busy, some, truncated);
    for (int k = 0; k < 64; k++)
        printf(" %d", per_thread[k]);
    printf("\n");
}

static void counts(long *total)
{
    long long wide = 0;
    #pragma omp parallel
    {
        unsigned char narrow = 0;
        #pragma omp for schedule(static)
        for (int i = 0; i < N; i++)
            narrow += a[i];
        #pragma omp atomic
        wide += narrow;
    }
    *total += wide;
}

/* every thread adds to the same element: compared at the launch */
static void add_to(double *totals, int n, int at)
{
    double part = 0;
    if (n <= 0)
        return;
    #pragma omp for
    for (int i = 0; i < n; i++)
        part += a[i];
    #pragma omp atomic
    totals[at] += part;
}

static void steps(double *history)
{
    #pragma omp parallel
    for (int step = 0; step < 6; step++) {
        double part = 0;
        #pragma omp for
        for (int i = 0; i < N; i++)
            part += a[i] * step;
        #pragma omp critical
        history[step] += part;
        if (step == 4)
            break;
    }
}

static void read_unseen(void)
{
    int bytes = 0, copied = 0, threads = 0;
    #pragma omp parallel num_threads(1)
    {
        int t = 3, u = 3;
        #pragma omp for
        for (int i = 0; i < N; i++) {
            t = i + 1;
            b[i] = t;
        }
        bytes += (int)sizeof(char[t]);
        #pragma omp for
        for (int i = 0; i < N; i++) {
            u = i;
            b[i] += u;
        }
        #pragma omp parallel for if (u > 100) num_threads(2) reduction(+ : threads)
        for (int k = 0; k < 100; k++)
            threads += omp_in_parallel();
    }
    #pragma omp parallel num_threads(1)
    {
        int v = 3, w = 0;
        #pragma omp for
        for (int i = 0; i < N; i++) {
            v = i;
            b[i] += v;
        }
        __asm__ volatile("mov %1, %0" : "=r"(w) : "r"(v));
        copied += w;
    }
    printf("read_unseen %d %d %d\n", bytes, copied, threads > 0);
}

int main(void)
{
    double totals[3] = {0}, history[6] = {0};
    long total = 0;
    for (int i = 0; i < N; i++)
        a[i] = i % 17;
    flags();
    differing();
    counts(&total);
    #pragma omp parallel
    {
        add_to(totals, N, 1);
        add_to(totals, N, 2);
    }
    add_to(totals, N, 0);
    steps(history);
    read_unseen();
    printf("%ld", total);
    for (int k = 0; k < 9; k++)
        printf(" %g", k < 3 ? totals[k] : history[k - 3]);
    printf("\n");
    return 0;
}
