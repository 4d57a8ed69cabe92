"""Which clause a variable needs that iterations race for, by how the text of the loop uses it.

    sum += a[i];                          reduction(+:sum)
    if (a[i] > top) top = a[i];           reduction(max:top)
    t = a[i]; b[i] = t * t;               private(t), or lastprivate(t)

A guess from words, in the order in which they stand: whether the loop then goes to the device is tried, and whether the
clause says what is meant, only the user knows.

    In: the variable's name, the lines of the loop; what the message about a race proposes.   Out: clauses, edits.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ompc.base.frozen import dataclass
from ompc.frontend.text import Replace, Token, indentation
from ompc.tools.readiness.model import Loop, Why
from ompc.tools.readiness.places import Places

_UPDATES = {"+=": "+", "-=": "+", "++": "+", "--": "+", "*=": "*", "&=": "&", "|=": "|", "^=": "^"}


@dataclass(frozen=True, slots=True)
class Cure:
    title: str
    ensure: str
    edit: Replace | None


def clauses_for(name: str, loop: Loop, places: Places) -> Iterator[str]:
    """The clauses that fit how the loop uses the variable."""
    words = places.words
    uses = [at for at in places.within(loop.first + 1, loop.last) if words[at].text == name]
    if not uses:
        return
    operators = {_update(words, at) for at in uses}
    if len(operators) == 1 and None not in operators:
        yield f"reduction({operators.pop()}:{name})"
    elif (extreme := _extreme(words, uses)) is not None:
        yield f"reduction({extreme}:{name})"
    elif (operator := _own_update(words, uses)) is not None:
        yield f"reduction({operator}:{name})"
    elif words[uses[0] + 1].text == "=" and ";" in _between(words, uses):
        yield from _own_copies(name, loop, places)


def _own_copies(name: str, loop: Loop, places: Places) -> Iterator[str]:
    """Where the function names the variable behind the loop, its value may be wanted there."""
    if not places.is_named_later(name, loop.last):
        yield f"private({name})"
    yield f"lastprivate({name})"


def ensure_of(clause: str) -> str:
    """What a clause says that no tool can know."""
    operator, _, name = (part.strip() for part in clause[clause.index("(") + 1 : -1].rpartition(":"))
    if clause.startswith("reduction"):
        rounded = {"+": "; sums", "-": "; sums", "*": "; products"}.get(operator)
        rounds = "" if rounded is None else f"{rounded} of floating-point numbers are rounded anew"
        return f"`{name}` is to hold the result over all iterations{rounds}."
    if clause.startswith("lastprivate"):
        return f"each iteration sets `{name}` before it reads it; afterwards it has the last iteration's value."
    return f"each iteration sets `{name}` before it reads it, and nothing after the loop reads it."


def races_cure(why: Why, loop: Loop, places: Places) -> list[Cure]:
    """What the message about a race proposes, as edits; the best first."""
    help_ = why.help or ""
    clauses = re.findall(r"((?:reduction|private|lastprivate)\([^)]*\))", help_)
    if "lastprivate" in help_:
        clauses = list(_own_copies(clauses[0].partition("(")[2][:-1], loop, places))
    found = [Cure(f"add {clause}", ensure_of(clause), places.with_clause(loop.first, clause)) for clause in clauses]
    if "without `static`" in help_:
        found += without_static(next(iter(re.findall(r"'(\w+)'", help_)), ""), loop, places)
    if "omp atomic" in help_ and why.line is not None:
        found += _atomic(why.line, places)
    return found


def without_static(name: str, loop: Loop, places: Places) -> Iterator[Cure]:
    """Where the loop declares the variable without a value, and sets it first."""
    words = places.words
    uses = [at for at in places.within(loop.first + 1, loop.last) if words[at].text == name]
    at = places.find("static", words[uses[0]].line, words[uses[0]].line) if len(uses) > 1 else None
    if at is not None and words[uses[0] + 1].text == ";" and words[uses[1] + 1].text == "=":
        ensure = f"each iteration gives `{name}` a value before it reads it: none is kept from earlier ones."
        yield Cure("remove `static`", ensure, places.cut(range(at, at + 1)))


def _atomic(line: int, places: Places) -> Iterator[Cure]:
    """Above the update, where that is a statement on lines of its own."""
    first = next(places.within(line, line), None)
    if first is not None and first > 0 and places.words[first - 1].text in (";", "{", "}", ")", "else"):
        ensure = "the order of the updates does not matter; sums of floating-point numbers are rounded anew."
        text = f"{indentation(places.text, line)}#pragma omp atomic\n"
        yield Cure("protect the update with `#pragma omp atomic`", ensure, Replace(line, 1, "", text))


def _update(words: Sequence[Token], at: int) -> str | None:
    """The operator by which the variable is accumulated into here."""
    before, after = words[at - 1].text, words[at + 1].text
    if after in _UPDATES:
        return _UPDATES[after]
    return _UPDATES.get(before) if before in ("++", "--") else None


def _between(words: Sequence[Token], uses: Sequence[int]) -> list[str]:
    """The words between the first two uses; a semicolon where there is one only."""
    return [word.text for word in words[uses[0] + 1 : uses[1]]] if len(uses) > 1 else [";"]


def _own_update(words: Sequence[Token], uses: Sequence[int]) -> str | None:
    """`sum = sum + e`, `top = fmax(top, e)`: the only two uses."""
    between = _between(words, uses)
    if len(uses) != 2 or between[:1] != ["="]:
        return None
    if len(between) == 1:
        return _UPDATES.get(words[uses[1] + 1].text + "=")
    functions = {"fmax": "max", "fmaxf": "max", "fmin": "min", "fminf": "min"}
    return functions.get(between[1]) if between[2:] == ["("] else None


def _extreme(words: Sequence[Token], uses: Sequence[int]) -> str | None:
    """`if (e > top) top = e`: compared once, then assigned."""
    if len(uses) != 2 or words[uses[1] + 1].text != "=":
        return None
    before, after = words[uses[0] - 1].text, words[uses[0] + 1].text
    if before in (">", ">=") or after in ("<", "<="):
        return "max"
    return "min" if before in ("<", "<=") or after in (">", ">=") else None
