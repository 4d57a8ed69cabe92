/* Loops in which an iteration reads what later ones write: of old values, of values that are old and new, and of new ones. */
/* args: 37 41 */
/* args: 1 1 */
/* args: 70 3 */
/* expect-gpu: 19 */
/* expect-added: 5 */
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 70, COLUMNS = 90 };

static double table[ROWS][COLUMNS];
static struct {
    int weight[ROWS];
} all;

static double value(int k)
{
    return (k * 37 % 101 - 50) / 8.0;
}

static void fill(double *v, int count)
{
    for (int k = 0; k < count; k++)
        v[k] = value(k);
}

static void show(const char *what, const double *v, int count)
{
    double sum = 0;
    for (int k = 0; k < count; k++)
        sum += (k % 97 + 1) * v[k];
    printf("%s %.9e\n", what, sum);
}

/* Elements of later rows, and its own before and behind its assignment. */
static void multiply(int rows, int columns, double b[rows][columns], double a[rows][rows], double alpha)
{
#pragma omp parallel for
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++) {
            double sum = b[i][j];
            for (int k = i + 1; k < rows; k++)
                sum += a[k][i] * b[k][j];
            b[i][j] = alpha * sum;
            b[i][j] -= 1;
        }
}

/* All of the array is written, and its own row is read before that: what is there is wanted. */
static void from_own_row(int rows)
{
#pragma omp parallel for if (rows > 2)
    for (int j = 0; j < COLUMNS; j++)
        for (int i = 0; i < ROWS; i++) {
            double sum = 0;
            for (int k = i; k < ROWS; k++)
                sum += table[k][j] * (k - i + 1);
            table[i][j] = sum / ROWS;
        }
}

/* Rows that are read whole, into a row of the iteration's own, before they are stored. */
static void rows_by_matrix(int planes, int rows, int n, double u[planes][rows][n], double c[n][n])
{
#pragma omp parallel for
    for (int r = 0; r < planes; r++)
        for (int q = 0; q < rows; q++) {
            double product[n];
            for (int p = 0; p < n; p++) {
                product[p] = 0;
                for (int s = 0; s < n; s++)
                    product[p] += u[r][q][s] * c[s][p];
            }
            for (int p = 0; p < n; p++)
                u[r][q][p] = product[p] * 0.01;
        }
}

/* The same behind a first store, which is wanted: not the old values. */
static void rows_behind_a_store(int rows, int n, double u[rows][n])
{
#pragma omp parallel for
    for (int q = 0; q < rows; q++) {
        double product[ROWS + COLUMNS];
        u[q][n / 2] = 5;
        for (int p = 0; p < n; p++) {
            product[p] = 0;
            for (int s = 0; s < n; s++)
                product[p] += u[q][s] * (s - p);
        }
        for (int p = 0; p < n; p++)
            u[q][p] = product[p] * 0.01;
    }
}

/* Twice: what the second loop reads is new. */
static void rows_twice(int rows, int n, double u[rows][n])
{
#pragma omp parallel for
    for (int q = 0; q < rows; q++) {
        double t[ROWS + COLUMNS];
        for (int p = 0; p < n; p++) {
            t[p] = 0;
            for (int s = 0; s < n; s++)
                t[p] += u[q][s] * (s - p);
        }
        for (int p = 0; p < n; p++)
            u[q][p] = t[p] * 0.01;
        for (int p = 0; p < n; p++) {
            t[p] = 0;
            for (int s = 0; s < n; s++)
                t[p] += u[q][s] * (s + p);
        }
        for (int p = 0; p < n; p++)
            u[q][p] += t[p] * 0.01;
    }
}

/* Stores of a row backwards, of which the last ones are read before. */
static void rows_backwards(int rows, int n, double u[rows][n])
{
#pragma omp parallel for
    for (int q = 0; q < rows; q++) {
        double t[ROWS + COLUMNS];
        for (int p = 0; p < n; p++) {
            t[p] = u[q][p];
            for (int s = 0; s < n; s++)
                t[p] += u[q][s] / (s + p + 1);
        }
        for (int p = 0; p < n; p++)
            u[q][n - 1 - p] = t[p];
    }
}

