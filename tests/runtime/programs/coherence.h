#include "ompc_host.h"

typedef struct {
    double x;
    int weight;
    char kind;
} Place;

#ifdef __cplusplus
extern "C" {
#endif
int ompc_add_to(int n, const void *x, void *y);    /* y[i] += x[i] */
int ompc_add_silently(int n, void *x, void *y);    /* the same, and x[n / 2]++, which the launcher does not say */
int ompc_copy_but(int n, int but, const void *x, void *y); /* y[i] = x[i], but of one, though all are said to be overwritten */
int ompc_set_bytes(int n, int from, int to, void *x); /* x[i] = i, but from `from` to `to` */
int ompc_set_places(int n, int but, void *x);         /* all members, but the weights of two */
#ifdef __cplusplus
}
#endif
