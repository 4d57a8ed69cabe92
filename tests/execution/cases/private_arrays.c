/* Private arrays: of variable length and too large for local memory, as elements and behind pointers; names; too large. */
/* args: 300 6 */
/* args: 7 1 */
/* expect-gpu: 18 */
/* expect-host: OMPC325 OMPC325 OMPC333 OMPC333 */
/* refuses: OMPC454 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pair { int key; double v[2]; };
static double out[400], work[400];
static int count;

static void show(const char *name)
{
    double s = 0;
    for (int i = 0; i < 400; i++) s = s * 1.001 + out[i] * (i % 7 + 1), out[i] = i % 3;
    printf("%s %.12g\n", name, s);
}

static double total(const double *w, int n) { double s = 0; for (int k = 0; k < n; k++) s += w[k]; return s; }
static double cell(int m, double a[][m], int i, int j) { return a[i][j] * 2; }
static double shared_work(int i) { return work[i]; }

static void of_variable_length(int n, int m)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double w[m + 1];
        for (int k = 0; k <= m; k++) w[k] = i * k;
        for (int k = m; k >= 0; k--) out[i] += w[k] / (k + 1);
    }
    show("elements");
    int divisor = m - 6; /* 0 in one of the runs: then no array is declared, and the launcher must not divide by it */
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        if (divisor) {
            double w[-40 / divisor + count];
            w[count] = i;
            out[i] += w[count];
        }
    }
    show("quotients");
    #pragma omp parallel for firstprivate(m)
    for (int i = 0; i < n; i++) {
        double w[m], rows[3][m];
        double *p = w;
        for (int k = 0; k < m; k++) *p++ = i + k;
        for (int r = 0; r < 3; r++)
            for (int k = 0; k < m; k++) rows[r][k] = r * k + i;
        out[i] += total(w, m) + total(rows[1], m) + cell(m, rows, 2, i % m) + *rows[0];
    }
    show("pointers");
    double table[m][4];
    struct pair pairs[2 * m];
    #pragma omp parallel for private(table, pairs) collapse(2)
    for (int i = 0; i < n / 4; i++)
        for (int j = 0; j < 4; j++) {
            for (int k = 0; k < m; k++) table[k][j] = i + j * k, table[k][(j + 1) % 4] = 1, pairs[k].key = k, pairs[k].v[1] = j;
            for (int k = 0; k < m; k++) out[i * 4 + j] += table[k][j] * pairs[k].key - table[k][(j + 1) % 4] + pairs[k].v[1];
        }
    show("by clause");
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        for (int again = 0; again < 3; again++) {
            double *places[m][2];
            double two[2] = {i, again};
            for (int k = 0; k < m; k++) places[k][0] = two, places[k][1] = two + 1;
            if (i == 4) continue;
            out[i] += places[m - 1][0][again % 2] + *places[0][1];
        }
    }
    show("of pointers");
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int k = 0;
        goto middle;
    up:
        k++;
    middle:
        {
            long w[m * 2 - 1];
            w[2 * m - 2] = k + i;
            switch (i % 3) { case 1: w[2 * m - 2] *= 2; break; default: w[2 * m - 2]--; }
            out[i] += w[m + m - 2];
        }
        if (k < 2) goto up;
    }
    show("jumps");
}

static void in_regions(int n, int m)
{
    #pragma omp parallel
    {
        double w[m];
        #pragma omp for
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < m; k++) w[k] = i - k;
            out[i] += total(w, m);
        }
        #pragma omp for nowait schedule(static, 3)
        for (int i = 0; i < n; i++) {
            int counts[m + 2];
            counts[0] = counts[m] = i;
            out[i] += counts[i % 2 ? 0 : m];
        }
    }
    show("region");
    #pragma omp target teams distribute parallel for map(tofrom: out)
    for (int i = 0; i < n; i++) {
        float w[m];
        w[m - 1] = i;
        out[i] += w[m - 1] * 3;
    }
    show("target");
    double sum = 0;
    #pragma omp parallel for reduction(+:sum) schedule(dynamic)
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j += 50) {
            double w[n];
            w[j] = i;
            sum += w[j] * j;
        }
    out[0] = sum;
    show("reduction");
}

static void names(int n, int m)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double s = work[i] + shared_work(i);
        { double work[m]; work[m - 1] = i; s += work[m - 1]; }
        { float work[m][2]; work[m - 1][1] = i; s += work[m - 1][1] / 2; }
        out[i] += s;
    }
    show("names");
    #pragma omp parallel for private(work)
    for (int new = 0; new < n; new++) {
        int class[m], i[m];
        work[new] = new, class[0] = i[0] = 3;
        out[new] += work[new] * class[0] + i[0];
    }
    show("keywords");
}

static void large(int n, int m)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double histogram[100][200];
        unsigned char flags[90000];
        for (int k = 0; k < 100; k++) for (int l = 0; l < 200; l += 50) histogram[k][l] = 0;
        memset(flags, 1, sizeof flags);
        for (int k = 0; k < 50; k++) histogram[i * k % 100][k / 20 * 50] += k + flags[k * i % 90000];
        for (int k = 0; k < 100; k++) out[i] += histogram[k][k % 4 * 50] * k;
    }
    show("large");
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int a[6000], b[3000][4];   /* the larger one leaves room for the other */
        a[i] = i, b[i][3] = 2 * i;
        int (*row)[4] = &b[i];
        out[i] += a[i] + (*row)[3];
    }
    show("together");
    static double scratch[20000];
    #pragma omp parallel for private(scratch) schedule(static)
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 20000; k += 1000) scratch[k] = i;
        out[i] += scratch[1000 * (i % 20)];
    }
    show("static");
    long many = m == 1 ? 3 : 1l << 50;
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        if (i < 0) {
            double w[many];
            w[0] = i, out[i] += w[0];
        }
        out[i] += 1;
    }
    show("exhausted");
    long overflow = m == 1 ? 1 : 1l << 62;
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        if (i < 0) {
            double w[overflow][4];
            w[0][1] = i, out[i] += w[0][1];
        }
        out[i] += 1;
    }
    show("overflow");
}

static double inside(int i, int m) { double w[m]; w[i % m] = i; return w[i % m]; }
static double large_inside(int i) { double w[9000]; w[i] = i; for (int k = 0; k < i; k++) w[k] = k; return w[i / 2] + w[i]; }

static void on_the_host(int n, int m)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) { double w[i + 1]; w[i] = i; out[i] += w[i]; }
    #pragma omp parallel for firstprivate(m)
    for (int i = 0; i < n; i++) { m = 3; double w[m]; w[2] = i; out[i] += w[2]; }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) out[i] += inside(i, m);
    #pragma omp parallel for
    for (int i = 0; i < n; i++) out[i] += large_inside(i);
    #pragma omp parallel for
    for (int i = 0; i < n; i++) { int w[20000] = {0}; w[i] += i; out[i] += w[i] + w[i + 1]; }
    show("on the host");
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]), m = atoi(argv[2]);
    count = m;
    for (int i = 0; i < 400; i++) work[i] = i * 0.5;
    of_variable_length(n, m);
    in_regions(n, m);
    names(n, m);
    large(n, m);
    on_the_host(n, m);
    return 0;
}
