/* OMPC313: directives by which iterations wait for one another or stop the loop; others in the body are for later stages. */
void ties(int n, double *a, double *s)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        if (a[i] < 0) {
#pragma omp cancel for
        }
        a[i] = 0;
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp cancellation point for
        a[i] = 0;
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp atomic
        s[0] += a[i];
#pragma omp simd
        for (int j = 0; j < n; j++)
            a[i] = 0;
#pragma omp critical(update)
        s[1] = s[0];
    }
}
