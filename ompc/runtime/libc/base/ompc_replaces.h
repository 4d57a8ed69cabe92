/* ompc_replaces.h: what of libc the runtime replaces here (private to the units of C). Comes before headers of libc. */

#ifndef OMPC_REPLACES_H
#define OMPC_REPLACES_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#undef _FORTIFY_SOURCE /* what it would make of read, printf... is defined here itself */
#undef _FILE_OFFSET_BITS /* functions of both names are replaced */

#include <stddef.h> /* defines __GLIBC__ where that is the C library */
#include <limits.h>

#if defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define OMPC_SANITIZER_IS_HERE
#endif
#endif
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__ || defined OMPC_SANITIZER_IS_HERE
#undef OMPC_SANITIZER_OWNS_MALLOC /* also asked for where this is compiled without the program's sanitizer */
#define OMPC_SANITIZER_OWNS_MALLOC
#endif
#ifdef OMPC_LIBRARY
#undef OMPC_SANITIZER_OWNS_MALLOC
#endif

#if defined __GLIBC__ && !defined OMPC_SANITIZER_OWNS_MALLOC && !defined OMPC_STATIC && !defined OMPC_LIBRARY
#define OMPC_REPLACES_MALLOC
#endif
#if defined OMPC_REPLACES_MALLOC || defined OMPC_SANITIZER_OWNS_MALLOC
#define OMPC_REPLACES_SYSTEM_CALLS
#endif

#endif
