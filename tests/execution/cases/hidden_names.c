/* Variables that hide others of their name, beside what kernels do elsewhere than the text: stores at the end of an iteration,
   what is fetched ahead, what a group of threads shares, loops that become one. */
/* args: 9 6 */
/* args: 3 4 */
/* expect-gpu: 10 */
#include <stdio.h>
#include <stdlib.h>
#define N 12
#define M 300

static long a[N][M], b[N][M], c[N][M], r[N], V[N], W[N][M];
static double q0[N][60], P[M], Q[N], val[800];
static int at[N + 1];

static void show(const char *what)
{
    long all = 0;
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < M; j++)
            all = (all * 5 + a[i][j] + 3 * b[i][j] + 7 * c[i][j] + W[i][j]) % 1000003;
        for (int j = 0; j < 60; j++)
            all = (all * 3 + (long)(q0[i][j] * 64)) % 1000003;
        all = (all * 7 + r[i] + V[i] + (long)Q[i]) % 1000003;
    }
    for (int j = 0; j < M; j++)
        all = (all * 3 + (long)(P[j] * 16)) % 1000003;
    printf("%s %ld\n", what, all);
}

static void shared(int n, int k)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int m = k;
        int k = m * 2;
        for (int j = 0; j < k; j++)
            a[i][j] = k;
    }
    show("a bound of a group");
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        long q = V[i];
        long V[M];
        for (int k = 0; k < M; k++)
            V[k] = q + k;
        for (int k = 0; k < M; k++)
            W[i][k] += V[(k * 7) % M];
        r[i] = V[5];
    }
    show("an array of a group");
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double t = Q[i];
        double Q = t + 1, s = Q;
        for (int k = at[i]; k < at[i + 1]; k++)
            s += val[k];
        q0[i][0] = s + Q;
    }
    show("a sum of a group");
}

int main(int argc, char **argv)
{
    const int n = argc > 2 ? atoi(argv[1]) : 5, m = argc > 2 ? atoi(argv[2]) : 6;
    int lim = m - 1;
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < M; j++)
            a[i][j] = b[i][j] = c[i][j] = 1;
        V[i] = i * 5, Q[i] = i, at[i + 1] = at[i] + i % 8;
    }
    for (int k = 0; k < 800; k++)
        val[k] = k % 3;

    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 1; j < m; j++) {
            a[i][j] += a[i][j - 1];
            long s = a[i][j];
            int i = s & 1;
            s += i;
        }
    show("a row");
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 1; j < m; j++) {
            if (lim > 3) { c[i][j] += c[i][j - 1]; }
            long lim = j & 3;
            r[i] += lim;
        }
    show("a guard");
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 1; j < m; j++) {
            b[i][j] += b[i][j - 1];
            long b = j;
            r[i] += b;
        }
    show("the array");
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++) {
            r[i] += k;
            long k = i & 3;
            r[i] += k;
        }
    show("the counter");
    #pragma omp parallel for
    for (int k = 0; k < n; k++) {
        int m2 = 0;
        long s = 0;
        for (int j = 1; j < m; j++) {
            for (m2 = 0; m2 < 3; m2++)
                a[k][j + m2] += a[k][j + m2 - 1] + j;
            { int m2 = 5; s += m2; }
            s += m2;
        }
        r[k] += s;
    }
    show("the counter of a short loop");
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double w[60][4][4];
        for (int j = 0; j < 60; j++)
            for (int x = 0; x < 4; x++)
                for (int y = 0; y < 4; y++)
                    w[j][x][y] = (i + j + x + y) % 4 * 0.25;
        for (int k = 0; k < m; k++) {
            int q = k;
            {
                w[q][0][1] = w[q][0][1] * 0.5 + w[q][0][0];
                w[q][1][1] = w[q][1][1] * w[q][0][1] - w[q][1][0];
                w[q][2][1] = w[q][2][1] * w[q][1][1] - w[q][1][0];
                w[q][0][1] = w[q][2][1] + w[q][1][1] + w[q][0][1];
                w[q][0][1] += w[q][0][1] * w[q][1][1];
                long q = i & 3;
                r[i] += q;
            }
        }
        for (int j = 0; j < 60; j++)
            q0[i][j] = w[j][0][1];
    }
    show("a row that is kept");
    #pragma omp parallel for
    for (int i = 0; i < M; i++) {
        float s = 0;
        for (int j = 0; j < 130; j++) {
            float q = 1.0f / (float)(val[j] + 1);
            s += q > 0.4f ? 1 : 2;
            float s = q;
            q = s;
        }
        P[i] += s;
    }
    show("a sum of quotients");
    shared(n, m);
    return 0;
}
