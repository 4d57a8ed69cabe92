/* Memory that others may share, reached through subscripts that nobody knows: the host runs the loop. */
/* expect-gpu: 2 */
/* refuses: OMPC452 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

static int where[100];
static void scatter(double *to, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        to[where[i]] = i;
}
static void in_order(double *to, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        to[i] += 1;
}
int main(void)
{
    double *mapped = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    double *heap = malloc(100 * sizeof(double)), sum = 0;
    for (int i = 0; i < 100; i++)
        where[i] = i * 7 % 100;
    scatter(mapped, 100);
    scatter(heap, 100);
    in_order(mapped, 100);
    for (int i = 0; i < 100; i++)
        sum += i * (mapped[i] + 2 * heap[i]);
    printf("%g\n", sum);
    return 0;
}
