/* Rows of arrays, handed to functions at subscripts of the loops around the call: elements that the function names are those of
   the iteration, so that the inner loop is an axis; and calls of which that is not so. */
/* args: 1 1 */
/* args: 9 7 */
/* args: 30 41 */
/* expect-gpu: 8 */
/* expect-host: OMPC203 */
/* threads: 1 */
/* rtol: 1e-12 */
#include <stdio.h>
#include <stdlib.h>

enum { N = 48 };
static double block[N][N][3][4][4], rows[N][N][4], line[N][4];
static int size[2];
static double work, more; /* nobody reads what another function has left */
static double kept;       /* somebody does */

static void times(double a[4][4], double v[4], double to[4])
{
    for (int i = 0; i < 4; i++)
        to[i] = to[i] - a[i][0] * v[0] - a[i][1] * v[1] - a[i][2] * v[2] - a[i][3] * v[3];
}

static void eliminate(double a[4][4], double c[4][4], double r[4])
{
    double factor;
    for (int i = 0; i < 4; i++) {
        factor = 1.0 / a[i][i];
        for (int j = i + 1; j < 4; j++)
            a[i][j] = a[i][j] * factor;
        for (int j = 0; j < 4; j++)
            c[i][j] = c[i][j] * factor;
        r[i] = r[i] * factor;
    }
}

static void shifted(double v[4], double to[4])
{
    for (int i = 0; i < 4; i++)
        to[i] += v[i] * 0.25;
}

static void scaled(int n, int m)
{
#pragma omp for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            work = 1 / (2 + line[j][i % 4] * line[j][i % 4]);
            more = work * work;
            rows[i][j][0] += work;
            rows[i][j][1] -= more;
        }
}

static void left(int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        kept = line[i][1] + 1;
        line[i][2] = kept * kept;
    }
}

static double of_kept(void)
{
    return 2 * kept;
}

static double of_first(void)
{
    work = rows[0][0][0];
    return work * 2;
}

static void fill(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int m = 0; m < 4; m++) {
                rows[i][j][m] = (i * 7 + j * 3 + m) % 11 - 5;
                line[j][m] = j + m;
                for (int b = 0; b < 3; b++)
                    for (int k = 0; k < 4; k++)
                        block[i][j][b][m][k] = (i + 2 * j + 3 * b + m * k) % 5 + (m == k) * 9;
            }
}

static void show(const char *what)
{
    double sum = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int m = 0; m < 4; m++) {
                sum += rows[i][j][m] * ((i * 5 + j * 11 + m) % 17) + line[j][m] * m;
                for (int b = 0; b < 3; b++)
                    for (int k = 0; k < 4; k++)
                        sum += block[i][j][b][m][k] * ((i + j + b + m + k) % 13);
            }
    printf("%s %.12g\n", what, sum);
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 9, m = argc > 2 ? atoi(argv[2]) : 7;
    int j;
    size[0] = n, size[1] = m;

    fill();
#pragma omp parallel for private(j)
    for (int i = 0; i < n; i++)
        for (j = 0; j < m; j++)
            eliminate(block[i][j][1], block[i][j][2], rows[i][j]);
    show("first");
    for (int i = 1; i < n; i++) { /* bounds in memory, planes behind each other */
#pragma omp parallel for private(j)
        for (int k = 1; k < size[1] - 1; k++)
            for (j = 1; j < size[1] - 1; j++) {
                times(block[i][k][0], rows[i - 1][j], line[k]);
                eliminate(block[i][k][1], block[i][k][2], line[k]);
            }
        show("of one line"); /* line[k] is one of all j */
#pragma omp parallel for
        for (int k = 1; k < size[1] - 1; k++)
            for (int l = 1; l < 9; l++) {
                times(block[i][k][0], block[i - 1][l][0][1], block[k][l][1][2]);
                eliminate(block[k][l][1], block[k][l][2], rows[k][l]);
            }
        show("others");
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int k = 1; k < m; k++)
            shifted(rows[i][k - 1], rows[i][k]); /* in order */
    show("from the one before");
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int k = 0; k + 2 < m; k += 2)
            shifted(rows[i][k + 1], rows[i][k]);
    show("even and odd");
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++)
            shifted(rows[i][k], rows[i][m - 1 - k]); /* the same ones from both ends */
    show("from both ends");
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++)
            shifted(line[k], rows[i][k]);
    show("of a line");
#pragma omp parallel
    scaled(n, m);
    left(n);
    printf("%.12g %.12g ", of_first(), of_kept());
    show("scaled");
    return 0;
}
