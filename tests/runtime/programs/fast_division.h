/* What fast_division.cu computes of x; `unusual`: which of the last four were noticed. */
#define ROOTS(T)                                        \
    {                                                   \
        T x, rsqrt, quick_rsqrt, sqrt, reciprocal, quotient; \
        int unusual;                                    \
    }

struct float_roots ROOTS(float);
struct double_roots ROOTS(double);

#ifdef __cplusplus
template <class T>
struct roots_of ROOTS(T);
extern "C" {
#endif
int ompc_float_roots(struct float_roots *x, int n);
int ompc_double_roots(struct double_roots *x, int n);
#ifdef __cplusplus
}
#endif
