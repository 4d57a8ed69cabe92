/* Host code between launches touches arrays that the device has: elements, rows, everything, in conditions, in every
   order, through every kind of expression. Each function would print something else if one touch were missed. */
/* plain: */
/* expect-gpu: 12 */
/* without: glue */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 40000
#define ROWS 40
#define LENGTH 1000

static double a[N], b[N], m[ROWS][LENGTH];
static double *u, *v, *odd;
static int where[N];
/* Scalars of the host before, between and behind arrays of one object. */
static struct { int count; double x[20000]; int flag; char text[30]; double y[20000]; double last; } mixed;
static double beside[9000];
static int next_to_it = 3;

static void grow(double *x, int n, double by)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] += by * (i % 7 + 1);
}
static void from(double *to, const double *x, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        to[i] = 2 * x[i] + 1;
}
static void some(double *x, int n, int begin, int step)
{
    #pragma omp parallel for
    for (int i = begin; i < n; i += step)
        x[i] = -i;
}
static void gather(double *to, const double *x, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        to[where[i] % n] += x[where[n - 1 - i] % n];
}
/* Names of libc that are the program's own here. */
void send(double *to, double value) { to[5] += value; }
double recv(const double *x) { return x[5] + x[N - 5]; }
int times(int n) { return 2 * n; }
static double total(const double *x, int n)
{
    double s = 0;
    #pragma omp parallel for reduction(+:s)
    for (int i = 0; i < n; i++)
        s += x[i] * (i % 3 + 1);
    return s;
}
static double on_host(const double *x, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += x[i] * (i % 5 + 1);
    return s;
}

static void elements(void)
{
    grow(a, N, 1);
    double first = a[0];            /* one read, then one write to the same page and to another one */
    a[1] += 5;
    a[N / 2] = 7;
    grow(a, N, 1);
    a[N - 1]--;                     /* a write to what was not read since */
    grow(a, N, 1);
    double *p = &a[100];
    *p++ = a[103];
    *p += 1, p[-2] *= 2;
    grow(a, N, 1);
    printf("elements %g %g %g %g %g %g", first, a[N - 1], a[0], a[N / 2], a[100], a[101]);
    printf(" %g %g\n", total(a, N), on_host(a, N));
    send(a, recv(a) * times(2)), grow(a, N, 1), send(a, recv(a));
    printf("%g\n", recv(a));
    a[5] = 1;                       /* written by the host, read by it, and never again by a launch */
    grow(b, N, a[5] + a[6]);
    printf("%g %g\n", a[5] + b[5], on_host(b, N));
}

static void rows(void)
{
    for (int k = 0; k < 3; k++) {
        grow(m[0], ROWS * LENGTH, 1 + k);
        for (int j = 0; j < LENGTH; j++)
            m[k][j] = m[ROWS - 1 - k][j] + 1;
        for (int i = 0; i < ROWS; i++)
            m[i][k] = i;
        grow(m[3], LENGTH, 2);      /* a section in the middle, and what is around it stays */
        from(m[4], m[30], 2 * LENGTH);
        memcpy(m[7], m[8], sizeof m[7]);
    }
    printf("rows %g %g %g\n", m[5][3], on_host(m[6], 3 * LENGTH), on_host(m[0], ROWS * LENGTH));
}

static double step(double *x, int n)
{
    grow(x, n, 1);
    return x[3] + x[n - 3];
}
/* Called with the value of a launch. */
static void assign(double to[2], double value) { to[0] = value, to[1] += value; }

/* Statements that write and launch, in every order that C fixes. */
static void writes_and_launches(void)
{
    a[0] = step(a, N);
    a[step(a, N) > 0 ? 1 : 2] += 10;
    a[2] = 4, a[3] = step(a, N), a[4] += 1;
    assign(a + 8, step(a, N));
    double s = a[0] && step(a, N) ? a[1] : a[2];
    mixed.count = (int)step(a, N) % 100;
    mixed.x[7] = step(mixed.x, 20000);
    struct { double *p; } h = {a};
    h.p[9] = step(h.p, N);
    for (a[10] = 0; a[10] < 3; a[10] += 1, grow(a + 11, N - 11, 1))
        a[11] += step(a + 20, 500) * 0 + 1;
    printf("writes %g %g %d %g %g %g %g\n", s, a[0], mixed.count, mixed.x[7], a[10], a[11], on_host(a, N));
}

