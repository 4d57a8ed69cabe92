/* on device: 0
   A macro with the name of a variable that the launcher is given: the inserted call would expand it a second time. */
#include <stdio.h>

static int total(const int *a, int n)
{
    int s = 0;
#define n (n - 1)
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++)
        s += a[i] + n;
#undef n
    return s;
}

int main(void)
{
    int a[10];
    for (int i = 0; i < 10; i++)
        a[i] = i * i;
    printf("%d\n", total(a, 10));
    return 0;
}
