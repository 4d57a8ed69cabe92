/* Parts that threads merge in a critical section only where it would change something, and where it is another one. */
/* expect-gpu: 7 */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#define N 500
#define BINS 4

static double a[N];
static int b[N];

static double greatest(int n)
{
    double most = 0, sum = 0, x;
    int i;
    #pragma omp parallel default(shared) private(i, x) reduction(+: sum)
    {
        double part = 0;
        #pragma omp for nowait
        for (i = 0; i < n; i++) {
            x = fabs(a[i]);
            sum += b[i];
            part = x > part ? x : part;
        }
        if (part > most) {
            #pragma omp critical
            most = part > most ? part : most;
        }
    }
    return most + sum;
}

static int least(int n)
{
    int low = 1000;
    #pragma omp parallel
    {
        int part = 1000;
        #pragma omp for
        for (int i = 0; i < n; i++)
            if (b[i] < part)
                part = b[i];
        if (low >= part)
            #pragma omp critical(low)
            {
                if (part < low)
                    low = part;
            }
    }
    return low;
}

static void each(int n, double *all)
{
    #pragma omp parallel
    {
        double own[BINS];
        for (int k = 0; k < BINS; k++)
            own[k] = -1e9;
        #pragma omp for
        for (int i = 0; i < n; i++)
            own[i % BINS] = fmax(own[i % BINS], a[i]);
        for (int k = 0; k < BINS; k++)
            if (own[k] > all[k]) {
                #pragma omp critical
                all[k] = fmax(all[k], own[k]);
            }
    }
}

/* These are no reductions: it matters which thread has what, and each keeps its own. */

static int of_sums(int n)
{
    int total = 0;
    #pragma omp parallel num_threads(4)
    {
        int part = 0;
        #pragma omp for schedule(static)
        for (int i = 0; i < n; i++)
            part += b[i] % 3 - 1;
        if (part > total) {
            #pragma omp critical
            total += part > 0;
        }
    }
    return total >= 0;
}

static int the_other_way(int n)
{
    int most = 50;
    #pragma omp parallel num_threads(4)
    {
        int part = 0;
        #pragma omp for schedule(static)
        for (int i = 0; i < n; i++)
            part = b[i] > part ? b[i] : part;
        if (part < most) {
            #pragma omp critical
            most = part > most ? part : most;
        }
    }
    return most;
}

static int of_another(int n)
{
    int most = 0, other = 97;
    #pragma omp parallel num_threads(4)
    {
        int part = 0;
        #pragma omp for schedule(static)
        for (int i = 0; i < n; i++)
            part = b[i] > part ? b[i] : part;
        if (part > other) {
            #pragma omp critical
            most = part > most ? part : most;
        }
    }
    return most;
}

static int with_more(int n, int *entered)
{
    int most = -1;
    #pragma omp parallel num_threads(4)
    {
        int part = 0;
        #pragma omp for schedule(static)
        for (int i = 0; i < n; i++)
            part = b[i] > part ? b[i] : part;
        if (part > most) {
            #pragma omp critical
            {
                most = part > most ? part : most;
                *entered = 1;
            }
        }
    }
    return most;
}

int main(void)
{
    double all[BINS] = {-1e9, -1e9, -1e9, -1e9};
    int entered = 0;
    for (int i = 0; i < N; i++) {
        a[i] = (i * 37) % 101 - 80;
        b[i] = (i * 53) % 103 - 3;
    }
    printf("%g %d\n", greatest(N), least(N));
    each(N, all);
    for (int k = 0; k < BINS; k++)
        printf("%g ", all[k]);
    printf("%d %d %d\n", of_sums(N), the_other_way(N), of_another(N));
    printf("%d %d\n", with_more(N, &entered), entered);
    return 0;
}
