/* Reasons against a rewrite, or a kernel form, that few programs give: an argument that the called function changes; a loop that
   threads share, and that changes its end; one that begins beyond its end, so that it writes nothing; a jump over the rest of an
   iteration, of which a thread does several; constants that an iteration declares; output in the order of two loops; distances
   of pointers to records; a last value
   that an earlier iteration has assigned. */
/* args: 7 5 */
/* expect-gpu: 7 */
/* expect-added: 5 */
/* expect-host: OMPC345 */
#include <stdio.h>
#include <stdlib.h>

#define N 24

static double a[N][N], own[N], w[N][400], x[96][96], y[96][96], z[96][96];
static int slot, length[N];
#pragma omp threadprivate(own, slot)

static void show(const char *name)
{
    double sum = 0;
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++)
            sum += a[i][j] * (i * 3 + j);
        for (int j = 0; j < 400; j++)
            sum += w[i][j] * j;
    }
    for (int i = 0; i < 96; i++)
        for (int j = 0; j < 96; j++)
            sum += z[i][j] * (i + 2 * j);
    printf("%s %.17g\n", name, sum);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = i * 2 + j;
}

static void set(int k)
{
    slot = 3;
    own[k] = k + slot;
}

static void inlined(int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < N; j++)
            own[j] = 0;
        slot = i % 5;
        set(slot);
        for (int j = 0; j < N; j++)
            a[i][j] = own[j];
    }
    show("inlined");
}

static void shortened(int n)
{
    for (int i = 0; i < N; i++)
        length[i] = 40 + i;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int k = 0; k < length[i]; k++) {
            w[i][k] += k + i;
            if (k == 7)
                length[i] = 20;
        }
    show("shortened");
}

/* where `low` is 0, the loop over j has no iteration */
static void beyond(int n, unsigned long low, unsigned long high)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double s = i;
        for (unsigned long j = low - 1; j < high; j++) {
            s = s * 0.5 + 1;
            a[i][j + 1] = s;
        }
    }
    show("beyond");
}

static void jumps(void)
{
    for (int i = 0; i < 96; i++)
        for (int j = 0; j < 96; j++)
            x[i][j] = i * 0.5 + j;
    #pragma omp parallel for collapse(2)
    for (int i = 1; i < 95; i++)
        for (int j = 1; j < 95; j++) {
            if ((i + j) % 3 == 0)
                continue;
            z[i][j] = x[i - 1][j] + x[i + 1][j] + x[i][j - 1] + x[i][j + 1] + x[i][j];
        }
    show("jumps");
}

static void tables(void)
{
    for (int i = 0; i < 96; i++)
        for (int j = 0; j < 96; j++)
            x[i][j] = (i * 5 + j) % 9, y[i][j] = (i * j) % 7;
    #pragma omp parallel for
    for (int i = 0; i < 96; i++)
        for (int j = 0; j < 96; j++) {
            static const double more = 2;
            double s = 0;
            for (int k = 0; k < 96; k++)
                s += x[i][k] * y[k][j];
            z[i][j] = s + more;
        }
    show("tables");
}

static void prints(int n, int m)
{
    #pragma omp parallel for collapse(2) num_threads(1)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            a[j][i] += x[j][i];
            printf("%d %d\n", i, j);
        }
    show("prints");
}

struct four { float x, y, z, w; };

static void differences(struct four *p, long *distances, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        struct four *mine = &p[i];
        distances[i] = (&p[5] - mine) * (&p[i] - &p[0]) + mine->y;
        p[i].x += p[i].y + p[i].z + p[i].w;
    }
    for (int i = 0; i < n; i++)
        printf("%ld %g\n", distances[i], p[i].x);
}

static void last_one(void)
{
    double last = 7;
    #pragma omp parallel for firstprivate(last) lastprivate(last) schedule(static)
    for (int i = 0; i < 101; i++)
        if (i % 2 == 1)
            last = i * 3;
    printf("%g\n", last);
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 1;
    const int n = atoi(argv[1]), m = atoi(argv[2]);
    show("begin");
    inlined(n);
    shortened(n);
    beyond(n, m - 5, 7);
    beyond(n, m, 7);
    jumps();
    tables();
    prints(n, m);
    struct four *p = calloc(20, sizeof *p);
    long *distances = malloc(20 * sizeof *distances);
    for (int i = 0; i < 20; i++)
        p[i].x = i, p[i].y = 1;
    differences(p, distances, 20);
    last_one();
    return 0;
}
