/* For written_otherwise.c: loops and pragmas of which the other half is there; included several times. */
#ifdef LOOP_ONLY
for (int i = 0; i < n; i++)
    a[i] = i;
#elif defined(PRAGMA_ONLY)
#pragma omp parallel for
#else
extern double a[50], b[50], c[50];
#define TEAM num_threads(3)
#define SHARED_ONES shared(a, b, c, n)
#endif
