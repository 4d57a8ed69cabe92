/* A program that does little: whether it comes to main, whatever calls the runtime's functions before. */
#include "ompc_host.h"

#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    void *block;
    size_t bytes;
    char *const some = calloc(100000, 1);
    const int known = ompc_block_find(some + 99999, &block, &bytes);
    free(some);
    puts(known && block == some && bytes == 100000 ? "ok" : "wrong");
    return 0;
}
