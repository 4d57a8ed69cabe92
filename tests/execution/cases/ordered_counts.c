/* Loops inside an iteration whose entries count and use what the counter was, which threads of a group share. */
/* args: 40 900 */
/* args: 3 4097 */
/* args: 1 30000 */
/* args: 17 33 */
/* args: 5 0 */
/* args: 0 7 */
/* expect-gpu: 19 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define ROWS 40
#define MOST 30000
#define BINS 48
#define LARGE 5000

static int key[MOST], where[MOST], found[ROWS][MOST];
static short small_key[MOST];
static unsigned long long wide_key[MOST];
static int count[ROWS][BINS];
static unsigned char narrow[ROWS][BINS];
static long long wide[ROWS][BINS];
static unsigned large[ROWS][LARGE];
static short of_row[ROWS][7];

static void show(const char *what, int rows, int n)
{
    long all = 0;
    for (int r = 0; r < rows; r++)
        for (int k = 0; k < n; k++)
            all = (all * 31 + found[r][k]) % 1000003;
    for (int r = 0; r < ROWS; r++)
        for (int k = 0; k < BINS; k++)
            all = (all * 29 + count[r][k] + narrow[r][k] * 3 + (long)(wide[r][k] % 1009) + large[r][k * 100] * 7) % 1000003;
    for (int r = 0; r < ROWS; r++)
        for (int k = 0; k < 7; k++)
            all = (all * 23 + of_row[r][k]) % 1000003;
    printf("%s %ld\n", what, all);
    memset(found, 0, sizeof found);
}

/* the rank of each key among equal ones; of counters in a row */
static void ranks(int rows, int n)
{
#pragma omp parallel for
    for (int r = 0; r < rows; r++) {
        for (int b = 0; b < BINS; b++)
            count[r][b] = b * r;
        for (int k = 0; k < n; k++)
            found[r][k] = count[r][(key[k] + r) % BINS]++;
    }
    show("ranks", rows, n);
}

/* down, before and after; conditions; a row that is chosen by the entry */
static void others(int rows, int n)
{
#pragma omp parallel for
    for (int r = 0; r < rows; r++)
        for (int k = 0; k < n; k++) {
            const int b = key[k] % 7;
            if (key[k] % 3 != r % 3)
                found[r][k] = --of_row[r][b];
            else
                found[r][k] = -1;
        }
    show("down", rows, n);
#pragma omp parallel for
    for (int r = 0; r < rows; r++)
        for (int k = n - 1; k >= 0; k -= 2) {
            int b = small_key[k];
            if (b < 0) {
                found[r][k] = k;
            } else {
                b = b % BINS;
                long was = wide[r][b] += 1000000007;
                found[r][k] = (int)(was % 10007) + b;
            }
        }
    show("wide", rows, n);
#pragma omp parallel for
    for (int r = 0; r < rows; r++)
        for (int k = 0; k < n; k++)
            found[r][k] = narrow[r][wide_key[k] % BINS]++ * 2 + 1;
    show("narrow", rows, n);
#pragma omp parallel for
    for (int r = 0; r < rows; r++)
        for (int k = 0; k < n; k++)
            found[r][k] = (int)(large[r][key[k] * 13 % LARGE] -= 3u) % 1000;
    show("large", rows, n);
}

/* counters of the iteration's own; more than one loop; sums that pass 2^31 */
static void own(int rows, int n)
{
#pragma omp parallel for
    for (int r = 0; r < rows; r++) {
        unsigned at[BINS];
        for (int b = 0; b < BINS; b++)
            at[b] = INT_MAX - 5u + b;
        for (int k = 0; k < n; k++)
            found[r][k] = (int)(at[key[k] % BINS]++ % 1013u);
        for (int k = 0; k < n; k++)
            found[r][k] += (int)(at[small_key[k] & 31]++ % 1019u);
        for (int b = 0; b < BINS; b++)
            count[r][b] += (int)(at[b] % 997u);
    }
    show("own", rows, n);
}

/* some counters of a row each; the rows of several iterations are one */
static void in_one_row(int rows, int n)
{
    const int some = rows < 12 ? rows : 12;
#pragma omp parallel for
    for (int r = 0; r < some; r++)
        for (int k = 0; k < n; k++)
            found[r][k] = count[0][4 * r + (key[k] & 3)]++;
    show("in one row", rows, n);
}

