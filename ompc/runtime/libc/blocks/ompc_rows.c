/* ompc_rows.c: blocks of some hundred bytes to a megabyte, side by side in slabs.

   A matrix is often a table of pointers to rows, each from a malloc of its own. Small rows do not fill pages, so they cannot
   be guarded one by one; and of large ones there are many. Their slab can be guarded, as one block. It holds slots of one size, and nothing but blocks that the program's
   own code has asked for: what libc allocates for itself (a buffer of a FILE) is given to the kernel of the system without
   a word, and what CUDA's runtime allocates is used to bring guarded pages home. Neither may lie in one.

   Blocks of different places in the program's code do not share a slab (allocation sites; Lattner and Adve, "Automatic Pool
   Allocation", PLDI 2005): a table of pointers to rows is often as long as a row. Launches read it on the host, where the pages
   of rows that the device has written are not to be touched.

   Slabs lie in one range of addresses, in units of 64 KB; the first ones of a class are small. What is known of them lies elsewhere, so nothing here
   touches memory of the program's. Slots are taken from the lowest address on: rows that are allocated one after the
   other are neighbours, and make one group of a launch (ompc_ranges.h). */

#include "ompc_replaces.h"

#include "ompc_blocks.h"
#include "ompc_host.h"
#include "ompc_large_blocks.h"
#include "ompc_lock.h"
#include "ompc_rows.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

enum { UNIT_BITS = 16, UNITS = 1 << (RANGE_BITS - UNIT_BITS) };
enum { STEPS = 8, CLASSES = 11 * STEPS + 1, POWERS = 10, LEAST_SLOTS = 8 };
/* Blocks that could have pages to themselves are rows only if there are many: so many others of their size are not. */
enum { LARGE_ROW = 64 * 1024, OTHERS = 16 };
/* The places in the code that are told apart; those that come later are one. */
enum { SITES = 32 };

/* Of blocks of one size and site. */
typedef struct {
    struct slab *with_room;
    size_t bytes;    /* of all slabs */
    unsigned others; /* that are no rows */
} pool_t;

typedef struct slab {
    struct slab *next; /* with room, of its pool; or unused */
    pool_t *pool;
    uintptr_t begin;
    size_t bytes, slot, slots;
    size_t used, footprint; /* so many slots; those from `touched` on are zero */
    size_t lowest;        /* no word before it has a free bit */
    int flags, has_room;
    uint64_t taken[]; /* a bit for each slot */
} slab_t;

lock_t ompc_rows_lock;
uintptr_t ompc_rows_begin;

static struct {
    slab_t **of_unit;
    size_t next_unit;
    const void *sites[SITES];
    pool_t pools[CLASSES][SITES];
    slab_t *unused[POWERS]; /* of 1, 2, 4... 512 units */
} rows;

/* The smallest class whose slots have room for so many bytes: eight sizes from each power of two to the next. */
static int row_class(size_t bytes, size_t *slot)
{
    size_t power = ROW_LEAST;
    int size_class = 0;
    while (power * 2 < bytes) {
        power *= 2;
        size_class += STEPS;
    }
    const size_t step = power / STEPS, steps = bytes <= power ? 0 : (bytes - power + step - 1) / step;
    *slot = power + steps * step;
    return size_class + (int)steps;
}

/* The number of a place in the code. The caller has the lock. */
static int site_of(const void *caller)
{
    int i = 0;
    while (i < SITES - 1 && rows.sites[i] != caller && rows.sites[i] != NULL)
        i++;
    rows.sites[i] = caller;
    return i;
}

/* From now on rows are kept apart: a launch has asked for it, before main. */
void ompc_keep_rows_apart(void)
{
#ifdef OMPC_REPLACES_MALLOC /* else rows are wherever it puts them */
    const size_t range = (size_t)1 << RANGE_BITS;
    if (ompc_rows_begin != 0)
        return;
    slab_t **const of_unit = system_memory(UNITS * sizeof *of_unit);
    const int saved = errno;
    char *const base = system_map(NULL, range, PROT_NONE, MAP_NORESERVE);
    errno = saved;
    if (of_unit == NULL || base == MAP_FAILED)
        return; /* the user's limits */
    rows.of_unit = of_unit;
    const uintptr_t unit = (uintptr_t)1 << UNIT_BITS;
    rows.next_unit = ((uintptr_t)base + unit - 1) / unit * unit == (uintptr_t)base ? 0 : 1;
    __atomic_store_n(&ompc_rows_begin, (uintptr_t)base / unit * unit, __ATOMIC_RELEASE);
#endif
}

