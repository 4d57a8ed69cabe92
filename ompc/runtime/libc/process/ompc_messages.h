/* ompc_messages.h: memory of the program's that others read or write: MPI's library, another process, a network card.

   They do not fault on guarded pages as the program does. So a range is opened before it is given away, and closed when
   nobody uses it any more (ompc_open_pages.h). Behind a call that returns earlier, its request stands for that moment. The
   functions are in ompc_messages.cc; ompc_mpi.c calls them. Plain C and C++, thread-safe.

   A `dense` message, all bytes of which between its ends are its own, may have a room instead, in which it is sent or received
   (ompc_message_rooms.h): then its memory is not given away at all. What is received is in the program's memory when it is closed.
   Of one for another process on the machine (`peer`), what is sent may be a descriptor of so many bytes (ompc_peers.h). */

#ifndef OMPC_MESSAGES_H
#define OMPC_MESSAGES_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const volatile void *begin;
    __SIZE_TYPE__ bytes; /* 0: nothing */
    int writes;          /* others write there; 2: what is there is sent first */
    int dense;
    int peer;            /* to whom it is sent: a rank of MPI_COMM_WORLD; -1: as it is */
    char *room;          /* NULL: it is where the program has it */
    int described;       /* bytes of a descriptor that is in the room instead; 0: the message is */
} ompc_message_t;

enum { ompc_message_is_too_long = -2, ompc_message_has_failed = -3 };

/* Opens the memory of messages, or finds them rooms. `received`: bytes that have come; -1: nothing has, and nothing will; behind
   one that has failed nobody knows who still writes to its room, and it is not used again. Closing says how many that are for the program, which may be more; or that there are more than it has room for. */
void ompc_messages_open(ompc_message_t *messages, int count);
long long ompc_messages_close(const ompc_message_t *messages, int count, long long received);

/* Requests, by their handle. A `persistent` one begins without use of its memory, which it has whenever it is started. The
   memory of any other is open, and is closed when the request is over. What one has received is the program's once it has come,
   though the request may not be over: ompc_request_has_come. ompc_request_has_room: is it in a room? */
void ompc_request_made(__UINTPTR_TYPE__ request, const ompc_message_t *messages, int count, int persistent);
void ompc_request_starts(__UINTPTR_TYPE__ request);
long long ompc_request_is_over(__UINTPTR_TYPE__ request, long long received);
long long ompc_request_has_come(__UINTPTR_TYPE__ request, long long received);
int ompc_request_has_room(__UINTPTR_TYPE__ request);
void ompc_request_freed(__UINTPTR_TYPE__ request);

/* The process is that rank of so many, and `accepts` descriptors. Does it help to know whom so many bytes are for? Once it has
   left, it receives nothing, and waits until none of its messages are to be copied by others any more. */
void ompc_peers_join(int rank, int size, int accepts);
int ompc_peers_use(__SIZE_TYPE__ bytes);
void ompc_peers_leave(void);
int ompc_peers_are_waiting(void);

/* A call after which others may use the memory at any time: no block there stays on the device any more. */
void ompc_message_unseen(const char *call, const volatile void *begin, __SIZE_TYPE__ bytes);

/* Where MPI's functions are replaced (ompc_mpi.c): not NULL. */
extern const char ompc_mpi_is_seen[] __attribute__((weak));

#ifdef __cplusplus
}
#endif

#endif
