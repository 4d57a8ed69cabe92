/* Memory of every kind between launches: blocks that grow, move, end and begin again at the same address, automatic
   arrays of calls that end in every way, static ones, memory that is mapped or protected by the program. */
/* plain: */
/* plain: contexts */
/* expect-gpu: 6 */
/* without: glue */
/* refuses: OMPC452 OMPC453 */
/* flags: -std=gnu11 */
#define _GNU_SOURCE
#include <alloca.h>
#include <fcntl.h>
#include <malloc.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#define N 40000
#define BYTES (N * sizeof(double))

static double a[N];
static jmp_buf out;

static void grow(double *x, int n, double by)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] += by * (i % 7 + 1);
}
static void from(double *to, const double *x, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        to[i] = 2 * x[i] + 1;
}
/* Every block as a whole: nobody knows which elements. */
static void permute(double *x, const int *where, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[where[i]] += i;
}
static double on_host(const double *x, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += x[i] * (i % 5 + 1);
    return s;
}
static void fill(double *x, int n)
{
    for (int i = 0; i < n; i++)
        x[i] = i % 10;
}

static void grows_and_shrinks(void)
{
    double *x = malloc(BYTES), *y = malloc(BYTES), *z;
    fill(x, N), fill(y, N);
    grow(x, N, 1), grow(y, N, 2);
    x = realloc(x, 4 * BYTES);          /* moved, by mremap where the block has pages of its own */
    memcpy(x + N, y, BYTES);
    grow(x, 2 * N, 1);
    x = realloc(x, BYTES / 2);          /* what is behind it is gone */
    grow(x, N / 2, 1);
    x = realloc(x, 100 * sizeof *x);
    grow(x, 100, 1);
    x = realloc(x, 2 * BYTES);
    from(x + 100, y, N);
    y = realloc(y, BYTES + 64);
    y[N] = x[99];
    grow(y, N + 1, 1);
    z = realloc(NULL, BYTES);
    fill(z, N);
    grow(z, N, 3);
    printf("realloc %g %g %g\n", on_host(x, N + 100), on_host(y, N + 1), on_host(z, N));
    z = reallocarray(z, 2 * N, sizeof *z);
    fill(z + N, N);
    grow(z, 2 * N, 1);
    printf("%g\n", z[3] + z[2 * N - 1] + on_host(z, 2 * N));
    free(x), free(y), free(z);
}

/* Freed while the device has it, and the same address again, of another size, and through every allocator. */
static void again(void)
{
    double s = 0, *before = NULL;
    int same = 0;
    for (int k = 0; k < 12; k++) {
        size_t bytes = BYTES + 4096 * (k % 3);
        double *x = k % 4 == 0 ? malloc(bytes) : k % 4 == 1 ? calloc(1, bytes) : k % 4 == 2 ? memalign(64, bytes) : valloc(bytes);
        same += x == before;
        if (k % 4 != 1)
            fill(x, N);
        else
            s += x[0] + x[N - 1] + on_host(x, N);   /* zeros */
        grow(x, N, k);
        if (k % 2)
            s += x[k] + x[N - 1 - k];
        if (k == 7)
            s += on_host(x, N);
        before = x;
        free(x);
    }
    for (int k = 0; k < 6; k++) {       /* never touched by the host between launch and free */
        double *x = calloc(N, sizeof *x), *y = malloc(BYTES);
        grow(x, N, 1);
        from(y, x, N);
        free(x);
        x = malloc(BYTES);
        memset(x, 0, BYTES);
        s += on_host(x, N);
        from(x, y, N);
        s += on_host(x, N);
        free(y), free(x);
    }
    printf("again %g %d\n", s, same < 12);
}

