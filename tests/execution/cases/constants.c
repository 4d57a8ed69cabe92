/* `const` integers are what they are declared as: steps, lengths, bounds. */
/* args: 24 40 */
/* args: 0 3 */
/* expect-gpu: 5 */
/* expect-host: OMPC361 */
#include <stdio.h>
#include <stdlib.h>

static const int WIDTH = 8, LESS = -3;
const unsigned long MANY = 1000;
static const volatile int odd = 5;
static const short small = 300;
enum { THREE = 3 };

static void unrolled(float *out, const float *in, const float *w, int rows, int columns, int n)
{
    const int STEP = 8;
    #pragma omp parallel for
    for (int i = 0; i < rows; i += STEP)
        for (int o = 0; o < columns; o++) {
            float result[STEP];
            for (int k = 0; k < STEP; k++)
                result[k] = w[o];
            for (int j = 0; j < n; j++)
                for (int k = 0; k < STEP; k++) {
                    int at = i + k;
                    result[k] += in[at * n + j] * w[o + j];
                }
            for (int k = 0; k < STEP; k++) {
                int at = i + k;
                out[at * columns + o] = result[k];
            }
        }
}

static const int *the_width(const int *p)
{
    return p == NULL ? &WIDTH : p;
}

static void addresses(int *x, int n)
{
    static int wide = 8;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] = the_width(i > 3 ? &wide : NULL) != NULL;
}

int main(int argc, char **argv)
{
    const int rows = atoi(argv[1]), columns = atoi(argv[2]), n = THREE * 4 + LESS, five = 5, of_five[2] = {five, five * 2};
    const int rounded = 7.9, *const nowhere = NULL;
    const long long large = 1LL << 40, least = -9223372036854775807LL - 1;
    (void)argc;
    float *in = malloc((rows + WIDTH) * n * sizeof *in), *out = malloc(rows * columns * sizeof *out + 1), w[100];
    double x[WIDTH * 10];
    long total = 0;
    for (int i = 0; i < rows * n; i++)
        in[i] = (float)(i % 11);
    for (int i = 0; i < 100; i++)
        w[i] = (float)(i % 7) - 3;
    unrolled(out, in, w, rows, columns, n);
    float sum = 0;
    for (int i = 0; i < rows * columns; i++)
        sum += out[i];
    printf("%g %d\n", sum, (int)sizeof x);
    #pragma omp parallel for firstprivate(five) reduction(+: total) num_threads(five) schedule(static, WIDTH)
    for (int i = LESS; i < WIDTH * 10 + LESS; i++) {
        const int four = 4, *const p = nowhere == NULL ? &five : NULL;
        const unsigned char narrow = 200 + 10;
        x[i - LESS] = i * -LESS + four - LESS + small + narrow + *p + rounded;
        total += large / (i + 100) + (least + 1000 + i) / 1000 + (long)(MANY - 2000) + (LESS < MANY) + of_five[1];
    }
    for (int i = 0; i < WIDTH * 10; i++)
        total += (long)x[i];
    printf("%ld\n", total);
    double y[five][WIDTH], s = 0;
    #pragma omp parallel for collapse(2)
    for (int i = 0; i < five; i++)
        for (int j = WIDTH - 1; j >= 0; j -= THREE - 1)
            y[i][j] = i * 10 + j;
    #pragma omp parallel for reduction(+: s)
    for (int i = 0; i < five; i++)
        for (int j = 1; j < WIDTH; j += 2)
            s += y[i][j] * (j == WIDTH - 1 ? five : 1);
    {
        const int WIDTH = 2;
        #pragma omp parallel for reduction(+: s)
        for (int i = 0; i < WIDTH; i++)
            s += WIDTH * i;
    }
    int found[THREE * 4] = {0};
    addresses(found, THREE * 4);
    printf("%d ", found[0] + found[11]);
    printf("%g %d %d %d\n", s, *the_width(NULL), *the_width(&five), odd);
    free(in), free(out);
    return 0;
}
