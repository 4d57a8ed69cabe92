/* Solvers of lines in planes, each in pieces whose loops say the same bounds, or almost the same ones, in other words. */
/* args: 9 11 7 1 */
/* args: 4 1 2 0 */
/* args: 5 2 1 1 */
/* args: 3 0 3 1 */
/* args: 6 12 12 0 */
/* expect-gpu: 22 */
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#define N 16

static double u[N][N][N], v[N][N][N], w[N][N];
static int on[N];

static void show(const char *name)
{
    double sum = 0;
    for (int k = 0; k < N; k++)
        for (int j = 0; j < N; j++) {
            sum += w[k][j] * (k + 2 * j + 1);
            for (int i = 0; i < N; i++)
                sum += u[k][j][i] * (i + 1) + v[k][j][i] * (j + 1);
        }
    printf("%s %.9g\n", name, sum);
}

#define BEGIN(j) for (i = 0; i < ni; i++) { c[j][i] = 0.25 * v[k][j][i]; d[j][i] = u[k][j][i]; }
#define ELIMINATE(j) \
    for (i = 1; i < ni; i++) { \
        double t = 1.0 / (4.0 - c[j][i - 1]); \
        c[j][i] = c[j][i] * t; \
        d[j][i] = (d[j][i] + d[j][i - 1]) * t; \
    }
#define SUBSTITUTE(j) \
    for (i = ni - 1; i >= 0; i--) \
        u[k][j][i] = d[j][i] - (i < ni - 1 ? c[j][i] * u[k][j][i + 1] : 0);

/* The loops over j turn the same way round, or not. */
static void directions(int nk, int nj, int ni)
{
    double c[N][N], d[N][N];
    int i, j;
#pragma omp parallel for private(i, j, c, d)
    for (int k = 0; k < nk; k++) {
        for (j = 0; j < nj; j++) { BEGIN(j) }
        for (j = 0; j <= nj - 1; ++j) { ELIMINATE(j) }
        for (j = nj - 1; j >= 0; j--) { SUBSTITUTE(j) }
    }
#pragma omp parallel for private(i, j, c, d)
    for (int k = 0; k < nk; k++) {
        for (j = nj - 1; j > -1; j -= 1) { BEGIN(j) }
        for (j = 0; nj > j; j = j + 1) { ELIMINATE(j) }
        for (j = 0; j != nj; j++) { SUBSTITUTE(j) }
    }
#pragma omp parallel for private(i, j, c, d)
    for (int k = 0; k < nk; k++) { /* all down, to other ends */
        for (j = nj; j >= 0; j--) { BEGIN(j) }
        for (j = nj - 2; j > 0; j--) { ELIMINATE(j) }
        for (j = nj - 2; j >= 1; j--) { SUBSTITUTE(j) }
    }
}

/* Some do the boundary, others do not; each is as long as it is. */
static void ranges(int nk, int nj, int ni, int nl)
{
    double c[N][N], d[N][N];
    int i, j;
#pragma omp parallel for private(i, j, c, d)
    for (int k = 0; k < nk; k++) {
        for (j = 0; j < nj; j++) { BEGIN(j) }
        for (j = 1; j <= nj - 2; j++) { ELIMINATE(j) }
        for (j = nj - 2; j > 0; j--) { SUBSTITUTE(j) }
    }
#pragma omp parallel for private(i, j, c, d)
    for (int k = 0; k < nk; k++) { /* n beside m, each one included or not, up and down */
        for (j = 0; j < N; j++) { BEGIN(j) }
        for (j = 1; j < nj; j++) { ELIMINATE(j) }
        for (j = nl; j > 1; j--) { SUBSTITUTE(j) }
        for (j = ni; j <= nl; j++)
            w[k][j] += d[j][0];
    }
#pragma omp parallel for private(i, j, c, d)
    for (int k = 0; k < nk; k++) { /* by twos */
        for (j = 1; j < nj; j += 2) { BEGIN(j) }
        for (j = 3; j <= nj - 1; j += 2) { ELIMINATE(j) }
        for (j = 1; j < nj - 2; j = j + 2) { SUBSTITUTE(j) }
    }
#pragma omp parallel for private(j)
    for (int k = 0; k < nk; k++) { /* nothing at all, whatever the ends are */
        for (j = 0; j < nj; j++)
            w[k][j] += 1;
        for (j = INT_MAX; j < nj; j++)
            w[k][j] += 2;
        for (j = nj; j <= INT_MIN; j++)
            w[k][j] += 3;
        for (j = INT_MIN; j > nj; j--)
            w[k][j] += 4;
    }
}

