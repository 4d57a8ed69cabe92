/* Tables of tables of rows, as multigrid programs in C have them: cubes of several sizes, one cube by two names, two cubes
 * that share rows, inner loops one after the other, elements at 2 * i - d. */
/* args: 9 */
/* args: 3 */
/* args: 22 */
/* expect-gpu: 5 */
/* refuses: OMPC453 */
#include <stdio.h>
#include <stdlib.h>

#define M 40

typedef double ***cube_t;

static cube_t cube(int n, int seed)
{
    cube_t u = malloc(n * sizeof *u);
    for (int i = 0; i < n; i++) {
        u[i] = malloc(n * sizeof **u);
        for (int j = 0; j < n; j++) {
            u[i][j] = malloc(n * sizeof ***u);
            for (int k = 0; k < n; k++)
                u[i][j][k] = (i * seed + j * k + 3 * j) % 13;
        }
    }
    return u;
}

/* The loops over k share `sum`; v and r may be one cube. */
static void residual(cube_t u, cube_t v, cube_t r, int n)
{
#pragma omp parallel for
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            double sum[M];
            for (int k = 0; k < n; k++)
                sum[k] = u[i][j - 1][k] + u[i][j + 1][k] + u[i - 1][j][k] + u[i + 1][j][k];
            for (int k = 1; k < n - 1; k++)
                r[i][j][k] = v[i][j][k] - 0.5 * sum[k] - 0.25 * (sum[k - 1] + sum[k + 1]);
        }
}

static void clear(cube_t z, int n1, int n2, int n3)
{
    int i1, i2, i3;
#pragma omp parallel for private(i1, i2)
    for (i3 = 0; i3 < n3; i3++)
        for (i2 = 0; i2 < n2; i2++)
            for (i1 = 0; i1 < n1; i1++)
                z[i3][i2][i1] = 0;
}

/* Many accesses to the fine cube, whose places depend on four variables each. */
static void refine(cube_t z, int m1, int m2, int m3, cube_t u, int d1, int d2, int d3)
{
    int i1, i2, i3;
#pragma omp parallel for private(i1, i2)
    for (i3 = 1; i3 <= m3 - 1; i3++) {
        for (i2 = 1; i2 <= m2 - 1; i2++) {
            for (i1 = 1; i1 <= m1 - 1; i1++)
                u[2 * i3 - d3 - 1][2 * i2 - d2 - 1][2 * i1 - d1 - 1] += z[i3 - 1][i2 - 1][i1 - 1];
            for (i1 = 1; i1 <= m1 - 1; i1++)
                u[2 * i3 - d3 - 1][2 * i2 - d2 - 1][2 * i1 - 1] += 0.5 * (z[i3 - 1][i2 - 1][i1] + z[i3 - 1][i2 - 1][i1 - 1]);
        }
        for (i2 = 1; i2 <= m2 - 1; i2++) {
            for (i1 = 1; i1 <= m1 - 1; i1++)
                u[2 * i3 - d3 - 1][2 * i2 - 1][2 * i1 - d1 - 1] += 0.5 * (z[i3 - 1][i2][i1 - 1] + z[i3 - 1][i2 - 1][i1 - 1]);
            for (i1 = 1; i1 <= m1 - 1; i1++)
                u[2 * i3 - d3 - 1][2 * i2 - 1][2 * i1 - 1] += 0.25 * (z[i3 - 1][i2][i1] + z[i3 - 1][i2 - 1][i1 - 1]);
        }
    }
}

/* The border: of one cube, other rows of it. */
static void wrap(cube_t u, int n)
{
#pragma omp parallel
    {
#pragma omp for
        for (int i = 1; i < n - 1; i++) {
            for (int j = 1; j < n - 1; j++)
                u[i][j][n - 1] = u[i][j][1], u[i][j][0] = u[i][j][n - 2];
            for (int k = 0; k < n; k++)
                u[i][n - 1][k] = u[i][1][k], u[i][0][k] = u[i][n - 2][k];
        }
#pragma omp for
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                u[n - 1][j][k] = u[1][j][k], u[0][j][k] = u[n - 2][j][k];
    }
}

static double digest(cube_t u, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                sum += u[i][j][k] * (1 + (i * 31 + j * 7 + k) % 11);
    return sum;
}

int main(int argc, char **argv)
{
    const int n = atoi(argv[argc - 1]), m = n / 2 + 1;
    cube_t u = cube(n, 1), v = cube(n, 2), r = cube(n, 3), z = cube(m, 4), all = cube(n, 5);
    for (int t = 0; t < 3; t++) {
        residual(u, v, r, n);
        residual(u, r, r, n);
        wrap(r, n);
        refine(z, m - 1, m - 1, m - 1, u, 1, 1, 0);
        residual(r, u, v, n);
        clear(z, m - t % 2, m - 1, m);
        wrap(u, n);
        z[m / 2][0][m - 1] += 1; /* the host, between launches */
        u[0][n - 1][t] -= 2;
    }
    printf("%.12g %.12g %.12g %.12g\n", digest(u, n), digest(v, n), digest(r, n), digest(z, m));

    /* Tables that share rows: no launch, although each row is read by the iteration alone that writes it. */
    for (int j = 0; j < n; j++)
        all[0][j] = u[1][j];
    residual(all, u, u, n);
    printf("%.12g\n", digest(all, n));
    double **const plane = u[1];
    u[1] = v[1]; /* the pointers change between launches */
    residual(u, v, r, n);
    u[1] = plane;
    printf("%.12g %.12g\n", digest(u, n), digest(r, n));
    return 0;
}
