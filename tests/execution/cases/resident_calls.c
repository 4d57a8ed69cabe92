/* The C library and the system read and write what the device has: system calls fail on protected pages instead of
   faulting, and functions of the library are compiled by nobody who knows. */
/* plain: */
/* expect-gpu: 3 */
/* without: glue */
/* flags: -std=gnu11 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <search.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sched.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

#define N 40000
#define BYTES (N * sizeof(double))

static double a[N], b[N];
static char text[200000];
static int keys[N];
static double *x, *y;
static char *bytes;

static void grow(double *to, int n, double by)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        to[i] += by * (i % 7 + 1);
}
/* The same letter again, and some more; no byte stays what it was when the device last had it. */
static void letters(char *to, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        to[i] = (to[i] + i) % 26 + 'a';
}
static void number(int *to, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        to[i] = (int)((i * 7919LL + to[i]) % n);
}
static double on_host(const double *from, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += from[i] * (i % 5 + 1);
    return s;
}
static unsigned hash(const char *from, size_t n)
{
    unsigned h = 0;
    for (size_t i = 0; i < n; i++)
        h = h * 31 + (unsigned char)from[i];
    return h;
}

static void strings(void)
{
    memset(text, 1, sizeof text);
    letters(text, 199999);
    text[199999] = 0;
    printf("strings %zu %u", strlen(text), hash(text, 30));
    letters(text, 100000);
    memmove(text + 7, text, 150000);
    letters(text + 1000, 90000);
    strcpy(bytes, text);
    letters(bytes, 100);
    bytes[50] = 'Q';
    printf(" %td %td %zu", strchr(bytes, 'Q') - bytes, (char *)memchr(bytes + 60, 'q', 10000) - bytes, strspn(text, "abc"));
    letters(text, 199990);
    bytes[60] = 0;
    strcat(bytes, text + 199000);
    letters(bytes + 200, 140000);
    printf(" %d %d %.40s|", strcmp(text, bytes) > 0, memcmp(text, bytes + 1, 5000) > 0, text + 100000);
    letters(text, 100000);
    text[70000] = 0;
    printf(" %.20s %s\n", text + 69990, text + 69995);
    letters(bytes, 199999);
    char *end = stpcpy(text + 150000, "/end"), *save, *word;
    bytes[77777] = ',', bytes[100] = ' ', bytes[300] = 0;
    letters(text, 1000);
    word = strtok_r(bytes, ", ", &save);
    printf("%zu %s %td %u\n", strlen(word), strtok_r(NULL, ", ", &save) + 190, end - text, hash(text, 150010));
}

static void numbers(void)
{
    char *to = text + 60000;
    grow(a, N, 1);
    letters(text, 199999);
    int length = snprintf(to, 100, "%g %d %s", a[7], 5, "five");
    letters(text, 30000);
    double d = 0;
    int i = 0, got = 0;
    got = sscanf(to, "%lf %d%n", &a[20000], &i, &keys[0]);
    grow(a, N, 1);
    number(keys, 10);
    sprintf(to + 5000, "12.5 3 x");
    letters(text, 64000);
    d = strtod(to + 5000, &to);
    letters(text, 100);
    i += atoi(to) + (int)strtol(to, NULL, 10);
    printf("numbers %d %d %g %d %g %d\n", length, got, d, i, a[20000], keys[0]);
    letters(text, 199999);
    text[100003] = '%', text[100004] = 'd', text[100005] = 0;
    printf(text + 100000, 5);
    double whole;
    int exponent = (grow(a, N, 0.25), modf(a[30000], &a[30001]) > 0);
    grow(a, N, 0.25);
    whole = frexp(a[30001], &keys[20000]);
    number(keys, N);
    printf(" %d %g %g %d\n", exponent, whole, a[30001], keys[20000]);
}

