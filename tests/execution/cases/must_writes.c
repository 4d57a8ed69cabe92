/* Loops that overwrite all of an array, and loops that only seem to: what they leave alone keeps its value, also where rows
   have gaps, inner loops do not turn, members are written and what is read has been written by the iteration before. */
/* args: 6 5 */
/* args: 1 1 */
/* plain: 300 70 */
/* expect-gpu: 45 */
/* flags: -std=gnu11 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS 320
#define COLUMNS 70

typedef struct { double x, y; } Point;
typedef struct { char tag; double value; } Padded;
typedef union { int small; double large; } Either;
typedef struct { unsigned low : 5, high : 9; int rest; } Bits;

static double whole[ROWS][COLUMNS], triple[ROWS * 8][3];

static void fill(void *memory, size_t bytes, int seed)
{
    for (size_t k = 0; k < bytes; k++)
        ((unsigned char *)memory)[k] = (unsigned char)((k * 7 + k / 251 + seed) % 119 + 1);
}
static unsigned long sum(const void *memory, size_t bytes)
{
    unsigned long s = bytes;
    for (size_t k = 0; k < bytes; k++)
        s = s * 31 + ((const unsigned char *)memory)[k];
    return s;
}

/* Rows of a flat block: whole ones, with a gap, in other orders. */
static void rows(double *y, int n, int m)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            y[i * m + j] = i - j;
}
static void all_but_one_column(double *y, int n, int m)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m - 1; j++)
            y[i * m + j] = i - j;
}
static void from_the_second(double *y, int n, int m)
{
    #pragma omp parallel for collapse(2)
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            y[i * m + j] = i + j;
}
static void backwards(double *y, long n, long m)
{
    #pragma omp parallel for
    for (long i = n - 1; i >= 0; i--)
        for (long j = m; j > 0; --j)
            y[(n - 1 - i) * m + j - 1] = i * j;
}
static void every_second_row(double *y, int n, int m)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i += 2)
        for (int j = 0; j < m; j++)
            y[i * m + j] = i - j;
}
static void every_second_column(double *y, int n, int m)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j += 2)
            y[i * m + j] = i - j;
}
static void in_pairs(double *y, int n, int m)
{
    #pragma omp parallel for
    for (int i = 0; i < n * m / 2; i++) {
        y[2 * i + 1] = i;
        y[2 * i] = -i;
    }
}
static void transposed(double *y, size_t n, size_t m)
{
    #pragma omp parallel for
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < m; j++)
            y[j * n + i] = (double)i;
}
static void upper_triangle(double *y, int n, int m)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = i; j < m; j++)
            y[i * m + j] = i - j;
}
static void few_turns(double *y, int n, int m, int turns)
{
    #pragma omp parallel for
    for (int i = 0; i < n * m; i++)
        for (int k = 0; k < turns; k++)
            y[i] = i + k;
}
static void wrapped_bounds(double *y, size_t n, size_t none)
{
    #pragma omp parallel for
    for (size_t i = 0; i < n; i++)
        for (size_t k = none - 1; k < none; k++)
            y[i + k + 1] = 5;
}
static void squares(double *y, int n, int m)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < 3; k++)
                y[(i * m + j) * 3 + k] = i * j + k;
}

/* Iterations that do not write everywhere, or not by themselves. */
static void sometimes(double *y, int n, const int *when)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        if (when[i])
            y[i] = i;
}
static void by_and(double *y, int n, const int *when)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        (void)(when[i] && (y[i] = i));
}
static void left_out(double *y, int n, const int *when)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        if (!when[i])
            continue;
        y[i] = i;
    }
}
static void until(double *y, int n, int m, const int *when)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            if (when[j])
                break;
            y[i * m + j] = j;
        }
}
static void chosen(double *y, int n, const int *when)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        switch (when[i]) {
        case 0:
            y[i] = 3;
            break;
        default:
            break;
        }
}
static void set(double *to, double value, int really)
{
    if (really)
        *to = value;
}
static void by_a_call(double *y, int n, const int *when)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        set(&y[i], i, when[i]);
}
static void in_a_while(double *y, int n, int m, const int *when)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int q = 0;
        while (q < m && !when[q]) {
            y[i * m + q] = q;
            q++;
        }
    }
}
static void first_and_then(double *y, int n, const int *when)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        y[i] = 0;
        if (when[i])
            y[i] = 1;
    }
}
static void named_places(double *y, int n, int m)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        const int row = i * m;
        for (int j = 0; j < m; j++) {
            int at = row + j;
            y[at] = at;
        }
    }
}
static void same_name_earlier(double *y, int n, int m)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int j = m - 1;
        const int at = j;
        for (j = 0; j < m; j++)
            y[i * m + at] = j;
    }
}

