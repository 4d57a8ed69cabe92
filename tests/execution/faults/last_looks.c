/* Who looks at an array when the program ends: nobody; a handler that it registered first; one that it registered last. */
/* expect-gpu: 1 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 40000 };
static double *array;

static void look(void)
{
    printf("%g\n", array[N - 1]);
}

int main(int argc, char **argv)
{
    const char *const who = argc > 1 ? argv[1] : "nobody";
    char where[40];
    if (strcmp(who, "first") == 0)
        atexit(look);
    array = malloc(N * sizeof *array);
    sprintf(where, "%p", (void *)array);
    setenv("ARRAY", where, 1); /* for a library that looks */
    #pragma omp parallel for
    for (int i = 0; i < N; i++)
        array[i] = 2.0 * i;
    if (strcmp(who, "last") == 0)
        atexit(look);
    printf("%s\n", who);
    return 0;
}