/* Variables of other types. */
static void types(int nk, int nj, int ni, unsigned nu, size_t ns)
{
    int i;
#pragma omp parallel for private(i)
    for (int k = 0; k < nk; k++) {
        double c[N][N], d[N][N];
        for (int j = 0; j < nj; j++) { BEGIN(j) }
        for (long j = 0; j < nj; j++) { ELIMINATE(j) }
        for (long long q = nj - 1; q >= 0; q--) { SUBSTITUTE(q) }
    }
#pragma omp parallel for private(i)
    for (int k = 0; k < nk; k++) {
        double c[N][N], d[N][N];
        for (unsigned j = 0; j < nu; j++) { BEGIN(j) }
        for (unsigned j = 1; j < nu; j++) { ELIMINATE(j) }
        for (unsigned j = nu; j > 0; j--)
            u[k][j][0] += 1;
    }
#pragma omp parallel for private(i)
    for (int k = 0; k < nk; k++) {
        double c[N][N], d[N][N];
        for (size_t j = 0; j < ns; j++) { BEGIN(j) }
        for (size_t j = 1; j < ns; j++) { ELIMINATE(j) }
        for (size_t j = 0; j != ns; ++j) { SUBSTITUTE(j) }
    }
#pragma omp parallel for private(i)
    for (int k = 0; k < nk; k++) { /* none of the types holds all the bounds */
        for (unsigned j = 0; j < nu; j++)
            w[k][j] = w[k][j] * 0.5 + (j - 1u) * 1e-9;
        for (int j = -2; j < nj; j++)
            w[k][j + 2] += (j - 1) * 3;
        for (size_t j = 1; j < ns; j++)
            w[k][j] += v[k][j][1];
    }
#pragma omp parallel for private(i)
    for (int k = 0; k < nk; k++) {
        for (unsigned char j = 0; j < 7; j++)
            w[k][j] += (unsigned char)(j - 1);
        for (int j = 0; j < nj; j++)
            w[k][j] += j - 1;
    }
}

/* What stands between them. */
static void between(int nk, int nj, int ni, int flag)
{
    double c[N][N], d[N][N];
    int i, j;
#pragma omp parallel for private(i, j, c, d)
    for (int k = 0; k < nk; k++) {
        const int last = nj - 1;
        for (j = 0; j <= last; j++) { BEGIN(j) }
        if (flag) {
            double half = 0.5 * k;
            for (j = 0; j < nj; j++)
                d[j][0] += half;
            for (j = last; j >= 0; j--) { ELIMINATE(j) }
        } else
            for (j = 1; j < nj; j++) { ELIMINATE(j) }
        if (!on[k])
            continue;
        for (j = 0; j < nj; j++) { SUBSTITUTE(j) }
    }
#pragma omp parallel for private(i, j, c, d)
    for (int k = 0; k < nk; k++) { /* each piece skips some lines */
        for (j = 0; j < nj; j++) { BEGIN(j) }
        for (j = 0; j < nj; j++) {
            if (on[j])
                continue;
            ELIMINATE(j)
        }
        (void)flag;
        for (j = nj - 1; j >= 0; j--) {
            for (i = 0; i < ni; i++) {
                if (d[j][i] > 1e6)
                    break;
                u[k][j][i] = d[j][i];
            }
        }
    }
#pragma omp parallel for private(i, j)
    for (int k = 0; k < nk; k++) { /* along j, where the loops over i are inside */
        double p[N][N], q[N][N];
        int n1 = nj - 1, i1 = ni - 1;
        for (j = 0; j < nj; j++) {
            if (j == 0) {
                for (i = 0; i < ni; i++)
                    p[j][i] = 0;
            } else {
                for (i = i1; i >= 0; i--)
                    p[j][i] = 0.25 * v[k][j][i];
            }
            for (i = 0; i <= i1; i++)
                q[j][i] = u[k][j][i];
        }
        for (j = 1; j <= n1; j++) {
            int before = j - 1;
            for (i = 0; i < ni; i++)
                q[j][i] += q[before][i] * p[j][i];
        }
        for (int row = n1 - 1; row >= 0; row--)
            for (i = 0; i != ni; i++)
                u[k][row][i] = q[row][i] - p[row][i] * u[k][row + 1][i];
    }
}

