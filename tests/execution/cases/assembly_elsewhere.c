/* Inline assembly, in a function without loops and in a loop. */
/* expect-gpu: 1 */
/* expect-host: OMPC316 */
#include <stdio.h>
static int a[100];
static int barrier(int x) { __asm__ volatile("" : "+r"(x)); return x; }
int main(void)
{
    int s = 0;
    #pragma omp parallel for reduction(+:s)
    for (int i = 0; i < 100; i++) { a[i] = i; s += a[i]; }
    #pragma omp parallel for
    for (int i = 0; i < 100; i++) { int k = i; __asm__ volatile("" : "+r"(k)); a[i] += k; }
    printf("%d %d %d\n", s, barrier(4), a[99]);
    return 0;
}
