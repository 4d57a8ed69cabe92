"""Analysis: what functions of the system's headers do with the memory that they are given.

    printf("%g", u[0]), fwrite(u, ...)     read it
    memset(u, ...), fread(u, ...)          write it
    memcpy(u, v, ...)                      write the first, read the second
    qsort(u, ...)                          may do both, and call what they are given

By a table, else by the prototype: what is behind `const T *` is read, behind `T *` read and written, an argument
without a parameter read. None keeps a pointer when it has returned, but for those in KEEPS, which count as unseen code.

    In: a call.   Out: allocates, keeps, effects.   Not here: functions without source that are in no system header.
"""

from __future__ import annotations

import re
from enum import Enum

from ompc.base.source import Location
from ompc.ir import tree as t
from ompc.ir import types as ty

_ALLOCATORS = frozenset(
    "malloc calloc realloc reallocarray aligned_alloc memalign valloc pvalloc strdup strndup mmap omp_alloc omp_calloc "
    "omp_aligned_alloc alloca __builtin_alloca".split()
)
_KEEPS = re.compile(r"MPI_|setv?buf|aio_|lio_|pthread_(create|setspecific)|thrd_create|putenv|[th]search")
_RUNS_HANDLERS = re.compile(r"raise|p?kill|tgkill|sig|_?_?(sig)?longjmp|abort|(quick_)?exit|pthread_")
_MANY_RETURNS = re.compile(r"_*(builtin_)?(sig)?(setjmp|longjmp)|(get|set|make|swap)context|vfork")
_NOTHING = frozenset("free cfree omp_free posix_memalign munmap fclose madvise mlock exit abort".split())
_FREES = frozenset("free cfree realloc reallocarray omp_free omp_realloc munmap".split())
_FIRST_IS_WRITTEN = frozenset(
    "memcpy memmove memset mempcpy bzero strcpy strncpy stpcpy sprintf snprintf vsprintf vsnprintf fread fgets gets "
    "getcwd strftime".split()
)
_SECOND_IS_WRITTEN = frozenset("read pread recv getrandom recvfrom sincos sincosf".split())
_COPIES = frozenset("memcpy memmove mempcpy".split())
_SYSTEM = re.compile(r"/usr/(include|lib|lib64)/|<|.*/lib/gcc/")


class Effect(Enum):
    NONE = "none"
    READ = "read"
    WRITE = "write"
    BOTH = "readwrite"

    @property
    def reads(self) -> bool:
        return self in (Effect.READ, Effect.BOTH)

    @property
    def writes(self) -> bool:
        return self in (Effect.WRITE, Effect.BOTH)


def plain_name(function: t.Symbol) -> str:
    """The function's name, whatever the headers make of it for checks."""
    name = function.name
    for prefix in ("__builtin___", "__builtin_"):
        name = name.removeprefix(prefix)
    return re.sub(r"^(?:__)?(?:isoc\d\d_)?(\w+?)_chk$|^__isoc\d\d_(\w+)$", lambda m: m[1] or m[2], name)


def is_of_system(place: Location) -> bool:
    """Is it in a header of the system, or the compiler's?"""
    return _SYSTEM.match(place.file) is not None


def is_library(function: t.Symbol) -> bool:
    """Is it declared by a header of the system, or the compiler's, and keeps no pointer?"""
    known = is_of_system(function.loc) or function.name.startswith("__builtin_")
    return (known or plain_name(function) in _TABLE) and _KEEPS.match(function.name) is None


def keeps(function: t.Symbol) -> bool:
    """May it use what it is given, or run what it is given, after it has returned, while the program goes on?"""
    return _KEEPS.match(function.name) is not None


def may_return_again(function: t.Symbol) -> bool:
    """May the program go on behind a call of it that has returned before, or in another place?"""
    return _MANY_RETURNS.fullmatch(function.name) is not None


def allocates(function: t.Symbol) -> bool:
    """Does it return a new block?"""
    return plain_name(function) in _ALLOCATORS


def frees(function: t.Symbol) -> bool:
    """Does it end the block that its first argument points to?"""
    return plain_name(function) in _FREES


def may_end_program(function: t.Symbol) -> bool:
    """May it run handlers of signals or of the program's end, or go on in another place?"""
    return may_return_again(function) or _RUNS_HANDLERS.match(plain_name(function)) is not None


def copies(function: t.Symbol) -> bool:
    """Does it copy what the second argument points to, pointers too, to where the first one points?"""
    return plain_name(function) in _COPIES


def effect(function: t.Symbol, at: int) -> Effect:
    """What a function of the library does with the memory behind its argument number `at`."""
    name = plain_name(function)
    if name in _NOTHING:
        return Effect.NONE
    if name in _FIRST_IS_WRITTEN:
        return Effect.WRITE if at == 0 else Effect.READ
    if name in _SECOND_IS_WRITTEN:
        return Effect.WRITE if at == 1 else Effect.READ
    if "scanf" in name:
        return Effect.WRITE if at >= (1 if name.lstrip("v") == "scanf" else 2) else Effect.READ
    return effect_by_type(function.type, at)


def leaves_program_alone(call: t.Call) -> bool:
    """Does a call of the library's change nothing of the program's, and run none of its functions: `omp_get_wtime()`,
    `printf("%d", n)`?
    """
    match call:
        case t.Call(function=t.Name(symbol=function), args=args) if is_library(function):
            kind = function.type
            params = kind.params if isinstance(kind, ty.Function) and kind.params is not None else ()
            given = [*params, *(ty.decayed(arg.type) for arg in args)]
            calls_back = any(isinstance(each, ty.Pointer) and isinstance(each.to, ty.Function) for each in given)
            pointers = [at for at, arg in enumerate(args) if isinstance(ty.decayed(arg.type), ty.Pointer)]
            variadic = [args[at] for at in pointers if at >= len(params)]
            writes = any(effect(function, at).writes for at in pointers) or not all(map(_is_text, variadic))
            return not calls_back and not writes and _RUNS_HANDLERS.match(plain_name(function)) is None
        case _:
            return False


def _is_text(arg: t.Expr) -> bool:
    kind = ty.decayed(arg.type)
    return isinstance(kind, ty.Pointer) and ty.is_integer(kind.to) and ty.size_of(kind.to) == 1


def effect_by_type(kind: ty.Type, at: int) -> Effect:
    """What the prototype of a function lets it do with the memory behind an argument."""
    params = kind.params if isinstance(kind, ty.Function) else None
    if params is None:
        return Effect.BOTH
    parameter = params[at] if at < len(params) else None
    writable = isinstance(parameter, ty.Pointer) and "const" not in ty.element_of(parameter.to).quals
    return Effect.BOTH if writable else Effect.READ


_TABLE = _ALLOCATORS | _NOTHING | _FIRST_IS_WRITTEN | {"printf", "fprintf", "puts", "scanf", "fscanf", "sscanf"}
"""Functions that count as the library's even where no header declares them."""
