/* A file that the parser cannot read is compiled as it is. */
/* expect-file: OMPC105 */
#include <stdio.h>
int a[100];
int nested(int n) { int twice(int x) { return 2 * x; } return twice(n); }
int main(void)
{
    int s = 0;
    #pragma omp parallel for reduction(+:s)
    for (int i = 0; i < 100; i++) { a[i] = i; s += a[i]; }
    printf("%d %d\n", s, nested(4));
    return 0;
}
