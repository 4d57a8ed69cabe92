// ompc_unroll.h: what is written in front of a loop that the compiler shall unroll, or shall not.

#ifndef OMPC_UNROLL_H
#define OMPC_UNROLL_H

#ifdef __CUDACC__
#define OMPC_UNROLL _Pragma("unroll")
#define OMPC_UNROLL_TWO _Pragma("unroll 2")
#define OMPC_ROLLED _Pragma("unroll 1")
#define OMPC_NO_UNROLL _Pragma("unroll 1")
#else
#define OMPC_UNROLL
#define OMPC_UNROLL_TWO
#define OMPC_ROLLED
#define OMPC_NO_UNROLL
#endif

#endif
