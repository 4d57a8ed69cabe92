/* Accesses whose neighbouring elements belong to neighbours of the other loop: through tiles. Sizes that do not divide one. */
/* args: 1 33 31 */
/* args: 1 1 70 */
/* args: 0 40 37 */
/* args: 9 64 32 */
/* args: 9 31 69 */
/* args: 9 67 65 */
/* expect-gpu: 22 */
/* expect-added: 1 */
#define _POSIX_C_SOURCE 200112L
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 72 };
static char ca[MOST][MOST], cb[MOST][MOST];
static unsigned short sa[MOST][MOST], sb[MOST][MOST];
static int ia[MOST][MOST], ib[MOST][MOST], ic[MOST][MOST];
static float fa[MOST][MOST], fb[MOST][MOST], fc[MOST][MOST];
static double da[MOST][MOST], db[MOST][MOST], dc[MOST][MOST];
static _Bool ba[MOST][MOST], bb[MOST][MOST];
static long cube[3][MOST][MOST], other[3][MOST][MOST];
static struct point { float x, y; } pa[MOST][MOST], pb[MOST][MOST];

static void fill(void)
{
    for (int i = 0; i < MOST; i++)
        for (int j = 0; j < MOST; j++) {
            const int v = (i * 31 + j * 17) % 101;
            ca[i][j] = (char)v, cb[i][j] = 1;
            sa[i][j] = (unsigned short)(v * 600), sb[i][j] = 2;
            ia[i][j] = v - 50, ib[i][j] = i - j, ic[i][j] = 3;
            fa[i][j] = (float)v * 0.5f, fb[i][j] = (float)(i * 2 - j), fc[i][j] = 4;
            da[i][j] = v * 0.25, db[i][j] = i + j * 0.5, dc[i][j] = 5;
            ba[i][j] = v % 3 == 0, bb[i][j] = 0;
            pa[i][j].x = (float)v, pa[i][j].y = (float)i, pb[i][j].x = pb[i][j].y = 6;
            for (int b = 0; b < 3; b++)
                cube[b][i][j] = v * (b + 1), other[b][i][j] = b;
        }
}

static void show(const char *name)
{
    unsigned long n = 0;
    double d = 0;
    for (int i = 0; i < MOST; i++)
        for (int j = 0; j < MOST; j++) {
            n = n * 31 + (unsigned long)cb[i][j] + sb[i][j] * 3ul + (unsigned)ib[i][j] * 5ul + (unsigned)ic[i][j] * 7ul + bb[i][j];
            n += (unsigned long)(other[0][i][j] + other[1][i][j] * 3 + other[2][i][j] * 5);
            d += fb[i][j] * (i + 2 * j + 1) + fc[i][j] * (2 * i + j) + dc[i][j] * (i * 3 + j) + db[i][j] * (j + 3) + pb[i][j].x * (i + 1) - pb[i][j].y * j;
        }
    printf("%s %lu %.12g\n", name, n, d);
    fill();
}

/* Elements of every size; staged out, in, or both. */
static void sizes(int n, int m)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            cb[j][i] = ca[i][j];
    show("char");
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            sb[i][j] = (unsigned short)(sa[j][i] + 1);
    show("short");
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            ib[j][i] = ia[i][j] * 2 + i;
    show("int");
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            dc[i][j] = da[j][i] * 0.5 + db[i][j];
    show("double");
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            bb[j][i] = ba[j][i] == (fa[i][j] > 9);
    show("both are");
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            pb[j][i] = pa[i][j];
    show("structs");
}

/* Loops that do not begin at 0, go down, and step otherwise than by one. */
static void bounds(int n, int m)
{
#pragma omp parallel for
    for (int i = n - 2; i >= 1; i--)
        for (int j = 1; j <= m - 2; j++)
            fb[j + 1][i - 1] = fa[i][j] - fa[j - 1][i + 1];
    show("down");
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = m - 1; j >= 0; j -= 3)
            ib[j][n - 1 - i] = ia[i][j];
    show("in threes");
#pragma omp parallel for collapse(3)
    for (int b = 0; b < 3; b++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                other[2 - b][j][i] = cube[b][i][j] + cube[1][j][i];
    show("three");
#pragma omp parallel for collapse(4)
    for (int b = 0; b < 2; b++)
        for (int e = 0; e < 2; e++)
            for (int i = 0; i < n; i++)
                for (int j = 0; j < m; j++)
                    if (b <= e)
                        other[b + e][i][j] = cube[b][j][i] - cube[e][i][j];
    show("four");
}

/* What an iteration does is more than an assignment. */
static void bodies(int n, int m, int scale)
{
    float before;
#pragma omp parallel for private(before)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            before = fb[j][i];
            fb[j][i] += fa[i][j];
            if (before > 9)
                fb[j][i] -= fa[i][j] * (float)scale;
            fc[i][j] = fb[j][i] + (float)da[i][j];
        }
    show("updated");
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int p = ia[j][i], q = p > 0 ? ia[j][i] : ib[j][i];
            for (int side = 0; side < 3; side++)
                q = q * 3 % 1009 + p;
            ic[i][j] = q + (int)da[i][j] + ca[i][j];
            sb[j][i] = (unsigned short)q;
            sb[j][i]++;
        }
    show("more");
    double sum = 0;
    int most = -1000;
#pragma omp parallel for reduction(+ : sum) reduction(max : most)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int d = ia[i][j] - ib[j][i];
            ic[j][i] = d;
            sum += da[i][j] * d;
            if (d > most)
                most = d;
        }
    printf("%.12g %d\n", sum, most);
    show("sums");
    /* Those that keep what they do: written sometimes, elsewhere too, or only so far. */
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (ia[i][j] > 0)
                ib[j][i] = ia[i][j];
    show("sometimes");
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            if (i == 3)
                continue;
            fb[j][i] = fa[i][j];
        }
    show("without three");
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (ba[i][j])
                dc[i][j] = da[j][i];
    show("read sometimes");
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            ib[j][i] = ia[i][j];
#pragma omp atomic
            ic[j][i] += ia[i][j];
        }
    show("atomic");
}

static void lengths(int n, int m, double b[m][n], double a[n][m], double (*c)[MOST])
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            b[j][i] = a[i][j] + c[j][i];
}

/* Linear subscripts, some of which are variables. */
static void linear(int n, int m, double *b, const double *a, short *d, const short *c)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            b[j * n + i] = a[i * m + j];
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            const int row = j * n, to = row + i;
            int from = i * m;
            d[to] = (short)(c[from + j] + c[to] * 2 - (from > 9));
        }
}

/* Two of them may be one matrix. */
static void in_place(int n, float (*b)[MOST], float (*a)[MOST])
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            b[j][i] = a[i][j];
#pragma omp parallel for
    for (int i = 0; i < n / 2; i++)
        for (int j = n / 2; j < n; j++)
            b[j][i] = a[i][j];
}

int main(int argc, char **argv)
{
    if (argc < 4)
        return 1;
    if (atoi(argv[1]) < 9)
        setenv("OMPC_TILES", argv[1], 1);
    const int n = atoi(argv[2]), m = atoi(argv[3]);
    fill();
    sizes(n, m);
    bounds(n, m);
    bodies(n, m, 2);
    lengths(n, m, (void *)db, (void *)da, dc);
    show("lengths");
    linear(n, m, &db[0][0], &da[0][0], (short *)&sb[0][0], (short *)&sa[0][0]);
    show("linear");
    in_place(n, fb, fa);
    show("two");
    in_place(n, fb, fb);
    show("in place");
    return 0;
}
