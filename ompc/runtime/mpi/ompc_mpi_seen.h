/* ompc_mpi_seen.h: does this process use nothing of MPI but what we stand in front of (private to ompc_mpi.c)?

   If the ends of all requests are seen, one may have a room (ompc_message_rooms.h); if it receives by nothing else, another process
   may send it a descriptor instead of a message (ompc_peers.h). What the executable and its libraries call is in their tables of
   dynamic symbols. For the first none may call what is behind us (PMPI_..., functions of Fortran), and for the second none may

       ask for the size of a message that has not been received     MPI_Probe, MPI_Iprobe, MPI_Mprobe, MPI_Improbe
       receive elements with gaps, which have no room               MPI_Type_commit
       receive where a room is not made                             MPI_Recv_init, MPI_Precv_init

   Libraries that define functions of MPI are MPI, or tools behind us. Libraries that are loaded later are not looked at. */

#ifndef OMPC_MPI_SEEN_H
#define OMPC_MPI_SEEN_H

#include <link.h>
#include <stdint.h>
#include <string.h>

typedef struct {
    int calls_mpi, calls_behind, calls_unseen;
} seen_t;

static int begins(const char *name, const char *with) { return strncmp(name, with, strlen(with)) == 0; }

static int is_of_mpi(const char *name) { return begins(name, "MPI_") || begins(name, "PMPI_") || begins(name, "mpi_") || begins(name, "pmpi_"); }

/* PMPI_... of the program's are ours: cc_mpi.py sees to that. */
static int is_behind(const char *name, int is_program)
{
    return begins(name, "mpi_") || begins(name, "pmpi_") || begins(name, "MPI_Request_get_status_") || (!is_program && begins(name, "PMPI_"));
}

static int is_unseen(const char *name)
{
    static const char *const names[] = {"MPI_Probe", "MPI_Iprobe", "MPI_Mprobe", "MPI_Improbe", "MPI_Type_commit", "MPI_Recv_init", "MPI_Precv_init"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (begins(name, names[i]))
            return 1;
    return 0;
}

/* What an object says of its symbols: the tables of SysV's hashes, or of GNU's, end or begin with those that others may find. */
typedef struct {
    const ElfW(Sym) *symbols;
    const char *names;
    const uint32_t *hashes, *gnu;
} tables_t;

/* How many have to be looked at for all that are another object's; 0: nobody knows. */
static uint32_t to_look_at(const tables_t *tables)
{
    if (tables->hashes != NULL)
        return tables->hashes[1];
    return tables->gnu == NULL ? 0 : tables->gnu[1];
}

static int defines(const tables_t *tables, const char *name)
{
    if (tables->gnu == NULL)
        return 0;
    const uint32_t buckets = tables->gnu[0], offset = tables->gnu[1], words = tables->gnu[2] * (uint32_t)(sizeof(ElfW(Addr)) / sizeof(uint32_t));
    const uint32_t *const of_bucket = tables->gnu + 4 + words, *const chain = of_bucket + buckets;
    uint32_t hash = 5381;
    for (const char *at = name; *at != '\0'; at++)
        hash = hash * 33 + (unsigned char)*at;
    uint32_t i = of_bucket[hash % buckets];
    if (i < offset)
        return 0;
    for (;; i++) {
        if ((chain[i - offset] | 1) == (hash | 1) && strcmp(tables->names + tables->symbols[i].st_name, name) == 0)
            return 1;
        if (chain[i - offset] & 1)
            return 0;
    }
}

static int look_at_object(struct dl_phdr_info *object, size_t bytes, void *to)
{
    seen_t *const seen = (seen_t *)to;
    const int is_program = object->dlpi_name == NULL || *object->dlpi_name == '\0';
    const ElfW(Dyn) *entry = NULL;
    tables_t tables = {NULL, NULL, NULL, NULL};
    int calls = 0;
    (void)bytes;
    for (int i = 0; i < object->dlpi_phnum; i++)
        if (object->dlpi_phdr[i].p_type == PT_DYNAMIC)
            entry = (const ElfW(Dyn) *)(object->dlpi_addr + object->dlpi_phdr[i].p_vaddr);
    for (; entry != NULL && entry->d_tag != DT_NULL; entry++) {
        tables.symbols = entry->d_tag == DT_SYMTAB ? (const ElfW(Sym) *)entry->d_un.d_ptr : tables.symbols;
        tables.names = entry->d_tag == DT_STRTAB ? (const char *)entry->d_un.d_ptr : tables.names;
        tables.hashes = entry->d_tag == DT_HASH ? (const uint32_t *)entry->d_un.d_ptr : tables.hashes;
        tables.gnu = entry->d_tag == DT_GNU_HASH ? (const uint32_t *)entry->d_un.d_ptr : tables.gnu;
    }
    if (tables.symbols == NULL || tables.names == NULL || (uintptr_t)tables.symbols < (uintptr_t)object->dlpi_addr)
        return 0; /* of the system's own (vdso), which is not relocated */
    if (!is_program && (defines(&tables, "PMPI_Recv") || defines(&tables, "MPI_Recv") || defines(&tables, "mpi_recv_")))
        return 0;
    const uint32_t count = to_look_at(&tables);
    seen->calls_behind |= count == 0;
    for (uint32_t i = 1; i < count; i++) {
        const char *const name = tables.names + tables.symbols[i].st_name;
        if (tables.symbols[i].st_shndx != SHN_UNDEF || !is_of_mpi(name))
            continue;
        calls = 1;
        seen->calls_behind |= is_behind(name, is_program);
        seen->calls_unseen |= is_unseen(name);
    }
    if (is_program)
        seen->calls_mpi = calls;
    return 0;
}

/* Before MPI begins, which loads parts of its own. A program that needs nothing of MPI from others has a copy of it in itself. */
static seen_t look_at_calls(void)
{
    seen_t seen = {0, 0, 0};
    dl_iterate_phdr(look_at_object, &seen);
    seen.calls_behind |= !seen.calls_mpi;
    return seen;
}

#endif
