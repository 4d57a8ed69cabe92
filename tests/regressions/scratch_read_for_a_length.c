/* on device: 2
   A variable of the file that a loop leaves a value in, and that a call reads to find the length of a parameter's rows, or that is
   read behind the second return of setjmp, is not each iteration's own. */
#include <setjmp.h>
#include <stdio.h>

enum { N = 200 };
static int length, lengths[4];
#pragma omp threadprivate(lengths)
static double a[N][N], b[N], last;
static jmp_buf back;

static double second_row(double x[][length])
{
    return x[1][2];
}

static void one_writes(void)
{
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        if (i == 7) {
            length = N;
            b[i] = length;
        }
}

static double second_row_of_thread(double x[][lengths[1]])
{
    return x[1][3];
}

static void of_one_thread(void)
{
#pragma omp parallel for num_threads(1)
    for (int i = 0; i < N; i++) {
        lengths[0] = 3, lengths[1] = N, lengths[2] = 1, lengths[3] = 2;
        b[i] += lengths[0] + lengths[3];
    }
}

static double after_jump(void)
{
    last = 0;
    if (setjmp(back) == 0) {
#pragma omp parallel for
        for (int i = 0; i < N; i++)
            if (i == 9) {
                last = i * 0.5;
                b[i] = last * last;
            }
        longjmp(back, 1);
    }
    return last;
}

/* Nobody reads these. */
static double work;

static void both(void)
{
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        work = b[i] + i;
        b[i] = work * 2;
    }
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        work = a[i][i] + 1;
        a[i][i] = work * work;
    }
}

int main(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = i * 1000 + j;
    one_writes();
    printf("%g\n", second_row(a));
    of_one_thread();
    printf("%g\n", second_row_of_thread(a));
    printf("%g\n", after_jump());
    both();
    printf("%g %g %g\n", b[7], b[9], a[3][3]);
    return 0;
}
