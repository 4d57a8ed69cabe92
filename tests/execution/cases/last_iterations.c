/* Statements and loops behind a loop, as one more iteration of it; and those that must stay behind it. */
/* args: 40 33 29 */
/* args: 5 1 1 */
/* args: 3 0 4 */
/* args: 3 -2 4 */
/* args: 3 4 -1 */
/* expect-gpu: 15 */
/* expect-added: 0 */
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 64 };

static double a[MOST][MOST][MOST], b[MOST][MOST], c[MOST];
static int numbers[MOST][MOST], ends[MOST];
static int y = 7;

static void reset(void)
{
    for (int k = 0; k < MOST; k++)
        for (int i = 0; i < MOST; i++) {
            numbers[k][i] = k * i % 19;
            b[k][i] = (k * 31 + i * 7) % 23;
            for (int j = 0; j < MOST; j++)
                a[k][i][j] = (k * 5 + i * 3 + j) % 17;
            c[k] = k;
            ends[k] = -1;
        }
}

static void show(const char *what)
{
    double sum = 0;
    for (int k = 0; k < MOST; k++)
        for (int i = 0; i < MOST; i++) {
            sum += (k % 7 + 1) * b[k][i] + (i % 5 + 1) * numbers[k][i];
            for (int j = 0; j < MOST; j++)
                sum += ((k + 2 * i + 3 * j) % 11 + 1) * a[k][i][j];
            sum += c[k] * 3 + ends[k];
        }
    printf("%s %.9e\n", what, sum);
}

/* A last row and a last column, with variables of an iteration. */
static void border(int planes, int rows, int columns)
{
#pragma omp parallel for
    for (int z = 0; z < planes; z++) {
        double curl, next;
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < columns; j++) {
                curl = a[z][i][j] * 0.5;
                next = curl + b[z][i];
                a[z][i][j] = next * 0.25;
            }
            curl = a[z][i][columns + 3];
            a[z][i][columns + 3] = curl * 0.125;
        }
        for (int j = 0; j < columns; j++) {
            next = a[z][rows + 3][j] + 1;
            a[z][rows + 3][j] = next * 2;
        }
        a[z][rows + 3][columns + 3] = 4;
    }
}

/* One statement behind the loop; from another number, to a sum. */
static void one_statement(long n, long m)
{
#pragma omp parallel for
    for (long i = 0; i < n; i++) {
        for (long j = 1; j < m - 1; j++)
            b[i][j] *= 3;
        c[i] = i * 0.5;
    }
}

static void constant(int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        for (int j = 2; j < 50; j++)
            b[i][j] += j;
        ends[i] = 50;
        if (i % 2)
            ends[i] = 49;
    }
}

/* What stands behind reads what iterations have written. */
static void reads(int n, int m)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++)
            b[i][j] += j;
        c[i] = b[i][0];
    }
}

/* It writes what they read, or write. */
static void writes(int n, int m)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++)
            b[i][j] += c[i];
        c[i] = 2;
    }
}

static void the_same(int n, int m)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++)
            b[i][j] = j;
        b[i][3] = -1;
    }
}

/* It wants the counter, or another variable of that name. */
static void counter(int n, int m)
{
    int j;
#pragma omp parallel for private(j)
    for (int i = 0; i < n; i++) {
        for (j = 0; j < m; j++)
            numbers[i][j] = i + j;
        ends[i] = j;
    }
}

static void same_name(int n, int m)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        for (int y = 0; y < m; y++)
            numbers[i][y] = i - y;
        ends[i] = y;
    }
}

/* A value that iterations hand on. */
static void sum(int n, int m)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < m; j++)
            sum += b[i][j];
        c[i] = sum;
    }
}

/* The loop may end early; iterations are left out; others have no end that is known. */
static void early(int n, int m)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) {
            if (numbers[i][j] == 5)
                break;
            b[i][j] = 0;
        }
        c[i] = 1;
    }
}

static void left_out(int n, int m)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) {
            if (j == 3)
                continue;
            b[i][j] = 1;
        }
        if (i == 2)
            continue;
        c[i] = 1;
    }
}

static void by_number(int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < numbers[i][1]; j++)
            b[i][j] = 1;
        c[i] = 1;
    }
}

/* Down, and by two. */
static void otherwise(int n, int m)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        for (int j = m - 1; j >= 0; j--)
            b[i][j] = j;
        c[i] = 9;
        for (int j = 0; j < m; j += 2)
            b[i][j] = -j;
    }
}

/* Up to the column itself, and a loop that would be one thread's. */
static void with_itself(int n, int m)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= m; j++)
            b[i][j] = j;
        c[i] = 9;
    }
}

static void long_one(int n, int m)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++)
            b[i][j] = j;
        for (int j = 1; j < 40; j++)
            a[i][j][0] += a[i][j - 1][0];
    }
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 40, rows = argc > 2 ? atoi(argv[2]) : 33, columns = argc > 3 ? atoi(argv[3]) : 29;
    reset();
    border(n, rows, columns);
    show("border");
    one_statement(n, columns);
    show("one statement");
    constant(n);
    show("constant");
    reads(n, rows);
    show("reads");
    writes(n, rows);
    show("writes");
    the_same(n, rows);
    show("the same");
    counter(n, rows);
    show("counter");
    same_name(n, rows);
    show("same name");
    sum(n, rows);
    show("sum");
    early(n, columns);
    show("early");
    left_out(n, columns);
    show("left out");
    by_number(n);
    show("by number");
    otherwise(n, rows);
    show("otherwise");
    with_itself(n, rows);
    show("with itself");
    long_one(n, rows);
    show("long one");
    return 0;
}
