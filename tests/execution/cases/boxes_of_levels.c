/* Loops of an iteration over what pointers of a table lead to: strides of the iteration's own, restricted pointers, rows
   that are one another; where entries depend on each other, and where they do not. */
/* args: 6 12 */
/* args: 40 5 */
/* args: 3 33 */
/* expect-gpu: 11 */
/* expect-added: 1 */
/* refuses: OMPC453 */
#include <stdio.h>
#include <stdlib.h>

enum { VECTORS = 4 };
struct box { int row, plane, ghosts, nk, nj, ni, first; double **v; };
struct level { int boxes; struct box *box; };

static void stencil(struct level *l, int to, int from, double w)
{
    #pragma omp parallel for
    for (int b = 0; b < l->boxes; b++) {
        const int row = l->box[b].row, plane = l->box[b].plane;
        const int first = l->box[b].first;
        const int ni = l->box[b].ni, nj = l->box[b].nj, nk = l->box[b].nk;
        const double *restrict x = l->box[b].v[from] + l->box[b].ghosts * (1 + row + plane);
        double *restrict y = l->box[b].v[to] + l->box[b].ghosts * (1 + row + plane);
        for (int k = first; k < nk; k++)
            for (int j = first; j < nj; j++)
                for (int i = first; i < ni; i++) {
                    int at = i + j * row + k * plane;
                    y[at] = w * x[at] + .1 * (x[at - 1] + x[at + 1] + x[at - row] + x[at + row] + x[at - plane] + x[at + plane]);
                }
    }
}
/* red and black: where an entry begins depends on the loops around it */
static void colours(struct level *l, int to, int by, int colour)
{
    #pragma omp parallel for
    for (int b = 0; b < l->boxes; b++) {
        int i, j, k;
        const int row = l->box[b].row, plane = l->box[b].plane, first = l->box[b].first;
        const int ni = l->box[b].ni, nj = l->box[b].nj, nk = l->box[b].nk;
        const double *restrict x = l->box[b].v[by];
        double *restrict y = l->box[b].v[to];
        for (k = first; k < nk; k++)
            for (j = first; j < nj; j++) {
                for (i = first; i < ni; i++)
                    y[i + j * row + k * plane] = x[i + j * row + k * plane];
                for (i = first + ((first ^ j ^ k ^ colour) & 1); i < ni; i += 2)
                    y[i + j * row + k * plane] = x[i + j * row + k * plane] * .5 + x[i + 1 + j * row + k * plane];
            }
    }
}
/* a stride that is made of what the loop itself does not name */
static void planes(struct level *l, int to, int rows, int columns)
{
    const int plane = rows * columns;
    #pragma omp parallel for
    for (int b = 0; b < l->boxes; b++) {
        const int first = l->box[b].first, nj = l->box[b].nj / 2;
        double *y = l->box[b].v[to];
        for (int k = first; k < 3; k++)
            for (int j = 0; j < nj; j++)
                for (int i = 0; i < columns; i++)
                    y[i + j * columns + k * plane] = y[i + j * columns + k * plane] * .5 + i - j * k;
    }
}
/* every other place, from the end */
static void backwards(struct level *l, int to)
{
    #pragma omp parallel for
    for (int b = 0; b < l->boxes; b++) {
        const int row = l->box[b].row, first = l->box[b].first, ni = l->box[b].ni, nj = l->box[b].nj;
        double *y = l->box[b].v[to];
        for (int j = nj - 1; j >= first; j--)
            for (int i = first; i < ni; i += 2)
                y[i + j * row] = y[i + j * row] * .5 + i - j;
    }
}
/* strides that are too small, 0, or below 0: entries meet, and their order is the program's */
static void meeting(struct level *l, int to, const int *strides)
{
    #pragma omp parallel for
    for (int b = 0; b < l->boxes; b++) {
        const int ni = l->box[b].ni, nj = l->box[b].nj, nk = l->box[b].nk;
        const int row = strides[2 * b], plane = strides[2 * b + 1];
        double *y = l->box[b].v[to] + 4 * l->box[b].plane;
        for (int k = 0; k < nk; k++)
            for (int j = 0; j < nj; j++)
                for (int i = 0; i < ni; i++)
                    y[i + j * row + k * plane] = y[i + j * row + k * plane] * .5 + i + 2 * j - k;
    }
}
/* the pointers may be one */
static void unrestricted(struct level *l, int to, int from)
{
    #pragma omp parallel for
    for (int b = 0; b < l->boxes; b++) {
        const double *x = l->box[b].v[from];
        double *y = l->box[b].v[to];
        const int n = l->box[b].plane;
        y[0] += 1;
        for (int i = 0; i < n; i++)
            y[i + 1] = x[i] * .5 + 1;
    }
}
/* a pointer that is made of a restricted one leads to the same */
static void based(struct level *l, int to)
{
    #pragma omp parallel for
    for (int b = 0; b < l->boxes; b++) {
        double *restrict x = l->box[b].v[to];
        double *y = x + 1;
        const int n = l->box[b].plane;
        x[0] += 1;
        for (int i = 0; i < n; i++)
            y[i] = x[i] * .5 + i;
    }
}
/* restricted for as long as an entry takes, or a turn of the loop around */
static void short_lived(struct level *l, int to, int from)
{
    #pragma omp parallel for
    for (int b = 0; b < l->boxes; b++) {
        double *all = l->box[b].v[to];
        const int row = l->box[b].row, nj = l->box[b].nj, ni = l->box[b].ni;
        all[0] += b;
        for (int j = 0; j < nj; j++) {
            double *restrict y = all + j;
            const double *restrict x = all + j + ni;
            for (int i = 0; i < ni; i++)
                y[i] = x[i] * .5 + i;
        }
        all[1] += row;
        for (int j = 0; j < nj; j++) {
            double *restrict y = all + j;
            y[1] = all[j] + j;
        }
    }
}
/* rows of which some are one another: in their order */
static void rows_in_order(double **rows, const int *which, int n, int m)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        rows[0][i] += 1;
        for (int j = 0; j < m; j++)
            rows[which[j]][i] = rows[which[j]][i] * .5 + j;
    }
}
/* where nobody knows how much of a row is used */
static void rows_at_places(double **rows, const int *place, int n, int m)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        rows[0][place[i]] += 1;
        for (int j = 0; j < m; j++)
            rows[j][place[i]] = rows[j][place[i]] * .5 + j;
    }
}
/* the same, where the launch could tell: it finds them not apart */
static void rows_apart(double **rows, int n, int m)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int j = 0; j < m; j++) s += rows[j][i];
        for (int j = 0; j < m; j++) rows[j][i] = rows[j][i] * .5 + s / m + j;
    }
}

