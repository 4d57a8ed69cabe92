/* expect-gpu: 4 */
/* without: glue */
/* plain: */

/* Rows behind pointers stay on the device, whatever the host does with them and with what lies among them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 40, M = 130 };

static double **table(int rows, int columns)
{
    double **a = malloc(rows * sizeof *a);
    for (int i = 0; i < rows; i++)
        a[i] = calloc(columns, sizeof **a);
    return a;
}

static void add(int rows, int columns, double **a, double **b, double x)
{
    #pragma omp parallel for
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            a[i][j] += x * b[i][j];
}

/* A table of tables: both lie among the rows. */
static void cube(void)
{
    double ***c = malloc(N * sizeof *c);
    for (int i = 0; i < N; i++) {
        c[i] = malloc(M * sizeof *c[i]);
        for (int j = 0; j < M; j++) {
            c[i][j] = malloc(M * sizeof *c[i][j]);
            for (int k = 0; k < M; k++)
                c[i][j][k] = i + j + k;
        }
    }
    for (int step = 0; step < 4; step++) {
        #pragma omp parallel for collapse(2)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < M; j++)
                for (int k = 0; k < M; k++)
                    c[i][j][k] = c[i][j][k] * 2 + step;
        c[step][3][5] += 1000;
        double *const row = c[step][7];
        c[step][7] = c[step + 1][8];
        c[step + 1][8] = row;
    }
    double sum = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            for (int k = 0; k < M; k++)
                sum += c[i][j][k] * (1 + (i + 2 * j + 3 * k) % 5);
    printf("%.17g\n", sum);
}

/* What the host does between launches with rows, and with what lies among them. */
static void between(void)
{
    double **a = table(N, M), **b = table(N, M), sum = 0;
    char *text = malloc(M * sizeof **a); /* of a row's size */
    strcpy(text, "nothing of the loops'");
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            b[i][j] = i - j;
    for (int step = 0; step < 20; step++) {
        add(N, M, a, b, step);
        if (step == 5)
            a[7][3] = 55;
        if (step == 6)
            sum += a[N - 1][M - 1] + strlen(text);
        if (step == 7) { /* another row in its place */
            double *const row = malloc(M * sizeof *row);
            memcpy(row, a[3], M * sizeof *row);
            free(a[3]);
            a[3] = row;
        }
        if (step == 8) { /* moved */
            a[4] = realloc(a[4], 5 * M * sizeof **a);
            a[4][M] = 3;
        }
        if (step == 9) {
            double *const row = a[1];
            a[1] = a[2];
            a[2] = row;
        }
        if (step == 10) { /* the table itself is elsewhere, and the old one something else */
            double **const old = a;
            a = malloc(2 * N * sizeof *a);
            memcpy(a, old, N * sizeof *a);
            memset(old, 0xff, N * sizeof *old);
            free(old);
        }
        if (step == 11)
            for (int i = 0; i < N; i++) { /* all rows are new ones, at the same places */
                double keep = a[i][M / 2];
                free(a[i]);
                a[i] = calloc(M, sizeof **a);
                a[i][M / 2] = keep;
            }
        if (step == 12)
            text = strcpy(realloc(text, 3000), "still nothing");
        if (step > 12) {
            double **const other = a;
            a = b;
            b = other;
            b[step][step] += step;
        }
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            sum += (a[i][j] - 2 * b[i][j]) * (1 + (i + 3 * j) % 7);
    printf("%.17g %s\n", sum, text);
}

/* Rows of another length in the places of freed ones; a row that is read by name. */
static void again(void)
{
    double sum = 0;
    for (int round = 1; round < 6; round++) {
        const int columns = M + 64 * round;
        double **a = table(N, columns), **b = table(N, columns);
        for (int i = 0; i < N; i++)
            a[i][i] = b[i][columns - 1] = round;
        for (int step = 0; step < 3; step++) {
            add(N, columns, a, b, 2);
            double *const last = b[N - 1];
            #pragma omp parallel for
            for (int j = 0; j < columns; j++)
                last[j] += j;
        }
        for (int i = 0; i < N; i++) {
            sum += a[i][i] + a[i][columns - 1] + b[i][columns / 2];
            free(a[i]);
        }
        for (int i = N; i-- > 0;)
            free(b[i]);
        free(a);
        free(b);
    }
    printf("%.17g\n", sum);
}

/* Rows that many share, a null row, rows of structs. */
struct cell {
    double value, next;
    int count;
};
static void shared(void)
{
    struct cell *rows[N];
    struct cell *const first = calloc(M, sizeof *first), *const second = calloc(M, sizeof *second);
    for (int j = 0; j < M; j++)
        first[j].value = second[j].value = j;
    for (int i = 0; i < N; i++)
        rows[i] = i == 5 ? NULL : i % 2 ? first : second;
    double sums[N] = {0};
    for (int step = 0; step < 5; step++) {
        #pragma omp parallel for
        for (int i = 0; i < N; i++)
            if (rows[i])
                for (int j = 0; j < M; j++)
                    sums[i] += rows[i][j].value * (i + 1);
        first[step].value = 100;
        rows[step * 2] = first;
    }
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += sums[i];
    printf("%.17g\n", sum);
}

int main(void)
{
    cube();
    between();
    again();
    shared();
    return 0;
}
