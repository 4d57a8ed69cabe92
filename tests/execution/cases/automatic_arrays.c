/* Automatic arrays stay on the device as long as their scope lasts, however control leaves it or comes into it. */
/* args: */
/* plain: contexts */
/* expect-gpu: 5 */
/* without: glue */
/* expect-host: OMPC321 */
/* refuses: OMPC451 OMPC452 */
/* flags: -std=gnu11 */
#define _GNU_SOURCE
#include <alloca.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#define N 10000
typedef struct { double at; float by[2]; int kind; } Cell;

static jmp_buf out;
static sigjmp_buf out_of_handler;
static double *watched, seen;

static void grow(double *x, int n, double by)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] += by * (i % 7 + 1);
}
/* Of x nobody knows which elements. */
static void permute(double *x, const int *where, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[where[i]] += i;
}
static double sum(const double *x, int n)
{
    double s = 0;
    #pragma omp parallel for reduction(+:s)
    for (int i = 0; i < n; i++)
        s += x[i];
    return s;
}
static double on_host(const double *x, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += x[i] * (i % 5 + 1);
    return s;
}
static void fill(double *x, int n)
{
    for (int i = 0; i < n; i++)
        x[i] = i % 10;
}
/* Host code alone, deep below, or where the arrays of others were. */
static double deep(int depth)
{
    volatile double w[4000];
    memset((void *)w, depth, sizeof w);
    w[100] = depth;
    return depth == 0 ? w[3999] : w[100] + deep(depth - 1);
}

/* ---- steps in time, two levels down ---- */
static void relax(int n, double (*u)[n], double (*v)[n])
{
    #pragma omp parallel for
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            v[i][j] = (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]) / 4;
}
static void two(int n, double (*u)[n], double (*v)[n])
{
    relax(n, u, v), relax(n, v, u);
}
static void steps(void)
{
    double u[110][110], v[110][110] = {{1, 2}, {3}}, trace = 0, small[3] = {1, 2, 3};
    for (int i = 0; i < 110; i++)
        for (int j = 0; j < 110; j++)
            u[i][j] = v[i][j] = i * j % 13;
    for (int t = 0; t < 6; t++) {
        two(110, u, v);
        trace += u[t + 1][5] + deep(t);
        if (t == 3)
            u[50][50] = 100, v[0][0] = small[t - 1];
    }
    printf("steps %.9g %.9g %.9g %zu\n", trace, on_host(u[0], 110 * 110), on_host(v[7], 110), sizeof u);
}

/* ---- every way out ---- */
static double leaves(int how)
{
    double a[N], s = 0;
    fill(a, N), grow(a, N, how);
    if (how == 0)
        return 1;
    for (int k = 0; k < 5; k++) {
        double b[N], c[N + 100];
        fill(b, N), grow(b, N, k), grow(c + 3, 0, 1);
        if (k == how)
            break;
        if (k + how == 4)
            continue;
        if (how == 4 && k == 2)
            goto end;
        if (how == 3 && k == 2)
            return a[5] + b[4];
        {
            double b[2 * N];
            fill(b, 2 * N), grow(b, 2 * N, k), s += b[N];
        }
        s += b[k];
    }
    s += on_host(a, N);
end:
    return s + a[how];
}

/* ---- every way in: the declaration is passed by ---- */
static double enters(int how)
{
    double s = 0;
    if (how == 1)
        goto inside;
    {
        double a[N];
        fill(a, N), grow(a, N, 1), s = a[3];
    inside:
        fill(a, N), grow(a, N, how), permute(a, (int[]){4, 3, 9}, 3), s += a[9] + a[3];
    }
    switch (how) {
        double b[N];
    case 0:
        fill(b, N), grow(b, N, 1), s += b[1];
        break;
    case 2: {
        double c[N];
        fill(c, N), grow(c, N, 3), s += c[1];
    }
    default:
        fill(b, N), grow(b, N, 2), s += b[2];
    }
again:;
    double d[N];
    fill(d, N), grow(d, N, s), s += sum(d, N);
    if (s < 1e6)
        goto again;
    return s;
}

/* ---- lengths that change, what alloca gives next to them ---- */
static double lengths(int n)
{
    double s = 0;
    for (int k = 0; k < 6; k++) {
        double w[n >> k], *v = alloca((n >> k) * sizeof *v), (*rows)[100] = (void *)w;
        int m = n >> k;
        fill(w, m), fill(v, m);
        grow(w, m, k), permute(w, (int[]){2, 0, 1}, 3);
        grow(v, m, w[2]), permute(v, (int[]){2, 0, 1}, 3);
        s += v[m - 1] + w[m - 1] + rows[1][5] + on_host(v, m) + deep(2);
        n += 100;
    }
    return s;
}

static double recursive(int depth, double *above)
{
    double w[N + 7], s = 0;
    fill(w, N + 7), grow(w, N + 7, depth);
    if (above)
        permute(above, (int[]){7, 5, 6}, 3), grow(above, N, w[3]);
    if (depth > 0)
        s = recursive(depth - 1, w);
    return s + w[5] + (depth == 2 ? on_host(w, N) : 0);
}

