/* Arrays with static storage inside functions, which other functions get as pointers: in main, in a switch, initialised,
   several in one declaration, over several lines. */
/* args: 50 */
/* args: 2 */
/* expect-gpu: 4 */
/* flags: -std=gnu90 -Wno-long-long */
#include <stdio.h>
#include <stdlib.h>
#define N 50

static void step(double u[N][N], double (*v)[N], int n)
{
    int i, j;
    #pragma omp parallel for private(j)
    for (i = 1; i < n; i++)
        for (j = 0; j < N; j++)
            if (u[i][j] > 3) v[i][(j * 7) % N] = u[i - 1][j] + 1;
}

static int looked_up(const int *t, const int *index, int n)
{
    int i, s = 0;
    #pragma omp parallel for reduction(+: s)
    for (i = 0; i < n; i++) s += t[index[i]];
    return s;
}

static double *state(int which)
{
    switch (which) {
        static double first[4]; static double second[] = {1, 2, 3, 4};
    case 0:
        return first;
    default:
        return second;
    }
}

static void add(double *p, const int *map, int n)
{
    int i;
    #pragma omp parallel for
    for (i = 0; i < n; i++) p[map[i]] += i;
}

static int counted(int n)
{
    static int seen[N];
    int i, s = 0;
    int *where = seen;
    #pragma omp parallel for
    for (i = 0; i < n; i++) where[(i + 1) % n] = i;
    for (i = 0; i < n; i++) s += seen[i] * (i + 1);
    return n > 2 ? s : s + counted(n + 1);
}

int main(int argc, char **argv)
{
    static double u[N][N], pad[3], v[N][N]; /* the grids */
    static int table[4] = {3, 1, 4, 1}, *unused; static int index[N];
    int i, j, k, n = argc > 1 ? atoi(argv[1]) : N;
    static int map[4] = {2, 1, 0,
                         3};
    double s = pad[0];

    for (i = 0; i < N; i++) {
        index[i] = i * i % 4;
        for (j = 0; j < N; j++) u[i][j] = (i * j) % 11;
    }
    for (k = 0; k < 3; k++) { step(u, v, n); step(v, u, n); }
    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++) s = s * 0.5 + u[i][j] + v[i][j];
    for (k = 0; k < 2; k++) { add(state(k), map, 4); add(state(k), map, 3); }
    printf("%.10g %d %g %g %d\n", s, looked_up(table, index, n), state(0)[2], state(1)[0], counted(2));
    return unused != NULL;
}
