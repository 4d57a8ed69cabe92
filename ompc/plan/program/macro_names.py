"""Plan: the macros whose names the device code keeps where the user has written them.

The device file defines them again, so a name is kept where that cannot change what anything else means:

    it is no word of C++'s, CUDA's or ompc's   and in no definition of their macros
    none of the C library's headers has it     for another purpose (`EPERM`, `SIGINT`, `MAP_SHARED`), unless the macro
                                               is that
    nothing else is called so                  variables, members and functions of another place in the program; but
                                               a macro with parameters is one only where something is called
    all that device code names so is one macro, also in functions of other files

So must be those that its definition names. Elsewhere what it stands for is printed, as the preprocessor has it. What
the rest of the device file has of a name that is not in capitals, its text says (render/macro_clashes.py).

    In: the kernels, the records of the device file.   Out: tuple[Macro, ...], each once, in the order of the text.
    Not here: macros whose values the host file asserts -- macros.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ompc.base.macros import STANDARD_HEADERS, Macro
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.macro_names import macro_of, macros_around
from ompc.ir.walk import Node, walk
from ompc.plan.mapping.mapping import Kernel
from ompc.plan.model.names import RESERVED
from ompc.plan.program.functions import declared_of

_CAPITALS = re.compile(r"[A-Z][A-Z0-9_]*")
_OTHERS = re.compile(r"[A-Za-z]\w*", re.ASCII)
_PREFIXES = tuple(
    """
    OMPC CUDA CU_ CUB_ NV NPP THRUST ADJ_ ATOMIC_ BUS_ CHAR_ CHARCLASS_ CLD_ CLOCK CLONE_ CLOSE_RANGE CPU_ DBL_
    EXIT_ FD_ FLT_ FPE_ FP_ F_ HUGE_VAL ILL_ INT8_ INT16_ INT32_ INT64_ INTMAX_ INTPTR_ INT_FAST INT_LEAST LC_
    LDBL_ MADV_ MAP_ MATH_ERR MCL_ MFD_ MLOCK_ MOD_ MREMAP_ MS_ NL_ PKEY_ POLL_ POSIX_ PRIO_ PROT_ PTHREAD_
    PTRDIFF_ REG_ RENAME_ RLIM RUSAGE_ SA_ SCHED_ SEEK_ SEGV_ SIG SI_ SNAN SS_ STA SYS_ S_ TIMER_ TRAP_ UINT8_
    UINT16_ UINT32_ UINT64_ UINTMAX_ UINTPTR_ UINT_FAST UINT_LEAST UTIME_ WCHAR_ WINT_ XATTR_
    """.split()
)
_SUFFIXES = ("_WIDTH", "_ENDIAN", "_FILENO")
_OF_LIBRARY = frozenset(
    """
    ACCESSPERMS AIO_PRIO_DELTA_MAX ALLPERMS BC_BASE_MAX BC_DIM_MAX BC_SCALE_MAX BC_STRING_MAX BOOL_MAX BYTE_ORDER
    COLL_WEIGHTS_MAX CSIGNAL DECIMAL_DIG DEFFILEMODE DELAYTIMER_MAX E2BIG EACCES EADDRINUSE EADDRNOTAVAIL EADV
    EAFNOSUPPORT EAGAIN EALREADY EBADE EBADF EBADFD EBADMSG EBADR EBADRQC EBADSLT EBFONT EBUSY ECANCELED ECHILD
    ECHRNG ECOMM ECONNABORTED ECONNREFUSED ECONNRESET EDEADLK EDEADLOCK EDESTADDRREQ EDOM EDOTDOT EDQUOT EEXIST
    EFAULT EFBIG EHOSTDOWN EHOSTUNREACH EHWPOISON EIDRM EILSEQ EINPROGRESS EINTR EINVAL EIO EISCONN EISDIR EISNAM
    EKEYEXPIRED EKEYREJECTED EKEYREVOKED EL2HLT EL2NSYNC EL3HLT EL3RST ELIBACC ELIBBAD ELIBEXEC ELIBMAX ELIBSCN
    ELNRNG ELOOP EMEDIUMTYPE EMFILE EMLINK EMSGSIZE EMULTIHOP ENAMETOOLONG ENAVAIL ENETDOWN ENETRESET ENETUNREACH
    ENFILE ENOANO ENOBUFS ENOCSI ENODATA ENODEV ENOENT ENOEXEC ENOKEY ENOLCK ENOLINK ENOMEDIUM ENOMEM ENOMSG
    ENONET ENOPKG ENOPROTOOPT ENOSPC ENOSR ENOSTR ENOSYS ENOTBLK ENOTCONN ENOTDIR ENOTEMPTY ENOTNAM
    ENOTRECOVERABLE ENOTSOCK ENOTSUP ENOTTY ENOTUNIQ ENXIO EOPNOTSUPP EOVERFLOW EOWNERDEAD EPERM EPFNOSUPPORT
    EPIPE EPROTO EPROTONOSUPPORT EPROTOTYPE ERANGE EREMCHG EREMOTE EREMOTEIO ERESTART ERFKILL EROFS ESHUTDOWN
    ESOCKTNOSUPPORT ESPIPE ESRCH ESRMNT ESTALE ESTRPIPE ETIME ETIMEDOUT ETOOMANYREFS ETXTBSY EUCLEAN EUNATCH
    EUSERS EWOULDBLOCK EXDEV EXFULL EXPR_NEST_MAX FILENAME_MAX FOPEN_MAX HOST_NAME_MAX IOV_MAX LINE_MAX
    LOGIN_NAME_MAX LONG_BIT LONG_LONG_MAX LONG_LONG_MIN L_INCR L_SET L_TMPNAM L_XTND MAX_CANON MAX_INPUT
    MB_CUR_MAX MB_LEN_MAX MINSIGSTKSZ MQ_PRIO_MAX NAME_MAX NFDBITS NGREG NGROUPS_MAX NSIG NZERO PATH_MAX PIPE_BUF
    P_TMPDIR RE_DUP_MAX RTSIG_MAX R_OK SEM_VALUE_MAX SSIZE_MAX TEMP_FAILURE_RETRY TIME_UTC TMP_MAX TTY_NAME_MAX
    ULONG_LONG_MAX WCONTINUED WEOF WEXITED WEXITSTATUS WIFCONTINUED WIFEXITED WIFSIGNALED WIFSTOPPED WNOHANG
    WNOWAIT WORD_BIT WSTOPPED WSTOPSIG WTERMSIG WUNTRACED W_OK X_OK
    """.split()
)
"""Macros of the headers that a device file includes, its own and by way of CUDA's, C++'s and the runtime's."""


