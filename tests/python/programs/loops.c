/* Loops on arrays of Python's. */
#ifndef FACTOR
#define FACTOR 2
#endif
#include <math.h>
#include <stdio.h>

double weights[4] = {1, 2, 3, 4};
int calls;

/* a *= FACTOR */
void scale(int n, int m, double a[n][m])
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] *= FACTOR;
}

void flat(float t[3][4])
{
#pragma omp parallel for
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            t[i][j] += i * 10 + j;
}

double dot(long n, const double *restrict x, const double *y)
{
    double sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (long i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

/* u and v stay on the device between the steps. */
void steps(int n, double *u, double *v, int times)
{
    for (int t = 0; t < times; t++) {
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            v[i] = (u[i - 1] + u[i] + u[i + 1]) / 3;
        double *w = u;
        u = v;
        v = w;
    }
}

/* The extent of x is known only from the array that is given. */
void spmv(int rows, const int *start, const int *column, const double *value, const double *x, double *y)
{
#pragma omp parallel for
    for (int r = 0; r < rows; r++) {
        double sum = 0;
        for (int k = start[r]; k < start[r + 1]; k++)
            sum += value[k] * x[column[k]];
        y[r] = sum;
    }
}

/* The host reads between the launches. */
double watched(int n, double *x)
{
    double seen = 0;
    for (int t = 0; t < 3; t++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            x[i] += weights[i % 4];
        seen += x[0];
        x[1] = 0;
    }
    calls++;
    return seen;
}

void row_sums(int n, int m, double *const *rows, double *sums)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        sums[i] = 0;
        for (int j = 0; j < m; j++)
            sums[i] += rows[i][j];
    }
}

struct particle {
    float x, v;
    int hits;
};

void push(struct particle *p, int n, float dt)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        p[i].x += p[i].v * dt;
        if (p[i].x > 1) {
            p[i].x -= 1;
            p[i].hits++;
        }
    }
}

void histogram(const unsigned char *data, long n, int *bins)
{
#pragma omp parallel for
    for (long i = 0; i < n; i++) {
#pragma omp atomic
        bins[data[i]]++;
    }
}

/* Bounds that the host reads, and an array that a loop leaves to the host. */
void bounded(const int *n, double *x)
{
#pragma omp parallel for
    for (int i = 0; i < *n; i++)
        x[i] = sqrt(x[i]);
}

void mapped(int n, double *x)
{
#pragma omp target enter data map(to : x[0 : n])
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
        x[i] += 1;
}

void in_target_data(int n, double *x, const double *y)
{
#pragma omp target data map(tofrom : x[0 : n]) map(to : y[0 : n])
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++)
            x[i] += y[i];
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            x[i] *= 2;
    }
}

/* A loop that gives the launch up, as one of its iterations prints too much or ends; here none does. */
void checked(int n, double *x)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        if (x[i] < 0)
            printf("negative %d\n", i);
        x[i] += 1;
    }
}

/* More than the arrays that are given have, unless n says so. */
double shift(int n, double *x, const double *y, int times)
{
    double sum = 0;
    for (int t = 0; t < times; t++)
#pragma omp parallel for reduction(+ : sum)
        for (int i = 0; i < n; i++) {
            x[i] += y[i];
            sum += x[i];
        }
#pragma omp parallel
    {
#pragma omp for
        for (int i = 1; i < n; i++)
            x[i - 1] += 1;
    }
    return sum;
}

int squares(int n, int (*square)(int))
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += square(i);
    return sum;
}
