/* on device: 5
   A typedef evaluates the length of a variable array where it stands, once; typeof takes that of its operand as it is. What
   the names in the length say later is something else. */
#include <stdio.h>
#include <stdlib.h>

static int c[100];

static int sum_of(const int *w, int n)
{
    int s = 0;
    for (int k = 0; k < n; k++)
        s += w[k] * k;
    return s;
}

static int total(void)
{
    int t = 0;
    for (int i = 0; i < 100; i++)
        t += c[i];
    return t;
}

static void shrunk(void)
{
    int n = 100;
    typedef int row[n];
    int outer[n];
    outer[0] = n;
    n = 4;
    #pragma omp parallel for
    for (int i = 0; i < 100; i++) {
        row w;
        for (int k = 0; k < 100; k++)
            w[k * 37 % 100] = i + k;
        c[i] = sum_of(w, 100);
    }
    printf("%d\n", total());
    #pragma omp parallel for
    for (int i = 0; i < 100; i++) {
        __typeof__(outer) w;
        for (int k = 0; k < 100; k++)
            w[k * 37 % 100] = i - k;
        c[i] = sum_of(w, 100);
    }
    printf("%d %d\n", total(), outer[0]);
}

static void evaluated(void)
{
    #pragma omp parallel for
    for (int i = 0; i < 100; i++) {
        int m = i;
        typedef double row[m++];
        c[i] = m;
    }
    printf("%d\n", total());
}

static void rows(int n, int m, double a[n][m], double *out)
{
    typedef double row[m];
    row *p = a, *q = malloc(n * sizeof *q), w;
    __typeof__(w) z;
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        out[i] = 0;
        for (int k = 0; k < m; k++)
            out[i] += p[i][k];
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++)
            q[i][k] = p[i][k] * 2;
    #pragma omp parallel for
    for (int k = 0; k < m; k++)
        w[k] = q[0][k];
    #pragma omp parallel for
    for (int k = 0; k < m; k++)
        z[k] = w[k] + q[1][k];
    for (int k = 0; k < m; k++)
        out[0] += w[k] + z[k];
    free(q);
}

int main(void)
{
    double a[20][30], out[20];
    for (int i = 0; i < 20; i++)
        for (int k = 0; k < 30; k++)
            a[i][k] = i * k + 1;
    shrunk();
    evaluated();
    rows(20, 30, a, out);
    for (int i = 0; i < 20; i++)
        printf("%g ", out[i]);
    puts("");
    return 0;
}
