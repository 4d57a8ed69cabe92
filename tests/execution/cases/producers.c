/* Loops of an iteration of which one makes, step by step, what the next one uses up. */
/* args: 64 */
/* args: 7 */
/* args: 1 */
/* args: 0 */
/* expect-gpu: 17 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#define NK 1024
#define ROWS 40

static double numbers[2 * NK];
#pragma omp threadprivate(numbers)
static double found[ROWS];
static long counts[10];
static long own[10];
#pragma omp threadprivate(own)

static void generate(int n, double *x, double a, double to[])
{
    const double half = 0.5;
    for (int i = 0; i < n; i++) {
        double y = *x * a + half;
        *x = y - (int)y;
        to[i] = *x;
    }
    return;
}

static double advance(double *x, double a)
{
    *x = *x * a - (int)(*x * a);
    return *x;
}

static void show(const char *what)
{
    double sum = 0;
    for (int i = 0; i < ROWS; i++) {
        sum = sum * 0.9 + found[i];
        found[i] = i;
    }
    printf("%s %.12g\n", what, sum);
}

static double told(int made, int k, int e, double value)
{
    if (k == 3 && e < 3)
        printf("%d %d\n", made, e);
    return value;
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 10;
    double t1, t2, s;
    int i, k, l;

    /* Numbers by twos, of a function that gets the address of what it goes on from; counts of each thread's own. */
    #pragma omp parallel private(t1, t2, i, l)
    {
        for (i = 0; i < 10; i++)
            own[i] = 0;
        #pragma omp for nowait
        for (k = 0; k < ROWS; k++) {
            t1 = 0.1 + k * 0.01;
            advance(&t1, 3.25);
            generate(2 * n, &t1, 7.75, numbers);
            for (i = 0; i < n; i++) {
                t1 = 2 * numbers[2 * i] - 1;
                t2 = 2 * numbers[2 * i + 1] - 1;
                l = (int)(fabs(t1 * t2) * 9);
                own[l] += i + 1;
            }
        }
        for (i = 0; i < 10; i++) {
            #pragma omp atomic
            counts[i] += own[i];
        }
    }
    for (i = 0; i < 10; i++)
        printf("%ld ", counts[i]);
    printf("\n");

    /* One element each time; the counter and the last state are wanted. */
    #pragma omp parallel for private(i, s)
    for (k = 0; k < ROWS; k++) {
        double x[NK], sum = 0;
        s = k;
        for (i = 0; i < n; i++) {
            s = s * 0.5 + i;
            x[i] = s;
        }
        for (i = 0; i < n; i++)
            sum = sum * 0.25 + x[i];
        found[k] += sum + s + i;
    }
    show("one");

    /* By threes from another number on, pairs in the array. */
    #pragma omp parallel for private(s)
    for (k = 0; k < ROWS; k++) {
        double x[3 * NK + 9][2], sum = 0;
        s = k;
        for (int e = 6; e < 6 + 3 * n; e++) {
            s = s * 0.75 + e;
            x[e + 1][0] = s;
            x[e + 1][1] = s * x[e + 1][0];
        }
        for (int e = 2; e < 2 + n; e++)
            sum = sum * 0.5 + x[3 * e + 1][0] - x[3 * e + 3][1] * 0.25 + x[3 * e + 2][1];
        found[k] += sum + s;
    }
    show("three");

    /* A chain of three loops. */
    #pragma omp parallel for
    for (k = 0; k < ROWS; k++) {
        double x[NK], y[NK], sum = 0, p = k, q = 1;
        for (int e = 0; e < n; e++)
            x[e] = p = p * 0.5 + 1;
        for (int e = 0; e < n; e++) {
            p = p * 0.5 + e;
            x[e] = p;
        }
        for (int e = 0; e < n; e++) {
            q = q * 0.5 + x[e];
            y[e] = q - 1;
        }
        for (int e = 0; e < n; e++)
            sum = sum * 0.5 + y[e];
        found[k] += sum + p + q;
    }
    show("chain");

    /* Not all of them: a loop that ends early. */
    #pragma omp parallel for private(s)
    for (k = 0; k < ROWS; k++) {
        double x[NK], sum = 0;
        s = k;
        for (int e = 0; e < n; e++) {
            s = s * 0.5 + e;
            x[e] = s;
        }
        for (int e = 0; e < n; e++) {
            if (x[e] > 20)
                break;
            sum = sum * 0.25 + x[e];
        }
        found[k] += sum + s;
    }
    show("early");

    /* A value of the loop before. */
    #pragma omp parallel for private(s)
    for (k = 0; k < ROWS; k++) {
        double x[NK], sum = 0;
        s = k;
        for (int e = 0; e < n; e++) {
            s = s * 0.5 + e;
            x[e] = s;
        }
        for (int e = 0; e < n; e++) {
            if (e > 0)
                sum = sum * 0.25 + x[e - 1];
            sum += x[e];
        }
        found[k] += sum + s;
    }
    show("before");

    /* The second loop wants what the first one has left, and sets what that one began with. */
    #pragma omp parallel for private(s)
    for (k = 0; k < ROWS; k++) {
        double x[NK], sum = 0;
        s = k;
        for (int e = 0; e < n; e++) {
            s = s * 0.5 + e;
            x[e] = s;
        }
        for (int e = 0; e < n; e++)
            sum = sum * 0.25 + x[e] * s;
        found[k] += sum;
    }
    show("after");

    /* One more, or one less. */
    #pragma omp parallel for private(s)
    for (k = 0; k < ROWS; k++) {
        double x[NK + 1], sum = 0;
        s = k;
        for (int e = 0; e < n + 1; e++) {
            s = s * 0.5 + e;
            x[e] = s;
        }
        for (int e = 0; e < n; e++)
            sum = sum * 0.25 + x[e];
        found[k] += sum + s;
    }
    show("more");

    /* An accumulator between them. */
    #pragma omp parallel for private(s)
    for (k = 0; k < ROWS; k++) {
        double x[NK], sum = 0, y;
        s = k;
        for (int e = 0; e < n; e++) {
            s = s * 0.5 + e;
            x[e] = s;
        }
        y = s;
        found[k] += 1;
        for (int e = 0; e < n; e++)
            sum = sum * 0.25 + x[e] * y;
        found[k] += sum;
    }
    show("between");

    /* What stands between them is read by way of a pointer. */
    #pragma omp parallel for private(s)
    for (k = 0; k < ROWS; k++) {
        double x[NK], sum = 0, y = 0, *at = &y;
        s = k;
        for (int e = 0; e < n; e++) {
            s = s * 0.5 + e;
            x[e] = s;
        }
        y = s;
        for (int e = 0; e < n; e++) {
            sum = sum * 0.25 + x[e] * *at;
            y = e;
        }
        found[k] += sum;
    }
    show("pointer");

    /* Names that mean something else in the second loop, in the first one, and between them. */
    #pragma omp parallel for private(s)
    for (k = 0; k < ROWS; k++) {
        double x[NK], sum = 0;
        s = k;
        for (int e = 0; e < n; e++) {
            s = s * 0.5 + k;
            x[e] = s;
        }
        for (int k = 0; k < n; k++)
            sum = sum * 0.25 + x[k];
        found[k] += sum + s;
    }
    show("hidden");
    #pragma omp parallel for private(s)
    for (k = 0; k < ROWS; k++) {
        double x[NK], sum = 0;
        s = k;
        for (int e = 0; e < n; e++) {
            for (int m = 0; m < 3; m++)
                s = s * 0.5 + e - m;
            x[e] = s;
        }
        for (int m = 0; m < n; m++)
            sum = sum * 0.25 + x[m];
        found[k] += sum + s;
    }
    show("inner");
    #pragma omp parallel for private(s)
    for (k = 0; k < ROWS; k++) {
        double x[NK], sum = 0, y = 2;
        s = k;
        {
            for (int e = 0; e < n; e++) {
                s = s * 0.5 + y;
                x[e] = s;
            }
            double y = k;
            for (int e = 0; e < n; e++)
                sum = sum * 0.25 + x[e] * y;
        }
        found[k] += sum + y;
    }
    show("meant");
    /* A counter that another loop has, too. */
    #pragma omp parallel for private(s)
    for (k = 0; k < ROWS; k++) {
        int e;
        double x[NK], sum = 0;
        s = k;
        for (e = 0; e < n; e++) {
            s = s * 0.5 + e;
            x[e] = s;
        }
        for (int j = 0; j < n; j++)
            sum = sum * 0.25 + x[j];
        for (e = 0; e < n; e++)
            sum += e * 0.125;
        found[k] += sum;
    }
    show("counters");
    /* Elements that have a value before. */
    #pragma omp parallel for private(s)
    for (k = 0; k < ROWS; k++) {
        double x[NK] = {5, 7, 9}, sum = 0;
        s = k;
        for (int e = 0; e < n; e++) {
            s = s * 0.5 + k;
            x[e] = x[e] + s;
        }
        for (int e = 0; e < n; e++)
            sum = sum * 0.25 + x[e];
        found[k] += sum;
    }
    show("initialised");
    /* Rows and columns, which cross. */
    #pragma omp parallel for private(s)
    for (k = 0; k < ROWS; k++) {
        double x[64][64], sum = 0;
        s = k;
        for (int e = 0; e < n; e++) {
            s = s * 0.5 + e;
            x[e][3] = s;
            x[3][e] = s + 1;
        }
        for (int e = 0; e < n; e++)
            sum = sum * 0.25 + x[e][3] * 2 + x[3][e];
        found[k] += sum;
    }
    show("crossed");
    /* Functions that print. */
    #pragma omp parallel for private(s)
    for (k = 0; k < ROWS; k++) {
        double x[NK], sum = 0;
        s = k;
        for (int e = 0; e < n; e++) {
            s = told(1, k, e, s) * 0.5 + e;
            x[e] = s;
        }
        for (int e = 0; e < n; e++)
            sum = sum * 0.25 + told(0, k, e, x[e]);
        found[k] += sum;
    }
    show("printed");
    return 0;
}
