"""Analysis: what an iteration prints, handed to the host.

    printf("%d: %g\\n", i, x[i]);        the kernel notes the iteration, the call's number, i and x[i];
                                        after the launch the host calls printf, in the order of the iterations

The format and texts are constants, which stay on the host; numbers are handed over. The order in which the iterations
of a parallel loop print is any order, and so is the sequential one.

    In: a call of a function in FUNCTIONS whose value nobody uses.   Out: Print, or why not (OMPC362).
    Not here: how notes reach the host -- runtime/kernel/printing/ompc_device_printf.h.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ompc.base.frozen import dataclass
from ompc.base.source import NOWHERE
from ompc.ir import conversions
from ompc.ir import tree as t
from ompc.ir import types as ty
from ompc.ir.device_library import PRINT
from ompc.transform.print_formats import TEXT, Wanted, wanted_types

Given = str | ty.Type | tuple[str, ...]

_PRINT = t.Symbol(PRINT, ty.Function(ty.VOID, None), t.Storage.FUNCTION, NOWHERE, 0)
_STREAMS = ("stdout", "stderr")
_FUNCTION_NAMES = ("__func__", "__FUNCTION__", "__PRETTY_FUNCTION__")


@dataclass(frozen=True, slots=True)
class _Function:
    """What each argument is: "stream", "format", "text", "character", "flag" (left out); further ones are numbers."""

    name: str
    parameters: tuple[str, ...]


FUNCTIONS = {
    "printf": _Function("printf", ("format",)),
    "fprintf": _Function("fprintf", ("stream", "format")),
    "puts": _Function("puts", ("text",)),
    "fputs": _Function("fputs", ("text", "stream")),
    "putchar": _Function("putchar", ("character",)),
    "putc": _Function("putc", ("character", "stream")),
    "fputc": _Function("fputc", ("character", "stream")),
    "fflush": _Function("fflush", ("stream",)),
    "__printf_chk": _Function("printf", ("flag", "format")),
    "__fprintf_chk": _Function("fprintf", ("stream", "flag", "format")),
}
"""The functions of <stdio.h> that kernels can leave to the host."""


class _Refused(Exception):
    pass


def as_print(call: t.Call, name: str) -> t.Print | str:
    """The call as a kernel makes it; or what the matter is with it."""
    function = FUNCTIONS[name]
    try:
        given, args = _arguments(function, call.args)
    except _Refused as refused:
        return str(refused)
    return t.Print(ty.VOID, call.loc, t.Name(_PRINT.type, call.loc, _PRINT), tuple(args), function.name, tuple(given))


def _arguments(function: _Function, arguments: Sequence[t.Expr]) -> tuple[list[Given], list[t.Expr]]:
    """What the host's call gets, and what the kernel notes for it."""
    given: list[Given] = []
    args: list[t.Expr] = []
    for what, argument in zip(_kinds(function, arguments), arguments, strict=False):
        match what:
            case "flag":
                pass
            case "stream":
                given.append(_stream(argument))
            case _ if what == TEXT:
                _add_text(argument, given, args)
            case "format":
                given.append(_constant(argument, "format"))
            case _:
                assert isinstance(what, ty.Type)
                _add_number(argument, what, given, args)
    return given, args


def _kinds(function: _Function, arguments: Sequence[t.Expr]) -> Iterator[Wanted]:
    """What each argument is; those that follow a format have the types that it asks for."""
    wanted: list[Wanted] = []
    for what, argument in zip(function.parameters, arguments, strict=False):
        if what == "format":
            found = wanted_types(_constant(argument, "format"))
            if isinstance(found, str):
                raise _Refused(f"the format {found}")
            wanted = found
        yield ty.INT if what == "character" else what
    if len(arguments) != len(function.parameters) + len(wanted):
        raise _Refused("the format asks for another number of arguments")
    yield from wanted


def _stream(argument: t.Expr) -> str:
    if isinstance(argument, t.Name) and argument.symbol.name in _STREAMS and argument.symbol.function is None:
        return argument.symbol.name
    raise _Refused("it goes to a stream that is neither stdout nor stderr")


def _constant(argument: t.Expr, what: str) -> str:
    argument = _uncast(argument)
    if isinstance(argument, t.Name) and argument.symbol.name in _FUNCTION_NAMES and what == TEXT:
        return f'"{argument.symbol.function}"'
    if isinstance(argument, t.StringConst) and argument.text.startswith('"'):
        return argument.text
    raise _Refused(f"the {what} is no string constant")


def _add_text(argument: t.Expr, given: list[Given], args: list[t.Expr]) -> None:
    """A string constant, or a choice among some, of which the kernel notes the number."""
    argument = _uncast(argument)
    if not isinstance(argument, t.Conditional):
        given.append(_constant(argument, "text"))
        return
    texts: list[str] = []
    args.append(_numbered(argument, texts))
    given.append(tuple(texts))


def _numbered(argument: t.Expr, texts: list[str]) -> t.Expr:
    argument = _uncast(argument)
    if isinstance(argument, t.Conditional):
        then, other = _numbered(argument.then, texts), _numbered(argument.other, texts)
        return t.Conditional(ty.INT, argument.loc, argument.condition, then, other)
    texts.append(_constant(argument, "text"))
    return t.IntConst(ty.INT, argument.loc, len(texts) - 1, str(len(texts) - 1))


def _uncast(argument: t.Expr) -> t.Expr:
    while isinstance(argument, t.Cast) and isinstance(argument.type, ty.Pointer):
        argument = argument.operand
    return argument


def _add_number(argument: t.Expr, wanted: ty.Type, given: list[Given], args: list[t.Expr]) -> None:
    kind = _promoted(argument)
    same = isinstance(kind, ty.Float) if isinstance(wanted, ty.Float) else isinstance(kind, ty.Int)
    if not same or ty.size_of(kind) != ty.size_of(wanted):
        raise _Refused("an argument is not of the type that its format asks for")
    exact = ty.unqualified(argument.type) == wanted
    args.append(argument if exact else t.Cast(wanted, argument.loc, argument))
    given.append(wanted)


def _promoted(argument: t.Expr) -> ty.Type:
    """The type that an argument is passed as where no parameter says another one (C11 6.5.2.2)."""
    kind = conversions.promoted_value(argument)
    return ty.DOUBLE if kind == ty.FLOAT else kind