/* Reads. */
static void products(double *c, const double *a, const double *b, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            c[i * n + j] = 0;
            for (int k = 0; k < n; k++)
                c[i * n + j] += a[i * n + k] * b[k * n + j];
        }
}
static void products_by_rows(double *c, const double *a, const double *b, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int j, k;
        for (j = 0; j < n; j++)
            c[i * n + j] = 0;
        for (k = 0; k < n; k++)
            for (int q = 0; q < n; q++)
                c[i * n + q] += a[i * n + k] * b[k * n + q];
    }
}
static void cleared_in_part(double *c, const double *a, int n, int m)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++)
            c[i * n + j] = 0;
        for (int j = 0; j < n; j++)
            c[i * n + j] += a[j];
    }
}
static void read_before(double *c, double *old, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        old[i] = c[i];
        c[i] = i;
    }
}
static void read_in_the_same(double *c, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        c[i] = 1 - c[i];
}
static void read_after(double *c, double *y, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        c[i] = i;
        y[i] = c[i] + 1;
    }
}
static void read_next_row(double *c, int n, int m)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            c[2 * i * m + j] = 1;
            c[2 * i * m + j] += c[(2 * i + 1) * m + j];
        }
}
static void read_in_turn(double *c, int n, int m)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 2; k++)
            for (int j = 0; j < m; j++) {
                double before = j + 1 < m ? c[i * m + j + 1] : 0;
                c[i * m + j] = before + k;
            }
}
static void in_steps(double *to, const double *from, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        to[i] = from[i] + 1;
}
static void asserted(double *y, int n, const int *when)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        assert(when[i] < 2);
        y[i] = i;
    }
}

/* Parts of elements. */
static void both_members(Point *p, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        p[i].y = i, p[i].x = -i;
}
static void one_member(Point *p, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        p[i].y = i;
}
static void padded(Padded *p, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        p[i].value = i, p[i].tag = 'a';
}
static void one_of_a_union(Either *e, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        e[i].small = i;
}
static void bits(Bits *b, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        b[i].low = i % 32, b[i].rest = i;
}
static void structs(Point *p, Point v, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        p[i] = v;
}

/* Declared arrays and arrays of variable length. */
static void declared(int n, int m)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            whole[i][j] = i * j;
}
static void three(int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        triple[i][2] = i;
        triple[i][0] = 2 * i;
        triple[i][1] = 3 * i;
    }
}
static void two_of_three(int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        triple[i][0] = 2 * i;
        triple[i][2] = i;
    }
}
static void variable_rows(int n, int m, double a[n][m], int used)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < used; j++)
            a[i][j] = i + j;
}
static void cubes(int n, int m, double a[][m][3], int used)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < used; j++)
            for (int k = 0; k < 3; k++)
                a[i][j][k] = i + j + k;
}
static unsigned long automatic(int n, int m)
{
    double a[n][m];
    const int rows = n;
    fill(a, sizeof a, 3);
    n = n / 2, m = m / 2;
    #pragma omp parallel for
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < m; j++)
            a[i][j] = i + j;
    return sum(a, sizeof a);
}
static void edges(double *y, int n)
{
    #pragma omp parallel for
    for (int i = 1; i < n - 1; i++)
        y[i] = i;
}

#define CHECK(what, memory, bytes, call) do { \
        for (int turn = 0; turn < 3; turn++) { \
            if (turn != 1) \
                fill(memory, bytes, turn); \
            else \
                ((unsigned char *)(memory))[(bytes) / 2]++; \
            call; \
            printf("%s %d: %lu\n", what, turn, sum(memory, bytes)); \
        } } while (0)

