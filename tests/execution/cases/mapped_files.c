/* Private mappings are blocks that stay on the device: files of weights, read-only or not, of which parts go, grow, are
   mapped anew, protected or locked; and what is no block: shared mappings, reservations, what lies behind a file's end. */
/* args: */
/* plain: */
/* expect-gpu: 4 */
/* without: glue */
/* refuses: OMPC452 */
/* flags: -std=gnu11 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PAGE = 4096, ROWS = 40, N = 2048, PAGES = ROWS * N * sizeof(double) / PAGE };
#define BYTES (ROWS * N * sizeof(double))

static double y[ROWS], x[N];
static sigjmp_buf back;

/* Where a row is, nobody knows but the block. */
static double product(const double *w, const double *x, const int *order, int rows, int n)
{
    double sum = 0;
    #pragma omp parallel for
    for (int i = 0; i < rows; i++) {
        double val = 0;
        for (int j = 0; j < n; j++)
            val += w[(long)order[i] * n + j] * x[j];
        y[i] = val;
    }
    for (int i = 0; i < rows; i++)
        sum += y[i] * (i + 1);
    return sum;
}

static void grow(double *w, const int *order, int rows, int n, double by)
{
    #pragma omp parallel for
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < n; j++)
            w[(long)order[i] * n + j] += by;
}

static void maybe(double *w, const int *order, int rows, int n, int really)
{
    #pragma omp parallel for
    for (int i = 0; i < rows; i++)
        if (really)
            w[(long)order[i] * n] = i;
        else
            y[i] = w[(long)order[i] * n + 1];
}

static void whole_pages(double *w, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        w[i] = w[i] * 2 + 1;
}

static void on_signal(int number)
{
    siglongjmp(back, number);
}

static int faults(volatile double *place)
{
    if (sigsetjmp(back, 1) == 0) {
        *place = 1;
        return 0;
    }
    return 1;
}

static int order[ROWS];

/* Rows that lie in the first `bytes` bytes. */
static int rows_in(size_t bytes)
{
    return (int)(bytes / (N * sizeof(double)));
}

static void read_only(int file)
{
    struct sigaction action = {.sa_handler = on_signal}, segv, bus;
    const double *w = mmap(NULL, BYTES, PROT_READ, MAP_PRIVATE, file, 0);
    for (int k = 0; k < 3; k++)
        x[k] += 1, printf("%.10g ", product(w, x, order, ROWS, N) + w[k * N]);
    maybe((double *)w, order, ROWS, N, 0);
    printf("%.10g ", y[3] + y[39]);
    sigaction(SIGSEGV, &action, &segv), sigaction(SIGBUS, &action, &bus);
    printf("%d %d ", faults((double *)w + 7), faults((double *)w + 9000));
    sigaction(SIGSEGV, &segv, NULL), sigaction(SIGBUS, &bus, NULL);
    madvise((void *)w, BYTES, MADV_SEQUENTIAL), madvise((void *)w, BYTES, MADV_WILLNEED);
    printf("%.10g ", product(w, x, order, ROWS, N));
    mprotect((void *)w, BYTES, PROT_READ | PROT_WRITE);
    ((double *)w)[5] = 1000;
    printf("%.10g ", product(w, x, order, ROWS, N));
    grow((double *)w, order, ROWS, N, 1);
    printf("%.10g %.10g\n", w[5], w[BYTES / sizeof *w - 1]);
    munmap((void *)w, BYTES);
}

