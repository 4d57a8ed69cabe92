/* on device: 1
   `c -= 20.5f` converts a floating value to a narrow type as `c = c - 20.5f` does: by way of int, as on the host. A GPU
   would give 0 for what is negative and 255 for what is large (undefined in C, but programs rely on it). */
#include <stdio.h>

enum { N = 64 };
static unsigned char narrow[N];
static unsigned wide[N];
static short small[N];

int main(void)
{
    long sum = 0;

#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        const float f = i * 0.75f;
        unsigned char k = i;

        k -= 20.5f;
        narrow[i] = k;
        narrow[i] += f * 5;
        narrow[i] /= 0.5f;
        wide[i] -= f;
        small[i] += f * 1000;
        small[i] *= 1.5;
    }
    for (int i = 0; i < N; i++)
        sum = (sum * 31 + narrow[i] + wide[i] + small[i]) % 1000003;
    printf("%ld\n", sum);
    return 0;
}
