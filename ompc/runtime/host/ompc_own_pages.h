/* ompc_own_pages.h (host): files without loops for a device include it alone. */

#ifndef OMPC_OWN_PAGES_H
#define OMPC_OWN_PAGES_H

#define OMPC_OWN_PAGES(array) extern char ompc_nothing[]

#endif
