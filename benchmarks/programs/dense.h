/* dense.h: what programs share that change dense matrices in place: how the matrices are made, and that each repetition begins
 * with the same ones. In the C that is C++ too.
 */
#ifndef DENSE_H
#define DENSE_H

/* Random elements, and a diagonal that outweighs its rows and columns: no pivoting is needed. */
static inline void fill_dominant(double *a, int n, uint64_t seed)
{
    fill_doubles(a, (size_t)n * n, seed);
    for (int i = 0; i < n; i++)
        a[(size_t)i * n + i] += n;
}

/* The same, symmetric, hence positive definite. */
static inline void fill_definite(double *a, int n, uint64_t seed)
{
    fill_dominant(a, n, seed);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            a[(size_t)i * n + j] = a[(size_t)j * n + i];
}

/* The lengths of roads between n places: nearly half of all pairs have none. */
static inline void fill_roads(int *road, int n, uint64_t seed)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const uint32_t bits = random_bits(&seed);
            road[(size_t)i * n + j] = i == j ? 0 : bits % 16 < 7 ? 1000000 : (int)(bits >> 16) + 1;
        }
}

/* The sum with a weight per place. */
static inline long long checksum_ints(const int *v, size_t count)
{
    long long sum = 0;

    for (size_t k = 0; k < count; k++)
        sum += (long long)(k % 97 + 1) * v[k];
    return sum;
}

#ifdef _OPENMP
/* The elements of `from`, as they are before each repetition. */
static inline void copy_doubles(double *to, const double *from, size_t count)
{
#pragma omp parallel for
    for (size_t k = 0; k < count; k++)
        to[k] = from[k];
}
#endif

#endif
