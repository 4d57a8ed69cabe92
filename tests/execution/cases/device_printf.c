/* What iterations print comes out after the launch, as the sequential program would print it. */
/* args: 1 */
/* args: 40 */
/* expect-gpu: 12 */
/* expect-host: OMPC344 OMPC362 OMPC362 OMPC362 OMPC362 OMPC362 OMPC362 OMPC362 OMPC362 OMPC348 OMPC320 */
#include <inttypes.h>
#include <omp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define N 120
enum color { RED, GREEN = 5 };
struct s { char c; unsigned b : 5; float f; short h; double *p; } v[N];
static int a[N], count, best = -1;
static double x[N];

static double noted(double y, int i)
{
    if (i % 50 == 0) fprintf(stderr, "noted: %d %.17g\n", i, y);
    return y * 2;
}

static void report(int i, char what)
{
    printf("%c%3d|", what, i);
    if (i & 1) puts("odd"); else { fputs("even", stdout); putchar('\n'); }
}

static int shown(int i)
{
    fputc('.', stderr);
    return i * 7 % 31;
}

static void formats(void)
{
    size_t z = 7;
    uint64_t u = 1ull << 60;
    bool yes = true;
    double s = 0;
    #pragma omp parallel for reduction(+: s)
    for (int i = 0; i < N; i++) {
        if (i % 9 == 0)
            printf("%d: %g %s\n", i, x[i], "a \"text\" of 100 %" "\x21\n");
        if (i % 20 == 3)
            printf("%5.2f|%-8d|%+i|%x|%u|%c|%%|%zu|%" PRIu64 "|%hhd|%hd|%ld|%e\n", v[i].f, a[i], i, i, 3u, v[i].c, z, u,
                   v[i].c, v[i].h, (long)i << 33, x[i]);
        if (i % 33 == 0) {
            printf("%*d %.*f %s\n", 8, i, 3, x[i], i % 2 ? "odd" : i % 3 ? "even" : "six");
            (void)fflush(stdout);
        }
        s += noted(x[i], i);
        if (i == 7) report(i, 'r'), report(i + 1, '\n');
        if (i > 115) fprintf(stdout, "%d %d %d %d %c\n", yes, i > 117, v[i].b, GREEN, '@' + 'A' - '@');
    }
    printf("sum %g\n", s);
}

static void nests(int n)
{
    #pragma omp parallel for collapse(2) schedule(dynamic)
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 4; j++) { a[i * 4 + j]++; printf("(%d,%d)", i, j); }
    puts("");
    #pragma omp parallel for
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < n % 7; j++) { x[i * 6 + j] = j; printf("<%d %d>", i, j); }
    puts("");
    #pragma omp parallel for collapse(2)
    for (int i = 0; i < 5; i++)
        for (int j = i; j < 5; j++) printf("[%d %d]", i, j);
    puts("");
}

static void sections_and_teams(int n)
{
    #pragma omp parallel for
    for (int i = 0; i < 6; i++) {
        #pragma omp critical
        {
            printf("critical %d", i);
            if (i < 3) printf("%s\n", i % 2 ? " odd" : " even"); else puts("");
        }
    }
    #pragma omp parallel for
    for (int i = 0; i < 20; i++) {
        #pragma omp critical(counting)
        count += 2;
        if (i % 7 == 0) {
            #pragma omp critical(printing)
            printf("%d is %d\n", i, a[i]);
        }
    }
    #pragma omp parallel
    {
        #pragma omp for
        for (int i = 0; i < 9; i++) { a[i] = i; printf("t%d ", i); }
        #pragma omp single
        printf("single\n");
        #pragma omp for
        for (int i = 0; i < 9; i++) (void)printf("u%d ", a[i]);
    }
    #pragma omp target teams distribute parallel for map(tofrom: a) num_teams(1) num_threads(1)
    for (int i = 0; i < 9; i++) { a[i]++; printf("target %d\n", a[i]); }
    #pragma omp parallel for
    for (long i = 0; i < n; i++) {
        if (i % 3) continue;
        printf("%ld\n", i);
        #pragma omp atomic
        count++;
    }
    printf("%d\n", count);
}

static void choices(void)
{
    int most = -1;
    #pragma omp parallel for reduction(max: most)
    for (int i = 0; i < N; i++) {
        most = shown(i) > most ? shown(i) : most;
        if (i == 77) { printf("%s %d\n", "about to stop", i); if (count < 0) exit(1); }
    }
    #pragma omp parallel for
    for (int i = 0; i < 40; i++) {
        if (i % 8 == 0) printf("best? %d\n", i);
        #pragma omp critical
        if (a[i] * 3 % 17 > best) best = a[i] * 3 % 17;
    }
    printf("%d %d\n", most, best);
    #pragma omp parallel for
    for (int i = 0; i < 40; i++)
        if (a[i]++ < -5) abort();
}

static void stay(const char *name, FILE *to, int n)
{
    int used = 0;
    #pragma omp parallel for
    for (int i = 0; i < n; i++) printf("%d %s\n", i, name);
    #pragma omp parallel for
    for (int i = 0; i < n; i++) fprintf(to, "%d\n", i);
    #pragma omp parallel for
    for (int i = 0; i < n; i++) a[i] = printf("%d\n", i);
    #pragma omp parallel for
    for (int i = 0; i < n; i++) printf("%p\n", (void *)&a[i]);
    #pragma omp parallel for
    for (int i = 0; i < n; i++) printf("%d %d\n", i);
    #pragma omp parallel for
    for (int i = 0; i < n; i++) printf("%ld\n", i);
    #pragma omp parallel for
    for (int i = 0; i < n; i++) printf("%Lf\n", (long double)i);
    #pragma omp parallel for
    for (int i = 0; i < n; i++) printf(name, i);
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        #pragma omp critical
        {
            used++;
            printf("%d\n", used);
        }
    printf("stayed %d\n", used);
}

static int told(int x, int y)
{
    if (x > 99999) puts("large");
    return x + y;
}
#pragma omp declare reduction(told: int: omp_out = told(omp_out, omp_in)) initializer(omp_priv = 0)

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1, s = 0;
    int threads = 1; /* a number that ompc does not see: the order of what is printed is gcc's, nothing else needs it */
    omp_set_num_threads(threads);
    for (int i = 0; i < N; i++) {
        a[i] = i; x[i] = i / 7.0; v[i].c = 'a' + i % 26; v[i].b = i; v[i].f = i * 0.5f; v[i].h = -i;
    }
    printf("before\n");
    formats();
    nests(n);
    sections_and_teams(n);
    choices();
    if (argc > 2) stay(argv[0], stdout, n);
    #pragma omp parallel for reduction(told: s)
    for (int i = 0; i < n; i++) s += a[i];
    printf("end %d\n", s);
    return 0;
}