/* The slab that holds an address; NULL: none. The caller has the lock. */
static slab_t *slab_of(uintptr_t address)
{
    return maybe_row(address) ? rows.of_unit[(address - ompc_rows_begin) >> UNIT_BITS] : NULL;
}

static void set_units(const slab_t *slab, slab_t *to)
{
    const size_t first = (slab->begin - ompc_rows_begin) >> UNIT_BITS;
    for (size_t i = 0; i < slab->bytes >> UNIT_BITS; i++)
        rows.of_unit[first + i] = to;
}

/* Of 1 << `power` units, without slots yet; NULL: no memory. The caller has the lock. */
static slab_t *new_slab(int power)
{
    const size_t units = (size_t)1 << power, bytes = units << UNIT_BITS;
    slab_t *slab = rows.unused[power];
    if (slab != NULL) {
        rows.unused[power] = slab->next;
    } else {
        if (units > UNITS - rows.next_unit)
            return NULL;
        slab = system_memory(sizeof *slab + bytes / ROW_LEAST / 8);
        if (slab == NULL)
            return NULL;
        slab->begin = ompc_rows_begin + ((uintptr_t)rows.next_unit << UNIT_BITS);
        slab->bytes = bytes;
        rows.next_unit += units;
    }
    const int saved = errno;
    const int usable = ompc_protect((void *)slab->begin, bytes, PROT_READ | PROT_WRITE) == 0;
    errno = saved;
    if (usable)
        return slab;
    slab->next = rows.unused[power];
    rows.unused[power] = slab;
    return NULL;
}

/* A slab of the pool that has room; each is as large as all others. NULL: no memory. The caller has the lock. */
static slab_t *slab_with_room(pool_t *pool, size_t slot)
{
    if (pool->with_room != NULL)
        return pool->with_room;
    const size_t wanted = pool->bytes > LEAST_SLOTS * slot ? pool->bytes : LEAST_SLOTS * slot;
    int power = 0;
    while (power < POWERS - 1 && ((size_t)1 << power << UNIT_BITS) < wanted)
        power++;
    slab_t *const slab = new_slab(power);
    if (slab == NULL)
        return NULL;
    slab->next = NULL;
    slab->slot = slot;
    slab->slots = (slab->bytes - ROW_ALIGNMENT) / slot; /* the end stays free: no slab is the neighbour of the next */
    slab->used = slab->footprint = slab->lowest = 0;
    slab->pool = pool;
    slab->flags = 0;
    slab->has_room = 1;
    memset(slab->taken, 0, (slab->slots + 63) / 64 * sizeof *slab->taken);
    pool->bytes += slab->bytes;
    pool->with_room = slab;
    set_units(slab, slab);
    return slab;
}

/* A free slot of a slab that has one. */
static size_t take_slot(slab_t *slab)
{
    while (~slab->taken[slab->lowest] == 0)
        slab->lowest++;
    const size_t i = slab->lowest * 64 + (size_t)__builtin_ctzll(~slab->taken[slab->lowest]);
    slab->taken[i / 64] |= (uint64_t)1 << i % 64;
    if (++slab->used == slab->slots) {
        slab->pool->with_room = slab->next;
        slab->has_room = 0;
    }
    return i;
}

/* A block for the program's code at `caller`; NULL: it is no row, or there is no memory. `is_zero`: it has not been used
   before. */
