/* Processes that fork: each has its own data, as the last loop has left it, and its own loops. */
/* expect-gpu: 3 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 40000 };
static int table[N];
static int *heap, *kept;

static void step(int k)
{
    #pragma omp parallel for
    for (int i = 0; i < N; i++) {
        table[i] += i % k;
        heap[i] = table[i] * k;
    }
}

static long sum(const int *v)
{
    long s = 0;
    #pragma omp parallel for reduction(+: s)
    for (int i = 0; i < N; i++)
        s += v[i];
    return s;
}

static void child_of(const char *parent, int depth)
{
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        printf("child of %s: %d %d %d\n", parent, table[N - 1], heap[N - 1], kept[0]);
        step(depth + 2);
        kept[0] = depth;
        printf("its sums: %ld %ld\n", sum(table), sum(heap));
        if (depth > 0)
            child_of("child", depth - 1);
        if (depth == 1)
            fflush(stdout), _exit(depth);
        exit(depth);
    }
    int status = -1;
    waitpid(child, &status, 0);
    printf("%s again: %d %ld %ld\n", parent, WEXITSTATUS(status), sum(table), sum(heap));
}

int main(int argc, char **argv)
{
    heap = malloc(N * sizeof *heap), kept = malloc(N * sizeof *kept);
    for (int i = 0; i < N; i++)
        heap[i] = kept[i] = table[i] = i % 3;
    if (argc > 1)
        child_of("a parent without launches", 1);
    step(5);
    child_of("parent", 2);
    #pragma omp parallel for
    for (int i = 0; i < N; i++)
        kept[i] += table[i];
    child_of("parent", 0);
    fflush(stdout);
    printf("%d\n", system("echo another program"));
    FILE *pipe = popen("wc -c", "w");
    fwrite(kept, sizeof *kept, N, pipe);
    pclose(pipe);
    printf("%ld %ld\n", sum(kept), sum(table));
    return 0;
}
