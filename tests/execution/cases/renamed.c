/* Variables that several loops of an iteration use, each for values of its own. */
/* args: 40 */
/* args: 3 */
/* expect-gpu: 6 */
#include <stdio.h>
#include <stdlib.h>
#define M 131

static double r[64][M], s[64][M], left[64];
static int marks[64];

static void show(const char *what)
{
    double sum = 0;
    for (int i = 0; i < 64; i++) {
        for (int j = 0; j < M; j++)
            sum += s[i][j] * ((i + 2 * j) % 5) + r[i][j];
        sum += left[i] + marks[i];
    }
    printf("%s %.12g\n", what, sum);
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 10, d = 1;
    int i, j, at, sign;
    double t, x[M];
    for (i = 0; i < 64; i++)
        for (j = 0; j < M; j++)
            r[i][j] = (i * 17 + j * 5) % 23;

    /* the same names in loops one after the other */
#pragma omp parallel for private(j, at, t, x)
    for (i = 0; i < n; i++) {
        for (j = 1; j < 65; j++) {
            at = 2 * j - d;
            x[at] = r[i][at] + 1;
            t = x[at];
            x[at - 1] = t / 2;
        }
        for (j = 0; j < 60; j++) {
            at = 2 * j + d;
            t = x[at] - x[at + 1];
            s[i][j] = t;
        }
    }
    show("after");

    /* one inside of another, and between them; set in one branch only: what the loop before has left is read */
#pragma omp parallel for private(j, at, t, sign)
    for (i = 0; i < n; i++) {
        sign = 1;
        for (j = 0; j < 20; j++) {
            at = j + 1;
            t = r[i][at];
            for (int k = 0; k < 3; k++) {
                at = 3 * j + k;
                s[i][at] += t;
            }
            at = j + 2;
            s[i][at] -= t;
            if (r[i][j] > 11)
                sign = -1;
        }
        for (j = 0; j < 20; j++) {
            if (j > 3)
                sign = j % 2;
            s[i][j] *= sign;
        }
    }
    show("inside");

    /* read behind the loop, or by its next iteration */
#pragma omp parallel for private(j, at, t)
    for (i = 0; i < n; i++) {
        for (j = 0; j < 20; j++) {
            at = j * 2;
            s[i][j] += at;
        }
        left[i] = n > 5 ? at : 0;
        t = 0;
        for (j = 0; j < 20; j++) {
            s[i][j] += t;
            t = s[i][j] * 0.5;
        }
        for (j = 0; j < 20; j++) {
            t = j;
            at = j + 3;
            s[i][at] -= t;
        }
    }
    show("behind");

    /* jumps */
#pragma omp parallel for private(j, at)
    for (i = 0; i < n; i++) {
        for (j = 0; j < 30; j++) {
            at = (i * 7 + j) % 31;
            if (at == 3)
                break;
            marks[i] += at;
        }
        for (j = 0; j < 30; j++) {
            if (j % 3 == 1)
                continue;
            at = j * 2;
            marks[i] += at;
        }
        marks[i] -= 5;
    }
    show("jumps");

    /* lastprivate is the same variable to the end; a pointer */
    const double *p;
    int last = -1;
#pragma omp parallel for private(j, p) lastprivate(last)
    for (i = 0; i < n; i++) {
        for (j = 0; j < 30; j++) {
            p = r[i] + j;
            last = j;
            s[i][j] += p[1];
        }
        for (j = 0; j < 30; j++) {
            p = r[(i + 1) % n] + 2 * j;
            last = j + i;
            s[i][j] += p[0] * last;
        }
    }
    show("last");

    /* new names are no enumerator's */
    enum { at_2 = 3, s_i_j = 5 };
#pragma omp parallel for private(j, at)
    for (i = 0; i < n; i++) {
        for (j = 0; j < 30; j++) {
            at = 2 * j;
            s[i][at] += j;
        }
        for (j = 0; j < 30; j++) {
            at = 2 * j + 1;
            s[i][at] += at_2;
        }
        for (j = 0; j < 4; j++)
            for (int k = 0; k < 4; k++)
                s[i][j] += s_i_j + k;
    }
    show("enumerators");
    printf("%d\n", last);
    return 0;
}