static void aligned(void)
{
    void *p, *q;
    char *copy;
    if (posix_memalign(&p, 4096, BYTES) != 0)
        return;
    q = aligned_alloc(256, BYTES);
    double *x = p, *y = q;
    fill(x, N), fill(y, N);
    grow(x, N, 1), from(y, x, N), grow(x, N, 1);
    y[0] += x[N - 1];
    permute(y, (int[]){N - 1, 3, 0}, 3);
    y[4] += y[3];
    grow(y, N, 1);
    printf("aligned %g %g %d\n", on_host(x, N), on_host(y, N), malloc_usable_size(x) >= BYTES);
    free(p), free(q);
    char *text = malloc(200000);
    memset(text, 'x', 200000), text[199999] = 0;
    copy = strdup(text);
    #pragma omp parallel for
    for (int i = 0; i < 199999; i++)
        copy[i] = text[i] + i % 3 - (i == 150000) * text[i] - (i == 150000) * (i % 3);
    char *more = strndup(copy, 180000);
    printf("strdup %zu %zu %c%c\n", strlen(copy), strlen(more), more[1], copy[150001]);
    free(text), free(copy), free(more);
}

/* Several arrays in one block, with numbers of the host between them, in a struct that has the pointers. */
typedef struct { int n; double *x, *y, *z; int *where; double sum; char end[]; } Arrays;
static void scatter(Arrays *s)
{
    #pragma omp parallel for
    for (int i = 0; i < s->n; i++)
        s->z[s->where[i]] += s->x[i] + s->y[i];
}
static void arena(void)
{
    Arrays *s = malloc(sizeof *s + 3 * BYTES + 300 + N * sizeof(int));
    s->n = N;
    s->x = (double *)s->end, s->y = s->x + N + 1, s->z = s->y + N + 11, s->where = (int *)(s->z + N + 5);
    for (int i = 0; i < s->n; i++)
        s->x[i] = i, s->y[i] = 1, s->z[i] = 0, s->where[i] = (int)(i * 7919LL % N);
    s->x[N] = 100, s->y[N] = 200;
    grow(s->x, s->n, 1);
    s->sum = s->x[N] + s->y[N];
    from(s->y, s->x, s->n);
    s->n--;
    grow(s->z, s->n, s->y[5]);
    s->sum += s->y[N] + s->z[s->n];
    s->n -= 2;
    Arrays apart = *s;
    scatter(&apart);                    /* of one block: refused where they are promised to be separate */
    s->n += 3;
    apart = (Arrays) {s->n, s->x, malloc(BYTES), calloc(1, BYTES), s->where, 0};
    from(apart.y, s->z, s->n);
    for (int k = 0; k < 2; k++) {
        scatter(&apart);
        apart.sum += apart.z[apart.n - 1 - k];
        grow(apart.y, N, 1), grow(s->z, N, 1);
    }
    printf("apart %g %g %g\n", apart.sum, on_host(apart.y, N), on_host(apart.z, N));
    free(apart.y), free(apart.z);
    printf("arena %d %g %g %g %g\n", s->n, s->sum, on_host(s->x, s->n), on_host(s->y, s->n), on_host(s->z, s->n));
    free(s);
}

/* Rows of one block or of a block each, which host code writes, exchanges, moves and frees. */
static void rows(void)
{
    double **t = malloc(40 * sizeof *t), **flat = malloc(40 * sizeof *flat), s = 0, *swap;
    flat[0] = calloc(40 * 1000, sizeof **flat);
    for (int i = 0; i < 40; i++)
        t[i] = calloc(1000 + 200 * i, sizeof **t), flat[i] = flat[0] + 1000 * i;
    for (int k = 0; k < 4; k++) {
        for (int which = 0; which < 2; which++) {
            double **r = which ? flat : t;
            #pragma omp parallel for
            for (int i = 1; i < 39; i++)
                for (int j = 0; j < 1000; j++)
                    r[i][j] += r[0][j] + j % 3;
            r[0][k] += 1;
            s += r[38][k];
        }
        swap = t[k], t[k] = t[30 - k], t[30 - k] = swap;
        t[5] = realloc(t[5], (9000 + k * 9000) * sizeof *t[5]);
        grow(t[5], 1000, 1);
        grow(flat[6], 2000, 1);
        free(t[6]), t[6] = calloc(5000, sizeof *t[6]);
        t[7][8] = flat[7][k];
        memcpy(t[9], flat[3], 1000 * sizeof *t[9]);
    }
    printf("rows %g", s);
    for (int i = 0; i < 40; i += 3)
        printf(" %g %g", on_host(t[i], 1000), on_host(flat[i], 1000));
    puts("");
    for (int i = 0; i < 40; i++)
        free(t[i]);
    free(flat[0]), free(t), free(flat);
}

