/* Arrays into which loops only accumulate, of which each block of threads may have copies: every operator and type, sizes
   that fit and others, skewed data, sections, several at once; and loops that do more with such an array. */
/* args: 2100 255 255 */
/* args: 300 1 1 */
/* args: 300 2 2 */
/* args: 900 31 3 */
/* args: 2100 257 2 */
/* args: 16500 2060 4 */
/* args: 9 40 40 */
/* args: 0 3 3 */
/* expect-gpu: 19 */
/* expect-added: 2 */
/* rtol: 1e-5 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 7, COLUMNS = 11 };
static int n, bins, spread;
static unsigned char *data;
static int *key;
static float weight[16500];
static int table[ROWS][COLUMNS], fixed[300];
static long total;
struct hits {
    int many[20];
};

#define PRINT(name, h, count)                                                                \
    do {                                                                                     \
        double sum = 0;                                                                      \
        for (int k = 0; k < (count); k++)                                                    \
            sum += (k % 13 + 1) * (double)(h)[k];                                            \
        printf("%s %d %.10g %.10g\n", name, n, sum, (double)(h)[(count) / 2]);               \
    } while (0)

static void integers(void)
{
    int *a = malloc(bins * sizeof *a);
    unsigned *b = malloc(bins * sizeof *b);
    long *c = malloc(bins * sizeof *c);
    short *d = malloc(bins * sizeof *d);
    unsigned char *e = malloc(bins);
    unsigned long *f = malloc(bins * sizeof *f);

    for (int k = 0; k < bins; k++) {
        a[k] = e[k] = d[k] = k % 256 - 3;
        b[k] = c[k] = -k;
        f[k] = 1;
    }
#pragma omp parallel for reduction(+ : a[0:bins], b[0:bins], c[0:bins], d[0:bins], e[0:bins])
    for (int i = 0; i < n; i++) {
        const int k = key[i], v = data[i];
        a[k]++;
        b[k] -= v;
        c[k] += v * 100000000000L;
        d[k] = d[k] + v * 37;
        e[k] += v;
    }
    PRINT("+ int", a, bins);
    PRINT("+ unsigned", b, bins);
    PRINT("+ long", c, bins);
    PRINT("+ short", d, bins);
    PRINT("+ unsigned char", e, bins);
#pragma omp parallel for reduction(* : f[0:bins]) reduction(& : b[0:bins])
    for (int i = 0; i < n; i++) {
        f[key[i]] *= 2 * data[i] + 1;
        b[key[i]] &= ~(1u << data[i] % 31);
    }
    PRINT("* unsigned long", f, bins);
    PRINT("& unsigned", b, bins);
#pragma omp parallel for reduction(| : e[0:bins]) reduction(^ : f[0:bins])
    for (int i = 0; i < n; i++) {
        e[key[i]] |= data[i] % 64;
        f[key[i]] ^= (unsigned long)data[i] << data[i] % 50;
    }
    PRINT("| unsigned char", e, bins);
    PRINT("^ unsigned long", f, bins);
#pragma omp parallel for reduction(max : a[0:bins]) reduction(min : c[0:bins], d[0:bins])
    for (int i = 0; i < n; i++) {
        const int k = key[i], v = data[i];
        if (a[k] < v)
            a[k] = v;
        d[k] = (short)v < d[k] ? (short)v : d[k];
        if (v < c[k])
            c[k] = v;
    }
    PRINT("max int", a, bins);
    PRINT("min short", d, bins);
    PRINT("min long", c, bins);
    free(a), free(b), free(c), free(d), free(e), free(f);
}

static void floats(void)
{
    float *a = calloc(bins, sizeof *a);
    double *b = calloc(bins, sizeof *b), *c = calloc(bins, sizeof *c);

    for (int k = 0; k < bins; k++) {
        b[k] = k;
        c[k] = -1e300;
    }
#pragma omp parallel for reduction(+ : a[:bins], b[:bins]) reduction(max : c[:bins])
    for (int i = 0; i < n; i++) {
        const int k = key[i];
        a[k] += weight[i];
        b[k] -= weight[i] * 2;
        c[k] = fmax(c[k], weight[i]); /* in place */
    }
    PRINT("+ float", a, bins);
    PRINT("+ double", b, bins);
    PRINT("max double", c, bins);
    free(a), free(b), free(c);
}

static void atomics(int *count, int offset)
{
    double *sums = malloc(bins * sizeof *sums);

    for (int k = 0; k < bins; k++)
        sums[k] = -0.0; /* which stays so where nothing is added */
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp atomic
        count[data[i] % spread]++;
    }
    PRINT("atomic", count, bins);
#pragma omp parallel for
    for (int i = 1; i < n; i++) {
        if (data[i] % 5 == 0)
            continue;
#pragma omp atomic
        count[key[i]] += i;
    }
    PRINT("continue", count, bins);
    int *const middle = count + bins / 2; /* subscripts of both signs */
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        const int k = key[i];
        if (k < bins / 2 || i % 3 == 0) {
#pragma omp atomic
            middle[k - bins / 2] += 2;
        } else {
#pragma omp atomic
            middle[k - bins / 2] -= offset;
        }
    }
    PRINT("middle", count, bins);
