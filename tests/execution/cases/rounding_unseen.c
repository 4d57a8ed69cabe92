/* The rounding mode, and traps, are set by code that ompc does not read: the launcher sees it. */
/* expect-gpu: 1 */
/* refuses: OMPC474 */
#include <stdio.h>

#define N 5000

static double x[N];

static void set(unsigned word)
{
#if defined __x86_64__
    __asm__ volatile("ldmxcsr %0" : : "m"(word));
#elif defined __aarch64__
    unsigned long control = word == 0x1f80 ? 0 : word == 0x5f80 ? 1ul << 22 : 1ul << 9;
    __asm__ volatile("msr fpcr, %0" : : "r"(control));
#endif
}

static int above(int n, const double *of)
{
    int count = 0;
    #pragma omp parallel for num_threads(1) reduction(+ : count)
    for (int i = 0; i < n; i++)
        count += of[i] / 3.0 * 3.0 > of[i];
    return count;
}

int main(void)
{
    for (int i = 0; i < N; i++)
        x[i] = 1.0 + i * 0.37;
    printf("%d\n", above(N, x));
    set(0x5f80); /* upward */
    printf("%d\n", above(N, x));
    set(0x1d80); /* division by zero is trapped */
    printf("%d\n", above(N, x));
    set(0x1f80);
    printf("%d\n", above(N, x));
    return 0;
}
