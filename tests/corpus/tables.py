"""Results -> tables in Markdown: totals per suite, codes, shares per directive and clause, and what went wrong.

In: FileResult, ProgramResult.   Out: text. The worst comes first.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from .records import BUILT_BY_GCC, COMPARED, FileResult, Loop, ProgramResult, Translated, Verdict

Row = Sequence[object]

MOST_REASONS = 12


def markdown(files: Sequence[FileResult], programs: Sequence[ProgramResult]) -> str:
    """The whole report but for lists of programs that agree."""
    parts = [
        _section("Bugs of ompc", _crashes(files)),
        _section("Programs that differ", _failures(programs)),
        _section("Programs that say something else each time, with gcc too", _unstable(programs)),
        _section("Per suite", suites_table(files, programs)),
        _section("Loops on the host", codes_table(files)),
        _section("Loops that one thread runs alone", alone_table(files)),
        _section("Why", alone_reasons_table(files)),
        _section("Directives", share_table("directive", ((loop.directive, loop) for loop in _loops(files)))),
        _section(
            "Clauses", share_table("clause", ((c, loop) for loop in _loops(files) for c in loop.clauses or ("none",)))
        ),
    ]
    return "\n".join(part for part in parts if part)


def table(heads: Row, rows: Iterable[Row]) -> str:
    """A table; numbers to the right."""
    rows = list(rows)
    if not rows:
        return ""
    right = [all(isinstance(row[at], int) for row in rows) for at in range(len(heads))]
    lines = [heads, ["--:" if is_number else "---" for is_number in right], *rows]
    return "".join("| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |\n" for line in lines)


def suites_table(files: Sequence[FileResult], programs: Sequence[ProgramResult]) -> str:
    """One row for each suite, and their sum."""
    names = list(dict.fromkeys([item.suite for item in files]))
    chosen = [
        (name, [f for f in files if f.suite == name], [p for p in programs if p.suite == name]) for name in names
    ]
    if len(chosen) > 1:
        chosen.append(("all", list(files), list(programs)))
    rows = [_files_row(*row) if not programs else _programs_row(*row) for row in chosen]
    heads = ["suite", "files", "loops", "on the device", "codes of the rest"]
    if programs:
        programs_heads = ["programs", "built by gcc", "end with gcc", "built by ompc", "agree", "cannot be compared"]
        heads[1:1] = [*programs_heads, "loops launched", "of those reached"]
    return table(heads, rows)


def _files_row(name: str, files: Sequence[FileResult], _: Sequence[ProgramResult]) -> list[object]:
    valid = [item for item in files if item.outcome is not Translated.REFUSED]
    loops = list(_loops(valid))
    codes = Counter(loop.code for loop in loops if not loop.on_device)
    return [name, len(valid), len(loops), _share(loops), _counted(codes, 6)]


def _programs_row(name: str, files: Sequence[FileResult], programs: Sequence[ProgramResult]) -> list[object]:
    verdicts = Counter(program.verdict for program in programs)
    built = sum(verdicts[verdict] for verdict in BUILT_BY_GCC)
    compared = sum(verdicts[verdict] for verdict in COMPARED)
    unknown = verdicts[Verdict.UNSTABLE] + verdicts[Verdict.VARIES]
    by_ompc, agree = compared - verdicts[Verdict.NOT_BUILT], verdicts[Verdict.SAME]
    reached, launched = (sum(program.loops[at] for program in programs) for at in (0, 1))
    counts = [len(programs), built, compared, by_ompc, agree, unknown, launched, reached]
    return [name, *counts, *_files_row(name, files, programs)[1:]]


def codes_table(files: Sequence[FileResult]) -> str:
    """How many loops stay on the host for each code, and the reasons most often given."""
    reasons: dict[str, Counter[str]] = {}
    for loop in _loops(files):
        if not loop.on_device:
            reasons.setdefault(loop.code, Counter())[_general(loop.reason)] += 1
    ordered = sorted(reasons.items(), key=lambda item: (-item[1].total(), item[0]))
    return table(
        ["code", "loops", "most often"], [(code, found.total(), _counted(found, 3)) for code, found in ordered]
    )


def alone_table(files: Sequence[FileResult]) -> str:
    """Of each suite: its kernels, those with a long loop that one thread runs, and those of which threads could share
    such a loop, since its iterations are independent. In the others iterations depend on earlier ones.
    """
    names = list(dict.fromkeys([item.suite for item in files]))
    rows = [(name, [loop for loop in _loops(f for f in files if f.suite == name) if loop.on_device]) for name in names]
    if len(rows) > 1:
        rows.append(("all", [loop for _, loops in rows for loop in loops]))
    heads = ["suite", "kernels", "with a loop alone", "that could be shared"]
    return table(heads, [(name, len(loops), *map(_part_of(loops), (_is_alone, _is_shareable))) for name, loops in rows])


def alone_reasons_table(files: Sequence[FileResult]) -> str:
    """Of the loops alone, the reasons most often given, without names."""
    found = Counter(_general(each.because) for loop in _loops(files) for each in loop.alone)
    return table(["loops", "because"], [(count, reason) for reason, count in found.most_common(MOST_REASONS)])


def _is_alone(loop: Loop) -> bool:
    return bool(loop.alone)


def _is_shareable(loop: Loop) -> bool:
    return any(each.independent for each in loop.alone)


def _part_of(loops: Sequence[Loop]) -> Callable[[Callable[[Loop], bool]], str]:
    def counted(holds: Callable[[Loop], bool]) -> str:
        count = sum(map(holds, loops))
        return f"{count} ({100 * count / len(loops):.1f} %)" if loops else "0"

    return counted


def share_table(head: str, named: Iterable[tuple[str, Loop]]) -> str:
    """For each name, how many of its loops are on the device."""
    by_name: dict[str, list[Loop]] = {}
    for name, loop in named:
        by_name.setdefault(name, []).append(loop)
    ordered = sorted(by_name.items(), key=lambda item: (-len(item[1]), item[0]))
    return table([head, "loops", "on the device"], [(name, len(loops), _share(loops)) for name, loops in ordered])


def _crashes(files: Sequence[FileResult]) -> str:
    bad = [item for item in files if item.outcome in {Translated.CRASH, Translated.TIMEOUT}]
    return table(["file", "what", "last words"], [(_short(f), f.outcome.value, _last_line(f.message)) for f in bad])


def _failures(programs: Sequence[ProgramResult]) -> str:
    order = list(Verdict)
    bad = sorted((p for p in programs if p.verdict.is_failure), key=lambda p: (order.index(p.verdict), p.suite, p.name))
    rows = [(f"{p.suite}: {p.name}", p.verdict.value, p.detail.replace("\n", " ")[:300]) for p in bad]
    return table(["program", "what", "first difference or message"], rows)


def _unstable(programs: Sequence[ProgramResult]) -> str:
    return ", ".join(f"{p.suite}: {p.name}" for p in programs if p.verdict is Verdict.VARIES)


def _loops(files: Iterable[FileResult]) -> Iterable[Loop]:
    return (loop for item in files for loop in item.loops)


def _share(loops: Sequence[Loop]) -> str:
    on_device = sum(loop.on_device for loop in loops)
    return f"{on_device} ({100 * on_device // len(loops)} %)" if loops else "0"


def _counted(found: Counter[str], most: int) -> str:
    ordered = sorted(found.items(), key=lambda item: (-item[1], item[0]))
    rest = sum(count for _, count in ordered[most:])
    shown = [f"{name} {count}" for name, count in ordered[:most]]
    return ", ".join([*shown, f"others {rest}"] if rest and most > 3 else shown)


def _general(reason: str) -> str:
    """The reason without the names of variables; names of functions stay, since they say what is missing."""
    if (missing := re.match(r"(calls|contains) '([^']*)'", reason)) is not None:
        return f"{missing[1]} `{missing[2]}`"
    reason = re.sub(r"`[^`]*`|(?<!\w)'[^']*'", "...", reason)
    return re.sub(r"(?<=line )\d+|(?<=over )\w+|(?<=iteration of )\w+", "...", reason)


def _short(item: FileResult) -> str:
    return f"{item.suite}: {Path(item.path).name}"


def _last_line(message: str) -> str:
    return (message.strip().splitlines() or [""])[-1][:200]


def _section(title: str, text: str) -> str:
    return f"## {title}\n\n{text}" if text else ""
