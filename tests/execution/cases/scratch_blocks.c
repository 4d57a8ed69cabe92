/* Blocks that an iteration allocates and frees again: each iteration has an array. */
/* args: 20 */
/* args: 0 */
/* args: 1 */
/* args: 300 */
/* expect-gpu: 8 */
/* expect-host: OMPC325 OMPC320 OMPC320 OMPC320 OMPC320 OMPC320 OMPC320 OMPC320 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pair {
    int key;
    double value;
};

static int fill(double *t, int m, int i)
{
    for (int k = 0; k < m; k++)
        t[k] = i * k % 17;
    return m / 2;
}

static double last_of(const double *from, int count)
{
    return count > 0 ? from[count - 1] : -1;
}

static void in_function(double *r, int m, int i)
{
    double *t = (double *)malloc(sizeof(double) * m);
    double s = 0;
    int half = fill(t, m, i);
    for (int k = 0; k < m; k++)
        s += t[m - 1 - k] * k + half;
    r[i] = s;
    free(t);
    t = NULL;
}

static void plain(double *r, int n, int m)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double *t = malloc(m * sizeof *t), s = 0;
        for (int k = 0; k < m; k++)
            t[k] = i * k % 13;
        for (int k = 0; k < m; k++)
            s += t[m - 1 - k] * k;
        r[i] = s;
        free(t);
    }
}

static void in_functions(double *r, int n, int m)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        in_function(r, m, i);
}

/* The pointer is declared outside, and the block tested for; rows of three. */
static void rows(double *r, int n, int m)
{
    double (*g)[3];
    int h;
#pragma omp parallel for private(g, h)
    for (int i = 0; i < n; i++) {
        g = (double (*)[3])malloc(sizeof(double[3]) * m * 2);
        if (!g || g == NULL)
            exit(1);
        for (int k = 0; k < 2 * m; k++)
            g[k][k % 3] = k + i;
        h = 0;
        for (int k = 0; k < 2 * m; k++)
            h += g[k][k % 3];
        r[i] = h;
        free(g), g = NULL;
    }
}

/* Two blocks of zeros, of one declaration. */
static void zeros(double *r, int n, int m)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int *a = calloc(m, sizeof *a), *b = calloc(m + 1, sizeof(int));
        for (int k = 0; k < i % 7 && k < m; k++) {
            a[k] += k;
            b[k + 1] = a[k];
        }
        int s = 0;
        for (int k = 0; k < m; k++)
            s += a[k] * 2 + b[k + 1];
        r[i] = s;
        if (a != NULL) {
            free(a);
            a = NULL;
        }
        free(b);
    }
}

/* Structs; a constant size; bytes of another type; in a loop of its own; and pointers into the block. */
static void others(double *r, int n, int m)
{
    size_t bytes = (m + 3) * sizeof(short);
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int turn = 0; turn < 2; turn++) {
            struct pair *pairs = malloc((m + 1) * sizeof *pairs);
            if (pairs == 0)
                continue;
            for (int k = 0; k <= m; k++) {
                pairs[k].key = k % 3;
                pairs[k].value = k + turn;
            }
            for (int k = m; k >= 0; k--)
                s += pairs[k].value * pairs[k].key;
            free(pairs);
        }
        double *three = malloc(3 * sizeof(double)), *end;
        short *small = malloc(bytes);
        memset(small, 0, bytes);
        small[m] = (short)(i % 5);
        for (int k = 0; k < 3; k++)
            three[k] = k + i;
        end = three + 3;
        s += last_of(three, (int)(end - three)) + *(small + m);
        free(small);
        free(three);
        r[i] = s;
    }
}

/* Left early. */
static void early(double *r, int n, int m)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double *t = malloc((m + 2) * sizeof(double));
        t[0] = i % 3;
        if (i % 4 == 1) {
            r[i] = t[0];
            free(t);
            continue;
        }
        for (int k = 1; k <= m; k++)
            t[k] = t[k - 1] + k;
        r[i] = t[m];
        free(t);
    }
}

/* Bytes that are taken for numbers, which have to be aligned: of a size that only the launch knows, and of a constant one. */
static void taken_for_numbers(double *r, int n, int m)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        char odd[3] = {0}, *bytes = malloc(m * sizeof(double) + 12), *few = malloc(67);
        double *numbers = (double *)bytes, *at = (double *)(few + 8), s = 0;
        odd[i % 3] = 1;
        for (int k = 0; k < m; k++)
            numbers[k] = i + k;
        for (int k = 0; k < 7; k++)
            at[k] = i - k;
        for (int k = 0; k < m; k++)
            s += numbers[m - 1 - k] * k + at[k % 7];
        r[i] = s + odd[i % 3];
        free(few);
        free(bytes);
    }
}

