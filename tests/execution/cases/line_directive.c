/* A #line directive: positions in the file are not what they say, so that loops stay on the host. */
/* expect-gpu: 0 */
/* expect-host: OMPC307 */
#include <stdio.h>
int main(void)
{
    int s = 0;
#line 500 "other.c"
    #pragma omp parallel for reduction(+:s)
    for (int i = 0; i < 10; i++) s += i;
    printf("%d %s %d\n", __LINE__, __FILE__, s);
    return 0;
}
