/* Threads that compute several iterations together, since these read the same in a loop inside: numbers of iterations that
   leave some over, several loops behind each other, values that iterations hand on, and reductions around. */
/* args: 0 0 67 */
/* args: 0 2 67 */
/* args: 1 2 66 */
/* args: 2 2 35 */
/* args: 4 2 9 */
/* args: 32 2 2 */
/* args: 8 2 1 */
/* args: 4 0 13 */
/* args: 4 2 0 */
/* expect-gpu: 6 */
/* rtol: 1e-5 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define N 67
#define LONG 93

typedef struct { float x, y, z, mass; } body;

static body bodies[LONG];
static double x[LONG], w[LONG], a[N], b[N];
static float f[N], g[N];
static int cell[N], counts[N];
static unsigned hash[N];

static void fill(void)
{
    for (int k = 0; k < LONG; k++) {
        bodies[k].x = (float)(k * 7 % 31), bodies[k].y = (float)(k % 11) * 0.5f, bodies[k].z = (float)(k % 5);
        bodies[k].mass = (float)(k % 3 + 1);
        x[k] = k * 0.125, w[k] = 1.0 / (k + 1);
    }
    for (int i = 0; i < N; i++)
        cell[i] = 3 + i * 5 % 29;
}

static void attract(int n, int m)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float sx = 50.0f, sy = 0.5f, sz = -50.0f;
        for (int j = 0; j < m; j++) {
            const float dx = bodies[j].x - bodies[i].x, dy = bodies[j].y - bodies[i].y, dz = bodies[j].z - bodies[i].z;
            const float inverse = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
            const float pull = bodies[j].mass * inverse * inverse * inverse;
            sx += pull * dx;
            sy += pull * dy;
            sz += pull * dz;
        }
        f[i] = sx + sy;
        g[i] = sz;
    }
}

static double densities(int n, int m) /* variables of a clause; a sum of all iterations */
{
    double total = 0, at, d, s;
    int i, j;
    #pragma omp parallel for private(j, at, d, s) reduction(+:total)
    for (i = n - 1; i >= 0; i -= 1) {
        at = x[i] * 1.5;
        s = w[i];
        for (j = 0; j < m; j++) {
            d = x[j] - at;
            s += exp(-d * d) * w[j];
        }
        j = 3;
        s *= 1.25 * j;
        a[i] = s;
        total += s;
    }
    return total;
}

static void both(int n, int m) /* the second loop needs what came of the first one; what iterations have once only is not theirs */
{
    #pragma omp parallel for schedule(static, 3)
    for (int i = 0; i < n; i += 2) {
        const int mine = cell[i];
        const double *from = &x[mine];
        double mean = 0, spread = 0;
        int near = mine;
        unsigned bits = (unsigned)i;
        for (int j = 0; j < m; j++)
            mean += x[j] / (w[mine - 3] + w[j]);
        if (mine % 2)
            mean /= m + 1.0;
        for (long j = m - 1; j >= 0; j -= 2) {
            const double d = sqrt(x[j] * x[j] + mean * mean) - *from;
            spread += d * d;
            near += j % 3 == 0;
            bits ^= (unsigned)j * 2654435761u;
        }
        b[i] = spread + mean;
        counts[i] = near;
        hash[i] = bits;
    }
}

static double apart(int n, int m) /* what all threads add to is nobody's own; entries that differ; branches inside */
{
    double total = 0;
    #pragma omp parallel for reduction(+:total)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            total += sqrt(x[j] + i);
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int j = 0; j < m; j++)
            s += sqrt(x[(i + j) % LONG] + 1);
        a[i] = s;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int j = 0; j < m; j++) {
            if (j == i)
                continue;
            s += 1 / sqrt((x[j] - x[i]) * (x[j] - x[i]));
        }
        b[i] = s;
    }
    return total;
}

static void show(const char *name, int n)
{
    printf("%s", name);
    for (int i = 0; i < n; i++)
        printf(" %.8g %.8g %.6g %.6g %d %u", a[i], b[i], f[i], g[i], counts[i], hash[i]);
    printf("\n");
}

int main(int argc, char **argv)
{
    const int n = atoi(argv[3]);
    if (getenv("OMPC_LANES") == NULL && getenv("OMPC_TILES") == NULL) { /* read when the program starts */
        if (argv[1][0] != '0')
            setenv("OMPC_LANES", argv[1], 1);
        setenv("OMPC_TILES", argv[2], 1);
        execv(argv[0], argv);
    }
    fill();
    attract(n, LONG);
    const double total = densities(n, LONG);
    show("attract, densities", n);
    both(n, LONG - n % 2);
    show("both", n);
    printf("%.10g %.10g\n", total, apart(n, LONG));
    show("apart", n);
    attract(n, 1);
    densities(n, 0);
    both(n, 5);
    show("short", n);
    (void)argc;
    return 0;
}
