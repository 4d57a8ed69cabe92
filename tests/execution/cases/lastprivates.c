/* lastprivate of arrays, structs, several loop variables, firstprivate ones; conditional: the last iteration that assigns. */
/* args: 1000 */
/* args: 24 */
/* expect-gpu: 5 */
/* expect-host: OMPC336 OMPC336 OMPC336 */
#include <stdio.h>
#include <stdlib.h>

struct s { int a; double b[2]; };

static void set(int *to, int value)
{
    *to = value;
}

int main(int argc, char **argv)
{
    double row[4], all[1000];
    int grid[2][3], f = 7, a[1000], n = argc > 1 ? atoi(argv[1]) : 10;
    struct s v;
    char c;
    for (int i = 0; i < 1000; i++)
        a[i] = (i * 37) % 101;
    #pragma omp parallel for lastprivate(row, grid, v, c) firstprivate(f) lastprivate(f)
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 4; k++)
            row[k] = i * k;
        for (int k = 0; k < 6; k++)
            grid[k / 3][k % 3] = i + k;
        v.a = i;
        v.b[0] = i;
        v.b[1] = row[2];
        c = (char)i;
        f = 7;
        all[i] = row[3] + grid[1][2] + f;
        if (i == n - 1)
            f = i;
        if (i % 2)
            continue;
        all[i] += 1;
    }
    printf("%g %g %d %d %d %g %d %d %g\n", row[1], row[3], grid[0][0], grid[1][2], v.a, v.b[1], c, f, all[21]);

    int i, j;
    #pragma omp parallel for collapse(2) lastprivate(i, j)
    for (i = 0; i < 10; i += 3)
        for (j = 20; j > 3; j -= 4)
            all[i * 20 + j] = i + j;
    printf("%d %d %g\n", i, j, all[29]);

    int x = -1;
    double y = 5;
    short z = 3;
    long last = 7;
    #pragma omp parallel for lastprivate(conditional : x, y, z)
    for (int i = 0; i < n; i++) {
        if (a[i] == 50) {
            x = i;
            y = a[i];
            y += 0.5;
        }
        if (a[i] == 1000)
            z = 1;
        if (a[i] < 10)
            continue;
        if (a[i] > 90) {
            z = (short)i;
            z++;
        }
    }
    printf("%d %g %d\n", x, y, z);
    #pragma omp parallel for collapse(2) lastprivate(conditional : last)
    for (int i = 0; i < n / 32; i++)
        for (int j = 30; j > 0; j--)
            if (a[i * 30 + j] % 7 == 3)
                last = i * 1000 + j;
    printf("%ld\n", last);
    int none = 4;
    #pragma omp parallel for lastprivate(conditional : none)
    for (int i = 0; i < n; i++)
        if (a[i] < 0)
            none = i;
    printf("%d\n", none);

    /* on the host: assigned through a pointer; a copy that goes in and out; a pointer */
    #pragma omp parallel for lastprivate(conditional : x)
    for (int i = 0; i < n; i++)
        if (a[i] == 51)
            set(&x, i);
    double *p = all;
    #pragma omp parallel for firstprivate(row) lastprivate(row)
    for (int i = 0; i < n; i++)
        row[i % 4] = i;
    #pragma omp parallel for lastprivate(p)
    for (int i = 0; i < n; i++) {
        p = &all[i];
        *p = i;
    }
    printf("%g\n", *p);
    return 0;
}
