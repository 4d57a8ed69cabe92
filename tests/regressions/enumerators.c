/* on device: 10
   A constant that an enum inside of a loop declares hides a variable there, and the same name means the variable
   around it: kernels have a number in its place. So do constants of several characters, of which nvcc warns. */
#include <stdio.h>

enum { N = 64, OUTER = 3, TIMES = 4 };
static long a[N], b[N], c[N];

static void show(const char *what, const long *v)
{
    unsigned long sum = 0;
    for (int i = 0; i < N; i++)
        sum = sum * 31 + v[i];
    printf("%s %lx\n", what, sum);
}

static long hidden(long v, int TIMES)
{
    {
        enum { v = 11, OUTER };
        TIMES += v + OUTER;
    }
    return v + TIMES;
}

static long seen(long v)
{
    return v * TIMES + OUTER;
}

static long unused(long v, int OUTER)
{
    {
        enum { OUTER = 8 };
        return v * OUTER;
    }
}

static void in_a_loop(int k)
{
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        c[i] = k;
        {
            enum { k = 9 };
            c[i] += k * 100;
        }
        c[i] += k * 10000;
    }
    show("scalar", c);
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        long t = a[i];
        {
            enum { a = 9, t };
            c[i] += a * t;
        }
        c[i] += t;
    }
    show("array", c);
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        int OUTER = i, TIMES = 2;
        c[i] += OUTER * TIMES + seen(i) + hidden(i, 3) + unused(i, 2);
    }
    show("functions", c);
}

static void in_bounds(int m)
{
    {
        enum { m = 30 };
#pragma omp parallel for
        for (int i = 0; i < m; i++)
            c[i] += m;
#pragma omp parallel for
        for (int i = 0; i < N; i++) {
            int m = i;
            for (int j = 0; j < OUTER; j++)
                c[i] += m;
        }
    }
#pragma omp parallel for
    for (int i = 0; i < m; i++)
        c[i] += m + OUTER;
    show("bounds", c);
}

static void one_after_the_other(void)
{
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        a[i] = b[i] + 1;
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        enum { b = 6 };
        c[i] += a[i] + b;
    }
    show("fused", c);
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        a[i] = b[i] + 'ab' + '\377\376';
#pragma omp parallel for
    for (int TIMES = 0; TIMES < N; TIMES++)
        c[TIMES] += a[TIMES] * OUTER;
    show("characters", c);
}

int main(void)
{
    for (int i = 0; i < N; i++) {
        a[i] = i * 7 % 13;
        b[i] = i * 5 % 11;
    }
    in_a_loop(5);
    in_bounds(20);
    one_after_the_other();
}
