/* Loops of a group of threads whose entries add to integers: to elements at which they meet, by atomic operations, and to
   sums that they see meanwhile, by prefixes; and those in which that would be another answer. */
/* args: 300 */
/* args: 33 */
/* args: 1 */
/* args: 0 */
/* expect-gpu: 19 */
#include <stdio.h>
#include <stdlib.h>
#define ROWS 9
#define MOST 300

static int key[ROWS][MOST], begin[ROWS + 1], count[ROWS * 64], rank[ROWS][MOST];
static unsigned bits[ROWS][8];
static long total[ROWS][64], where[ROWS][MOST];
static short narrow[ROWS][64];
static unsigned char seen[ROWS][MOST];

static void show(const char *what)
{
    long sum = 0;
    for (int i = 0; i < ROWS; i++) {
        for (int q = 0; q < MOST; q++)
            sum = (sum * 3 + key[i][q] + rank[i][q] * 5L + where[i][q] + seen[i][q]) % 1000003;
        for (int q = 0; q < 64; q++)
            sum = (sum * 5 + count[i * 64 + q] + total[i][q] + narrow[i][q] + bits[i][q % 8]) % 1000003;
    }
    printf("%s %ld\n", what, sum);
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 100;
    int i, k, m, first, last;
    for (i = 0; i < ROWS; i++) {
        begin[i] = i * 11 % 7;
        for (k = 0; k < MOST; k++)
            key[i][k] = (k * 37 + i * 11) % 64;
    }
    /* Keys of a bucket are counted, and the counts added up: a counting sort. */
    int *counts = count;
    #pragma omp parallel for private(k, m, first, last) schedule(dynamic)
    for (i = 0; i < ROWS; i++) {
        first = i * 64;
        last = first + 64;
        for (k = first; k < last; k++)
            counts[k] = 0;
        m = begin[i];
        for (k = m; k < n; k++)
            counts[first + key[i][k]]++;
        counts[first] += m;
        for (k = first + 1; k < last; k++)
            counts[k] += counts[k - 1];
    }
    show("sorted");
    /* Other types and operations; what is added is read from memory. */
    #pragma omp parallel for private(k)
    for (i = 0; i < ROWS; i++) {
        for (k = 0; k < n; k++) {
            total[i][key[i][k]] += k - begin[i];
            total[i][(key[i][k] + 1) % 64] -= 2;
            bits[i][key[i][k] % 8] |= 1u << key[i][k] % 31;
        }
        for (k = 0; k < n; k++)
            bits[i][k % 8] ^= (unsigned)k * 2654435761u;
        for (k = 0; k < 63; k++)
            total[i][k + 1] += total[i][k];
    }
    show("types");
    /* Sums in a variable: with the entry's own part, or without, and what is left behind the loop. */
    #pragma omp parallel for private(k, m)
    for (i = 0; i < ROWS; i++) {
        int sum = i;
        unsigned large = 4000000000u;
        for (k = 0; k < n; k++) {
            int own = key[i][k] % 5;
            where[i][k] = sum;
            sum += own;
        }
        rank[i][0] += sum;
        for (k = 0; k < n; k++) {
            large += key[i][k] * 1000003u;
            rank[i][k] += large % 1000;
        }
        for (k = 1; k < n; k++)
            where[i][k] = where[i][k - 1] + key[i][k] % 3;
        where[i][0] += large % 77 + sum;
    }
    show("sums");
    /* In the order of the program: counts that are read meanwhile, of two operations, of short integers. */
    #pragma omp parallel for private(k)
    for (i = 0; i < ROWS; i++) {
        for (k = 0; k < n; k++) {
            total[i][key[i][k]] += k;
            rank[i][k] = total[i][(key[i][k] + 3) % 64] % 1000;
        }
    }
    show("read");
    #pragma omp parallel for private(k)
    for (i = 0; i < ROWS; i++)
        for (k = 0; k < n; k++) {
            total[i][key[i][k]] += k;
            total[i][key[i][k] / 2] &= ~4L;
        }
    show("two operations");
    #pragma omp parallel for private(k)
    for (i = 0; i < ROWS; i++) {
        for (k = 0; k < n; k++)
            narrow[i][key[i][k]] += k % 7;
        for (k = 0; k < n; k++)
            seen[i][k] = narrow[i][k % 64];
    }
    show("narrow");
    /* Sums with a condition, of two variables, that go by other amounts, of what the loop stores. */
    #pragma omp parallel for private(k)
    for (i = 0; i < ROWS; i++) {
        int sum = i, other = 1;
        for (k = 0; k < n; k++) {
            if (key[i][k] > 30)
                sum += key[i][k];
            rank[i][k] = sum;
        }
        rank[i][0] += sum + other;
    }
    #pragma omp parallel for private(k)
    for (i = 0; i < ROWS; i++) {
        int sum = i, other = 1;
        for (k = 0; k < n; k++) {
            sum += key[i][k];
            other += k;
            rank[i][k] += sum % 100 * other % 1000;
        }
        rank[i][0] += sum + other;
    }
    #pragma omp parallel for private(k)
    for (i = 0; i < ROWS; i++) {
        int sum = i, other = 1;
        for (k = 0; k < n; k++) {
            sum = sum * 3 % 101 + key[i][k];
            rank[i][k] += sum;
        }
        rank[i][0] += sum + other;
    }
    #pragma omp parallel for private(k)
    for (i = 0; i < ROWS; i++) {
        int sum = i, other = 1;
        for (k = 0; k < n; k++) {
            where[i][k] = sum % 50;
            sum += where[i][k] % 7;
        }
        rank[i][0] += sum + other;
    }
    show("other sums");
    /* What an entry adds is changed by it, before or afterwards, or by others. */
    #pragma omp parallel for private(k)
    for (i = 0; i < ROWS; i++) {
        int sum = i, other = 1;
        for (k = 0; k < n; k++) {
            other = key[i][k];
            key[i][k] = (other + 1) % 64;
            sum += other;
            rank[i][k] = sum;
        }
        rank[i][0] += sum + other;
    }
    #pragma omp parallel for private(k)
    for (i = 0; i < ROWS; i++) {
        int sum = i, other = 1;
        for (k = 0; k < n; k++) {
            key[i][k] = (key[i][k] * 3 + 1) % 64;
            sum += key[i][k];
            rank[i][k] += sum;
        }
        rank[i][0] += sum + other;
    }
    #pragma omp parallel for private(k)
    for (i = 0; i < ROWS; i++) {
        int sum = i, other = 1;
        for (k = 0; k + 1 < n; k++) {
            sum += key[i][k];
            key[i][k + 1] = sum % 64;
        }
        rank[i][0] += sum + other;
    }
    show("changed");
    /* Running sums along an array, and what looks like one: of the element two before, of two elements, downwards. */
    #pragma omp parallel for private(k)
    for (i = 0; i < ROWS; i++)
        for (k = 2; k < n; k++)
            where[i][k] += where[i][k - 2];
    show("two before");
    #pragma omp parallel for private(k)
    for (i = 0; i < ROWS; i++)
        for (k = 1; k < n; k++)
            where[i][k] = where[i][k - 1] + rank[i][k] % 7;
    #pragma omp parallel for private(k)
    for (i = 0; i < ROWS; i++)
        for (k = 1; k + 1 < n; k++)
            rank[i][k] += rank[i][k - 1] + rank[i][k + 1] % 5;
    #pragma omp parallel for private(k)
    for (i = 0; i < ROWS; i++)
        for (k = n - 1; k > 0; k--)
            rank[i][k] += rank[i][k - 1] % 9;
    #pragma omp parallel for private(k)
    for (i = 0; i < ROWS; i++)
        for (k = 1; k < n; k++)
            narrow[i][k % 64] = narrow[i][k % 64] + narrow[i][(k - 1) % 64];
    #pragma omp parallel for private(k)
    for (i = 0; i < ROWS; i++)
        for (k = 1; k < n; k++)
            seen[i][k] += seen[i][k - 1];
    show("along");
    return 0;
}
