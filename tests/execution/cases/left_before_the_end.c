/* An iteration ends the program before it comes to elements that do not exist: no access behind is certain. */
/* expect-gpu: 3 */
/* args: 1 */
/* args: 2 */
/* args: 3 */
/* args: 4 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#define HAVE 1000

static double store[HAVE];
static double *volatile where = store;

static void stop_at(int k)
{
    if (k >= HAVE) {
        printf("%d at most\n", HAVE);
        exit(3);
    }
}

static void in_a_loop(double *a, int n)
{
#pragma omp parallel for
    for (int i = 0; i < 1; i++)
        for (int k = 0; k < n; k++) {
            if (k >= HAVE) {
                printf("no element %d\n", k);
                exit(4);
            }
            a[i * 15 + k] += 1;
        }
}

static void in_a_function(double *a, int n)
{
#pragma omp parallel for
    for (int i = 0; i < 1; i++)
        for (int k = 0; k < n; k++) {
            stop_at(k);
            a[i * 15 + k] += 1;
        }
}

static void in_rows(double *a, int rows, int columns)
{
#pragma omp parallel for
    for (int i = 0; i < 1; i++)
        for (int r = 0; r < rows; r++)
            for (int k = 0; k < columns; k++) {
                stop_at(r * columns + k);
                a[r * columns + k] += 1;
            }
}

int main(int argc, char **argv)
{
    const int which = argc > 1 ? atoi(argv[1]) : 1;
    if (which == 4) { /* nothing ends the program */
        double *all = calloc(HAVE, sizeof *all);
        in_a_loop(all, HAVE);
        in_a_function(all, HAVE);
        in_rows(all, 10, HAVE / 10);
        printf("%g %g\n", all[0], all[HAVE - 1]);
        free(all);
        return 0;
    }
    if (which == 1)
        in_a_loop(where, 1 << 27);
    if (which == 2)
        in_a_function(where, 1 << 27);
    in_rows(where, 1 << 14, 1 << 13);
    return 0;
}