static double cells(int n)
{
    Cell c[3000], sum = {0, {0}, 0}, *p = c;
    const double table[9000] = {1, 2, [8999] = 7};
    #pragma omp parallel for
    for (int i = 0; i < 3000; i++)
        c[i].at = table[i * 3 % 9000] + i, c[i].by[1] = n, c[i].kind = i % 3;
    for (int i = 0; i < 3000; i += 100)
        sum.at += p[i].at + p[i].by[1] * p[i].kind;
    return sum.at + sizeof c / sizeof *c;
}

/* ---- jumps out of frames ---- */
static void jumper(int depth, double *outer)
{
    double w[N];
    fill(w, N), grow(w, N, depth), grow(outer, N, w[0]);
    if (depth == 0)
        longjmp(out, (int)w[9] + 1);
    jumper(depth - 1, outer);
    seen += w[0];
}
static double jumps(void)
{
    double mine[N], s;
    fill(mine, N), grow(mine, N, 1);
    int jumped = setjmp(out);
    if (jumped == 0)
        jumper(5, mine);
    s = deep(40) + mine[8];
    grow(mine, N, jumped), permute(mine, (int[]){2, 0, 1}, 3);
    for (int k = 0; k < 2; k++)
        s += leaves(k + 2) + jumped;
    return s + on_host(mine, N);
}

/* ---- signals: on the stack whose pages are guarded ---- */
static void handler(int number)
{
    double own[N];
    fill(own, N);
    seen += deep(30) + watched[3] + on_host(own, N);
    watched[4] += number == SIGUSR1;
    if (number == SIGUSR2)
        siglongjmp(out_of_handler, 1);
}
static double signals(void)
{
    double a[N], b[N];
    fill(a, N), fill(b, N), grow(a, N, 1), grow(b, N, 1);
    watched = a;
    raise(SIGUSR1);
    grow(a, N, 2);
    raise(SIGUSR1);
    grow(a, N, 2), grow(b, N, a[4]);
    if (sigsetjmp(out_of_handler, 1) == 0)
        raise(SIGUSR2);
    grow(a, N, 1), grow(b, N, 1);
    return seen + on_host(a, N) + b[5] + deep(10);
}

/* ---- a child that goes on, and returns from where its parent had arrays on the device ---- */
static double in_child(int n)
{
    double a[N], b[N];
    fill(a, N), fill(b, N), grow(a, N, n), grow(b, N, n);
    pid_t child = fork();
    if (child == 0)
        return a[3] - 100;
    grow(b, N, 1);
    int status = 0;
    waitpid(child, &status, 0);
    return on_host(a, N) + b[3] + WEXITSTATUS(status);
}
static void forks(void)
{
    double s = in_child(1);
    if (s < 0)
        _exit((int)deep(30) % 50);
    printf("forks %g\n", s);
}

/* ---- by all threads at once ---- */
static void at_once(void)
{
    double s[4];
    #pragma omp parallel for num_threads(4) schedule(static, 1)
    for (int k = 0; k < 4; k++) {
        double own[N];
        fill(own, N), grow(own, N, k);
        s[k] = own[9] + recursive(1, own) + leaves(k);
    }
    printf("at once %g %g %g %g\n", s[0], s[1], s[2], s[3]);
}

static void back_to(ucontext_t *place, int *count, double *outer)
{
    double w[N];
    fill(w, N), grow(w, N, *count), grow(outer, N, w[1]);
    if (++*count < 3)
        setcontext(place);
    outer[0] += w[2];
}
static void contexts(void)
{
    double mine[N];
    ucontext_t place;
    volatile int count = 0;
    fill(mine, N);
    getcontext(&place);
    grow(mine, N, deep(30));
    back_to(&place, (int *)&count, mine);
    printf("contexts %g %d\n", on_host(mine, N), count);
}

static void last(void)
{
    printf("last %g\n", on_host(watched, N));
}

int main(int argc, char **argv)
{
    double whole[2 * N], *half = whole + N;
    double (*h)[40] = calloc(40, sizeof *h), (*g)[40] = calloc(40, sizeof *g);   /* known at every level */
    relax(40, h, g), permute(g[0], (int[]){3, 1}, 2);
    (void)argv;
    signal(SIGUSR1, handler), signal(SIGUSR2, handler);
    fill(whole, 2 * N), grow(whole, 2 * N, 1);
    steps();
    for (int k = 0; k < 6; k++)
        printf("leaves %.12g\n", leaves(k));
    for (int k = 0; k < 4; k++)
        printf("enters %.12g\n", enters(k));
    grow(half, N, 1);
    printf("lengths %.12g %.12g\n", lengths(90000), lengths(6000));
    printf("recursive %.12g cells %.12g\n", recursive(5, half), cells(3));
    printf("jumps %.12g signals %.12g\n", jumps(), signals());
    grow(half, N, 1);
    forks(), at_once();
    if (argc > 1)
        contexts();
    grow(half, N, 1);
    printf("whole %.12g %.12g\n", on_host(whole, 2 * N), on_host(g[0], 40));
    free(h), free(g);
    grow(half, N, 1);
    watched = half, atexit(last);
    exit(0);
}
