/* Values that a rewrite must not take from another place or time: elements beside the iteration's own, memory that is there
   only if a loop has an iteration, names that mean something else in a function, divisors that are wrong for a while. */
/* args: 30 */
/* args: 1 */
/* args: 300 */
/* expect-gpu: 8 */
/* rtol: 1e-6 */
#include <stdio.h>
#include <stdlib.h>

#define N 300

struct grid { int off, size; };

static int data[N + 1], count[16], cnt[N], ints[N];
static double out[N][8], big[N * 4];
static float fx[N], fy[N], fz[N];
static double scale = 3;

static void scaled(double w[160], int j) { w[j] *= scale; }
static void early(double w[160], int j)
{
    if (j == 2)
        return;
    w[j] += 5;
}

static void show(const char *name)
{
    double sum = 0;
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < 8; j++)
            sum += out[i][j] * (i % 13 + j);
        sum += fz[i] * (i % 5) + big[i * 4] * (i % 3) + big[i * 4 + 1];
    }
    for (int k = 0; k < 16; k++)
        sum += count[k] * (k + 1);
    printf("%s %.9g\n", name, sum);
}

static void beside(int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        #pragma omp atomic
        count[data[i] % 16]++;
        #pragma omp atomic
        count[(data[n - 1 - i] + i % 3) % 8] += 2;
    }
    show("beside");
}

static void there(int n, const struct grid *g)
{
    int i = N - 1; /* the launcher sees this one */
    #pragma omp parallel for
    for (i = 0; i < n; i++)
        for (int k = 0; k < cnt[i]; k++)
            out[i][(k + g->off) % 8] = k + 1;
    show("there");
}

static void functions(int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double w[160], scale = 0.5;
        for (int j = 0; j < 8; j++)
            w[j] = i + j * scale;
        for (int j = 0; j < 8; j++)
            scaled(w, j);
        for (int j = 0; j < 8; j++)
            out[i][j] += w[j];
    }
    show("names");
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double w[160];
        for (int j = 0; j < 8; j++)
            w[j] = i + j;
        for (int j = 0; j < 8; j++)
            early(w, j);
        for (int j = 0; j < 8; j++)
            out[i][j] += w[j];
    }
    show("early");
}

static void divisors(int n, int m)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int j = 0; j < m; j++)
            sum += ints[j] / ((fx[j] + 0.5f) / (fy[j] * 1e-30f) > 0.25f);
        fz[i] = sum + i;
    }
    show("divided");
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        _Bool any = 0;
        float sum = 0;
        for (int j = 0; j < m; j++) {
            any = any || ints[j] > i;
            sum += fx[j] / (fy[j] * 1e-30f + 1e-30f);
        }
        fz[i] = any ? sum * 1e-28f : 2;
    }
    show("any");
}

static void integers(int n, int m)
{
    /* how many elements there are is changed by a pointer between the loops */
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double w[8] = {0};
        int most = m % 4, *p = &most;
        for (int k = 0; k < most; k++)
            w[k] = i + k;
        *p += 3;
        double s = 0;
        for (int k = 0; k < most; k++)
            s += w[k];
        out[i][0] = s;
    }
    show("pointer");
    /* only the elements below the diagonal are written */
    #pragma omp parallel for collapse(2)
    for (int i = 0; i < 8; i++)
        for (int j = 0; j <= i; j++)
            big[i * 8 + j] = 100 + i;
    show("triangle");
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 30;
    for (int i = 0; i < N; i++) {
        data[i] = (i * 7) % 23, cnt[i] = n == 1 ? 0 : i % 4, ints[i] = (i * 13) % 29;
        fx[i] = (float)(i % 23) * 0.5f, fy[i] = (float)(i % 11) + 1;
    }
    cnt[N - 1] = 5;
    for (int k = 0; k < N * 4; k++)
        big[k] = k % 17;
    const struct grid g = {3, 8};
    beside(n);
    there(n, n == 1 ? NULL : &g);
    functions(n);
    divisors(n, 93);
    integers(n, 3);
    return 0;
}
