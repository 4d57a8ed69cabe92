/* Inner loops that carry values along arrays from iteration to iteration. */
/* args: 40 30 */
/* args: 3 2 */
/* args: 1 1 */
/* args: 70 4 */
/* expect-gpu: 10 */
#include <stdio.h>
#include <stdlib.h>
#define N 80
#define M 40

static double rhs[N][M][5], u[N][M], v[M][N];
static double square[N][5][5];
static long counts[N][M];
static unsigned char bytes[N][M];
static float filtered[N][M];

static void fill(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            for (int m = 0; m < 5; m++)
                square[i][m][j % 5] = rhs[i][j][m] = (i * 7 + j * 3 + m) % 11;
            u[i][j] = 1 + (i + j) % 5;
            v[j][i] = (i * 3 + j) % 7;
            counts[i][j] = i + j * j;
            bytes[i][j] = (unsigned char)(i * j);
            filtered[i][j] = (float)((i - j) % 9);
        }
}

static void show(const char *what)
{
    double sum = 0;
    long all = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            for (int m = 0; m < 5; m++)
                sum += rhs[i][j][m] * ((i + j + m) % 7 + 1);
            sum += u[i][j] * (j + 1) + v[j][i] * (i % 3 + 1) + filtered[i][j] * (j % 4 + 1);
            all = (all * 3 + counts[i][j] + bytes[i][j]) % 1000003;
        }
    printf("%s %.10g %ld\n", what, sum, all);
}

static void one_more(int *p) { *p += 1; }
static void next_one(long **p) { *p += 1; }

int main(int argc, char **argv)
{
    const int n = argc > 2 ? atoi(argv[1]) : 20;
    const int w = argc > 2 ? atoi(argv[2]) : 20;
    int j, j1, j2, m;
    fill();

    /* a solver line by line: elimination over three rows, with the last ones apart, and back */
#pragma omp parallel for private(j, j1, j2, m)
    for (int i = 0; i < n; i++) {
        double lhs[M][5], factor;
        for (j = 0; j < M; j++) {
            for (m = 0; m < 5; m++)
                lhs[j][m] = 0.1 * ((i + j + m) % 4);
            lhs[j][2] = 3 + u[i][j];
        }
        for (j = 0; j <= w - 3; j++) {
            j1 = j + 1;
            j2 = j + 2;
            factor = 1 / lhs[j][2];
            lhs[j][3] = factor * lhs[j][3];
            lhs[j][4] = factor * lhs[j][4];
            for (m = 0; m < 3; m++)
                rhs[i][j][m] = factor * rhs[i][j][m];
            lhs[j1][2] = lhs[j1][2] - lhs[j1][1] * lhs[j][3];
            lhs[j1][3] = lhs[j1][3] - lhs[j1][1] * lhs[j][4];
            for (m = 0; m < 3; m++)
                rhs[i][j1][m] = rhs[i][j1][m] - lhs[j1][1] * rhs[i][j][m];
            lhs[j2][1] = lhs[j2][1] - lhs[j2][0] * lhs[j][3];
            lhs[j2][2] = lhs[j2][2] - lhs[j2][0] * lhs[j][4];
            for (m = 0; m < 3; m++)
                rhs[i][j2][m] = rhs[i][j2][m] - lhs[j2][0] * rhs[i][j][m];
        }
        for (j = w - 3; j >= 0; j--)
            for (m = 0; m < 3; m++)
                rhs[i][j][m] = rhs[i][j][m] - lhs[j][3] * rhs[i][j + 1][m] - lhs[j][4] * rhs[i][j + 2][m];
    }
    show("elimination");

    /* filters forward and back; one iteration reads what two before have left */
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        for (int k = 2; k < w; k++)
            filtered[i][k] = 0.5f * filtered[i][k] + 0.25f * filtered[i][k - 1] - 0.125f * filtered[i][k - 2];
        for (int k = w - 1; k > 0; --k)
            filtered[i][k - 1] += 0.5f * filtered[i][k];
    }
    show("filters");

    /* down the columns: neighbouring threads have neighbouring elements */
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int k = 1; k < w; k++)
            v[k][i] = v[k][i] * 0.5 + v[k - 1][i] * 0.25;
    show("columns");

    /* narrow elements, and integers that are changed in three places */
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int k = 1; k < w - 2; k++) {
            bytes[i][k] = (unsigned char)(bytes[i][k] + 3 * bytes[i][k - 1]);
            counts[i][k + 2] += counts[i][k - 1] % 5;
            counts[i][k + 1] -= k;
            counts[i][k] = (counts[i][k] * 7 + counts[i][k + 2]) % 1009;
        }
    show("narrow");

    /* where a condition that the loop does not change holds, and where it does not */
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int k = 1; k < w; k++)
            if (i < n - 1 && w > 2) {
                long t = counts[i][k - 1] % 100;
                counts[i][k] = (counts[i][k] + t) % 1009;
            }
    show("condition");

    /* not these: some elements only, another way out, an element by another name, bounds that the loop changes */
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int last = w;
        long *row = counts[i];
        for (int k = 1; k < w; k++) {
            if (k % 3 == 0)
                continue;
            u[i][k] = u[i][k - 1] + 1;
        }
        for (int k = 1; k < last; k++) {
            row[k] = row[k - 1] % 7 + counts[i][k];
            counts[i][0] = k;
            last = w - k % 2;
        }
        for (int k = 1; k < w; k++) {
            if (bytes[i][k] > 9)
                bytes[i][k] = bytes[i][k - 1];
            v[k * 2 % w][i] = v[k - 1][i] + v[k][i] * 0.5;
        }
    }
    show("others");
    /* what leads to an index by its address, too */
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int k = 1; k < w - 1; k++) {
            int moved = k;
            one_more(&moved);
            counts[i][moved] = counts[i][moved] + counts[i][moved - 1];
        }
    show("moved");

    /* likewise a pointer */
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        long *q = counts[i];
        for (int k = 1; k < w / 2; k++) {
            q[k] = q[k - 1] + q[k];
            next_one(&q);
        }
    }
    show("moved on");

    /* what a short loop leaves behind, in front of a guard */
#pragma omp parallel for private(m)
    for (int i = 0; i < n; i++) {
        long left = 0, guarded = 0;
        m = 0;
        for (int k = 1; k < w; k++) {
            for (m = 0; m < 3; m++)
                rhs[i][k][m] += rhs[i][k - 1][m] * 0.25 + k;
            if (n > 1000)
                guarded += 1;
            left += m;
            m = 9;
        }
        counts[i][0] += left + guarded;
    }
    show("left");

    /* rows and columns, which cross */
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int a = 0; a < 5; a++)
            for (int b = 1; b < 5; b++) {
                square[i][a][b] -= 0.5 * square[i][a][b - 1];
                sum += square[i][b][a];
            }
        u[i][0] += sum;
    }
    show("crossed");

    return 0;
}
