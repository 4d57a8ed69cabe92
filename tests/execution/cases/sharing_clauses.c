/* private, firstprivate and lastprivate of scalars, arrays and structs; default(none) and default(private). */
/* args: 257 */
/* args: 1 */
/* expect-gpu: 10 */
/* expect-host: OMPC345 OMPC345 */
#include <stdio.h>
#include <stdlib.h>

typedef struct { double re, im; int tag[3]; } Point;

static double out[1000];
static int marks[1000];
static double scale = 2.5;
static double plane[40][30];

static void rows(int m, int many)
{
    #pragma omp parallel for firstprivate(m)
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < m; j++)
            plane[i][j] = i * 2 + j;
    #pragma omp parallel firstprivate(many)
    {
        #pragma omp for
        for (int i = 0; i < 40; i++)
            for (int j = 0; j < many; j++)
                plane[i][j] += many;
        many -= 3;
        #pragma omp for
        for (int i = 0; i < 40; i++)
            for (int j = 0; j < many; j++)
                plane[i][j] *= many;
    }
    double sum = many;
    for (int k = 0; k < 1200; k++)
        sum += plane[k / 30][k % 30] * (k % 7);
    printf("%.10g\n", sum);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 257;
    int i, j, t = 11, u = 13;
    double work[4] = {1, 2, 3, 4};
    Point p = {0.5, 0.25, {1, 2, 3}}, q = {9, 9, {9, 9, 9}};

    #pragma omp parallel for private(t, j)
    for (i = 0; i < n; i++) {
        t = i * 2;
        for (j = 0; j < 3; j++)
            t += j;
        out[i] = t;
    }
    printf("%d %d\n", t, u);

    #pragma omp parallel for firstprivate(t, work)
    for (i = 0; i < n; i++) {
        double s = t;
        work[i % 4] += i;
        for (int k = 0; k < 4; k++)
            s += work[k];
        work[i % 4] -= i;
        out[i] += s;
    }
    printf("%g %g %g %g\n", work[0], work[1], work[2], work[3]);

    #pragma omp parallel for lastprivate(u, i)
    for (i = 0; i < n; i++) {
        u = i * 3 + 1;
        marks[i] = u;
    }
    printf("u %d i %d\n", u, i);

    #pragma omp parallel for firstprivate(u) lastprivate(u)
    for (i = 0; i < n; i++)
        if (i == n - 1)
            u = u + 5;
    printf("u %d\n", u);

    #pragma omp parallel for firstprivate(p) private(q)
    for (i = 0; i < n; i++) {
        q = p;
        q.tag[i % 3] = i;
        q.re += i;
        out[i] += q.re * q.im + q.tag[0] + q.tag[1] + q.tag[2];
    }
    printf("%g %d\n", q.re, q.tag[1]);

    #pragma omp parallel for lastprivate(q)
    for (i = 0; i < n; i++) {
        q.re = i;
        q.im = -i;
        q.tag[0] = i + 1; q.tag[1] = i + 2; q.tag[2] = i + 3;
    }
    printf("%g %g %d %d %d\n", q.re, q.im, q.tag[0], q.tag[1], q.tag[2]);

    #pragma omp parallel for default(none) shared(out, scale, n) private(j) firstprivate(t)
    for (i = 0; i < n; i++) {
        j = i + t;
        out[i] = out[i] * scale + j;
    }

    #pragma omp parallel for default(shared) private(work)
    for (i = 0; i < n; i++) {
        for (int k = 0; k < 4; k++)
            work[k] = i + k;
        out[i] += work[0] * work[3];
    }

    double last = -1;
    #pragma omp parallel for collapse(2) lastprivate(last, j)
    for (i = 0; i < n; i++)
        for (j = 2; j < 9; j += 3)
            last = i * 100 + j;
    printf("last %g j %d\n", last, j);

    rows(n % 31, 29);
    double sum = 0;
    for (i = 0; i < n; i++)
        sum += out[i] * (i + 1) + marks[i];
    printf("%.10g\n", sum);
    return 0;
}