/* Integers that are taken for numbers. */
static void taken_for_larger(double *r, int n, int m)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int *words = malloc(18 * sizeof *words);
        double *numbers = (double *)words;
        for (int k = 0; k < 9; k++)
            numbers[k] = i * k + m;
        r[i] = numbers[i % 9];
        free(words);
    }
}

/* On the host: of a size that each iteration has of its own; blocks that change names; one that outlives an iteration;
   one that grows; one that is freed where it is asked for; a pointer of which there is
   the address; a struct with more behind its end.
*/
static void of_own_size(double *r, int n, int m)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int count = m + i % 5 + 1;
        double *t = malloc(count * sizeof *t), s = 0;
        fill(t, count, i);
        for (int k = 0; k < count; k++)
            s += t[k];
        r[i] = s;
        free(t);
    }
}

static void swapped(double *r, int n, int m)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double *a = malloc((m + 1) * sizeof *a), *b = malloc((m + 1) * sizeof *b);
        for (int k = 0; k <= m; k++)
            a[k] = b[k] = k * i;
        for (int turn = 0; turn < 3; turn++) {
            for (int k = 1; k <= m; k++)
                b[k] = a[k - 1] + 1;
            double *other = a;
            a = b;
            b = other;
        }
        r[i] = a[m];
        free(a);
        free(b);
    }
}

static void kept(double *r, int n, int m)
{
    double **all = malloc((n + 1) * sizeof *all);
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double *t = malloc((m + 1) * sizeof *t);
        t[m] = i;
        all[i] = t;
        if (i % 3 == 0) {
            all[i] = NULL;
            free(t);
        }
    }
    for (int i = 0; i < n; i++) {
        r[i] = all[i] == NULL ? -1 : all[i][m];
        free(all[i]);
    }
    free(all);
}

static void kept_by_leaving(double *r, int n, int m)
{
    double **all = malloc((n + 1) * sizeof *all);
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double *t = malloc((m + 1) * sizeof *t);
        t[m] = i;
        all[i] = t;
        if (i % 3 != 0)
            continue;
        all[i] = NULL;
        free(t);
    }
    for (int i = 0; i < n; i++) {
        r[i] = all[i] == NULL ? -1 : all[i][m];
        free(all[i]);
    }
    free(all);
}

static void grows(double *r, int n, int m)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double *t = malloc(sizeof *t);
        t[0] = i;
        t = realloc(t, (m + 1) * sizeof *t);
        t[m] = t[0] + 1;
        r[i] = t[m];
        free(t);
    }
}

static void asked(double *r, int n, int m)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int many = 0;
        double *t = malloc((m + 1) * sizeof *t);
        for (int turn = 0; turn < 3; turn++) {
            if (t)
                many++;
            if (turn == 1) {
                free(t);
                t = NULL;
            }
        }
        r[i] = many;
        free(t);
    }
}

struct tail {
    int count;
    double of[1];
};

static void goes_on_behind(double *r, int n, int m)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        struct tail *t = malloc(sizeof *t * (m + 2));
        double s = 0;
        t[0].count = m;
        for (int k = 0; k < m; k++)
            t[0].of[k] = i + k;
        for (int k = 0; k < t[0].count; k++)
            s += t[0].of[m - 1 - k] * k;
        r[i] = s + (m > 2 ? t[1].of[0] : 0); /* which is t[0].of[2] */
        free(t);
    }
}

static void addressed(double *r, int n, int m)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double *t = malloc((m + 1) * sizeof *t), **where = &t;
        (*where)[m] = i;
        r[i] = t[m];
        free(t);
    }
}

int main(int argc, char **argv)
{
    static void (*const all[])(double *, int, int) = {
        plain, in_functions, rows, zeros, others, early, taken_for_numbers, taken_for_larger,
        of_own_size, swapped, kept, kept_by_leaving, grows, asked,
        addressed, goes_on_behind,
    };
    const int n = 1000, m = argc > 1 ? atoi(argv[1]) : 20;
    double *r = malloc(n * sizeof *r);
    for (size_t which = 0; which < sizeof all / sizeof *all; which++) {
        double sum = 0;
        all[which](r, n, m);
        for (int i = 0; i < n; i++)
            sum += r[i] * (i % 7 + 1);
        printf("%d %.10g %.10g\n", (int)which, r[n / 3], sum);
    }
    free(r);
    return 0;
}
