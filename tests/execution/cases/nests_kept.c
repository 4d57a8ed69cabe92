/* Inner loops one after the other that do not become one, though each reason but one would let them: what stands between
   them, arrays and variables of an iteration, types of counters; pointers to rows with elements of another size. */
/* args: 7 5 */
/* args: 1 3 */
/* expect-gpu: 7 */
/* expect-added: 1 */
#include <stdio.h>
#include <stdlib.h>

#define N 24

static double a[N][N], b[N][N], c[N][N], wide[N][400];

static void show(const char *name)
{
    double sum = 0;
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++)
            sum += a[i][j] * (i * 3 + j) + b[i][j] * (i + j % 5 + 1) + c[i][j] * (i % 7 + 2 * j);
        for (int j = 0; j < 400; j++)
            sum += wide[i][j] * j;
    }
    printf("%s %.17g\n", name, sum);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = i * 2 + j, b[i][j] = j - i, c[i][j] = (i * j) % 5;
}

/* what stands between the loops is that of the last iteration */
static void value(int n, int m)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int most = 0;
        for (int j = 0; j < m; j++) {
            a[i][j] = i;
            most = j;
        }
        double d = most;
        for (int j = 0; j < m; j++)
            b[i][j] = d;
    }
    show("value");
}

static void add(double *s, double d) { *s += d; }

/* an element, and a variable behind a pointer, that go on to the next loop */
static void own(int n, int m)
{
    double w[N];
    #pragma omp parallel for private(w)
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) {
            w[0] = a[i][j] * 2;
            c[i][j] = w[0];
        }
        for (int j = 0; j < m; j++)
            b[i][j] += w[0];
    }
    show("element");
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double s = i;
        for (int j = 0; j < m; j++) {
            add(&s, a[i][j]);
            c[i][j] = j;
        }
        for (int j = 0; j < m; j++)
            b[i][j] += s;
    }
    show("behind a pointer");
}

/* an array that begins with values */
static void declaration(int n, int m)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double w[5] = {3, 1, 4, 1, 5};
        for (int j = 0; j < 5; j++)
            if (j < m - 2)
                w[j] = a[i][j];
        for (int j = 0; j < 5; j++)
            b[i][j] = w[j];
    }
    show("declaration");
}

/* no variable of the first loop's type counts as far as the second one does */
static void types(int n, int most)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        for (signed char q = 0; q < 10; q++)
            a[i][q] = q + i;
        for (int j = 0; j < most; j++)
            wide[i][j] = j + i;
    }
    show("types");
}

static void sizes(int n, int m)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int *row = (void *)a[i];
        for (int j = 0; j < m; j++)
            row[2 * j] = 0, row[2 * j + 1] = 0x3ff00000;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        const void *first = c[i];
        const int *row = first;
        for (int j = 0; j < m; j++)
            b[i][j] = row[2 * j + 1];
    }
    show("sizes");
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 1;
    const int n = atoi(argv[1]), m = atoi(argv[2]);
    show("begin");
    value(n, m);
    own(n, m);
    declaration(n, m);
    types(n, 60 * m);
    sizes(n, m);
    return 0;
}
