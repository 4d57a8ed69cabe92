/* Functions of libc that hand the program's memory to the kernel, of every kind: what it is given is newest on the device,
   and what it answers goes where the device was the last to write. */
/* plain: */
/* expect-gpu: 1 */
/* flags: -std=gnu11 */
#define _GNU_SOURCE
#include <aio.h>
#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <threads.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#define BYTES 262144
static char stage[BYTES], first[BYTES], lasting0[BYTES], lasting1[BYTES], lasting2[BYTES], *memory = first; /* a lasting one is not guarded again */

static void copy(char *to, const char *from, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        to[i] = from[i];
}

/* All of `memory` is newest on the device: zeros, and at an offset what is given. */
static void *on_device(size_t at, const void *what, size_t bytes)
{
    memset(stage, 0, sizeof stage);
    if (bytes != 0)
        memcpy(stage + at, what, bytes);
    memset(memory, 'h', BYTES);         /* what the host has is wrong */
    copy(memory, stage, BYTES);
    return memory + at;
}
#define PUT(type, ...) ((type *)on_device(8192, &(type){__VA_ARGS__}, sizeof(type)))
#define ROOM() on_device(8192, NULL, 0)
#define TEXT(text) ((char *)on_device(12288, text, strlen(text) + 1))

static unsigned hash(const void *from, size_t n)
{
    unsigned h = 0;
    for (size_t i = 0; i < n; i++)
        h = h * 31 + ((const unsigned char *)from)[i];
    return h;
}
static int any(const void *from, size_t n)
{
    int set = 0;
    for (size_t i = 0; i < n; i++)
        set |= ((const char *)from)[i] != 0;
    return set;
}

static char name[64];
static int file;
static void fill_file(void)
{
    char some[20000];
    for (size_t i = 0; i < sizeof some; i++)
        some[i] = (char)(i * 7 % 26 + 'a');
    pwrite(file, some, sizeof some, 0);
}

static void files(void)
{
    char *room;
    strcpy(name, "/tmp/ompc-libc-XXXXXX");
    file = mkstemp(name);
    fill_file();
    room = ROOM(); struct iovec in[2] = {{room, 5000}, {room + 9000, 4000}};
    printf("files %zd", preadv2(file, in, 2, 10, 0)); printf(" %u", hash(room, 13000));
    room = ROOM(); in[0].iov_base = room;
    printf(" %zd", preadv64v2(file, in, 1, 5, 0)); printf(" %u", hash(room, 5000));
    room = TEXT("xy");
    struct iovec out[2] = {{room, 3000}, {room + 3000, 100}};
    printf(" %zd", pwritev2(file, out, 2, 50, 0)); pread(file, stage, 10, 50); printf(" %.2s", stage);
    static char other[100]; struct iovec *vector = PUT(struct iovec, other, 100);
    printf(" %zd", preadv(file, vector, 1, 30)); printf(" %u", hash(other, 100));
    room = ROOM(); printf(" %zd", pread64(file, room, 4096, 100)); printf(" %u", hash(room, 4096));
    struct flock *lock = PUT(struct flock, .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 10);
    printf(" %d", fcntl(file, F_SETLK, lock));
    lock = PUT(struct flock, .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 10);
    int locked = fcntl(file, F_GETLK, lock); printf(" %d %d", locked, lock->l_type == F_UNLCK);
    struct stat *status = ROOM(); printf(" %d", stat(TEXT(name), status));
    status = ROOM(); int got = fstat(file, status); printf(" %d %ld", got, (long)status->st_size);
    struct statvfs *system = ROOM(); got = fstatvfs(file, system); printf(" %d %d", got, system->f_bsize > 0);
    system = ROOM(); got = statvfs("/tmp", system); printf(" %d %d", got, system->f_bsize > 0);
    printf(" %d", statvfs64(TEXT("/tmp"), (struct statvfs64 *)stage));
    struct timespec times[2] = {{1000, 0}, {2000, 0}};
    printf(" %d", futimens(file, on_device(4096, times, sizeof times))); fstat(file, (struct stat *)stage);
    printf(" %ld", (long)((struct stat *)stage)->st_mtime);
    printf(" %d %d\n", access(TEXT(name), R_OK), truncate(TEXT(name), 15000));
}

