/* Bit-fields that are wider than int: gcc computes with as many bits as they have, C++ with those of their type. */
/* expect-gpu: 8 */
/* expect-added: 1 */
/* expect-host: OMPC323 OMPC323 OMPC323 OMPC323 OMPC323 OMPC316 */
#include <stdio.h>
#define N 200
struct big { unsigned long long x : 40, y : 24; };
struct narrower { long x : 40, y : 50, z; };
struct mixed { unsigned a : 3; unsigned long b : 33; int c : 5; unsigned long : 0; unsigned long d : 63; };
static struct big big[N];
static struct narrower near[N];
static struct mixed mixed[N];
static unsigned long out[N];
static double reals[N];

static unsigned long up(struct big *p, unsigned long v)
{
    p->x = v;
    p->y += v;
    p->x <<= 4;
    return p->x++;
}

static void show(void)
{
    unsigned long sum = 0;
    for (int i = 0; i < N; i++) {
        sum = sum * 31 + big[i].x + 7 * (unsigned long)big[i].y + (unsigned long)near[i].x + near[i].z;
        sum = sum * 31 + (unsigned long)near[i].y + mixed[i].a + mixed[i].c + out[i];
        sum += (unsigned long)mixed[i].b * 3 + (unsigned long)mixed[i].d + (long)(reals[i] * 4);
    }
    printf("%lu\n", sum);
}

static void stored(void)
{
    #pragma omp parallel for
    for (int i = 0; i < N; i++) {
        big[i].x = 0xfffffffff0ul + i;
        big[i].y = (1u << 24) - 3 + i;
        out[i] = big[i].x += 100;
        out[i] += (big[i].x = i * 0x123456789abul);
        near[i].x = -5 - i;
        near[i].y = near[i].x * 0x7fffffffl;
        near[i].z = near[i].y;
        mixed[i].a = i, mixed[i].b = 0x1fffffff0ul + i, mixed[i].c = -i, mixed[i].d = -i;
    }
    show();
    #pragma omp parallel for
    for (int i = 0; i < N; i++) {
        struct big t = { .x = i, .y = 3 };
        out[i] = up(&t, 0xfffffffffful);
        big[i] = t;
        mixed[i].b -= i * 3, mixed[i].b *= -i, mixed[i].b ^= -1, mixed[i].d /= 7u, mixed[i].b >>= i % 4;
        near[i].x *= 8, near[i].x /= -2 - i, near[i].x %= 1000003, near[i].y |= -i, near[i].y--;
    }
    show();
}

/* Where all compilers agree. */
static void computed(void)
{
    unsigned long total = 0;
    #pragma omp parallel for reduction(+:total)
    for (int i = 0; i < N; i++)
        total += big[i].x * 3ul + (near[i].x ^ 1ul) + (mixed[i].b | (unsigned long)i);
    printf("%lu\n", total);
    #pragma omp parallel for
    for (int i = 0; i < N; i++) {
        out[i] = near[i].x * 5l - near[i].y + 1l;
        reals[i] = mixed[i].b * 0.5 - near[i].x + (float)mixed[i].d;
        reals[i] += mixed[i].b;
        int k = -i;
        k += mixed[i].b;
        out[i] += (long)k + (1 << (mixed[i].b & 7ul));
    }
    show();
}

static void compared(void)
{
    #pragma omp parallel for
    for (int i = 0; i < N; i++) {
        unsigned limit = i * 40000000u;
        int below = -i;
        out[i] = (mixed[i].b > limit) + 2 * (mixed[i].b == 5) + 4 * (near[i].x < below) + 8 * (near[i].x < near[i].y);
        out[i] = out[i] * 64 + (mixed[i].b < mixed[i].d) + 2 * !mixed[i].b + 4 * (mixed[i].b && near[i].x);
        out[i] += (near[i].x > limit) * 8 + (mixed[i].b <= 0x100000000l) * 16 + (near[i].x < 1ul) * 32;
    }
    show();
    #pragma omp parallel for
    for (int i = 0; i < N; i++) {
        switch ((unsigned long)mixed[i].b % 3) {
        case 0: out[i] = 1; break;
        case 1: out[i] = near[i].x ? 2 : 3;
        }
        if (mixed[i].b)
            out[i]++;
    }
    show();
}

/* And where they do not. */
static void lost(void)
{
    #pragma omp parallel for
    for (int i = 0; i < N; i++)
        out[i] = mixed[i].b << 30;
    #pragma omp parallel for
    for (int i = 0; i < N; i++)
        out[i] += mixed[i].b + i;
    #pragma omp parallel for
    for (int i = 0; i < N; i++)
        out[i] += (mixed[i].b == -1 - i % 2) + 2 * (mixed[i].b < (long)-i);
    #pragma omp parallel for
    for (int i = 0; i < N; i++)
        out[i] += -mixed[i].b;
    #pragma omp parallel for
    for (int i = 0; i < N; i++)
        out[i] += (i % 3 ? mixed[i].b : i) + (near[i].x - 1);
    show();
    #pragma omp parallel for
    for (int i = 0; i < N; i++)
        switch (mixed[i].b) {
        case -1: out[i]++;
        }
    show();
}

int main(void)
{
    #pragma omp parallel for
    for (int i = 0; i < N; i++)
        reals[i] = i;
    stored();
    computed();
    compared();
    for (int i = 0; i < N; i++)
        mixed[i].b = -1 - i % 3;
    #pragma omp parallel for
    for (int i = 0; i < N; i++)
        out[i] = (unsigned long)mixed[i].b + 2;
    lost();
    return 0;
}
