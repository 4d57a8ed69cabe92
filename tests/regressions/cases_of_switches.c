/* on device: 2
   Control comes to a case from the head of its switch too: past what other cases assign, and into the middle of a
   statement. What is assigned there is not assigned before each read. */
#include <stdio.h>

enum { N = 70 };
static int once[N], both[N], parts[N], carried[N][40];
static const int chosen[40] = {1, 0, 2, 3, 0, 0, 5};

static void keep(void)
{
#pragma omp parallel
    {
        int five[2] = {5, 5};
        int first[2] = {7, 8};
        struct {
            int x, y;
        } pair = {3, 4};
#pragma omp for
        for (int i = 0; i < N; i++)
            switch (i & 1) {
            case 0:
                five[0] = 5;
                once[i] = five[0];
                break;
            case 1:
                once[i] = five[0] * 3;
            }
#pragma omp for
        for (int i = 0; i < N; i++) {
            int k = 1;
            switch (i & 1) {
            case 0:
                k = 0;
                first[0] = 7;
            case 1:
                first[k] = 7 + k;
                both[i] = first[0] + first[1];
            }
        }
#pragma omp for
        for (int i = 0; i < N; i++)
            switch (i % 3) {
            case 0:
                pair.x = 3;
                break;
            case 1:
                pair.y = 4;
            default:
                parts[i] = pair.x + pair.y * 2;
            }
    }
}

/* An axis of the grid, if x were assigned before each read. */
static void into_the_middle(void)
{
    int x;
#pragma omp parallel for private(x)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < 40; j++)
            switch (chosen[j] & 1) {
            case 1:
                x = j * 2;
                if (chosen[j] > 100) {
                case 0:;
                }
                carried[i][j] += x;
            }
}

/* Shared by lanes, if x were. */
static double of_rows(const int *first, const double *value)
{
    double total = 0;
#pragma omp parallel for reduction(+ : total)
    for (int i = 0; i < N; i++) {
        double sum = 0, x;
        for (int j = first[i]; j < first[i + 1]; j++)
            switch (j == first[i]) {
            case 1:
                x = 3;
                if (value[j] > 1000) {
                case 0:;
                }
                sum += x * value[j];
                x += 1;
            }
        total += sum * (i % 5);
    }
    return total;
}

int main(void)
{
    static double value[N * 40];
    static int first[N + 1];
    long sum = 0;

    first[0] = 0;
    for (int i = 0; i < N; i++)
        first[i + 1] = first[i] + i % 37 + 1;
    for (int k = 0; k < first[N]; k++)
        value[k] = k % 11;
    keep();
    into_the_middle();
    for (int i = 0; i < N; i++) {
        sum = sum * 7 + once[i] + both[i] * 2 + parts[i] * 3;
        for (int j = 0; j < 40; j++)
            sum += carried[i][j] * (j + i % 9);
        sum %= 1000003;
    }
    printf("%ld %g\n", sum, of_rows(first, value));
    return 0;
}