static void more_files(void)
{
    char *room = TEXT("value"); int code = setxattr(name, "user.ompc", room, 5, 0), has = code == 0;
    room = ROOM(); ssize_t n = getxattr(name, "user.ompc", room, 100);
    printf("more %d", !has || (n == 5 && memcmp(room, "value", 5) == 0));
    room = ROOM(); n = flistxattr(file, room, 1000); printf(" %d", !has || (n > 0 && any(room, (size_t)n)));
    int anonymous = memfd_create(TEXT("named"), 0); char link[64], *to = ROOM();
    sprintf(link, "/proc/self/fd/%d", anonymous);
    n = readlink(link, to, 100); printf(" %d", n > 6 && memcmp(to, "/memfd:named", 12) == 0); close(anonymous);
    to = ROOM(); printf(" %d", getcwd(to, 4096) == to && to[0] == '/');
    to = ROOM(); printf(" %d", realpath("/tmp/.", to) == to && strcmp(to, "/tmp") == 0);
    int folder = open("/tmp", O_RDONLY | O_DIRECTORY); to = ROOM();
    printf(" %d", getdents64(folder, to, 8000) > 0 && any(to, 24)); close(folder);
    struct dirent **found = NULL; n = scandir(TEXT("/proc/self/task"), &found, NULL, NULL); printf(" %d", n > 2);
    int ends[2]; pipe(ends);
    off_t *at = PUT(off_t, 20); n = splice(file, (void *)at, ends[1], NULL, 100, 0); printf(" %zd %ld", n, (long)*at);
    to = ROOM(); n = read(ends[0], to, 100); printf(" %zd %u", n, hash(to, 100));
    at = PUT(off_t, 40); n = sendfile64(ends[1], file, (void *)at, 50) == 50 ? 1 : 0; printf(" %zd %ld", n, (long)*at); read(ends[0], stage, 50);
    memory = lasting0; to = TEXT("spliced"); memory = first; struct iovec one = {to, 7}; n = vmsplice(ends[1], &one, 1, 0);
    char small[8] = ""; read(ends[0], small, 7); printf(" %zd %s", n, small);
    uint64_t *count; int event = eventfd(7, 0); count = ROOM(); n = eventfd_read(event, count); printf(" %zd %d", n, (int)*count); close(event);
    struct rlimit *limit = ROOM(); n = getrlimit(RLIMIT_NOFILE, limit); printf(" %zd %d", n, limit->rlim_max > 0);
    struct rlimit now = *limit; limit = on_device(100, &now, sizeof now); n = setrlimit(RLIMIT_NOFILE, limit); printf(" %zd", n);
    limit = ROOM(); n = prlimit(0, RLIMIT_NOFILE, NULL, limit); printf(" %zd %d", n, limit->rlim_max == now.rlim_max);
    unsigned char *resident = ROOM(); n = mincore((void *)((uintptr_t)name & ~4095ul), 4096, resident); printf(" %zd %d", n, resident[0] & 1);
    uid_t *ids = ROOM(); n = getresuid(ids, ids + 1, ids + 2); printf(" %zd %d", n, ids[2] == geteuid());
    to = TEXT("renamed"); n = prctl(PR_SET_NAME, to); to = ROOM(); pthread_getname_np(pthread_self(), to, 16); printf(" %zd %s", n, to);
    cpu_set_t *cpus = ROOM(); n = pthread_getaffinity_np(pthread_self(), sizeof *cpus, cpus); printf(" %zd %d", n, CPU_COUNT(cpus) > 0);
    close(ends[0]), close(ends[1]);
    printf("\n");
}

static void randoms(void)
{
    char *room = ROOM(); int n = getentropy(room, 200); printf("randoms %d %d", n, any(room, 200));
    room = ROOM(); n = (int)getrandom(room, 200, 0); printf(" %d %d", n, any(room, 200));
#if __GLIBC_PREREQ(2, 36)
    room = ROOM(); arc4random_buf(room, 20000); printf(" %d\n", any(room + 10000, 200));
#else
    printf(" 1\n");
#endif
}