/* Bounds that are odd where the program does not come to them. */
static void not_reached(int nk, unsigned nu, int nj)
{
    int j;
#pragma omp parallel for private(j)
    for (int k = 0; k < nk; k++) {
        for (unsigned q = 0; q < nu; q++)
            w[k][q] += 1;
        if (nu > 0)
            for (unsigned q = 0; q < nu - 1; q++)
                w[k][q] += w[k][q];
    }
#pragma omp parallel for private(j)
    for (int k = 0; k < nk; k++) {
        for (j = 0; j < nj; j++)
            w[k][j] += 1;
        if (nj != 0)
            for (j = 0; j < N / nj; j++)
                w[k][j] += 2;
    }
#pragma omp parallel for private(j)
    for (int k = 0; k < nk; k++) {
        for (unsigned q = 0; q + 0 < nu; q++)
            w[k][q] += 1;
        for (int r = 0; r < nj; r++)
            for (unsigned q = 0; q <= nu - 1; q++)
                w[k][q] += w[k][q] * 0.5;
    }
}

/* What must not become one: each is wrong if it does. */
static void not_one(int nk, int nj)
{
    double own[N];
    int j, end;
#pragma omp parallel for private(j)
    for (int k = 0; k < nk; k++) { /* what a later iteration of the piece before has written */
        for (j = 0; j < nj - 1; j++)
            v[k][j][0] = w[k][j] + j;
        for (j = nj - 3; j >= 0; j--)
            w[k][j] = v[k][j + 1][0];
    }
#pragma omp parallel for private(j, own)
    for (int k = 0; k < nk; k++) { /* turned round */
        for (j = 0; j < nj; j++)
            own[j] = w[k][j];
        for (j = nj - 1; j >= 0; j--)
            w[k][j] = own[nj - 1 - j];
    }
#pragma omp parallel for private(j, own, end)
    for (int k = 0; k < nk; k++) { /* the condition is of what an iteration has found */
        end = 0;
        for (j = 0; j < nj; j++) {
            own[j] = w[k][j];
            if (own[j] > 3)
                end = j;
        }
        if (end > 2)
            for (j = nj - 1; j >= 0; j--)
                w[k][j] = own[j] + end;
    }
#pragma omp parallel for private(j, own)
    for (int k = 0; k < nk; k++) { /* ... or written */
        for (j = 0; j < nj; j++)
            v[k][j][1] = own[j] = w[k][j] + 1;
        if (nj > 1 && v[k][1][1] > 2)
            for (j = nj - 1; j >= 0; j--)
                w[k][j] = own[j] * 2;
    }
}

int main(int argc, char **argv)
{
    int nk = atoi(argv[1]), nj = atoi(argv[2]), ni = atoi(argv[3]), flag = atoi(argv[4]);
    if (argc < 5)
        return 1;
    for (int k = 0; k < N; k++) {
        on[k] = k % 3 != 1;
        for (int j = 0; j < N; j++) {
            w[k][j] = k - j;
            for (int i = 0; i < N; i++) {
                v[k][j][i] = 0.01 * ((k * 7 + j * 3 + i) % 31);
                u[k][j][i] = 0.1 * ((k + j + i) % 11);
            }
        }
    }
    directions(nk, nj, ni);
    show("directions");
    ranges(nk, nj, ni, nj > 1 ? nj + 1 : 2);
    show("ranges");
    types(nk, nj, ni, nj, nj);
    show("types");
    between(nk, nj, ni, flag);
    show("between");
    not_reached(nk, nj, nj);
    show("not reached");
    not_one(nk, nj);
    show("not one");
    return 0;
}
