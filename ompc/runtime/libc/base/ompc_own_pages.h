/* ompc_own_pages.h: arrays with pages of their own, so that these can be guarded while the device has the newest bytes.

   Files without loops on the device include it at their end, too: kernels of other files may use their arrays. It needs nothing
   of the runtime, and changes nothing for a program without one. */

#ifndef OMPC_OWN_PAGES_H
#define OMPC_OWN_PAGES_H

/* An array at file scope without an initializer gets pages of its own, in a section of such
   arrays. Compilers that let several files define one array together (before gcc 10) leave it where it is. */
#ifdef __aarch64__
#define OMPC_ARRAYS "ompc_arrays,\"aw\",%nobits//" /* the rest of the assembler's line is a comment */
#else
#define OMPC_ARRAYS "ompc_arrays,\"aw\",@nobits#"
#endif
#if defined __code_model_medium__
/* Where large data may be out of reach of the code, the compiler takes what is in a section of another name for near: arrays begin
   with a page of their own, and may share their last one. */
#define OMPC_OWN_PAGES(array) extern __typeof__(array) array __attribute__((__aligned__(4096)))
#elif defined __ELF__ && (defined __clang__ ? __clang_major__ >= 11 : __GNUC__ >= 10)
#define OMPC_OWN_PAGES(array) \
    extern __typeof__(array) array __attribute__((__aligned__(4096), __section__(OMPC_ARRAYS)))
#else
#define OMPC_OWN_PAGES(array) extern __typeof__(array) array
#endif

#endif
