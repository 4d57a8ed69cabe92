/* Threadprivate scratch that other files could name, were there any; calls that get parts of it become statements. */
/* args: 9 11 7 */
/* args: 3 4 5 */
/* args: 14 14 14 */
/* expect-gpu: 4 */
/* expect-host: OMPC309 OMPC309 */
#include <stdio.h>
#include <stdlib.h>

#define N 16
#define LONG 160

double block[N][3][2][2], diagonal[LONG], kept[4], carried;
#pragma omp threadprivate(block, diagonal, kept, carried)
double u[N][N][N][2], v[N][N][N][2], w[N];
int sizes[3];

void multiply(double a[2][2], double x[2], double y[2])
{
    int i, j;
    for (i = 0; i < 2; i++)
        for (j = 0; j < 2; j++)
            y[i] = y[i] - a[j][i] * x[j];
}

void scale(double a[2][2], double r[2])
{
    double pivot;

    pivot = 1.00 / a[0][0];
    a[1][0] = a[1][0] * pivot;
    r[0] = r[0] * pivot;
    pivot = 1.00 / (a[1][1] - a[0][1] * a[1][0]);
    a[1][1] = pivot;
    r[1] = (r[1] - a[0][1] * r[0]) * pivot;
}

void ends(double part[][3][2][2], int n)
{
    int i, j, m;
    i = 0;
    for (m = 0; m < 3; m++)
        for (j = 0; j < 2; j++)
            part[i][m][j][0] = part[i][m][j][1] = j + 1;
    i = n;
    for (m = 0; m < 3; m++)
        for (j = 0; j < 2; j++)
            part[i][m][j][0] = part[i][m][j][1] = j + 2;
}

void first_diagonal(int n)
{
    int i;
    for (i = 0; i <= n; i++)
        diagonal[i] = 3.0 + i;
}

/* like NAS BT: the scratch is dead between the iterations of j */
void lines(void)
{
    int i, j, k, m, n;

    n = sizes[0] - 1;
    #pragma omp parallel for default(shared) private(i, j, k, m)
    for (k = 1; k < sizes[2] - 1; k++) {
        for (j = 1; j < sizes[1] - 1; j++) {
            ends(block, n);
            for (i = 1; i < n; i++)
                for (m = 0; m < 3; m++) {
                    block[i][m][0][0] = 4.0 + m;
                    block[i][m][0][1] = block[i][m][1][0] = 0.25 * v[k][j][i][0];
                    block[i][m][1][1] = 5.0 + v[k][j][i][1];
                }
            scale(block[0][1], u[k][j][0]);
            for (i = 1; i < n; i++) {
                multiply(block[i][0], u[k][j][i - 1], u[k][j][i]);
                scale(block[i][1], u[k][j][i]);
            }
            multiply(block[n][2], u[k][j][n - 1], u[k][j][n]);
            scale(block[n][1], u[k][j][n]);
            for (i = n - 1; i >= 0; i--)
                for (m = 0; m < 2; m++)
                    u[k][j][i][m] = u[k][j][i][m] - block[i][1][1][m] * u[k][j][i + 1][m];
        }
    }
}

/* a function that names the scratch itself; its variables have the names of the loop's */
void by_name(int n)
{
    int i, k;
    #pragma omp parallel for private(i)
    for (k = 0; k < N; k++) {
        first_diagonal(n);
        for (i = 0; i <= n; i++)
            w[k] += diagonal[i] * k;
    }
}

/* the argument is the loop's variable, and the function has another one of its name */
void shift(double row[N], int from)
{
    int i = from + 1;
    row[i % N] = 2 * from;
    from++;
    row[from % N] += i;
}

void shifted(void)
{
    #pragma omp parallel for
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < LONG; k++)
            diagonal[k] = k;
        shift(diagonal, i);
        for (int k = 0; k < N; k++)
            w[i] += diagonal[k] * (k + 1);
    }
}

/* an inner loop whose iterations hand something on in the scratch is no axis */
void handed_on(int n)
{
    int i, j, k;
    #pragma omp parallel for private(i, j)
    for (k = 0; k < n; k++) {
        for (i = 0; i < LONG; i++)
            diagonal[i] = k;
        for (j = 1; j < n; j++) {
            diagonal[j] = diagonal[j - 1] + u[k][j][0][0];
            v[k][j][0][0] = diagonal[j];
        }
    }
}

void keeps(int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 4; k++)
            kept[k] = i + k;
        w[i] += kept[1];
    }
}

void carries(int n)
{
    #pragma omp parallel for schedule(static)
    for (int i = 0; i < n; i++) {
        carried = i == 0 ? 1 : carried;
        w[i] += i == 0 ? carried : 2;
    }
}

int main(int argc, char **argv)
{
    double sum = 0, sums = 0;
    for (int k = 0; k < 3; k++)
        sizes[k] = atoi(argv[k + 1 < argc ? k + 1 : 0]);
    for (int i = 0; i < N * N * N * 2; i++) {
        (&u[0][0][0][0])[i] = 1 + i % 7;
        (&v[0][0][0][0])[i] = 0.125 * (i % 5);
    }
    lines();
    by_name(sizes[1]);
    shifted();
    handed_on(sizes[0]);
    keeps(N);
    #pragma omp parallel reduction(+ : sums) num_threads(1)
    sums += kept[2];
    carries(N);
    for (int i = 0; i < N * N * N * 2; i++)
        sum += (&u[0][0][0][0])[i] * (i % 11) + (&v[0][0][0][0])[i];
    for (int i = 0; i < N; i++)
        sum += w[i] * (i + 1);
    printf("%.10g %.10g\n", sum, sums > 0 ? 1.0 : 0.0);
    return 0;
}
