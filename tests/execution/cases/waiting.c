/* Critical sections and waiting iterations that stay on the host. Two of them once had kernels, which never ended: what
 * ends the loop was looked for in a `break` of another loop, and not in the function that the loop calls. */
/* args: 50 */
/* expect-gpu: 0 */
/* expect-host: OMPC348 OMPC349 OMPC349 OMPC349 OMPC349 OMPC349 */
#include <stdio.h>
#include <stdlib.h>
#include <omp.h>

static int ready[101];
static double a[101];

static int look(int *flag)
{
    int seen;
    #pragma omp atomic read
    seen = *flag;
    return seen;
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]), from = 1000, to = 0;
    omp_lock_t lock;
    omp_init_lock(&lock);
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        #pragma omp critical
        if (from > 0) {
            from -= 10;
            to += 10;
        }
    }
    ready[0] = 1;
    #pragma omp parallel for schedule(static, 1) num_threads(2)
    for (int i = 1; i <= n; i++) {
        int seen = 0;
        while (!seen) {
            #pragma omp atomic read acquire
            seen = ready[i - 1];
        }
        a[i] = a[i - 1] + i;
        #pragma omp atomic write release
        ready[i] = 1;
    }
    ready[0] = 2;
    #pragma omp parallel for schedule(static, 1) num_threads(2)
    for (int i = 1; i <= n; i++) {
        int seen = 0;
        while (seen < 2) {
            for (int k = 0; k < 10; k++)
                if (k == 5)
                    break;
            #pragma omp atomic read
            seen = ready[i - 1];
        }
        a[i] = a[i - 1] + 2 * i;
        #pragma omp atomic write
        ready[i] = 2;
    }
    ready[0] = 3;
    #pragma omp parallel for schedule(static, 1) num_threads(2)
    for (int i = 1; i <= n; i++) {
        while (look(&ready[i - 1]) < 3)
            ;
        a[i] = a[i - 1] + 3 * i;
        #pragma omp atomic write
        ready[i] = 3;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        while (!omp_test_lock(&lock))
            ;
        to++;
        omp_unset_lock(&lock);
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int old, swapped;
        do {
            #pragma omp atomic read
            old = from;
            int fresh = old * 3 % 1009 + old;
            #pragma omp atomic compare capture
            { swapped = from == old; if (swapped) { from = fresh; } }
        } while (!swapped);
    }
    omp_destroy_lock(&lock);
    printf("%d %d %g\n", from, to, a[n]);
    return 0;
}
