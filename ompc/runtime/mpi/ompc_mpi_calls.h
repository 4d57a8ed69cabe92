/* ompc_mpi_calls.h: a line for each call of MPI that gives memory away (private to ompc_mpi.c, which includes this for each size
   of numbers): what it is called with, and what of the memory it uses.

       NAME(name)     the name as it is, or of the call with large numbers
       COUNT, PLACE   the type of a number of elements, and of where a part begins */

/* From the first byte of the parts to the last. */
static ompc_message_t NAME(hull)(const void *address, int parts, const COUNT counts[], const PLACE places[], MPI_Datatype type, int writes)
{
    ompc_message_t found = nothing();
    for (int i = 0; address != MPI_IN_PLACE && i < parts; i++)
        found = both(found, elements(address, places[i], (long long)counts[i], type, writes));
    return found;
}

/* With a type for each, and places in bytes. */
static ompc_message_t NAME(hull_of_types)(const void *address, int parts, const COUNT counts[], const PLACE places[], const MPI_Datatype types[], int writes)
{
    ompc_message_t found = nothing();
    for (int i = 0; address != MPI_IN_PLACE && i < parts; i++)
        found = both(found, elements((const char *)address + places[i], 0, (long long)counts[i], types[i], writes));
    return found;
}

static ompc_message_t NAME(hull_of_addresses)(const void *address, int parts, const COUNT counts[], const MPI_Aint places[], const MPI_Datatype types[], int writes)
{
    ompc_message_t found = nothing();
    for (int i = 0; i < parts; i++)
        found = both(found, elements((const char *)address + places[i], 0, (long long)counts[i], types[i], writes));
    return found;
}

static long long NAME(sum)(const COUNT counts[], MPI_Comm comm)
{
    long long all = 0;
    for (int i = 0, size = own_size(comm); i < size; i++)
        all += (long long)counts[i];
    return all;
}

/* ---- point to point ------------------------------------------------------------------------------------------------- */

#define SENDS(name)                                                                                                      \
    SEND(name, (const void *from, COUNT count, MPI_Datatype type, int rank, int tag, MPI_Comm comm), (from, count, type, rank, tag, comm), \
         MOVE_SENT(from, 0, count, type), sent_to(rank, comm, reads(from, count, type), count, type))
#define BEGINS_SEND(name)                                                                                                \
    BEGIN_POINT(name, (const void *from, COUNT count, MPI_Datatype type, int rank, int tag, MPI_Comm comm, MPI_Request *request), \
                (from, count, type, rank, tag, comm, request), MOVE_SENT(from, 0, count, type),                          \
                sent_to(rank, comm, reads(from, count, type), count, type))
#define PREPARES_SEND(name)                                                                                              \
    PREPARE(name, (const void *from, COUNT count, MPI_Datatype type, int rank, int tag, MPI_Comm comm, MPI_Request *request), \
            (from, count, type, rank, tag, comm, request), of_rank(rank, reads(from, count, type)))
SENDS(Send)
SENDS(Bsend)
SENDS(Ssend)
SENDS(Rsend)
BEGINS_SEND(Isend)
BEGINS_SEND(Ibsend)
BEGINS_SEND(Issend)
BEGINS_SEND(Irsend)
PREPARES_SEND(Send_init)
PREPARES_SEND(Bsend_init)
PREPARES_SEND(Ssend_init)
PREPARES_SEND(Rsend_init)
#define CURRENT comm
RECEIVE(Recv, (void *to, COUNT count, MPI_Datatype type, int rank, int tag, MPI_Comm comm, MPI_Status *state),
        (to, count, type, rank, tag, comm, state), MOVE(to, 0), received_by(state), between_two(rank, writes(to, count, type), count, type))
BEGIN_POINT(Irecv, (void *to, COUNT count, MPI_Datatype type, int rank, int tag, MPI_Comm comm, MPI_Request *request),
            (to, count, type, rank, tag, comm, request), MOVE(to, 0), between_two(rank, writes(to, count, type), count, type))
