"""Host code between launches that hands arrays to the C library and the kernel.

An array goes through a pipe, a file, a socket or a child and comes back, into itself or into one like it:

    if (pipe(ends) == 0) { write(ends[1], a, sizeof a); read(ends[0], b, sizeof b); ... }

What a launch has computed must be there when a system call reads it (the kernel does not fault, it fails with
EFAULT), and what a system call wrote must be what the next launch reads.

In: a Site.   Out: statements that change nothing but the second array, or print a number.   Not here: calls whose
results differ from run to run.
"""

from __future__ import annotations

from collections.abc import Callable

from .objects import Array
from .scalars import EXACT
from .sites import Site
from .tree import Stmt, line

HEADERS = (
    "#include <fcntl.h>\n#include <sys/socket.h>\n#include <sys/uio.h>\n#include <sys/wait.h>\n#include <unistd.h>\n"
)
MOST_BYTES = 32_768
"""What a pipe takes at once, with room to spare."""

_CONTIGUOUS = ("static", "automatic", "vla", "heap", "flattened", "matrix")
_Through = Callable[[Site, str, str, str], list[str]]


def make_library_call(site: Site) -> list[Stmt]:
    """One array through one door; nothing where no array lies in one piece."""
    arrays = [a for a in site.arrays if a.kind in _CONTIGUOUS and a.size * 8 <= MOST_BYTES]
    if not arrays:
        return []
    source = site.rng.choice(arrays)
    target = site.rng.choice([a for a in arrays if _alike(a, source)])
    if "const" in target.marks[0]:
        return []
    size = f"({source.size} * sizeof({source.elem.name}))"
    if source.quality == EXACT and site.checks and site.rng.random() < 0.3:
        return _statements(_told_by_a_child(site, f"(void *){source.name}", size))
    if source.quality == EXACT and not source.elem.floating and site.rng.random() < 0.2:
        return _statements(_sorted(site, source, size))
    door: _Through = site.rng.choice([_pipe, _pieces, _stream, _file, _socket, _child, _memory])
    return _statements(door(site, f"(void *){source.name}", f"(void *){target.name}", size))


def _alike(a: Array, b: Array) -> bool:
    return (a.elem, a.dims, a.lo, a.hi, a.quality, a.grain) == (b.elem, b.dims, b.lo, b.hi, b.quality, b.grain)


def _statements(texts: list[str]) -> list[Stmt]:
    """A block that goes or stays whole."""
    return [line("{ " + " ".join(texts) + " }")]


def _pipe(site: Site, p: str, q: str, size: str) -> list[str]:
    ends = site.names.local("ends")
    return [
        f"int {ends}[2];",
        f'if (pipe({ends}) || write({ends}[1], {p}, {size}) != (ssize_t){size}) puts("write");',
        f'if (read({ends}[0], {q}, {size}) != (ssize_t){size}) puts("read");',
        f"close({ends}[0]); close({ends}[1]);",
    ]


def _pieces(site: Site, p: str, q: str, size: str) -> list[str]:
    """The same in two pieces that do not end at elements."""
    ends, out, back = (site.names.local(stem) for stem in ("ends", "out", "back"))
    cut = f"({size} / 3)"
    return [
        f"int {ends}[2];",
        f"struct iovec {out}[2] = {{{{ {p}, {cut} }}, {{ (char *){p} + {cut}, {size} - {cut} }}}};",
        f"struct iovec {back}[2] = {{{{ {q}, {size} - {cut} }}, {{ (char *){q} + ({size} - {cut}), {cut} }}}};",
        f'if (pipe({ends}) || writev({ends}[1], {out}, 2) != (ssize_t){size}) puts("writev");',
        f'if (readv({ends}[0], {back}, 2) != (ssize_t){size}) puts("readv");',
        f"close({ends}[0]); close({ends}[1]);",
    ]


