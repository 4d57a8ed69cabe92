/* `parallel for` inside a worksharing loop: a sequential loop with variables of its own, if its clauses allow that. */
/* args: 40 30 */
/* args: 2 1 */
/* expect-gpu: 6 */
/* expect-host: OMPC330 OMPC303 OMPC330 OMPC303 OMPC303 OMPC330 OMPC303 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static double a[40][30], b[40];
static int j = 77, seen[40];

static int twice(int k)
{
    return 2 * k + j; /* the variable of the file, not the loop's own */
}

/* The loop's own variable hides one of the file, and one of the thread that keeps its value. */
static void own_variables(int n, int m)
{
    int i, k;
    double s, t = 5;
    #pragma omp parallel for private(k, s)
    for (i = 0; i < n; i++) {
        k = 3;
        #pragma omp parallel for schedule(static) num_threads(2) firstprivate(m)
        for (j = 0; j < m; j++) a[i][j] = i * 0.5 + twice(j);
        s = 1;
        #pragma omp parallel for reduction(+: s) private(t) default(shared)
        for (k = 0; k < m; k++) {
            t = a[i][k];
            s += t * t;
        }
        b[i] = s + k;
    }
    printf("%d %g\n", j, t);
}

static void kinds(int n, int m)
{
    #pragma omp parallel
    {
        #pragma omp for
        for (int i = 0; i < n; i++) {
            int x = 5, sum = i, bits = 0;
            #pragma omp parallel for collapse(2) lastprivate(x) if(i > 3)
            for (int p = 0; p < 3; p++)
                for (int q = 0; q < m; q++) {
                    x = p * q;
                    a[i][q] += p + x;
                }
            #pragma omp parallel for reduction(+: sum) reduction(|: bits)
            for (int p = 0; p < m; p++) {
                #pragma omp parallel for reduction(+: sum)
                for (int q = 0; q < p; q++) sum = sum + q;
                sum--;
                bits |= p & i;
            }
            seen[i] = x + sum + bits;
        }
    }
}

/* What is read in other ways than the clause has it stays as it is. */
static void not_only_accumulated(int n, int m)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int most = 10, left = 100;
        #pragma omp parallel for reduction(max: most)
        for (int p = 0; p < m; p++)
            if (most < p + i) most = p + i;
        seen[i] += most - left;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int sum = 100, part = 7;
        #pragma omp parallel for reduction(+: sum)
        for (int p = 0; p < m; p++) sum += sum < 3;
        #pragma omp parallel for firstprivate(part) num_threads(1)
        for (int p = 0; p < m; p++) {
            part++;
            a[i][p] += part;
        }
        seen[i] += sum + part;
    }
}

/* Called from an iteration, a function's own loop is nested; called by the host, it is a parallel one. */
static double row_sum(int i, int m)
{
    double s = 0;
    #pragma omp parallel for simd reduction(+: s) simdlen(4) if(m > 2)
    for (int k = 0; k < m; k++) s += a[i][k];
    return s;
}
static int moved(double *row, int m)
{
    int k, last = -1;
    double t;
    #pragma omp parallel for private(t) lastprivate(last) schedule(dynamic)
    for (k = 0; k < m; k++) {
        t = row[k];
        row[k] = t + 1;
        last = k;
    }
    return last;
}
static void called(int n, int m)
{
    #pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < n; i++) {
        double most = row_sum(i, m) + moved(a[i], m), parts[3] = {0};
        #pragma omp parallel for
        for (int p = 0; p < 3; p++)
            for (int k = p; k < m; k += 3) parts[p] += a[i][k];
        b[i] += most - parts[0] - parts[1] + parts[2];
    }
    printf("%d %g\n", moved(b, n), row_sum(0, m));
}

/* A function asks for its thread: that is the inner team's only one, whoever runs the outer iteration. */
static void note(double *row, int k)
{
    row[k] = 10 * omp_get_thread_num() + omp_get_num_threads();
}

static void asking(int n, int m)
{
    #pragma omp parallel for schedule(static, 1) num_threads(4)
    for (int i = 0; i < n; i++) {
        #pragma omp parallel for
        for (int k = 0; k < m; k++)
            note(a[i], k);
    }
    #pragma omp parallel for schedule(static, 1) num_threads(4)
    for (int i = 0; i < n; i++)
        note(b, i);
    printf("%g %g\n", a[n - 1][m - 1], b[n - 1]);
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]), m = atoi(argv[2]);
    double sum = 0;
    own_variables(n, m);
    kinds(n, m);
    not_only_accumulated(n, m);
    called(n, m);
    asking(n, m);
    for (int i = 0; i < n; i++) sum = sum * 0.9 + b[i] + seen[i];
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++) sum += a[i][k];
    printf("%.10g %d\n", sum, j);
    return 0;
}