#pragma omp parallel for reduction(+ : total)
    for (int i = 0; i < n; i++) { /* two arrays and a scalar */
        total += data[i];
#pragma omp atomic
        count[key[i]] += data[i];
#pragma omp atomic
        sums[key[i]] += 0.25;
    }
    PRINT("two arrays", count, bins);
    PRINT("two arrays", sums, bins);
    int negative = 0;
    for (int k = 0; k < bins; k++)
        negative += signbit(sums[k]) != 0;
    printf("total %ld, %d negative zeros\n", total, negative);
    free(sums);
}

static void small(void)
{
    int ten[10] = {5, 4, 3, 2, 1}, few[3] = {0};
    unsigned char least[40];
    double sums[12] = {0};

    memset(least, 200, sizeof least);
#pragma omp parallel for reduction(+ : ten, few, sums[1:11]) reduction(min : least[2:30])
    for (int i = 0; i < n; i++) {
        ten[data[i] % 10] -= i; /* data says which one */
        few[0]++;               /* in registers */
        few[2] += data[i];
        sums[1 + data[i] % 11] += 0.5; /* in a fixed order */
        if (data[i] < least[2 + key[i] % 30])
            least[2 + key[i] % 30] = data[i];
    }
    PRINT("ten", ten, 10);
    PRINT("few", few, 3);
    PRINT("sums", sums, 12);
    PRINT("least", least, 40);
}

static void rows(void)
{
    struct hits hits = {{0}};

#pragma omp parallel for collapse(2)
    for (int i = 0; i < n / 4; i++)
        for (int j = 0; j < 4; j++) {
#pragma omp atomic
            table[data[i * 4 + j] % ROWS][key[i * 4 + j] % COLUMNS] += j + 1;
        }
    PRINT("rows", &table[0][0], ROWS * COLUMNS);
#pragma omp parallel for reduction(+ : fixed[100 : 150])
    for (int i = 0; i < n; i++)
        if (data[i] != 3)
            fixed[100 + key[i] % 150] += 1;
    PRINT("section", fixed, 300);
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < data[i] % 5; j++) {
#pragma omp critical
            fixed[data[i] + j]++;
        }
    PRINT("critical", fixed, 300);
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < n; i++) {
#pragma omp atomic
            total += data[i];
#pragma omp atomic
            hits.many[data[i] % 20]++; /* a member of a struct: in place */
        }
    }
    PRINT("members", hits.many, 20);
    printf("total %ld\n", total);
}

/* What has no copies: results that are asked for, elements that are read, other operations, an array with two names. */
static void in_place(int *h, int *other)
{
    int last = 0;

    memset(h, 0, bins * sizeof *h);
#pragma omp parallel for reduction(max : last)
    for (int i = 0; i < n; i++) {
        int seen;
#pragma omp atomic capture
        seen = h[key[i]]++;
        if (seen > last)
            last = seen;
    }
    printf("last %d\n", last);
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp atomic
        h[key[i] / 2]++;
        if (bins > 1 && i % 64 == 0) {
            int seen;
#pragma omp atomic read
            seen = h[bins - 1];
#pragma omp atomic
            total += seen > -1;
        }
    }
    PRINT("read", h, bins);
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        if (i % 2) {
#pragma omp atomic
            h[key[i] / 2 * 2 % bins] *= 1;
        } else {
#pragma omp atomic
            h[(key[i] / 2 * 2 + 1) % bins] |= 0;
        }
    }
    PRINT("two operations", h, bins);
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        if (i < bins) {
#pragma omp atomic
            h[i] += 1;
        }
        if (i < bins)
            weight[i] = (float)other[i];
    }
    PRINT("two names", h, bins);
    memset(fixed, 0, sizeof fixed);
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int *half = i % 3 ? fixed : fixed + 150;
#pragma omp atomic
        half[data[i] % 150] += i % 5;
    }
    PRINT("pointers", fixed, 300);
}

int main(int argc, char **argv)
{
    n = argc > 1 ? atoi(argv[1]) : 100;
    bins = argc > 2 ? atoi(argv[2]) : 10;
    spread = argc > 3 ? atoi(argv[3]) : 10;
    data = malloc(n + 1);
    key = malloc((n + 1) * sizeof *key);
    unsigned state = 1;
    for (int i = 0; i < n; i++) {
        state = state * 1664525u + 1013904223u;
        data[i] = (unsigned char)(state >> 24);
        key[i] = (int)((state >> 8) % (unsigned)spread) * bins / spread;
        weight[i] = (float)(state >> 16 & 15) - 6;
    }
    int *count = calloc(bins < 256 ? 256 : bins, sizeof *count);

    integers();
    floats();
    atomics(count, 3);
    small();
    rows();
    int *separate = calloc(bins, sizeof *separate);
    in_place(count, separate);
    in_place(count, count); /* on the host, since the kernel relies on two arrays */
    free(separate);
    free(count);
    free(key);
    free(data);
    return 0;
}
