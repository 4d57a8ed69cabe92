/* Critical sections that are operations on one object each: accumulations, extremes, extremes with companions, lists. */
/* args: 1000 */
/* args: 1 */
/* args: 0 */
/* expect-gpu: 9 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double a[1000];
static int histogram[10];
static struct { double value; int row, column; } nearest = {1e9, -1, -1};

static void count(int *to)
{
    #pragma omp critical (histogram)
    *to += 1;
}

static int by_value(const void *x, const void *y) { return *(const int *)x - *(const int *)y; }

int main(int argc, char **argv)
{
    int n = atoi(argv[1]), m = n < 30 ? n : 30;
    for (int i = 0; i < 1000; i++) a[i] = (i * 37) % 101 + 0.25;
    a[3] = NAN;

    long sum = 0; int number = 0; double low = 1e9, high = -1e9, high2 = 5, square = 0;
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double local = floor(a[i] * 2);
        #pragma omp critical
        {
            int twice = 2 * i;
            sum += twice;
            number++;
            if (a[i] < low) low = a[i];
            high = a[i] > high ? a[i] : high;
            high2 = fmax(high2, a[i]);
            if (local > 0) square = square + local * local;
        }
        count(&histogram[i % 10]);
    }
    printf("%ld %d %g %g %g %g\n", sum, number, low, high, high2, square);
    for (int k = 0; k < 10; k++) printf("%d ", histogram[k]);

    /* The winner among equal ones is the first that comes: here the values differ. */
    double best = 1e9, worst = -1; int where = -1, there = -1; float payload = 0;
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double distance = fabs(a[i] + i * 1e-6 - 50);
        if (distance < best) {
            #pragma omp critical (best)
            if (distance < best) { best = distance; where = i; payload = i / 2.0f; }
        }
        #pragma omp critical (worst)
        {
            if (worst <= distance) {
                there = i;
                worst = distance;
            }
        }
    }
    printf("\n%.9g %d %g %.9g %d\n", best, where, payload, worst, there);

    #pragma omp parallel for collapse(2)
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) {
            double distance = fabs(a[i] - j * 1.03 - 7);
            #pragma omp critical
            if (distance < nearest.value) {
                nearest.value = distance;
                nearest.row = i, nearest.column = j;
            }
        }
    printf("%.9g %d %d\n", nearest.value, nearest.row, nearest.column);

    /* Never entered: everything stays. */
    int least = -5, at = 77;
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        #pragma omp critical
        if (i < least) { least = i; at = i; }
    }
    printf("%d %d\n", least, at);

    int *list = malloc((n + 1) * sizeof *list), *other = malloc((n + 1) * sizeof *other), length = 0, rest = 0;
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int slot;
        if (a[i] > 50) {
            #pragma omp critical
            list[length++] = i;
        } else {
            #pragma omp critical (rest)
            {
                slot = rest++;
                other[slot] = i;
            }
        }
    }
    qsort(list, length, sizeof *list, by_value);
    qsort(other, rest, sizeof *other, by_value);
    unsigned long hash = 0;
    for (int i = 0; i < length; i++) hash = hash * 31 + list[i];
    for (int i = 0; i < rest; i++) hash = hash * 31 + other[i];
    printf("%d %d %lu\n", length, rest, hash);

    /* The section adds up an array; and a counter whose values are used. */
    int seen = 0, tickets = 0;
    memset(histogram, 0, sizeof histogram);
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int own[10] = {0}, ticket;
        for (int k = 0; k < 5; k++) own[(i + k) % 10] += k;
        #pragma omp critical (add)
        for (int k = 0; k < 10; k++)
            if (own[k] != 0)
                histogram[k] += own[k];
        #pragma omp critical (ticket)
        {
            tickets++;
            ticket = tickets;
        }
        #pragma omp atomic
        seen += ticket;
    }
    for (int k = 0; k < 10; k++) printf("%d ", histogram[k]);
    printf("%d\n", seen);

    /* Private objects in a section need no care. */
    double total = 0;
    #pragma omp parallel for reduction(+:total)
    for (int i = 0; i < n; i++) {
        double mine = 0;
        #pragma omp critical
        { mine += i; total += mine; }
        #pragma omp atomic
        mine *= 2;
        a[i] = mine;
    }
    printf("%g %g\n", total, n > 0 ? a[n - 1] : 0);

    /* Lists of equal values: any of them may win; the least number does. */
    int winner = -1; double same = 1;
    for (int one = 0; one < 2; one++) {
        #pragma omp parallel for
        for (int i = 0; i < one; i++) {
            #pragma omp critical
            if (same >= 1) { same = 1; winner = i; }
        }
    }
    float least_float = 9; int which = 0;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 3; j++) {
            float e = fabsf(i - 20.5f + j * 0.25f);
            #pragma omp critical
            { if (e <= least_float) { least_float = e; which = i * 3 + j; } }
        }
    printf("%d %g %g %d\n", winner, same, least_float, which);
    free(list);
    free(other);
    return 0;
}
