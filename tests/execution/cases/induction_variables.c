/* Variables that move with the counter of a loop are computed from it; where that is not known, they stay. */
/* args: 50 24 */
/* args: 1 1 */
/* args: 7 0 */
/* args: 0 3 */
/* expect-gpu: 17 */
/* expect-added: 2 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST (64 * 64 * 4)

static double a[MOST], b[MOST];
static int ends[64], at[64];

static void show(const char *name)
{
    double sum = 0;
    for (int i = 0; i < MOST; i++)
        sum += a[i] * ((i * 31) % 97 + 1);
    printf("%s %.10g\n", name, sum);
    for (int i = 0; i < MOST; i++)
        a[i] = (i * 7) % 11;
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]), m = atoi(argv[2]), i, j, k;
    for (i = 0; i < MOST; i++) {
        a[i] = (i * 7) % 11;
        b[i] = (i * 5) % 13 + 0.5;
    }
    for (i = 0; i < 64; i++)
        ends[i] = m == 0 ? 0 : (i * 37) % (m + 1);

    #pragma omp parallel for /* two variables in a head */
    for (int i = 0; i < n; i++)
        for (int k = 64 * i, j = 0; j < ends[i]; ++j, ++k)
            a[k] += 2 * b[k];
    show("head");

    #pragma omp parallel for private(j, k) /* of names that others have as well; the counter second, and downwards */
    for (i = 0; i < n; i++) {
        for (k = 64 * i, j = 0; j < m; k++, j++)
            a[k] += b[k];
        for (int k = 64 * i + 63, j = 0; j < m; j++, k -= 2) {
            if (j > 31)
                continue;
            a[k] += b[k];
        }
        for (int j = m, k = 64 * i; j >= 1; j--, k++)
            a[k] -= b[j];
    }
    show("names");

    #pragma omp parallel for private(j, k) /* several moves, and values between them */
    for (i = 0; i < n; i++) {
        k = 0;
        for (j = 0; j < m; j++) {
            a[128 * i + k++] += b[j];
            a[128 * i + k] += 3 * b[j + 1];
            ++k;
        }
        a[128 * i + k] += k;
    }
    show("several");

    #pragma omp parallel for /* prefix, postfix, and an assignment that is a value */
    for (int i = 0; i < n; i++) {
        int k = 3, l = 200, s = 0;
        for (int j = 2; j <= m; j++) {
            a[256 * i + ++k] += b[j];
            k = k + 2;
            s += l -= 3;
            a[256 * i + 199] += s + l;
        }
        a[256 * i + 198] += k + l + s;
    }
    show("values");

    #pragma omp parallel for /* what an inner loop adds moves the variable in the outer one */
    for (int i = 0; i < n; i++) {
        int k = 64 * 4 * i;
        for (int j = 0; j < 4; j++) {
            for (int l = 0; l < 24; l++)
                a[k++] += b[l] * j;
            k += 2;
        }
        a[k] += 1;
    }
    show("nest");

    #pragma omp parallel for /* by a variable's value */
    for (int i = 0; i < n; i++) {
        unsigned k = 0;
        long l = 5;
        for (int j = 0; j < 3; j++) {
            a[256 * i + k] += b[l];
            k += m;
            l += m + 1;
        }
        a[256 * i + k] += l;
    }
    show("by a value");

    #pragma omp parallel for /* unsigned numbers come round */
    for (int i = 0; i < n; i++) {
        unsigned k = UINT_MAX - 1;
        for (int j = 0; j < m; j++) {
            a[256 * i + k % 251] += b[j];
            k += 3;
        }
    }
    show("unsigned");

    #pragma omp parallel for /* from below zero by more than one: sums on the way might not fit */
    for (int i = 0; i < n; i++) {
        int k = INT_MIN + 1;
        for (int j = 0; j < 4; j++) {
            a[256 * i + j] += k % 1000;
            k += 1073741823;
        }
    }
    show("wide");

    #pragma omp parallel for /* only where a condition holds: a count, that stays */
    for (int i = 0; i < n; i++) {
        int k = 0;
        for (int j = 0; j < m; j++)
            if (b[j + i] > 6)
                a[64 * i + k++] = b[j];
        at[i] = k;
    }
    for (i = 0; i < n; i++)
        a[i] += at[i];
    show("count");

    #pragma omp parallel for /* not behind a continue */
    for (int i = 0; i < n; i++) {
        int k = 0;
        for (int j = 0; j < m; j++) {
            if (b[j + i] > 6)
                continue;
            a[64 * i + k] = b[j];
            k++;
        }
    }
    show("continue");

    #pragma omp parallel for /* a loop that is left: nobody wants the value, or somebody does */
    for (int i = 0; i < n; i++) {
        for (int j = 0, k = 64 * i; j < m; j++, k++) {
            if (b[k] > 12)
                break;
            a[k] += b[k];
        }
        int k = 0;
        for (int j = 0; j < m; j++, k += 2)
            if (b[j + k] > 12)
                break;
        a[64 * i + 63] = k;
    }
    show("left");

    #pragma omp parallel for /* the bound moves, or is stored meanwhile */
    for (int i = 0; i < n; i++) {
        int k = 0, end = m;
        for (int j = 0; j < end; j++, k++)
            if (j == 3)
                end = end - 1;
        a[64 * i] = k;
        k = 0;
        for (int j = 0; j < ends[i]; j++) {
            k++;
            a[64 * i + k] += 1;
        }
        a[64 * i + 1] = k;
    }
    show("bounds");

    #pragma omp parallel for /* steps of the counter, and no loop with a counter */
    for (int i = 0; i < n; i++) {
        int k = 0, l = 0;
        for (int j = 0; j < m; j += 2, k++)
            a[64 * i + k] += b[j];
        while (l < k)
            a[64 * i + l++] += 1;
        for (int j = -3; j < m; j++)
            a[64 * i + 40] += l++;
    }
    show("steps");

    #pragma omp parallel for /* begun once for several entries of the inner loop */
    for (int i = 0; i < n; i++) {
        int k = 0;
        for (int j = 0; j < ends[i]; j++)
            for (int l = 0; l <= j; l++)
                a[64 * 4 * i + k++ % 256] += b[l];
    }
    show("triangle");

    #pragma omp parallel /* the region's own variable, wanted behind its loop */
    {
        int k = 0, j;
        #pragma omp for
        for (int i = 0; i < n; i++) {
            k = 64 * i;
            for (j = 0; j < m; j++)
                a[k++] += 1;
        }
        #pragma omp for
        for (int i = 0; i < n; i++) {
            long l = 64 * i + 63L;
            for (j = m - 1; j >= 0; j--)
                a[l--] += b[j];
        }
    }
    show("region");

    #pragma omp parallel for /* a pointer to it: it stays */
    for (int i = 0; i < n; i++) {
        int k = 64 * i, *p = &k;
        for (int j = 0; j < m; j++) {
            a[k] += b[*p];
            k++;
        }
    }
    show("pointer");
    return 0;
}
