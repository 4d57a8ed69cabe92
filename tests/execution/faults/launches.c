/* Many launches: none leaves anything behind. */
/* expect-gpu: 4 */
#include <stdio.h>
#include <stdlib.h>

enum { N = 64, WHOLE = 20000 }; /* blocks of 160 KB, of which the loops use the beginning */
static double small[N], b[WHOLE], table[8] = {1, 2, 3, 4, 5, 6, 7, 8};

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
    double *a = calloc(WHOLE, sizeof *a), *c = calloc(WHOLE, sizeof *c), total = 0;
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
        if (k % 10 == 0) {
            #pragma omp parallel for
            for (int i = 0; i < N; i++)
                small[i] += b[i];
        }
        if (k % 1000 == 0)
            b[k % N] = k % 5 + small[5] / 1e6, b[0] += 0;
        total += s;
        if (k == launches / 6)
            before = resident_pages();
    }
    printf("%.3f %.3f %.3f\n", total, c[5], small[0]);
    if (resident_pages() > before + 128)
        printf("%ld pages more\n", resident_pages() - before);
    return 0;
}
