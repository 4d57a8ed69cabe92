/* Rows behind pointers that groups of threads have, with loops of as many turns as each row wants around what they share:
   cells with their neighbours, grids that are refined as often as each needs. */
/* args: 40 21 */
/* args: 3 1 */
/* args: 9 90 */
/* expect-gpu: 7 */
/* expect-added: 1 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct cell { long first; int neighbours, next[6]; };
struct place { double x, y; };
struct force { double a, b; };

/* forces between the points of each cell and of its neighbours */
static void forces(const struct cell *cells, const struct place *at, struct force *f, int n, int m)
{
    int i, j, k, other;
    struct place *mine, *theirs, d;
    struct force *sum;
#pragma omp parallel for private(i, j, k, other, mine, theirs, d, sum)
    for (int c = 0; c < n; c++) {
        mine = (struct place *)&at[cells[c].first];
        sum = &f[cells[c].first];
        for (k = 0; k < 1 + cells[c].neighbours; k++) {
            if (k == 0)
                other = c;
            else
                other = cells[c].next[k - 1];
            theirs = (struct place *)at + cells[other].first;
            for (i = 0; i < m; i++)
                for (j = 0; j < m; j++) {
                    d.x = mine[i].x - theirs[j].x;
                    d.y = mine[i].y - theirs[j].y;
                    sum[i].a += d.x * exp(-d.x * d.x);
                    sum[i].b += d.y / (1 + d.x * d.x);
                }
        }
    }
}

/* as many steps as the row's own error asks for */
static void relax(double *x, const int *first, int n, int m)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double *p = x + first[i], step = 1 + i % 3;
        for (int k = 0; k < 2 + p[0]; k++) {
            for (int j = 0; j < m; j++)
                p[j] = 0.5 * p[j] + step;
            step *= 0.5;
        }
    }
}

/* turns that what is shared takes away; the number of them is wanted behind, or not */
static void count(int *left, int *seen, const int *first, int n, int m)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int *p = seen + first[i], k;
        for (k = 0; k < left[i]; k++)
            for (int j = 0; j < m; j++) {
                p[j] += k + j;
                if (j == 0)
                    left[i]--;
            }
        p[0] += k;
    }
}
static void take(int *left, int *seen, const int *first, int n, int m)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int *p = seen + first[i];
        if (i % 4)
            for (int k = left[i]; k > 0; k -= 2) {
                for (int j = 0; j < m; j++)
                    p[j] += k * j;
                left[i] -= k == 4;
                for (int t = k; t < left[i]; t++)
                    for (int j = 0; j < m; j++)
                        p[j] ^= t;
            }
        else
            p[0] = -1;
    }
}

/* pointers that move, and two to one row: what an entry reads another one writes */
static void moving(int *seen, const int *first, const int *left, int n, int m)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int *p = seen + first[i];
        for (int k = 0; k < left[i]; k++) {
            for (int j = 0; j < m; j++) {
                *p += j;
                p++;
            }
            p -= m;
        }
    }
}
static void lagging(int *seen, const int *first, const int *left, int n, int m)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int *p = seen + first[i], *q = p + 1;
        for (int k = 0; k < left[i]; k++)
            for (int j = 0; j < m; j++)
                q[j] = q[j] % 1000 + p[j];
    }
}
static void behind(int *seen, const int *first, const int *left, int n, int m)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int *p = seen + first[i];
        for (int k = 0; k < left[i]; k++) {
            for (int j = 0; j < m; j++)
                p[j + 1] += 3;
            p++;
        }
    }
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]), m = atoi(argv[2]), wide = m + 9;
    struct cell *cells = calloc(n, sizeof *cells);
    struct place *at = malloc((size_t)n * wide * sizeof *at);
    struct force *f = calloc((size_t)n * wide, sizeof *f);
    double *x = malloc((size_t)n * wide * sizeof *x), s = 0;
    int *first = malloc(n * sizeof *first), *left = malloc(n * sizeof *left), *seen = calloc((size_t)n * wide, sizeof *seen);
    long sum = 0;
    for (int i = 0; i < n; i++) {
        first[i] = (n - 1 - i) * wide, left[i] = i % 6, cells[i].first = first[i], cells[i].neighbours = i % 7;
        for (int k = 0; k < 6; k++)
            cells[i].next[k] = (i * 5 + k * 3) % n;
    }
    for (int i = 0; i < n * wide; i++)
        at[i] = (struct place){i % 10 * 0.125, i % 7 * 0.25}, x[i] = i % 5;
    forces(cells, at, f, n, m);
    relax(x, first, n, m);
    for (int i = 0; i < n * wide; i++)
        s += f[i].a * (i % 3) - f[i].b + x[i] * (i % 4);
    printf("%.10g\n", s);
    count(left, seen, first, n, m);
    for (int i = 0; i < n; i++)
        left[i] += i % 5;
    take(left, seen, first, n, m);
    moving(seen, first, left, n, m);
    lagging(seen, first, left, n, m);
    behind(seen, first, left, n, m);
    for (int i = 0; i < n * wide; i++)
        sum = (sum * 3 + seen[i]) % 1000003;
    printf("%ld\n", sum);
    return 0;
}
