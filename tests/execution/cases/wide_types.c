/* Arrays of every arithmetic type, _Bool and enum arrays, multidimensional subscripts that are expressions, negative subscripts. */
/* args: 100 */
/* expect-gpu: 4 */
#include <stdio.h>
#include <stdlib.h>
#include <stdbool.h>
#include <stdint.h>
#include <stddef.h>

enum Kind { NONE = -1, SOME = 3, MANY = 1000000 };
static char c[100]; static signed char sc[100]; static unsigned char uc[100];
static short s[100]; static unsigned short us[100];
static int i_[100]; static unsigned u[100];
static long l[100]; static unsigned long ul[100];
static long long ll[100]; static unsigned long long ull[100];
static float f[100]; static double d[100];
static bool b[100]; static enum Kind k[100];
static int8_t i8[100]; static uint64_t u64[100]; static size_t z[100]; static ptrdiff_t p[100];
static int cube[5][6][7];

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        c[i] = 'a' + i % 20; sc[i] = -i; uc[i] = 255 - i;
        s[i] = -i * 300; us[i] = 65535 - i;
        i_[i] = i << 20; u[i] = 4000000000u + i;
        l[i] = -5000000000L * i; ul[i] = 1UL << 63 | i;
        ll[i] = l[i] / 3; ull[i] = ul[i] / 3;
        f[i] = i / 3.0f; d[i] = i / 3.0;
        b[i] = i % 3; k[i] = i % 3 == 0 ? NONE : i % 3 == 1 ? SOME : MANY;
        i8[i] = i; u64[i] = ~(uint64_t)i; z[i] = sizeof(int[3]); p[i] = i - 50;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        d[i] += c[i] + sc[i] + uc[i] + s[i] + us[i] + i_[i] + u[i] + l[i];
        d[i] += ul[i] / 1000 + ll[i] + ull[i] / 1000 + f[i] + b[i] + k[i] + i8[i] + u64[i] / 1000 + z[i] + p[i];
    }
    #pragma omp parallel for
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 6; j++)
            for (int m = 0; m < 7; m++)
                cube[(i * 2) % 5][5 - j][m * m % 7] = i * 100 + j * 10 + m * 0;
    int *middle = i_ + 50;
    #pragma omp parallel for
    for (int i = -50; i < 50; i++)
        middle[i] += i, middle[i] ^= 3;
    for (int i = 0; i < n; i++)
        printf("%.15g %d %d ", d[i], i_[i], cube[i / 42 % 5][i / 7 % 6][i % 7]);
    printf("\n");
    return 0;
}
