/* Loops that follow each other and use the same elements, and stay two: one kernel for both would give another answer, or
   nobody knows that it would not. */
/* args: 1000 */
/* args: 37 */
/* args: 2 */
/* args: 0 */
/* expect-gpu: 52 */
/* expect-fused: 0 */
#include <stdio.h>
#include <stdlib.h>
#define M 40

static double a[4096], b[4096], c[4096], d[4096];
static int at[4096];
static double left[M][M], right[M][M], product[M][M];
static double total;

static double sum_of(const double *x, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += x[i] * (i % 7 + 1);
    return s;
}

static void show(const char *what, int n)
{
    printf("%s %.12g %.12g %.12g %.12g\n", what, sum_of(a, n), sum_of(b, n), sum_of(c, n), sum_of(d, n));
}

static void begin(int n)
{
    for (int i = 0; i < n; i++) {
        a[i] = i % 11;
        b[i] = i % 5 - 2;
        c[i] = 1;
        d[i] = 0.5 * i;
        at[i] = n - 1 - i;
    }
}

/* What the second loop reads or writes is another iteration's. */
static void of_others(int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = b[i] + i;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        c[i] = b[i] + a[i + 1];
    show("next", n);
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        c[i] = a[n - 1 - i] + b[i];
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = b[i] - 1;
    show("from behind", n);
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = b[i] + 2;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        d[i] = b[i] * a[at[i]];
    show("somewhere", n);
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = b[i];
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i + 1] = b[i] + 3;
    show("twice", n);
}

/* Other iterations. */
static void counted(int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = b[i];
#pragma omp parallel for
    for (int i = 0; i <= n; i++)
        c[i] = a[i];
    show("one more", n);
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = c[i] + 1;
#pragma omp parallel for
    for (int i = n - 1; i >= 0; i--)
        b[i] = a[i];
#pragma omp parallel for
    for (int i = 0; i < n; i += 2)
        c[i] = b[i];
    show("another way", n);
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        c[i] = b[i] + 1;
#pragma omp parallel for
    for (unsigned i = 0; i < (unsigned)n; i++)
        d[i] = c[i];
    show("another type", n);
}

/* Bounds that the first loop might change. */
static void changed(int n, int *limit)
{
    *limit = n;
#pragma omp parallel for
    for (int i = 0; i < *limit; i++) {
        a[i] = b[i] + 4;
        at[i] = i;
    }
#pragma omp parallel for
    for (int i = 0; i < *limit; i++)
        c[i] = a[i];
    show("bounds", n);
}

/* An iteration of the first loop goes on with the next one. */
static void goes_on(int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        a[i] = b[i];
        if (i % 3 == 0)
            continue;
        a[i] += 5;
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        c[i] = a[i] + 1;
    show("continue", n);
}

/* Results of the first loop: by name, by a pointer, by a function. */
static double with_total(double x)
{
    return x + total;
}

static void results(int n, double *p)
{
    double s = 0;
    int found = 0;
    total = 0;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++)
        s += a[i];
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        c[i] = a[i] + s;
    show("sum", n);
#pragma omp parallel for reduction(+ : total)
    for (int i = 0; i < n; i++)
        total += a[i];
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        d[i] = a[i] + *p;
    show("by a pointer", n);
#pragma omp parallel for reduction(+ : total)
    for (int i = 0; i < n; i++)
        total += a[i];
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        d[i] = with_total(a[i]);
    show("by a function", n);
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        if (a[i] > 3) {
#pragma omp atomic
            found++;
        }
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        b[i] = a[i] + found;
    show("counted", n);
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++)
        s += a[i] / 64;
#pragma omp parallel for reduction(max : s)
    for (int i = 0; i < n; i++)
        s = a[i] > s ? a[i] : s;
    printf("two operators %.12g\n", s);
}

/* One name, two variables; one variable, two meanings. */
static void named(int n)
{
    double *k = b, t = 7;
    int i, j;
#pragma omp parallel for
    for (int k = 0; k < n; k++)
        a[k] = c[k] + 1;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        d[i] = a[i] + k[i];
    show("hidden", n);
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = c[i] + 2;
#pragma omp parallel for
    for (int j = 0; j < n; j++) {
        int i = j % 4;
        d[j] = a[j] + i;
    }
    show("declared inside", n);
#pragma omp parallel for
    for (i = 0; i < n; i++)
        a[i] = c[i] + 3;
#pragma omp parallel for private(i)
    for (j = 0; j < n; j++) {
        i = j % 5;
        d[j] = a[j] + i;
    }
    show("private", n);
#pragma omp parallel for private(t)
    for (i = 0; i < n; i++) {
        t = c[i];
        a[i] = t * t;
    }
#pragma omp parallel for
    for (i = 0; i < n; i++)
        d[i] = a[i] + t;
    show("shared", n);
#pragma omp parallel for firstprivate(t)
    for (i = 0; i < n; i++) {
        t = c[i] + 1;
        a[i] = t * t;
    }
#pragma omp parallel for firstprivate(t)
    for (i = 0; i < n; i++)
        d[i] = a[i] + t;
    show("copied", n);
}

/* Clauses by which the loops differ, or ask more than a launch knows. */
static void clauses(int n)
{
    double last = 0;
#pragma omp parallel for if (n > 50)
    for (int i = 0; i < n; i++)
        a[i] = b[i] + 6;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        c[i] = a[i] + 1;
#pragma omp parallel for num_threads(2)
    for (int i = 0; i < n; i++)
        d[i] = c[i] + 1;
    show("clauses", n);
#pragma omp parallel for lastprivate(last)
    for (int i = 0; i < n; i++) {
        last = d[i];
        a[i] = last + 1;
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        b[i] = a[i] * 2;
    printf("last %.12g\n", n > 0 ? last : 0);
    show("lastprivate", n);
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        c[i] = b[i] + 3;
#pragma omp parallel for lastprivate(last)
    for (int i = 0; i < n; i++) {
        last = c[i];
        d[i] = last - 1;
    }
    printf("last again %.12g\n", n > 0 ? last : 0);
    show("lastprivate again", n);
}

/* Nothing is saved: other arrays, other elements, loaded here and stored there; something is lost: tiles. */
static void worth_nothing(int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = 1;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        b[i] = 2;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        c[i] = d[i];
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        d[i] = 3;
    show("worth nothing", n);
#pragma omp parallel for collapse(2)
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++) {
            double s = 0;
            for (int k = 0; k < M; k++)
                s += left[i][k] * right[k][j];
            product[i][j] = s;
        }
#pragma omp parallel for collapse(2)
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++)
            product[i][j] += 1;
    printf("tiles %.12g\n", sum_of(&product[0][0], M * M));
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 37, limit;
    begin(n + 2);
    for (int i = 0; i < M * M; i++) {
        left[i / M][i % M] = i % 3;
        right[i / M][i % M] = i % 4;
    }
    of_others(n);
    counted(n);
    changed(n, &limit);
    goes_on(n);
    results(n, &total);
    named(n);
    clauses(n);
    worth_nothing(n);
    return 0;
}
