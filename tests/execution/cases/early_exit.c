/* Iterations that end the program: the launch is forgotten, and the host's loop says and does what C's does. */
/* args: 0 */
/* args: 1 */
/* args: 2 */
/* args: 3 */
/* args: 4 */
/* args: 5 */
/* args: 6 */
/* args: 7 */
/* args: 8 */
/* args: 9 */
/* args: 10 */
/* expect-gpu: 11 */
/* expect-added: 1 */
/* expect-host: OMPC320 */
/* refuses: OMPC450 OMPC451 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 600
#define CHECK(c) do { if (!(c)) { fprintf(stderr, "line %d: " #c "\n", __LINE__); exit(EXIT_FAILURE); } } while (0)
#define FAIL(n) do { fprintf(stderr, "failed\n"); exit(n); } while (0)

static int mode, a[N], b[N], idx[N], where = -1, count;
static double x[N], best = -1;
enum color { RED, GREEN };

static void die(const char *why, int i)
{
    fprintf(stderr, "died of %s: %d\n", why, i);
    exit(7);
}

static int find(int v)
{
    for (int k = 0; k < N; k++)
        if (idx[k] == v)
            return k;
    die("searching", v);
    return -1;
}

static int kind(enum color c)
{
    switch (c) {
    case RED: return 1;
    case GREEN: return 2;
    }
    FAIL(4);
    return 0;
}

static double table(int i)
{
    switch (i % 4) {
    case 0: return 1.5;
    case 1: if (i > 5000) FAIL(5); else return 2.5;
    case 2: return 3;
    default: if (i < 0) { FAIL(6); return 5; } break;
    }
    if (i >= 0) return 4; else { fprintf(stderr, "%d is negative\n", i); _Exit(3); }
}

static int jump(int i)
{
    if (i < 0) goto bad;
    for (;;) { if (i > 10) return i; if (i == -1) abort(); i++; }
bad:
    fprintf(stderr, "jumped\n");
    exit(8);
}

/* Variables of code that is jumped to, declared where nothing comes. */
static int labels(int i)
{
    if (i == 0) goto end;
    if (i > 40) goto out;
    return i;
    exit(3);
    int k;
out:
    k = i * 2;
    int r = k;
    if (r < 0) { exit(1); end: return 4; }
    return k;
}

static int cases(int i)
{
    switch (i % 4) {
        int w;
    case 1: ;
        int q;
        if (i > 900) break;
        q = 3;
        return q;
        exit(1);
    case 2: q = 5; w = 2; return q + w;
    case 3: if (i < 0) { puts("three"); exit(4); }
    default: return 9;
    }
    return 1;
}

/* Called from inside a region, where an iteration ends the program. */
static void bye(void)
{
    double s = 0;
    #pragma omp parallel for reduction(+: s)
    for (int i = 0; i < N; i++) {
        if (x[i] < -1e30) abort();
        s += x[i];
    }
    printf("bye %g\n", mode == 4 ? 0 : s);
}

static void reductions(void)
{
    double s = 0;
    int most = -5;
    if (mode == 1) a[N - 7] = -4;
    if (mode == 2) idx[88] = N;
    #pragma omp parallel for reduction(+: s) reduction(max: most)
    for (int i = 0; i < N; i++) {
        if (a[i] < 0) { fprintf(stderr, "%s is %d\n", "negative", a[i]); abort(); }
        s += a[i];
        if (find(i) > most) most = find(i);
        a[i]++;
    }
    printf("%g %d %d\n", s, most, a[0]);
}

static void choice(void)
{
    #pragma omp parallel for
    for (int i = 0; i < N; i++) {
        if (mode == 3 && x[i] == 5 && i < 8) { fprintf(stderr, "%d\n", i); exit(1); }
        #pragma omp critical
        if (x[i] > best) { best = x[i]; where = i; }
    }
    printf("%g %d\n", best, where % 13);
}

static void mapped(void)
{
    #pragma omp target data map(tofrom: x, a)
    {
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < N; i++) x[i] += 1;
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < N; i++) { x[i] *= 2; if (mode == 4 && i == 3) exit(9); a[i]--; }
    }
    printf("%g %d\n", x[4], a[4]);
}

static void constructs(const char *name)
{
    double s = 0;
    if (mode == 5) b[N - 1] = 5001;
    #pragma omp parallel for reduction(+: s)
    for (int i = 0; i < N; i++) {
        CHECK(i + mode < N + 9);
        s += table(b[i]) + kind(b[i] % 2);
    }
    #pragma omp parallel for default(none) shared(a, b, name, stderr, mode)
    for (int i = 0; i < N; i++) {
        if (mode == 6 && i == 17) {
            #pragma omp critical
            { fprintf(stderr, "for %s\n", name); exit(33); }
        }
        b[i] = labels(i % 60) + cases(i) - labels(i % 60) - cases(i) + jump(i % 50 - (mode == 7 && i == 99) * 1000);
    }
    #pragma omp parallel for collapse(2)
    for (int i = 0; i < 10; i++)
        for (int j = 0; j < 30; j++) {
            assert(i * j < 5000 && "in range");
            b[i * 30 + j] += kind(b[j] % 2);
            #pragma omp atomic
            count++;
        }
    printf("%g %d\n", s, count);
}

static void team(const char *name)
{
    int last = 0;
    #pragma omp parallel
    {
        #pragma omp for lastprivate(last) nowait
        for (int i = 0; i < N; i++) {
            last = b[i];
            if (last == -77777) { fprintf(stderr, "x %s", name); exit(1); }
        }
        #pragma omp for
        for (int i = 0; i < N; i++) {
            a[i] += 1;
            if (mode == 8 && i == 3) { fprintf(stderr, "in a team\n"); _Exit(13); }
        }
        #pragma omp single
        printf("%d\n", last);
    }
}

static double stopping(double u, double v)
{
    if (u > 1e20) exit(1);
    return u + v;
}
#pragma omp declare reduction(guarded: double: omp_out = stopping(omp_out, omp_in)) initializer(omp_priv = 0)

int main(int argc, char **argv)
{
    double s = 0;
    mode = argc > 1 ? atoi(argv[1]) : 0;
    atexit(bye);
    for (int i = 0; i < N; i++) { idx[i] = i * 7 % N; x[i] = i % 13; a[i] = b[i] = i; }
    #pragma omp parallel for
    for (int i = 0; i < N; i++) {
        assert(idx[i] >= 0 && idx[i] < N);
        a[idx[i]] = i;
    }
    reductions();
    choice();
    mapped();
    constructs(argc > 0 ? "somebody" : "nobody");
    team("nobody");
    #pragma omp parallel for reduction(guarded: s)
    for (int i = 0; i < N; i++)
        s += a[i];
    bye();
    if (mode == 9) exit(0);
    printf("end %g\n", s);
    return 0;
}
