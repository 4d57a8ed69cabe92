/* Every supported clause, in the user's own spelling. */
#define CHUNK 4
#define THRESHOLD(n) ((n) > 100)
#define CLAUSES private(t) shared(a)

void clauses(int n, double *a, double *b)
{
    int i, t = 0, last = 0, both = 1;
    double sum = 0;
#pragma omp parallel for private(t) firstprivate(both) lastprivate(last) shared(a, b)
    for (i = 0; i < n; i++) {
        t = i;
        last = t + both;
        a[i] = b[i];
    }
#pragma omp parallel for firstprivate(both) lastprivate(both, i)
    for (i = 0; i < n; i++)
        both = i;
#pragma omp parallel for default(none) shared(a, n) private(i)
    for (i = 0; i < n; i++)
        a[i] = 0;
#pragma omp parallel for default(shared) reduction(+ : sum), schedule ( static , CHUNK ) \
        num_threads(CHUNK) /* a comment ) */ if(THRESHOLD(n))
    for (i = 0; i < n; i++)
        sum += a[i];
#pragma omp parallel for CLAUSES if(parallel: n > CHUNK ? 1 : 0) schedule(monotonic: dynamic)
    for (i = 0; i < n; i++)
        a[i] = t = i;
#pragma omp parallel for simd safelen(CHUNK) aligned(a : 32) if(simd: n) proc_bind(close) order(concurrent)
    for (i = 0; i < n; i++)
        a[i] = 0;
#pragma omp parallel for schedule(runtime)
    for (i = 0; i < n; i++)
        a[i] = 0;
#pragma omp parallel for schedule(guided, n / 2) default(firstprivate) shared(a)
    for (i = 0; i < n; i++)
        a[i] = t;
#pragma omp parallel for default(private) shared(a, n)
    for (i = 0; i < n; i++) {
        t = i;
        a[i] = t;
    }
}
