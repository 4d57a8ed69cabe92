"""Dependency files for make, and gcc's options about them.

    -MMD -MP -MF deps/a.d -MT a.o      -MD: with the system's headers; the last of several files counts
    -Wp,-MMD,deps/a.d                  the preprocessor's own: its file counts before any other

`ompc build a.c b.c -o prog -MMD` writes `prog.d`, with a rule for each source; make joins those of one target:

    prog: a.c mesh.h
    prog: b.c mesh.h

The C compiler writes each rule itself.

    In: the options, the request, where the program lies.   Out: file and text; CompileError OMPC404.
    Not here: how the text of an object comes about -- objects/cc_object.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from ompc.base.diagnostics import CompileError, Diagnostic, Kind
from ompc.base.frozen import dataclass
from ompc.toolchain.machine.cc import run_tool
from ompc.toolchain.machine.setting import Request, Setting

_KINDS = {"-MD", "-MMD"}
_WITH_VALUE = {"-MF", "-MT", "-MQ"}


@dataclass(frozen=True, slots=True)
class DependencyOptions:
    """`kinds`: -MD, -MMD, in their order, none: no file is wanted. `file`: None: the compiler names it. `targets`: -MT
    and -MQ with their names; `more`: -MP, -MG. `of_preprocessor`: it is asked alone, and knows no name of an output.
    """

    kinds: tuple[str, ...] = ()
    file: str | None = None
    targets: tuple[str, ...] = ()
    more: tuple[str, ...] = ()
    of_preprocessor: bool = False

    def path(self, output: Path) -> Path | None:
        """Where the file of what is made is to be written; None: nowhere."""
        if not self.kinds:
            return None
        return output.with_suffix(".d") if self.file is None else Path(self.file)


def dependency_options(words: Sequence[str]) -> DependencyOptions:
    """The options about dependency files, of which `words` has no others."""
    found = list(_pairs(words))
    kinds = [(option, value) for option, value in found if option in _KINDS]
    files = [value for option, value in found if option == "-MF"] + [value for _, value in kinds if value]
    return DependencyOptions(
        kinds=tuple(option for option, _ in kinds),
        file=files[-1] if files else None,
        targets=tuple(word for pair in found if pair[0] in {"-MT", "-MQ"} for word in pair),
        more=tuple(option for option, _ in found if option in {"-MP", "-MG"}),
        of_preprocessor=bool(kinds) and not _KINDS.intersection(words),
    )


def _pairs(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Each option with its value, joined or a word of its own; "": it has none."""
    rest = iter(words)
    for word in rest:
        if word.startswith("-Wp,"):
            yield from _of_preprocessor(word.split(",")[1:])
        elif word[:3] in _WITH_VALUE:
            yield word[:3], word[3:] or next(rest, "")
        else:
            yield word, ""


def _of_preprocessor(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Its -MD and -MMD are followed by the file."""
    rest = iter(words)
    for word in rest:
        yield (word, next(rest, "")) if word in _KINDS | _WITH_VALUE else (word, "")


def dependency_text(request: Request, setting: Setting, program: Path) -> str:
    """What a program depends on: a rule for each source."""
    found = dependency_options(request.flags.dependencies)
    kind = "-M" if found.kinds[-1:] == ("-MD",) else "-MM"
    options = [kind, *found.more, *(found.targets or ("-MQ", str(program)))]
    return "".join(_rule(request, setting, source, options) for source in request.sources)


def _rule(request: Request, setting: Setting, source: Path, options: Sequence[str]) -> str:
    flags = request.options.of_file(source).cpp_flags
    outcome = run_tool([*setting.cc.command, "-fopenmp", *flags, *options, str(source)], setting.environ)
    if not outcome.ok:
        message = f"the C compiler could not list what {source} includes"
        raise CompileError(Diagnostic("OMPC404", Kind.ERROR, message, notes=(outcome.text,)))
    return outcome.text
