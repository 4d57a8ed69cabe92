"""The manual pages, from the help texts of the commands and the table of variables in docs/commands.md.

    ompc.1             all commands; options that several of them have alike are described once
    ompc-translate.1   one command, as each has a page
    ompc-cc.1          the compiler, from what `ompc cc --help` says; ompc-c++.1 leads there

In troff, a line that begins with a period or an apostrophe is a request, a backslash begins an escape, and a hyphen
that people copy is written `\\-`.
"""

from __future__ import annotations

import inspect
import re
from collections import Counter
from collections.abc import Iterator, Sequence

import click

import ompc
from ompc.cc.usage import USAGE
from ompc.cli import command_line
from ompc.command_options import COMPILER_OPTIONS

_HEAD = """\
.\\" Made from ompc's help texts: pytest --rewrite tests/cli/test_cli_manual_page.py
.TH OMPC 1 "" "ompc {version}" "User Commands"
.SH NAME
ompc \\- translate C with OpenMP to CUDA C, build it, run it
.SH SYNOPSIS
.B ompc
.I COMMAND
.RI [ OPTIONS ]
.I FILE.c...
.br
.B ompc\\-cc
.I OPTIONS of gcc
"""
_HEAD_OF_COMMAND = """\
.\\" Made from ompc's help texts: pytest --rewrite tests/cli/test_cli_manual_page.py
.TH {title} 1 "" "ompc {version}" "User Commands"
.SH NAME
{names} \\- {summary}
.SH SYNOPSIS
"""
_STATUS = (
    ("0", "All went well."),
    ("1", "After an error that was explained."),
    ("2", "The command line is wrong."),
    ("70", "ompc itself is wrong; the message says where the report is."),
    ("129, 130, 143", "Ended by SIGHUP, interrupted, ended by SIGTERM: nothing is left behind."),
)


def manual_pages(commands_page: str) -> dict[str, str]:
    """All pages by their files' names. `commands_page`: the text with the table."""
    commands = [command for _, command in sorted(command_line.commands.items()) if not command.hidden]
    own = {f"ompc-{command.name}.1": _page_of(command) for command in commands if command.name != "cc"}
    compilers = {"ompc-cc.1": _page_of_compiler(), "ompc-c++.1": ".so man1/ompc-cc.1\n"}
    return {"ompc.1": _page_of_all(commands, commands_page), **own, **compilers}


def _page_of(command: click.Command) -> str:
    summary, *others = inspect.cleandoc(command.help or "").split("\n\n")
    lines = [_head(f"ompc-{command.name}", summary), *_usage(command), ".SH DESCRIPTION"]
    lines += [*_paragraphs(summary)[1:], *_paragraphs("\n\n".join(others)), ".SH OPTIONS"]
    lines += [line for option in _options(command) for line in _described(option)]
    if command.epilog:
        lines += [".SH COMPILER OPTIONS", *_paragraphs(inspect.cleandoc(command.epilog))[1:]]
    return "\n".join([*lines, *_end("ompc")]) + "\n"


def _page_of_compiler() -> str:
    usage, _, rest = USAGE.partition("\n\n")
    lines = [_head("ompc-cc, ompc-c++", "a C compiler that gives parallel loops device code")]
    lines += [".B ompc\\-cc", f".I {_plain(usage.removeprefix('Usage: ompc cc '))}", ".SH DESCRIPTION"]
    described: list[str] = []
    for paragraph in rest.strip("\n").split("\n\n"):
        prose = [line for line in paragraph.split("\n") if not line.startswith(" ")]
        example = [line.removeprefix("  ") for line in paragraph.split("\n") if line.startswith(" ")]
        described += _paragraphs("\n".join(prose)) if prose else []
        described += _paragraphs("\b\n" + "\n".join(example)) if example else []
    return "\n".join([*lines, *described[1:], *_end("ompc", "gcc")]) + "\n"