/* Automatic arrays that are larger than 64 KB, of calls that have the same addresses one after the other. */
static double recursive(int depth, double *above)
{
    double w[12000], s;
    fill(w, 12000);
    grow(w, 12000, depth);
    if (above)
        from(w, above, 6000);
    w[3] += 1;
    s = depth > 0 ? recursive(depth - 1, w) : 0;
    grow(w, 12000, 1);
    if (above)
        above[1] += w[2];
    return s + w[0] + w[11999] + (depth == 1 ? on_host(w, 12000) : 0);
}
static void jumper(int depth)
{
    double w[10000];
    fill(w, 10000);
    grow(w, 10000, depth);
    if (depth == 0)
        longjmp(out, (int)on_host(w, 10000) % 997 + 1);
    jumper(depth - 1);
    printf("%g", w[0]);
}
static double deep(int fill_it)     /* host code alone, where the arrays of others were */
{
    double w[60000];
    memset(w, fill_it, sizeof w);
    w[100] = 1;
    return w[fill_it] + w[59999];
}
static double variable(int n)
{
    double w[n], *v = alloca(n * sizeof *v), s = 0;
    for (int k = 0; k < 3; k++) {
        double inner[n + k];
        fill(inner, n + k), fill(w, n), fill(v, n);
        grow(inner, n + k, 1);
        from(w, inner, n);
        grow(v, n, k);
        permute(v, (int[]){5, 4, 3, 2, 1}, 5);
        s += inner[n - 1] + on_host(w, n) + v[1] + v[n - 1];
    }
    return s;
}
/* A block is the stack of a function, and has arrays of it. */
static ucontext_t outside, inside;
static double *given;
static void body(void)
{
    double w[30000];
    fill(w, 30000);
    given = w;
    for (int k = 0; k < 3; k++) {
        grow(w, 30000, 1);
        w[k] += w[5];
        swapcontext(&inside, &outside);
        w[k] += w[6];
    }
    given = NULL;
}
static void contexts(void)
{
    char *stack = malloc(600000);
    double s = 0;
    getcontext(&inside);
    inside.uc_stack.ss_sp = stack, inside.uc_stack.ss_size = 600000, inside.uc_link = &outside;
    makecontext(&inside, body, 0);
    for (swapcontext(&outside, &inside); given; swapcontext(&outside, &inside)) {
        grow(given + 3, 29000, 2);
        s += given[8];
        grow(given, 30000, 2);
        if (s < 50)
            s += on_host(given, 30000);
    }
    printf("contexts %g\n", s);
    free(stack);
}
static void stacks(void)
{
    double x[9000];
    fill(x, 9000);
    grow(x, 9000, 1);
    printf("stacks %g %g", recursive(4, NULL), deep(0));
    int jumped = setjmp(out);
    if (jumped == 0)
        jumper(6);
    printf(" %d %g", jumped, deep(0));
    printf(" %g", variable(9000));
    printf(" %g %g\n", variable(10000) + recursive(3, x), x[1] + x[8999]);
}

/* Static arrays of functions, their addresses given away, and a global of the same page. */
static double *counter(void)
{
    static int calls;
    static double kept[N];
    static int after;
    grow(kept, N, ++calls);
    after += kept[after] > 0;
    return kept + after;
}
static void statics(void)
{
    double *k = counter();
    k[0] += 100, k = counter(), k[-1] -= 7, k = counter();
    grow(k, N - 10, 1);
    printf("statics %g %g\n", k[0], on_host(k, N - 10));
}

