/* Structs with arrays, unions, bit-fields, nested and anonymous members, struct assignment, arrays of structs. */
/* args: 90 */
/* args: 1 */
/* expect-gpu: 10 */
/* expect-host: OMPC331 OMPC331 OMPC331 */
#include <stdio.h>
#include <stdlib.h>

struct Flags { unsigned low : 3, mid : 7; int sign : 5; unsigned char : 0; unsigned wide : 30; };
union Word { unsigned whole; unsigned char bytes[4]; float real; };
typedef struct Cell {
    char name;
    double values[3][2];
    struct { short a, b; } inner;
    union { int i; unsigned u; };
    struct { int p; struct { long q; }; };
    struct Flags flags;
    struct Cell *next;
} Cell;

static Cell cells[100];
static union Word words[100];
static struct Flags flags[100];
struct Pair { int first, second; } pairs[10][10];

struct Grid {
    int count, touched;
    double scale, f[100], most;
    struct { short g[100][2]; float h; } part[2];
    union { int bits[100]; float reals[100]; };
    unsigned low : 4, high : 4;
};
static struct Grid grid = {.scale = 1.5};

static double at(int i) { return grid.f[i] * grid.scale + grid.part[1].h; }

/* a struct variable with arrays: its elements are the iterations', its other members are not */
static void members(int n)
{
    struct Grid own = {.scale = 2, .f = {1, 2, 3}};
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        grid.f[i] = grid.f[i] + grid.scale * i;
        grid.part[i % 2].g[i][1] += (short)(grid.f[i] + grid.high);
        grid.touched = 1;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 2; k++) {
            grid.part[0].g[i][k] -= k + grid.part[1].g[i][1];
            own.f[i] += own.scale + at(i);
        }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        own.bits[i] = own.bits[i] * 2 + i;
        if (own.f[i] > 3) {
            #pragma omp atomic
            own.count += 2;
        }
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        own.f[i] += own.part[1].h + own.bits[i];
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        if (i == n / 2)
            grid.most = grid.most + own.f[i];
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        grid.f[i] += 1;
        if (i == n / 2)
            own = grid;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        if (i == n / 2)
            grid.low = grid.high + 1;
    printf("%d %d %g %d %d", own.count >= 0, grid.touched, grid.most, grid.low, grid.high);
    for (int i = 0; i < n; i++)
        printf(" %g %d %d", grid.f[i], grid.part[0].g[i][1], grid.part[1].g[i][0]);
    printf("\n");
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    members(n);
    Cell one = {.name = 'x', .values = {{1, 2}, {3, 4}}, .inner = {5, 6}, .p = 7};
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        flags[i].low = i;
        flags[i].mid = i * 3;
        flags[i].sign = i % 16 - 8;
        flags[i].wide = 1u << 29 | i;
        flags[i].low += 3;
        flags[i].sign--;
        flags[i].mid ^= flags[i].low;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        words[i].whole = 0x01020304u * (unsigned)i;
        words[i].bytes[1] = 7;
        union Word w;
        w.real = i * 0.5f;
        words[i].bytes[3] ^= w.bytes[3];
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        cells[i].name = 'a' + i % 26;
        cells[i].values[i % 3][1] = i;
        cells[i].inner.a = i;
        cells[i].inner.b -= i;
        cells[i].i = -i;
        cells[i].u >>= 1;
        cells[i].p = cells[i].u;
        cells[i].q = 1L << (i % 60);
        cells[i].flags = flags[i];
        cells[i].flags.low = 1;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        Cell local = one, *p = &local;
        p->values[2][0] = local.values[1][1] + i;
        if (i % 2)
            for (int k = 0; k < 3; k++)
                cells[i].values[k][0] += p->values[k][i % 2];
        struct Pair pair = {i, .second = 2 * i}, other = {3};
        pairs[i / 10][i % 10] = i % 3 ? pair : other;
        pairs[i / 10][i % 10].first++;
    }
    Cell *heap = malloc(n * sizeof *heap);
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        heap[i].values[0][0] = one.values[0][1] + cells[i].values[0][0];
    long sum = 0;
    #pragma omp parallel for reduction(+:sum)
    for (int i = 0; i < n; i++)
        sum += cells[i].inner.a * 3 + pairs[i / 10][i % 10].second + flags[i].sign + words[i].bytes[0];
    for (int i = 0; i < n; i++)
        printf("%u %u %d %u %x %c %g %d %d %d %u %d %ld %u %g %d %d\n", flags[i].low, flags[i].mid, flags[i].sign, flags[i].wide,
               words[i].whole, cells[i].name, cells[i].values[1][0], cells[i].inner.a, cells[i].inner.b, cells[i].i, cells[i].u,
               cells[i].p, cells[i].q, cells[i].flags.mid, heap[i].values[0][0], pairs[i / 10][i % 10].first,
               pairs[i / 10][i % 10].second);
    printf("%ld\n", sum);
    return 0;
}
