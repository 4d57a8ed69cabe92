/* Rows that an iteration works on in several pieces, and rows that neighbouring threads store. */
/* args: 40 */
/* args: 70 */
/* args: 4 */
/* args: 3 */
/* expect-gpu: 11 */
#include <stdio.h>
#include <stdlib.h>
#define N 72

static double rhs[N][N][5], u[N][N][5], pair[N][N][2], wide[N][N][12];
static int three[N][N][3], seven[N][7];
static float six[N][6];
static unsigned char bytes[N][N][20];
static long flat[N * 5];
static double *rows[N];

static void fill(void)
{
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            for (int m = 0; m < 5; m++) {
                rhs[i][j][m] = (i * 7 + j * 3 + m) % 11;
                u[i][j][m] = (i + j * 5 + m * 3) % 13;
            }
            for (int m = 0; m < 12; m++)
                wide[i][j][m] = i + j - m;
            for (int m = 0; m < 20; m++)
                bytes[i][j][m] = (unsigned char)(i * j + m);
            pair[i][j][0] = i;
            pair[i][j][1] = j;
            three[i][j][0] = three[i][j][1] = three[i][j][2] = i - j;
        }
        for (int m = 0; m < 7; m++)
            seven[i][m] = i * m;
        for (int m = 0; m < 6; m++)
            six[i][m] = (float)(i - m);
        for (int m = 0; m < 5; m++)
            flat[i * 5 + m] = i * m;
    }
}

static void show(const char *what)
{
    double sum = 0;
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            for (int m = 0; m < 5; m++)
                sum += rhs[i][j][m] * ((i + j + m) % 7 + 1);
            for (int m = 0; m < 12; m++)
                sum += wide[i][j][m] * (m + 1);
            for (int m = 0; m < 20; m++)
                sum += bytes[i][j][m] * (m % 3 + 1);
            sum += pair[i][j][0] * 3 + pair[i][j][1] * 5 + three[i][j][0] + three[i][j][1] * 2 + three[i][j][2] * 3;
        }
        for (int m = 0; m < 7; m++)
            sum += seven[i][m] * (m + 2);
        for (int m = 0; m < 6; m++)
            sum += six[i][m] * (m + 3);
        for (int m = 0; m < 5; m++)
            sum += (double)flat[i * 5 + m] * (m + 1);
    }
    printf("%-10s %.10g\n", what, sum);
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 40;
    int i, j, m;
    fill();
    /* Pieces under conditions, as at the edges of a grid. */
#pragma omp parallel for private(j, m)
    for (i = 1; i < n - 1; i++)
        for (j = 1; j < n - 1; j++) {
            if (1 <= j && j <= n - 3) {
                rhs[i][j][0] = rhs[i][j][0] + u[i][j + 1][0] - u[i][j - 1][1];
                rhs[i][j][4] = rhs[i][j][4] * 0.5 + rhs[i][j][0];
            }
            if (j == 1)
                for (m = 0; m < 5; m++)
                    rhs[i][j][m] = rhs[i][j][m] - 0.25 * u[i][j + 1][m];
            if (3 <= j && j <= n - 4)
                for (m = 0; m < 5; m++)
                    rhs[i][j][m] = rhs[i][j][m] - 0.25 * (u[i][j - 1][m] + u[i][j + 1][m]);
        }
    show("pieces");
    /* Whole rows, side by side. */
#pragma omp parallel for private(j, m)
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) {
            const double r1 = rhs[i][j][1], r2 = rhs[i][j][2];
            rhs[i][j][0] = r1 - r2;
            rhs[i][j][1] = rhs[i][j][3] * 0.5;
            rhs[i][j][2] = r1 + r2;
            rhs[i][j][3] = -r1;
            rhs[i][j][4] = u[i][j][2];
        }
    show("whole");
#pragma omp parallel for
    for (int k = 0; k < n; k++) {
        for (int e = 0; e < 7; e++)
            seven[k][e] = seven[k][e] * 2 + k;
        seven[k][3] -= seven[k][2];
    }
#pragma omp parallel for
    for (int k = 1; k < n; k++) {
        six[k - 1][0] = 1;
        for (int e = 0; e < 6; e++)
            six[k - 1][e] = six[k - 1][e] / 2 + (float)e;
    }
    show("one axis");
    /* Beside each other along the other axis; down; every second row. */
#pragma omp parallel for collapse(2)
    for (int k = 0; k < n; k++)
        for (int l = n - 1; l >= 0; l--) {
            for (int e = 0; e < 3; e++)
                three[k][l][e] = three[k][l][e] * 3 - e;
            three[k][l][1] += k;
        }
#pragma omp parallel for collapse(2)
    for (int k = 0; k < n; k++)
        for (int l = 0; l < n; l += 2) {
            for (int e = 0; e < 5; e++)
                rhs[l][k][e] = rhs[l][k][e] + u[k][l][4 - e];
            rhs[l][k][2] = rhs[l][k][2] * 2;
        }
    show("steps");
    /* Conditions on data: rows are not whole. */
#pragma omp parallel for collapse(2)
    for (int k = 0; k < n; k++)
        for (int l = 0; l < n; l++) {
            for (int e = 0; e < 5; e++)
                rhs[k][l][e] = rhs[k][l][e] * 0.5;
            if (u[k][l][0] > 6)
                rhs[k][l][2] = 1;
        }
#pragma omp parallel for collapse(2)
    for (int k = 0; k < n; k++)
        for (int l = 0; l < n; l++) {
            if (u[k][l][1] > 3)
                continue;
            for (int e = 0; e < 12; e++)
                wide[k][l][e] = wide[k][l][e] + e;
        }
    show("data");
    /* Rows that threads of a warp store of which some are not there; too long and too short ones; rows of rows. */
#pragma omp parallel for collapse(2)
    for (int k = 0; k < n; k++)
        for (int l = 0; l < n; l++) {
            if (l >= k)
                for (int e = 0; e < 5; e++)
                    rhs[k][l][e] = rhs[k][l][e] + k;
            if (k == 2)
                rhs[k][l][1] = 7;
            for (int e = 0; e < 2; e++)
                pair[k][l][e] = pair[k][l][e] + l;
            for (int e = 0; e < 20; e++)
                bytes[k][l][e] = (unsigned char)(bytes[k][l][e] + e);
        }
#pragma omp parallel for
    for (int k = 0; k < n; k++)
        for (int e = 0; e < 5; e++)
            flat[k * 5 + e] = flat[k * 5 + e] + e;
    show("others");
    for (int k = 0; k < n; k++)
        rows[k] = malloc(5 * sizeof(double));
#pragma omp parallel for
    for (int k = 0; k < n; k++)
        for (int e = 0; e < 5; e++)
            rows[k][e] = k + e;
    double sum = 0;
    for (int k = 0; k < n; k++)
        for (int e = 0; e < 5; e++)
            sum += rows[k][e] * (e + 1);
    printf("%-10s %.10g\n", "pointers", sum);
    return 0;
}
