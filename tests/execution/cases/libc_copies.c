/* Copies of the process by functions that run no handlers of fork: the child has its parent's newest values, and may launch
   no more; what either writes stays its own. Pages with keys; alignments that are no powers of two. */
/* args: */
/* plain: all */
/* expect-gpu: 1 */
/* without: glue */
/* flags: -std=gnu11 */
#define _GNU_SOURCE
#include <malloc.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define N 40000
static double x[N], *y;
static char stack[1 << 18];
static int ends[2];

static void grow(double *to, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        to[i] += i % 7 + 1;
}
static double sum(const double *from, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += from[i] * (i % 5 + 1);
    return s;
}
static void in_child(void)
{
    double two[2] = {sum(x, N), sum(y, N)};
    for (int i = 0; i < N; i += 3)
        x[i] = 100, y[N - 1 - i] = 200;
    two[0] += sum(x, N);
    write(ends[1], two, sizeof two);
    _exit(3);
}
static int cloned(void *argument)
{
    x[0] += *(int *)argument;
    in_child();
    return 0;
}
static void parent(const char *how, pid_t child)
{
    double two[2];
    int status = -1;
    if (child == 0)
        in_child();
    x[1] = 5, grow(y, N);
    read(ends[0], two, sizeof two), waitpid(child, &status, 0);
    printf("%s %.10g %.10g %d", how, two[0], two[1], WEXITSTATUS(status));
    grow(x, N);
    printf(" %.10g %.10g\n", sum(x, N), sum(y, N)), fflush(stdout);
    grow(x, N), grow(y, N);
}

static int in_our_memory(void *argument)
{
    x[N - 1] += *(int *)argument;
    return 0;
}

int main(int count, char **words)
{
    (void)words; /* sanitizers know neither stacks of clone nor alignments that are no powers of two */
    int seven = 7, key;
    y = calloc(N, sizeof *y);
    pipe(ends);
    grow(x, N), grow(y, N);
#if __GLIBC_PREREQ(2, 34)
    parent("_Fork", _Fork());
#else
    parent("_Fork", fork());
#endif
    if (count > 1)
        parent("clone", clone(cloned, stack + sizeof stack, SIGCHLD, &seven));
#ifdef SYS_fork
    parent("SYS_fork", (pid_t)syscall(SYS_fork));
#else
    parent("SYS_fork", fork());
#endif
    parent("SYS_clone", (pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL));
    parent("fork", fork());
    if (count > 1) {
        pid_t child = clone(in_our_memory, stack + sizeof stack, CLONE_VM | CLONE_VFORK | SIGCHLD, &seven);
        waitpid(child, NULL, 0);
        printf("vfork %g\n", x[N - 1]);
    }
    char *mapped = mmap(NULL, N * 8, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    grow((double *)mapped, N), key = pkey_alloc(0, 0);
    int done = pkey_mprotect(mapped, 65536, PROT_READ | PROT_WRITE, key < 0 ? -1 : key);
    printf("keys %d %g\n", done, ((double *)mapped)[9]);
    grow((double *)mapped, N);
    printf("%.10g\n", sum((double *)mapped, N));
    for (size_t alignment = 100; count > 1 && alignment < 300000; alignment = alignment * 3 + 1) {
        double *odd = memalign(alignment, N * sizeof *odd), *small = memalign(alignment, 8000);
        memset(odd, 0, N * sizeof *odd), memset(small, 0, 8000);
        grow(odd, N), grow(small, 1000);
        printf("%d %d %.10g %.10g\n", (uintptr_t)odd % 64 == 0, (uintptr_t)small % 64 == 0, sum(odd, N), sum(small, 1000));
        free(odd), free(small);
    }
    return 0;
}
