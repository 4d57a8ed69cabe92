/* Blocks of an iteration that hold more than whole elements, and whose pointers have other values first. */
/* args: 12 */
/* args: 7 */
/* expect-gpu: 3 */
/* expect-host: OMPC320 */
#include <stdio.h>
#include <stdlib.h>

struct head {
    int count;
    double weight;
};

/* Behind the elements is room for a part of one, of a size that the launch knows, and of a constant one. */
static void parts_of_elements(double *r, int n, int m)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double *t = malloc(m * sizeof *t + sizeof(int)), s = 0;
        struct head *h = malloc(sizeof *h + 7 * sizeof(double));
        int *last = (int *)(t + m);
        double *of = (double *)(h + 1);
        *last = i;
        h->count = 7;
        h->weight = i + 0.5;
        for (int k = 0; k < m; k++)
            t[k] = i + k;
        for (int k = 0; k < 7; k++)
            of[k] = i - k;
        for (int k = 0; k < m; k++)
            s += t[k] * of[k % h->count];
        r[i] = s * h->weight + *last;
        free(h);
        free(t);
    }
}

/* Of `for_any_type`: integers in whose place are numbers, by conversions that nobody has written. */
static void fill(void *block, int count, int i)
{
    double *numbers = block;
    for (int k = 0; k < count; k++)
        numbers[k] = i * k;
}

static void taken_for_larger(double *r, int n, int m)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        char odd[3] = {0};
        int *words = malloc(18 * sizeof *words), *others = calloc(m + 1, 2 * sizeof *others);
        void *of_any_type = words;
        double *numbers = of_any_type;
        odd[i % 3] = 1;
        fill(of_any_type, 9, i);
        fill(others, m, i + 1);
        r[i] = numbers[i % 9] + others[2 * m] + odd[0];
        free(others);
        free(words);
    }
}

static void null_before(double *r, int n, int m)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double *t, s = 0;
        t = NULL;
        for (int j = 0; j < 3; j++) {
            t = malloc(m * sizeof *t);
            for (int k = 0; k < m; k++)
                t[k] = i * k + j;
            s += t[m - 1];
            free(t);
            t = NULL;
        }
        t = NULL;
        r[i] = s;
    }
}

static double *counted(int *calls) /* on the host: the declaration does more than to declare the pointer */
{
    ++*calls;
    return NULL;
}

static void computed_before(double *r, int n, int m)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int calls = 0;
        double *t = counted(&calls);
        t = malloc(m * sizeof *t);
        for (int k = 0; k < m; k++)
            t[k] = i * k + calls;
        r[i] = t[m - 1];
        free(t);
    }
}

static void show(const char *name, double *r, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += r[i] * (i % 7 + 1);
        r[i] = 0;
    }
    printf("%s %.10g\n", name, sum);
}

int main(int argc, char **argv)
{
    const int n = 1000, m = argc > 1 ? atoi(argv[1]) : 12;
    double *r = malloc(n * sizeof *r);
    parts_of_elements(r, n, m);
    show("parts of elements", r, n);
    taken_for_larger(r, n, m);
    show("taken for larger", r, n);
    null_before(r, n, m);
    show("null before", r, n);
    computed_before(r, n, m);
    show("computed before", r, n);
    free(r);
    return 0;
}
