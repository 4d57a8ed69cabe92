/* Functions with which no pages can be guarded: nothing stays on the device from then on, and that is said. */
/* args: 1 */
/* plain: 2 */
/* args: 3 */
/* args: 4 */
/* expect-gpu: 1 */
/* refuses: OMPC473 */
/* flags: -std=gnu11 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define N 20000
static double x[N];
static char stack[65536];
static unsigned short hits[1000];

static void grow(double *to, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        to[i] += i % 7 + 1;
}
static int in_our_memory(void *argument)
{
    x[7] += x[9] + *(int *)argument;            /* another process, and nobody has told it where the newest is */
    return 0;
}
/* The one of another libc, which stands behind nothing. */
static void written_elsewhere(void)
{
    void *libc = dlmopen(LM_ID_NEWLM, "libc.so.6", RTLD_NOW);
    ssize_t (*put)(int, const void *, size_t) = libc != NULL ? (ssize_t (*)(int, const void *, size_t))dlsym(libc, "write") : write;
    int ends[2];
    double seen[500];
    if (pipe(ends) == 0) {
        for (int i = 0; i < 2; i++) {
            grow(x, N);
            printf("%zd ", put(ends[1], x + 1000, sizeof seen));
            printf("%zd ", read(ends[0], seen, sizeof seen));
            printf("%g\n", seen[499]);
        }
    }
}
static void on_fault(int number) { (void)number; _exit(9); }

int main(int count, char **words)
{
    int how = count > 1 ? atoi(words[1]) : 1, five = 5;
    grow(x, N);
    if (how == 1)
        profil(hits, sizeof hits, 0, 0x100);
    else if (how == 2) {
        pid_t child = clone(in_our_memory, stack + sizeof stack, CLONE_VM | SIGCHLD, &five);
        waitpid(child, NULL, 0);
    } else if (how == 4)
        written_elsewhere();
    else {
        struct { void (*handler)(int); unsigned long flags; void *restorer; unsigned long mask; } action = {on_fault, 0, NULL, 0};
        printf("%ld\n", syscall(SYS_rt_sigaction, SIGSEGV, &action, NULL, 8));
    }
    double sum = 0;
    grow(x, N), x[3] += x[4], grow(x, N);
    for (int i = 0; i < N; i++)
        sum += x[i];
    printf("%g %g\n", sum, x[7]);
    return 0;
}