/* Into an array whose size the compiler knows, of a length that it does not. */
static volatile size_t length = 6000;
static void checked(size_t n)
{
    int ends[2]; ssize_t got; char link[64]; lseek(file, 0, SEEK_SET); fill_file();
    ROOM(), got = read(file, first, n); printf("checked %zd %u", got, hash(first, n));
    ROOM(), got = pread(file, first, n, 3); printf(" %zd %u", got, hash(first, n));
    ROOM(), got = pread64(file, first, n, 4); printf(" %zd %u", got, hash(first, n));
    sprintf(link, "/proc/self/fd/%d", file);
    ROOM(), got = readlink(link, first, n); printf(" %d", got == (ssize_t)strlen(name) && memcmp(first, name, (size_t)got) == 0);
    ROOM(), got = readlinkat(AT_FDCWD, link, first, n); printf(" %d", got == (ssize_t)strlen(name) && memcmp(first, name, (size_t)got) == 0);
    ROOM(), printf(" %d", getcwd(first, n) == first && first[0] == '/');
    socketpair(AF_UNIX, SOCK_DGRAM, 0, ends); write(ends[0], "one", 3), write(ends[0], "two", 3);
    ROOM(), got = recv(ends[1], first, n, 0); printf(" %zd %.3s", got, first);
    ROOM(), got = recvfrom(ends[1], first, n, 0, NULL, NULL); printf(" %zd %.3s", got, first);
    FILE *stream = fopen(name, "r"); ROOM(), got = (ssize_t)fread(first, 1, n, stream); printf(" %zd %u", got, hash(first, n)); fclose(stream);
    ROOM(), got = (ssize_t)confstr(_CS_PATH, first, n); printf(" %d", got > 4 && first[0] == '/');
    ROOM(), got = gethostname(first, n); printf(" %zd %d\n", got, any(first, n)); close(ends[0]), close(ends[1]);
}

static void messages(void)
{
    struct { long kind; char text[40]; } message = {3, "by the queue"}, *got;
    int queue = msgget(IPC_PRIVATE, 0600), n = queue < 0 ? 0 : msgsnd(queue, on_device(8192, &message, sizeof message), 40, 0); printf("messages %d", n);
    got = ROOM(); n = queue < 0 ? 40 : (int)msgrcv(queue, got, 40, 0, 0); printf(" %d %d", n, queue < 0 || strcmp(got->text, "by the queue") == 0);
    struct msqid_ds *about = ROOM(); n = queue < 0 ? 0 : msgctl(queue, IPC_STAT, about); printf(" %d %d", n, queue < 0 || about->msg_qbytes > 0); msgctl(queue, IPC_RMID, NULL);
    int sem = semget(IPC_PRIVATE, 1, 0600); struct sembuf *op = PUT(struct sembuf, 0, 2, 0); n = sem < 0 ? 0 : semop(sem, op, 1); printf(" %d %d", n, sem < 0 ? 2 : semctl(sem, 0, GETVAL)); semctl(sem, 0, IPC_RMID);
    struct mq_attr attributes = {.mq_maxmsg = 4, .mq_msgsize = 64}, *told; char queue_name[64]; sprintf(queue_name, "/ompc-%d", (int)getpid());
    mqd_t mq = mq_open(TEXT(queue_name), O_CREAT | O_RDWR, 0600, on_device(100, &attributes, sizeof attributes));
    mq = mq == (mqd_t)-1 ? mq_open(queue_name, O_CREAT | O_RDWR, 0600, &attributes) : mq; int there = mq != (mqd_t)-1;
    n = mq_send(mq, TEXT("posted"), 7, 1); printf(" %d", n == 0 || !there);
    char *room = ROOM(); n = (int)mq_receive(mq, room, 64, NULL); printf(" %d", !there || (n == 7 && strcmp(room, "posted") == 0));
    told = ROOM(); n = mq_getattr(mq, told); printf(" %d", !there || (n == 0 && told->mq_msgsize == 64)); mq_close(mq), mq_unlink(TEXT(queue_name));
    int ends[2]; socketpair(AF_UNIX, SOCK_DGRAM, 0, ends); n = (int)sendto(ends[0], TEXT("sent"), 5, 0, NULL, 0); printf(" %d", n);
    room = ROOM(); n = (int)recvfrom(ends[1], room, 100, 0, (void *)(room + 5000), PUT(socklen_t, 0)); printf(" %d %s", n, room);
    struct pollfd *files = PUT(struct pollfd, ends[1], POLLIN | POLLOUT, 0); n = poll(files, 1, 10); printf(" %d %d", n, files->revents == POLLOUT);
    int set = epoll_create1(0); n = epoll_ctl(set, EPOLL_CTL_ADD, ends[1], PUT(struct epoll_event, EPOLLOUT, {.fd = 77})); printf(" %d", n);
    struct epoll_event *events = ROOM(); n = epoll_wait(set, events, 4, 10); printf(" %d %d\n", n, events->data.fd);
    close(set), close(ends[0]), close(ends[1]);
}