static int by_weight(const void *p, const void *q)
{
    double u = b[*(const int *)p % N], v = b[*(const int *)q % N];
    return u < v ? -1 : u > v ? 1 : *(const int *)p - *(const int *)q;
}
static int by_value(const void *p, const void *q) { return *(const double *)p < *(const double *)q ? -1 : *(const double *)p > *(const double *)q; }
static void sorted(void)
{
    number(keys, N);
    grow(b, N, -3);
    qsort(keys, 3000, sizeof *keys, by_weight);
    number(keys + 20000, 100);
    int smallest = keys[0], largest = keys[2999];
    for (int i = 0; i < N; i++)
        x[i] = i;
    grow(x, N, 10);
    qsort(x, N, sizeof *x, by_value);
    grow(x, N, 1e-6);
    qsort(x, N, sizeof *x, by_value);
    grow(y, N, 1);
    y[3] = 4e4;
    grow(y, 3, 1);
    double *found = bsearch(&x[N / 2], x, N, sizeof *x, by_value);
    size_t count = N;
    double *also = lfind(&y[3], y, &count, sizeof *y, by_value);
    printf("sorted %d %d %td %td %.10g\n", smallest, largest, found - x, also - y, on_host(x, N));
}

static void streams(void)
{
    char *line = NULL;
    size_t room = 0, size = 0;
    FILE *file = tmpfile(), *memory;
    grow(x, N, 1), grow(y, N, 1);
    printf("streams %zu", fwrite(x, sizeof *x, N, file));
    grow(x, N, 1);
    printf(" %zu", fwrite(y, sizeof *y, N, file));
    rewind(file);
    grow(y, N, 5);
    printf(" %zu", fread(y, 2 * sizeof *y, N / 2, file));
    printf(" %zu", fread(x + 100, sizeof *x, N - 100, file));
    grow(x, N, 1), grow(y, N, 1);
    printf(" %g %g\n", on_host(x, N), on_host(y, N));
    fclose(file);

    file = tmpfile();
    setvbuf(file, bytes + 100000, _IOFBF, 70000);   /* retained: written and read by later calls, in a block that launches write */
    letters(text, 199999);
    text[199999] = 0, text[1000] = text[1001] = text[180000] = '\n';
    fputs(text, file);
    letters(bytes, 100000);
    letters(text, 500), letters(text + 1002, 150000);
    fprintf(file, "%s\n%d\n", text, 77);
    letters(bytes + 50000, 50000);
    fputc('x', file);
    letters(bytes + 170000, 20000);
    fseek(file, 0, SEEK_SET);
    letters(text, 199999);
    printf("lines %d", fgets(text + 20000, 50000, file) == text + 20000);
    letters(text, 10000);
    printf(" %zu", strlen(text + 20000));
    letters(bytes + 170000, 20000);
    while (getline(&line, &room, file) > 0) {
        letters(bytes, 100000);
        printf(" %u", hash(line, strlen(line)));
        letters(line, (int)(strlen(line) > 100000 ? 99999 : 0));
    }
    size_t lasts = strlen(line);
    printf(" %zu\n", lasts);
    fclose(file);
    free(line);

    grow(x, N, 1);
    memory = fmemopen(x, BYTES, "r+");
    double two[2] = {0};
    printf("memory %zu", fread(two, 8, 2, memory));
    grow(x, N, 1);
    fseek(memory, 80000, SEEK_SET);
    two[0] = 1, two[1] = 2;
    printf(" %zu", fwrite(two, 8, 2, memory));
    grow(x, 9990, 1);
    fclose(memory);
    grow(x, N, 1);
    char *stream = NULL;
    memory = open_memstream(&stream, &size);
    for (int k = 0; k < 3; k++) {
        fwrite(x + k, sizeof *x, N - 10, memory), fflush(memory);
        grow((double *)stream, 20000, 1);
        grow(x, N, 1);
    }
    fclose(memory);
    grow((double *)stream, 100, 1);
    printf(" %zu %g %g %g\n", size, two[0], on_host(x, N), on_host((double *)stream, (int)(size / 8)));
    free(stream);
}

