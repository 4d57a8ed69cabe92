/* Complex numbers in kernels: variables, arrays, members, parameters, parts that are written, constants, clauses. */
/* args: 700 */
/* args: 3 */
/* args: 0 */
/* expect-gpu: 18 */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef double complex point;
struct wave { point at; float complex of[3]; int number; };
union view { point z; double parts[2]; };

static point shift = 0.5 - 2 * I, table[4] = {1, I, -1, -I};
static float complex grid[40][30], moved[40][30];

static point polynomial(point z, const point *factors, int degree)
{
    point sum = 0;
    for (int k = degree; k >= 0; k--)
        sum = sum * z + factors[k];
    return sum;
}

static void turn(point *z, double by)
{
    *z *= CMPLX(cos(by), sin(by));
    __imag__ *z += 0.25;
}

static float complex nearer(float complex a, float complex b)
{
    return cabsf(a) < cabsf(b) ? a : b;
}

static double length(struct wave w)
{
    return creal(w.at * conj(w.at)) + w.number + crealf(w.of[1]);
}

static void show(const char *what, const point *z, int n)
{
    printf("%s", what);
    for (int i = 0; i < n; i += 1 + n / 5)
        printf(" %.12g%+.12gi", creal(z[i]), cimag(z[i]));
    printf("\n");
}

static void parts(int n, point *z, double *x, struct wave *w)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) { /* each part for itself */
        __real__ z[i] = x[i];
        __imag__ z[i] -= __real__ w[i].at;
        __real__ w[i].of[i % 3] = i;
        ++__imag__ w[i].of[(i + 1) % 3];
    }
    show("parts", z, n);

    double *flat = (double *)z; /* C11 6.2.5p13: as an array of two */
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        flat[2 * i + 1] = flat[2 * i] + i;
    show("flat", z, n);

#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        union view v;
        v.z = z[i];
        v.parts[0] += v.parts[1];
        z[i] = v.z;
    }
    show("union", z, n);

#pragma omp parallel for
    for (int i = 1; i < n; i++) /* no part of another iteration's */
        __real__ z[i] = __imag__ z[i - 1];
    show("real and imaginary", z, n);

#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        point *at = &z[i], local[2] = {z[i], 2}, copy;
        double *real = &__real__ local[1];
        copy = *at;
        *real += creal(copy);
        x[i] += local[1];
        x[i] *= local[0];
        *at = local[0] == copy ? local[1] : x[i];
    }
    show("pointers", z, n);
}

static void conversions(int n, point *z, double *x, float complex *f)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int whole = z[i] * 8;
        unsigned char small = (unsigned char)(creal(z[i]) * 0);
        _Bool is = z[i], isnt = !f[i];
        float narrow = f[i];
        float complex made = i;
        narrow *= z[i];
        whole += f[i];
        made += 1.0 / 3;
        made = i % 2 ? made : 2;
        f[i] = made * (float)z[i] + (is && !isnt) + small;
        x[i] = whole + narrow + (long)z[i];
        z[i] = i % 3 ? f[i] : x[i];
        z[i] += 'a' - i;
    }
    show("conversions", z, n);
}

static void clauses(int n, point *z, double *x)
{
    point sum = 1, product = I, first = 2 + I, last = 0, sums[3] = {1, 2, 3}, scratch;
    float complex narrow = 0;
#pragma omp parallel for reduction(+ : sum, narrow) reduction(* : product) firstprivate(first) lastprivate(last) \
    private(scratch)
    for (int i = 0; i < n; i++) {
        scratch = z[i] * first;
        sum += scratch;
        narrow -= scratch;
        product *= 1 + 0.001 * z[i] / (1 + cabs(z[i]));
        last = scratch + shift;
    }
    printf("%.9g %.9g, %.4g %.4g, %.9g %.9g, %.12g %.12g\n", creal(sum), cimag(sum), crealf(narrow), cimagf(narrow),
           creal(product), cimag(product), creal(last), cimag(last));

#pragma omp parallel for reduction(+ : sums) reduction(- : sum)
    for (int i = 0; i < n; i++) {
        sums[i % 3] += z[i];
        sum += table[i % 4];
    }
    show("sums", sums, 3);
    printf("%.9g %.9g\n", creal(sum), cimag(sum));

    point *several = sums;
    scratch = 2;
#pragma omp parallel for collapse(2) reduction(+ : scratch) firstprivate(shift)
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 2; k++)
            scratch += k * shift / (2 + i);
    show("collapsed", &scratch, 1);
