/* The program creates threads: all of its loops stay on the host. */
/* expect-gpu: 0 */
/* expect-host: OMPC340 */
/* flags: -pthread */
#include <pthread.h>
#include <stdio.h>
static double a[100], b[100];
static void *other(void *argument)
{
    for (int i = 0; i < 100; i++)
        b[i] = i;
    return argument;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    #pragma omp parallel for
    for (int i = 0; i < 100; i++)
        a[i] = 2 * i;
    pthread_join(thread, NULL);
    printf("%g %g\n", a[99], b[99]);
    return 0;
}
