/* Best values of which the program says which of equal ones is meant: the same answer in any order. The last loops are not
   of that form: they stay, or are ordered as their threads are. */
/* args: 3000 */
/* args: 1 */
/* expect-gpu: 11 */
/* expect-host: OMPC348 OMPC348 OMPC348 OMPC348 OMPC348 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define N 3000

struct found { double value; int at; char tag; };

static double a[N];
static int key[N], order[N];

static void set_values(int n)
{
    for (int i = 0; i < n; i++) {
        a[i] = i % 97 == 5 ? NAN : i % 89 == 3 ? -0.0 : i % 89 == 4 ? 0.0 : (i * 7919) % 13 + 0.5;
        key[i] = (i * 31) % 17 - 4;
        order[i] = (i * 7919 + 11) % 3001;
    }
}

static void least_and_greatest(int n)
{
    double best = 1e30, highest = -1e30, given = 0.0;
    int at = -1, last = n, at_given = 2000;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        #pragma omp critical
        { if (a[i] < best || (a[i] == best && i < at)) { best = a[i]; at = i; } }
    #pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < n; i++) {
        double value = a[i] * 2;
        #pragma omp critical (highest)
        if ((last <= i && value == highest) || highest < value)
            highest = value, last = i;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        #pragma omp critical
        if (given > a[i] || (at_given > i && given == a[i])) { at_given = i; given = a[i]; }
    printf("%g %d %g %d %g %d\n", fabs(best), at, highest, last, fabs(given), at_given);
}

static void integers(int n)
{
    int least = 1000, most = -1000, most_before = 1000;
    long at = -1, there = -1;
    unsigned long product = 0;
    #pragma omp parallel for
    for (int i = n - 1; i >= 0; i--)
        if (key[i] <= least) {
            #pragma omp critical
            if (key[i] < least || (key[i] == least && i > at)) { least = key[i]; at = i; }
        }
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        #pragma omp critical
        if (key[i] > most || (key[i] == most && order[i] < most_before)) {
            most = key[i];
            most_before = order[i];
            there = i;
            product = (unsigned long)i * 3;
        }
    printf("%d %ld %d %d %ld %lu\n", least, at, most, most_before, there, product);
}

static void records(int n)
{
    struct found best = {-1, 0, 'x'};
    double value = 1e30;
    long at = -1;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        #pragma omp critical
        if (a[i] > best.value || (a[i] == best.value && i < best.at)) {
            best.value = a[i];
            best.at = i;
            best.tag = (char)('a' + i % 26);
        }
    #pragma omp parallel for collapse(2)
    for (int i = 0; i < n / 10; i++)
        for (int j = 0; j < 10; j++) {
            long place = (long)j * n + i;
            #pragma omp critical
            if (a[i * 10 + j] < value || (a[i * 10 + j] == value && place < at)) { value = a[i * 10 + j], at = place; }
        }
    printf("%g %d %c %g %ld\n", best.value, best.at, best.tag, fabs(value), at);
}

static void in_one_region(int n)
{
    float best = 1e30f;
    int at = n, at_second = n, second = 10000;
    #pragma omp parallel
    {
        #pragma omp for nowait
        for (int i = 0; i < n; i++)
            #pragma omp critical (first)
            if (key[i] * 0.5f < best || (key[i] * 0.5f == best && i < at)) { best = key[i] * 0.5f; at = i; }
        #pragma omp for
        for (int i = 0; i < n; i++)
            #pragma omp critical (second)
            if (order[i] < second || (i <= at_second && order[i] == second)) { second = order[i]; at_second = i; }
    }
    printf("%g %d %d %d\n", best, at, second, at_second);
}

static void strict_in_every_part(int n)
{
    double best = 1e30, x = 1e30;
    int at = -1, other = -1;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        #pragma omp critical
        if (a[i] < best || (a[i] == best && i < at)) { best = a[i]; at = i; }
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        #pragma omp critical
        if (a[i] < x || (a[i] == x && i < other)) { x = a[i]; other = i; }
    printf("%d %d\n", at == other, fabs(best) == fabs(x));
}

static void not_of_the_form(int n)
{
    double best = 1e30, tie = 1e30;
    int at = -1, never = n, count = 0;
    unsigned small = 1u << 31;
    #pragma omp parallel for  /* a tie in floating point: of NaN, no order */
    for (int i = 0; i < n; i++)
        #pragma omp critical
        if (key[i] < best || (key[i] == best && order[i] + 0.25 < tie)) { best = key[i]; tie = order[i] + 0.25; }
    printf("%g %g\n", best, tie);
    best = 1e30;
    #pragma omp parallel for  /* what is compared is not what is stored */
    for (int i = 0; i < n; i++)
        #pragma omp critical
        if (key[i] < best || (key[i] == best && i < at)) { best = key[i]; at = n - i; }
    best = 1e30;
    #pragma omp parallel for  /* the tie is between keys that need not be equal */
    for (int i = 0; i < n; i++)
        #pragma omp critical
        if (key[i] < best || (key[i] == best + 1 && i < at)) { best = key[i]; at = i; }
    best = 1e30;
    #pragma omp parallel for  /* nothing is assigned to what decides */
    for (int i = 0; i < n; i++)
        #pragma omp critical
        if (key[i] < best || (key[i] == best && i < never)) { best = key[i]; count = i < 0; }
    printf("%g %d\n", best, count);
    best = 1e30;
    #pragma omp parallel for  /* an int as an unsigned number */
    for (int i = 0; i < n; i++)
        #pragma omp critical
        if (key[i] < best || (key[i] == best && i < small)) { best = key[i]; small = i; }
    printf("%g %u\n", best, small);
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    set_values(n);
    least_and_greatest(n);
    integers(n);
    records(n);
    in_one_region(n);
    strict_in_every_part(n);
    not_of_the_form(n);
}
