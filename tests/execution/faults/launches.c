/* Many launches: none leaves anything behind. */
/* expect-gpu: 3 */
#include <stdio.h>
#include <stdlib.h>

enum { N = 64 };
static double a[N], b[N], table[8] = {1, 2, 3, 4, 5, 6, 7, 8};

static long resident_pages(void)
{
    long size = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file != NULL) {
        if (fscanf(file, "%ld %ld", &size, &resident) != 2)
            resident = 0;
        fclose(file);
    }
    return resident;
}

int main(int argc, char **argv)
{
    const int launches = argc > 1 ? atoi(argv[1]) : 3000;
    double *c = calloc(N, sizeof *c), total = 0;
    long before = 0;
    for (int k = 0; k < launches / 3; k++) {
        double s = 0;
        #pragma omp parallel for
        for (int i = 0; i < N; i++)
            a[i] = b[i] + table[i % 8];
        #pragma omp parallel for reduction(+: s)
        for (int i = 0; i < N; i++)
            s += a[i];
        #pragma omp parallel for
        for (int i = 0; i < N; i++)
            c[i] += a[i];
        if (k % 1000 == 0)
            b[k % N] = k % 5;
        total += s;
        if (k == launches / 6)
            before = resident_pages();
    }
    printf("%.0f %.0f\n", total, c[5]);
    if (resident_pages() > before + 128)
        printf("%ld pages more\n", resident_pages() - before);
    return 0;
}
