"""What was found, as text for people.

    jacobi on NVIDIA H200: 34 runs, the kernels take 1.21 s instead of 1.58 s

    Loop         Iterations   Launches   Default      Best   Faster   Shape
    jacobi.c:41        2^24        100   12.3 ms   9.41 ms   1.31 x   rows(8) block(64, 4)
    jacobi.c:50        2^24        100   3.50 ms         -        -   the runtime's own

In: results.   Out: text.   Not here: printing it -- cli/.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ompc.base.tuning import ShapeChoices
from ompc.tools.profile.table import duration, table_of, text_of
from ompc.tools.tune.session import Loop, Result
from ompc.tools.tune.space import Space


def format_results(headline: str, results: Sequence[Result], launches: Mapping[Loop, int]) -> str:
    """One line for each loop and size that was searched."""
    table = table_of("Loop", "Iterations", "Launches", "Default", "Best", "Faster", "Shape", numbers=range(1, 6))
    for result in sorted(results, key=lambda result: result.loop):
        default, best = duration(result.default_seconds), duration(result.seconds)
        row = [str(result.loop), f"2^{result.loop.size_class}", f"{launches[result.loop]:,}", default]
        gain = f"{result.default_seconds / result.seconds:.2f} x" if result.seconds else "-"
        found = bool(result.choices.values())
        table.add_row(*row, *((best, gain, result.choices.clauses) if found else ("-", "-", "the runtime's own")))
    return f"{headline}\n\n{text_of(table)}"


def headline(program: str, where: str, runs: int, results: Sequence[Result], launches: Mapping[Loop, int]) -> str:
    """Over the launches of one run."""
    before = sum(result.default_seconds * launches[result.loop] for result in results)
    after = sum(result.seconds * launches[result.loop] for result in results)
    gained = f"{duration(after)} instead of {duration(before)}" if after < before else f"{duration(before)}, as before"
    return f"{program} {where}: {runs} runs; the kernels of a run take {gained}"


def format_space(loops: Iterable[tuple[str, Space, Sequence[ShapeChoices]]]) -> str:
    """`--dry-run`: what would be tried."""
    table = table_of("Loop", "Knob", "Values")
    for place, space, kernels in loops:
        for number, (knob, values) in enumerate(space.all()):
            shown = (" x ".join(map(str, value)) if isinstance(value, tuple) else str(value) for value in values)
            table.add_row(place if number == 0 else "", knob, "   ".join(shown))
        if kernels:
            table.add_row("", "kernel", "   ".join(way.clauses for way in kernels))
    return text_of(table)
