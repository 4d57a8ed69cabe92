/* A random walk: launches, host code, library calls and reallocations on parts of five arrays, in any order. */
/* args: 1 */
/* args: 2 */
/* plain: 3 */
/* plain: 4 */
/* plain: 5 */
/* expect-gpu: 4 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long long state;
static double fixed[50000];
static double *array[5];
static int size[5] = {60000, 20011, 9000, 3000, 50000};

static int any(int n)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (int)((state >> 33) % n);
}
static void grow(double *to, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        to[i] += i % 7 + 1;
}
static void set(double *to, int n, double v)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        to[i] = v + i;
}
static void copy(double *restrict to, const double *restrict from, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        to[i] = from[i] + 1;
}
static void even(double *to, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i += 2)
        to[i] -= 3;
}

static void resize(int which)
{
    int n = any(70000) + 1;
    array[which] = realloc(array[which], n * sizeof(double));
    for (int i = size[which]; i < n; i++)
        array[which][i] = 0;
    size[which] = n;
}
static void replace(int which)
{
    free(array[which]);
    array[which] = malloc(size[which] * sizeof(double));
    for (int i = 0; i < size[which]; i++)
        array[which][i] = i % 7;
}
static double through_a_file(double *to, const double *from, int n)
{
    FILE *file = tmpfile();
    double read = fwrite(from, sizeof *from, n, file);
    rewind(file);
    read += fread(to, sizeof *to, n, file);
    fclose(file);
    return read;
}

static double step(int k)
{
    int p = any(5), q = any(5), at = any(size[p]), there = any(size[q]);
    int n = any(3) ? any(size[p] - at) : any(200) % (size[p] - at), both = n < size[q] - there ? n : size[q] - there;
    double *x = array[p] + at, *y = array[q] + there, s = 0;
    switch (any(13)) {
    case 0: grow(x, n); break;
    case 1: set(x, n, k); break;
    case 2: if (p != q) copy(y, x, both); break;
    case 3: even(x, n); break;
    case 4: return x[0];
    case 5: x[0] = k; break;
    case 6: for (int i = 0; i < n; i++) s += x[i] * (i % 3); return s;
    case 7: for (int i = n - 1; i >= 0; i--) x[i] = i; break;
    case 8: memmove(y, x, both * sizeof *x); break;
    case 9: if (p < 4 && any(4) == 0) resize(p); break;
    case 10: if (p < 4 && any(4) == 0) replace(p); break;
    case 11: grow(array[p], size[p]); break;
    case 12: return through_a_file(y, x, both);
    }
    return 0;
}

int main(int argc, char **argv)
{
    double seen = 0;
    state = 12345 + 7919ull * (argc > 1 ? atoi(argv[1]) : 0);
    for (int i = 0; i < 4; i++)
        array[i] = calloc(size[i], sizeof(double));
    array[4] = fixed;
    for (int k = 0; k < 500; k++) {
        seen += step(k);
        if (seen > 1e15)
            seen = 0;
    }
    for (int p = 0; p < 5; p++) {
        double s = 0;
        for (int i = 0; i < size[p]; i++)
            s += array[p][i] * (i % 11);
        printf("%.15g ", s);
    }
    printf("%.15g\n", seen);
    for (int p = 0; p < 4; p++)
        free(array[p]);
    return 0;
}
