/* Names with letters beyond ASCII: of functions, arrays, structs, members, tags, labels, enumerators, macros, counters,
   lengths of arrays, in clauses and in other names; literals that have such letters, too. */
/* parser: new */
/* args: 40 */
/* args: 3 */
/* expect-gpu: 6 */
#include <stdio.h>
#include <stdlib.h>

#define Δ 0.5
#define Größe(x) ((x) * 2)

enum größe { KLEIN, GROSS, RIESIG = 7, ÉNORME };
struct punkt { double höhe; int 数; };
typedef struct punkt 点;

static double α[100], ab[100];
static const double Штуки[3] = {1, 4, 1};

static double fläche(double größe)
{
    if (größe < 0)
        goto schluß;
    return größe * größe;
schluß:
    return ÉNORME;
}

static void füllen(int n, struct punkt *p)
{
    double β = 3;
#pragma omp parallel for firstprivate(β)
    for (int i = 0; i < n; i++) {
        double é = fläche(i + Δ) - RIESIG;
        α[i] = é * β + Größe(i);
        p[i].höhe = α[i];
        p[i].数 = i % GROSS;
    }
}

static double summe(int länge, 点 *punkte)
{
    double Σ = 0, größtes = 0;
#pragma omp parallel for reduction(+: Σ) reduction(max: größtes)
    for (int ι = 1; ι < länge - 1; ι++) {
        double w = 0;
        for (int κ = 0; κ < 3; κ++)
            w += Штуки[κ] * punkte[ι - 1 + κ].höhe;
        Σ += w;
        größtes = w > größtes ? w : größtes;
    }
    return Σ + größtes;
}

static void matrix(int zeilen, int größe, double a[zeilen][größe])
{
#pragma omp parallel for collapse(2)
    for (int ζ = 0; ζ < zeilen; ζ++)
        for (int σ = 0; σ < größe; σ++)
            a[ζ][σ] = ζ * größe + σ;
}

static void vertauscht(int n, double *restrict é, const double *restrict è)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        é[i] = è[n - 1 - i];
}

static int letztes(int n, int *x)
{
    int ö = -1;
#pragma omp parallel for lastprivate(ö)
    for (int i = 0; i < n; i++) {
        ö = x[i] + 1;
        x[i] = ö;
    }
    return ö;
}

static void drucken(int n)
{
#pragma omp parallel for ordered
    for (int i = 0; i < n; i++) {
#pragma omp ordered
        printf("größe %d \u00e9 \\u00e9\n", i);
    }
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]), *x = calloc(n, sizeof *x);
    点 *p = calloc(n, sizeof *p);
    double (*m)[n + 1] = calloc(n, sizeof *m);

    füllen(n, p);
    printf("%.6f é\n", summe(n, p));
    matrix(n, n + 1, m);
    vertauscht(n, ab, α);
    printf("%.1f %.6f %d %d\n", m[n - 1][1], ab[0], p[1].数, letztes(n, x));
    drucken(n > 3 ? 3 : n);
    free(x);
    free(p);
    free(m);
    return 0;
}
