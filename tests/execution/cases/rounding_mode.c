/* A program that sets the rounding mode: its loops stay on the host, also those that are reached before. */
/* expect-host: OMPC363 OMPC363 */
#include <fenv.h>
#include <stdio.h>

#define N 5000

static double x[N];

static int above(int n)
{
    int count = 0;
    #pragma omp parallel for reduction(+ : count)
    for (int i = 0; i < n; i++)
        count += x[i] / 3.0 * 3.0 > x[i];
    return count;
}

int main(void)
{
    #pragma omp parallel for
    for (int i = 0; i < N; i++)
        x[i] = 1.0 + i * 0.37;
    printf("%d\n", above(N));
    int (*set)(int) = fesetround;
    set(FE_UPWARD);
    printf("%d\n", above(N));
    return 0;
}
