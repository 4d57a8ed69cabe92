/* Bounds in memory that is not known to stay as it is: the loop writes it, under its own name, through a pointer, as
   characters, by a union or by another member's place. Each of these is right only where the bound is read anew, or
   compared at the launch. */
/* expect-gpu: 9 */
/* expect-added: 2 */
/* refuses: OMPC453 */
#include <stdio.h>
#include <stdlib.h>

struct box { int n, last; double values[8]; };
union number { int n; float f; };

static int counts[40], limit = 3;
static union number numbers[40];

int main(int argc, char **argv)
{
    (void)argv;
    struct box box = {4, 0, {0}};
    struct box *boxes = calloc(5, sizeof *boxes);
    int *block = calloc(64, sizeof *block), found = 0;
    unsigned char *bytes = malloc(256);
    double total = 0;

    /* its own iteration writes the element that bounds it */
    for (int i = 0; i < 40; i++) counts[i] = i % 5;
    #pragma omp parallel for
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < counts[i]; j++)
            counts[i] = counts[i] - 1 + (j > 100);
    for (int i = 0; i < 40; i++) found = found * 3 % 1009 + counts[i];
    printf("%d\n", found);

    /* a union's other member */
    for (int i = 0; i < 40; i++) numbers[i].n = 3;
    #pragma omp parallel for
    for (int i = 1; i < 40; i++)
        for (int j = 0; j < numbers[0].n; j++)
            numbers[i].f = (float)j;
    for (int i = 1; i < 40; i++) total += numbers[i].f;
    printf("%g\n", total);

    /* another member of the same struct, and of another element */
    #pragma omp parallel for
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < box.n; j++)
            box.values[i] += j;
    for (int i = 0; i < 8; i++) total += box.values[i] * i;
    for (int i = 0; i < 5; i++) boxes[i].n = 3;
    #pragma omp parallel for
    for (int i = 1; i < 5; i++)
        for (int j = 0; j < boxes[0].n; j++)
            boxes[i].last += i * j;
    for (int i = 1; i < 5; i++) total += boxes[i].last * i;
    printf("%g\n", total);

    /* the same member of another element: read anew */
    #pragma omp parallel for
    for (int i = 1; i < 5; i++)
        for (int j = 0; j < boxes[0].n; j++)
            boxes[i].n += 1;
    for (int i = 0; i < 5; i++) total += boxes[i].n;
    printf("%g\n", total);

    /* one block, and it is not known where in it the loop writes */
    block[0] = 5;
    {
        int *n = block, *rest = block + 1;
        #pragma omp parallel for
        for (int i = 0; i < 8; i++)
            for (int j = 0; j < *n; j++)
                rest[8 + (i * 5 + j) % 40] = i - j;
    }
    for (int i = 0; i < 64; i++) found = (found * 5 + block[i] + 64) % 10007;
    printf("%d\n", found);

    /* characters may be any object's */
    {
        int *n = (int *)bytes;
        unsigned char *rest = bytes + 16;
        *n = 5;
        #pragma omp parallel for
        for (int i = 0; i < 40; i++)
            for (int j = 0; j < *n; j++)
                rest[i * 5 + j] = (unsigned char)(i + j);
        for (int i = 0; i < 200; i++) found = (found * 3 + rest[i]) % 10007;
    }
    printf("%d\n", found);

    /* a variable, by its address: its own iteration stores to it, the only one that reads it */
    for (int k = 0; k < 2; k++) {
        int *to = k == 0 ? block : &limit;
        #pragma omp parallel for
        for (int i = 0; i < 8; i++)
            if (i == 2) {
                to[0] = 6;
                for (int j = 0; j < limit; j++)
                    box.values[j] += 1 + j;
            }
        found = (found * 7 + block[0] + limit + (int)box.values[4]) % 10007;
    }
    printf("%d\n", found);
    {
        int last = 3, *to = argc > 3 ? block : &last;
        #pragma omp parallel for firstprivate(last)
        for (int i = 0; i < 8; i++)
            if (i == 2) {
                to[0] = 6;
                for (int j = 0; j < last; j++)
                    box.values[j] += 1 + j;
            }
        printf("%d %g %g\n", last, box.values[2], box.values[4]);
    }
    free(boxes), free(block), free(bytes);
    return 0;
}
