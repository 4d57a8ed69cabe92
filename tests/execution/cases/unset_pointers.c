/* Pointers that a loop does not read need not lead anywhere: other members of the same kind, other elements of one. */
/* args: 30 */
/* expect-gpu: 4 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct list { int n[3]; int *of[3]; };
struct level { int n; struct list before, exchange[4], after; double *x, *y; };

static void copy(struct level *l, int shape)
{
    #pragma omp parallel for
    for (int i = 0; i < l->exchange[shape].n[1]; i++)
        l->y[i] = l->x[l->exchange[shape].of[1][i]];
}
static void first(struct level *l, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        l->x[i] += l->exchange[0].of[1][i] + l->before.of[2][i];
}
/* any of an array */
static void any(struct level *l, const int *which, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        l->y[i] += l->after.of[which[i]][i] * 2;
}
/* by a pointer into the struct, which may lead to any of them */
static void inside(struct level *l, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        const struct list *list = &l->after;
        l->x[i] -= list->of[i % 3][i];
    }
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]), *numbers = malloc(3 * n * sizeof *numbers), *which = malloc(n * sizeof *which);
    struct level *l = malloc(sizeof *l);
    memset(l, 0x5a, sizeof *l); /* pointers that nobody has set */
    l->n = n, l->x = malloc(n * sizeof *l->x), l->y = malloc(n * sizeof *l->y);
    for (int i = 0; i < 3 * n; i++) numbers[i] = i * 7 % n;
    for (int i = 0; i < n; i++) l->x[i] = i, l->y[i] = -i, which[i] = i % 2;
    for (int shape = 0; shape < 4; shape++) l->exchange[shape].n[1] = n - shape, l->exchange[shape].of[1] = numbers + shape;
    copy(l, 2);
    l->before.of[2] = numbers + n;
    first(l, n);
    for (int k = 0; k < 3; k++) l->after.of[k] = numbers + k * n;
    any(l, which, n);
    for (int k = 0; k < 3; k++) {
        l->before.of[k] = NULL;
        for (int shape = 0; shape < 4; shape++) l->exchange[shape].of[k] = NULL;
    }
    inside(l, n);
    double s = 0;
    for (int i = 0; i < n; i++) s += l->x[i] * (i + 1) + l->y[i] * (i % 5);
    printf("%.12g\n", s);
    return 0;
}
