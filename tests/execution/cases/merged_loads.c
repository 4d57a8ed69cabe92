/* What a thread has stored is read under conditions where an array that is only read is read otherwise: nvcc makes one
 * load of two, with one of two addresses, and takes the read-only data path, which does not see the store.
 */
/* expect-gpu: 15 */
/* expect-added: 2 */
#include <stdio.h>
#include <stdlib.h>

#define N 600

struct pair { double x, y; };

static int w[2 * N], r[2 * N], on[N];
static double a[2 * N], b[2 * N], c[N];
static struct pair p[2 * N], q[2 * N];

static void begin(void)
{
    for (int i = 0; i < 2 * N; i++) {
        w[i] = i % 17 - 8, r[i] = i % 13 - 6, a[i] = i % 11 - 5, b[i] = i % 7 - 3;
        p[i].x = i % 5, p[i].y = i % 3, q[i].x = i % 9, q[i].y = i % 4;
    }
    for (int i = 0; i < N; i++)
        on[i] = i * 7 % 3, c[i] = 0;
}

static void show(const char *name)
{
    double sum = 0;
    for (int i = 0; i < 2 * N; i++)
        sum += (i % 19 + 1) * (w[i] + a[i] + p[i].x + 3 * p[i].y);
    for (int i = 0; i < N; i++)
        sum += (i % 23 + 1) * c[i];
    printf("%s %.15g\n", name, sum);
    begin();
}

static double chosen(const double *mine, const double *given, int i, int which)
{
    if (which > 1)
        return mine[i];
    return given[i];
}

int main(void)
{
    begin();
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        w[i] = 100 + i;
        w[i] = (on[i] > 0 ? w[i] : r[i]) <= 300;
    }
    show("operator");
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        int x;
        w[i] = 100 + i;
        if (on[i] > 0)
            x = w[i];
        else
            x = r[i];
        w[i + N] = x * 2;
    }
    show("arms");
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        w[i] = 100 + i;
        if (on[i] > 0)
            w[i + N] = r[i];
        else
            w[i + N] = w[i];
    }
    show("stores");
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        int x = 0;
        w[i] = 100 + i;
        switch (on[i]) {
        case 1:
            x = w[i];
            break;
        case 2:
            x = r[i];
            break;
        }
        w[i + N] = x;
    }
    show("switch");
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        w[i] = 100 + i;
        int x = r[i];
        if (on[i] > 0)
            x = w[i];
        w[i + N] = x;
    }
    show("before");
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        w[i] = 100 + i;
        w[i + N] = r[i];
        if (on[i] > 0) {
            w[i + N] = w[i];
            continue;
        }
        c[i] = r[i];
    }
    show("continue");
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 9; k++)
            a[i] = (b[(i + k) % N] > 0 ? a[i] : b[i]) * 0.5 + 1;
    show("inner loop");
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        a[i] = 100 + i;
        double s = a[i];
        for (int k = 0; k < on[i]; k++)
            s = b[k + i];
        a[i + N] = s;
    }
    show("last iteration");
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        a[i] = 100 + i;
        a[i + N] = chosen(a, b, i, on[i]);
    }
    show("function");
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        p[i].x = 100 + i;
        p[i].y = i;
        struct pair s = on[i] > 1 ? p[i] : q[i];
        p[i + N] = s;
    }
    show("records");
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        double s;
        p[i].y = 100 + i;
        if (on[i] > 1)
            s = p[i].y;
        else
            s = q[i].x;
        p[i + N].x = s;
    }
    show("members");
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        a[i] = 100 + i;
        const double *from = on[i] > 1 ? a : b;
        c[i] = from[i] + 1;
    }
    show("pointer");
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        double s;
        a[i] = 100 + i;
        if (on[i] > 1)
            s = a[i] * 3 + 1;
        else
            s = b[i] * 3 + 1;
        c[i] = s;
    }
    show("arithmetic");
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        a[i] = 100 + i;
        a[i + N] = on[i] > 1 && a[i] > 300 || b[i] > 0;
    }
    show("conditions");
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        double own[3000];
        for (int k = 0; k < 3000; k++)
            own[k] = k * i;
        c[i] = on[i] > 1 ? own[i] : b[i];
    }
    show("own");
    return 0;
}
