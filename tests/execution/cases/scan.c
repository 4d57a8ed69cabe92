/* Prefixes on the device: `scan` with every operator, several types and list items, inclusive and exclusive. */
/* args: 35000 */
/* args: 4097 */
/* args: 1 */
/* args: 0 */
/* nightly: 9000000 */
/* expect-gpu: 23 */
/* expect-added: 1 */
#include <stdio.h>
#include <stdlib.h>

struct map { unsigned by, plus; };

static struct map composed(struct map first, struct map then)
{
    struct map both = {first.by * then.by, first.plus * then.by + then.plus};
    return both;
}

static void compose(struct map *first, struct map then)
{
    *first = composed(*first, then);
}

#pragma omp declare reduction(then : struct map : omp_out = composed(omp_out, omp_in)) initializer(omp_priv = {1, 0})
#pragma omp declare reduction(most : int : omp_out = omp_out > omp_in ? omp_out : omp_in) initializer(omp_priv = -2000000)

static int n, *a, *b, *c;
static long *wide;
static double *x, *y;
static struct map *maps;
static unsigned long checksum;

static void seen(const char *what, long result)
{
    unsigned long sum = 0;
    for (int i = 0; i < n; i++)
        sum = sum * 31 + (unsigned)b[i] * 7u + (unsigned)c[i] * 3u + (unsigned long)wide[i] + (unsigned long)(long)(4 * y[i]);
    checksum = checksum * 131 + sum;
    printf("%s %ld %lu\n", what, result, sum);
    for (int i = 0; i < n; i++) {
        b[i] = c[i] = -1;
        wide[i] = 0;
        y[i] = 0;
    }
}

static void sums(void)
{
    int s = 11;
#pragma omp parallel for reduction(inscan, + : s)
    for (int i = 0; i < n; i++) {
        s += a[i];
#pragma omp scan inclusive(s)
        b[i] = s;
    }
    seen("inclusive", s);
#pragma omp parallel for reduction(inscan, + : s)
    for (int i = 0; i < n; i++) {
        b[i] = s;
#pragma omp scan exclusive(s)
        s += a[i];
    }
    seen("exclusive", s);

    long total = -1; /* gcc 12 counts the iterations of some loops wrongly that have none */
    double real = 0.5;
    float single = 8;
    unsigned char small = 250;
    short narrow = 32000;
    if (n > 0) {
#pragma omp parallel for simd reduction(inscan, + : total)
        for (long i = n - 1; i >= 0; i--) {
            total += 1000000007L * a[i];
#pragma omp scan inclusive(total)
            wide[i] = total;
        }
    }
    seen("long, downwards", total);
    if (n > 0) {
#pragma omp parallel for reduction(inscan, + : real)
        for (unsigned i = 0; i < (unsigned)n; i += 3) {
            y[i] = real;
#pragma omp scan exclusive(real)
            real += x[i] * 2;
        }
    }
    seen("double, by three", (long)(4 * real));
#pragma omp parallel for reduction(inscan, - : single)
    for (int i = 0; i < n; i++) {
        single -= (float)(a[i] % 2);
#pragma omp scan inclusive(single)
        y[i] = single;
    }
    seen("float", (long)single);
#pragma omp parallel for reduction(inscan, + : small) reduction(inscan, + : narrow)
    for (int i = 0; i < n; i++) {
        {
            small += (unsigned char)a[i];
            narrow += (short)(a[i] % 2);
        }
#pragma omp scan inclusive(small, narrow)
        {
            b[i] = small;
            c[i] = narrow;
        }
    }
    seen("narrow", small + 1000L * narrow);
}

