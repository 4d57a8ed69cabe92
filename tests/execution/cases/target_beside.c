/* Loops beside other code of target and teams regions: who runs the code, whose copies it uses, where the data is. */
/* args: 1500 */
/* args: 40 1 */
/* expect-gpu: 28 */
/* without: glue */
/* expect-host: OMPC332 OMPC332 OMPC332 OMPC355 OMPC353 */
/* refuses: OMPC470 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#define N 1500
static double a[N], b[N];
static int scale = 3, shift = 2;
static int *table;
int plus_scale(int i) { return i + scale; }
int plus_shift(int i) { return i + shift; }
int of_table(int i) { return table[i % 4]; }

static double sum(const double *p, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) s += p[i] * (i % 3 + 1);
    return s;
}

/* The threads of `target parallel` run the code beside; loops are launched for all of them. */
static void threads(int n)
{
    double total = 0, most = 0;
    int seen = 0, size = 1;
    #pragma omp target parallel num_threads(3) map(tofrom: a, total, seen, size, most)
    {
        int step = 2;
        #pragma omp loop
        for (int i = 0; i < n; i++) a[i] = i * step;
        #pragma omp single
        { a[1] += 100; size = omp_get_num_threads(); }
        #pragma omp for reduction(+: total)
        for (int i = 0; i < n; i++) total += a[i];
        #pragma omp atomic
        seen++;
        #pragma omp barrier
        #pragma omp for reduction(max: most) nowait
        for (int i = 0; i < n; i++) if (a[i] > most) most = a[i];
    }
    #pragma omp target parallel reduction(+: total) if(parallel: n > 100) firstprivate(shift)
    {
        #pragma omp for
        for (int i = 0; i < n; i++) total += a[i] * shift;
    }
    printf("threads %g %g %g %d\n", sum(a, n), total, most, seen == size);
}

/* One team: its thread runs the code beside. Several: each runs `parallel` loops, and shares no other. */
static void league(int n, int teams)
{
    double s = 0, t = 0;
    int number = 0;
    #pragma omp target teams map(tofrom: s, number)
    {
        double own = 1, part = 0;
        #pragma omp distribute parallel for
        for (int i = 0; i < n; i++) a[i] += own;
        own = a[3];
        #pragma omp distribute
        for (int i = 0; i < n; i++) own += i % 3;
        number = omp_get_num_teams();
        #pragma omp distribute
        for (int i = 0; i < n; i++) part += i % 3;
        s += own;
        s += part;
    }
    #pragma omp target teams num_teams(teams) map(tofrom: s) reduction(+: s)
    {
        #pragma omp distribute parallel for
        for (int i = 0; i < n; i++) b[i] = a[i] + i;
        #pragma omp parallel for reduction(+: s)
        for (int i = 0; i < 10; i++) s += i;
    }
    #pragma omp teams num_teams(2) reduction(+: t)
    {
        int first = omp_get_team_num() * (n / 2);
        #pragma omp parallel for
        for (int i = first; i < first + n / 2; i++) b[i] += first;
        #pragma omp parallel reduction(+: t)
        {
            #pragma omp for
            for (int i = first; i < first + n / 2; i++) t += b[i];
        }
    }
    #pragma omp teams num_teams(1)
    {
        double last = 1;
        #pragma omp loop bind(teams)
        for (int i = 0; i < n; i++) b[i] *= 2;
        #pragma omp loop
        for (int i = 0; i < n; i++) b[i] += 1;
        b[2] = last;
    }
    printf("league %g %g %g %d %g\n", sum(a, n), s, t, number, sum(b, n));
}