/* All of it, in pieces as the system likes: 1 where something fails. */
static int all(int out, int file, char *p, size_t n)
{
    while (n > 0) {
        ssize_t done = out ? write(file, p, n) : read(file, p, n);
        if (done <= 0)
            return 1;
        p += done, n -= done;
    }
    return 0;
}
static void files(void)
{
    int file = fileno(tmpfile()), bad = 0;
    grow(x, N, 1), grow(y, N, 1);
    bad += all(1, file, (char *)x, BYTES);
    grow(x, N, 1);
    bad += pwrite(file, y + 100, 8000, 16000) != 8000;
    grow(y, N, 1);
    lseek(file, 0, SEEK_SET);
    bad += all(0, file, (char *)y, BYTES);
    grow(y, N, 1);
    bad += pread(file, y + 1000, 80000, 8) != 80000;
    grow(y, N, 1);
    struct iovec parts[3] = {{x, 40000}, {y + 3, 40001}, {text, 200}}, back[2] = {{y + 20000, 30000}, {x + 30000, 50001}};
    letters(text, 199999);
    grow(x, N, 1);
    bad += pwritev(file, parts, 3, 100000) != 80201;
    grow(x, N, 1);
    bad += preadv(file, back, 2, 100000) != 80001;
    grow(y, N, 1);
    lseek(file, 0, SEEK_SET);
    bad += writev(file, parts, 2) != 80001;
    letters(text, 199999);
    lseek(file, 0, SEEK_SET);
    bad += readv(file, back, 2) != 80001;
    printf("files %d %g %g\n", bad, on_host(y, N), on_host(x, N - 10));
    grow(x, N, 1), grow(y, N, 1);
    bad += syscall(SYS_pwrite64, file, (char *)memcpy(a, x, BYTES), 8000, 0) != 8000;
    struct stat *status = (struct stat *)(text + 80000);
    letters(text, 199999);
    bad += fstat(file, status) != 0 || status->st_size <= 80000;
    letters(text, 199999);
    bad += stat(".", (struct stat *)(text + 40000)) != 0 || lstat("/", (struct stat *)(text + 50000)) != 0;
    letters(text, 199999);
    bad += getrandom(text + 30000, 70000, 0) != 70000;
    memset(text + 30000, 1, 70000);
    printf("%d %u\n", bad, hash(text, 100) + hash(text + 110000, 80000));
    close(file);
}

static void sockets(void)
{
    int ends[2], pipes[2], bad = socketpair(AF_UNIX, SOCK_STREAM, 0, ends) + pipe(pipes);
    for (int k = 0; k < 3; k++) {
        grow(x, N, 1), grow(y, N, 1);
        bad += send(ends[0], x, 20000, 0) != 20000;
        grow(x, N, 1);
        bad += recv(ends[1], y + 7, 20000, MSG_WAITALL) != 20000;
        grow(y, N, 1);
        struct iovec out = {y + 9000, 24000}, in = {x + 11, 24000};
        struct msghdr sent = {.msg_iov = &out, .msg_iovlen = 1}, got = {.msg_iov = &in, .msg_iovlen = 1};
        bad += sendmsg(ends[0], &sent, 0) != 24000;
        grow(y, N, 1);
        bad += recvmsg(ends[1], &got, MSG_WAITALL) != 24000;
        grow(x, N, 1);
        bad += sendto(ends[1], x + 30000, 8, 0, NULL, 0) != 8 || recvfrom(ends[0], y + 30000, 8, 0, NULL, NULL) != 8;
        grow(y, N, 1);
        bad += write(pipes[1], y + 25000, 32000) != 32000 || all(0, pipes[0], (char *)(x + 25000), 32000);
    }
    struct pollfd *fds = (struct pollfd *)(text + 120000);
    fds->fd = ends[0], fds->events = POLLOUT;
    memset(text + 100000, 0, 1000);
    letters(text, 90000);
    bad += poll(fds, 1, 0) != 1 || !(fds->revents & POLLOUT);
    printf("sockets %d %g %g\n", bad, on_host(x, N), on_host(y, N));
    close(ends[0]), close(ends[1]), close(pipes[0]), close(pipes[1]);
}