/* nobody looks at what the counter was; the value is wanted by a condition that is the same for all */
static void unseen(int rows, int n, int wanted)
{
#pragma omp parallel for
    for (int r = 0; r < rows; r++)
        for (int k = 0; k < n; k++) {
            int place = count[r][key[k] % BINS]++;
            if (wanted > 3)
                found[r][k] = place;
        }
    show("unseen", rows, n);
#pragma omp parallel for
    for (int r = 0; r < rows; r++)
        for (int k = 0; k < n; k++) {
            int place = --count[r][key[k] % BINS];
            if (wanted & 5)
                found[r][k] += place;
        }
    show("seen by a number", rows, n);
#pragma omp parallel for
    for (int r = 0; r < rows; r++)
        for (int k = 0; k < n; k++)
            count[r][key[k] % BINS]++;
    show("only counted", rows, n);
}

/* read elsewhere; twice; written elsewhere; a place that depends on another counter; the key is what is stored */
static void not_these(int rows, int n)
{
#pragma omp parallel for
    for (int r = 0; r < rows; r++)
        for (int k = 0; k < n; k++)
            found[r][k] = count[r][key[k] % BINS]++ + count[r][3];
    show("read", rows, n);
#pragma omp parallel for
    for (int r = 0; r < rows; r++)
        for (int k = 0; k < n; k++)
            found[r][k] = count[r][key[k] % BINS]++ - count[r][where[k] % BINS]++;
    show("twice", rows, n);
#pragma omp parallel for
    for (int r = 0; r < rows; r++)
        for (int k = 0; k < n; k++) {
            found[r][k] = count[r][key[k] % BINS]++;
            count[r][where[k] % BINS]++;
        }
    show("twice, once unseen", rows, n);
#pragma omp parallel for
    for (int r = 0; r < rows; r++)
        for (int k = 0; k < n; k++) {
            found[r][k] += key[k] * 3 + 1;
            const int was = count[r][found[r][k] % BINS]++;
            found[r][k] += was;
        }
    show("by what it has stored", rows, n);
#pragma omp parallel for
    for (int r = 0; r < rows; r++)
        for (int k = 0; k < n; k++) {
            found[r][k] = count[r][key[k] % BINS]++;
            if (k % 100 == 7)
                count[r][k % BINS] = k;
        }
    show("written", rows, n);
#pragma omp parallel for
    for (int r = 0; r < rows; r++)
        for (int k = 0; k < n; k++)
            found[r][k] = (int)wide[r][count[r][key[k] % BINS]++ & 15]++;
    show("of another", rows, n);
#pragma omp parallel for
    for (int r = 0; r < rows; r++)
        for (int k = 0; k + 1 < n; k++)
            found[r][k + 1] = count[r][(key[k] + (found[r][k] & 7)) % BINS]++;
    show("by what is stored", rows, n);
#pragma omp parallel for
    for (int r = 0; r < rows; r++)
        for (int k = 0; k < n; k++)
            found[r][k] = key[k] % 2 && count[r][key[k] % BINS]++ % 2;
    show("perhaps", rows, n);
#pragma omp parallel for
    for (int r = 0; r < rows; r++)
        for (int k = 0; k < n; k++)
            found[r][k] = count[r][key[k] % BINS] += k & 3;
    show("by another step", rows, n);
}

int main(int argc, char **argv)
{
    const int rows = argc > 1 ? atoi(argv[1]) : 10, n = argc > 2 ? atoi(argv[2]) : 100;
    for (int k = 0; k < MOST; k++) {
        key[k] = k % 5 == 0 ? 11 : (k * 37 + k / 11 * 5) % 1021;
        where[k] = (k * 7 + 1) % 97;
        small_key[k] = (short)((k * 13) % 300 - 20);
        wide_key[k] = k * 10000000019ull;
    }
    ranks(rows, n);
    others(rows, n);
    own(rows, n);
    in_one_row(rows, n);
    unseen(rows, n, 3);
    unseen(rows, n, 4);
    not_these(rows, n);
    return 0;
}
