"""Of kernels with forms for several numbers of points, or rows, of a thread: only the form that the run will ask for.

    OMPC_TILES=4     launch.dispatch(...)  has kernel<4> alone in its table, and no other is compiled

Compiling four forms of each is an eighth of what a program costs. A run has one value of OMPC_TILES; files take turns.

In: a device file.   Out: the same with shorter tables.   Not here: which values -- checking.py.
"""

from __future__ import annotations

import re

_TABLE = re.compile(r"\{(OMPC_FORM\((?:[^{}]|\{[^{}]*\})*)\}")
_NUMBER = re.compile(r"[<,] ?(\d+)[,>]")
_ASKED = re.compile(r"(\.rows(?:<\d>)?\(OMPC_KERNEL\(\w+<)\d(, true)?")


def with_one_form(device_text: str, points: int) -> str:
    """For runs with OMPC_TILES=`points`: 8, 4 or 2. A launch that asks for another form gets a wrong one, but that the
    form for arrays that are not aligned stays.
    """
    rows = points if points > 2 else 1  # as rows_of in ompc_tiling.h has it

    def shorter(table: re.Match[str]) -> str:
        forms = re.split(r",\s*(?=OMPC_FORM)", table[1])
        numbers = {_count(form) for form in forms} - {None}
        if not numbers:
            return table[0]
        wanted = 2 if numbers == {"1", "2"} else rows if "2" not in numbers else points
        kept = [form for form in forms if _count(form) == str(wanted)]
        if _ends_false(forms[-1]) and not any(map(_ends_false, kept)):
            kept.append(forms[-1])  # for arrays that are not aligned
        return "{" + ", ".join(kept) + "}"

    fewer = _TABLE.sub(shorter, device_text)
    return _ASKED.sub(lambda asked: f"{asked[1]}{rows}{', false' if asked[2] else ''}", fewer)


def _ends_false(form: str) -> bool:
    """Is that the last of the template arguments?"""
    return form.endswith("false>)")


def _count(form: str) -> str | None:
    """The points or rows of a thread, among the template arguments."""
    found = _NUMBER.search(form[form.index(",") :])
    return None if found is None else found[1]
