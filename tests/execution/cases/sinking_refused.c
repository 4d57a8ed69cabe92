/* Statements between two loops that must not be repeated: the inner loop changes what they read, or what they compute;
   they have effects, or are atomic operations; a value goes from one inner iteration to the next. */
/* args: 0 */
/* args: 3 */
/* expect-gpu: 13 */
/* refuses: OMPC453 */
#include <stdio.h>
#include <stdlib.h>

static double a[20][24], r[20], work[400];
static int on[20], calls[20], flat[400];

static int noted(int i) { calls[i]++; return i % 3; }

static double sum(void)
{
    double found = 0;
    for (int i = 0; i < 20; i++)
        for (int j = 0; j < 24; j++) found += a[i][j] * (i * 24 + j) + r[i];
    return found;
}

int main(int argc, char **argv)
{
    for (int i = 0; i < 20; i++) r[i] = i, on[i] = i % 2;

    /* the coefficient's own element is written, by the array's name and through a pointer */
    #pragma omp parallel for
    for (int i = 0; i < 20; i++) {
        double f = r[i];
        for (int j = 0; j < 24; j++) { a[i][j] += f; r[i] = j; }
    }
    printf("%g\n", sum());
    double *alias = r;
    for (int turn = 0; turn < 2; turn++, alias = work) {
        #pragma omp parallel for
        for (int i = 0; i < 20; i++) {
            double f = r[i];
            for (int j = 0; j < 24; j++) { a[i][j] += f; alias[i] += 1; }
        }
    }
    printf("%g\n", sum());
    /* an element of the row that the inner loop writes, and one that it does not */
    #pragma omp parallel for
    for (int i = 0; i < 20; i++) {
        double f = a[i][3];
        for (int j = 0; j < 24; j++) a[i][j] -= f;
    }
    printf("%g\n", sum());
    #pragma omp parallel for
    for (int i = 0; i < 20; i++) {
        double f = a[i][0] + 1;
        for (int j = 1; j < 24; j++) a[i][j] /= f * f + 1;
    }
    printf("%g\n", sum());
    /* a guard that the loop changes, one with an effect */
    #pragma omp parallel for
    for (int i = 0; i < 20; i++) {
        if (!on[i]) continue;
        for (int j = 0; j < 24; j++) { a[i][j] += 1; on[i] = 0; }
    }
    #pragma omp parallel for
    for (int i = 0; i < 20; i++) {
        if (!noted(i)) continue;
        for (int j = 0; j < 24; j++) a[i][j] += 2;
    }
    #pragma omp parallel for
    for (int i = 0; i < 20; i++) {
        if (calls[i]++ > 5) continue;
        for (int j = 0; j < 24; j++) a[i][j] += 3;
    }
    for (int i = 0; i < 20; i++) printf("%d %d ", on[i], calls[i]);
    printf("%g\n", sum());
    /* values that go on from one iteration of the inner loop to the next */
    #pragma omp parallel for
    for (int i = 0; i < 20; i++) {
        int at = i * 20;
        for (int j = 0; j < 20; j++) flat[at++] = i - j;
    }
    #pragma omp parallel for
    for (int i = 0; i < 20; i++) {
        double before, *p = work + i * 20;
        before = i;
        for (int j = 0; j < 20; j++) { double now = before * 0.5; *p++ = now; before = now + j; }
    }
    #pragma omp parallel for
    for (int i = 0; i < 20; i++) {
        int off = i, *p = flat + off;
        for (int j = 0; j < 1; j++) { off = 5; p[off * 0] += off; }
    }
    double found = sum();
    for (int i = 0; i < 400; i++) found += work[i] * i + flat[i] * (i % 13);
    printf("%g\n", found);
    /* an atomic operation that is done once for each row */
    #pragma omp parallel for
    for (int i = 0; i < 20; i++) {
        #pragma omp atomic
        calls[i % 5] += 3;
        for (int j = 0; j < 24; j++) a[i][j] -= 0.5 * j;
    }
    printf("%d %d %g\n", calls[0], calls[4], sum());
    /* a bound that the body changes, a division that only a guard allows */
    #pragma omp parallel for
    for (int i = 0; i < 20; i++) {
        int end = 10;
        for (int j = 0; j < end; j++) { a[i][j] += end; end -= j % 2; }
    }
    int zero = atoi(argv[argc - 1]);
    #pragma omp parallel for
    for (int i = 0; i < 20; i++) {
        if (zero == 0) continue;
        for (int j = 0; j < 24 / zero; j++) a[i][j] = 7;
    }
    printf("%g\n", sum());
    return 0;
}
