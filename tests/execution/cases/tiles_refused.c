/* Nests whose points share what they read, and of which something keeps them from tiles: sums, atomic operations and
   stores of functions around the points, elements that cannot be copied one by one, a counter that is wanted behind
   its loop, subscripts that a nested block declares. */
/* args: 2 33 */
/* args: 4 65 */
/* args: 8 19 */
/* expect-gpu: 13 */
/* expect-added: 1 */
#include <stdio.h>
#include <stdlib.h>

#define N 70

static double a[N][N], b[N][N], c[N][N], d[N][N];
static short sa[N][N], sb[N][N];
static struct three { unsigned char a, b, c; } ra[N][N];
static float fa[N][N];
static int sc[N][N], turned[N][N], plain[N][N], count[8], noted[N][N];

static void note(int i, int j) { noted[i][j] += i * 100 + j; }

static void fill(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = (i * 7 + j * 3) % 11, b[i][j] = (i * 5 + j) % 13 - 6;
            sa[i][j] = (short)(i * j % 17), sb[i][j] = (short)(i - j);
            plain[i][j] = i * N + j;
            ra[i][j] = (struct three){(unsigned char)(i * 3), (unsigned char)(j * 5), (unsigned char)(i + j)};
            fa[i][j] = (float)(i - j) * 0.25f;
        }
}

static void show(const char *name)
{
    double sum = 0;
    long whole = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            sum += c[i][j] * (i * 3 + j % 7) + d[i][j] * (i % 5 + j);
            whole += (long)sc[i][j] * (i + 2 * j) + turned[i][j] * (i % 3 + j) + noted[i][j] * (j % 4 + 1);
        }
    printf("%s %.17g %ld\n", name, sum, whole);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            c[i][j] = d[i][j] = i - j, sc[i][j] = turned[i][j] = i * j % 7;
}

static void with_sums(int n)
{
    double total = 0;
    #pragma omp parallel for collapse(2) reduction(+ : total)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double s = 0;
            for (int k = 0; k < n; k++)
                s += a[i][k] * b[k][j];
            c[i][j] = s;
            total += s;
        }
    printf("total %.17g\n", total);
    show("sums");
    double last = -1;
    #pragma omp parallel for collapse(2) lastprivate(last)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double s = 0;
            for (int k = 0; k < n; k++)
                s += a[i][k] * b[k][j];
            c[i][j] = s;
            last = s + i;
        }
    printf("last %.17g\n", last);
    show("last");
}

static void with_atomics(int n)
{
    #pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double s = 0;
            for (int k = 0; k < n; k++)
                s += a[i][k] * b[k][j];
            c[i][j] = s;
            #pragma omp atomic
            count[(i + j) % 8]++;
        }
    for (int k = 0; k < 8; k++)
        printf("%d ", count[k]);
    show("atomics");
    #pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double s = 0;
            for (int k = 0; k < n; k++)
                s += a[i][k] * b[k][j];
            c[i][j] = s;
            note(i, j);
        }
    show("functions");
}

static void elements(int n)
{
    #pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int s = 0;
            for (int k = 0; k < n; k++)
                s += sa[i][k] * sb[k][j];
            sc[i][j] = s;
        }
    show("short");
    /* records; numbers whose fractions count */
    #pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int s = 0;
            for (int k = 0; k < n; k++) {
                struct three t = ra[i][k];
                s += t.a * sb[k][j] + t.b - t.c + (int)(fa[k][j] * 4);
            }
            sc[i][j] = s;
        }
    show("records");
    /* an element that the loop adds to, and what stands in front of it */
    #pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            c[i][j] = c[i][j] * 0.5 + 1;
            for (int k = 0; k < n; k++)
                c[i][j] += a[i][k] * b[k][j];
        }
    show("kept");
}

static void counters(int n)
{
    int i, j, k;
    #pragma omp parallel for collapse(2) private(k)
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) {
            double s = 0;
            for (k = 0; k < n - 1; k++)
                s += a[i][k] * b[k][j];
            c[i][j] = s + k;
        }
    show("counter");
    #pragma omp parallel for collapse(2)
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) {
            static const double weights[3] = {0.5, 1.5, -2};
            double s = weights[y % 3];
            for (int q = 0; q < n; q++)
                s += a[y][q] * b[q][x] * weights[1];
            c[y][x] = s;
        }
    show("static");
    #pragma omp parallel for collapse(2)
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) {
            double s = 0;
            int shift = 1;
            if (y % 3 == 1)
                shift = 0;
            for (int q = 0; q < n; q++)
                s += a[y][q + shift] * b[q][x];
            c[y][x] = s;
        }
    show("shifted");
}

static void transposed(int n)
{
    #pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            {
                int q = i;
                turned[j][q] = plain[i][j] + 1;
            }
        }
    show("nested");
    /* only some points read the element, which not all of them have */
    #pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            sc[i][j] = j > i ? plain[j][i] : 0;
            if (i % 2)
                turned[j][i] = 5;
        }
    show("some");
    #pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            turned[j][i] += plain[i][j];
            turned[j][i] *= 2;
        }
    show("added");
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 1;
    setenv("OMPC_TILES", argv[1], 1);
    const int n = atoi(argv[2]);
    fill();
    with_sums(n);
    with_atomics(n);
    elements(n);
    counters(n);
    transposed(n);
    return 0;
}