static void operators(void)
{
    unsigned p = 3, and = ~0u, or = 0, xor = 5;
    int all = 1, any = 0, low = 10000, high = -10000;
#pragma omp parallel for reduction(inscan, * : p)
    for (int i = 0; i < n; i++) {
        p *= 2u * (unsigned)a[i] + 1u;
#pragma omp scan inclusive(p)
        b[i] = (int)p;
    }
    seen("product", p);
#pragma omp parallel for reduction(inscan, & : and) reduction(inscan, | : or) reduction(inscan, ^ : xor)
    for (int i = 0; i < n; i++) {
        {
            and &= ~(1u << (i / 64 % 32));
            or |= 1u << (i / 128 % 32);
            xor ^= (unsigned)a[i];
        }
#pragma omp scan inclusive(and, or, xor)
        {
            b[i] = (int)and;
            c[i] = (int)or;
            wide[i] = xor;
        }
    }
    seen("bits", (long)(and ^ or ^ xor));
#pragma omp parallel for reduction(inscan, && : all) reduction(inscan, || : any)
    for (int i = 0; i < n; i++) {
        {
            b[i] = all;
            c[i] = any;
        }
#pragma omp scan exclusive(all, any)
        {
            all = all && i < n / 2;
            any = any || i > n / 3;
        }
    }
    seen("logical", all * 2 + any);
#pragma omp parallel for reduction(inscan, min : low) reduction(inscan, max : high)
    for (int i = 0; i < n; i++) {
        {
            if (a[i] + 500 - i < low)
                low = a[i] + 500 - i;
            high = high > a[i] + i ? high : a[i] + i;
        }
#pragma omp scan inclusive(low, high)
        {
            b[i] = low;
            c[i] = high;
        }
    }
    seen("extrema", low + 3L * high);
    int best = -3;
#pragma omp parallel for reduction(inscan, most : best)
    for (int i = 0; i < n; i++) {
        b[i] = best;
#pragma omp scan exclusive(best)
        if (a[i] > best)
            best = a[i];
    }
    seen("the program's own", best);
}

/* Not commutative: the order of iterations shows. */
static void in_order(void)
{
    struct map m = {3, 4};
#pragma omp parallel for reduction(inscan, then : m)
    for (int i = 0; i < n; i++) {
        compose(&m, maps[i]);
#pragma omp scan inclusive(m)
        {
            b[i] = (int)m.by;
            c[i] = (int)m.plus;
        }
    }
    seen("maps", (long)(m.by ^ m.plus));
#pragma omp parallel for reduction(inscan, then : m)
    for (int i = 0; i < n; i++) {
        {
            b[i] = (int)m.by;
            c[i] = (int)m.plus;
        }
#pragma omp scan exclusive(m)
        if (i % 5 != 0)
            compose(&m, maps[i]);
    }
    seen("some maps", (long)(m.by ^ m.plus));
}

static int compacted(void)
{
    int kept = 0;
#pragma omp parallel for reduction(inscan, + : kept)
    for (int i = 0; i < n; i++) {
        if (a[i] % 3 == 0)
            b[kept] = i;
#pragma omp scan exclusive(kept)
        kept += a[i] % 3 == 0;
    }
    return kept;
}

static long of(const int *from, int *to, long first)
{
    long s = first;
#pragma omp parallel for reduction(inscan, + : s)
    for (int i = 0; i < n; i++) {
        s += from[i];
#pragma omp scan inclusive(s)
        to[i] = (int)s;
    }
    return s;
}

static void exclusive_of(const int *from, int *to)
{
    int s = 0;
#pragma omp parallel for reduction(inscan, + : s)
    for (int i = 0; i < n; i++) {
        to[i] = s;
#pragma omp scan exclusive(s)
        s += from[i];
    }
}

static void in_place(void)
{
    long r = of(a, b, 5);
    seen("apart", r);
    exclusive_of(a, b);
    seen("exclusive, apart", 0);
    int s = 1;
    for (int i = 0; i < n; i++)
        c[i] = a[i];
#pragma omp parallel for reduction(inscan, + : s)
    for (int i = 0; i < n; i++) {
        c[i] = s;
#pragma omp scan exclusive(s)
        s += c[i];
    }
    seen("exclusive in place, by name", s);
}