static void conditions(void)
{
    int turns = 0;
    memset(a, 0, sizeof a);
    while (a[N / 3] < 30 && turns < 100)
        grow(a, N, 1), turns++;
    do
        grow(a, N, 0.5);
    while (turns++ < 50 && a[77] + a[78] < 400);
    for (int k = 0; a[N - 2] < 500 || !(a[N - 1] > 100); k++)
        grow(a, N, k);
    if (turns < 0)
        turns = 0;
    else if (a[5] > 3 && (grow(a, N, 1), a[5] > 4) && a[9] == a[2])
        turns += 1000;
    switch ((int)a[12] % 2) { case 0: turns += 5000; break; case 1: turns += 7000; }
    double *p = NULL;
    if ((p && p[0] > a[0]) || ((p = a + 1) && *p > 1))
        turns += (p ? p[1] : 0) > 2 ? 10000 : 20000;
    printf("conditions %d %g\n", turns, on_host(a, N));
}

static void orders(void)
{
    grow(u, N, 1);
    for (int i = 1; i < N; i++)
        u[i] = u[i - 1] + (i % 4);
    grow(u, N, 1);
    for (int i = N - 2; i >= 0; i--)
        u[i] = u[i + 1] - (i % 3);
    grow(u, N, 1);
    for (int i = 0; i < N; i += 700)
        u[i] = i;
    grow(u, N, 1);
    for (int i = N - 1; i >= 0; i -= 600)
        u[i] += u[(i + N / 2) % N];
    from(v, u, N);
    for (int k = 0, i = 17; k < 300; k++, i = (i * 5 + 3) % N)
        v[i] += k;
    grow(v, N, 1);
    for (double *p = v + N; p-- > v;)
        *p += 1;
    printf("orders %g %g %g\n", total(v, N), on_host(u, N), on_host(v, N));
}

/* Time stepping with swapped pointers; two and three of them, and a row of the old one read between. */
static void swapped(void)
{
    double *w = calloc(N, sizeof *w), *t, err = 0;
    memset(u, 0, N * sizeof *u);
    u[0] = v[0] = w[0] = 1;
    for (int k = 0; k < 7; k++) {
        from(v + 1, u, N - 1);
        if (k % 3 == 0)
            err += v[k] + u[k + 1];
        if (k == 4)
            v[2] = 100;
        t = u, u = v, v = k % 2 ? w : t, w = k % 2 ? t : w;
    }
    printf("swapped %g %g %g %g\n", err, on_host(u, N), on_host(v, N), on_host(w, N));
    free(w);
}

/* Parts of one block that launches and the host have in turns; the same block as a whole; bytes of it. */
static void parts(void)
{
    double *low = u, *high = u + N / 2 + 3;
    memset(u, 0, N * sizeof *u);
    grow(low, 5000, 1);
    grow(high, 5000, 2);
    high[-1] = 9, low[5000] = 8;
    from(high + 1, low, 5000);
    low[4999] = high[4999];
    grow(u, N, 1);
    memmove(low + 3, low, 10000 * sizeof *u);
    gather(high, low, 10000);       /* one block: the kernel does not rely on two */
    gather(v, u, N);
    u[N - 1] = v[where[9]];
    from(low, low + 10000, 10000);
    from(low, low, 100);            /* to and x are the same */
    ((char *)high)[6] = 1, ((unsigned char *)(low + 900))[7] = 0x40;
    grow(u, N, 1);
    printf("parts %.17g %.17g %g %g\n", total(u, N), on_host(u, N), u[3], high[-1]);
}

/* Kernels that write some elements: all others are what the host wrote before, or another launch. */
static void partial(void)
{
    for (int i = 0; i < N; i++)
        b[i] = i;
    some(b, N, 1, 3);
    b[2] = 5;
    some(b, N, 2, 900);
    for (int i = 0; i < N; i += 901)
        b[i] += 0.5;
    some(b, N, 5, 7);
    #pragma omp parallel for
    for (int i = 0; i < N; i++)
        if (where[i] % 2)
            b[i] = a[i];
    printf("partial %g %g\n", b[901], on_host(b, N));
    some(b, 0, 0, 1);
    some(b, -5, 3, 1);
    grow(b, 0, 4);
    b[0] = total(b, 0) + 1;
    from(b, b + 4, 0);
    printf("nothing %g %g\n", total(b, 1), on_host(b, N));
    #pragma omp parallel for
    for (int i = 0; i < N; i++)     /* all of it, and the host's own are gone */
        b[i] = 3;
    b[7] = 4;
    printf("all %g\n", total(b, N));
}

