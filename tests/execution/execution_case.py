"""A program of cases/: its text, and what its comments say about how it must run.

/* args: 5 7 */             one run with these arguments; several such lines: several runs; none: one run without
/* nightly: 500 7 */        one run more in `make nightly`: takes seconds, and shows what a smaller one would but rarely
/* plain: 5 7 */            one run at --opt auto without sanitizers, where malloc is the runtime's own
/* expect-gpu: 3 */         so many loops are on the device, and each of them is launched in one of the runs
/* expect-added: 2 */       so many more, without a pragma, are at --opt auto
/* expect-fused: 1 */        so many launches do several loops at --opt auto; not said: it does not matter
/* expect-host: OMPC331 */  the codes of the loops that stay on the host, in the order of the loops
/* expect-file: OMPC105 */  the file is copied through, for this reason
/* refuses: OMPC453 */      the codes that the translated program prints when it runs, each at least once
/* flags: -std=c99 */       options for every compiler
/* without: glue */         the option --without, at --opt auto
/* rtol: 1e-6 */            for floating-point numbers in the output
/* fp: strict */            the option --fp
/* gpus: several */         the option --gpus
/* threads: 1 */            of the host, where several would race; the device's do not
/* sanitizers: 0 */         it asks of malloc what only the runtime's own can do
/* parser: new */           left out where pycparser is the version for Python 3.10
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from pycparser.c_lexer import CLexer

CASES = Path(__file__).parent / "cases"
_HEADER = re.compile(r"/\* *([a-z-]+): *(.*?) *\*/")
_EXPECTED = {"expect-gpu", "expect-host", "expect-file"}
_KNOWN = _EXPECTED | set(
    "expect-added expect-fused without args nightly plain refuses flags rtol fp gpus threads sanitizers parser".split()
)


@dataclass(frozen=True, slots=True)
class Case:
    """One program and its expectations; see the module's comment."""

    source: Path
    runs: tuple[tuple[str, ...], ...]
    nightly_runs: tuple[tuple[str, ...], ...]
    plain_runs: tuple[tuple[str, ...], ...]
    on_device: int
    added: int
    fused: int | None
    on_host: tuple[str, ...]
    copied_through: str | None
    refuses: frozenset[str]
    flags: tuple[str, ...]
    rtol: float
    fp: str
    gpus: str
    threads: str
    sanitizers: bool
    without: frozenset[str]

    @property
    def name(self) -> str:
        return self.source.stem


def read_case(source: Path) -> Case:
    """The case in `source`. A misspelt header, or one without expectations, is an error."""
    found: dict[str, list[str]] = {}
    for key, value in _HEADER.findall(source.read_text(errors="replace")):
        if key in _KNOWN:
            found.setdefault(key, []).append(value)
        elif key.startswith(("expect", "arg", "flag")):
            raise ValueError(f"{source.name}: no such header: {key}")
    if not _EXPECTED & set(found):
        raise ValueError(f"{source.name}: says nothing about where its loops run")
    words = {key: " ".join(values).split() for key, values in found.items()}
    return Case(
        source,
        tuple(tuple(line.split()) for line in found.get("args", [""])),
        tuple(tuple(line.split()) for line in found.get("nightly", [])),
        tuple(tuple(line.split()) for line in found.get("plain", [])),
        int(found.get("expect-gpu", ["0"])[0]),
        int(found.get("expect-added", ["0"])[0]),
        int(found["expect-fused"][0]) if "expect-fused" in found else None,
        tuple(words.get("expect-host", [])),
        found.get("expect-file", [None])[0],
        frozenset(words.get("refuses", [])),
        tuple(words.get("flags", [])),
        float(found.get("rtol", ["1e-9"])[0]),
        found.get("fp", ["default"])[0],
        found.get("gpus", ["one"])[0],
        found.get("threads", ["4"])[0],
        found.get("sanitizers", ["1"])[0] != "0",
        frozenset(words.get("without", [])),
    )


def _is_read(source: Path) -> bool:
    return hasattr(CLexer, "_attribute_arguments") or "/* parser: new */" not in source.read_text(errors="replace")


ALL_CASES = [read_case(path) for path in sorted(CASES.glob("*.c")) if _is_read(path)]


def block_of_page(page: str, begin: str) -> str:
    """The indented block of a page of docs/ that begins so."""
    text = (CASES.parents[2] / "docs" / page).read_text()
    blocks = ["".join(line[4:] + "\n" for line in block.splitlines()) for block in text.split("\n\n")]
    return next(block for block in blocks if block.startswith(begin))
