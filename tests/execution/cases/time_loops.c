/* What programs do around their loops: swapped pointers, conditions that read results, clocks, an inner index that is
   shared by mistake, float3, min and max of their own, requests that outlive a call, macros in clauses. */
/* args: 40 */
/* expect-gpu: 5 */
/* expect-host: OMPC355 */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { float x, y, z; } float3;
static double max(double a, double b) { return a > b ? a : b; }
static int min(int a, int b) { return a < b ? a : b; }

/* As MPI's: the buffer is filled after the call, by the wait. */
typedef struct { double *to; int count; } Request;
static void irecv(void *to, int count, Request *request) { request->to = to; request->count = count; }
static void wait_for(Request *request) { for (int i = 0; i < request->count; i++) request->to[i] += 100; }

static double err[1];
#define THREADS 3
#define SUMS reduction(+:

static void sweep(int n, double *restrict to, const double *restrict from)
{
    double change = 0;
    #pragma omp parallel for reduction(max:change) num_threads(THREADS)
    for (int i = 1; i < n - 1; i++) {
        to[i] = (from[i - 1] + from[i + 1]) / 2;
        change = max(change, fabs(to[i] - from[i]));
    }
    err[0] = change;
}

/* j is shared: with one thread it is right, on the device it would not be. */
static void inner_index_shared(int n, double (*t)[40])
{
    int i, j;
    #pragma omp parallel for num_threads(1)
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            t[i][j] = i + j;
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]), turns = 0;
    double *u = calloc(n, sizeof *u), *v = calloc(n, sizeof *v), begun = omp_get_wtime(), s = 0;
    float3 *points = malloc(n * sizeof *points);
    static double t[40][40];
    u[0] = v[0] = 1;
    do {
        double *swap = u;
        sweep(n, v, u);
        u = v, v = swap;
    } while (err[0] > 0.002 && ++turns < 500);
    inner_index_shared(min(n, 40), t);
	#pragma omp parallel for	// tabs, and a comment
	for (int i = 0; i < n; i++)
		points[i] = (float3){i, 2, min(i, 7)};
    Request request;
    irecv(u, 3, &request);
    #pragma omp parallel
    #pragma omp for
    for (int i = 5; i < n; i++)
        u[i] += points[i].x * points[i].z;
    wait_for(&request);
    #pragma omp paralle for
    for (int i = 0; i < n; i++) {
    #pragma omp parallel for SUMS s)
        for (int k = 0; k < n; k++)
            s += u[k] * t[i][k];
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        u[i] += v[i];
    double spent = omp_get_wtime() - begun;
    printf("%d %.10g %.10g %.10g %d\n", turns, s, u[1], u[n - 1], spent > 0 && spent < 100);
    free(u), free(v), free(points);
    return 0;
}