def _stream(site: Site, p: str, q: str, size: str) -> list[str]:
    f = site.names.local("file")
    return [
        f"FILE *{f} = tmpfile();",
        f'if (fwrite({p}, 1, {size}, {f}) != {size}) puts("fwrite");',
        f"rewind({f});",
        f'if (fread({q}, 1, {size}, {f}) != {size}) puts("fread");',
        f"fclose({f});",
    ]


def _file(site: Site, p: str, q: str, size: str) -> list[str]:
    f = site.names.local("file")
    return [
        f"FILE *{f} = tmpfile();",
        f'if (pwrite(fileno({f}), {p}, {size}, 24) != (ssize_t){size}) puts("pwrite");',
        f'if (pread(fileno({f}), {q}, {size}, 24) != (ssize_t){size}) puts("pread");',
        f"fclose({f});",
    ]


def _socket(site: Site, p: str, q: str, size: str) -> list[str]:
    ends, out, back = (site.names.local(stem) for stem in ("ends", "out", "back"))
    message = "struct msghdr {0}_m = {{0}}; {0}_m.msg_iov = &{0}; {0}_m.msg_iovlen = 1;"
    return [
        f"int {ends}[2];",
        f"struct iovec {out} = {{ {p}, {size} }}, {back} = {{ {q}, {size} }};",
        message.format(out),
        message.format(back),
        f"if (socketpair(AF_UNIX, SOCK_STREAM, 0, {ends})"
        f' || sendmsg({ends}[1], &{out}_m, 0) != (ssize_t){size}) puts("sendmsg");',
        f'if (recvmsg({ends}[0], &{back}_m, MSG_WAITALL) != (ssize_t){size}) puts("recvmsg");',
        f"close({ends}[0]); close({ends}[1]);",
    ]


def _child(site: Site, p: str, q: str, size: str) -> list[str]:
    """A child writes what it sees, the parent reads it."""
    ends, child = site.names.local("ends"), site.names.local("child")
    return [
        f'int {ends}[2]; if (pipe({ends})) puts("pipe");',
        f"pid_t {child} = fork();",
        f"if ({child} == 0) _exit(write({ends}[1], {p}, {size}) != (ssize_t){size});",
        f'if (read({ends}[0], {q}, {size}) != (ssize_t){size}) puts("read");',
        f"waitpid({child}, NULL, 0); close({ends}[0]); close({ends}[1]);",
    ]


def _memory(site: Site, p: str, q: str, size: str) -> list[str]:
    middle = site.names.local("middle")
    return [
        f"void *{middle} = malloc({size});",
        f"memcpy({middle}, {p}, {size}); memmove({q}, {middle}, {size});",
        f"free({middle});",
    ]


def _told_by_a_child(site: Site, p: str, size: str) -> list[str]:
    """The sum of the bytes that a child sees is its exit status."""
    child, status, byte, sum_ = (site.names.local(stem) for stem in ("child", "status", "byte", "bytes"))
    return [
        f"int {status} = 0; pid_t {child} = fork();",
        f"if ({child} == 0) {{ unsigned {sum_} = 0;"
        f" for (size_t {byte} = 0; {byte} < {size}; {byte}++)"
        f" {sum_} += ((unsigned char *){p})[{byte}] * ({byte} % 7 + 1);"
        f" _exit({sum_} % 251); }}",
        f"waitpid({child}, &{status}, 0);",
        f'printf("{site.names.case}.child I %x\\n", WEXITSTATUS({status})); fflush(stdout);',
    ]


def _sorted(site: Site, a: Array, size: str) -> list[str]:
    """Sorted by bytes, by a function that the library calls."""
    compare = site.names.file_scope("compare")
    site.file.append(
        line(
            f"static int {compare}(const void *x, const void *y) {{ return memcmp(x, y, sizeof({a.elem.name})); }}",
            pinned=True,
        )
    )
    return [f"qsort((void *){a.name}, {a.size}, sizeof({a.elem.name}), {compare});"]