_LIBRARYS = re.compile(
    r"""(cuda|ompc|pthread|sched|L|P|M)_?[A-Za-z0-9]\w*|(be|le|htobe|htole)(16|32|64)(toh)?|is\w+|toascii\w*|strn?dupa
    |assert_perror|alloca|math_errhandling|offsetof|NV_\w*""",
    re.VERBOSE,
)
"""Macros of the same headers that are not all in capitals."""
_FUNCTIONS = frozenset("min max abs labs llabs".split())
"""Those that CUDA has as functions: a macro with parameters hides them behind its definition, as in C."""
_IN_DEFINITIONS = frozenset(
    """
    align aligned annotate asm attribute bit bits block block_dim block_index bool builtin_align char cluster_dims
    constant const const_cast device double emulate errno extern float forceinline global grid_constant grid_dim host
    inline int kernel_named lane launch_bounds long managed maxnreg noinline nv_pure ompc pragma reinterpret_cast
    restrict section shared short signed sizeof static static_cast the_grid this thread tile_builtin tile_global unroll
    unsigned variable_named visibility void volatile weak auto break case continue default do else enum for goto if
    register return struct switch typedef union while complex imaginary std MEMBER TYPE a always_inline array asked aw
    call expr kernel kernel_form kind launch loops run shape to variable x
    """.split()
)
"""Words in the definitions of macros that device code may use, and C's own."""


