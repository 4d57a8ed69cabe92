/* Integers to which loops add at places that data chooses, which a block collects in shared memory by their addresses: of
   every type, in rows of a table, rows of threads and members of structs, through pointers; counters of which two have one
   place in the block's table, and many more than it has places; little to do; and loops that see such an integer meanwhile,
   or have elements of their own. */
/* args: 3000 41 7 */
/* args: 9000 40 977 */
/* args: 700 9000 4096 */
/* nightly: 9000 1024 977 */
/* nightly: 20000 60000 1 */
/* args: 5 3 1 */
/* args: 0 3 1 */
/* expect-gpu: 22 */
/* expect-added: 1 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 64, ROWS = 5 };
static int n, bins, apart;
static int *key;
static unsigned long long held;
static int twice[300], large[100000];
struct cell {
    double weight;
    int many;
    unsigned short few;
};

static void show(const char *what, int size, const void *from, int count)
{
    unsigned long long sum = 0;
    for (int k = 0; k < count; k++) {
        long long value = size == 1   ? ((const signed char *)from)[k]
                          : size == 2 ? ((const short *)from)[k]
                          : size == 4 ? ((const int *)from)[k]
                                      : ((const long long *)from)[k];
        sum = (sum ^ (unsigned long long)value) * 1099511628211ull + 7;
    }
    printf("%s %llx\n", what, sum);
}

/* Tables of rows, which the launch finds by pointers in memory. */
static void types(int **a, unsigned **b, long **c, unsigned long long **d, short **e, unsigned char **f)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp atomic
        a[key[i] % ROWS][key[i] * apart % bins]++;
    }
#pragma omp parallel for
    for (int i = n - 1; i >= 0; i -= 2) {
#pragma omp atomic
        b[i % ROWS][key[i] % bins] -= key[i];
    }
#pragma omp parallel for
    for (long i = 0; i < n; i++) {
        const int k = key[i] % bins;
#pragma omp atomic
        c[i * ROWS / n][k] += k * 10000000000L - 3;
    }
#pragma omp parallel for
    for (int i = 0; i < n; i += 3)
        if (key[i] % 7 != 1) {
#pragma omp atomic
            d[key[i] % 2][key[i] % bins] += ~0ull - key[i];
        }
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp atomic
        e[1][key[i] % bins] += key[i] * 77;
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        if (key[i] % 3 == 0)
            continue;
#pragma omp atomic
        f[key[i] % ROWS][key[i] % bins]--;
    }
    for (int r = 0; r < ROWS; r++) {
        show("int", sizeof **a, a[r], bins);
        show("unsigned", sizeof **b, b[r], bins);
        show("long", sizeof **c, c[r], bins);
        show("unsigned long long", sizeof **d, d[r], bins);
        show("short", sizeof **e, e[r], bins);
        show("unsigned char", sizeof **f, f[r], bins);
    }
}

/* Rows of the threads of a team. */
static void rows_of_threads(int **rows, int *all)
{
#pragma omp parallel
    {
        int *own = rows[omp_get_thread_num() % THREADS];
#pragma omp for schedule(static)
        for (int i = 0; i < n; i++)
            own[key[i] % bins]++;
    }
    for (int r = 0; r < THREADS; r++)
        for (int k = 0; k < bins; k++)
            all[k] += rows[r][k];
    show("threads", sizeof *all, all, bins);
}

/* Several arrays and types at once, members, and what else a kernel may do beside that. */
static void others(int **a, long **c, struct cell **cells, struct cell *cell)
{
    int last = -1;
    long most = -1;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp atomic
        a[0][key[i] % bins] += 2;
#pragma omp atomic
        a[1][(key[i] + i) % bins]--;
#pragma omp atomic
        c[2][key[i] % bins] += i;
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp atomic
        cells[key[i] % ROWS][key[i] % bins].many += i;
    }
#pragma omp parallel for reduction(max : most) lastprivate(last)
    for (int i = 0; i < n; i++) {
        last = key[i];
        most = most < last ? last : most;
#pragma omp atomic
        cell[last % bins].few += 3;
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int *const half = i % 3 ? twice : twice + 150;
#pragma omp atomic
        half[key[i] % 150] += i % 5;
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp atomic
        large[(long)key[i] * apart % 100000] += i;
    }
    last = n == 0 ? 0 : last;
    for (int r = 0; r < ROWS; r++) {
        show("several", sizeof **a, a[r], bins);
        show("with long", sizeof **c, c[r], bins);
        for (int k = 0; k < bins; k++)
            held = held * 3 + cells[r][k].many + cell[k].few;
    }
    printf("members %llu %d %ld\n", held, last, most);
    show("pointers", sizeof *twice, twice, 300);
    show("large", sizeof *large, large, 100000);
}

static void count_in(int *of)
{
#pragma omp atomic
    ++*of;
}

