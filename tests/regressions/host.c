/* on device: 1
 * The generated header of a file of this name had the include guard of the runtime's ompc_host.h. */
#include <stdio.h>

static int squares[50];

int main(void)
{
#pragma omp parallel for
    for (int i = 0; i < 50; i++)
        squares[i] = i * i;
    printf("%d\n", squares[49]);
    return 0;
}
