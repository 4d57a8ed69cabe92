/* Structs that together exceed what a kernel takes by value; a packed struct; a struct without a definition. */
/* expect-gpu: 1 */
/* expect-host: OMPC341 OMPC337 */
#include <stdio.h>
typedef struct { double v[30]; } Values;
struct __attribute__((packed)) Packed { char c; double d; };
static struct Packed packed[20];
static double out[20];
int main(void)
{
    Values a = {{1}}, b = {{2}}, c = {{3}}, d = {{4}}, e = {{5}}, f = {{6}}, g = {{7}}, h = {{8}}, k = {{9}};
    #pragma omp parallel for
    for (int i = 0; i < 20; i++)
        out[i] = a.v[i] + b.v[i] + c.v[i] + d.v[i] + e.v[i] + f.v[i] + g.v[i] + h.v[i] + k.v[i];
    #pragma omp parallel for
    for (int i = 0; i < 20; i++)
        packed[i].d = i;
    #pragma omp parallel for
    for (int i = 0; i < 20; i++)
        out[i] += a.v[i] + b.v[i];
    printf("%g %g\n", out[0], packed[19].d);
    return 0;
}
