/* OMPC312: the body changes what the loop's own control uses. */
struct grid { int n; int used; struct { int x; } size; };

void changed(int n, int s, double *a, struct grid g)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        i += 1;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        n--;
#pragma omp parallel for
    for (int i = 0; i < 10; i += s) {
        if (a[i] > 0)
            s = 2;
    }
#pragma omp parallel for
    for (int i = 0; i < g.n; i++)
        g.n = 0;
#pragma omp parallel for
    for (int i = 0; i < g.n; i++)
        g.used = 1;
#pragma omp parallel for
    for (int i = 0; i < g.size.x; i++)
        g.size.x++;
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            i = 0;
}
