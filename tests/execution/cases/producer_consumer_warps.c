/* Loops of equal lengths in which the warps of a block help: along rows and across them, terms of several types, rows
   that there are not, lengths that end inside a tile, nothing to do; and loops that nobody can help with. */
/* args: 2 97 131 */
/* args: 0 33 300 */
/* args: 8 5 64 */
/* args: 1 40 70 */
/* args: 2 33 0 */
/* expect-gpu: 6 */
/* rtol: 0 */
/* fp: strict */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST 300

static float a[MOST * MOST], x[MOST], fout[MOST];
static double b[MOST][MOST], y[MOST], dout[MOST];
static int skip[MOST], iout[MOST];
static unsigned char bytes[MOST * MOST];

static void fill(void)
{
    for (int k = 0; k < MOST * MOST; k++) {
        a[k] = (float)(k * 37 % 101) * 0.25f - 7.0f;
        b[k / MOST][k % MOST] = 1.0 / (k % 97 + 3) - 0.1;
        bytes[k] = (unsigned char)(k * 29);
    }
    for (int i = 0; i < MOST; i++) {
        x[i] = 1.0f / (float)(i + 1);
        y[i] = i * 0.25;
        skip[i] = i % 11 == 3 || (i >= 32 && i < 64);
    }
}

static void products(int rows, int columns)
{
    #pragma omp parallel for
    for (int i = 0; i < rows; i++) {
        float sum = 0.0f;
        for (int j = 0; j < columns; j++)
            sum += a[i * columns + j] * x[j];
        fout[i] = sum;
    }
    #pragma omp parallel for
    for (int j = 0; j < columns; j++) {
        double sum = 0.0;
        for (int i = 0; i < rows; i++)
            sum += a[i * columns + j] * fout[i];
        dout[j] = sum;
    }
}

static void several(int rows, int columns) /* conditions around, two loops, a best value and where it is, downwards */
{
    double total = 0.0;
    #pragma omp parallel for reduction(+:total)
    for (int i = 0; i < rows; i++) {
        int where = -1;
        double best = -1.0, sum = 0.0;
        if (skip[i])
            continue;
        for (int j = columns - 1; j >= 0; j -= 3)
            if (b[i][j] > best) {
                best = b[i][j];
                where = j;
            }
        for (int c = 0; c < 3; c++)
            for (int j = 0; j < columns; j++) {
                if (j % 7 == c)
                    continue;
                sum += b[i][j] - y[j] * c;
            }
        dout[i] = sum + best;
        iout[i] = where;
        total += (int)(best * 1000.0);
    }
    printf("total %.1f\n", total);
}

static void others(int rows, int columns)
{
    #pragma omp parallel for
    for (int i = 0; i < rows; i++) {
        unsigned char c = 3;
        for (unsigned long j = 1; j < (unsigned long)columns; j++)
            c = (unsigned char)(c * 5 + bytes[i * columns + j] + bytes[i * columns + j - 1]);
        iout[i] += c;
    }
    #pragma omp parallel for
    for (int j = 0; j < columns; j++) {
        long hash = j;
        int positive = 0;
        for (int i = 0; i < rows; i++) {
            hash = (hash * 31 + bytes[i * columns + j]) % 1000003;
            if (b[i][j] > 0)
                positive++;
        }
        dout[j] += (double)hash;
        iout[j] += positive;
    }
    #pragma omp parallel for
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            fout[i] += a[i * columns + j];
            if (fout[i] > 100.0f)
                break;
        }
}

static void show(const char *name)
{
    printf("%s\n", name);
    for (int i = 0; i < MOST; i++)
        printf("%a %a %d\n", fout[i], dout[i], iout[i]);
}

int main(int argc, char **argv)
{
    if (argc > 1 && argv[1][0] != '0' && getenv("OMPC_LANES") == NULL) { /* read when the program starts */
        setenv("OMPC_LANES", argv[1], 1);
        execv("/proc/self/exe", argv);
    }
    const int rows = argc > 2 ? atoi(argv[2]) : 97, columns = argc > 3 ? atoi(argv[3]) : 131;
    fill();
    products(rows, columns);
    show("products");
    several(rows, columns);
    show("several");
    others(rows, columns);
    show("others");
    return 0;
}
