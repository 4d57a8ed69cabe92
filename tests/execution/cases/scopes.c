/* Loops inside of `scope`: it is a block with a barrier behind it, unless threads have copies for it. */
/* expect-gpu: 3 */
/* expect-host: OMPC303 OMPC303 */
#include <stdio.h>
#define N 1000
int a[N], b[N], total, most;
int main(void)
{
    int sum = 0, copies = 0;
    #pragma omp parallel
    {
        int part = 0;
        #pragma omp scope
        {
            #pragma omp for
            for (int i = 0; i < N; i++)
                a[i] = i % 37;
        }
        #pragma omp scope nowait
        {
            #pragma omp for nowait
            for (int i = 0; i < N; i++) {
                b[i] = a[N - 1 - i];
                part += b[i];
            }
            #pragma omp atomic
            total += part;
        }
        #pragma omp scope reduction(+: sum)
        {
            #pragma omp for
            for (int i = 0; i < N; i++)
                sum += a[i] * 3;
        }
        #pragma omp scope private(part)
        {
            part = 0;
            #pragma omp for
            for (int i = 0; i < N; i++)
                part += a[i];
            #pragma omp atomic
            most += part;
        }
    }
    #pragma omp target parallel map(tofrom: copies)
    {
        #pragma omp scope
        {
            #pragma omp for
            for (int i = 0; i < N; i++) {
                #pragma omp atomic update
                ++copies;
            }
        }
    }
    for (int i = 0; i < N; i++)
        sum += b[i] * (i % 7);
    printf("%d %d %d %d\n", sum, total, most, copies);
    return 0;
}
