/* on device: 3
   Functions that change variables of their own: parameters, elements of an array, members of a struct. Evaluating such a
   call twice gives one value twice, so these are maxima and minima; and nothing notices where a call is left out. */
#include <stdio.h>

struct pair { double low, high; };

static double v[1000];

static double doubled(double x)
{
    x *= 2;
    return x;
}

static double size(double x)
{
    double both[2];
    both[0] = x;
    both[1] = -x;
    return both[both[0] < 0];
}

static double width(struct pair p)
{
    p.high -= p.low;
    return p.high;
}

int main(void)
{
    double greatest = 0, largest = 0, narrowest = 1e9;
    for (int i = 0; i < 1000; i++)
        v[i] = i * 37 % 1000 - 500;
    #pragma omp parallel for reduction(max : greatest)
    for (int i = 0; i < 1000; i++)
        if (doubled(v[i]) > greatest)
            greatest = doubled(v[i]);
    #pragma omp parallel for reduction(max : largest)
    for (int i = 0; i < 1000; i++)
        if (size(v[i]) > largest)
            largest = size(v[i]);
    #pragma omp parallel for reduction(min : narrowest)
    for (int i = 0; i < 999; i++) {
        struct pair p = {v[i], v[i] + i % 7 + 3};
        if (width(p) < narrowest)
            narrowest = width(p);
    }
    printf("%g %g %g\n", greatest, largest, narrowest);
    return 0;
}
