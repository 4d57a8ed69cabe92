/* Loops one after the other, or inside of others, that have not the same iterations, or whose iterations need what others
   have done: they do not become one, or no axis of the grid; and nests of which statements cannot move inside. */
/* args: 7 5 */
/* args: 1 1 */
/* args: 16 11 */
/* expect-gpu: 21 */
/* expect-added: 1 */
#include <stdio.h>
#include <stdlib.h>

#define N 20

static double a[N][N], b[N][N], c[N][N], left[N];
static int taken[N][N], lengths[N];

static void doubled(double w[64], int j)
{
    if (j == 2)
        return;
    w[j] *= 2;
}

static void show(const char *name)
{
    double sum = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            sum += a[i][j] * (i * 3 + j) + b[i][j] * (i + j % 5 + 1) + c[i][j] * (i % 7 + 2 * j) + taken[i][j] * (i - 2 * j);
    for (int i = 0; i < N; i++)
        sum += left[i] * (i + 1);
    printf("%s %.17g\n", name, sum);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = i * 2 + j, b[i][j] = j - i, c[i][j] = (i * j) % 5, taken[i][j] = i + j;
}

/* every second iteration of each, and not the same ones; as one loop with a step of two they would be */
static void red_and_black(int n, int m)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j += 2)
            a[i][j] = i + 0.5 * j;
        for (int j = 1; j < m; j += 2)
            b[i][j] = i - 0.25 * j;
    }
    show("steps");
}

/* n - 2 is beyond all other numbers where n is 1 */
static void without_sign(int n, unsigned long m, unsigned long low)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        for (unsigned long j = low - 2; j < m; j++)
            a[i][j] = 7 + i;
        for (unsigned long j = low - 1; j < m; j++)
            b[i][j] = 9 * i + 2;
    }
    show("sign");
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        if (low > 1)
            for (unsigned long j = 0; j < low - 2; j++)
                a[i][j] = 7 + i;
        for (unsigned long j = 0; j < m; j++)
            b[i][j] = 9 * i + 2;
    }
    show("asked");
}

static void names(int n, int m)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++)
            a[i][j] = i;
        for (int q = 0; q < m; q++) {
            double j = q * 0.5;
            b[i][q] = j + a[i][q];
        }
    }
    show("names");
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double f = left[i];
        for (int j = 0; j < m; j++) {
            int f = j % 3;
            a[i][j] = f + 1;
        }
        left[i] = f;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double f = left[i] + i;
        {
            double f = 2;
            left[i] = f;
        }
        for (int j = 0; j < m; j++)
            b[i][j] = f;
    }
    show("hidden");
}

/* how often a loop turns is said by the last iteration of another one */
static void turns(int n, int m)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int most = 0;
        for (int j = 0; j < m; j++) {
            a[i][j] = 1;
            most = j;
        }
        for (int k = 0; k < most; k++)
            for (int j = 0; j < m; j++)
                b[i][j] += k + a[i][j];
    }
    show("turns");
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double f = 0;
        for (int j = 0; j < m; j++) {
            a[i][j] = j * 0.5;
            f = a[i][j] + 1;
        }
        for (int j = 0; j < m; j++)
            b[i][j] = f;
    }
    show("last");
    int j;
    #pragma omp parallel for private(j)
    for (int i = 0; i < n; i++) {
        for (j = 0; j < m; j++)
            a[i][j] = 3;
        left[i] = j;
        for (j = 0; j < m; j++)
            b[i][j] = 5;
    }
    show("behind");
}

static void carried(int n, int m)
{
    double s;
    #pragma omp parallel for private(s)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            if (j == 0)
                s = i;
            b[i][j] = s;
            s = s * 0.5 + 1;
        }
    show("carried");
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double w[N];
        for (int j = 0; j < m; j++)
            w[j] = a[i][j];
        for (int j = 0; j < m; j++)
            b[i][j] = w[m - 1 - j];
    }
    show("other way");
    double w[N];
    #pragma omp parallel for private(w)
    for (int i = 0; i < n; i++) {
        w[0] = i;
        for (int j = 1; j < m; j++)
            w[j] = w[j - 1] + a[i][j];
        for (int j = 0; j < m; j++)
            b[i][j] = w[j];
    }
    show("sums");
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++)
            a[i][j] = i * j;
        for (int j = 0; j < m; j++)
            b[i][j] = a[i][(j + 1) % m] + (j + 1 < m ? a[i][j + 1] : 0);
    }
    show("neighbours");
    /* an element of the row before, by a pointer to another one */
    #pragma omp parallel for private(w)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            w[0] = i;
            double *q = &w[0];
            b[i][j] = j ? q[1] : 0;
            q[1] = j + w[0];
        }
    show("pointer");
}

/* inner loops whose length is each row's own; a counter that is read before its loops; an element between the loops */
static void own(int n, int m)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            a[i][j] = 4;
    show("triangle");
    int i = 2; /* by a name that the launcher sees, too */
    #pragma omp parallel for
    for (i = 0; i < n; i++)
        for (int j = 0; j < lengths[i]; j++)
            b[i][j] = 6 + j;
    show("lengths");
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int j = 3;
        double f = j * 0.5;
        for (j = 0; j < m; j++)
            a[i][j] = f;
        for (j = 0; j < m; j++)
            b[i][j] = f + a[i][j];
    }
    show("before");
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double w[N];
        for (int j = 0; j < m; j++)
            w[j] = a[i][j] + 1;
        double f = w[0];
        for (int j = 0; j < m; j++)
            b[i][j] = f;
    }
    show("between");
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double w[64];
        for (int j = 0; j < m; j++)
            w[j] = a[i][j];
        for (int j = 0; j < m; j++)
            doubled(w, j);
        for (int j = 0; j < m; j++)
            b[i][j] = w[j];
    }
    show("returns");
}

/* the initialiser of the counter counts another variable */
static void counted(int n, int m)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int q = i;
        int j = q++;
        for (j = 0; j < m; j++)
            b[i][j] = q;
    }
    show("counted");
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        void *row = taken[i];
        for (int j = 0; j < m; j++)
            ((int *)row)[j] = i + j;
    }
    show("bytes");
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 1;
    const int n = atoi(argv[1]), m = atoi(argv[2]);
    for (int i = 0; i < N; i++)
        lengths[i] = (i * 7) % m;
    show("begin");
    red_and_black(n, m);
    without_sign(n, m, m > 1 ? 3 : 1);
    names(n, m);
    turns(n, m);
    carried(n, m);
    own(n, m);
    counted(n, m);
    return 0;
}
