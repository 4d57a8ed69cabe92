/* A shared scalar that is only written (all with one value), a shared struct that is read, and races, which stay on the host. */
/* args: 100 */
/* args: 1 */
/* expect-gpu: 3 */
/* expect-host: OMPC355 OMPC355 */
#include <stdio.h>
#include <stdlib.h>
#include <omp.h>

static int found, seen[100];
static struct { double scale; int shift[50]; } settings = {2.0, {1, 2, 3}};

int main(int argc, char **argv)
{
    int n = atoi(argv[1]), last = -1, count = 0;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        if (i % 10 == 9)
            found = 1;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        seen[i] = (int)(i * settings.scale) + settings.shift[i % 3];
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        if (i == n - 1)
            last = seen[i];
    omp_set_num_threads(1);
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        count += seen[i];
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        last = last * 3 + i;
        last %= 1000;
    }
    printf("%d %d %d\n", found, last, count);
    return 0;
}
