/* Loops one after the other, in which each iteration goes on with what was its own: as one, an axis of the grid. */
/* args: 9 11 7 */
/* args: 1 5 3 */
/* args: 17 17 17 */
/* expect-gpu: 14 */
#include <stdio.h>
#include <stdlib.h>

#define N 20
#define LONG 90

static double line[N], rows[N][N][3], kept[N];
#pragma omp threadprivate(line, rows, kept)
static double u[N][N][N][2], v[N][N][N], w[N][N], sums[N];

static void ends(int nj, int ni)
{
    int j, m;
    for (j = 1; j <= nj; j++) {
        for (m = 0; m < 3; m++) {
            rows[j][0][m] = 0.0;
            rows[j][ni][m] = 0.0;
        }
        rows[j][0][1] = 1.0;
        rows[j][ni][1] = 1.0;
    }
}

/* Eliminates along i; each j for itself. */
static void along_i(int nk, int nj, int ni)
{
    int i, j, k, i1, m;
    double factor;

#pragma omp parallel for private(i, j, k, i1, m, factor)
    for (k = 1; k <= nk; k++) {
        ends(nj, ni + 1);
        for (j = 1; j <= nj; j++) {
            for (i = 0; i <= ni + 1; i++)
                line[i] = 0.25 * v[k][j][i];
            for (i = 1; i <= ni; i++) {
                rows[j][i][0] = -line[i - 1];
                rows[j][i][1] = 4.0 + line[i];
                rows[j][i][2] = -line[i + 1];
            }
        }
        for (j = 1; j <= nj; j++) {
            i = ni + 1;
            rows[j][i][1] = rows[j][i][1] + 0.5;
        }
        for (j = 1; j <= nj; j++) {
            for (i = 0; i <= ni; i++) {
                i1 = i + 1;
                factor = 1.0 / rows[j][i][1];
                rows[j][i][2] = factor * rows[j][i][2];
                for (m = 0; m < 2; m++)
                    u[k][j][i][m] = factor * u[k][j][i][m];
                rows[j][i1][1] = rows[j][i1][1] - rows[j][i1][0] * rows[j][i][2];
                for (m = 0; m < 2; m++)
                    u[k][j][i1][m] = u[k][j][i1][m] - rows[j][i1][0] * u[k][j][i][m];
            }
        }
        i = ni;
        i1 = ni + 1;
        for (j = 1; j <= nj; j++)
            for (m = 0; m < 2; m++)
                u[k][j][i1][m] = u[k][j][i1][m] / rows[j][i1][1];
        for (j = 1; j <= nj; j++)
            for (i = ni; i >= 0; i--) {
                i1 = i + 1;
                for (m = 0; m < 2; m++)
                    u[k][j][i][m] = u[k][j][i][m] - rows[j][i][2] * u[k][j][i1][m];
            }
    }
}

/* The same along j: the loops over i are inside of those over j. */
static void along_j(int nk, int nj, int ni)
{
    int i, j, k, j1;
    double own[N][N][3], factor;

#pragma omp parallel for private(i, j, k, j1, own, factor)
    for (k = 1; k <= nk; k++) {
        for (i = 1; i <= ni; i++) {
            own[0][i][1] = 1.0;
            own[0][i][2] = 0.0;
        }
        for (j = 1; j <= nj; j++)
            for (i = 1; i <= ni; i++) {
                own[j][i][0] = -0.25 * v[k][j - 1][i];
                own[j][i][1] = 4.0 + v[k][j][i];
                own[j][i][2] = -0.25 * v[k][j + 1][i];
            }
        for (i = 1; i <= ni; i++) {
            j = 1;
            own[j][i][1] += 0.5;
        }
        for (j = 0; j < nj; j++) {
            j1 = j + 1;
            for (i = 1; i <= ni; i++) {
                factor = 1.0 / own[j][i][1];
                own[j][i][2] = factor * own[j][i][2];
                u[k][j][i][0] = factor * u[k][j][i][0];
                own[j1][i][1] -= own[j1][i][0] * own[j][i][2];
                u[k][j1][i][0] -= own[j1][i][0] * u[k][j][i][0];
            }
        }
        j = nj;
        for (i = 1; i <= ni; i++)
            u[k][j][i][0] /= own[j][i][1];
        for (j = nj - 1; j >= 0; j--) {
            j1 = j + 1;
            for (i = 1; i <= ni; i++)
                u[k][j][i][0] -= own[j][i][2] * u[k][j1][i][0];
        }
    }
}

/* Arrays of a block, of each iteration as they are, and of variable length. */
static void of_blocks(int nk, int nj, int ni)
{
#pragma omp parallel for
    for (int k = 0; k < nk; k++) {
        double all[N], few[4][N], part[N];
        for (int j = 0; j < nj; j++)
            all[j] = v[k][j][0] + j;
        for (int j = 0; j < nj; j++) {
            for (int i = 0; i < ni; i++)
                part[i] = all[j] + i;
            few[k % 4][j] = part[ni - 1];
            few[(k + 1) % 4][j] = part[0];
        }
        for (int i = 0; i < ni; i++)
            for (int j = 0; j < nj; j++)
                v[k][j][i] += all[j] * few[k % 4][j] - few[(k + 1) % 4][j];
        for (int j = 0; j < nj; j++) {
            for (int i = 0; i < ni; i++)
                part[i] = v[k][j][i] * 0.5;
            for (int i = 0; i < ni; i++)
                v[k][j][i] = part[ni - 1 - i] * 0.125;
        }
    }
}

