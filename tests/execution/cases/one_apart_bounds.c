/* Loops of which one iteration is in the way, if they have it: the bounds of what is before it and behind it. */
/* args: */
/* expect-gpu: 8 */
/* expect-added: 1 */
#include <limits.h>
#include <stdio.h>

#define ROWS 20
#define WIDTH 60
static int a[ROWS][WIDTH], s[WIDTH];

/* The factor of a row, if there is such a column. */
#define FACTOR(i, k) (0 <= (k) && (k) < WIDTH ? a[i][k] : 3)

static void fill(void)
{
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < WIDTH; j++)
            a[i][j] = (i * 37 + j * 11) % 101;
}

static void show(const char *what, long first, long end, long k)
{
    long sum = 0;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < WIDTH; j++)
            sum += (i * 7 + j * 3 + 1L) * a[i][j];
    printf("%s %ld %ld %ld: %ld\n", what, first, end, k, sum);
}

static void below(int first, int end, int k)
{
#pragma omp parallel for
    for (int i = 0; i < ROWS; i++)
        for (int j = first; j < end; j++)
            a[i][j] = (a[i][j] * 3 + FACTOR(i, k)) % 1009;
}

static void up_to(int first, int end, int k)
{
#pragma omp parallel for
    for (int i = 0; i < ROWS; i++)
        for (int j = first; j <= end; j++)
            a[i][j] = (a[i][j] * 3 + FACTOR(i, k)) % 1009;
}

static void unsigned_below(unsigned first, unsigned end, unsigned k)
{
#pragma omp parallel for
    for (int i = 0; i < ROWS; i++)
        for (unsigned j = first; j < end; j++)
            a[i][j] = (a[i][j] * 3 + (k < WIDTH ? a[i][k] : 5)) % 1009;
}

static void unsigned_up_to(unsigned first, unsigned last, unsigned k)
{
#pragma omp parallel for
    for (int i = 0; i < ROWS; i++)
        for (unsigned j = first; j <= last; j++)
            a[i][j] = (a[i][j] * 3 + (k < WIDTH ? a[i][k] : 5)) % 1009;
}

/* A bound of a longer type than the counter's, and a `continue`. */
static void of_longs(long end, int k)
{
#pragma omp parallel for
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < end; j++) {
            const int by = FACTOR(i, k) + s[j];
            if (by % 3 == 1)
                continue;
            a[i][j] = (a[i][j] * 3 + by) % 1009;
        }
}

/* The first iteration. */
static void by_first(int end)
{
#pragma omp parallel for
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < end; j++)
            a[i][j] = (a[i][j] * 3 + a[i][0]) % 1009;
}

/* Between the bounds, as the loop around the launch is. */
static void each(int end)
{
    for (int k = 1; k < end; k++)
#pragma omp parallel for
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j <= end - 1; j++)
                a[i][j] = (a[i][j] * 3 + a[i][k] + s[j]) % 1009;
}

/* That loop goes further, or counts something else. */
static void beyond(int end)
{
    for (int k = end + 1; k > 0; k -= 3) {
        int l = k % 2 ? k : -k;
#pragma omp parallel for
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < end; j++)
                a[i][j] = (a[i][j] * 3 + FACTOR(i, k) + l) % 1009;
    }
}

int main(void)
{
    static const int firsts[] = {0, 1, 7, 59}, ends[] = {0, 1, 8, 40, 60};
    static const int places[] = {INT_MIN, -1, 0, 1, 7, 39, 40, 59, 60, INT_MAX};

    for (int j = 0; j < WIDTH; j++)
        s[j] = j * 7 % 31;
    for (unsigned p = 0; p < sizeof places / sizeof *places; p++)
        for (int e = 0; e < 5; e++)
            for (int f = 0; f < 4; f++) {
                const int first = firsts[f], end = ends[e], k = places[p];
                fill();
                below(first, end, k);
                show("below", first, end, k);
                up_to(first, end - 1, k);
                show("up to", first, end, k);
                unsigned_below((unsigned)first, (unsigned)end, (unsigned)k);
                show("unsigned", first, end, k);
                if (end > 0)
                    unsigned_up_to((unsigned)first, (unsigned)end - 1, (unsigned)k);
                show("unsigned up to", first, end, k);
                if (f == 0) {
                    of_longs(end, k);
                    by_first(end);
                    each(end);
                    beyond(end);
                    show("others", first, end, k);
                }
            }
    return 0;
}
