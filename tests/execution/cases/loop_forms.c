/* Up and down, every relation, constant and variable steps, unusual orders, empty loops, bounds from memory. */
/* args: 0 40 3 */
/* args: 5 6 1 */
/* args: 9 2 4 */
/* args: -7 33 7 */
/* expect-gpu: 19 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 128, OFFSET = 64 };
static int hits[SIZE];
struct Range { int from, to; struct { short step; } inner; };
static int ends[3][2] = {{1, 9}, {2, 30}, {3, 4}};

static void show(const char *name)
{
    unsigned sum = 0;
    for (int i = 0; i < SIZE; i++)
        sum = sum * 31 + (unsigned)hits[i];
    printf("%s %u\n", name, sum);
    memset(hits, 0, sizeof hits);
}

int main(int argc, char **argv)
{
    int lo = atoi(argv[1]), hi = atoi(argv[2]), step = atoi(argv[3]), i;
    struct Range r = {lo, hi, {2}}, *pr = &r;

    #pragma omp parallel for
    for (i = lo; i < hi; i++) hits[OFFSET + i]++;
    show("lt");
    #pragma omp parallel for
    for (i = lo; i <= hi; i++) hits[OFFSET + i]++;
    show("le");
    #pragma omp parallel for
    for (i = hi; i > lo; i--) hits[OFFSET + i]++;
    show("gt");
    #pragma omp parallel for
    for (i = hi; i >= lo; --i) hits[OFFSET + i]++;
    show("ge");
    #pragma omp parallel for
    for (i = lo; i != lo + 10; ++i) hits[OFFSET + i]++;
    show("ne");
    #pragma omp parallel for
    for (i = lo; hi > i; i += 1) hits[OFFSET + i]++;
    show("reversed lt");
    #pragma omp parallel for
    for (i = lo; hi >= i; i = i + 2) hits[OFFSET + i]++;
    show("reversed le");
    #pragma omp parallel for
    for (i = hi; lo < i; i = i - 3) hits[OFFSET + i]++;
    show("reversed gt");
    #pragma omp parallel for
    for (i = lo; i < hi; i = 5 + i) hits[OFFSET + i]++;
    show("step first");
    #pragma omp parallel for
    for (i = lo; i < hi; i += step) hits[OFFSET + i]++;
    show("variable step");
    #pragma omp parallel for
    for (i = hi; i > lo; i -= step + 1) hits[OFFSET + i]++;
    show("variable step down");
    #pragma omp parallel for
    for (i = lo; i < hi; i += -(-2)) hits[OFFSET + i]++;
    show("constant expression step");
    #pragma omp parallel for
    for (i = hi; i > lo; i += -1) hits[OFFSET + i]++;
    show("negative step");
    #pragma omp parallel for
    for (int k = ends[1][0]; k < ends[1][1]; k += ends[0][0]) hits[OFFSET + k]++;
    show("bounds in an array");
    #pragma omp parallel for
    for (int k = r.from; k < r.to; k += r.inner.step) hits[OFFSET + k]++;
    show("bounds in a struct");
    #pragma omp parallel for
    for (int k = pr->from; k <= pr->to - 1; k += pr->inner.step) hits[OFFSET + k]++;
    show("bounds behind a pointer");
    #pragma omp parallel for
    for (int k = lo * 2 - lo; k < (hi > 20 ? 20 : hi); k++) hits[OFFSET + k]++;
    show("bounds in expressions");
    #pragma omp parallel for
    for (int k = 0; k < 1; k++) hits[OFFSET + k] = k + hi;
    show("one iteration");
    {
        int k = 5;
        #pragma omp parallel for
        for (k = 0; k < 8; k++)
            hits[k] = k;
        show("shadowing nothing");
    }
    return 0;
}