void *ompc_row_take(const void *caller, size_t bytes, int *is_zero)
{
    size_t slot;
    void *row = NULL;
    const int size_class = row_class(bytes, &slot);
    const int locked = lock(&ompc_rows_lock);
    pool_t *const pool = &rows.pools[size_class][site_of(caller)];
    const int is_other = bytes >= LARGE_ROW && pool->others < OTHERS;
    pool->others += is_other;
    slab_t *const slab = is_other ? NULL : slab_with_room(pool, slot);
    if (slab != NULL) {
        const size_t i = take_slot(slab);
        *is_zero = i >= slab->footprint;
        slab->footprint = *is_zero ? i + 1 : slab->footprint;
        row = (void *)(slab->begin + i * slot);
    }
    unlock(&ompc_rows_lock, locked);
    return row;
}

/* Is the slot that holds an address in use? The caller has the lock. */
static int holds_row(const slab_t *slab, uintptr_t address, size_t *i)
{
    if (slab == NULL)
        return 0;
    *i = (address - slab->begin) / slab->slot;
    return *i < slab->slots && (slab->taken[*i / 64] >> *i % 64 & 1) != 0;
}

int ompc_row_find(uintptr_t address, uintptr_t *base, size_t *bytes)
{
    size_t i;
    if (!maybe_row(address))
        return 0;
    const int locked = lock(&ompc_rows_lock);
    const slab_t *const slab = slab_of(address);
    const int found = holds_row(slab, address, &i);
    if (found) {
        *base = slab->begin + i * slab->slot;
        *bytes = slab->slot;
    }
    unlock(&ompc_rows_lock, locked);
    return found;
}

/* Adds to the flags of the slab that holds an address: its flags then, or -1 where there is none; and its bounds. */
int ompc_row_slab(uintptr_t address, int added, uintptr_t bounds[2])
{
    if (!maybe_row(address))
        return -1;
    const int locked = lock(&ompc_rows_lock);
    slab_t *const slab = slab_of(address);
    const int flags = slab == NULL ? -1 : (slab->flags |= added);
    if (slab != NULL) {
        bounds[0] = slab->begin;
        bounds[1] = slab->begin + slab->bytes;
    }
    unlock(&ompc_rows_lock, locked);
    return flags;
}

/* The slab has no rows any more, and nobody can reach it: whoever watches it is told, without the lock. */
static void slab_leaves(slab_t *slab)
{
    const int saved = errno;
    if ((slab->flags & WATCHED) != 0)
        ompc_tell_watcher(slab->begin, slab->bytes);
    system_map((void *)slab->begin, slab->bytes, PROT_NONE, MAP_NORESERVE | MAP_FIXED);
    errno = saved;
    const int locked = lock(&ompc_rows_lock), power = __builtin_ctzll(slab->bytes >> UNIT_BITS);
    slab->next = rows.unused[power];
    rows.unused[power] = slab;
    unlock(&ompc_rows_lock, locked);
}

static void leave_list(slab_t *slab)
{
    slab_t **at = &slab->pool->with_room;
    while (*at != slab)
        at = &(*at)->next;
    *at = slab->next;
}

/* Frees the row at `base`: 0: there is none. An empty slab goes, but the last one of its pool that nobody watches. */
int ompc_row_give(uintptr_t base)
{
    size_t i;
    slab_t *leaving = NULL;
    const int locked = lock(&ompc_rows_lock);
    slab_t *const slab = slab_of(base);
    const int found = holds_row(slab, base, &i) && slab->begin + i * slab->slot == base;
    if (found) {
        slab->taken[i / 64] &= ~((uint64_t)1 << i % 64);
        slab->lowest = i / 64 < slab->lowest ? i / 64 : slab->lowest;
        if (!slab->has_room) {
            slab->has_room = 1;
            slab->next = slab->pool->with_room;
            slab->pool->with_room = slab;
        }
        const int is_last = slab->pool->with_room == slab && slab->next == NULL;
        if (--slab->used == 0 && !(is_last && slab->flags == 0)) {
            leave_list(slab);
            set_units(slab, NULL);
            slab->pool->bytes -= slab->bytes;
            leaving = slab;
        }
    }
    unlock(&ompc_rows_lock, locked);
    if (leaving != NULL)
        slab_leaves(leaving);
    return found;
}
