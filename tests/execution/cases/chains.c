/* Short loops one after the other, and host loops around them, which one block does; and those that one thing keeps from it. */
/* args: 40 3 */
/* args: 257 2 */
/* args: 2 1 */
/* args: 1 1 */
/* args: 0 0 */
/* expect-gpu: 15 */
/* expect-added: 10 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define N 260

static double a[N][N], q[N][N], b[N], x[N], y[N], seen[N];
static long marks[N], odd[N];
static unsigned char narrow[N];
static double last;

/* Rows, each of which waits for the one before: forwards with a statement behind the sum, backwards with a division. */
static void substitute(int n)
{
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        #pragma omp parallel for reduction(+ : sum)
        for (int j = 0; j < i; j++)
            sum += a[i][j] * y[j];
        y[i] = b[i] - sum;
    }
    for (int i = n - 1; i >= 0; i--) {
        double sum = 0.0;
        #pragma omp parallel for reduction(+ : sum)
        for (int j = i + 1; j < n; j++)
            sum += a[i][j] * x[j];
        x[i] = (y[i] - sum) / a[i][i];
    }
}

/* A sum that only the next statement and loop want; it began with a value of the host's. */
static void normalise(int n, int k, double squares)
{
    #pragma omp parallel for reduction(+ : squares)
    for (int i = 0; i < n; i++)
        squares += a[i][k] * a[i][k];
    q[k][k] = sqrt(squares);
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        b[i] = a[i][k] / q[k][k];
}

/* Neighbours: no fusion, but one block after a barrier. Variables of the host that nobody reads behind it. */
static void smooth(int n, int turns)
{
    int t, i;
    double least;
    for (t = 0; t < turns; t++) {
        #pragma omp parallel for
        for (i = 1; i < n - 1; i++)
            y[i] = (x[i - 1] + x[i] + x[i + 1]) / 3;
        #pragma omp parallel for private(least)
        for (i = 1; i < n - 1; i++) {
            least = y[i - 1] < y[i + 1] ? y[i - 1] : y[i + 1];
            x[i] = (y[i] + least) / 2;
        }
    }
}

/* Loops of several kinds in two host loops, steps of both signs, narrow elements, bits. */
static void count(int n, int turns)
{
    for (int t = turns; t > 0; t -= 2)
        for (long r = 0; r < n; r += 3) {
            long bits = r;
            #pragma omp parallel for reduction(^ : bits)
            for (int i = 0; i <= r; i++)
                bits ^= marks[i] * (i + t);
            marks[r] = bits % 1009;
            narrow[r] += 250;
            #pragma omp parallel for
            for (int i = n - 1; i > r; i--) {
                narrow[i] += marks[r] + 3;
                odd[i] = odd[i] * 3 % 1009 + narrow[i];
            }
        }
}

/* One thing each. */
static double results(int n, int turns)
{
    double kept = 0, left = 0;
    int k;
    for (k = 0; k < turns; k++) { /* `k` is read behind it */
        #pragma omp parallel for
        for (int i = 0; i < n; i++)
            x[i] += y[i] + k;
        #pragma omp parallel for
        for (int i = 1; i < n; i++)
            y[i] -= x[i - 1] / 8;
    }
    for (int t = 0; t < turns; t++) { /* what it adds up is wanted */
        double sum = 0;
        #pragma omp parallel for reduction(+ : sum)
        for (int i = 0; i < n; i++)
            sum += x[i] * (t + 1);
        kept += sum;
        seen[t] = sum;
    }
    for (int t = 0; t < turns; t++) { /* a variable of the file */
        #pragma omp parallel for reduction(max : left)
        for (int i = 0; i < n; i++)
            left = y[i] > left ? y[i] : left;
        last = left / 2;
        seen[t] += last;
    }
    for (int t = 0; t < turns && last < 1e9; t++) { /* it may end early */
        #pragma omp parallel for
        for (int i = 0; i < n; i++)
            b[i] += x[i] * t;
        if (n > 4 && b[4] > 1e3)
            break;
    }
    for (int t = 0; t < turns; t++) { /* iterations that only the pragma promises to be apart */
        #pragma omp parallel for
        for (int i = 0; i < n; i++)
            odd[(i * 7 + marks[0] * 0) % N] += i + t;
        #pragma omp parallel for
        for (int i = 0; i < n; i++)
            marks[i] += odd[N - 1 - i];
    }
    return kept + left + k;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 40, turns = argc > 2 ? atoi(argv[2]) : 3;
    for (int i = 0; i < N; i++) {
        b[i] = i % 5, x[i] = i % 3, y[i] = i % 7, marks[i] = i * 3 % 11, narrow[i] = i;
        for (int j = 0; j < N; j++)
            a[i][j] = (i * 7 + j * 3) % 11 * 0.01 + (i == j ? 4 : 0);
    }
    substitute(n);
    for (int k = 0; k < n; k += 1 + n / 5)
        normalise(n, k, k % 2);
    smooth(n, turns * 4);
    count(n, turns);
    double found = results(n, turns), sum = 0;
    long whole = 0;
    for (int i = 0; i < N; i++) {
        sum += x[i] * (i + 1) + y[i] * 3 + b[i] + seen[i];
        whole += marks[i] * (i + 1) + odd[i] + narrow[i];
        for (int j = 0; j < N; j++)
            sum += q[i][j];
    }
    printf("%.9g %.9g %.9g %ld\n", found, sum, last, whole);
    return 0;
}