def _head(names: str, summary: str) -> str:
    said = " ".join(summary.rstrip(".").split())
    filled = _HEAD_OF_COMMAND.format(
        title=names.split(",")[0].upper().replace("-", "\\-"),
        version=_plain(ompc.__version__),
        names=_plain(names),
        summary=_plain(said[:1].lower() + said[1:]),
    )
    return filled.rstrip("\n")


def _end(*others: str) -> Iterator[str]:
    yield from (".SH EXIT STATUS", *(line for row in _STATUS for line in _entry(*row)))
    *first, last = (f".BR {_plain(name)} (1)" for name in others)
    yield from (".SH SEE ALSO", *(f"{name}," for name in first), last)


def _page_of_all(commands: Sequence[click.Command], commands_page: str) -> str:
    lines = [_HEAD.format(version=_plain(ompc.__version__)).rstrip("\n"), ".SH DESCRIPTION", *_prose(command_line)[1:]]
    lines += [".SH COMMANDS"]
    shared = _shared(commands)
    for command in commands:
        lines += [f".SS ompc {_plain(command.name or '')}", *_usage(command), *_prose(command)]
        lines += [line for option in _options(command) if _words(option) not in shared for line in _described(option)]
    lines += [".SH OPTIONS OF SEVERAL COMMANDS"]
    lines += [line for option in shared.values() for line in _described(option)]
    lines += [".SH COMPILER OPTIONS", *_paragraphs(COMPILER_OPTIONS)[1:]]
    lines += [".SH ENVIRONMENT", *(line for row in _variables(commands_page) for line in _entry(*row))]
    lines += _end(*(f"ompc-{command.name}" for command in commands))
    return "\n".join(lines) + "\n"


def _plain(text: str) -> str:
    """The text itself; what stands between backquotes is bold."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    text = re.sub(r"`([^`]*)`", r"\\fB\1\\fR", text)
    return "\n".join(f"\\&{line}" if line[:1] in {".", "'"} else line for line in text.split("\n"))


def _usage(command: click.Command) -> Iterator[str]:
    arguments = [p.make_metavar(click.Context(command)) for p in command.params if isinstance(p, click.Argument)]
    yield f".B ompc {_plain(command.name or '')}"
    yield f".I {_plain(' '.join(['[OPTIONS]', *arguments]))}"


def _prose(command: click.Command) -> list[str]:
    return _paragraphs(inspect.cleandoc(command.help or ""))


def _paragraphs(text: str) -> list[str]:
    """Paragraphs; one that begins with a backspace keeps its lines, as click has it."""
    lines: list[str] = []
    for paragraph in text.split("\n\n"):
        if paragraph.startswith("\b"):
            body = paragraph.removeprefix("\b").strip("\n")
            lines += [".PP", ".nf", ".RS 2", *(_plain(line.rstrip()) for line in body.split("\n")), ".RE", ".fi"]
        else:
            lines += [".PP", *map(_plain, paragraph.split("\n"))]
    return lines


def _options(command: click.Command) -> list[click.Option]:
    return [parameter for parameter in command.params if isinstance(parameter, click.Option)]


def _words(option: click.Option) -> tuple[str, str]:
    record = option.get_help_record(click.Context(click.Command("ompc")))
    assert record is not None, f"{option.name} has no help"
    return record


def _shared(commands: Sequence[click.Command]) -> dict[tuple[str, str], click.Option]:
    """The options that several commands have alike, by what is said of them."""
    options = [option for command in commands for option in _options(command)]
    counts = Counter(map(_words, options))
    return {_words(option): option for option in options if counts[_words(option)] > 1}


def _described(option: click.Option) -> list[str]:
    return _entry(*_words(option))


def _entry(name: str, text: str) -> list[str]:
    return [".TP", f".B {_plain(name)}", *map(_plain, text.split("\n"))]


def _variables(page: str) -> list[tuple[str, str]]:
    """The rows of the table "Environment"."""
    rows = re.findall(r"^\| (.*?) \| (.*?) \|$", page.partition("## Environment")[2], re.MULTILINE)
    named = [(names.replace("`", ""), text) for names, text in rows if names.startswith("`")]
    return [(names, re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text)) for names, text in named]