#pragma omp parallel
    {
        point mine = 0;
#pragma omp for
        for (int i = 0; i < n; i++)
            mine += z[i] * I;
#pragma omp critical
        scratch += mine;
    }
    show("merged", &scratch, 1);

#pragma omp target map(tofrom : z[0:n]) map(to : several[0:3])
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        z[i] -= several[i % 3] * sum + x[i];
    show("target", z, n);
}

static void functions(int n, const point *z, point *r, float complex *f)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        r[i] = cexp(-2 * M_PI * I * i / n) + csqrt(z[i]) * cproj(z[i]) / (1 + cabs(z[i]));
        f[i] = cexpf(0.1f * f[i] / n) - csqrtf(carg(z[i]) - f[i]);
    }
    show("functions", r, n);
    for (int i = 0; i < n; i += 99)
        printf(" %.5g %.5g", crealf(f[i]), cimagf(f[i]));
    printf("\n");
}

static void grids(int n)
{
#pragma omp parallel for
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 30; j++)
            grid[i][j] = i - n + j * I;
    for (int turns = 0; turns < 2; turns++) {
#pragma omp parallel for
        for (int i = 1; i < 39; i++)
            for (int j = 1; j < 29; j++)
                moved[i][j] = (grid[i - 1][j] + grid[i + 1][j] + grid[i][j - 1] + grid[i][j + 1]) * (0.25f + 0.1fi);
#pragma omp parallel for
        for (int i = 1; i < 39; i++)
            for (int j = 1; j < 29; j++)
                grid[i][j] = nearer(moved[i][j], 10.5f * I);
    }
    printf("grid %.9g %.9g\n", crealf(grid[7][9]), cimagf(grid[n % 40][3]));
}

static void products(int n, const point *a, const point *b, point *c)
{
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            point sum = 0;
            for (int k = 0; k < n; k++)
                sum += a[i * n + k] * conj(b[k * n + j]);
            c[i * n + j] = sum;
        }
    show("matrix", c, n * n);
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 0;
    point *z = malloc(sizeof *z * (n + 1)), *y = malloc(sizeof *y * (n + 1)), *r = malloc(sizeof *r * (n + 1));
    double *x = malloc(sizeof *x * (n + 1));
    float complex *f = malloc(sizeof *f * (n + 1));
    struct wave *w = calloc(n + 1, sizeof *w);
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        z[i] = 1 + i % 13 / 13.0 - (i % 7) * 0.1 * I;
        y[i] = CMPLX(i % 5, 1);
        x[i] = i * 0.125;
        f[i] = CMPLXF(i, 0.5f);
        w[i] = (struct wave){.at = i + 2 * I, .of = {1, [2] = I}, .number = i};
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        point t = polynomial(z[i], table, 3), *to = &t;
        turn(to, x[i]);
        r[i] = t / y[i] + cproj(t) - (point){2};
        x[i] += length(w[i]) + carg(t);
    }
    show("computed", r, n);
    parts(n, z, x, w);
    conversions(n, y, x, f);
    clauses(n, r, x);
    functions(n, z, r, f);
    grids(n);
    int side = 0;
    while ((side + 1) * (side + 1) <= n)
        side++;
    products(side, z, y, r);
    free(z), free(y), free(r), free(x), free(f), free(w);
    return 0;
}
