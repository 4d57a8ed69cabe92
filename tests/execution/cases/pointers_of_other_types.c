/* Calls that give two parameters one pointer, of which one has elements of another type, or rows of another length, or
   moves: no version of the loop may take one for the other. */
/* args: 12 */
/* args: 3 */
/* expect-gpu: 3 */
/* refuses: OMPC453 */
#include <stdio.h>
#include <stdlib.h>

static void rows(int n, double (*a)[4], double (*b)[8])
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i][0] = b[i][1] + i;
}

static void types(int n, int *a, float *b)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[2 * i] = (int)b[2 * i + 1] + i;
}

static void moves(int n, double *a, double *b, double *base)
{
    #pragma omp parallel for firstprivate(b)
    for (int i = 0; i < n; i++) {
        b = base + 2 * i + 1;
        a[2 * i] = *b + 1;
    }
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 3;
    double *x = malloc(8 * n * sizeof *x), *y = malloc(8 * n * sizeof *y), sum = 0;
    float *fractions = calloc(2 * n, sizeof *fractions);
    int *numbers = calloc(2 * n, sizeof *numbers);
    void *mixed = malloc(8 * n * sizeof(float));
    for (int i = 0; i < 8 * n; i++)
        x[i] = i * 3 % 11, y[i] = i % 7;
    for (int i = 0; i < n; i++)
        ((int *)mixed)[2 * i] = i, ((float *)mixed)[2 * i + 1] = i * 2.5f;
    rows(n, (double (*)[4])x, (double (*)[8])y);
    rows(n, (double (*)[4])x, (double (*)[8])x);
    types(n, mixed, mixed);
    types(n, numbers, fractions);
    moves(n, x, x, y);
    moves(n, x, y, y);
    for (int i = 0; i < 8 * n; i++)
        sum += x[i] * (i + 1) + y[i];
    for (int i = 0; i < n; i++)
        sum += ((int *)mixed)[2 * i] * (i % 5) + ((float *)mixed)[2 * i + 1] + numbers[2 * i];
    printf("%.12g\n", sum);
    free(x), free(y), free(mixed), free(numbers), free(fractions);
    return 0;
}