PREPARE(Recv_init, (void *to, COUNT count, MPI_Datatype type, int rank, int tag, MPI_Comm comm, MPI_Request *request),
        (to, count, type, rank, tag, comm, request), of_rank(rank, writes(to, count, type)))
RECEIVE(Sendrecv,
        (const void *from, COUNT sent, MPI_Datatype sent_type, int target, int sent_tag, void *to, COUNT got, MPI_Datatype got_type,
         int source, int got_tag, MPI_Comm comm, MPI_Status *state),
        (from, sent, sent_type, target, sent_tag, to, got, got_type, source, got_tag, comm, state), MOVE_SENT(from, 0, sent, sent_type);
        MOVE(to, 1), received_by(state), sent_to(target, comm, reads(from, sent, sent_type), sent, sent_type),
        between_two(source, writes(to, got, got_type), got, got_type))
RECEIVE(Sendrecv_replace,
        (void *data, COUNT count, MPI_Datatype type, int target, int sent_tag, int source, int got_tag, MPI_Comm comm, MPI_Status *state),
        (data, count, type, target, sent_tag, source, got_tag, comm, state), MOVE(data, 0),
        source == MPI_PROC_NULL ? 0 : received_by(state), between_two(0, replaces(data, count, type), count, type))
#undef CURRENT
#define CURRENT MPI_COMM_WORLD
RECEIVE(Mrecv, (void *to, COUNT count, MPI_Datatype type, MPI_Message *message, MPI_Status *state), (to, count, type, message, state),
        MOVE(to, 0), received_by(state), between_two(0, writes(to, count, type), count, type))
#undef CURRENT
BEGIN_POINT(Imrecv, (void *to, COUNT count, MPI_Datatype type, MPI_Message *message, MPI_Request *request),
            (to, count, type, message, request), MOVE(to, 0), between_two(0, writes(to, count, type), count, type))
#undef SENDS
#undef BEGINS_SEND
#undef PREPARES_SEND

#if MPI_VERSION >= 4
BEGIN_POINT(Isendrecv,
            (const void *from, COUNT sent, MPI_Datatype sent_type, int target, int sent_tag, void *to, COUNT got, MPI_Datatype got_type,
             int source, int got_tag, MPI_Comm comm, MPI_Request *request),
            (from, sent, sent_type, target, sent_tag, to, got, got_type, source, got_tag, comm, request), MOVE_SENT(from, 0, sent, sent_type);
            MOVE(to, 1), sent_to(target, comm, reads(from, sent, sent_type), sent, sent_type),
            between_two(source, writes(to, got, got_type), got, got_type))
BEGIN_POINT(Isendrecv_replace,
            (void *data, COUNT count, MPI_Datatype type, int target, int sent_tag, int source, int got_tag, MPI_Comm comm, MPI_Request *request),
            (data, count, type, target, sent_tag, source, got_tag, comm, request), MOVE(data, 0),
            between_two(0, replaces(data, count, type), count, type))
#endif

/* ---- collective ------------------------------------------------------------------------------------------------------ */

COLLECTIVE(Bcast, Ibcast, Bcast_init, (void *data, COUNT count, MPI_Datatype type, int root, MPI_Comm comm), (data, count, type, root, comm),
     is_asked(root, comm) ? writes(data, count, type) : nothing())
COLLECTIVE(Gather, Igather, Gather_init,
     (const void *from, COUNT sent, MPI_Datatype sent_type, void *to, COUNT got, MPI_Datatype got_type, int root, MPI_Comm comm),
     (from, sent, sent_type, to, got, got_type, root, comm), is_of_all(root, comm) ? reads(from, sent, sent_type) : nothing(),
     is_root(root, comm) ? writes(to, (long long)got * parts(comm), got_type) : nothing())
COLLECTIVE(Gatherv, Igatherv, Gatherv_init,
     (const void *from, COUNT sent, MPI_Datatype sent_type, void *to, const COUNT got[], const PLACE places[], MPI_Datatype got_type, int root,
      MPI_Comm comm),
     (from, sent, sent_type, to, got, places, got_type, root, comm), is_of_all(root, comm) ? reads(from, sent, sent_type) : nothing(),
     is_root(root, comm) ? NAME(hull)(to, parts(comm), got, places, got_type, 1) : nothing())
