/* Arrays and structs of each thread in which iterations keep nothing, and some in which they do. */
/* args: 40 12 */
/* args: 7 5 */
/* expect-gpu: 12 */
/* expect-host: OMPC345 OMPC345 OMPC345 OMPC345 OMPC345 OMPC345 OMPC309 OMPC309 OMPC345 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#define N 64

struct point { double x, y; int tag[3]; };

static double u[N][N], v[N], coefficients[5][3] = {{1, 2, 3}, {2, 3, 4}, {3, 4, 5}, {4, 5, 6}, {5, 6, 7}};
static int sizes[2], kept_total;
static double flux[N], line[N][3], most_recent;
#pragma omp threadprivate(flux, line, most_recent)
static double kept[4];
#pragma omp threadprivate(kept)
static int calls;
#pragma omp threadprivate(calls)

static void solution(double x, double y, double t[5])
{
    int m;
    for (m = 0; m < 5; m++)
        t[m] = coefficients[m][0] + x * (coefficients[m][1] + y * coefficients[m][2]);
}

static void half_solution(double x, double *t)
{
    for (int m = 0; m < 5; m++) {
        if (x > 3)
            return;
        t[m] = x + m;
    }
}

static void set_point(struct point *p, int i)
{
    p->x = i;
    p->y = 2 * i;
    for (int k = 0; k < 3; k++)
        p->tag[k] = i + k;
}

static double from_row(const double (*rows)[3], int r)
{
    return rows[r][0] + rows[r][1] * rows[r][2];
}

/* the faces and the inside of a grid: the same array in loops one after another, and in a time loop */
static void faces(int n)
{
    #pragma omp parallel
    {
        int i, j, m, step;
        double x, y, temp[5], sides[2][3][5];
        struct point p;
        #pragma omp for nowait
        for (i = 0; i < n; i++) {
            x = i * 0.5;
            solution(x, 0, temp);
            for (m = 0; m < 5; m++)
                u[i][m] = temp[m];
        }
        for (step = 0; step < 2; step++) {
            #pragma omp for
            for (i = 0; i < n; i++) {
                for (j = 0; j < 2; j++) {
                    y = j;
                    solution(i, y, &(sides[j][0][0]));
                    solution(y, i, sides[j][1]);
                    solution(i + step, y, &sides[j][2][0]);
                }
                for (m = 0; m < 5; m++)
                    u[i][m] += sides[0][0][m] + sides[1][1][m] * sides[1][2][m];
            }
        }
        #pragma omp for
        for (i = 0; i < n; i++) {
            set_point(&p, i);
            v[i] = p.x + p.y + p.tag[0] * p.tag[2];
        }
        #pragma omp for
        for (i = 0; i < n; i++) {
            solution(1, i, temp);
            for (m = 4; m > 0; m--)
                temp[m - 1] += temp[m];
            v[i] += temp[0];
        }
    }
}

/* element after element, and both ways of a condition */
static void prefixes(int n)
{
    #pragma omp parallel
    {
        double sum[N], either[4];
        int i, k;
        #pragma omp for
        for (i = 0; i < n; i++) {
            sum[0] = i;
            for (k = 1; k < n; k++)
                sum[k] = sum[k - 1] + u[i][k];
            v[i] += 1e-3 * sum[n - 1] + sum[i];
        }
        #pragma omp for
        for (i = 0; i < n; i++) {
            if (i < 3)
                for (k = 0; k < 4; k++)
                    either[k] = k;
            else {
                either[0] = either[1] = i;
                either[2] = 5, either[3] = 7;
            }
            u[i][1] = either[0] + either[1] * either[2] + either[3];
        }
        #pragma omp for
        for (i = 0; i < n; i++) {
            for (k = 0; k < 4; k++)
                if (k < 2)
                    either[k] = 1;
                else
                    either[k] = i;
            u[i][2] = either[0] + either[1] * either[2] + either[3];
        }
    }
}

/* threadprivate scratch; that line[2] is written follows from line[sizes[0] - 4], which has to be inside */
static void threadprivate_scratch(void)
{
    int i, j, k, before;
    #pragma omp parallel private(i, j, k, before)
    {
        #pragma omp for
        for (j = 0; j < sizes[1]; j++) {
            for (i = 0; i < sizes[0]; i++) {
                for (k = 0; k < 3; k++)
                    line[i][k] = i + j * k;
                flux[i] = line[i][0] * line[i][1];
            }
            for (i = 1; i < sizes[0]; i++) {
                before = i - 1;
                u[j][i] += flux[i] - flux[before] + line[before][2];
            }
            for (k = 0; k < 3; k++) {
                i = 2;
                u[j][0] += line[i][k] - line[i - 1][k];
                i = sizes[0] - 2;
                u[j][0] += line[i - 2][k] * 0.5;
            }
        }
        #pragma omp for
        for (j = 0; j < sizes[1]; j++) {
            most_recent = j * 0.5;
            v[j] += most_recent * most_recent;
        }
    }
    #pragma omp parallel
    {
        #pragma omp for
        for (int r = 0; r < sizes[1]; r++) {
            for (int c = 0; c < 2; c++) {
                line[c][0] = r + c;
                line[c][1] = r - c;
                line[c][2] = 2;
            }
            v[r] += from_row(line, 0) + from_row(line, 1);
        }
    }
}

