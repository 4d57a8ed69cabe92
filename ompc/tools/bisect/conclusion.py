"""What was found, as text for people.

    matrix.c --opt auto: 31 runs of 5 programs

    Differs        line 1 of the output, token 2: expected 2.5, got 3.5
    Loop           product matrix.c:12 parallel for
    Launch         3 of 10 times that it is reached, alone
    Levels         baseline right, thesis right, auto wrong
    Optimisation   tiles: blocks compute tiles of points from shared memory

    To go on for now:
        ompc build matrix.c --without tiles          without that optimisation
        OMPC_REGIONS=-product@matrix.c            when the program runs: that loop on the host

In: `Found`.   Out: text.   Not here: printing it -- cli/.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from ompc.tools.bisect.program import Found
from ompc.tools.bisect.search import Culprit
from ompc.tools.bisect.variants import Guilt

_WIDTH = 15


def format_conclusion(found: Found) -> str:
    return "".join(f"{line}\n" for line in _lines(found))


def _lines(found: Found) -> Iterator[str]:
    programs = f"{found.builds} program{'s' if found.builds > 1 else ''}"
    level = found.request.options.level.value
    yield f"{found.request.source.name} --opt {level}: {found.runs} runs of {programs}"
    yield ""
    if found.problem is None:
        yield from _nothing_differs(found)
        return
    yield _row("Differs", found.problem)
    if found.culprit is None:
        yield _row("Loop", "none: it differs with all loops on the host, in what ompc has added to them")
        yield ""
        yield "That is a fault of ompc: please report it with the program and its arguments."
        return
    yield from _loop(found.culprit)
    if found.guilt is not None:
        yield from _optimisation(found.guilt)
        yield ""
        yield "To go on for now:"
        yield from _way_round(found, found.culprit, found.guilt)
        yield ""
        yield from _advice(found, found.guilt)


def _row(title: str, text: str) -> str:
    return f"{title:<{_WIDTH}}{text}"


def _nothing_differs(found: Found) -> Iterator[str]:
    loops, times = len(found.reached), found.launched.count
    without = [loop for loop in found.reached if not found.launched.has(loop)]
    of_all = f"{loops - len(without)} of {loops} loops" if without else f"{loops} loop{'s' if loops > 1 else ''}"
    often = "once" if times == 1 else f"{times} times"
    yield f"Nothing differs from the host's result: {of_all} launched on the device, {often} in all."
    if without:
        yield f"Never launched, and so not compared: {', '.join(map(str, without))} (OMPC_LOG=1 says why)."
    if found.largest > 0:
        yield (
            f"Numbers differ by {found.largest:.1e} of their size at most, which is within the tolerance of "
            f"{found.wanted.tolerance:g}."
        )


def _loop(culprit: Culprit) -> Iterator[str]:
    loop = culprit.loop
    yield _row("Loop", f"{loop} {loop.directive}".strip())
    if culprit.launch is None:
        yield _row("Launch", f"beyond the {loop.times} that a right run has")
    else:
        how = "alone" if culprit.alone else "with those before it"
        yield _row("Launch", f"{culprit.launch} of {loop.times} times that it is reached, {how}")
    if culprit.others:
        names = ", ".join(map(str, culprit.others[:4]))
        more = f" and {len(culprit.others) - 4} more" if len(culprit.others) > 4 else ""
        yield _row("Together with", f"{names}{more}: without them on the device it is right")


def _optimisation(guilt: Guilt) -> Iterator[str]:
    levels = (f"{level.value} {'right' if right else 'wrong'}" for level, right in guilt.levels.items())
    yield _row("Levels", ", ".join(levels))
    if guilt.optimisation is None:
        yield _row("Optimisation", "none: it is wrong without any that can be left out")
    else:
        yield _row("Optimisation", f"{guilt.optimisation.name}: {guilt.optimisation.does}")


def _way_round(found: Found, culprit: Culprit, guilt: Guilt) -> Iterator[str]:
    options: list[tuple[str, str]] = []
    sources = " ".join(shlex.quote(str(source)) for source in found.request.sources)
    right = [level for level, is_right in guilt.levels.items() if is_right]
    if guilt.optimisation is not None and guilt.cured:
        left_out = guilt.optimisation.left_out_by
        command = left_out if guilt.optimisation.is_of_run else f"ompc build {sources} {left_out}"
        when = "when the program runs: " if guilt.optimisation.is_of_run else ""
        options.append((command, f"{when}without that optimisation"))
    elif right:
        options.append((f"ompc build {sources} --opt {right[-1].value}", "a level that is right"))
    options.append((f"OMPC_REGIONS=-{culprit.loop.name}", "when the program runs: that loop on the host"))
    width = max(len(command) for command, _ in options)
    for command, why in options:
        yield f"    {command:<{width}}   {why}"


def _advice(found: Found, guilt: Guilt) -> Iterator[str]:
    if guilt.optimisation is None or guilt.optimisation.rounds:
        given = f"--tolerance, which is {found.wanted.tolerance:g} now"
        yield f"Sums in another order, and FMA, change last digits of floating-point numbers: {given}."
    yield "Iterations that depend on each other give other results each time, on the host too: gcc -fsanitize=thread."
    yield "Else it is a fault of ompc: please report it with the program, its arguments and these lines."