COLLECTIVE(Scatter, Iscatter, Scatter_init,
     (const void *from, COUNT sent, MPI_Datatype sent_type, void *to, COUNT got, MPI_Datatype got_type, int root, MPI_Comm comm),
     (from, sent, sent_type, to, got, got_type, root, comm),
     is_root(root, comm) ? reads(from, (long long)sent * parts(comm), sent_type) : nothing(),
     is_of_all(root, comm) ? writes(to, got, got_type) : nothing())
COLLECTIVE(Scatterv, Iscatterv, Scatterv_init,
     (const void *from, const COUNT sent[], const PLACE places[], MPI_Datatype sent_type, void *to, COUNT got, MPI_Datatype got_type, int root,
      MPI_Comm comm),
     (from, sent, places, sent_type, to, got, got_type, root, comm),
     is_root(root, comm) ? NAME(hull)(from, parts(comm), sent, places, sent_type, 0) : nothing(),
     is_of_all(root, comm) ? writes(to, got, got_type) : nothing())
COLLECTIVE(Allgather, Iallgather, Allgather_init, (const void *from, COUNT sent, MPI_Datatype sent_type, void *to, COUNT got, MPI_Datatype got_type, MPI_Comm comm),
     (from, sent, sent_type, to, got, got_type, comm), reads(from, sent, sent_type), writes(to, (long long)got * parts(comm), got_type))
COLLECTIVE(Allgatherv, Iallgatherv, Allgatherv_init,
     (const void *from, COUNT sent, MPI_Datatype sent_type, void *to, const COUNT got[], const PLACE places[], MPI_Datatype got_type, MPI_Comm comm),
     (from, sent, sent_type, to, got, places, got_type, comm), reads(from, sent, sent_type),
     NAME(hull)(to, parts(comm), got, places, got_type, 1))
COLLECTIVE(Alltoall, Ialltoall, Alltoall_init, (const void *from, COUNT sent, MPI_Datatype sent_type, void *to, COUNT got, MPI_Datatype got_type, MPI_Comm comm),
     (from, sent, sent_type, to, got, got_type, comm), reads(from, from == MPI_IN_PLACE ? 0 : (long long)sent * parts(comm), sent_type),
     writes(to, (long long)got * parts(comm), got_type))
COLLECTIVE(Alltoallv, Ialltoallv, Alltoallv_init,
     (const void *from, const COUNT sent[], const PLACE sent_places[], MPI_Datatype sent_type, void *to, const COUNT got[],
      const PLACE got_places[], MPI_Datatype got_type, MPI_Comm comm),
     (from, sent, sent_places, sent_type, to, got, got_places, got_type, comm),
     NAME(hull)(from, parts(comm), sent, sent_places, sent_type, 0), NAME(hull)(to, parts(comm), got, got_places, got_type, 1))
COLLECTIVE(Alltoallw, Ialltoallw, Alltoallw_init,
     (const void *from, const COUNT sent[], const PLACE sent_places[], const MPI_Datatype sent_types[], void *to, const COUNT got[],
      const PLACE got_places[], const MPI_Datatype got_types[], MPI_Comm comm),
     (from, sent, sent_places, sent_types, to, got, got_places, got_types, comm),
     NAME(hull_of_types)(from, parts(comm), sent, sent_places, sent_types, 0), NAME(hull_of_types)(to, parts(comm), got, got_places, got_types, 1))
COLLECTIVE(Reduce, Ireduce, Reduce_init, (const void *from, void *to, COUNT count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm),
     (from, to, count, type, op, root, comm), is_of_all(root, comm) ? reads(from, count, type) : nothing(),
     is_root(root, comm) ? writes(to, count, type) : nothing())
COLLECTIVE(Allreduce, Iallreduce, Allreduce_init, (const void *from, void *to, COUNT count, MPI_Datatype type, MPI_Op op, MPI_Comm comm), (from, to, count, type, op, comm),
     reads(from, count, type), writes(to, count, type))
