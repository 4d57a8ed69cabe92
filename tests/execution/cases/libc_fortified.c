/* The functions of libc_functions.c by their other names: with checks of sizes, and for files of 64 bits. */
/* plain: */
/* expect-gpu: 1 */
/* flags: -std=gnu11 -O1 -D_FORTIFY_SOURCE=2 -D_FILE_OFFSET_BITS=64 */
#include "libc_functions.c"
