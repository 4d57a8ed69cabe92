/* System calls by the program's own assembly, which nobody is asked about: its loops stay on the host. */
/* expect-host: OMPC365 */
/* flags: -std=gnu11 */
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#define N 20000

static double x[N];

static long put(long file, const void *from, long bytes)
{
#if defined __x86_64__
    long result = SYS_write;
    __asm__ volatile("syscall" : "+a"(result) : "D"(file), "S"(from), "d"(bytes) : "rcx", "r11", "memory");
#else
    register long result __asm__("x0") = file, number __asm__("x8") = SYS_write, size __asm__("x2") = bytes;
    register const void *place __asm__("x1") = from;
    __asm__ volatile("svc #0" : "+r"(result) : "r"(number), "r"(place), "r"(size) : "memory");
#endif
    return result;
}

int main(void)
{
    int ends[2];
    double seen[10] = {0};
    for (int k = 0; k < 3; k++) {
        #pragma omp parallel for
        for (int i = 0; i < N; i++)
            x[i] += i + k;
    }
    if (pipe(ends) != 0)
        return 1;
    printf("%ld\n", put(ends[1], x + 9000, sizeof seen));
    printf("%zd %g\n", read(ends[0], seen, sizeof seen), seen[9]);
    return 0;
}
