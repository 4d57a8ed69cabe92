/* Loaded with RTLD_DEEPBIND: its malloc, realloc and free are libc's. */
#include <stdlib.h>

void give_back(void *block)
{
    free(block);
}

void *larger(void *block, size_t bytes)
{
    return realloc(block, bytes);
}

void *make(size_t bytes)
{
    return malloc(bytes);
}