static void mapped(void)
{
    int shared = MAP_SHARED | MAP_ANONYMOUS, mine = MAP_PRIVATE | MAP_ANONYMOUS, both = PROT_READ | PROT_WRITE;
    char name[] = "/tmp/residentXXXXXX";
    int file = mkstemp(name), all[5] = {4, 0, 3, 1, 2};
    double *x = mmap(NULL, BYTES, both, shared, -1, 0), *y = mmap(NULL, BYTES, both, mine, -1, 0), *f, *g, h[4];
    unlink(name);
    if (ftruncate(file, BYTES) != 0)
        return;
    f = mmap(NULL, BYTES, both, MAP_SHARED, file, 0), g = mmap(NULL, BYTES, both, MAP_SHARED, file, 0);
    fill(x, N), fill(y, N), fill(f, N);
    for (int k = 0; k < 3; k++) {
        grow(x, N, 1), from(y, x, N), grow(f, N, 1), grow(f, N, 1);
        y[k] = g[k] + g[N - 1];                     /* the other mapping sees it, and what it writes is seen */
        g[100] += 5;
        grow(f, N, y[k]);
        msync(f, BYTES, MS_SYNC);
        if (pread(file, h, sizeof h, 100 * sizeof *h) == sizeof h)
            y[k + 1] = h[0] + h[3];
        h[0] = k;
        if (pwrite(file, h, 16, 200 * sizeof *h) == 16)
            grow(f, N, 1);
        permute(x, all, 5), permute(g, all, 5);     /* unknown elements of unknown blocks: on the host */
        from(f, g, 0);
    }
    printf("mapped %g %g %g %g\n", on_host(x, N), on_host(y, N), on_host(f, N), on_host(g, N));
    munmap(g, BYTES), munmap(f, BYTES);
    f = mmap(f, BYTES, both, mine | MAP_FIXED, -1, 0);
    grow(f, N, 1);
    printf("%g\n", f[3] + on_host(f, N));
    madvise(y, BYTES, MADV_DONTNEED);
    grow(y, N, 1);
    x = mremap(x, BYTES, 2 * BYTES, MREMAP_MAYMOVE);
    printf("%g %g\n", on_host(y, N), x == MAP_FAILED ? 0 : on_host(x, N));
    munmap(x, 2 * BYTES), munmap(y, BYTES), munmap(f, BYTES), close(file);
}

/* From brk: above the heap, known to nobody; and pages that the program protects itself. */
static void other_pages(void)
{
    char *end = sbrk(3 * BYTES);
    double *x = (double *)(((uintptr_t)end + 64) & ~63ul), *y;
    if (end != (char *)-1) {
        fill(x, N);
        grow(x, N, 1);
        x[9] += 1;
        from(x + N + 7, x, N);
        grow(x + N, N, 1);
        printf("brk %g %g\n", on_host(x, N), on_host(x + N + 7, N));
    }
    y = aligned_alloc(4096, 81 * 4096);
    fill(y, N);
    grow(y, N, 1);
    mprotect(y, 81 * 4096, PROT_READ);
    double s = y[5] + on_host(y, N);
    from(a, y, N);
    mprotect(y, 81 * 4096, PROT_READ | PROT_WRITE);
    y[0] = s;
    grow(y, N, 2);
    mprotect((char *)y + 4096, 4096, PROT_READ | PROT_WRITE);
    y[512] += 1;
    grow(y, N, 1);
    mprotect(y, 81 * 4096, PROT_NONE);
    mprotect(y, 81 * 4096, PROT_READ | PROT_WRITE);
    printf("protected %g %g %g\n", y[600], on_host(y, N), on_host(a, N));
    free(y);
}

int main(int argc, char **argv)
{
    if (argc > 1) {                     /* AddressSanitizer says that it does not know what is done there */
        printf("%s\n", argv[1]), contexts();
        return 0;
    }
    grows_and_shrinks(), again(), aligned(), arena(), rows(), stacks(), statics(), mapped(), other_pages();
    return 0;
}
