/* Many loops in one function. */
/* args: 40 */
/* expect-gpu: 60 */
#include <stdio.h>
#include <stdlib.h>
static int a[100];
int main(int argc, char **argv)
{
    int n = atoi(argv[1]), s = 0;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 1 % 1009 + 0;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 2 % 1009 + 1;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 3 % 1009 + 2;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 4 % 1009 + 3;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 5 % 1009 + 4;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 1 % 1009 + 5;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 2 % 1009 + 6;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 3 % 1009 + 7;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 4 % 1009 + 8;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 5 % 1009 + 9;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 1 % 1009 + 10;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 2 % 1009 + 11;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 3 % 1009 + 12;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 4 % 1009 + 13;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 5 % 1009 + 14;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 1 % 1009 + 15;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 2 % 1009 + 16;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 3 % 1009 + 17;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 4 % 1009 + 18;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 5 % 1009 + 19;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 1 % 1009 + 20;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 2 % 1009 + 21;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 3 % 1009 + 22;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 4 % 1009 + 23;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 5 % 1009 + 24;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 1 % 1009 + 25;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 2 % 1009 + 26;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 3 % 1009 + 27;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 4 % 1009 + 28;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 5 % 1009 + 29;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 1 % 1009 + 30;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 2 % 1009 + 31;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 3 % 1009 + 32;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 4 % 1009 + 33;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 5 % 1009 + 34;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 1 % 1009 + 35;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 2 % 1009 + 36;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 3 % 1009 + 37;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 4 % 1009 + 38;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 5 % 1009 + 39;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 1 % 1009 + 40;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 2 % 1009 + 41;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 3 % 1009 + 42;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 4 % 1009 + 43;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 5 % 1009 + 44;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 1 % 1009 + 45;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 2 % 1009 + 46;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 3 % 1009 + 47;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 4 % 1009 + 48;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 5 % 1009 + 49;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 1 % 1009 + 50;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 2 % 1009 + 51;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 3 % 1009 + 52;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 4 % 1009 + 53;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 5 % 1009 + 54;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 1 % 1009 + 55;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 2 % 1009 + 56;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 3 % 1009 + 57;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 4 % 1009 + 58;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 5 % 1009 + 59;
    for (int i = 0; i < n; i++)
        s = s * 31 % 1000003 + a[i];
    printf("%d\n", s);
    return 0;
}
