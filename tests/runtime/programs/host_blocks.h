#include "ompc_host.h"

#ifdef __cplusplus
extern "C" {
#endif
int ompc_twice(int n, void *x);   /* doubles x, as OpenMPC launches */
int as_expected(const void *p);   /* page-locked where there is a device; with a sanitizer, in its own memory */
#ifdef __cplusplus
}
#endif