COLLECTIVE(Scan, Iscan, Scan_init, (const void *from, void *to, COUNT count, MPI_Datatype type, MPI_Op op, MPI_Comm comm), (from, to, count, type, op, comm),
     reads(from, count, type), writes(to, count, type))
COLLECTIVE(Exscan, Iexscan, Exscan_init, (const void *from, void *to, COUNT count, MPI_Datatype type, MPI_Op op, MPI_Comm comm), (from, to, count, type, op, comm),
     reads(from, count, type), writes(to, count, type))
COLLECTIVE(Reduce_scatter, Ireduce_scatter, Reduce_scatter_init, (const void *from, void *to, const COUNT counts[], MPI_Datatype type, MPI_Op op, MPI_Comm comm),
     (from, to, counts, type, op, comm), reads(from, NAME(sum)(counts, comm), type),
     writes(to, from == MPI_IN_PLACE ? NAME(sum)(counts, comm) : (long long)counts[own_rank(comm)], type))
COLLECTIVE(Reduce_scatter_block, Ireduce_scatter_block, Reduce_scatter_block_init, (const void *from, void *to, COUNT count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
     (from, to, count, type, op, comm), reads(from, (long long)count * own_size(comm), type),
     writes(to, (long long)count * (from == MPI_IN_PLACE ? own_size(comm) : 1), type))
COLLECTIVE(Neighbor_allgather, Ineighbor_allgather, Neighbor_allgather_init, (const void *from, COUNT sent, MPI_Datatype sent_type, void *to, COUNT got, MPI_Datatype got_type, MPI_Comm comm),
     (from, sent, sent_type, to, got, got_type, comm), reads(from, sent, sent_type), writes(to, (long long)got * neighbours(comm, 1), got_type))
COLLECTIVE(Neighbor_allgatherv, Ineighbor_allgatherv, Neighbor_allgatherv_init,
     (const void *from, COUNT sent, MPI_Datatype sent_type, void *to, const COUNT got[], const PLACE places[], MPI_Datatype got_type, MPI_Comm comm),
     (from, sent, sent_type, to, got, places, got_type, comm), reads(from, sent, sent_type),
     NAME(hull)(to, neighbours(comm, 1), got, places, got_type, 1))
COLLECTIVE(Neighbor_alltoall, Ineighbor_alltoall, Neighbor_alltoall_init, (const void *from, COUNT sent, MPI_Datatype sent_type, void *to, COUNT got, MPI_Datatype got_type, MPI_Comm comm),
     (from, sent, sent_type, to, got, got_type, comm), reads(from, (long long)sent * neighbours(comm, 0), sent_type),
     writes(to, (long long)got * neighbours(comm, 1), got_type))
COLLECTIVE(Neighbor_alltoallv, Ineighbor_alltoallv, Neighbor_alltoallv_init,
     (const void *from, const COUNT sent[], const PLACE sent_places[], MPI_Datatype sent_type, void *to, const COUNT got[],
      const PLACE got_places[], MPI_Datatype got_type, MPI_Comm comm),
     (from, sent, sent_places, sent_type, to, got, got_places, got_type, comm),
     NAME(hull)(from, neighbours(comm, 0), sent, sent_places, sent_type, 0), NAME(hull)(to, neighbours(comm, 1), got, got_places, got_type, 1))
COLLECTIVE(Neighbor_alltoallw, Ineighbor_alltoallw, Neighbor_alltoallw_init,
     (const void *from, const COUNT sent[], const MPI_Aint sent_places[], const MPI_Datatype sent_types[], void *to, const COUNT got[],
      const MPI_Aint got_places[], const MPI_Datatype got_types[], MPI_Comm comm),
     (from, sent, sent_places, sent_types, to, got, got_places, got_types, comm),
     NAME(hull_of_addresses)(from, neighbours(comm, 0), sent, sent_places, sent_types, 0),
     NAME(hull_of_addresses)(to, neighbours(comm, 1), got, got_places, got_types, 1))

/* ---- files ----------------------------------------------------------------------------------------------------------- */

CALL(File_read, (MPI_File file, void *data, COUNT count, MPI_Datatype type, MPI_Status *state), (file, data, count, type, state),
     writes(data, count, type))
BEGIN(File_iread, (MPI_File file, void *data, COUNT count, MPI_Datatype type, MPI_Request *request), (file, data, count, type, request),
      writes(data, count, type))
CALL(File_read_all, (MPI_File file, void *data, COUNT count, MPI_Datatype type, MPI_Status *state), (file, data, count, type, state),
     writes(data, count, type))
BEGIN(File_iread_all, (MPI_File file, void *data, COUNT count, MPI_Datatype type, MPI_Request *request), (file, data, count, type, request),
      writes(data, count, type))
CALL(File_read_at, (MPI_File file, MPI_Offset at, void *data, COUNT count, MPI_Datatype type, MPI_Status *state), (file, at, data, count, type, state),
     writes(data, count, type))
BEGIN(File_iread_at, (MPI_File file, MPI_Offset at, void *data, COUNT count, MPI_Datatype type, MPI_Request *request), (file, at, data, count, type, request),
      writes(data, count, type))
CALL(File_read_at_all, (MPI_File file, MPI_Offset at, void *data, COUNT count, MPI_Datatype type, MPI_Status *state), (file, at, data, count, type, state),
     writes(data, count, type))
BEGIN(File_iread_at_all, (MPI_File file, MPI_Offset at, void *data, COUNT count, MPI_Datatype type, MPI_Request *request), (file, at, data, count, type, request),
      writes(data, count, type))
CALL(File_read_shared, (MPI_File file, void *data, COUNT count, MPI_Datatype type, MPI_Status *state), (file, data, count, type, state),
     writes(data, count, type))
BEGIN(File_iread_shared, (MPI_File file, void *data, COUNT count, MPI_Datatype type, MPI_Request *request), (file, data, count, type, request),
      writes(data, count, type))
CALL(File_read_ordered, (MPI_File file, void *data, COUNT count, MPI_Datatype type, MPI_Status *state), (file, data, count, type, state),
     writes(data, count, type))
CALL(File_write, (MPI_File file, const void *data, COUNT count, MPI_Datatype type, MPI_Status *state), (file, data, count, type, state),
     reads(data, count, type))
BEGIN(File_iwrite, (MPI_File file, const void *data, COUNT count, MPI_Datatype type, MPI_Request *request), (file, data, count, type, request),
      reads(data, count, type))
CALL(File_write_all, (MPI_File file, const void *data, COUNT count, MPI_Datatype type, MPI_Status *state), (file, data, count, type, state),
     reads(data, count, type))
BEGIN(File_iwrite_all, (MPI_File file, const void *data, COUNT count, MPI_Datatype type, MPI_Request *request), (file, data, count, type, request),
      reads(data, count, type))
CALL(File_write_at, (MPI_File file, MPI_Offset at, const void *data, COUNT count, MPI_Datatype type, MPI_Status *state), (file, at, data, count, type, state),
     reads(data, count, type))
BEGIN(File_iwrite_at, (MPI_File file, MPI_Offset at, const void *data, COUNT count, MPI_Datatype type, MPI_Request *request), (file, at, data, count, type, request),
      reads(data, count, type))
CALL(File_write_at_all, (MPI_File file, MPI_Offset at, const void *data, COUNT count, MPI_Datatype type, MPI_Status *state), (file, at, data, count, type, state),
     reads(data, count, type))
BEGIN(File_iwrite_at_all, (MPI_File file, MPI_Offset at, const void *data, COUNT count, MPI_Datatype type, MPI_Request *request), (file, at, data, count, type, request),
      reads(data, count, type))
CALL(File_write_shared, (MPI_File file, const void *data, COUNT count, MPI_Datatype type, MPI_Status *state), (file, data, count, type, state),
     reads(data, count, type))
BEGIN(File_iwrite_shared, (MPI_File file, const void *data, COUNT count, MPI_Datatype type, MPI_Request *request), (file, data, count, type, request),
      reads(data, count, type))
CALL(File_write_ordered, (MPI_File file, const void *data, COUNT count, MPI_Datatype type, MPI_Status *state), (file, data, count, type, state),
     reads(data, count, type))

/* Behind the second half of a call, which is not followed, nobody knows who uses the memory. */
UNSEEN(File_read_all_begin, (MPI_File file, void *data, COUNT count, MPI_Datatype type), (file, data, count, type), data, 1)
UNSEEN(File_read_at_all_begin, (MPI_File file, MPI_Offset at, void *data, COUNT count, MPI_Datatype type), (file, at, data, count, type), data, 1)
UNSEEN(File_read_ordered_begin, (MPI_File file, void *data, COUNT count, MPI_Datatype type), (file, data, count, type), data, 1)
UNSEEN(File_write_all_begin, (MPI_File file, const void *data, COUNT count, MPI_Datatype type), (file, data, count, type), data, 1)
UNSEEN(File_write_at_all_begin, (MPI_File file, MPI_Offset at, const void *data, COUNT count, MPI_Datatype type), (file, at, data, count, type), data, 1)
UNSEEN(File_write_ordered_begin, (MPI_File file, const void *data, COUNT count, MPI_Datatype type), (file, data, count, type), data, 1)

/* ---- one-sided: until the window is closed, or looked after ---------------------------------------------------------- */

#define ONE_SIDED(name, begins, data)                                                                                                \
    UNSEEN(name, (data, COUNT count, MPI_Datatype type, int rank, MPI_Aint at, COUNT there, MPI_Datatype type_there, MPI_Win window),    \
           (memory, count, type, rank, at, there, type_there, window), memory, 1)                                                       \
    UNSEEN(begins, (data, COUNT count, MPI_Datatype type, int rank, MPI_Aint at, COUNT there, MPI_Datatype type_there, MPI_Win window,  \
                     MPI_Request *request),                                                                                             \
           (memory, count, type, rank, at, there, type_there, window, request), memory, 1)
ONE_SIDED(Put, Rput, const void *memory)
ONE_SIDED(Get, Rget, void *memory)
#undef ONE_SIDED
UNSEEN(Accumulate, (const void *from, COUNT count, MPI_Datatype type, int rank, MPI_Aint at, COUNT there, MPI_Datatype type_there, MPI_Op op, MPI_Win window),
       (from, count, type, rank, at, there, type_there, op, window), from, 1)
UNSEEN(Raccumulate,
       (const void *from, COUNT count, MPI_Datatype type, int rank, MPI_Aint at, COUNT there, MPI_Datatype type_there, MPI_Op op, MPI_Win window,
        MPI_Request *request),
       (from, count, type, rank, at, there, type_there, op, window, request), from, 1)
UNSEEN(Get_accumulate,
       (const void *from, COUNT count, MPI_Datatype type, void *to, COUNT got, MPI_Datatype got_type, int rank, MPI_Aint at, COUNT there,
        MPI_Datatype type_there, MPI_Op op, MPI_Win window),
       (from, count, type, to, got, got_type, rank, at, there, type_there, op, window), to, (unseen("MPI_Get_accumulate", from, 1), 1))
UNSEEN(Rget_accumulate,
       (const void *from, COUNT count, MPI_Datatype type, void *to, COUNT got, MPI_Datatype got_type, int rank, MPI_Aint at, COUNT there,
        MPI_Datatype type_there, MPI_Op op, MPI_Win window, MPI_Request *request),
       (from, count, type, to, got, got_type, rank, at, there, type_there, op, window, request), to,
       (unseen("MPI_Rget_accumulate", from, 1), 1))
UNSEEN(Win_create, (void *base, MPI_Aint bytes, PLACE unit, MPI_Info info, MPI_Comm comm, MPI_Win *window),
       (base, bytes, unit, info, comm, window), base, bytes)
EXEMPT(Buffer_attach, (void *buffer, COUNT bytes), (buffer, bytes), buffer, bytes)
