/* Small arrays of a thread's own that an inner loop hands to functions, in loops that have others beside that one: a group of
   threads shares them, and each thread has such an array of its own. The functions read tables of the file and
   call others; and there are arrays that carry something from one entry to the next, of which there must be one for all entries. */
/* args: 0 9 */
/* args: 1 37 */
/* args: 7 1 */
/* args: 33 100 */
/* args: 3 150 */
/* args: 64 0 */
/* expect-gpu: 12 */
/* expect-added: 1 */
/* expect-host: OMPC332 */
/* rtol: 1e-12 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 64, M = 160 };
static double a[N][M], b[N][M], total[N];
static double table[5][4] = {{1, 2, 3, 4}, {0.5, 1, 1.5, 2}, {4, 3, 2, 1}, {1, 0, 1, 0}, {2, 2, 2, 2}};
static int shift = 3;

static void fill(void)
{
    for (int i = 0; i < N; i++) {
        total[i] = i;
        for (int j = 0; j < M; j++) {
            a[i][j] = 1 + (i * 7 + j * 3) % 11;
            b[i][j] = (i + j) % 5;
        }
    }
}

static void show(const char *what)
{
    double sum = 0;
    for (int i = 0; i < N; i++) {
        sum += total[i] * (i % 7 + 1);
        for (int j = 0; j < M; j++)
            sum += a[i][j] * ((i * 37 + j * 11) % 13 + 1) - b[i][j] * ((i * 5 + j * 17) % 19);
    }
    printf("%s %.12g\n", what, sum);
}

static void solution(double x, double y, double to[5])
{
    for (int m = 0; m < 5; m++)
        to[m] = table[m][0] + x * (table[m][1] + x * table[m][2]) + y * table[m][3] + shift;
}

static void halves(double to[5])
{
    for (int m = 0; m < 5; m++)
        to[m] *= 0.5;
}

static void solution_of_halves(double x, double y, double to[5])
{
    solution(x, y, to);
    halves(to);
}

static void some_of_it(int j, double x, double to[5])
{
    if (j % 3 == 0)
        solution(x, 1, to);
    to[0] += 1;
}

static void so_many(int count, double x, double to[5])
{
    for (int m = 0; m < count; m++)
        to[m] = x + m;
}

static double *same(double *from) { return from; }

static void keep(double **where, double *from) { *where = from; }

static double sum_of(int count, const double *from)
{
    double sum = 0;
    for (int m = 0; m < count; m++)
        sum += from[m];
    return sum;
}

static void in_region(int n, int m)
{
    double t[5], u[M][5], q[M], x;
    int i, j, k;
    #pragma omp parallel private(t, u, q, x, i, j, k)
    {
        #pragma omp for
        for (i = 0; i < n; i++) { /* the array is the region's, and the table that the function reads is named nowhere else */
            x = i * 0.25;
            for (j = 0; j < m; j++) {
                solution(j * 0.5, x, t);
                for (k = 0; k < 5; k++)
                    u[j][k] = t[k];
                q[j] = t[0] * 0.5 + t[4];
            }
            for (j = 1; j < m - 1; j++)
                a[i][j] += u[j + 1][0] - 2 * u[j][1] + u[j - 1][4] + q[j + 1];
            for (j = 3; j < m - 3; j++)
                b[i][j] = a[i][j] - (u[j - 2][1] + u[j + 2][2]);
        }
    }
}

static void of_the_iteration(int n, int m)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) { /* declared in front of the loop; another function between */
        double t[5], sum = 0;
        for (int j = 0; j < m; j++) {
            solution_of_halves(a[i][j], i, t);
            b[i][j] = t[0] + t[1] * t[2] - t[3];
        }
        for (int j = 0; j < m; j++)
            sum += b[i][j] * (j % 4);
        total[i] += sum;
        for (int j = m - 1; j >= 0; j -= 2)
            a[i][j] = b[i][j] + sum;
    }
}

static void given_to_the_host(int n, int m)
{
    double t[5];
    solution(1, 2, t);
    total[0] += t[3];
    #pragma omp parallel for private(t)
    for (int i = 0; i < n; i++) { /* the host hands its own array to functions as well */
        for (int j = 0; j < m; j++) {
            solution(b[i][j], j, t);
            a[i][j] = t[2] - t[1];
        }
        for (int j = 1; j < m; j++)
            b[i][j] = a[i][j - 1] + 1;
    }
    total[0] += t[3];
}