/* Parts go, and are mapped anew. */
static void parts(int file)
{
    double *w = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0), before[2] = {0, 0};
    maybe(w, order, ROWS, N, 0), maybe(w, order, 10, N, 1);
    grow(w, order, ROWS, N, 0.5);
    printf("%.10g ", product(w, x, order, ROWS, N));
    grow(w, order, ROWS, N, 0.5);
    double *middle = w + 20 * N;
    munmap(middle, 4 * PAGE);                       /* the device has the newer rest */
    printf("%.10g %.10g ", w[3], w[30 * N]);
    for (int i = 0; i < ROWS; i++)
        order[i] = 19 - i % 20;
    printf("%.10g ", product(w, x, order, ROWS, N));
    grow(w, order, 20, N, 2);
    middle = mmap(middle, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, file, 0);
    for (int i = 0; i < ROWS; i++)
        order[i] = 0;
    printf("%.10g %.10g ", product(middle, x, order, ROWS, N), w[19 * N] + w[18]);
    for (int i = 0; i < ROWS; i++)
        order[i] = i;
    grow(w, order, 20, N, 1);
    grow(w + 30 * N, order, 10, N, 1);
    middle = mmap(w + 10 * N, 12 * N * sizeof *w, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    grow(middle, order, 12, N, 3);
    grow(w, order, 10, N, 1);
    printf("%.10g %.10g %.10g %.10g\n", w[9 * N], w[10 * N], w[22 * N], w[39 * N]);
    grow(w, order, 10, N, 1);
    syscall(SYS_munmap, w, BYTES);
    w = mmap(w, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    grow(w, order, ROWS, N, before[0] + 1);
    printf("%.10g %.10g ", w[0], product(w, x, order, ROWS, N));
    grow(w, order, ROWS, N, 1);
    double *larger = mremap(w, BYTES, 2 * BYTES, MREMAP_MAYMOVE);
    printf("%.10g ", larger[7]);
    memcpy(larger + BYTES / sizeof *w, larger, BYTES);
    printf("%.10g ", product(larger + BYTES / sizeof *w, x, order, ROWS, N));
    grow(larger, order, ROWS, N, 1);
    madvise(larger, BYTES / 2, MADV_DONTNEED);
    printf("%.10g %.10g ", larger[0], larger[21 * N]);
    printf("%.10g ", product(larger, x, order, ROWS, N));
    whole_pages(larger, ROWS * N);
    mprotect(larger, PAGE, PROT_NONE);
    mprotect(larger, PAGE, PROT_READ | PROT_WRITE);
    printf("%.10g %.10g ", larger[1], larger[ROWS * N - 1]);
    larger = mremap(larger, 2 * BYTES, BYTES, 0);
    grow(larger, order, ROWS, N, 1);
    printf("%d %.10g\n", mlock(larger, PAGE), larger[N]);
    munlock(larger, PAGE);
    munmap(larger, BYTES);
}

/* Not blocks, or smaller ones than they look. */
static void others(int file)
{
    double *shared = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    double *same = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    grow(shared, order, ROWS, N, 1);
    printf("%.10g ", product(same, x, order, ROWS, N));
    same[8] = 4;
    printf("%.10g ", product(shared, x, order, ROWS, N));
    munmap(shared, BYTES), munmap(same, BYTES);

    const size_t behind = BYTES + 100 * PAGE;       /* the file ends before */
    const double *long_one = mmap(NULL, behind, PROT_READ, MAP_PRIVATE, file, 0);
    printf("%.10g ", product(long_one, x, order, ROWS, N));
    printf("%.10g ", product(long_one, x, order, ROWS, N));
    munmap((void *)long_one, behind);
    const double *second = mmap(NULL, BYTES, PROT_READ, MAP_PRIVATE, file, 20 * N * sizeof *second);
    printf("%.10g ", product(second, x, order, rows_in(BYTES) / 2, N));
    munmap((void *)second, BYTES);

    double *reserved = mmap(NULL, (size_t)1 << 40, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (reserved != MAP_FAILED) {
        grow(reserved, order, ROWS, N, 1);
        printf("%.10g ", product(reserved, x, order, ROWS, N));
        munmap(reserved, (size_t)1 << 40);
    } else
        printf("%.10g ", (x[0] + x[1] + x[2]) * ROWS * (ROWS + 1) / 2 + 0 * x[3]);
    errno = 0;
    printf("%d %d ", munmap((char *)y + 1, 10), errno == EINVAL);
    printf("%d\n", mmap(NULL, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED && errno == EINVAL);
}

int main(void)
{
    char name[] = "/tmp/mappedXXXXXX";
    const int file = mkstemp(name);
    double *row = malloc(N * sizeof *row);
    unlink(name);
    for (int i = 0; i < ROWS; i++) {
        order[i] = ROWS - 1 - i;
        for (int j = 0; j < N; j++)
            row[j] = i + j % 7;
        if (write(file, row, N * sizeof *row) != N * sizeof *row)
            return 1;
    }
    x[0] = 1, x[2047] = 2;
    read_only(file), parts(file), others(file);
    free(row), close(file);
    return 0;
}
