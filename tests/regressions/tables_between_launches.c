/* on device: 3
   What launches remember of tables: one that a table led to is freed, unmapped or replaced before the next launch, and must not be
   read; and a kernel writes to the block of a table, which then leads elsewhere. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

static void add(double ***u, int l, int n, int m)
{
#pragma omp parallel for
    for (int k = 0; k < l; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                u[k][i][j] += i + j + k;
}

static void unmapped(int n, int m)
{
    double **u[2], *rows = calloc(2 * n * m, sizeof(double));
    double **mapped = mmap(NULL, 2 * n * sizeof *mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int i = 0; i < 2 * n; i++)
        mapped[i] = rows + i * m;
    u[0] = mapped;
    u[1] = mapped + n;
    add(u, 2, n, m);
    add(u, 2, n, m);
    for (int k = 0; k < 2; k++) {
        u[k] = malloc(n * sizeof(double *));
        for (int i = 0; i < n; i++)
            u[k][i] = mapped[k * n + i];
    }
    munmap(mapped, 2 * n * sizeof *mapped);
    add(u, 2, n, m);
    printf("%g\n", rows[7]);
    free(u[0]), free(u[1]), free(rows);
}

static double **table(double *rows, int n, int m, int more)
{
    double **made = malloc((n + more) * sizeof *made);
    for (int i = 0; i < n; i++)
        made[i] = rows + i * m;
    return made;
}

static void replaced(int l, int n, int m)
{
    double ***u = malloc(l * sizeof *u), *rows = calloc(l * n * m, sizeof(double));
    for (int k = 0; k < l; k++)
        u[k] = table(rows + k * n * m, n, m, 0);
    for (int step = 0; step < 3; step++) {
        add(u, l, n, m);
        add(u, l, n, m);
        for (int k = 0; k < l; k++) {
            free(u[k]);
            u[k] = table(rows + k * n * m, n, m, 999 * (step & 1));
        }
    }
    add(u, l - 1, n, m);
    printf("%g %g\n", rows[7], rows[(l - 1) * n * m + 7]);
    for (int k = 0; k < l; k++)
        free(u[k]);
    free(u), free(rows);
}

static void freed(int n, int m)
{
    double **u[2], *rows = calloc(2 * n * m, sizeof(double)), **t = table(rows, 2 * n, m, 0);
    u[0] = t, u[1] = t + n;
    add(u, 2, n, m);
    add(u, 2, n, m);
    double **other = table(rows, 2 * n, m, 2 * n);
    free(t);
    u[0] = other, u[1] = other + n;
    add(u, 2, n, m);
    other = realloc(other, 100 * n * sizeof *other);
    u[0] = other, u[1] = other + n;
    add(u, 2, n, m);
    printf("%g\n", rows[7]);
    free(rows), free(other);
}

static void add_to_rows(double **a, int n, int m, double c)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] += c + i;
}

static void turn_round(unsigned char *to, const unsigned char *from, int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 8; k++)
            to[i * 8 + k] = from[(n - 1 - i) * 8 + k];
}

static void written_by_a_kernel(int n, int m)
{
    double **a = malloc(n * sizeof *a + n * m * sizeof(double)), *d = (double *)(a + n), **save = malloc(n * sizeof *save);
    for (int i = 0; i < n; i++)
        save[i] = a[i] = d + i * m;
    for (int i = 0; i < n * m; i++)
        d[i] = 0;
    add_to_rows(a, n, m, 1);
    turn_round((unsigned char *)a, (unsigned char *)save, n);
    add_to_rows(a, n, m, 2);
    printf("%g %g %d\n", d[0], d[(n - 1) * m], a[0] == save[n - 1]);
    free(a), free(save);
}

int main(void)
{
    unmapped(100, 100);
    replaced(300, 200, 4);
    freed(20000, 4);
    freed(300000, 4);
    freed(5000, 4);
    written_by_a_kernel(10, 50);
    written_by_a_kernel(100, 50);
    written_by_a_kernel(1000, 50);
    return 0;
}