int main(int argc, char **argv)
{
    const int n = atoi(argv[1]), m = atoi(argv[2]), all = n * m;
    const size_t bytes = sizeof(double) * all;
    double *y = malloc(bytes + 3 * sizeof *y), *a = malloc(bytes), *b = malloc(bytes), *wide = malloc(3 * bytes);
    Point *p = malloc(all * sizeof *p), v = {3, 4};
    Padded *padding = malloc(all * sizeof *padding);
    Either *either = malloc(all * sizeof *either);
    Bits *fields = malloc(all * sizeof *fields);
    int *when = malloc((all + 1) * sizeof *when);
    const int side = n < m ? n : m;

    for (int k = 0; k < all; k++)
        a[k] = k % 11, b[k] = k % 5 - 2, when[k] = k % 3 == 1;
    memset(wide, 0, 3 * bytes);
    CHECK("rows", y, bytes, rows(y, n, m));
    CHECK("rows in the middle", y, bytes + 24, rows(y + 1, n, m));
    CHECK("fewer rows", y, bytes, rows(y, n / 2, m));
    CHECK("no columns", y, bytes, rows(y, n, 0));
    CHECK("but one column", y, bytes, all_but_one_column(y, n, m));
    CHECK("from the second", y, bytes, from_the_second(y, n, m));
    CHECK("backwards", y, bytes, backwards(y, n, m));
    CHECK("every second row", y, bytes, every_second_row(y, n, m));
    CHECK("every second column", y, bytes, every_second_column(y, n, m));
    CHECK("in pairs", y, bytes, in_pairs(y, n, m));
    CHECK("transposed", y, bytes, transposed(y, n, m));
    CHECK("upper triangle", y, bytes, upper_triangle(y, n, m));
    CHECK("no turns", y, bytes, few_turns(y, n, m, 0));
    CHECK("two turns", y, bytes, few_turns(y, n, m, 2));
    CHECK("wrapped", y, bytes, wrapped_bounds(y, n, 0));
    CHECK("not wrapped", y, bytes, wrapped_bounds(y, n, 1));
    CHECK("squares", wide, 3 * bytes, squares(wide, n, m));
    CHECK("sometimes", y, bytes, sometimes(y, all, when));
    CHECK("by and", y, bytes, by_and(y, all, when));
    CHECK("left out", y, bytes, left_out(y, all, when));
    CHECK("until", y, bytes, until(y, n, m, when));
    CHECK("chosen", y, bytes, chosen(y, all, when));
    CHECK("by a call", y, bytes, by_a_call(y, all, when));
    CHECK("in a while", y, bytes, in_a_while(y, n, m, when));
    CHECK("first and then", y, bytes, first_and_then(y, all, when));
    CHECK("named", y, bytes, named_places(y, n, m));
    CHECK("same name", y, bytes, same_name_earlier(y, n, m));
    CHECK("products", y, bytes, products(y, a, b, side));
    CHECK("products by rows", y, bytes, products_by_rows(y, a, b, side));
    CHECK("cleared in part", y, bytes, cleared_in_part(y, a, side, side / 2));
    CHECK("read before", y, bytes, read_before(y, wide, all));
    CHECK("what was read", wide, 3 * bytes, read_before(y, wide, all));
    CHECK("read in the same", y, bytes, read_in_the_same(y, all));
    CHECK("read after", y, bytes, read_after(y, wide, all));
    CHECK("read next row", wide, 3 * bytes, read_next_row(wide, n, m));
    CHECK("read in turn", y, bytes, read_in_turn(y, n, m));
    CHECK("in steps", y, bytes, in_steps(y, a, all));
    CHECK("onto the same", y, bytes, in_steps(y, y, all));
    CHECK("asserted", y, bytes, asserted(y, all, when));
    CHECK("both members", p, all * sizeof *p, both_members(p, all));
    CHECK("one member", p, all * sizeof *p, one_member(p, all));
    CHECK("padded", padding, all * sizeof *padding, padded(padding, all));
    CHECK("one of a union", either, all * sizeof *either, one_of_a_union(either, all));
    CHECK("bits", fields, all * sizeof *fields, bits(fields, all));
    CHECK("structs", p, all * sizeof *p, structs(p, v, all));
    CHECK("declared", whole, sizeof whole, declared(n, m));
    CHECK("declared, all", whole, sizeof whole, declared(ROWS, COLUMNS));
    CHECK("three", triple, sizeof triple, three(n * 8));
    CHECK("two of three", triple, sizeof triple, two_of_three(n * 8));
    CHECK("variable rows", y, bytes, variable_rows(n, m, (void *)y, m));
    CHECK("variable rows, some", y, bytes, variable_rows(n, m, (void *)y, m / 2));
    CHECK("cubes", wide, 3 * bytes, cubes(n, m, (void *)wide, m));
    CHECK("cubes, some", wide, 3 * bytes, cubes(n, m, (void *)wide, m - 1));
    printf("automatic: %lu\n", automatic(n, m));
    CHECK("edges", y, bytes, edges(y, all));
    free(y), free(a), free(b), free(wide), free(p), free(padding), free(either), free(fields), free(when);
    return 0;
}
