/* Several narrow elements of an iteration side by side, as the channels of a pixel: moved 16 bytes at a time, at aligned and at odd
   addresses, in rows of any length; and loops that only look like that. */
/* args: 0 1 0 */
/* args: 1 1 0 */
/* args: 16 3 1 */
/* args: 37 5 0 */
/* args: 333 4 0 */
/* args: 48 33 4 */
/* expect-gpu: 27 */
/* expect-added: 6 */
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 8000, H = 20, W = 48 };
static unsigned char *a, *b, image[H][W][3], other[H][W][3], four[MOST][4], three[MOST][3];
static short *h, *g;
static float f[MOST];
static const int weights[4] = { 77, 150, 29, 3 };
static int last;

static void fill(size_t n)
{
    for (size_t i = 0; i < 4 * n + 16; i++)
        a[i] = (unsigned char)(i * 7), b[i] = (unsigned char)(i * 13 + i / 50);
    for (size_t i = 0; i < 2 * n + 16; i++)
        h[i] = (short)(i * 301), g[i] = (short)(i * 77 - 9000);
    for (int i = 0; i < MOST; i++) {
        f[i] = (float)i;
        for (int c = 0; c < 4; c++)
            four[i][c] = (unsigned char)(i * c);
        for (int c = 0; c < 3; c++)
            three[i][c] = (unsigned char)(i + c);
    }
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            for (int c = 0; c < 3; c++)
                image[y][x][c] = (unsigned char)(y * 5 + x * c), other[y][x][c] = (unsigned char)(y * x + c);
}

static void show(const char *name, size_t n)
{
    unsigned long sum = (unsigned long)last;
    double total = 0;
    for (size_t i = 0; i < 4 * n + 16; i++)
        sum = sum * 31 + a[i] + 3u * b[i];
    for (size_t i = 0; i < 2 * n + 16; i++)
        sum = sum * 31 + (unsigned)h[i];
    for (int i = 0; i < MOST; i++)
        sum = sum * 31 + four[i][0] + 3u * four[i][3] + 5u * three[i][1], total += f[i] * (1 + i % 7);
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            sum = sum * 31 + image[y][x][0] + 3u * image[y][x][1] + 5u * image[y][x][2];
    printf("%s %lu %.10g\n", name, sum, total);
    fill(n);
}

static void flat(int n, int from, int limit)
{
    const unsigned char *const p = b + from;
    unsigned char *const q = a + from;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int c = 0; c < 3; c++)
            q[3 * i + c] = (unsigned char)(255 - p[3 * i + c]);
    show("inverted", (size_t)n);
    int c;
    #pragma omp parallel for private(c)
    for (long i = 0; i < n; i++)
        for (c = 2; c >= 0; c--)
            a[i * 3 + c] = (unsigned char)(b[i * 3 + 2 - c] * weights[c] >> 8);
    show("weighted", (size_t)n);
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 4; k++)
            if (a[4 * i + k] > limit)
                a[4 * i + k] -= limit / 2;
    show("some", (size_t)n);
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = (unsigned char)((b[3 * i] * 77 + b[3 * i + 1] * 150 + b[3 * i + 2] * 29) >> 8);
    show("grey", (size_t)n);
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[3 * i] = a[3 * i + 1] = a[3 * i + 2] = b[i];
    show("of grey", (size_t)n);
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        short left = g[2 * i], right = g[2 * i + 1];
        h[2 * i] = (short)(left / 2 + right / 4);
        h[2 * i + 1] = (short)(left - right);
    }
    show("stereo", (size_t)n);
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        f[i] = b[2 * i] * 0.5f + b[2 * i + 1];
    show("floats", (size_t)n);
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int r = 0; r < 2; r++)
            for (int s = 0; s < 2; s++)
                four[i][2 * r + s] = (unsigned char)(b[4 * i + 2 * s + r] + r);
    show("two loops", (size_t)n);
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        four[i][0] = four[i][3] = b[3 * i + 2];
        for (int k = 0; k < 3; k++) {
            if (b[3 * i] > limit && k == 1)
                continue;
            four[i][k] = b[3 * i + k];
        }
        four[i][0] ^= 1;
    }
    show("jumps", (size_t)n);
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 3; k++)
            three[i][k] = (unsigned char)(four[i][k] / 2 + four[i][3]);
    show("rows of channels", (size_t)n);
    long sum = 0;
    #pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 3; k++)
            sum += b[3 * i + k] * (k + 1);
    printf("%ld\n", sum);
}