/* Scalars that share pages with arrays; struct values as a whole. */
static void structs(void)
{
    static __typeof__(mixed) copy;
    mixed.count = 1, mixed.flag = 2, mixed.last = 3;
    grow(mixed.x, 20000, 1);
    mixed.count += 10, mixed.flag += 20;
    strcpy(mixed.text, "between");
    grow(mixed.y, 20000, 2);
    mixed.last += mixed.y[19999];
    copy = mixed;
    grow(mixed.x, 20000, 1);
    mixed.flag++;
    from(copy.y, mixed.x, 20000);
    mixed = copy;
    grow(&mixed.y[19990], 10, 1);
    printf("structs %d %d %s %g", mixed.count, mixed.flag, mixed.text, mixed.last);
    printf(" %g %g %g\n", mixed.x[3], on_host(mixed.x, 20000), on_host(mixed.y, 20000));
    grow(beside, 9000, next_to_it);
    next_to_it = 4;
    grow(beside, 9000, next_to_it);
    printf("%g %g\n", total(beside, 9000), on_host(beside, 9000));
}

/* Reductions into elements, the variable of a lastprivate in an array's page, an array of sums. */
static void results(void)
{
    double *s = u + 4;
    int counts[5] = {0};
    grow(u, N, 1);
    u[4] = 1;
    #pragma omp parallel for reduction(+: s[0:3])
    for (int i = 0; i < N; i++)
        s[i % 3] += v[i];
    #pragma omp parallel for reduction(+: counts)
    for (int i = 0; i < N; i++)
        counts[where[i] % 5]++;
    u[3] = total(u + 4, 3);
    #pragma omp parallel for
    for (int i = 0; i < N; i++) {
        #pragma omp atomic
        u[where[i] % 40] += 1;
    }
    printf("results %g %g %d %d %g\n", u[3], u[4], counts[0], counts[4], on_host(u, N));
}

/* A pointer that is not aligned to anything, and blocks whose edges are not pages'. */
static void unaligned(void)
{
    grow(odd + 1, 20000, 1);
    odd[0] += 1, odd[1] += 1, odd[20000] += 1, odd[20001] = 4;
    grow(odd + 3, 19000, 1);
    from(odd + 1, odd + 10001, 10000);
    odd[19002] *= 2;
    grow(odd, 20010, 1);
    printf("unaligned %g %g %g %g\n", odd[0], odd[19002], total(odd, 20010), on_host(odd, 20010));
    for (int size = 1; size < 12000; size = size * 3 + 1) {
        double *small = malloc(size * sizeof *small), before;
        for (int i = 0; i < size; i++)
            small[i] = i;
        grow(small, size, 1);
        small[0] = small[size / 2];
        grow(small, size, 1);
        before = small[size - 1];
        small[size - 1] = 0;
        grow(small + size / 2, size - size / 2, 1);
        printf(" %g %g", before, on_host(small, size));
        free(small);
    }
    puts("");
}

/* Two tables in turns: a kernel reads what the host has just made, which was read by the one before. */
static double filter[30000], table[8][8];
static void tables(void)
{
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 30000; i++)
            filter[i] = i % (k + 2);
        table[k][1] = k + 1;
        #pragma omp parallel for
        for (int i = 0; i < N; i++)
            for (int j = 0; j < 8; j++)
                a[i] += filter[j * 100] * table[j][1] + filter[i % 30000];
        filter[0] = a[1];
        table[7][1] = a[2];
        #pragma omp parallel for
        for (int i = 0; i < 8; i++)
            table[i][2] += table[i][1] + filter[0];
    }
    printf("tables %g %g %g\n", a[0], table[7][2], on_host(a, N));
}

int main(void)
{
    u = calloc(N, sizeof *u), v = calloc(N, sizeof *v), odd = calloc(20020, sizeof *odd);
    for (int i = 0; i < N; i++)
        where[i] = (int)(i * 7919LL % N);
    elements(), rows(), writes_and_launches(), conditions(), orders(), swapped(), parts(), partial();
    structs(), results(), unaligned(), tables();
    free(u), free(v), free(odd);
    return 0;
}
