/* on device: 1
   Heads of loops that declare pointers to rows, several pointers, and arrays: their declarators are more than names. */
#include <stdio.h>

static int a[50][7], b[400], out[50];

int main(void)
{
    for (int i = 0; i < 400; i++)
        b[i] = i * 37 % 101, a[i / 8][i % 7] = i;
#pragma omp parallel for
    for (int j = 0; j < 49; j++) {
        for (int (*q)[7] = a + j; q < a + j + 1; q++)
            (*q)[2] += 1, out[j] += q[0][1];
        for (int *p = &b[j * 8], *e = p + 8; p < e; p++)
            out[j] += *p;
        for (const int *p = b, *const e = b + 4; p < e; p++)
            out[j] += *p;
        for (int k[3] = {1, 2, 3}, m = 0; m < 3; m++)
            out[j] += k[m];
        for (int *r[2] = {&b[0], &b[1]}; r[0] < &b[3]; r[0]++)
            out[j] += *r[0] + *r[1];
        for (int x = 2, y = 3; x < 5; x++)
            out[j] += x * y;
        for (struct { int u, v; } s = {1, 2}; s.u < 4; s.u++)
            out[j] += s.v;
    }
    unsigned long sum = 0;
    for (int i = 0; i < 50; i++)
        sum = sum * 31 + out[i] + a[i][2];
    printf("%lu\n", sum);
    return 0;
}
