"""The Jinja2 environment: strict (an undefined name is an error), no escaping, blocks leave no blank lines."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from functools import lru_cache
from typing import Protocol

import jinja2

from ompc.base.resources import templates_directory
from ompc.render.layout import broken_lines
from ompc.render.template_code import TemplateCode

LONGEST = 119
"""The columns of a line in which one item stands that is long itself."""


@lru_cache(maxsize=1)
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(templates_directory()),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
    blocks = environment.trim_blocks, environment.lstrip_blocks, environment.keep_trailing_newline
    environment.bytecode_cache = TemplateCode((*blocks, environment.autoescape))
    environment.globals["listed"] = listed
    environment.globals["dispatched"] = dispatched
    environment.globals["commented"] = commented
    environment.globals["broken"] = broken
    environment.globals["remark"] = remark
    return environment


def remark(text: str) -> str:
    """A comment, in as many lines as it needs."""
    lines = textwrap.wrap(text, LONGEST - 3, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)
    return "\n".join(f"// {line}" for line in lines)


def broken(statement: str) -> str:
    """In as many lines as it needs."""
    return "\n".join(broken_lines([statement], 0, LONGEST))


def commented(statement: str, comment: str) -> str:
    """Both in one line, where they fit in it."""
    if len(line := f"{statement} // {comment}") <= LONGEST:
        return line
    indent = statement[: len(statement) - len(statement.lstrip())]
    return "\n".join([f"{indent}// {comment}", *broken_lines([statement], 0)])


class Dispatched(Protocol):
    """A form of a kernel, and when it is launched (kernel_forms.py)."""

    when: str
    kernel: str


def dispatched(head: str, shape: str, forms: Sequence[Dispatched], arguments: Sequence[str]) -> str:
    """`head(shape, {form, form, ...}, argument, ...);`, each form on a line of its own."""
    pad = " " * (len(head) + 1)
    table = f",\n{pad} ".join(f"OMPC_FORM({form.when}, {form.kernel})" for form in forms)
    return f"{head}({shape},\n{pad}{{{table}}},\n" + listed(" " * len(head), arguments, ";").replace("(", " ", 1)


def listed(head: str, items: Sequence[str], tail: str, width: int = 110) -> str:
    """`head(item, item, ...)tail`, broken after commas at `width` columns and aligned behind the parenthesis."""
    lines = [head + "("]
    for k, item in enumerate(items):
        piece = item + (", " if k + 1 < len(items) else "")
        if len(lines[-1]) + len(piece.rstrip()) > width and lines[-1].strip() and k > 0:
            lines.append(" " * (len(head) + 1))
        lines[-1] += piece
    lines[-1] += f"){tail}"
    return "\n".join(broken_lines((line.rstrip() for line in lines), 0, LONGEST))


def template(name: str) -> jinja2.Template:
    """The template `name` of templates/."""
    return _environment().get_template(name)
