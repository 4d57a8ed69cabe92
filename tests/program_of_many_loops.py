"""A program as people write them, of about a thousand lines: sixty functions, forty of them with a parallel loop.

With a thousand functions it is a file of which the time must not be more than so many times longer.
"""

from __future__ import annotations

FUNCTIONS = 60
LOOPS = 40

_TOP = """\
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <omp.h>

#define N 300
#define M 200

static double grid[N][M];
static double next[N][M];
static float weights[33];
static int histogram[256];
"""

_WITH_LOOPS = (
    """\
/* One sweep over the interior. */
static double step_@(int n, double *a, double *b)
{
    double error = 0.0;
    int rows = n < N ? n : N;

#pragma omp parallel for reduction(+:error)
    for (int i = 1; i < rows - 1; i++)
        for (int j = 1; j < M - 1; j++) {
            const double r = grid[i - 1][j] + grid[i + 1][j] + grid[i][j - 1] + grid[i][j + 1];
            next[i][j] = 0.25 * r + @.5;
            error += fabs(next[i][j] - grid[i][j]);
        }
    a[0] = error;
    b[0] = @;
    return error;
}
""",
    """\
/* a = a + @ b, with a limit. */
static double step_@(int n, double *a, double *b)
{
    const double limit = 1.0 / (n + @ + 1);
    double largest = 0.0;

#pragma omp parallel for reduction(max:largest) schedule(static)
    for (int i = 0; i < n; i++) {
        double v = a[i] + @ * b[i];
        if (v > limit)
            v = limit;
        a[i] = v;
        largest = fmax(largest, v);
    }
    return largest;
}
""",
    """\
/* A filter with 33 coefficients. */
static double step_@(int n, double *a, double *b)
{
    for (int j = 0; j < 33; j++)
        weights[j] = (float)j / (@ + 1.0f);
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int j = 0; j < 33; j++)
            if (i + j < n)
                sum += weights[j] * a[i + j];
        b[i] = sum;
    }
    return b[n / 2];
}
""",
    """\
/* How many values fall into each bin. */
static double step_@(int n, double *a, double *b)
{
    memset(histogram, 0, sizeof histogram);
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        const int bin = (int)(fabs(a[i]) * 255.0) & 255;
#pragma omp atomic
        histogram[bin]++;
    }
    b[n - 1] = histogram[@];
    return histogram[0];
}
""",
)

_WITHOUT = """\
/* Bookkeeping on the host. */
static double step_@(int n, double *a, double *b)
{
    double sum = 0.0;
    char name[32];

    snprintf(name, sizeof name, "step %d", @);
    for (int i = 0; i < n; i++) {
        switch (i % 3) {
        case 0: sum += a[i]; break;
        case 1: sum -= b[i]; break;
        default: sum *= 0.5;
        }
    }
    return sum + (double)strlen(name);
}
"""

_MAIN = """\
int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 100;
    double sum = 0.0;
    double *a = malloc(sizeof(double) * (size_t)n), *b = malloc(sizeof(double) * (size_t)n);

    for (int i = 0; i < n; i++)
        a[i] = b[i] = i;
@    printf("%.9e\\n", sum);
    free(a);
    free(b);
    return 0;
}
"""


def program(functions: int = FUNCTIONS, loops: int = LOOPS) -> str:
    """The text; it compiles without warnings."""
    kinds = [_WITH_LOOPS[k % len(_WITH_LOOPS)] if k < loops else _WITHOUT for k in range(functions)]
    texts = [text.replace("@", str(k)) for k, text in enumerate(kinds)]
    calls = "".join(f"    sum += step_{k}(n, a, b);\n" for k in range(functions))
    return "\n".join([_TOP, *texts, _MAIN.replace("@", calls)])