static void on_timer(int number) { (void)number; }
static void times(void)
{
    timer_t *timer = ROOM(); struct sigevent event = {.sigev_notify = SIGEV_NONE};
    int n = timer_create(CLOCK_MONOTONIC, &event, timer); timer_t mine = *timer; printf("times %d", n);
    n = timer_settime(mine, 0, PUT(struct itimerspec, {0, 0}, {100, 0}), NULL); printf(" %d", n);
    struct itimerspec *left = ROOM(); n = timer_gettime(mine, left); printf(" %d %d", n, left->it_value.tv_sec >= 99); timer_delete(mine);
    int timed = timerfd_create(CLOCK_MONOTONIC, 0); n = timerfd_settime(timed, 0, PUT(struct itimerspec, {0, 0}, {50, 0}), NULL); printf(" %d", n);
    left = ROOM(); n = timerfd_gettime(timed, left); printf(" %d %d", n, left->it_value.tv_sec >= 49); close(timed);
    struct timespec *resolution = ROOM(); n = clock_getres(CLOCK_REALTIME, resolution); printf(" %d %d", n, resolution->tv_nsec > 0);
    n = clock_nanosleep(CLOCK_MONOTONIC, 0, PUT(struct timespec, 0, 1000), NULL); printf(" %d %d", n, thrd_sleep(PUT(struct timespec, 0, 1000), NULL));
    sem_t *never = malloc(sizeof *never); sem_init(never, 0, 0);
    n = sem_timedwait(never, PUT(struct timespec, 1, 0)); printf(" %d %d", n, errno == ETIMEDOUT); free(never);
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t condition = PTHREAD_COND_INITIALIZER; pthread_mutex_lock(&mutex);
    printf(" %d", pthread_cond_timedwait(&condition, &mutex, PUT(struct timespec, 1, 0)) == ETIMEDOUT); pthread_mutex_unlock(&mutex);
    sigset_t user, *pending; sigemptyset(&user), sigaddset(&user, SIGUSR2); signal(SIGUSR2, on_timer); sigprocmask(SIG_BLOCK, &user, NULL); raise(SIGUSR2);
    pending = ROOM(); n = sigpending(pending); printf(" %d %d", n, sigismember(pending, SIGUSR2));
    siginfo_t *about = ROOM(); n = sigwaitinfo(on_device(200, &user, sizeof user) == NULL ? NULL : &user, about); printf(" %d %d", n == SIGUSR2, about->si_signo == SIGUSR2);
    raise(SIGUSR2); n = sigtimedwait(on_device(200, &user, sizeof user), NULL, &(struct timespec){1, 0}); printf(" %d", n == SIGUSR2);
    raise(SIGUSR2); int *number = ROOM(); n = sigwait(&user, number); printf(" %d %d", n, *number == SIGUSR2);
    int signals = signalfd(-1, on_device(200, &user, sizeof user), 0); raise(SIGUSR2); struct signalfd_siginfo *read_one = ROOM();
    n = (int)read(signals, read_one, sizeof *read_one) == sizeof *read_one; printf(" %d %d\n", n, read_one->ssi_signo == SIGUSR2);
    sigprocmask(SIG_UNBLOCK, &user, NULL); close(signals);
}

