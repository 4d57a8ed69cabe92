/* Lengths of rows that arrays have in common, or do not: by one variable that nothing changes, by one that changes
   between the declarations, by another one of its name, by one that clauses change; told by their names, or not. */
/* expect-gpu: 7 */
/* expect-host: OMPC304 */
#include <stdio.h>
#include <stdlib.h>

static double a[600], b[600];

static void show(const char *what)
{
    double sum = 0;
    for (int k = 0; k < 600; k++) {
        sum = sum * 1.01 + a[k] - 2 * b[k];
        a[k] = k % 17;
        b[k] = k % 13;
    }
    printf("%s %.12g\n", what, sum);
}

static void common(int n, int m)
{
    double (*p)[m] = (void *)a, (*q)[m] = (void *)b;
#pragma omp parallel for
    for (int i = 1; i < n; i++)
        for (int j = 0; j < m; j++)
            q[i][j] = p[i - 1][j] + m;
    show("one length");
    {
        int m = n + 1; /* not the one by which p and q were declared */
        double (*r)[m] = (void *)b;
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            r[i][1] = p[i][2] + r[i][3] + m;
        show("another of its name");
    }
    {
        enum { m = 3 };
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            q[i][1] = p[i][2] + m;
        show("a number of its name");
    }
}

static void changed(int n, int m)
{
    double (*p)[m] = (void *)a;
    m += 3;
    double (*q)[m] = (void *)b;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        q[i][0] = p[i][1] + m;
    show("changed between");
}

static void by_pointer(int n, int m)
{
    int *const length = &m;
    double (*p)[m] = (void *)a;
    *length += 2;
    double (*q)[m] = (void *)b;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        q[i][0] = p[i][1];
    show("changed by a pointer");
}

static void by_clause(int n, int m)
{
    double (*p)[m] = (void *)a;
    double rest = 0;
#pragma omp parallel for linear(m : 1) reduction(+ : rest)
    for (int i = 0; i < 4; i++)
        rest += i;
    double (*q)[m] = (void *)b;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        q[i][0] = p[i][1] + rest;
    show("changed by a clause");
}

static void team(int n, unsigned m)
{
    double (*p)[m] = (void *)a, (*q)[m] = (void *)b;
#pragma omp parallel default(none) shared(p, q, n)
    {
#pragma omp for
        for (int i = 0; i < n; i++)
            q[i][2] = 3 * p[i][1];
    }
    show("a team that may not name it");
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 20;
    show("begin");
    common(n, 11);
    changed(n, 11);
    by_pointer(n, 11);
    by_clause(n, 11);
    team(n, 11);
    return 0;
}
