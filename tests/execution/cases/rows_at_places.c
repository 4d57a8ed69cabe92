/* Rows behind pointers in a table, of which some may be the same memory, written at places that only data says: what a
   thread does to one row after the other stays in its order. */
/* args: 9 0 */
/* args: 9 1 */
/* args: 33 2 */
/* expect-gpu: 2 */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 9, same = argc > 2 ? atoi(argv[2]) : 0;
    double *blocks = calloc(4 * n, sizeof *blocks), *rows[4], sum = 0;
    int *place = malloc(n * sizeof *place);
    for (int i = 0; i < n; i++)
        place[i] = n - 1 - i;
    for (int k = 0; k < 4; k++)
        rows[k] = blocks + (same == 1 ? 0 : same == 2 ? k / 2 : k) * n;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 4; k++)
            rows[k][place[i]] = i * 10 + k;
    for (int k = 0; k < 4 * n; k++)
        sum += blocks[k] * (k % 7 + 1);
    printf("%.12g\n", sum);
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 4; k++)
            rows[3 - k][place[i]] += rows[k][place[i]] * 0.5 + k;
    for (int k = 0; k < 4 * n; k++)
        sum += blocks[k] * (k % 5 + 1);
    printf("%.12g\n", sum);
    free(blocks), free(place);
    return 0;
}
