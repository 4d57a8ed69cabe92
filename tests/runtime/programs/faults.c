#include "ompc_host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int ompc_touch(void *u, unsigned long bytes, long long index);
int ompc_touch_byte(void *u, unsigned long bytes, long long index);
int ompc_touch_foreign(void *u, unsigned long bytes, int earlier);
int ompc_stuck(int kind, void *x);

static void at_exit(void)
{
    int x[64];
    puts("atexit");
    if (ompc_stuck(2, x)) /* after a failure nothing is launched */
        puts("launched");
}

int main(int argc, char **argv)
{
    static double u[40000];
    static int x[64];
    const char *const what = argc > 1 ? argv[1] : "";
    atexit(at_exit);
    if (strcmp(what, "touch") == 0)
        return !ompc_touch(u, 320000, atoll(argv[2]));
    if (strcmp(what, "byte") == 0)
        return !ompc_touch_byte(u, 317, atoll(argv[2]));
    if (strcmp(what, "host") == 0)
        return !ompc_touch_foreign(u, sizeof u, 0);
    if (strcmp(what, "earlier") == 0)
        return !ompc_touch_foreign(u, sizeof u, 1) || !ompc_touch_foreign(u, sizeof u, 1);
    return !ompc_stuck(atoi(what), x);
}
