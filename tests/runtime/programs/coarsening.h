#include "ompc_host.h"

#ifdef __cplusplus
extern "C" {
#endif
int ompc_scale(int n, int factor, void *x, const void *w); /* x[i] = factor * x[i] + w[i % 5]; x: host_register */
int is_page_locked(const void *p);                         /* emulated: always */
long device_bytes_free(void);                              /* emulated: 0 */
#ifdef __cplusplus
}
#endif