/* Backwards, in a flat array, with another variable of the name that the copy would have. */
static void backwards(long rows, long columns, double *b, const double *a, double b_before)
{
#pragma omp parallel for num_threads(3)
    for (long j = 0; j < columns; j++)
        for (long i = rows - 1; i >= 0; i--) {
            double sum = b_before;
            for (long k = 0; k < i; k++)
                sum += a[k] * b[k * columns + j];
            b[i * columns + j] += sum;
        }
}

/* Two arrays, and a value of the same statement. */
static void two(int rows, int columns, double b[rows][columns], double c[rows][columns])
{
#pragma omp parallel for
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++) {
            double x = 0, y = 0;
            for (int k = rows - 1; k > i; k--) {
                x += c[k][j];
                y += b[k][j] * 0.5;
            }
            b[i][j] = x;
            c[i][j] = y - c[i][j];
        }
}

/* Rows that are numbered without a sign, of which it is not known whether they overlap. */
static void without_sign(unsigned rows, unsigned columns, float *b)
{
#pragma omp parallel for
    for (unsigned j = 0; j < columns; j++)
        for (unsigned i = 0; i < rows; i++) {
            float sum = 0;
            for (unsigned k = i + 1; k < rows; k++)
                sum += b[(size_t)k * columns + j];
            b[(size_t)i * columns + j] = sum * 0.25f;
        }
}

/* Rows before this one have been written: new values. */
static void solve(int rows, int columns, double b[rows][columns], double a[rows][rows])
{
#pragma omp parallel for
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++) {
            double sum = b[i][j];
            for (int k = 0; k < i; k++)
                sum -= a[i][k] * b[k][j] / 64;
            b[i][j] = sum;
        }
}

/* All other rows: old and new values by one read. */
static void relax(int rows, int columns, double b[rows][columns])
{
#pragma omp parallel for
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++) {
            double sum = 0;
            for (int k = 0; k < rows; k++)
                if (k != i)
                    sum += b[k][j];
            b[i][j] = sum / rows;
        }
}

/* Its own row is read when it has been written. */
static void behind(int rows, int columns, double b[rows][columns])
{
#pragma omp parallel for
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++) {
            b[i][j] *= 0.5;
            double sum = 0;
            for (int k = i; k < rows; k++)
                sum += b[k][j];
            b[i][j] += sum;
        }
}

/* The element that is written is written by a later iteration, too. */
static void twice(int rows, int columns, double b[rows][columns])
{
#pragma omp parallel for
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows - 1; i++) {
            double sum = 0;
            for (int k = i + 2; k < rows; k++)
                sum += b[k][j];
            b[i][j] = sum;
            b[i + 1][j] = -sum;
        }
}

/* Iterations of a loop that is behind a jump. */
static void jumps(int rows, int columns, double b[rows][columns])
{
#pragma omp parallel for
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++) {
            double sum = 0;
            int turns = 0;
        again:
            for (int k = i; k < rows; k++)
                sum += b[k][j];
            b[i][j] = sum / rows;
            if (turns++ < 1)
                goto again;
        }
}

/* What others find there by another name, and in called functions. */
static double sum_of(int first, int rows, int columns, const double *b)
{
    double sum = 0;
    for (int k = first; k < rows; k++)
        sum += b[k * columns];
    return sum;
}

static void by_function(int rows, int columns, double *b)
{
#pragma omp parallel for
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++)
            b[i * columns + j] = sum_of(i + 1, rows, columns, b + j) * 0.5;
}

static void by_pointer(int rows, int columns, double *b)
{
#pragma omp parallel for
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++) {
            double *p = b + j, sum = 0;
            for (int k = i + 1; k < rows; k++)
                sum += b[k * columns + j];
            p[i * columns] = sum * 0.5;
            for (int k = 0; k < i; k++)
                sum += b[k * columns + j];
            p[i * columns] += sum * 0.001;
        }
}

/* A member of a struct, in one row that all share by turns. */
static void weights(int rows, int columns, long long *sums)
{
#pragma omp parallel for
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++) {
            long long sum = 0;
            for (int k = i + 1; k < rows; k++)
                sum += sums[j * rows + k] + all.weight[k];
            sums[j * rows + i] = sum % 1000;
        }
}

/* Factors in an array that may lie in the same block. */
static void between(int rows, int columns, int stride, double b[rows][stride], const double factor[rows][stride])
{
#pragma omp parallel for
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++) {
            double sum = 0;
            for (int k = i + 1; k < rows; k++)
                sum += b[k][j] * factor[k][0];
            b[i][j] = sum * 0.125;
        }
}