/* What is seen meanwhile, and what is no addition, or an iteration's own. */
static void seen(int **a, int *order, int *flags)
{
    int before;
    long sum = 0;
#pragma omp parallel for private(before) reduction(+ : sum)
    for (int i = 0; i < n; i++) {
#pragma omp atomic capture
        before = a[0][key[i] % bins]++;
        sum += before;
    }
    printf("captured %ld\n", sum);
    sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++) {
        int now;
#pragma omp atomic
        a[1][i]++;
#pragma omp atomic read
        now = a[1][i];
        sum += now;
    }
    printf("read %ld\n", sum);
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp atomic
        a[2][i] += key[i];
        order[i] = key[i];
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp atomic
        a[3][key[i] % bins] |= key[i];
#pragma omp atomic
        flags[key[i] % 3 * 9000]++;
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        count_in(&a[4][key[i] % bins]);
    for (int r = 0; r < ROWS; r++)
        show("seen", sizeof **a, a[r], bins);
    show("flags", sizeof *flags, flags, 27000);
}

/* Loops that a block shares. */
static void entries(const int *begin)
{
    static int count[ROWS][9000], sum_of[ROWS][9000];
    static unsigned bits[ROWS][300];
    static long place[ROWS][9000];
    const int many = bins > 9000 ? 9000 : bins;
#pragma omp parallel for
    for (int r = 0; r < ROWS; r++) {
        for (int k = 0; k < many; k++)
            count[r][k] = r;
        for (int k = begin[r]; k < begin[r + 1]; k++)
            count[r][key[k] % many]++;
        count[r][0] += begin[r];
        for (int k = 1; k < many; k++)
            count[r][k] += count[r][k - 1];
        sum_of[r][0] += count[r][many / 2];
    }
#pragma omp parallel for
    for (int r = 0; r < ROWS; r++) {
        for (int k = begin[r]; k < begin[r + 1]; k++) {
            if (key[k] % 5 == 2)
                continue;
            count[r][(key[k] + k) % many] -= key[k];
            bits[r][key[k] % 300] += 5u - key[k];
            place[r][key[k] % 9000] += 10000000000L;
        }
        sum_of[r][1] += count[r][many / 2];
    }
#pragma omp parallel for
    for (int r = 0; r < ROWS; r++)
        for (int k = begin[r]; k < begin[r + 1]; k++)
            for (int turn = 0; turn < 3; turn++)
                place[r][key[k] * (turn + 1) % many] += turn + 1;
#pragma omp parallel for
    for (int r = 0; r < ROWS; r++)
        for (int k = begin[r]; k < begin[r + 1]; k++) {
            count[r][key[k] % many] += 3;
            sum_of[r][k % many] = count[r][0];
        }
#pragma omp parallel for
    for (int r = 0; r < ROWS; r++)
        for (int turn = 0; turn < 3; turn++) {
            for (int k = begin[r]; k < begin[r + 1]; k++)
                count[r][key[k] % many] += turn;
            for (int k = 0; k < many; k++)
                sum_of[r][k] += count[r][many - 1 - k] * turn;
        }
    show("entries", sizeof **count, count[0], ROWS * 9000);
    show("sums", sizeof **sum_of, sum_of[0], ROWS * 9000);
    show("unsigned entries", sizeof **bits, bits[0], ROWS * 300);
    show("long entries", sizeof **place, place[0], ROWS * 9000);
}

#define TABLE(type, name, rows)                                                        \
    type **name = malloc((rows) * sizeof *name);                                       \
    for (int r = 0; r < (rows); r++)                                                   \
        name[r] = calloc((bins > n ? bins : n) + r % 3 * 5 + 1, sizeof **name);

int main(int argc, char **argv)
{
    n = argc > 1 ? atoi(argv[1]) : 1000;
    bins = argc > 2 ? atoi(argv[2]) : 30;
    apart = argc > 3 ? atoi(argv[3]) : 1;
    key = malloc((n + 1) * sizeof *key);
    for (int i = 0; i <= n; i++)
        key[i] = (int)((i * 2654435761u ^ i / 3) % 65537u % (i % 4 ? 65537u : 5u));
    TABLE(int, a, ROWS)
    TABLE(int, a2, ROWS)
    TABLE(int, own, THREADS)
    TABLE(unsigned, b, ROWS)
    TABLE(long, c, ROWS)
    TABLE(unsigned long long, d, ROWS)
    TABLE(short, e, ROWS)
    TABLE(unsigned char, f, ROWS)
    TABLE(struct cell, cells, ROWS)
    types(a, b, c, d, e, f);
    rows_of_threads(own, calloc(bins, sizeof(int)));
    others(a, c, cells, calloc(bins, sizeof(struct cell)));
    seen(a2, calloc(n + 1, sizeof(int)), calloc(27000, sizeof(int)));
    int begin[ROWS + 1];
    for (int r = 0; r <= ROWS; r++)
        begin[r] = r == ROWS ? n : (int)((long)n * r * r / (ROWS * ROWS));
    entries(begin);
    return 0;
}
