/* Every reduction operator on the integer types. */
/* args: 1000 */
/* args: 1 */
/* args: 0 */
/* expect-gpu: 14 */
#include <stdio.h>
#include <stdlib.h>
#include <stdint.h>
#include <stdbool.h>

#define N 1000

static unsigned char bytes[N];
static int ints[N];
static long long longs[N];

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : N;
    for (int i = 0; i < N; i++) {
        bytes[i] = (unsigned char)(i * 37 + 11);
        ints[i] = (i * 7919) % 1013 - 500;
        longs[i] = (long long)ints[i] * 4000000007LL;
    }

    int sum = 5;
    #pragma omp parallel for reduction(+:sum)
    for (int i = 0; i < n; i++)
        sum += ints[i];
    printf("sum %d\n", sum);

    int difference = 5;
    #pragma omp parallel for reduction(-:difference)
    for (int i = 0; i < n; i++)
        difference -= ints[i];
    printf("difference %d\n", difference);

    unsigned product = 3u;
    #pragma omp parallel for reduction(*:product)
    for (int i = 0; i < n; i++)
        product *= (unsigned)(ints[i] | 1);
    printf("product %u\n", product);

    int low = 1 << 30, high = -(1 << 30);
    #pragma omp parallel for reduction(min:low) reduction(max:high)
    for (int i = 0; i < n; i++) {
        if (ints[i] < low) low = ints[i];
        if (ints[i] > high) high = ints[i];
    }
    printf("low %d high %d\n", low, high);

    unsigned char all = 0xff, any = 0, odd = 0;
    #pragma omp parallel for reduction(&:all) reduction(|:any) reduction(^:odd)
    for (int i = 0; i < n; i++) {
        all &= bytes[i] | 0x0f;
        any |= bytes[i] & 0x5a;
        odd ^= bytes[i];
    }
    printf("all %d any %d odd %d\n", all, any, odd);

    int and1 = 1, and2 = 7, or1 = 0, or2 = 3;
    #pragma omp parallel for reduction(&&:and1, and2) reduction(||:or1, or2)
    for (int i = 0; i < n; i++) {
        and1 = and1 && ints[i] > -600;
        and2 = and2 && ints[i] > 0;
        or1 = or1 || ints[i] == 499;
        or2 = or2 || ints[i] == 1000;
    }
    printf("%d %d %d %d\n", and1, and2, or1, or2);

    long long wide = 1LL << 40;
    uint64_t bits = 0;
    #pragma omp parallel for reduction(+:wide) reduction(^:bits)
    for (int i = 0; i < n; i++) {
        wide += longs[i];
        bits ^= (uint64_t)longs[i] << (i % 13);
    }
    printf("wide %lld bits %llx\n", wide, (unsigned long long)bits);

    long long wlow = INT64_MAX, whigh = INT64_MIN;
    #pragma omp parallel for reduction(min:wlow) reduction(max:whigh)
    for (int i = 0; i < n; i++) {
        wlow = longs[i] < wlow ? longs[i] : wlow;
        whigh = longs[i] > whigh ? longs[i] : whigh;
    }
    printf("%lld %lld\n", wlow, whigh);

    short narrow = 100;
    #pragma omp parallel for reduction(+:narrow)
    for (int i = 0; i < n; i++)
        narrow += (short)(ints[i] % 3);
    printf("narrow %d\n", narrow);

    signed char slow = 127;
    #pragma omp parallel for reduction(min:slow)
    for (int i = 0; i < n; i++)
        slow = (signed char)bytes[i] < slow ? (signed char)bytes[i] : slow;
    printf("slow %d\n", slow);

    unsigned short ubig = 0;
    #pragma omp parallel for reduction(max:ubig)
    for (int i = 0; i < n; i++)
        ubig = bytes[i] * 257 > ubig ? bytes[i] * 257 : ubig;
    printf("ubig %d\n", ubig);

    bool seen = false, every = true;
    #pragma omp parallel for reduction(||:seen) reduction(&&:every)
    for (int i = 0; i < n; i++) {
        seen = seen || bytes[i] == 200;
        every = every && bytes[i] != 201;
    }
    printf("seen %d every %d\n", seen, every);

    unsigned long ul = 1;
    #pragma omp parallel for reduction(*:ul)
    for (int i = 0; i < n; i++)
        ul *= (unsigned long)(2 * i + 1);
    printf("ul %lu\n", ul);

    char letter = 'a';
    #pragma omp parallel for reduction(max:letter)
    for (int i = 0; i < n; i++)
        if ('a' + i % 26 > letter) letter = (char)('a' + i % 26);
    printf("letter %c\n", letter);

    return n % 256;
}
