/* Arrays whose pieces lie between each other: the halves of butterflies, interleaved channels; and some that overlap. */
/* args: 64 */
/* args: 2 */
/* args: 1024 */
/* expect-gpu: 5 */
/* expect-added: 2 */
/* refuses: OMPC453 */
#include <stdio.h>
#include <stdlib.h>

/* One step of a transform: from the halves of one array to the pieces of another one. */
static void step(int n, int mj, const double *a, const double *b, double *c, double *d, double w)
{
    const int mj2 = 2 * mj, lj = n / mj2;
    #pragma omp parallel for
    for (int j = 0; j < lj; j++)
        for (int k = 0; k < mj; k++) {
            c[(j * mj2 + k) * 2] = a[(j * mj + k) * 2] + b[(j * mj + k) * 2];
            c[(j * mj2 + k) * 2 + 1] = a[(j * mj + k) * 2 + 1] + b[(j * mj + k) * 2 + 1];
            const double re = a[(j * mj + k) * 2] - b[(j * mj + k) * 2], im = a[(j * mj + k) * 2 + 1] - b[(j * mj + k) * 2 + 1];
            d[(j * mj2 + k) * 2] = w * re - im;
            d[(j * mj2 + k) * 2 + 1] = w * im + re;
        }
}

/* Two channels: each reads the other one. */
static void channels(int n, int apart, float *left, const float *right)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        left[apart * i] = 0.5f * left[apart * i] + right[apart * i];
}

/* Backwards, several elements of each piece. */
static void backwards(int n, int apart, int *to, const int *from)
{
    #pragma omp parallel for
    for (int i = n - 1; i >= 0; i--) {
        to[apart * i] += from[apart * i + 2];
        to[apart * i + 1] -= from[apart * i] * 3;
    }
}

/* Numbers of two parts, by pointers to each. */
static void parts(int n, double *re, double *im)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        const double x = re[2 * i] * re[2 * i] - im[2 * i] * im[2 * i];
        im[2 * i] = 2 * re[2 * i] * im[2 * i];
        re[2 * i] = x;
    }
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 64;
    double *x = calloc(4 * n, sizeof *x), *y = calloc(4 * n, sizeof *y), sum = 0;
    float *frames = calloc(4 * n + 8, sizeof *frames);
    int *numbers = calloc(7 * n + 16, sizeof *numbers);

    #pragma omp parallel for
    for (int i = 0; i < 2 * n; i++)
        x[i] = i % 7 - 3;
    for (int mj = 1; mj < n; mj *= 2) {
        step(n, mj, x, x + n, y, y + 2 * mj, 0.5); /* apart */
        double *const other = x;
        x = y, y = other;
    }
    for (int i = 0; i < 2 * n; i++)
        sum += x[i] * (i % 5);
    printf("%.10g\n", sum);
    if (n >= 4)
        step(n, 1, x, x + n, y, y + 1, 0.5); /* the second number of each pair is the first of another one: not apart */
    for (int i = 0; i < 4 * n; i++)
        sum += y[i] * (i % 3);
    printf("%.10g\n", sum);

    for (int i = 0; i < 4 * n; i++)
        frames[i] = (float)(i % 11);
    channels(n, 2, frames, frames + 1);
    channels(n, 2, frames + 1, frames);
    channels(n, 4, frames + 3, frames + 2);
    channels(n / 2, 2, frames, frames); /* one channel */
    for (int i = 0; i < 4 * n; i++)
        sum += frames[i];
    printf("%.10g\n", sum);

    parts(n, y, y + 1);
    parts(n - 1, y + 2, y + 1);
    parts(n / 2, y + 2 * n, y + 2 * n); /* not apart */
    for (int i = 0; i < 4 * n; i++)
        sum += y[i];
    printf("%.10g\n", sum);

    for (int i = 0; i < 7 * n + 16; i++)
        numbers[i] = i % 13;
    backwards(n, 7, numbers, numbers + 2);
    backwards(n, 7, numbers + 4, numbers);
    backwards(n, 7, numbers + 9, numbers + 4);
    for (int i = 0; i < 7 * n + 16; i++)
        sum += numbers[i] % 101;
    printf("%.10g\n", sum);
    free(x), free(y), free(frames), free(numbers);
    return 0;
}
