/* Blocks of `ordered` in loops whose iterations are independent: what they print comes in the order of the iterations. */
/* args: 100 */
/* args: 1 */
/* args: 0 */
/* expect-gpu: 14 */
/* expect-host: OMPC355 OMPC355 OMPC355 OMPC355 OMPC355 OMPC355 OMPC313 OMPC313 OMPC355 OMPC355 OMPC355 */
#include <stdio.h>
#include <stdlib.h>

#define N 100
static double x[N], y[N];
static int table[8];

static void plain(int n)
{
    #pragma omp parallel for ordered
    for (int i = 0; i < n; i++) {
        y[i] = x[i] * 2 + i;
        #pragma omp ordered
        printf("%d: %g\n", i, y[i]);
    }
    #pragma omp parallel for ordered schedule(dynamic) private(table)
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = 0; k < i; k++)
            s += x[k];
        #pragma omp ordered threads
        {
            if (i % 3 == 0)
                printf("%g ", s);
            y[i] = s;
        }
    }
    printf("\n");
}

static void in_region(int n)
{
    #pragma omp parallel
    {
        #pragma omp for ordered schedule(static, 1)
        for (int i = n; i > 0; i -= 3) {
            #pragma omp ordered
            printf("[%d]", i);
        }
        #pragma omp for ordered
        for (unsigned char c = 200; c < 255; c += 5) {
            int twice = 2 * c;
            #pragma omp ordered
            {
                printf("<%d", twice);
                printf(">");
            }
        }
    }
    printf("\n");
}

static void say(int k)
{
    #pragma omp ordered
    printf("{%d}", k);
}

static void say_both(int k)
{
    if (k % 2)
        say(k);
    else {
        #pragma omp ordered
        printf("{even %g}", x[k]);
    }
}

static void add_previous(double *at, const double *before)
{
    #pragma omp ordered
    *at = *before + 1;
}

static void in_functions(int n)
{
    #pragma omp parallel for ordered schedule(dynamic)
    for (int i = 0; i < n; i += 5)
        say(i);
    printf("\n");
    #pragma omp parallel
    {
        #pragma omp for ordered
        for (int i = 0; i < n; i++)
            say_both(i);
    }
    printf("\n");
    #pragma omp parallel for ordered
    for (int i = 1; i < n; i++)
        add_previous(&y[i], &y[i - 1]); /* of what earlier iterations have left */
    say(1);
    printf("\n");
}

static void nests(int n)
{
    #pragma omp parallel for collapse(2) ordered
    for (int i = 0; i < n / 10; i++)
        for (int j = 5; j >= 0; j--) {
            #pragma omp ordered
            printf("%d,%d ", i, j);
        }
    printf("\n");
    #pragma omp parallel for ordered
    for (int i = 0; i < n / 10; i++) {
        #pragma omp ordered
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 2; k++)
                printf("%d.%d.%d ", i, j, k);
    }
    printf("\n");
    #pragma omp parallel for simd ordered
    for (int i = 0; i < n; i++) {
        #pragma omp ordered simd
        y[i] += x[i];
    }
}

static void jumps(int n)
{
    int last = -1;
    long sum = 0;
    #pragma omp parallel for ordered lastprivate(last)
    for (int i = 0; i < n; i++) {
        if (i % 2)
            continue;
        #pragma omp ordered
        {
            if (x[i] > 20)
                printf("%g is large\n", x[i]);
            else
                printf("%d\n", i);
        }
        last = i;
    }
    #pragma omp parallel for ordered reduction(+: sum)
    for (int i = 0; i < n; i++) {
        sum += i;
        #pragma omp ordered
        printf("%d ", table[i % 8]);
    }
    #pragma omp parallel for ordered if (n > 50)
    for (int i = 0; i < n; i++) {
        const int own = i * i;
        #pragma omp ordered
        if (own % 7 == 1) {
            printf("%d ", own);
        }
    }
    #pragma omp parallel for ordered
    for (int i = 0; i < n; i++)
        #pragma omp ordered
        fprintf(stdout, "%d;", i);
    printf("\nsum %ld, last %d\n", sum, n % 2 ? last : 0);
}

/* What blocks of earlier iterations have left matters. */
static void dependent(int n)
{
    int count = 0, at = 0, previous = 1;
    double s = 0;
    #pragma omp parallel for ordered
    for (int i = 0; i < n; i++) {
        #pragma omp ordered
        count += i % 3;
    }
    #pragma omp parallel for ordered
    for (int i = 0; i < n; i++) {
        const double own = x[i] / 3;
        #pragma omp ordered
        s = s * 0.5 + own;
    }
    #pragma omp parallel for ordered
    for (int i = 1; i < n; i++) {
        #pragma omp ordered
        y[i] = y[i - 1] + x[i];
    }
    #pragma omp parallel for ordered
    for (int i = 0; i < n; i++) {
        #pragma omp ordered
        {
            if (x[i] > 3)
                y[at++] = x[i];
        }
    }
    #pragma omp parallel for ordered
    for (int i = 0; i < n; i++) {
        #pragma omp ordered
        {
            printf("%d ", previous);
            previous = i;
        }
    }
    printf("%d %.10g %d\n", count, s, at);
}

static void waiting(int n)
{
    #pragma omp parallel for ordered(1)
    for (int i = 1; i < n; i++) {
        #pragma omp ordered depend(sink: i - 1)
        y[i] = y[i - 1] + 1;
        #pragma omp ordered depend(source)
    }
    #pragma omp parallel for ordered
    for (int i = 0; i < n; i++) {
        #pragma omp cancellation point for
        #pragma omp ordered
        y[i] += 1;
    }
}

/* The order alone says which iteration is the last one with a place. */
static void take_place(int *latest, int place, int i)
{
    #pragma omp ordered
    latest[place] = i;
}

static void places(int n)
{
    int latest[8] = {0};
    #pragma omp parallel for ordered
    for (int i = 0; i < n; i++)
        take_place(latest, i * 5 % 8, i);
    for (int k = 0; k < 8; k++)
        printf("%d ", latest[k]);
    printf("\n");
}

/* Sums in their order have last bits of their own, where they are not of whole numbers. */
static void sums(int n)
{
    float sum = 0, sums[2] = {0};
    int whole = 0;
#pragma omp parallel for ordered
    for (int i = 0; i < n; i++) {
#pragma omp ordered
#pragma omp atomic
        sum += (float)(x[i] * 0.3);
    }
#pragma omp parallel for ordered
    for (int i = 0; i < n; i++) {
#pragma omp ordered
        {
#pragma omp critical
            sums[i & 1] += (float)(x[i] * 0.3);
        }
    }
#pragma omp parallel for ordered
    for (int i = 0; i < n; i++) {
#pragma omp ordered
#pragma omp atomic
        whole += i;
    }
    printf("%.9g %.9g %.9g %d\n", sum, sums[0], sums[1], whole);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : N;
    for (int i = 0; i < n; i++) {
        x[i] = i % 30;
        table[i % 8] = i;
    }
    plain(n);
    in_region(n);
    in_functions(n);
    nests(n);
    jumps(n);
    dependent(n);
    waiting(n);
    sums(n);
    places(n);
    double s = 0;
    for (int i = 0; i < n; i++)
        s += y[i] * (i + 1);
    printf("%.10g\n", s);
    return 0;
}
