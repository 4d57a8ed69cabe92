/* Members of records in nests: staged in tiles, where the next record's member is no neighbour in memory. */
/* args: 2 33 31 1 */
/* args: 1 33 50 70 */
/* args: 4 65 63 16 */
/* args: 8 129 127 13 */
/* args: 8 128 128 36 */
/* args: 0 20 21 22 */
/* expect-gpu: 4 */
/* expect-added: 1 */
#define _POSIX_C_SOURCE 200112L
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 140 };
typedef struct { float re, im; } Pair;
typedef struct { double re, im; } Wide;
typedef struct { struct { float x, y; } at; float v[2]; } Nested;

static Pair fa[MOST][MOST], fb[MOST][MOST], fc[MOST][MOST];
static Wide da[MOST][MOST], db[MOST][MOST], dc[MOST][MOST];
static Nested na[MOST][MOST];

static void fill(void)
{
    for (int i = 0; i < MOST; i++)
        for (int j = 0; j < MOST; j++) {
            fa[i][j] = (Pair){(float)((i * 7 + j * 3) % 11 - 5), (float)((i + j * 5) % 7)};
            fb[i][j] = (Pair){(float)((i * 5 + j) % 13 - 6), (float)((i * j) % 5)};
            fc[i][j] = (Pair){1, (float)(i % 3)};
            da[i][j] = (Wide){(i * 3 + j * 5) % 17 * 0.25, (i + j) % 4};
            db[i][j] = (Wide){(i + j * 2) % 7 - 3.5, i % 6};
            dc[i][j] = (Wide){-1, 2};
            na[i][j] = (Nested){{(float)(i % 5), (float)(j % 9)}, {(float)((i + 2 * j) % 8), (float)(j % 3)}};
        }
}

static void show(const char *name)
{
    double f = 0, d = 0;
    for (int i = 0; i < MOST; i++)
        for (int j = 0; j < MOST; j++) {
            f += fc[i][j].re * (i + 2 * j + 1) + fc[i][j].im * (3 * i + j);
            d += dc[i][j].re * (2 * i + j + 1) + dc[i][j].im * (i + j);
        }
    printf("%s %.10g %.10g\n", name, f, d);
    fill();
}

static void products(int n, int m, int l)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float re = 0, im = 0;
            for (int k = 0; k < l; k++) {
                re += fa[i][k].re * fb[k][j].re - fa[i][k].im * fb[k][j].im;
                im += fa[i][k].re * fb[k][j].im + fa[i][k].im * fb[k][j].re;
            }
            fc[i][j].re = re;
            fc[i][j].im = im;
        }
    show("along");
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float s = 0;
            for (int k = 0; k < l; k++)
                s += na[k][i].at.y * na[j][k].v[0] - fa[k][i].im;
            fc[i][j].im = s;
        }
    show("across");
    /* products of doubles alone: tensor cores */
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double s = 0;
            for (int k = 0; k < l; k++)
                s += da[i][k].re * db[k][j].im;
            dc[i][j].im = s;
        }
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double s = dc[i][j].re;
            for (int k = 0; k < l; k++)
                s += da[k][i].im * db[j][k].re;
            dc[i][j].re = s;
        }
    show("doubles");
}

int main(int argc, char **argv)
{
    if (argc < 5)
        return 1;
    if (atoi(argv[1]) < 9)
        setenv("OMPC_TILES", argv[1], 1);
    const int n = atoi(argv[2]), m = atoi(argv[3]), l = atoi(argv[4]);
    fill();
    products(n, m, l);
    return 0;
}
