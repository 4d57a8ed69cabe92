// cublas.cuh: the routines of cuBLAS that the programs compare with, found when the program runs, so that it can be built on
// a machine that does not have them. CUBLAS_LIBRARY names the library; where there is none the exit status is 77.

#ifndef CUBLAS_CUH
#define CUBLAS_CUH

#include "device.cuh"

#include <dlfcn.h>

class Cublas {
public:
    Cublas() : library_(opened())
    {
        need(routine<int (*)(void **)>("cublasCreate_v2")(&handle_));
        need(routine<int (*)(void *, int)>("cublasSetPointerMode_v2")(handle_, 0));
    }

    // A has rows of `columns` elements; by columns, which is how cuBLAS sees it, it is transposed.
    void product(int rows, int inner, int columns, const float *a, const float *b, float *c) const
    {
        multiply<float>("cublasSgemm_v2", rows, inner, columns, a, b, c);
    }
    void product(int rows, int inner, int columns, const double *a, const double *b, double *c) const
    {
        multiply<double>("cublasDgemm_v2", rows, inner, columns, a, b, c);
    }

    // y = A x, or with `transposed` A^T x.
    void product(bool transposed, int rows, int columns, const float *a, const float *x, float *y) const
    {
        using Gemv = int (*)(void *, int, int, int, const float *, const float *, int, const float *, int, const float *, float *, int);
        const float one = 1.0f, zero = 0.0f;
        need(routine<Gemv>("cublasSgemv_v2")(handle_, transposed ? 0 : 1, columns, rows, &one, a, columns, x, 1, &zero, y, 1));
    }

    // The result is left on the device, so that the host need not wait.
    void dot(int n, const double *a, const double *b, double *result) const
    {
        using Dot = int (*)(void *, int, const double *, int, const double *, int, double *);
        need(routine<int (*)(void *, int)>("cublasSetPointerMode_v2")(handle_, 1));
        need(routine<Dot>("cublasDdot_v2")(handle_, n, a, 1, b, 1, result));
    }

private:
    static void *opened()
    {
        const char *const named = std::getenv("CUBLAS_LIBRARY");
        for (const char *name : {named, "libcublas.so.13", "libcublas.so.12", "libcublas.so"})
            if (void *const library = name != nullptr ? dlopen(name, RTLD_NOW) : nullptr)
                return library;
        std::fprintf(stderr, "skipped: no cuBLAS here\n");
        std::exit(77);
    }

    static void need(int status)
    {
        if (status != 0) {
            std::fprintf(stderr, "cuBLAS: status %d\n", status);
            std::exit(1);
        }
    }

    template <class Routine> Routine routine(const char *name) const
    {
        void *const found = dlsym(library_, name);
        if (found == nullptr) {
            std::fprintf(stderr, "cuBLAS has no %s\n", name);
            std::exit(1);
        }
        return reinterpret_cast<Routine>(found);
    }

    template <class T> void multiply(const char *name, int rows, int inner, int columns, const T *a, const T *b, T *c) const
    {
        using Gemm = int (*)(void *, int, int, int, int, int, const T *, const T *, int, const T *, int, const T *, T *, int);
        const T one = 1, zero = 0;
        need(routine<Gemm>(name)(handle_, 0, 0, columns, rows, inner, &one, b, columns, a, inner, &zero, c, columns));
    }

    void *library_, *handle_ = nullptr;
};

// Made by the first call, which is before the clock.
inline const Cublas &cublas()
{
    static const Cublas made;
    return made;
}

#endif