/* Loops around and inside, variables of each phase's own, names that mean something else inside. */
static void nests(int rows, int columns)
{
    int s = 2, last = -7, put = -8, offset = 3, i, j, t = 1, tile = 2, row = 3;
#pragma omp parallel for collapse(2) reduction(inscan, + : s) private(j)
    for (i = 0; i < rows; i++)
        for (j = columns - 1; j >= 0; j--) {
            s += a[i * columns + j] + j;
#pragma omp scan inclusive(s)
            b[i * columns + j] = s;
        }
    seen("collapse", s);
#pragma omp parallel for reduction(inscan, + : s) private(j) firstprivate(offset) lastprivate(last, put)
    for (i = 0; i < rows; i++) {
        {
            put = i + offset;
            for (j = 0; j < columns; j++)
                if (a[i * columns + j] > 0)
                    s += a[i * columns + j] * t + tile;
            {
                int s = put, row = 3;
                c[i] = s + row;
            }
        }
#pragma omp scan inclusive(s)
        {
            last = s + row;
            for (j = 0; j < columns; j++)
                b[i * columns + j] = s + j;
            {
                int i = 0, s = last;
                for (; i < 2; i++)
                    s += i;
                last = s;
            }
        }
    }
    seen("inner loops", s + 3L * last + 5L * put);
#pragma omp parallel for reduction(inscan, + : s) lastprivate(i)
    for (i = 1; i <= rows; i += 2) {
        s += 1;
#pragma omp scan inclusive(s)
        c[i - 1] = s;
    }
    seen("last", s + i);
}

int main(int argc, char **argv)
{
    n = argc > 1 ? atoi(argv[1]) : 5000;
    a = calloc((size_t)n + 16, sizeof *a);
    b = calloc((size_t)n + 16, sizeof *b);
    c = calloc((size_t)n + 16, sizeof *c);
    wide = calloc((size_t)n + 16, sizeof *wide);
    x = calloc((size_t)n + 16, sizeof *x);
    y = calloc((size_t)n + 16, sizeof *y);
    maps = calloc((size_t)n + 16, sizeof *maps);
    for (int i = 0; i < n; i++) {
        a[i] = (int)((i * 7L + 3) % 1013) - 500;
        x[i] = (i % 17) * 0.25;
        maps[i].by = 2u * (unsigned)i + 1u;
        maps[i].plus = (unsigned)(a[i] * i);
        b[i] = c[i] = -1;
        wide[i] = 0;
        y[i] = 0;
    }
    sums();
    operators();
    in_order();
    seen("compacted", compacted());
    in_place();
    if (n > 0) {
        nests((n + 15) / 16, n < 16 ? n : 16);
        nests(n, 1);
    }

    /* Shared by the threads of a region; asked; of a few threads. */
    int s = 0, k, down;
#pragma omp parallel num_threads(3)
    {
#pragma omp for reduction(inscan, + : s)
        for (k = 0; k < n; k++) {
            s += a[k];
#pragma omp scan inclusive(s)
            b[k] = s;
        }
#pragma omp single
        seen("a team's", s);
#pragma omp for simd reduction(inscan, + : s)
        for (k = 0; k < n; k++) {
            b[k] = s;
#pragma omp scan exclusive(s)
            s += a[k];
        }
    }
    seen("another one", s);
#pragma omp parallel for reduction(inscan, + : s) if (parallel : n > 100) num_threads(2)
    for (down = 100; down > -100; down -= 7) {
        s += down;
#pragma omp scan inclusive(s)
        if (n > 200)
            b[100 + down] = s;
    }
    seen("by sevens", s);
    printf("%lu\n", checksum);
    free(a);
    free(b);
    free(c);
    free(wide);
    free(x);
    free(y);
    free(maps);
    return 0;
}