/* What must not become one: each is wrong if it does. */
static void not_one(int nk, int nj)
{
    double own[LONG], carried;
    int j, end;

#pragma omp parallel for private(own, j)
    for (int k = 0; k < nk; k++) { /* the neighbour's element */
        for (j = 0; j < nj; j++)
            own[j] = v[k][j][0];
        for (j = 1; j < nj; j++)
            v[k][j][1] = own[j] + own[j - 1];
        for (j = 0; j < nj; j++)
            own[j] = v[k][j][1] * 0.5;
        for (j = 0; j < nj; j++)
            v[k][j][0] = own[nj - 1 - j];
    }
#pragma omp parallel for private(j)
    for (int k = 0; k < nk; k++) { /* what the next one has written */
        for (j = 0; j < nj; j++)
            v[k][j][2] = w[k][j] + j;
        for (j = 0; j < nj; j++)
            w[k][j] = v[k][j + 1][2];
    }
#pragma omp parallel for private(j, carried)
    for (int k = 0; k < nk; k++) { /* the last one's value */
        for (j = 0; j < nj; j++) {
            carried = w[k][j] * 2;
            v[k][j][3] = carried;
        }
        for (j = 0; j < nj; j++)
            w[k][j] += carried;
    }
#pragma omp parallel for private(own, j)
    for (int k = 0; k < nk; k++) { /* the last one's row */
        for (j = 0; j < nj; j++) {
            own[0] = w[k][j] * 2;
            v[k][j][4] = own[0];
        }
        for (j = 0; j < nj; j++)
            w[k][j] += own[0];
    }
#pragma omp parallel for private(own, j, end)
    for (int k = 0; k < nk; k++) { /* as many as were counted */
        end = nj;
        for (j = 0; j < end; j++)
            own[j] = w[k][j] + 1;
        end = nj / 2;
        for (j = 0; j < end; j++)
            w[k][j] = own[j];
    }
#pragma omp parallel for private(own, j)
    for (int k = 0; k < nk; k++) { /* the sum of all */
        sums[k] = 0;
        for (j = 0; j < nj; j++)
            own[j] = w[k][j];
        for (j = 0; j < nj; j++)
            sums[k] += own[j];
        for (j = 0; j < nj; j++)
            w[k][j] = sums[k];
    }
#pragma omp parallel for private(own, j)
    for (int k = 0; k < nk; k++) { /* several at once */
        for (j = 0; j < nj; j++)
            own[j] = w[k][j];
        for (j = 0; j < nj; j++) {
            double *place = own + j;
            v[k][j][5] = place[0] + (j > 0 ? place[-1] : 0);
        }
    }
}

/* With other bounds: some iterations do a part alone. */
static void other_bounds(int nk, int nj, int nl)
{
    double own[N][3];
    int j, m;

#pragma omp parallel for private(own, j, m)
    for (int k = 0; k < nk; k++) {
        for (j = 0; j <= nj + 1; j++)
            for (m = 0; m < 3; m++)
                own[j][m] = w[k][j] + m;
        for (j = 2; j <= nl; j++)
            own[j][1] += v[k][j][6];
        for (m = 0; m < 2; m++)
            for (j = 1; j <= nj; j++)
                v[k][j][7] += own[j][m] * own[j][2];
        for (int i = 3; i <= 10; i++)
            w[k][i] = v[k][i][7] + 1;
    }
#pragma omp parallel for private(own, j)
    for (int k = 0; k < nk; k++) { /* as long as the neighbour's is not asked for */
        for (j = 0; j <= nj; j++)
            own[j][0] = w[k][j];
        for (j = 1; j < nj; j++)
            w[k][j] = own[j - 1][0];
    }
#pragma omp parallel for
    for (int k = 0; k < nk; k++) { /* variables that count, and are more */
        int e = 5, r = e, q = 7;
        for (e = 0; e < nj; e++)
            v[k][e][8] = r + q;
        for (q = 0; q < nl; q++)
            v[k][q][9] = r - e;
    }
}

static void show(const char *name)
{
    double sum = 0;
    for (int k = 0; k < N; k++)
        for (int j = 0; j < N; j++) {
            sum += w[k][j] * (k + 1) + sums[j];
            for (int i = 0; i < N; i++)
                sum += (u[k][j][i][0] - u[k][j][i][1]) * (i + 1) + v[k][j][i] * (j + 1);
        }
    printf("%s %.8g\n", name, sum);
}

int main(int argc, char **argv)
{
    int nk = atoi(argv[1]), nj = atoi(argv[2]), ni = atoi(argv[3]);

    if (argc < 4 || nk > N - 2 || nj > N - 2 || ni > N - 2)
        return 1;
#pragma omp parallel for
    for (int k = 0; k < N; k++)
        for (int j = 0; j < N; j++) {
            w[k][j] = k - j;
            for (int i = 0; i < N; i++) {
                v[k][j][i] = 0.01 * ((k * 7 + j * 3 + i) % 31);
                u[k][j][i][0] = 0.1 * ((k + j + i) % 11);
                u[k][j][i][1] = 0.1 * ((k + 2 * j + i) % 13);
            }
        }
    along_i(nk, nj, ni);
    show("along i");
    along_j(nk, nj, ni);
    show("along j");
    of_blocks(nk, nj, ni);
    show("of blocks");
    not_one(nk, nj);
    show("not one");
    other_bounds(nk, nj, ni);
    show("other bounds");
    return 0;
}
