/* on device: 3
   Reductions over sections of declared arrays whose size is not a plain number, or of several dimensions: the array
   itself is what the iterations accumulate into, and the kernel must get it. */
#include <stdio.h>

static int a[240], total[16];

static void sections(int n)
{
    int h[40] = {1};
    double w[4][3] = {{0.5}};
    #pragma omp parallel for reduction(+ : h[0:n])
    for (int i = 0; i < 240; i++)
        h[a[i]]++;
    #pragma omp parallel for reduction(+ : w[0:4][0:3])
    for (int i = 0; i < 240; i++)
        w[a[i] % 4][i % 3] += 0.25;
    #pragma omp parallel for reduction(+ : total[1:n / 2])
    for (int i = 0; i < 240; i++)
        total[1 + i % 8] += a[i];
    for (int k = 0; k < 17; k++)
        printf("%d ", h[k]);
    for (int k = 0; k < 12; k++)
        printf("%g ", w[k / 3][k % 3]);
    for (int k = 0; k < 16; k++)
        printf("%d ", total[k]);
}

int main(void)
{
    for (int i = 0; i < 240; i++)
        a[i] = i % 17;
    sections(17);
    return 0;
}