/* Mapped data and the host code of regions, directly and in functions. */
static void doubled(double *p, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) p[i] *= 2;
}
static void mapped(int n)
{
    double *p = malloc(n * 8 * sizeof *p), s = 0;
    for (int i = 0; i < n * 8; i++) p[i] = i % 17;
    #pragma omp target enter data map(to: p[0:n * 8])
    #pragma omp target data map(tofrom: b)
    {
        #pragma omp target map(tofrom: s)
        {
            #pragma omp parallel for
            for (int i = 0; i < n; i++) p[i] = 2 * i, b[i] = i;
            s = p[6] + b[7];
            p[4] = 300, b[5] = 200;
            #pragma omp parallel for
            for (int i = 0; i < n; i++) p[i] += b[i];
            doubled(p, n);
            s += p[6];
        }
        #pragma omp target
        {
            int twice = 2 * n;
            #pragma omp teams distribute parallel for
            for (int i = 0; i < n; i++) p[i] += twice;
        }
        #pragma omp target
        {
            doubled(p, n);
            s = p[8], p[9] += 1;
        }
        #pragma omp target parallel num_threads(2) map(tofrom: s)
        {
            #pragma omp for
            for (int i = 0; i < n; i++) p[i] += 1;
            #pragma omp single
            s += p[3];
            #pragma omp for
            for (int i = 0; i < n; i++) b[i] += p[i];
        }
        #pragma omp target map(tofrom: s)
        s += p[10] + b[11];
    }
    #pragma omp target exit data map(from: p[0:n * 8])
    printf("mapped %g %g %g\n", s, sum(p, n * 8), sum(b, n));
    free(p);
}

/* The number of teams, stored by a loop that they share, or asked otherwise. */
static void sizes(int n)
{
    int of[N], s = 0;
    #pragma omp target teams distribute map(from: of)
    for (int i = 0; i < n; i++) of[i] = omp_get_num_teams();
    #pragma omp target teams distribute parallel for num_teams(4) map(tofrom: of, a)
    for (int i = 0; i < n / 2; i++) {
        of[i] = omp_get_num_teams();
        a[i] = omp_get_num_teams();
    }
    #pragma omp target teams distribute num_teams(2) map(tofrom: of)
    for (int i = 0; i < n / 3; i++) of[i] = omp_get_num_teams() + omp_get_team_num() * 0;
    for (int i = 0; i < n; i++) s += of[i] * (i % 5);
    printf("sizes %d %g\n", s, sum(a, n));
}

/* A called function uses the variable itself, the region a copy. */
static void copies(int n)
{
    int values[4] = {5, 6, 7, 8};
    table = values;
    scale = 5;
    #pragma omp target
    {
        scale = 7;
        #pragma omp parallel for
        for (int i = 0; i < n; i++) a[i] = plus_scale(i);
    }
    #pragma omp target
    {
        #pragma omp parallel for
        for (int i = 0; i < n; i++) a[i] += plus_shift(i) + of_table(i);
        a[0] += 1;
    }
    #pragma omp parallel private(scale)
    {
        scale = 9;
        #pragma omp for
        for (int i = 0; i < n; i++) b[i] = plus_scale(i);
    }
    #pragma omp target map(tofrom: scale)
    {
        scale = 8;
        #pragma omp parallel for
        for (int i = 0; i < n; i++) b[i] += plus_scale(i);
    }
    printf("copies %g %g %d\n", sum(a, n), sum(b, n), scale);
}

/* One thread runs all iterations, each after the one before. */
static void in_order(int n)
{
    #pragma omp target teams
    {
        a[0] = 1;
        #pragma omp distribute parallel for
        for (int i = 1; i < n; i++) a[i] = 1;
    }
    #pragma omp target teams distribute num_teams(1)
    for (int i = 1; i < n; i++) a[i] += a[i - 1];
    #pragma omp target teams distribute num_teams(1)
    for (int i = 1; i < n; i++) b[i] += a[i];
    #pragma omp teams
    {
        int one = 1;
        #pragma omp distribute parallel for
        for (int i = 0; i < n; i++) b[i] += one;
    }
    printf("in order %g %g\n", sum(a, n), sum(b, n));
}

/* A region that runs when the program waits for it. With gcc 12, no `parallel` may come after it. */
static void deferred(int n)
{
    double *p = calloc(n * 8, sizeof *p), s = 0;
    #pragma omp target data map(tofrom: p[0:n * 8], s)
    {
        #pragma omp target teams distribute
        for (int i = 0; i < n; i++) p[i] += 3;
        #pragma omp target nowait map(tofrom: s)
        s += p[12], p[13] = 7;
        #pragma omp target teams distribute
        for (int i = 20; i < n; i++) p[i] += 1;
        #pragma omp taskwait
        #pragma omp target teams distribute
        for (int i = 0; i < n; i++) p[i] *= 2;
    }
    printf("deferred %g %g\n", s, sum(p, n));
    free(p);
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    threads(n);
    league(n, argc > 2 ? 1 : 3);
    mapped(n);
    sizes(n);
    copies(n);
    in_order(n);
    deferred(n);
    return 0;
}
