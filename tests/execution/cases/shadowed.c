/* One name for several objects: parameters, locals, globals, tags, labels, members and macros. */
/* args: 30 */
/* expect-gpu: 5 */
/* expect-host: OMPC332 */
#include <stdio.h>
#include <stdlib.h>

static int v[40];
static int k = 2;
static int uses_k(int i) { return i * k; }
struct v { int v; };

static int inner(int *v, int n)
{
    int k = 5;
    struct v s = {7};
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        v[i] += k + s.v;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        v[i] += uses_k(i);
    return k;
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    {
        int v[40] = {0};
        #pragma omp parallel for
        for (int i = 0; i < n; i++)
            v[i] = i;
        #pragma omp parallel for
        for (int n = 0; n < 40; n++) {
            int i = v[n];
            { int v = i + n; i = v; }
            v[n] = i;
        }
        int tmp = 0;
        #pragma omp parallel for private(tmp)
        for (int i = 0; i < n; i++) {
            tmp = v[i];
            v[i] = tmp + 1;
            const unsigned long tmp = i;
            v[i] += (int)tmp;
        }
        printf("%d ", v[n - 1]);
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        v[i] = uses_k(i) + 1;
    printf("%d %d\n", inner(v, n), v[n - 1]);
    return 0;
}
