/* Elements that an inner loop goes on changing: in variables meanwhile where nothing else can be the same element, where
   it is certainly there, and where every iteration comes to it; and where they must stay in memory. */
/* expect-gpu: 25 */
/* expect-added: 2 */
/* rtol: 1e-12 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define N 300
#define M 37
typedef struct { double x, y, z; int n; float v[3]; } body;
union both { double d; int i[2]; };
typedef struct { int tag; union { double d; int i[2]; }; } odd;
static int first[N + 1], column[N * 20];
static double value[N * 20], x[N], y[N], a[N][M], t[N][2];
static float fy[N];
static short sy[N];
static unsigned char cy[N];
static body b[N], c[M];
static union both u[N];
static odd o[N];
static double g[N * M];
static int idx[N], count[N];

static void fill(void)
{
    first[0] = 0;
    for (int i = 0; i < N; i++) {
        first[i + 1] = first[i] + (i % 7 == 3 ? 0 : i % 19);
        x[i] = (i * 37 % 101) / 8.0; y[i] = i; fy[i] = i; sy[i] = i; cy[i] = i; idx[i] = (i * 7) % N; count[i] = i % 5;
        for (int k = first[i]; k < first[i + 1]; k++) { column[k] = (k * 31) % N; value[k] = 1 + k % 4; }
        for (int j = 0; j < M; j++) { a[i][j] = (i + j) % 9; g[i * M + j] = (i * j) % 11; }
        t[i][0] = t[i][1] = i;
        b[i] = (body){i, 2 * i, 3 * i, i, {1, 2, 3}};
        u[i].d = i; o[i].tag = i; o[i].d = 1.5 * i;
    }
    for (int j = 0; j < M; j++) c[j] = (body){j, j % 3, j % 5, j, {j, 1, 2}};
}
static void plain(void)
{
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        for (int k = first[i]; k < first[i + 1]; k++) y[i] += value[k] * x[column[k]];
}
static void zeroed(void)
{
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        y[i] = 0;
        for (int k = first[i]; k < first[i + 1]; k++) y[i] += value[k] * x[column[k]];
    }
}
static void scaled(void)
{
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        y[i] *= 0.5;
        for (int k = first[i]; k < first[i + 1]; k++) if (value[k] > 2) y[i] += value[k] * x[column[k]];
        y[i] += 1;
    }
}
static void conditional(void) /* not certain: stays */
{
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        for (int k = first[i]; k < first[i + 1]; k++) if (value[k] > 2) y[i] += value[k];
}
static void members(void)
{
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        b[i].x = b[i].y = 0; b[i].z = 0;
        for (int j = 0; j < M; j++) { double d = c[j].x - x[i]; if (d * d < 900) { b[i].x += d; b[i].y += d * c[j].y; b[i].z -= c[j].z; b[i].n++; } }
    }
}
static void members2(void)
{
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) { b[i].x += c[j].x; b[i].y += b[i].x * 0.25; b[i].v[0] += c[j].v[0]; b[i].v[2] += 1; }
}
static void own_rows(void)
{
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        t[i][0] = 1; t[i][1] = 2;
        for (int j = 0; j < M; j++) { t[i][0] += a[i][j]; t[i][1] += a[i][j] * t[i][0]; }
    }
}
static void narrow(void)
{
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) { sy[i] += 999 * j; cy[i] = cy[i] * 3 + j; fy[i] += 0.1 * a[i][j]; }
}
static void overlapping(void) /* union: stays */
{
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) { u[i].i[0] += j; u[i].d += 0; o[i].i[1] ^= j; o[i].d = o[i].d; }
}
static void reads_neighbour(void) /* y[i] and y[idx]: stays */
{
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) y[i] += y[(i + j * 0)] * 0.125 + a[i][j];
}
static void left_early(void)
{
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        y[i] = 0;
        for (int j = 0; j < M; j++) { if (a[i][j] > 7) break; if (a[i][j] > 5) continue; y[i] += a[i][j]; }
    }
}
static void continued(void) /* continue before: not certain */
{
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) { if (a[i][j] > 5) continue; y[i] += a[i][j]; }
}
static void nested(void)
{
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        y[i] = 1;
        for (int j = 0; j < count[i]; j++) {
            for (int k = 0; k < count[(i + j) % N]; k++) y[i] += a[i][k + j];
            y[i] *= 1.5;
        }
    }
}
static void deep(void) /* inner only */
{
#pragma omp parallel for
    for (int i = 0; i < N / 10; i++)
        for (int j = 0; j < 10; j++)
            if (j != 3)
                for (int k = 0; k < M; k++) y[i * 10 + j] += a[i * 10 + j][k];
}
static void moving(int *where) /* the place changes */
{
#pragma omp parallel for
    for (int i = 0; i < N / 10; i++) {
        int p = i * 10;
        for (int j = 0; j < 10; j++) { y[p] += a[p][j]; p = i * 10 + j; }
        for (int j = 0; j < 10; j++) { int q = i * 10 + j; y[q] += 3; }
        for (int j = 0; j < where[i] % 4; j++) y[i * 10 + idx[i] % 10] += x[j];
    }
}
static void whiles(void)
{
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        int k = 0;
        y[i] = 0;
        while (k < count[i]) { y[i] += a[i][k]; k++; }
        k = 0;
        do { fy[i] += k; } while (k++ < count[i]);
        for (unsigned char q = 250; q >= 245; q--) sy[i] += q;
        for (unsigned q = count[i]; q-- > 0;) cy[i] += q;
    }
}
static void maxima(void)
{
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        y[i] = -1e9; sy[i] = -1;
        for (int j = 0; j < M; j++) if (a[i][j] * x[j] > y[i]) { y[i] = a[i][j] * x[j]; sy[i] = j; }
    }
}
static void flat(double *w, int m)
{
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < m; j++) { w[3 * i] += g[i * m + j]; w[3 * i + 1] += 2 * g[i * m + j]; }
        for (int j = 0; j < m; j++) w[3 * i + 2] += g[i * m + j];
    }
}
static void pointers(double **rows, double *w)
{
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        double *p = rows[i], *q = w + i;
        *q = 0;
        for (int j = 0; j < M; j++) { *q += p[j]; p[0] += 1; }
        q[0] *= 2;
    }
}
static void same_array(double *w) /* w and its own part */
{
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) w[i] += w[N + j];
}
static double add(double *p, double v) { *p += v; return v; }
static void called(void) /* a function accesses it: stays */
{
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        y[i] = 0;
        for (int j = 0; j < M; j++) { y[i] += a[i][j]; add(&y[i], 1); }
    }
}
static void swapped_names(void)
{
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        double y_i = 3;
        y[i] = y_i;
        for (int j = 0; j < M; j++) { double y_i = a[i][j]; y[i] += y_i; { int i = (j + 5) % N; y_i += x[i]; } }
    }
}
static void atomics(void)
{
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
#pragma omp atomic
            sy[i % 10] += j;
            fy[i] += j;
        }
}
static void empty_out_of_bounds(double *w, const int *place, const int *trips)
{
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        for (int j = 0; j < trips[i]; j++) w[place[i]] += j + i;
}
static void entered_by_cases(void)
{
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        switch (i % 3) {
        case 0: y[i] = 7;
        case 1: for (int j = 0; j < M; j++) if (a[i][j] > 3) y[i] += a[i][j]; break;
        case 2: fy[i] = 1; for (int j = 0; j < count[i]; j++) fy[i] += a[i][j];
        default: sy[i]++;
        }
}
static void sum(const char *name)
{
    double s = 0; long long k = 0;
    for (int i = 0; i < N; i++) {
        s += (i % 13 + 1) * (y[i] + fy[i] + t[i][0] + 2 * t[i][1] + b[i].x + 3 * b[i].y + 5 * b[i].z + b[i].v[0] + b[i].v[2]);
        k += (i % 17 + 1) * (sy[i] + 3 * cy[i] + 5 * b[i].n + u[i].i[0] + o[i].i[1] % 1000);
    }
    printf("%s %.9e %lld\n", name, s, k);
    fill();
}
int main(void)
{
    double *w = calloc(N * 3 + 1, sizeof *w), *rows[N]; int *place = malloc(N * sizeof *place), *trips = malloc(N * sizeof *trips);
    double s = 0;
    fill();
    plain(); sum("plain"); zeroed(); sum("zeroed"); scaled(); sum("scaled"); conditional(); sum("conditional"); members(); sum("members");
    members2(); sum("members2"); own_rows(); sum("own_rows"); narrow(); sum("narrow"); overlapping(); sum("overlapping");
    reads_neighbour(); sum("reads_neighbour"); left_early(); sum("left_early"); continued(); sum("continued"); nested(); sum("nested");
    deep(); sum("deep"); moving(count); sum("moving"); whiles(); sum("whiles"); maxima(); sum("maxima");
    flat(w, M); for (int i = 0; i < 3 * N; i++) s += (i % 7) * w[i]; printf("flat %.9e\n", s);
    for (int i = 0; i < N; i++) rows[i] = g + i * M;
    pointers(rows, w); for (int i = 0; i < 3 * N; i++) s += (i % 7) * w[i]; printf("pointers %.9e\n", s);
    same_array(w); for (int i = 0; i < 3 * N; i++) s += (i % 7) * w[i]; printf("same_array %.9e\n", s);
    called(); sum("called"); swapped_names(); sum("swapped_names"); atomics(); sum("atomics");
    entered_by_cases(); sum("entered_by_cases");
    for (int i = 0; i < N; i++) { place[i] = i % 3 ? -1000000000 + i : i; trips[i] = i % 3 ? -(i % 2) : i % 4; }
    empty_out_of_bounds(w, place, trips); for (int i = 0; i < 3 * N; i++) s += (i % 7) * w[i]; printf("empty %.9e\n", s);
    return 0;
}
