"""The readiness report as one HTML file: no scripts or fonts from elsewhere, readable without a script, printable.

A content security policy forbids the page every connection. What unfolds are `<details>`, so that the keyboard, readers
for the blind and search within the page know them; the one script opens what a link leads to, and all for print, and
filters the loops.

    In: Readiness.   Out: the text of the file.   Not here: how it looks -- templates/report.
"""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

import jinja2
from markupsafe import Markup

from ompc.base.diagnostics import TITLES
from ompc.base.frozen import dataclass
from ompc.base.resources import section, templates_directory
from ompc.tools.profile.table import duration
from ompc.tools.readiness.colour import cuda_lines, shown
from ompc.tools.readiness.line_links import LineLinks
from ompc.tools.readiness.listing import listing, source_lines, whole
from ompc.tools.readiness.markdown import as_html, inline
from ompc.tools.readiness.measured import ranked
from ompc.tools.readiness.model import Loop, Readiness, Variable
from ompc.tools.readiness.picture import picture
from ompc.tools.readiness.words import (
    MEANINGS,
    extent_words,
    parts_of,
    roofline_words,
    run_words,
    share_text,
    size_text,
    transfer_sums,
)

STYLES = ("report.css", "code.css", "filter.css", "print.css")
SCRIPTS = ("report.js", "filter.js")
GLYPHS = {"proved": "●", "checked": "◐", "promised": "◇", "host": "○"}
"""The states of loops by shape, from the surest on."""


@dataclass(frozen=True, slots=True)
class Code:
    """A diagnostic code of the report. `on_host`: how many loops it keeps there; `loops`: how many have it."""

    code: str
    title: str
    on_host: int
    loops: int
    html: Markup


def page(readiness: Readiness) -> str:
    """The text of the HTML file."""
    script = f"(() => {{\n{''.join(map(_raw, SCRIPTS))}}})();"
    told = codes(readiness)
    files = (*readiness.files, *readiness.named)
    anchors = {file.path: f"file-{number}" for number, file in enumerate(files, 1)}
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    lines = {file.path: len(source_lines(file.text)) for file in files}
    return (
        _environment()
        .get_template("page.html.j2")
        .render(
            readiness=readiness,
            numbers={id(loop): number for number, loop in enumerate(readiness.loops, 1)},
            ranked=ranked(readiness),
            anchors=anchors,
            linked=LineLinks(anchors, lines, {code.code for code in told}),
            states=[state for state in GLYPHS if readiness.count(state)],
            codes=told,
            sums=transfer_sums(readiness.loops),
            style=Markup("\n".join(map(_raw, STYLES))),
            script=Markup(script),
            digest=digest,
        )
    )


def codes(readiness: Readiness) -> list[Code]:
    """Those of loops and files on the host, in order, then those of what launches check."""
    host = Counter(code for loop in readiness.loops for code in dict.fromkeys(why.code for why in loop.why))
    host.update(file.problem.code for file in readiness.files if file.problem is not None)
    checks = Counter(code for loop in readiness.loops for code in loop.codes if code not in host)
    found = [(code, count, count) for code, count in sorted(host.items())]
    found += [(code, 0, count) for code, count in sorted(checks.items())]
    return [Code(code, TITLES.get(code, ""), kept, of, as_html(section(code) or "")) for code, kept, of in found]


def stays(loop: Loop) -> list[str]:
    """The arrays that no launch copies as a matter of course."""
    return [
        v.name
        for v in loop.variables
        if v.residual_transfers and not any(transfer.when.endswith("every launch") for transfer in v.residual_transfers)
    ]


def others_together(variables: Iterable[Variable]) -> list[tuple[str, str, str]]:
    """(names, where, why) of variables without memory of their own, those of the same kind together."""
    found: dict[tuple[str, str], list[str]] = {}
    for v in variables:
        if not v.in_memory:
            found.setdefault((v.placement, v.because), []).append(v.name)
    return [(", ".join(names), placement, because) for (placement, because), names in found.items()]


@lru_cache(maxsize=1)
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(templates_directory() / "report"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=True,
    )
    environment.filters |= {"id": id, "shown": shown, "size": size_text, "cuda": _cuda, "inline": _inline}
    environment.filters |= {"duration": duration, "bytes": extent_words}
    environment.globals |= {
        "glyphs": GLYPHS,
        "listing": listing,
        "stays": stays,
        "others_together": others_together,
        "picture": picture,
        "roofline_words": roofline_words,
        "meanings": MEANINGS,
        "parts": parts_of,
        "run_words": run_words,
        "share": share_text,
        "whole": whole,
    }
    return environment


def _cuda(text: str) -> Markup:
    return Markup("\n").join(cuda_lines(text.rstrip("\n")))


def _inline(text: str) -> Markup:
    return inline(shown(text))


def _raw(name: str) -> str:
    return (templates_directory() / "report" / name).read_text(encoding="utf-8")