static void copies(int n)
{
    double start[4] = {1, 2, 3, 4};
    #pragma omp parallel for firstprivate(start)
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 4; k++)
            start[k] = i * k;
        v[i] += start[1] + start[3];
    }
    printf("%g\n", start[2]);
}

/* which row is a thread's own: that of all threads here */
static void rows(int n, int threads)
{
    #pragma omp parallel num_threads(threads)
    {
        int row = omp_get_thread_num() / 64;
        #pragma omp for
        for (int i = 0; i < n; i++)
            u[row][(i * 5) % N] += i;
    }
}

/* ------------------------------------------------ from here on something is kept */

static void kept_parts(int n, int few)
{
    double gathered = 0;
    #pragma omp parallel
    {
        double t[5] = {1, 1, 1, 1, 1};
        int i, k;
        #pragma omp for
        for (i = 0; i < n; i++) { /* not all of it */
            for (k = 0; k < few && k < 4; k++)
                t[k] = i;
            u[i][3] = t[0] + t[4];
        }
        #pragma omp for
        for (i = 0; i < n; i++) { /* perhaps */
            if (v[i] > -1e30)
                solution(i, 1, t);
            u[i][4] = t[2];
        }
        #pragma omp for
        for (i = 0; i < n; i++) { /* the function may return before */
            half_solution(i, t);
            v[i] += t[4] > 1e30;
        }
        #pragma omp for
        for (i = 0; i < n; i++) { /* the loop may be left before */
            for (k = 0; k < 5; k++) {
                t[k] = i;
                if (v[k] > 1e30)
                    break;
            }
            v[i] += t[4] - i;
        }
        #pragma omp for schedule(static)
        for (i = 0; i < n; i++) { /* wanted afterwards */
            t[0] = 1;
            t[1] = 2;
            v[i] += t[0] + t[1];
        }
        #pragma omp critical
        gathered = gathered > t[1] ? gathered : t[1];
        #pragma omp for schedule(static)
        for (i = 0; i < n; i++) { /* counts down from the end: the element before is an earlier iteration's, or none */
            for (k = 3; k >= 0; k--)
                t[k] = t[k + 1] + 1;
            v[i] += t[0] > 0;
        }
    }
    printf("gathered %g\n", gathered);
}

static void kept_by_threads(int n)
{
    #pragma omp parallel
    {
        #pragma omp for schedule(static)
        for (int i = 0; i < n; i++) { /* read by total_kept */
            kept[0] = i >= 0;
            kept[1] = 2;
            v[i] += kept[0] + kept[1];
        }
        #pragma omp for schedule(static)
        for (int i = 0; i < n; i++) { /* counts */
            calls = calls + 1;
            v[i] += calls > 0;
        }
    }
}

static int total_kept(void)
{
    #pragma omp parallel reduction(+:kept_total)
    kept_total += kept[0] + kept[1] > 0;
    return kept_total > 0;
}

static void kept_copies(int n)
{
    double start[4] = {1, 2, 3, 4};
    #pragma omp parallel for firstprivate(start) schedule(static)
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 3; k++)
            start[k] = i * k;
        v[i] += start[1] + start[3];
        start[3] = 4;
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 10;
    double sum = 0;
    sizes[0] = argc > 2 ? atoi(argv[2]) : 6;
    sizes[1] = n;
    for (int i = 0; i < N; i++)
        v[i] = i % 5;
    faces(n);
    prefixes(n);
    threadprivate_scratch();
    threadprivate_scratch();
    copies(n);
    rows(n, 3);
    rows(n, 1);
    kept_parts(n, sizes[0]);
    kept_by_threads(n);
    kept_copies(n);
    printf("%d\n", total_kept());
    for (int i = 0; i < N; i++) {
        sum += v[i] * (1 + i % 3);
        for (int j = 0; j < N; j++)
            sum += u[i][j] * (1 + (i + j) % 4);
    }
    printf("%.10g\n", sum);
    return 0;
}
