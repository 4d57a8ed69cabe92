/* What OMPC_CHECK=coherence finds: nothing, unless a rule is broken by hand.

   quiet         the host reads and writes between launches
   unnoticed     it writes to a page whose guard has been taken away behind the runtime's back
   undeclared    a kernel writes to an array that its launcher only reads
   kept          a kernel leaves an element that its launcher says it overwrites
   kept bytes    of an array of bytes, several (a single one does not show)
   kept member   of an array of structs, a member of two */

#define _GNU_SOURCE
#include "coherence.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { N = 40000 };

static void must(int holds, int line)
{
    if (!holds) {
        printf("line %d\n", line);
        exit(1);
    }
}
#define MUST(condition) must(condition, __LINE__)

static void take_guard_away(void *from)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    MUST(ompc_protect((void *)((uintptr_t)from / page * page), page, PROT_READ | PROT_WRITE) == 0);
}

int main(int argc, char **argv)
{
    const char *const part = argc > 1 ? argv[1] : "quiet";
    double *x = malloc(N * sizeof *x), *y = calloc(N, sizeof *y);
    for (int i = 0; i < N; i++)
        x[i] = 1;
    for (int k = 0; k < 4; k++) {
        MUST(ompc_add_to(N, x, y));
        x[k * 9000] += 1;
        MUST(y[N / 2] == k + 1 && ompc_add_to(N, y, x) && x[N - 1] == y[N - 1] + 1);
        for (int i = 0; i < N; i++)
            x[i] = 1;
    }
    MUST(ompc_add_to(N, x, y));
    if (strcmp(part, "unnoticed") == 0) {
        take_guard_away(&x[20000]);
        x[20000] = 7;
    }
    if (strcmp(part, "undeclared") == 0)
        ompc_add_silently(N, x, y);
    MUST(ompc_add_to(N, x, y));
    MUST(ompc_copy_but(N, N, x, y));
    if (strcmp(part, "kept") == 0)
        ompc_copy_but(N, N / 2, x, y);
    unsigned char *const bytes = calloc(N, 1);
    Place *const places = calloc(N, sizeof *places);
    const int is_bytes = strcmp(part, "kept bytes") == 0, is_member = strcmp(part, "kept member") == 0;
    MUST(ompc_set_bytes(N, N / 2, is_bytes ? N / 2 + 9 : N / 2, bytes) && (is_bytes || bytes[N / 2] == (N / 2 & 255)));
    MUST(ompc_set_places(N, is_member ? N / 4 : N, places) && (is_member || places[N / 4].weight == N / 4));
    puts("ok");
    return 0;
}