/* Names, times and what else the system writes where it is told to. */
static void places(void)
{
    static struct { double before[20000]; struct timespec time; struct utsname system; struct timeval timeout; fd_set set; double behind[20000]; } s;
    int bad = 0, pipes[2];
    letters(text, 199999);
    bad += getcwd(text + 70000, 4096) == NULL;
    letters(text, 60000);
    bad += text[70000] != '/';
    letters(text, 199999);
    bad += readlink("/proc/self/exe", text + 90000, 4000) <= 0 || text[90000] != '/';
    strcpy(text + 50000, ".");
    letters(text, 40000);
    bad += access(text + 50000, F_OK) != 0;
    letters(text, 20000);
    letters(text, 199999);
    strcpy(text + 50000, "."), letters(text, 40000);
    bad += statx(AT_FDCWD, text + 50000, 0, STATX_BASIC_STATS, (struct statx *)(text + 80000)) != 0;
    letters(text, 199999);
    bad += fstatat(AT_FDCWD, ".", (struct stat *)(text + 100000), 0) != 0 || statfs(".", (struct statfs *)(text + 120000)) != 0;
    letters(text, 199999);
    bad += sched_getaffinity(0, 128, (cpu_set_t *)(text + 60000)) != 0 || sysinfo((struct sysinfo *)(text + 150000)) != 0;
    strcpy(text + 50000, "."), letters(text, 20000);
    DIR *directory = opendir(text + 50000);
    bad += directory == NULL || readdir(directory) == NULL;
    closedir(directory);
    letters(text, 199999);
    strcpy(text + 50000, "/dev/null"), letters(text, 1000);
    int null = open(text + 50000, O_RDWR);
    bad += null < 0;
    for (int k = 0; k < 2; k++) {
        grow(s.before, 20000, 1);
        bad += clock_gettime(CLOCK_MONOTONIC, &s.time) != 0 || uname(&s.system) != 0 || s.system.sysname[0] != 'L';
        grow(s.behind, 20000, 1);
        s.time.tv_sec = 0, s.time.tv_nsec = 1000;
        grow(s.behind, 20000, 1);
        bad += nanosleep(&s.time, &s.time) != 0;
        bad += pipe(pipes) != 0;
        FD_ZERO(&s.set);
        FD_SET(pipes[1], &s.set);
        s.timeout = (struct timeval){1, 0};
        grow(s.before, 20000, 1);
        bad += select(pipes[1] + 1, NULL, &s.set, NULL, &s.timeout) != 1 || !FD_ISSET(pipes[1], &s.set);
        close(pipes[0]), close(pipes[1]);
    }
    char **words = malloc(70000);
    words[0] = "true", words[1] = NULL;
    printf("places %d %g %g %s\n", bad, on_host(s.before, 20000), on_host(s.behind, 20000), words[0]);
    close(null), free(words);
}

static int formatted(char *to, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int n = vsnprintf(to, 1000, format, list);
    va_end(list);
    return n;
}
/* Calls in arguments, results that are stored in arrays, functions given as pointers. */
static void mixed(void)
{
    void *(*copy)(void *, const void *, size_t) = memcpy;
    ssize_t (*put)(int, const void *, size_t) = write;
    int pipes[2], bad = pipe(pipes);
    memset(text, 2, sizeof text), memset(bytes, 3, 200000);
    letters(text, 199999);
    copy(bytes + 10, text + 5, 150000);
    letters(bytes, 199999);
    text[10] = (char)('0' + formatted(text + 100000, "%s|%.*s|%c", "a", 20, bytes + 5000, bytes[100000]) % 10);
    letters(text, 99);
    grow(x, N, 1);
    x[5] = strlen(text + 100000) + on_host(x, 100);
    grow(x, N, 1);
    bad += put(pipes[1], x + 1000, 30000) != 30000;
    grow(x, N, 1);
    bad += read(pipes[0], memset(x + 900, 0, 20000), 15000) != 15000;
    grow(x, N, 1);
    bad += read(pipes[0], bytes + 3, 15000) != 15000;
    letters(bytes, 100);
    wchar_t *wide = (wchar_t *)x;
    wmemset(wide + 1000, L'w', 20000), wide[21000] = 0;
    grow(x + 20000, 100, 1);
    bad += wcslen(wide + 1000) != 20000;
    swab(bytes, text, 30000);
    letters(text, 199999);
    printf("mixed %d %g %u %u\n", bad, on_host(x + 15000, 20000), hash(text, 199999), hash(bytes, 199999));
    close(pipes[0]), close(pipes[1]);
}

int main(void)
{
    x = calloc(N, sizeof *x), y = calloc(N, sizeof *y), bytes = calloc(200000, 1);
    setvbuf(stdout, NULL, _IOLBF, 0);
    strings(), numbers(), sorted(), streams(), files(), sockets(), places(), mixed();
    free(x), free(y), free(bytes);
    return 0;
}
