/* on device: 3
   Constants that C converts to another number in silence: the device compiler warns of them unless a cast says so. */
#include <stdio.h>

int main(void)
{
    unsigned u[64], mask = 0;
    long t = 0;
#pragma omp parallel for
    for (int i = -3; i < 61; i++)
        u[i + 3] = -1 - i;
#pragma omp parallel for reduction(+ : t) reduction(| : mask)
    for (int i = 0; i < 64; i++) {
        unsigned best = -1, v[] = {-2, 7};
        signed char small = 200;
        best &= -4;
        mask |= u[i] & -8;
        t += (u[i] > -5) + (u[i] == -1) + (i & 1 ? -1 : 1u) + best + v[0] + small + (char)200 + ~i;
        t += u[i] + -3 + (u[i] << 1) - (short)70000;
    }
#pragma omp parallel for reduction(+ : t)
    for (long i = -1; i > -60; i -= 3)
        t += i;
    printf("%ld %u\n", t, mask);
    return 0;
}