static void asynchronous(void)
{
    fill_file();
    memory = lasting1;
    struct aiocb request = {.aio_fildes = file, .aio_nbytes = 9000}, second; char *room = ROOM(); request.aio_buf = room;
    const struct aiocb *list[1] = {&request};
    int n = aio_read(&request); while (aio_error(&request) == EINPROGRESS) aio_suspend(list, 1, NULL);
    printf("asynchronous %d %zd %u", n, aio_return(&request), hash(room, 9000));
    room = ROOM(); second = request; second.aio_buf = room + 20000; second.aio_lio_opcode = LIO_READ; second.aio_nbytes = 5000;
    struct aiocb *requests[1] = {&second};
    n = lio_listio(LIO_WAIT, requests, 1, NULL); printf(" %d %zd %u\n", n, aio_return(&second), hash(room + 20000, 5000));
    memory = first;
}

static void copies_of_memory(void)
{
    struct iovec mine, theirs; char *room = TEXT("of this process"); theirs = (struct iovec){room, 16}; char got[32] = ""; mine = (struct iovec){got, 16};
    ssize_t n = process_vm_readv(getpid(), &mine, 1, &theirs, 1, 0); printf("memory %d %s", n == 16 || errno == EPERM, n == 16 ? got : "of this process");
    room = ROOM(); mine = (struct iovec){"written", 8}, theirs = (struct iovec){room, 8}; n = process_vm_writev(getpid(), &mine, 1, &theirs, 1, 0);
    printf(" %s", n == 8 ? room : "written");
    room = TEXT("raw"); int ends[2]; pipe(ends); struct iovec raw = {room, 3}; n = syscall(SYS_writev, ends[1], &raw, 1); memset(got, 0, 32), read(ends[0], got, 3); printf(" %zd %s", n, got);
    room = ROOM(); raw = (struct iovec){room, 4}; write(ends[1], "back", 4); n = syscall(SYS_readv, ends[0], &raw, 1); printf(" %zd %s", n, room);
    ucontext_t *context = ROOM(); volatile int turns = 0; getcontext(context); if (turns++ < 2) setcontext(context); printf(" %d\n", turns); close(ends[0]), close(ends[1]);
}

static void texts(void)
{
    static char big[20000]; for (int i = 0; i < 19999; i++) big[i] = (char)(i % 26 + 'A');
    char *text = TEXT(big); int n; fflush(stdout);
    n = dprintf(1, "%d %s\n", 5, text); printf("texts %d\n", n);
    text = TEXT(big); fflush(stdout); fputs_unlocked(text, stdout); printf("\n"); fflush(stdout);
    struct addrinfo hints = {.ai_family = AF_INET, .ai_flags = AI_NUMERICHOST}, *found = NULL;
    n = getaddrinfo(TEXT("127.0.0.1"), "80", &hints, &found); printf("%d %d\n", n, found != NULL && ntohs(((struct sockaddr_in *)found->ai_addr)->sin_port) == 80);
    freeaddrinfo(found);
    setenv("OMPC_OF_HOST", "x", 1);
    memory = lasting2, text = TEXT("OF_DEVICE=newest"), putenv(text), copy(memory, stage, BYTES), memory = first; n = system("echo by system $OF_DEVICE"); printf("%d\n", n); fflush(stdout);
    FILE *pipe = popen(TEXT("echo by popen $OF_DEVICE"), "r"); char line[80] = ""; fgets(line, 80, pipe), pclose(pipe); printf("%s", line); fflush(stdout);
    char *words[] = {TEXT("echo"), memory + 12288, "again", NULL}; pid_t child; fflush(stdout); n = posix_spawnp(&child, words[0], NULL, NULL, words, environ); waitpid(child, NULL, 0); printf("%d\n", n); fflush(stdout);
    if ((child = vfork()) == 0) { execvpe(words[0], words, environ); _exit(1); }
    int *status = ROOM(); n = waitpid(child, status, 0) == child; printf("%d %d\n", n, *status);
}

int main(void)
{
    setvbuf(stdout, NULL, _IOFBF, 1 << 16);
    files(), more_files(), randoms(), checked(length), messages(), times(), asynchronous(), copies_of_memory(), texts();
    close(file), unlink(name);
    return 0;
}
