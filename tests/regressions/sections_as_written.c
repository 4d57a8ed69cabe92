/* on device: 19
   Sections in clauses, spelt in every way: blanks, comments, macros, continued lines, casts, constants that are no plain
   numbers, conditions, negative bounds. What is constant gives each thread its copies, however it is written. A section
   behind another pointer (`p[1].q[0:n]`) does not say how far `p` itself reaches: the memory of alloca is in no block. */
#include <stdio.h>

#define FIRST 2
#define PART k[FIRST : 4]
#define LENGTH(n) (n) /* of it */
#define ALL for (int i = 0; i < n; i++)

struct row { double *q; long w; };
static double named[40] __asm__("named_otherwise");

static void reduced(double *k_out, double *p, const int *at, int n)
{
    double k[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    double *middle = p + 5;
    #pragma omp parallel for reduction(+: k[2:4])
    ALL k[2 + i % 4] += i;
    #pragma omp parallel for reduction(+: k[2 : 4])
    ALL k[2 + i % 4] += i;
    #pragma omp parallel for reduction ( + : k [ ( 2 ) : (4) ] )
    ALL k[2 + i % 4] += i;
    #pragma omp parallel for reduction(+: k[FIRST /* two */ : \
        4 ])
    ALL k[2 + i % 4] += i;
    #pragma omp parallel for reduction(+: k[(int)2 : 2 * 2])
    ALL k[2 + i % 4] += i;
    #pragma omp parallel for reduction(+: PART)
    ALL k[2 + i % 4] += i;
    #pragma omp parallel for reduction(+: k[2u:])
    ALL k[2 + i % 4] += i;
    #pragma omp parallel for reduction(+: k[1 > 0 ? 2 : 1 : 'a' - 93])
    ALL k[2 + i % 4] += i;
    #pragma omp parallel for reduction(+: middle[-3:n / 10])
    ALL middle[-3 + i % 4] += i;
    #pragma omp parallel for reduction(+: p[n > 3 ? 0 : 1 : n])
    ALL p[at[i]] += i;
    #pragma omp parallel for reduction(+: p[0 : n > 3 ? n : 1])
    ALL p[at[i]] += i;
    #pragma omp parallel for reduction(+: named[2 : 4])
    ALL named[2 + i % 4] += i;
    for (int i = 0; i < 8; i++)
        k_out[i] = k[i];
}

static void mapped(struct row *rows, double **lines, double (*table)[4], double *p, const int *at, int n)
{
    #pragma omp target teams distribute parallel for map(rows[1].q[0:n]) map(rows[0:n])
    ALL rows[at[i]].w += i;
    #pragma omp target teams distribute parallel for map(rows[1].q[0:n])
    ALL rows[at[i]].w += i;
    #pragma omp target teams distribute parallel for map(tofrom: table[0:n][0:4])
    ALL table[at[i]][i % 4] += i;
    #pragma omp target teams distribute parallel for map(tofrom: p[-3:n])
    for (int i = 3; i < n; i++) p[at[i] - 3] += i;
    #pragma omp target teams distribute parallel for map( tofrom : p [ (int)0 \
        : n > 3 ? LENGTH( n ) : 1 ])
    ALL p[at[i]] += i;
    #pragma omp target teams distribute parallel for map(tofrom: p[n > 3 ? 0 : 1 : n])
    ALL p[at[i]] += i;
    #pragma omp target teams distribute parallel for map(always, tofrom: p[0 : n]) num_teams(n > 3 ? 2 : 3 : 4)
    ALL p[at[i]] += i;
    #pragma omp target teams distribute parallel for map(tofrom: lines[1][0:n])
    for (int i = 0; i < 1; i++) lines[at[i]][0] += i;
}

int main(void)
{
    enum { n = 100 };
    struct row *rows = __builtin_alloca(n * sizeof *rows);
    double *p = __builtin_alloca((n + 3) * sizeof *p), *line[2];
    double(*table)[4] = __builtin_alloca(n * sizeof *table);
    double k[8], sum = 0;
    int at[n];
    for (int i = 0; i < n; i++) {
        rows[i].q = p, rows[i].w = i, p[i] = i, at[i] = i * 7 % (n - 3);
        for (int j = 0; j < 4; j++)
            table[i][j] = j;
    }
    line[0] = line[1] = p;
    reduced(k, p, at, n);
    mapped(rows, line, table, p + 3, at, n - 3);
    for (int i = 0; i < n; i++)
        sum += i % 5 * rows[i].w + i % 7 * p[i] + i % 3 * (table[i][0] + 2 * table[i][3]);
    for (int i = 0; i < 8; i++)
        printf("%g %g ", k[i], named[i]);
    printf("%g\n", sum);
    return 0;
}