/* Rows by a table of pointers to them. */
static void by_table(int rows, int columns, double **row)
{
#pragma omp parallel for
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++) {
            double sum = 0;
            for (int k = i + 1; k < rows; k++)
                sum += row[k][j];
            row[i][j] = sum * 0.5;
        }
}

int main(int argc, char **argv)
{
    const int rows = argc > 1 ? atoi(argv[1]) : 20, columns = argc > 2 ? atoi(argv[2]) : 20, count = rows * columns;
    double *a = malloc(sizeof(double) * (rows * rows + 2 * count)), *b = malloc(sizeof(double) * count);
    double *c = malloc(sizeof(double) * count);
    float *f = malloc(sizeof(float) * count);
    long long *sums = malloc(sizeof(long long) * count);
    fill(a, rows * rows + 2 * count);
    fill(b, count);
    for (int k = 0; k < 3; k++) /* the copy is made anew for each launch */
        multiply(rows, columns, (double (*)[columns])b, (double (*)[rows])a, 0.01);
    show("multiply", b, count);
    fill(&table[0][0], ROWS * COLUMNS);
    for (int k = 0; k < 2; k++)
        from_own_row(rows);
    show("own row", &table[0][0], ROWS * COLUMNS);
    fill(b, count);
    backwards(rows, columns, b, a, 0.125);
    show("backwards", b, count);
    fill(c, count);
    two(rows, columns, (double (*)[columns])b, (double (*)[columns])c);
    show("two", b, count);
    show("two", c, count);
    for (int k = 0; k < count; k++)
        f[k] = (float)value(k);
    without_sign(rows, columns, f);
    double whole = 0;
    for (int k = 0; k < count; k++)
        whole += f[k] * (k % 97 + 1);
    printf("without sign %.5e\n", whole);
    fill(b, count);
    solve(rows, columns, (double (*)[columns])b, (double (*)[rows])a);
    show("solve", b, count);
    fill(b, count);
    relax(rows, columns, (double (*)[columns])b);
    show("relax", b, count);
    fill(b, count);
    behind(rows, columns, (double (*)[columns])b);
    show("behind", b, count);
    fill(b, count);
    twice(rows, columns, (double (*)[columns])b);
    show("twice", b, count);
    fill(b, count);
    jumps(rows, columns, (double (*)[columns])b);
    show("jumps", b, count);
    fill(b, count);
    by_function(rows, columns, b);
    by_pointer(rows, columns, b);
    show("other names", b, count);
    double **row = malloc(sizeof(double *) * rows);
    for (int i = 0; i < rows; i++)
        row[i] = b + i * columns;
    fill(b, count);
    by_table(rows, columns, row);
    show("rows", b, count);
    free(row);
    for (int k = 0; k < ROWS; k++)
        all.weight[k] = k * k;
    for (int k = 0; k < count; k++)
        sums[k] = k % 17;
    weights(rows, columns, sums);
    long long total = 0;
    for (int k = 0; k < count; k++)
        total += sums[k] * (k % 97 + 1);
    printf("weights %lld\n", total);
    /* The factors lie between the rows of what is written. */
    fill(a, rows * rows + 2 * count);
    between(rows, columns / 2, columns, (double (*)[columns])a, (const double (*)[columns])(a + columns / 2));
    show("between", a, count);
    fill(b, count);
    between(rows, columns, columns, (double (*)[columns])b, (const double (*)[columns])c);
    show("apart", b, count);
    fill(c, count);
    for (int k = 0; k < count; k++)
        b[k] = k % 23 - 11;
    for (int k = 0; k < 2 && rows >= 2; k++)
        rows_by_matrix(2, rows / 2, columns < rows ? columns : rows, (void *)b, (void *)c);
    show("rows by matrix", b, count);
    rows_behind_a_store(rows, columns, (double (*)[columns])b);
    show("behind a store", b, count);
    rows_twice(rows, columns, (double (*)[columns])b);
    show("rows twice", b, count);
    rows_backwards(rows, columns, (double (*)[columns])b);
    show("rows backwards", b, count);
    free(a);
    free(b);
    free(c);
    free(f);
    free(sums);
    return 0;
}
