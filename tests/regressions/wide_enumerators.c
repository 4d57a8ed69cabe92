/* on device: 1
   Constants of enums that need more than an int have the type of their enum, in kernels too. */
#include <stdio.h>

enum { N = 40 };
enum wide { LOW = 3, HIGH = 1L << 40 };
enum both { LESS = -1, MORE = 0x80000000u };
enum large { ALL = 0xffffffffu };
static long r[N];

int main(void)
{
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        enum wide w = i & 1 ? HIGH : LOW;
        enum large a = ALL;
        r[i] = HIGH / 1024 + i + (MORE > LESS) * 10 + sizeof(HIGH) + sizeof(MORE) + (ALL > 0) + (ALL + 1 == 0) * 3;
        r[i] += w + (a == ALL) - -LESS + (MORE * 2 > 0) * 5;
    }
    for (int i = 0; i < N; i++)
        printf("%ld\n", r[i]);
}