static void planes(int rows, int w, int from)
{
    unsigned char *const q = a + from;
    #pragma omp parallel for collapse(2)
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < w; x++)
            for (int c = 0; c < 3; c++)
                q[(y * w + x) * 3 + c] = (unsigned char)(b[(y * w + x) * 3 + c] + y);
    show("collapsed", (size_t)(rows * w));
    #pragma omp parallel for
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < w; x++)
            for (int c = 0; c < 3; c++)
                q[3 * (y * w + x) + c] = (unsigned char)(b[3 * ((rows - 1 - y) * w + x) + 2 - c] / 2);
    show("turned", (size_t)(rows * w));
    #pragma omp parallel for
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            for (int c = 0; c < 3; c++)
                image[y][x][c] = (unsigned char)(image[y][x][c] + other[H - 1 - y][x][2 - c]);
    show("image", (size_t)(rows * w));
    #pragma omp parallel for
    for (int i = 0; i < rows * w; i++) {
        a[i] = b[3 * i];
        h[i] = b[3 * i + 1];
        f[i] = b[3 * i + 2];
    }
    show("apart", (size_t)(rows * w));
}

/* What is moved an element at a time. */
static void others(int n, int few, int limit)
{
    unsigned char *const less = malloc(4 * (size_t)few), *const tight = (unsigned char *)malloc(4 * (size_t)n + 1) + 3;
    for (int i = 0; i < 4 * few; i++)
        less[i] = (unsigned char)i;
    for (int i = 0; i < 4 * n - 2; i++)
        tight[i] = (unsigned char)(i * 3);
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int c = 0; c < 3; c++)
            if (i < few)
                a[3 * i + c] = less[3 * i + c];
    show("some exist", (size_t)n);
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int c = 0; c < 3; c++) {
            if (i >= few)
                break;
            a[3 * i + c] = less[3 * i + c];
        }
    show("some exist behind a jump", (size_t)n);
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int c = 0; c < 3; c++) {
            a[3 * i + c] = (unsigned char)(b[i] + c);
            if (b[i] > limit)
                break;
        }
    show("left early", (size_t)n);
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        a[3 * i] = 1;
        a[3 * i + 2] = 2;
    }
    show("a gap", (size_t)n);
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int c = 0; c < 3; c++)
            if (b[3 * i + c] > limit)
                a[3 * i + c] = 9;
    show("some written", (size_t)n);
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = (unsigned char)(b[2 * i] + b[2 * i + 2]);
    show("the next one's", (size_t)n);
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = (unsigned char)(tight[4 * i] + tight[4 * i + 1]);
    show("the first two of four", (size_t)n);
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int c = 0; c < 3; c++)
            a[i + c * n] = b[3 * i + c];
    show("planes", (size_t)n);
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int c = 0; c < 3; c++)
            a[3 * i + c] = b[(unsigned char)(3 * i + c)];
    show("wraps", (size_t)n);
    #pragma omp parallel for
    for (int i = n - 1; i >= 0; i--)
        for (int c = 0; c < 3; c++)
            a[3 * i + c] = b[3 * i + c];
    show("down", (size_t)n);
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int c = 0; c < 3; c++)
            a[3 * (n - 1 - i) + c] = b[3 * i + c];
    show("turned round", (size_t)n);
    #pragma omp parallel for lastprivate(last)
    for (int i = 0; i < n; i++)
        for (int c = 0; c < 3; c++)
            a[3 * i + c] = (unsigned char)(last = b[3 * i + c]);
    last = n == 0 ? 0 : last;
    show("last", (size_t)n);
    free(less), free(tight - 3);
}

int main(int argc, char **argv)
{
    if (argc < 4)
        return 1;
    const int n = atoi(argv[1]), rows = atoi(argv[2]), from = atoi(argv[3]);
    const size_t most = (size_t)n * (size_t)rows;
    a = malloc(4 * most + 16), b = malloc(4 * most + 16);
    h = malloc(sizeof *h * (2 * most + 16)), g = malloc(sizeof *g * (2 * most + 16));
    fill(most);
    flat(n, from, 100);
    planes(rows, n, from);
    others(n, n / 2 + 1, 100);
    free(a), free(b), free(h), free(g);
    return 0;
}