static void shadowed(int n, int m)
{
    double shift = 0.5;
    #pragma omp parallel for firstprivate(shift)
    for (int i = 0; i < n; i++) { /* a variable of the loop has the name of one that the function reads */
        double t[5];
        for (int j = 0; j < m; j++) {
            solution(i, j, t);
            a[i][j] = t[0] * shift;
        }
        for (int j = 1; j < m; j++)
            b[i][j] = a[i][j - 1] + shift;
    }
}

static void named_by_none(int n, int m)
{
    #pragma omp parallel for default(none) shared(a, b) firstprivate(n, m)
    for (int i = 0; i < n; i++) { /* the loop may not name the table, the function may */
        double t[5];
        for (int j = 0; j < m; j++) {
            solution(i, j, t);
            a[i][j] = t[0] + t[3];
        }
        for (int j = 1; j < m; j++)
            b[i][j] = a[i][j - 1] * 2;
    }
}

static void carried(int n, int m)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) { /* two of three entries go on with what the one before has left */
        double t[5];
        for (int j = 0; j < m; j++) {
            some_of_it(j, i, t);
            a[i][j] = t[0] + t[1];
        }
        for (int j = 1; j < m; j++)
            b[i][j] = a[i][j - 1] + 1;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) { /* the first entry writes more than the others do */
        double t[5];
        for (int j = 0; j < m; j++) {
            so_many(j == 0 ? 5 : 2, i + j, t);
            a[i][j] = t[0] + t[4];
        }
        for (int j = 1; j < m; j++)
            b[i][j] = a[i][j - 1] + 1;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) { /* the function goes on with what was written in front of the loop */
        double t[5] = {i, 1, 2, 3, 4};
        for (int j = 0; j < m; j++) {
            halves(t);
            a[i][j] = t[0] + t[4];
        }
        for (int j = 1; j < m; j++)
            b[i][j] = a[i][j - 1] + 1;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) { /* what the last entry has left is read behind the loop */
        double t[5] = {0};
        for (int j = 0; j < m; j++) {
            solution(i, j, t);
            a[i][j] = t[2];
        }
        for (int j = 1; j < m; j++)
            b[i][j] = a[i][j - 1] + t[3];
    }
}

static void by_pointers(int n, int m)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) { /* a pointer leads to the array behind the loop */
        double t[5], *p = 0;
        for (int j = 0; j < m; j++) {
            solution(i, j, t);
            a[i][j] += t[1];
            p = same(t);
        }
        for (int j = 1; j < m; j++)
            b[i][j] = a[i][j - 1] + p[2];
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) { /* a function hands a pointer to the next entry */
        double t[5], *p = 0;
        for (int j = 0; j < m; j++) {
            if (p)
                a[i][j] += p[0];
            solution(i, j, t);
            a[i][j] -= t[1];
            keep(&p, t);
        }
        for (int j = 1; j < m; j++)
            b[i][j] = a[i][j - 1] + 1;
    }
}

static void rows(int n, int m)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) { /* rows of an array; a function that only reads, and whose value is used */
        double t[2][5];
        for (int j = 0; j < m; j++) {
            solution(i, j, t[0]);
            solution(j, i, t[1]);
            a[i][j] = sum_of(5, t[1]) - t[0][4];
        }
        for (int j = 1; j < m; j++)
            b[i][j] = a[i][j - 1];
    }
}

static void two_axes(int n, int m)
{
    #pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int h = 0; h < 2; h++) { /* the points of two loops; halves of a row */
            double t[5];
            int first = h * (m / 2);
            for (int j = 0; j < m / 2; j++) {
                solution(i + h, j, t);
                a[i][first + j] = t[4] - t[0];
            }
            for (int j = 0; j < m / 2; j++)
                b[i][first + j] = a[i][first + m / 2 - 1 - j];
        }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 5, m = argc > 2 ? atoi(argv[2]) : 9;
    fill();
    in_region(n, m);
    show("in a region");
    of_the_iteration(n, m);
    show("of the iteration");
    given_to_the_host(n, m);
    show("given to the host");
    shadowed(n, m);
    show("shadowed");
    named_by_none(n, m);
    show("named by none");
    fill();
    carried(n, m);
    show("carried");
    fill();
    by_pointers(n, m);
    show("by pointers");
    rows(n, m);
    show("rows");
    fill();
    two_axes(n, m);
    show("two axes");
    return 0;
}
