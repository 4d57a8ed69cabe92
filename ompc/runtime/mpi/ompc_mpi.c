/* ompc_mpi.c: MPI's functions that give the program's memory to others, in front of the library's own.

   Each opens the memory for as long as the library, another process or a network card may use it (ompc_messages.h), and calls
   the one behind it: that of a profiling library, or MPI's (MPI 4.1, chapter 15). So arrays stay on the device between launches,
   and what moves is the messages: a halo row comes home before it is sent, and goes to the device after it was received.

   Memory is opened from the first byte to the last of a message, whatever lies between them. A message between two processes
   that has no gaps is sent from and received in memory of the runtime's own, where the block it belongs to is on the device:
   MPI is given another address, and nothing else is changed.

   Compiled at the link, with the program's own mpi.h: handles are pointers in one MPI and numbers in another. Weak, as
   everything that stands in front of a library: a program may have functions of these names itself, and then nothing of MPI
   is replaced at all (cc_mpi.py). */

#include "ompc_replaces.h"

#include "ompc_guards.h"
#include "ompc_interposition.h"
#include "ompc_messages.h"
#include "ompc_mpi_seen.h"

#include <mpi.h>

#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

const char ompc_mpi_is_seen[] = "its calls open what they use";

/* The function behind ours. */
#define BEHIND(name)                                                    \
    static __typeof__(&MPI_##name) next;                                \
    if (next == NULL) {                                                 \
        void *const found = dlsym(RTLD_NEXT, "MPI_" #name);             \
        next = found == NULL ? PMPI_##name : (__typeof__(next))found;   \
    }

/* ---- what of the memory a call uses -------------------------------------------------------------------------------- */

/* The bytes of so many elements, `first` elements behind the address. */
static ompc_message_t elements(const void *address, MPI_Aint first, long long count, MPI_Datatype type, int writes)
{
    ompc_message_t found = {NULL, 0, writes, 0, -1, NULL, 0};
    MPI_Aint low, extent, true_low, true_extent;
    if (address == MPI_IN_PLACE || count <= 0 || type == MPI_DATATYPE_NULL || PMPI_Type_get_extent(type, &low, &extent) != MPI_SUCCESS ||
        PMPI_Type_get_true_extent(type, &true_low, &true_extent) != MPI_SUCCESS || true_extent <= 0)
        return found;
    const MPI_Aint last = (MPI_Aint)(count - 1) * extent; /* of the last element, and negative where they go backwards */
    found.begin = (const char *)address + first * extent + true_low + (last < 0 ? last : 0);
    found.bytes = (size_t)(true_extent + (last < 0 ? -last : last));
    return found;
}

static ompc_message_t reads(const void *address, long long count, MPI_Datatype type)
{
    return elements(address, 0, count, type, 0);
}

static ompc_message_t writes(void *address, long long count, MPI_Datatype type)
{
    return elements(address, 0, count, type, 1);
}

/* Sent, and then received in its place. */
static ompc_message_t replaces(void *address, long long count, MPI_Datatype type)
{
    return elements(address, 0, count, type, 2);
}

static ompc_message_t both(ompc_message_t a, ompc_message_t b)
{
    if (a.bytes == 0 || b.bytes == 0)
        return a.bytes == 0 ? b : a;
    const uintptr_t a_begin = (uintptr_t)a.begin, b_begin = (uintptr_t)b.begin, begin = a_begin < b_begin ? a_begin : b_begin;
    const uintptr_t a_end = a_begin + a.bytes, b_end = b_begin + b.bytes, end = a_end > b_end ? a_end : b_end;
    const ompc_message_t found = {(const void *)begin, end - begin, a.writes || b.writes, 0, -1, NULL, 0};
    return found;
}

/* How many parts a collective call has: of the group, or of the other one of an intercommunicator. */
static int parts(MPI_Comm comm)
{
    int is_inter = 0, count = 0;
    PMPI_Comm_test_inter(comm, &is_inter);
    if ((is_inter ? PMPI_Comm_remote_size(comm, &count) : PMPI_Comm_size(comm, &count)) != MPI_SUCCESS)
        return 0;
    return count;
}

/* Is the process the root, which alone has the parts of all? */
static int is_root(int root, MPI_Comm comm)
{
    int is_inter = 0, rank = -1;
    PMPI_Comm_test_inter(comm, &is_inter);
    if (is_inter)
        return root == MPI_ROOT;
    return PMPI_Comm_rank(comm, &rank) == MPI_SUCCESS && rank == root;
}

/* Neighbours from which something comes (1), or to which something goes (0). */
static int neighbours(MPI_Comm comm, int from)
{
    int topology = MPI_UNDEFINED, count = 0, to = 0, rank = 0, is_weighted = 0;
    PMPI_Topo_test(comm, &topology);
    if (topology == MPI_CART && PMPI_Cartdim_get(comm, &count) == MPI_SUCCESS)
        return 2 * count;
    if (topology == MPI_GRAPH && PMPI_Comm_rank(comm, &rank) == MPI_SUCCESS && PMPI_Graph_neighbors_count(comm, rank, &count) == MPI_SUCCESS)
        return count;
    if (topology == MPI_DIST_GRAPH && PMPI_Dist_graph_neighbors_count(comm, &count, &to, &is_weighted) == MPI_SUCCESS)
        return from ? count : to;
    return 0;
}

/* Nothing, such as what only another process gives or gets. */
static ompc_message_t nothing(void)
{
    const ompc_message_t none = {NULL, 0, 0, 0, -1, NULL, 0};
    return none;
}

/* With a rank that may be nobody. */
static ompc_message_t of_rank(int rank, ompc_message_t message)
{
    return rank == MPI_PROC_NULL ? nothing() : message;
}

/* Is the end of each request heard of? */
static int ends_are_seen;

/* Of one process for another: it may be elsewhere, if all bytes between its ends are its own. */
static ompc_message_t between_two(int rank, ompc_message_t message, long long count, MPI_Datatype type)
{
    MPI_Count bytes = 0;
    message.dense = message.bytes != 0 && PMPI_Type_size_x(type, &bytes) == MPI_SUCCESS && bytes > 0 && (long long)message.bytes / bytes == count &&
                    (long long)message.bytes % bytes == 0;
    return of_rank(rank, message);
}

/* To whom something is sent, as all processes know it; -1: nobody, or nobody asks. */
static int peer_of(int rank, MPI_Comm comm, size_t bytes, MPI_Datatype type)
{
    int integers, addresses, types, combiner, is_inter = 0, peer = MPI_UNDEFINED;
    MPI_Group all, group;
    if (rank < 0 || !ompc_peers_use(bytes) || type == MPI_PACKED ||
        PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner) != MPI_SUCCESS || combiner != MPI_COMBINER_NAMED)
        return -1;
    if (comm == MPI_COMM_WORLD)
        return rank;
    if (PMPI_Comm_test_inter(comm, &is_inter) != MPI_SUCCESS || PMPI_Comm_group(MPI_COMM_WORLD, &all) != MPI_SUCCESS)
        return -1;
    if ((is_inter ? PMPI_Comm_remote_group(comm, &group) : PMPI_Comm_group(comm, &group)) == MPI_SUCCESS) {
        if (PMPI_Group_translate_ranks(group, 1, &rank, all, &peer) != MPI_SUCCESS)
            peer = MPI_UNDEFINED;
        PMPI_Group_free(&group);
    }
    PMPI_Group_free(&all);
    return peer == MPI_UNDEFINED ? -1 : peer;
}

static ompc_message_t sent_to(int rank, MPI_Comm comm, ompc_message_t message, long long count, MPI_Datatype type)
{
    ompc_message_t found = between_two(rank, message, count, type);
    found.peer = found.dense ? peer_of(rank, comm, found.bytes, type) : -1;
    return found;
}

/* Where MPI finds what the program has at an address. */
static void *moved(const void *address, const ompc_message_t *message)
{
    const uintptr_t by = message->room == NULL ? 0 : (uintptr_t)message->room - (uintptr_t)message->begin;
    return (void *)((uintptr_t)address + by);
}

/* Bytes that a call has received, or a request that is over. */
static long long received_by(const MPI_Status *state)
{
    int is_cancelled = 0;
    MPI_Count bytes = -1;
    if (PMPI_Test_cancelled(state, &is_cancelled) != MPI_SUCCESS || is_cancelled || PMPI_Get_elements_x(state, MPI_BYTE, &bytes) != MPI_SUCCESS)
        return -1;
    return bytes == MPI_UNDEFINED ? -1 : (long long)bytes;
}

/* The program is told of what it has received, and not of what stood for that. What a descriptor stands for may be too long. */
static int heard(MPI_Status *state, long long received, long long real, MPI_Comm comm)
{
    if (real == ompc_message_is_too_long) {
        state->MPI_ERROR = MPI_ERR_TRUNCATE;
        PMPI_Comm_call_errhandler(comm, MPI_ERR_TRUNCATE);
        return MPI_ERR_TRUNCATE;
    }
    if (real != received && real >= 0)
        PMPI_Status_set_elements_x(state, MPI_BYTE, (MPI_Count)real);
    return MPI_SUCCESS;
}

/* Of a call with a root: does this process send to it, or hear of it? In one half of an intercommunicator only the root is asked. */
static int is_of_all(int root, MPI_Comm comm)
{
    int is_inter = 0;
    PMPI_Comm_test_inter(comm, &is_inter);
    return !is_inter || (root != MPI_ROOT && root != MPI_PROC_NULL);
}

static int is_asked(int root, MPI_Comm comm)
{
    return is_root(root, comm) || is_of_all(root, comm);
}

static int own_rank(MPI_Comm comm)
{
    int rank = 0;
    PMPI_Comm_rank(comm, &rank);
    return rank;
}

static int own_size(MPI_Comm comm)
{
    int size = 0;
    PMPI_Comm_size(comm, &size);
    return size;
}

/* ---- calls ---------------------------------------------------------------------------------------------------------- */

enum { MOST = 2 }; /* a call's memory: what it sends, and what it receives */

/* A handle, as a number. */
static uintptr_t number_of(MPI_Request request)
{
    uintptr_t number = 0;
    memcpy(&number, &request, sizeof request < sizeof number ? sizeof request : sizeof number);
    return number;
}

/* Over with its request. */
#define LEFT_TO_REQUEST                                                 \
    if (status == MPI_SUCCESS)                                          \
        ompc_request_made(number_of(*request), messages, MOST, 0);      \
    else                                                                \
        ompc_messages_close(messages, MOST, -1);
#define BEGIN_OF(name, parameters, arguments, ...)                      \
    EXPORTED int MPI_##name parameters                                  \
    {                                                                   \
        ompc_message_t messages[MOST] = {__VA_ARGS__};                  \
        BEHIND(name)                                                    \
        ompc_messages_open(messages, MOST);                             \
        const int status = next arguments;                              \
        LEFT_TO_REQUEST                                                 \
        return status;                                                  \
    }

/* Between two processes: over when it returns, or with its request. `moves`: puts what MPI is given where the messages are. */
#define SEND_OF(name, parameters, arguments, moves, ...)                \
    EXPORTED int MPI_##name parameters                                  \
    {                                                                   \
        ompc_message_t messages[MOST] = {__VA_ARGS__};                  \
        BEHIND(name)                                                    \
        ompc_messages_open(messages, MOST);                             \
        moves;                                                          \
        const int status = next arguments;                              \
        ompc_messages_close(messages, MOST, -1);                        \
        return status;                                                  \
    }
/* Of any other kind, over when it returns. */
#define CALL_OF(name, parameters, arguments, ...) SEND_OF(name, parameters, arguments, (void)0, __VA_ARGS__)

#define RECEIVE_OF(name, parameters, arguments, moves, hears, ...)      \
    EXPORTED int MPI_##name parameters                                  \
    {                                                                   \
        ompc_message_t messages[MOST] = {__VA_ARGS__};                  \
        BEHIND(name)                                                    \
        ompc_messages_open(messages, MOST);                             \
        MPI_Status own;                                                 \
        state = state == MPI_STATUS_IGNORE ? &own : state;              \
        moves;                                                          \
        const int status = next arguments;                              \
        const long long received = status == MPI_SUCCESS ? hears : ompc_message_has_failed; \
        const long long real = ompc_messages_close(messages, MOST, received); \
        return status == MPI_SUCCESS ? heard(state, received, real, CURRENT) : status; \
    }
#define BEGIN_POINT_OF(name, parameters, arguments, moves, ...)         \
    EXPORTED int MPI_##name parameters                                  \
    {                                                                   \
        ompc_message_t messages[MOST] = {__VA_ARGS__};                  \
        BEHIND(name)                                                    \
        for (int i = 0; i < MOST; i++)                                  \
            messages[i].dense &= ends_are_seen;                         \
        ompc_messages_open(messages, MOST);                             \
        moves;                                                          \
        const int status = next arguments;                              \
        LEFT_TO_REQUEST                                                 \
        return status;                                                  \
    }
#define MOVE(address, i) address = moved(address, &messages[i])
#define MOVE_SENT(address, i, count, type)                              \
    address = moved(address, &messages[i]);                             \
    if (messages[i].described != 0) {                                   \
        count = messages[i].described;                                  \
        type = MPI_BYTE;                                                \
    }

/* Begins whenever its request is started. */
#define PREPARE_OF(name, parameters, arguments, ...)                    \
    EXPORTED int MPI_##name parameters                                  \
    {                                                                   \
        ompc_message_t messages[MOST] = {__VA_ARGS__};                  \
        BEHIND(name)                                                    \
        const int status = next arguments;                              \
        if (status == MPI_SUCCESS)                                      \
            ompc_request_made(number_of(*request), messages, MOST, 1);  \
        return status;                                                  \
    }

/* What uses memory until nobody knows when. */
#define UNSEEN_OF(name, parameters, arguments, address, bytes)          \
    EXPORTED int MPI_##name parameters                                  \
    {                                                                   \
        BEHIND(name)                                                    \
        unseen("MPI_" #name, address, (size_t)(bytes));                 \
        return next arguments;                                          \
    }

/* Likewise, of memory that is hardly an array of the program's: nothing is said. */
#define EXEMPT_OF(name, parameters, arguments, address, bytes)          \
    EXPORTED int MPI_##name parameters                                  \
    {                                                                   \
        BEHIND(name)                                                    \
        exempt(address, (size_t)(bytes));                               \
        return next arguments;                                          \
    }

/* A name is made first, and then joined. */
#define MADE(how, ...) how(__VA_ARGS__)
#define CALL(name, ...) MADE(CALL_OF, NAME(name), __VA_ARGS__)
#define BEGIN(name, ...) MADE(BEGIN_OF, NAME(name), __VA_ARGS__)
#define SEND(name, ...) MADE(SEND_OF, NAME(name), __VA_ARGS__)
#define RECEIVE(name, ...) MADE(RECEIVE_OF, NAME(name), __VA_ARGS__)
#define BEGIN_POINT(name, ...) MADE(BEGIN_POINT_OF, NAME(name), __VA_ARGS__)
#define PREPARE(name, ...) MADE(PREPARE_OF, NAME(name), __VA_ARGS__)
#define UNSEEN(name, ...) MADE(UNSEEN_OF, NAME(name), __VA_ARGS__)
#define EXEMPT(name, ...) MADE(EXEMPT_OF, NAME(name), __VA_ARGS__)

/* The same call once as it is, once as what begins it, and as what prepares it. */
#define WITH_REQUEST_PARAMETER(...) (__VA_ARGS__, MPI_Request *request)
#define WITH_REQUEST(...) (__VA_ARGS__, request)
#define WITH_INFO_PARAMETER(...) (__VA_ARGS__, MPI_Info info, MPI_Request *request)
#define WITH_INFO(...) (__VA_ARGS__, info, request)
#if MPI_VERSION >= 4
#define PREPARE_COLLECTIVE(name, parameters, arguments, ...)            \
    PREPARE(name, WITH_INFO_PARAMETER parameters, WITH_INFO arguments, __VA_ARGS__)
#else
#define PREPARE_COLLECTIVE(name, parameters, arguments, ...)
#endif
#define COLLECTIVE(name, begins, prepares, parameters, arguments, ...)  \
    CALL(name, parameters, arguments, __VA_ARGS__)                      \
    BEGIN(begins, WITH_REQUEST_PARAMETER parameters, WITH_REQUEST arguments, __VA_ARGS__) \
    PREPARE_COLLECTIVE(prepares, parameters, arguments, __VA_ARGS__)

static void exempt(const void *address, size_t bytes)
{
#ifdef OMPC_REPLACES_SYSTEM_CALLS
    ompc_exempted(address, bytes);
#else
    (void)address, (void)bytes; /* nothing is guarded */
#endif
}

static void unseen(const char *call, const void *address, size_t bytes)
{
    ompc_message_unseen(call, address, bytes);
    exempt(address, bytes);
}

#define COUNT int
#define PLACE int
#define NAME(name) name
#include "ompc_mpi_calls.h"
#undef COUNT
#undef PLACE
#undef NAME

/* The same with larger numbers. */
#if MPI_VERSION >= 4
#define COUNT MPI_Count
#define PLACE MPI_Aint
#define NAME(name) name##_c
#include "ompc_mpi_calls.h"
#undef COUNT
#undef PLACE
#undef NAME
#endif

#define NAME(name) name
UNSEEN(Win_attach, (MPI_Win window, void *base, MPI_Aint bytes), (window, base, bytes), base, bytes)
UNSEEN(Fetch_and_op, (const void *from, void *to, MPI_Datatype type, int rank, MPI_Aint at, MPI_Op op, MPI_Win window),
       (from, to, type, rank, at, op, window), to, 1)
UNSEEN(Compare_and_swap, (const void *from, const void *compared, void *to, MPI_Datatype type, int rank, MPI_Aint at, MPI_Win window),
       (from, compared, to, type, rank, at, window), to, 1)
#if MPI_VERSION >= 4
UNSEEN(Psend_init,
       (const void *from, int parts, MPI_Count count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Info info, MPI_Request *request),
       (from, parts, count, type, to, tag, comm, info, request), from, 1)
UNSEEN(Precv_init,
       (void *to, int parts, MPI_Count count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Info info, MPI_Request *request),
       (to, parts, count, type, from, tag, comm, info, request), to, 1)
#endif

/* ---- the ends of requests ------------------------------------------------------------------------------------------- */

/* Handles as they were before a call that sets those to null which are over. */
typedef struct {
    uintptr_t few[64], *all;
    int count;
} handles_t;

static void remember(handles_t *handles, int count, const MPI_Request *requests)
{
    const size_t all = count > 0 ? (size_t)count : 0;
    handles->all = all <= sizeof handles->few / sizeof *handles->few ? handles->few : (uintptr_t *)malloc(all * sizeof(uintptr_t));
    handles->count = handles->all == NULL ? 0 : (int)all;
    for (int i = 0; i < handles->count; i++)
        handles->all[i] = number_of(requests[i]);
}

/* With what it has received; no state: nothing. */
static int is_over(const handles_t *handles, int i, MPI_Status *state)
{
    if (i < 0 || i >= handles->count)
        return MPI_SUCCESS;
    const long long received = state == NULL ? ompc_message_has_failed : received_by(state);
    const long long real = ompc_request_is_over(handles->all[i], received);
    return state == NULL ? MPI_SUCCESS : heard(state, received, real, MPI_COMM_WORLD); /* its own may be gone */
}

static int are_over(const handles_t *handles, MPI_Status *states)
{
    int status = MPI_SUCCESS;
    for (int i = 0; i < handles->count; i++)
        if (is_over(handles, i, &states[i]) != MPI_SUCCESS)
            status = MPI_ERR_TRUNCATE;
    return status;
}

static int those_are_over(const handles_t *handles, int count, const int *indices, MPI_Status *states)
{
    int status = MPI_SUCCESS;
    for (int i = 0; count != MPI_UNDEFINED && i < count; i++)
        if (is_over(handles, indices[i], &states[i]) != MPI_SUCCESS)
            status = MPI_ERR_TRUNCATE;
    return status;
}

/* Of a call that has failed, those that it has set to null: the others may go on. What has come came without an error. */
static void some_are_over(const handles_t *handles, const MPI_Request *requests, MPI_Status *states)
{
    for (int i = 0; i < handles->count; i++)
        if (requests[i] == MPI_REQUEST_NULL)
            is_over(handles, i, states != NULL && states[i].MPI_ERROR == MPI_SUCCESS ? &states[i] : NULL);
}

static void forget(handles_t *handles)
{
    if (handles->all != handles->few)
        free(handles->all);
}

/* What the program does not want to know of so many requests has to be told us. */
typedef struct {
    MPI_Status few[64], *made;
} states_t;

static MPI_Status *own_states(states_t *own, int count, MPI_Status *given)
{
    const size_t all = count > 0 ? (size_t)count : 1;
    own->made = NULL;
    if (given != MPI_STATUSES_IGNORE && given != MPI_STATUS_IGNORE)
        return given;
    if (all <= sizeof own->few / sizeof *own->few)
        return own->few;
    own->made = (MPI_Status *)malloc(all * sizeof *own->made);
    if (own->made == NULL)
        abort();
    return own->made;
}

/* `which`: says so of the handles, where the call has succeeded; `many` states, of which a call that has failed gives one for each. */
#define ENDS(name, parameters, arguments, many, requests, states, of_each, which) \
    EXPORTED int MPI_##name parameters                                  \
    {                                                                   \
        BEHIND(name)                                                    \
        handles_t handles;                                              \
        states_t own;                                                   \
        remember(&handles, many, requests);                             \
        states = own_states(&own, many, states);                        \
        int status = next arguments;                                    \
        if (status == MPI_SUCCESS) {                                    \
            status = which;                                             \
        } else {                                                        \
            some_are_over(&handles, requests, of_each && status == MPI_ERR_IN_STATUS ? states : NULL); \
        }                                                               \
        free(own.made);                                                 \
        forget(&handles);                                               \
        look_at_left();                                                 \
        return status;                                                  \
    }

/* Requests that the program has given away while what they send or receive is in a room. */
static pthread_mutex_t left_lock = PTHREAD_MUTEX_INITIALIZER;
static MPI_Request *left;
static int left_count, left_room;

static int leave(MPI_Request request)
{
    pthread_mutex_lock(&left_lock);
    if (left_count == left_room) {
        MPI_Request *const more = (MPI_Request *)realloc(left, (size_t)(2 * left_room + 16) * sizeof *left);
        left_room = more == NULL ? left_room : 2 * left_room + 16;
        left = more == NULL ? left : more;
    }
    const int is_kept = left_count < left_room;
    if (is_kept)
        left[left_count++] = request;
    pthread_mutex_unlock(&left_lock);
    return is_kept;
}

static void look_at_left(void)
{
    if (__atomic_load_n(&left_count, __ATOMIC_RELAXED) == 0)
        return;
    pthread_mutex_lock(&left_lock);
    for (int i = 0; i < left_count; i++) {
        const uintptr_t number = number_of(left[i]);
        int flag = 0;
        MPI_Status state;
        if (PMPI_Test(&left[i], &flag, &state) != MPI_SUCCESS)
            ompc_request_is_over(number, ompc_message_has_failed);
        else if (flag)
            ompc_request_is_over(number, received_by(&state));
        else
            continue;
        left[i--] = left[--left_count];
    }
    pthread_mutex_unlock(&left_lock);
}

ENDS(Wait, (MPI_Request * request, MPI_Status *state), (request, state), 1, request, state, 0, is_over(&handles, 0, state))
ENDS(Test, (MPI_Request * request, int *flag, MPI_Status *state), (request, flag, state), 1, request, state, 0,
     *flag ? is_over(&handles, 0, state) : MPI_SUCCESS)
ENDS(Waitall, (int count, MPI_Request requests[], MPI_Status states[]), (count, requests, states), count, requests, states, 1,
     are_over(&handles, states))
ENDS(Testall, (int count, MPI_Request requests[], int *flag, MPI_Status states[]), (count, requests, flag, states), count, requests, states, 1,
     *flag ? are_over(&handles, states) : MPI_SUCCESS)
ENDS(Waitany, (int count, MPI_Request requests[], int *index, MPI_Status *state), (count, requests, index, state), count, requests, state, 0,
     *index != MPI_UNDEFINED ? is_over(&handles, *index, state) : MPI_SUCCESS)
ENDS(Testany, (int count, MPI_Request requests[], int *index, int *flag, MPI_Status *state), (count, requests, index, flag, state), count,
     requests, state, 0, *flag && *index != MPI_UNDEFINED ? is_over(&handles, *index, state) : MPI_SUCCESS)
ENDS(Waitsome, (int count, MPI_Request requests[], int *done, int indices[], MPI_Status states[]), (count, requests, done, indices, states),
     count, requests, states, 0, those_are_over(&handles, *done, indices, states))
ENDS(Testsome, (int count, MPI_Request requests[], int *done, int indices[], MPI_Status states[]), (count, requests, done, indices, states),
     count, requests, states, 0, those_are_over(&handles, *done, indices, states))

/* Says that a request is over, and leaves it: what it has received may be used. */
EXPORTED int MPI_Request_get_status(MPI_Request request, int *flag, MPI_Status *state)
{
    BEHIND(Request_get_status)
    MPI_Status own;
    state = state == MPI_STATUS_IGNORE ? &own : state;
    const int status = next(request, flag, state);
    if (status != MPI_SUCCESS || !*flag || request == MPI_REQUEST_NULL)
        return status;
    const long long received = received_by(state);
    return heard(state, received, ompc_request_has_come(number_of(request), received), MPI_COMM_WORLD);
}

EXPORTED int MPI_Start(MPI_Request *request)
{
    BEHIND(Start)
    ompc_request_starts(number_of(*request));
    return next(request);
}

EXPORTED int MPI_Startall(int count, MPI_Request requests[])
{
    BEHIND(Startall)
    for (int i = 0; i < count; i++)
        ompc_request_starts(number_of(requests[i]));
    return next(count, requests);
}

EXPORTED int MPI_Request_free(MPI_Request *request)
{
    BEHIND(Request_free)
    if (*request != MPI_REQUEST_NULL && ompc_request_has_room(number_of(*request)) && leave(*request)) {
        *request = MPI_REQUEST_NULL;
        return MPI_SUCCESS;
    }
    ompc_request_freed(number_of(*request));
    return next(request);
}

/* ---- the beginning and the end -------------------------------------------------------------------------------------- */

static int begun(int status, seen_t seen)
{
    ends_are_seen = !seen.calls_behind;
    int rank = 0, size = 0;
    if (status == MPI_SUCCESS && PMPI_Comm_rank(MPI_COMM_WORLD, &rank) == MPI_SUCCESS && PMPI_Comm_size(MPI_COMM_WORLD, &size) == MPI_SUCCESS)
        ompc_peers_join(rank, size, !seen.calls_behind && !seen.calls_unseen);
    return status;
}

EXPORTED int MPI_Init(int *count, char ***words)
{
    BEHIND(Init)
    const seen_t seen = look_at_calls();
    return begun(next(count, words), seen);
}

EXPORTED int MPI_Init_thread(int *count, char ***words, int required, int *provided)
{
    BEHIND(Init_thread)
    const seen_t seen = look_at_calls();
    return begun(next(count, words, required, provided), seen);
}

/* The memory of a message on the device is there until its receiver has copied it. */
EXPORTED int MPI_Finalize(void)
{
    BEHIND(Finalize)
    const struct timespec a_while = {0, 50000};
    int flag;
    look_at_left();
    ompc_peers_leave();
    while (ompc_peers_are_waiting()) {
        PMPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE); /* so that MPI goes on with its messages */
        nanosleep(&a_while, NULL);
    }
    return next();
}
