/* cublas.c: as much of cuBLAS as benchmarks/handwritten/cublas.cuh calls, for matrices by columns, as its manual says. */

static int results_on_device;

int cublasCreate_v2(void **handle)
{
    *handle = &results_on_device;
    return 0;
}

int cublasSetPointerMode_v2(void *handle, int mode)
{
    *(int *)handle = mode;
    return 0;
}

#define GEMM(name, real)                                                                                                          \
    int name(void *handle, int of_a, int of_b, int m, int n, int k, const real *alpha, const real *a, int lda, const real *b,     \
             int ldb, const real *beta, real *c, int ldc)                                                                         \
    {                                                                                                                             \
        if (*(int *)handle != 0 || of_a != 0 || of_b != 0 || *beta != 0 || lda < m || ldb < k || ldc < m)                         \
            return 7;                                                                                                             \
        for (int j = 0; j < n; j++)                                                                                               \
            for (int i = 0; i < m; i++) {                                                                                         \
                real sum = 0;                                                                                                     \
                for (int l = 0; l < k; l++)                                                                                       \
                    sum += a[l * lda + i] * b[j * ldb + l];                                                                       \
                c[j * ldc + i] = *alpha * sum;                                                                                    \
            }                                                                                                                     \
        return 0;                                                                                                                 \
    }
GEMM(cublasSgemm_v2, float)
GEMM(cublasDgemm_v2, double)

int cublasSgemv_v2(void *handle, int of_a, int m, int n, const float *alpha, const float *a, int lda, const float *x, int incx,
                   const float *beta, float *y, int incy)
{
    const int results = of_a == 0 ? m : n, terms = of_a == 0 ? n : m;

    if (*(int *)handle != 0 || *beta != 0 || lda < m || incx != 1 || incy != 1)
        return 7;
    for (int i = 0; i < results; i++) {
        float sum = 0;
        for (int j = 0; j < terms; j++)
            sum += (of_a == 0 ? a[j * lda + i] : a[i * lda + j]) * x[j];
        y[i] = *alpha * sum;
    }
    return 0;
}

int cublasDdot_v2(void *handle, int n, const double *x, int incx, const double *y, int incy, double *result)
{
    if (*(int *)handle != 1)
        return 7;
    *result = 0;
    for (int i = 0; i < n; i++)
        *result += x[i * incx] * y[i * incy];
    return 0;
}
