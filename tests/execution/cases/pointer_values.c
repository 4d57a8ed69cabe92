/* The values of pointers in a kernel: compared, kept in the thread's own arrays and structs, null. */
/* args: 20 */
/* expect-gpu: 8 */
/* expect-host: OMPC359 OMPC359 OMPC360 OMPC360 OMPC361 OMPC361 OMPC361 OMPC328 OMPC328 */
#include <stdio.h>
#include <stdlib.h>

struct node { int value; struct node *next, *left, *right; };
struct slice { double *from; int n; };
static double data[60], more[60];

static double sum_of(struct slice s) { double t = 0; for (int k = 0; k < s.n; k++) t += s.from[k]; return t; }
static struct slice slice_of(double *p) { struct slice s = {p, 1}; return s; }

struct blob { int n; void *raw; };
static double read_blob(const struct blob *b, void *raw, int n)
{
    double t = 0;
    #pragma omp parallel for reduction(+:t)
    for (int i = 0; i < n; i++) {
        double *from = raw, *part = b->raw;
        t += from[i] + part[i % b->n];
    }
    return t;
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]), seen = 0;
    double *a = data, *b = more, *absent = argc > 1 ? NULL : data, *optional = argc > 1 ? data + 1 : NULL, s = 0;
    for (int i = 0; i < 60; i++) data[i] = i, more[i] = -2 * i;

    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double *p = a + 3 * i, *end = p + 3;
        while (p < end) *p++ += i;
        if (end - p == 0) b[i] += p - a;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double *mine[2] = {a, b}, **which = &mine[i % 2];
        mine[0] = a + 1;
        (*which)[i] *= 2;
        which[0][i + 20] += 1;
    }
    #pragma omp parallel for reduction(+:s)
    for (int i = 0; i < n; i++) {
        struct slice part = {a + i, 2}, parts[2];
        parts[0] = part, parts[1] = (struct slice){b + i, 1};
        if (i % 2) parts[0].from = b;
        s += sum_of(parts[0]) + sum_of(parts[1]) + sum_of((struct slice){a, 3});
    }
    #pragma omp parallel for reduction(+:seen)
    for (int i = 0; i < n; i++) {
        if (absent) seen += 1000;
        if (optional != NULL) seen++;
        if (absent == NULL && i % 2) seen += 2;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) if (absent != NULL) absent[i] = 0; else a[i] += 1;
    struct slice *slices = malloc(n * sizeof *slices);
    for (int i = 0; i < n; i++) slices[i] = (struct slice){i % 3 ? data + i : NULL, i % 3};
    #pragma omp parallel for reduction(+:seen)
    for (int i = 0; i < n; i++) seen += slices[i].from ? slices[i].n : 100;
    #pragma omp parallel for reduction(+:s)
    for (int i = 0; i < n; i++) s += sum_of(slices[i]);

    struct node *list = NULL, *nodes = calloc(n, sizeof *nodes);
    for (int i = 0; i < n; i++) nodes[i] = (struct node){i, list, i ? &nodes[i / 2] : NULL, NULL}, list = &nodes[i];
    #pragma omp parallel for reduction(+:seen)
    for (int i = 0; i < n; i++) for (struct node *p = list; p; p = p->next) seen += p->value;
    #pragma omp parallel for reduction(+:seen)
    for (int i = 0; i < n; i++) seen += nodes[i].left ? nodes[i].left->left == NULL ? 1 : nodes[i].left->left->value : 0;
    #pragma omp parallel for
    for (int i = 0; i < n; i++) nodes[i].right = nodes + i;
    #pragma omp parallel for
    for (int i = 0; i < n; i++) { struct slice t = {a + i, 2}; slices[i] = t; }
    #pragma omp parallel for reduction(+:seen)
    for (int i = 0; i < n; i++) seen += a + i != b;
    #pragma omp parallel for reduction(+:seen)
    for (int i = 0; i < n; i++) seen += (long)(a + i) % 8 == 0;
    #pragma omp parallel for reduction(+:seen)
    for (int i = 0; i < n; i++) seen += slices[i].from == a + i;
    #pragma omp parallel for reduction(+:s)
    for (int i = 0; i < n; i++) s += slice_of(a + i).from[0];
    char *raw = (char *)slices;
    #pragma omp parallel for reduction(+:s)
    for (int i = 0; i < n; i++) s += *((struct slice *)(raw + i * sizeof *slices))->from;
    for (int i = 0; i < 60; i++) s += (data[i] + 3 * more[i]) * (i % 5);
    s += read_blob(&(struct blob){4, a}, b, n);
    printf("%.12g %d %d\n", s, seen, nodes[n - 1].right == nodes + n - 1);
    return 0;
}
