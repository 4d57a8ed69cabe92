"""The little Markdown of docs/diagnostics.md as HTML: paragraphs, fenced and indented code, `code`, **strong**, links.

    **Why.** See [tune.md](tune.md).   ->   <p><strong>Why.</strong> See <em>tune.md</em>.</p>

Links lead to other pages of ompc's documents, which are not beside the report, so only their words stay.

    In: the text of a section.   Out: HTML.   Not here: tables and lists, which sections do not have.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from markupsafe import Markup, escape

from ompc.tools.readiness.colour import c_lines

_INLINE = re.compile(r"`([^`]+)`|\*\*([^*]+)\*\*|\[([^]]+)\]\([^)]+\)")


def as_html(text: str) -> Markup:
    return Markup("\n").join(_blocks(text.split("\n")))


def _blocks(lines: list[str]) -> Iterator[Markup]:
    at = 0
    while at < len(lines):
        if lines[at].startswith("```"):
            end = next((k for k in range(at + 1, len(lines)) if lines[k].startswith("```")), len(lines))
            yield _code(lines[at + 1 : end], lines[at][3:])
            at = end + 1
        elif lines[at].startswith("    "):
            end = next((k for k in range(at, len(lines)) if not lines[k].startswith("    ")), len(lines))
            yield _code([line[4:] for line in lines[at:end]], "")
            at = end
        elif lines[at].strip():
            end = next((k for k in range(at, len(lines)) if not lines[k].strip()), len(lines))
            yield Markup("<p>{}</p>").format(inline(" ".join(lines[at:end])))
            at = end
        else:
            at += 1


def _code(lines: list[str], language: str) -> Markup:
    text = "\n".join(lines)
    found = c_lines(text) if language == "c" else [escape(line) for line in lines]
    return Markup("<pre>{}</pre>").format(Markup("\n").join(found))


def inline(text: str) -> Markup:
    """One paragraph's words."""
    parts: list[Markup] = []
    done = 0
    for match in _INLINE.finditer(text):
        code, strong, link = match.groups()
        parts.append(escape(text[done : match.start()]))
        tag = "code" if code else "strong" if strong else "em"
        parts.append(Markup(f"<{tag}>{{}}</{tag}>").format(code or strong or link))
        done = match.end()
    return Markup("").join([*parts, escape(text[done:])])
