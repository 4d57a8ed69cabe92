/* on device: 2
   The place of an element that several iterations move at once was named by the variable of a loop that turns once. */
#include <stdio.h>

static float a[97], c[97][2];
static short b[97];
static unsigned char d[97][2];

int main(void)
{
    for (int i = 0; i < 97; i++)
        a[i] = i % 50, c[i][0] = i % 7, c[i][1] = i % 9;
#pragma omp parallel for
    for (int i = 0; i < 97; i++)
        for (int j = 1 - 1; j >= 0; j--)
            b[j * 97 + i] = a[j * 97 + i];
#pragma omp parallel for
    for (int i = 0; i < 97; i++)
        for (int j = 1; j < 2; j++)
            d[i][j] = c[i][j] + d[i][j];
    long sum = 0;
    for (int i = 0; i < 97; i++)
        sum += b[i] * (i + 1) + d[i][0] + 3 * d[i][1];
    printf("%ld\n", sum);
    return 0;
}
