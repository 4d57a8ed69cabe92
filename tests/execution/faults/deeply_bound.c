/* A library that frees and resizes what the program has allocated since it was loaded, and the other way round. The arguments:
   its name, and the number of elements. */
/* expect-gpu: 1 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void grow(double *a, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] += i % 5;
}

static double last(double *a, int n)
{
    memset(a, 0, n * sizeof *a);
    grow(a, n);
    grow(a, n);
    return a[n - 1];
}

int main(int argc, char **argv)
{
    const int n = argc > 2 ? atoi(argv[2]) : 20000;
    double *old = calloc(n, sizeof *old), *a, *b, *c, *d;
    grow(old, n);
    void *const library = dlopen(argv[1], RTLD_NOW | RTLD_DEEPBIND);
    void (*const give_back)(void *) = (void (*)(void *))dlsym(library, "give_back");
    void *(*const larger)(void *, size_t) = (void *(*)(void *, size_t))dlsym(library, "larger");
    void *(*const make)(size_t) = (void *(*)(size_t))dlsym(library, "make");
    for (int round = 0; round < 5; round++) {
        a = malloc(n * sizeof *a);
        b = calloc(n, sizeof *b);
        c = make(n * sizeof *c);
        if (posix_memalign((void **)&d, 256, n * sizeof *d) != 0)
            return 3;
        printf("%g %g %g %g\n", last(a, n), last(b, n), last(c, n), last(d, n));
        a = larger(a, 3 * n * sizeof *a);
        b = realloc(b, 2 * n * sizeof *b);
        c = realloc(c, 2 * n * sizeof *c);
        printf("%g %g %g\n", last(a, 3 * n), last(b, 2 * n), last(c, 2 * n));
        give_back(a);
        give_back(b);
        free(c);
        give_back(d);
    }
    old = realloc(old, 3 * n * sizeof *old);
    printf("%g\n", old[n - 1]);
    give_back(old);
    puts("end");
    return 0;
}
