/* Arrays that lie in one block, side by side, with rows as long as a variable says: a launch touches what is between the
   first and the last element that its loops can reach, and nothing else. */
/* args: 7 5 3 */
/* args: 40 33 9 */
/* args: 1 1 1 */
/* args: 6 0 2 */
/* plain: 40 33 9 */
/* expect-gpu: 16 */
/* expect-added: 1 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double *memory, *a, *b, *c, *d;
static size_t whole;

static void fill(size_t each)
{
    for (size_t k = 0; k < whole; k++)
        memory[k] = (double)(k % 13) - 5;
    a = memory + 3, b = a + each, c = b + each, d = c + each;
}

static void show(const char *what)
{
    double sum = 0, last = 0;
    for (size_t k = 0; k < whole; k++) {
        sum += memory[k] * (double)(k % 101 + 1);
        last += memory[k] != (double)(k % 13) - 5;
    }
    printf("%s %.10g %g\n", what, sum, last);
}

static void product(double *out, const double *w, const double *x, int n, int d)
{
    #pragma omp parallel for
    for (int i = 0; i < d; i++) {
        double val = 0;
        for (int j = 0; j < n; j++)
            val += w[i * n + j] * x[j];
        out[i] = val;
    }
}

static void inner(double *out, const double *in, int rows, int columns)
{
    #pragma omp parallel for
    for (int i = 1; i < rows - 1; i++)
        for (int j = 1; j < columns - 1; j++)
            out[i * columns + j] = in[(i - 1) * columns + j] + in[(i + 1) * columns + j] + in[i * columns + j - 1] + in[i * columns + j + 1];
}

static void by_pointers(double *out, const double *in, int rows, int columns, int planes)
{
    #pragma omp parallel for collapse(2)
    for (int p = 0; p < planes; p++)
        for (int i = 0; i < rows; i++) {
            const double *row = in + p * rows * columns + i * columns;
            double *to = &out[p * rows * columns];
            double *mine = to + i * columns;
            for (int j = 0; j < columns; j++)
                *(mine + j) = row[j] * 2 + i;
        }
}

static void triangle(double *out, const double *in, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            out[i * n + j] += in[j * n + i];
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double *row = out + i * n;
        for (int j = i; j < n; j++)
            row[j] -= 1;
        for (int j = n - 1; j >= i; j--)
            row[j] += in[j * n + i];
    }
}

static void downwards(double *out, const double *in, int rows, int columns)
{
    #pragma omp parallel for
    for (int i = rows - 1; i >= 0; i--)
        for (int j = columns - 1; j >= 0; j -= 2)
            out[(rows - 1 - i) * columns + j] = in[i * columns + (columns - 1 - j)];
    #pragma omp parallel for
    for (int i = 0; i < rows; i++) {
        const double *end = in + (rows - i) * columns;
        for (int j = 1; j <= columns; j++)
            out[i * columns + j - 1] += *(end - j);
    }
}

static void sometimes(double *out, const double *in, const double *none, int rows, int columns, int really)
{
    #pragma omp parallel for
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            if (in[i * columns + j] > 0)
                out[i * columns + j] = really ? none[i * columns + j] : 1;
            for (int k = 0; k < really; k++)
                out[i * columns + j] += none[(i + k) * columns + j];
        }
}

struct point { float x, y; double z; };
static void members(struct point *p, const float *flat, int rows, int columns)
{
    #pragma omp parallel for
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            struct point *q = p + i * columns + j;
            q->y = flat[(i * columns + j) * 4 + 1] + p[i * columns + j].x;
        }
    #pragma omp parallel for
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            ((unsigned *)p)[(i * columns + j) * 4] ^= 0x80000000u;
}

static void variable(int rows, int columns, double out[rows][columns], double in[rows][columns])
{
    #pragma omp parallel for
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            out[i][j] = in[i][columns - 1 - j] * 3;
}

static void unsigned_ones(float *out, const float *in, unsigned rows, size_t columns, unsigned char blocks)
{
    #pragma omp parallel for
    for (unsigned i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++)
            out[i * columns + j] = in[i * columns + j] + 1;
    #pragma omp parallel for
    for (unsigned char k = 0; k < blocks; k++)
        for (unsigned j = 0; j < rows; j++)
            out[k * rows + j] += (float)k;
}

static void steps(double *out, const double *in, int rows, int columns)
{
    #pragma omp parallel for
    for (int i = 0; i < rows; i += 3)
        for (int j = 2; j < columns; j += 4) {
            int at = i * columns;
            out[at + j] = in[at + j - 2] - in[at + j % columns];
        }
}

static void from_the_diagonal(double *out, const double *in, int rows, int columns)
{
    #pragma omp parallel for
    for (int i = 0; i < rows; i++) {
        double sum = 0;
        for (int j = i; j < columns; j += 17) // the last j is no multiple of 17 from the first one of another i
            sum += in[j * rows + i];
        out[i] += sum;
    }
}

/* A jump leads into the loop, past its first value. */
static void entered(double *out, const double *in, int n, int each)
{
    int j;
    #pragma omp parallel for private(j)
    for (int i = 0; i < n; i++) {
        j = each - 1;
        if (in[i] > 0)
            goto inside;
        for (j = 0; j < 2; j++) {
        inside:
            out[i * each + j] = i - j;
        }
    }
}

int main(int argc, char **argv)
{
    const int rows = atoi(argv[1]), columns = atoi(argv[2]), n = atoi(argv[3]);
    const size_t each = (size_t)rows * columns * 4 + (size_t)n * n * 4 + 3 * rows + columns;
    (void)argc;
    whole = 4 * each + 10;
    memory = malloc(whole * sizeof *memory);
    fill(each), product(b, a, c, columns, rows), show("product");
    fill(each), inner(b, a, rows, columns), show("inner");
    fill((size_t)rows * columns), inner(c, a, rows, columns), inner(b, c, rows, columns), show("tight");
    fill(each), by_pointers(c, b, rows, columns, 4), show("pointers");
    fill(each), triangle(d, b, n), show("triangle");
    fill(each), downwards(a, c, rows, columns), show("downwards");
    fill(each), sometimes(b, a, NULL, rows, columns, 0), sometimes(c, a, d, rows, columns, 2), show("sometimes");
    fill(each), members((struct point *)b, (float *)d, rows, columns), show("members");
    fill(each), variable(rows, columns, (void *)b, (void *)c), show("variable");
    fill(each), unsigned_ones((float *)b, (float *)c, rows, columns, n), show("unsigned");
    double *const other = calloc(each, sizeof *other);
    fill(each), memcpy(other, a, each * sizeof *other), steps(b, other, rows, columns), show("steps");
    free(other);
    double *const third = calloc(each, sizeof *third);
    fill(each), memcpy(third, a, each * sizeof *third), from_the_diagonal(b, third, rows, columns), show("diagonal");
    free(third);
    double *const fourth = calloc(9 * each, sizeof *fourth);
    double sum = 0;
    fill(each), entered(fourth, a, 9, each);
    for (size_t k = 0; k < 9 * each; k++)
        sum += fourth[k] * (k % 17);
    printf("entered %g\n", sum);
    free(fourth);
    fill(each), product(b, b + rows, c, columns, rows), show("touching");
    fill(each), product(b, a, b + rows, columns, rows), show("side by side");
    double small[40 * 33];
    memcpy(small, memory, sizeof small < whole * sizeof *memory ? sizeof small : whole * sizeof *memory);
    if (rows <= 40 && columns <= 33)
        product(d, small, c, columns, rows), show("on the stack");
    free(memory);
    return 0;
}
