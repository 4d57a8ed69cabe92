/* The function that contains the loop calls itself; its automatic arrays differ from call to call. */
/* args: 5 */
/* expect-gpu: 2 */
#include <stdio.h>
#include <stdlib.h>

static double deeper(int depth, const double *above, int n)
{
    double mine[20] = {0};
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        mine[i] = above[i] * 2 + depth;
    double below = depth > 0 ? deeper(depth - 1, mine, n) : 0;
    #pragma omp parallel for reduction(+:below)
    for (int i = 0; i < n; i++)
        below += mine[i] - above[i];
    return below;
}

int main(int argc, char **argv)
{
    double start[20];
    for (int i = 0; i < 20; i++)
        start[i] = i;
    printf("%.12g\n", deeper(atoi(argv[1]), start, 20));
    return 0;
}