def is_free(name: str, is_called: bool = False) -> bool:
    """May a device file define it? `is_called`: with parameters."""
    reserved = RESERVED - _FUNCTIONS if is_called else RESERVED
    if name.startswith(_PREFIXES) or name in reserved | _IN_DEFINITIONS:
        return False
    if _CAPITALS.fullmatch(name) is None:
        return _OTHERS.fullmatch(name) is not None and _LIBRARYS.fullmatch(name) is None
    return not name.endswith(_SUFFIXES) and name not in STANDARD_HEADERS.keys() | _OF_LIBRARY


def macro_names(kernels: Iterable[Kernel], records: Iterable[ty.Record]) -> tuple[Macro, ...]:
    """The macros that device code may name."""
    named: dict[Macro, None] = {}
    others: set[str] = set()
    for kernel in kernels:
        others.add(kernel.facts.loop.id)
        for node in _code(kernel):
            others.update(_names_of(node))
            named.update(dict.fromkeys(_macros_of(node)))
    for record in records:
        others.update(_names_in(record))
        named.update((macro, None) for member in record.fields or () for macro in _macros_in(member.type))
    found: dict[str, set[Macro]] = {}
    for each in (each for macro in named for each in macro.with_named()):
        found.setdefault(each.name, set()).add(each)

    def is_kept(macro: Macro) -> bool:
        is_called = macro.parameters is not None
        is_one = len(found[macro.name]) == 1 and (is_called or macro.name not in others)
        return is_one and (bool(macro.header) or is_free(macro.name, is_called))

    return tuple(macro for macro in named if all(map(is_kept, macro.with_named())))


def _code(kernel: Kernel) -> Iterator[Node]:
    loop = kernel.facts.loop
    yield from kernel.facts.device_code.nodes
    bounds = (bound for each in loop.loops for bound in (each.lower, each.upper, each.step))
    combining = (expr for declared in declared_of(kernel.facts) for expr in declared.expressions)
    for expr in (*bounds, *combining):
        yield from () if expr is None else walk(expr)
    symbols = [*loop.sharing, *(each.var for each in loop.loops), *(each.symbol for each in kernel.parameters)]
    symbols += [s for function in kernel.facts.device_code.functions for s in (function.symbol, *function.params)]
    yield from (t.Name(symbol.type, symbol.loc, symbol) for symbol in symbols)


def _macros_of(node: Node) -> Iterator[Macro]:
    """Of an expression, or in the lengths of what an object's type has."""
    if isinstance(node, (t.Name, t.VarDecl)):
        yield from _macros_in(node.symbol.type)
        return
    yield from macros_around(node)
    if (macro := macro_of(node)) is not None:
        yield macro


def _macros_in(kind: ty.Type) -> Iterator[Macro]:
    match kind:
        case ty.Array(of=of, written=written):
            yield from () if written is None else (m for node in walk(written) for m in _macros_of(node))
            yield from _macros_in(of)
        case ty.Pointer(to=to):
            yield from _macros_in(to)
        case _:
            pass


def _names_of(node: Node) -> Iterator[str]:
    match node:
        case t.Name(symbol=symbol) | t.VarDecl(symbol=symbol):
            yield symbol.name
        case t.Member(member=member) if member.name is not None:
            yield member.name
        case t.Label(name=name):
            yield name
        case t.IntConst(text=text) if text.isidentifier():
            yield text
        case _:
            pass


def _names_in(record: ty.Record) -> Iterator[str]:
    yield from (name for name in (record.tag, record.typedef_name) if name is not None)
    yield from (member.name for member in record.fields or () if member.name is not None)