static double sum(double *x, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) s += x[i] * (i % 7 + 1);
    return s;
}
static double total(struct level *l)
{
    double s = 0;
    for (int b = 0; b < l->boxes; b++)
        for (int k = 0; k < VECTORS; k++) s += sum(l->box[b].v[k], l->box[b].plane * (l->box[b].nk + 2)) * (k + 1) * (b % 5 + 1);
    return s;
}

int main(int argc, char **argv)
{
    int boxes = atoi(argv[1]), size = atoi(argv[2]);
    struct level l = {boxes, malloc(boxes * sizeof *l.box)};
    int *strides = malloc(2 * boxes * sizeof *strides);
    for (int b = 0; b < boxes; b++) {
        struct box *x = &l.box[b];
        *x = (struct box){size + b % 3 + 3, 0, 1, 0, 0, 0, b % 2, malloc(VECTORS * sizeof *x->v)};
        x->nk = size / 2 + 1, x->nj = size - b % 4, x->ni = size;
        x->plane = x->row * (x->nj + 3);
        double *block = calloc(VECTORS * x->plane * (x->nk + 12), sizeof *block);
        for (int k = 0; k < VECTORS; k++) x->v[k] = block + k * x->plane * (x->nk + 12);
        for (int i = 0; i < VECTORS * x->plane * (x->nk + 12); i++) block[i] = (i * 7 + b) % 11;
        int choices[][2] = {{1, 2}, {0, 0}, {size, size * size}, {-1, size}, {size, 3}, {size + 1, -1}, {2, 0}};
        strides[2 * b] = choices[b % 7][0], strides[2 * b + 1] = choices[b % 7][1];
        if (strides[2 * b + 1] > 2 * x->plane) strides[2 * b + 1] = x->row * 2;
    }
    for (int step = 0; step < 2; step++) stencil(&l, 1, 0, .3), stencil(&l, 0, 1, .2);
    printf("%.12g\n", total(&l));
    colours(&l, 2, 1, 0), colours(&l, 1, 2, 1);
    printf("%.12g\n", total(&l));
    backwards(&l, 3), planes(&l, 3, size / 3, 4);
    printf("%.12g\n", total(&l));
    meeting(&l, 2, strides);
    printf("%.12g\n", total(&l));
    unrestricted(&l, 1, 2), unrestricted(&l, 3, 3);
    printf("%.12g\n", total(&l));
    based(&l, 0);
    printf("%.12g\n", total(&l));
    short_lived(&l, 2, 3);
    printf("%.12g\n", total(&l));

    int n = boxes + 3, m = boxes + size + 70, *which = malloc(m * sizeof *which);
    double **rows = malloc(m * sizeof *rows);
    for (int j = 0; j < m; j++) {
        which[j] = (j * 5 + 2) % m;
        rows[j] = j % 3 ? rows[j - 1] : calloc(n, sizeof **rows);
        for (int i = 0; i < n; i++) rows[j][i] += i + j;
    }
    rows_in_order(rows, which, n, m);
    for (int i = 0; i < n; i++) which[i] = n - 1 - i;
    rows_at_places(rows, which, n, m);
    rows_apart(rows, n, m);
    double s = 0;
    for (int j = 0; j < m; j += 3) s += sum(rows[j], n);
    for (int j = 0; j < m; j++) if (j % 3) rows[j] = calloc(n, sizeof **rows);
    rows_apart(rows, n, m);
    for (int j = 0; j < m; j++) s += sum(rows[j], n);
    printf("%.12g\n", s);
    return 0;
}
