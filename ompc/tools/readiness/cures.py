"""Changes of a few words that could bring a host loop to the device, by its diagnostic code.

    OMPC203   sum: add reduction(+:sum)            #pragma omp parallel for
                                                   #pragma omp parallel for reduction(+:sum)

They are candidates only: suggestions.py applies each and translates again. What follows from a change for the meaning
of the program no tool knows, so each says what the user must make sure of. Codes that are not in the table have no cure
of a few words: their section of docs/diagnostics.md says what to do.

    In: a Loop, the Places of its file.   Out: Candidates, the best first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from ompc.base.frozen import dataclass
from ompc.frontend.text import Replace, indentation
from ompc.tools.readiness.model import Loop, Why
from ompc.tools.readiness.places import Places
from ompc.tools.readiness.shared_variables import clauses_for, ensure_of, races_cure, without_static


@dataclass(frozen=True, slots=True)
class Candidate:
    """A change, what it is called, and what the user must `ensure`. `files` more: no edit, but these files as well."""

    title: str
    ensure: str
    edits: tuple[Replace, ...] = ()
    files: tuple[str, ...] = ()


def candidates(loop: Loop, places: Places) -> Iterator[Candidate]:
    """The changes that are worth a try."""
    if any(why.is_race for why in loop.why):
        yield from _races(loop, places)
        return
    for why in loop.why:
        find = _CURES.get(why.code)
        if find is not None:
            yield from find(loop, why, places)


def _candidate(title: str, ensure: str, *edits: Replace | None) -> Iterator[Candidate]:
    if edits and all(edit is not None for edit in edits):
        yield Candidate(title, ensure, tuple(edit for edit in edits if edit is not None))


def _quoted(why: Why) -> str:
    """The first name in quotes of the message."""
    found = re.search(r"[`'](\w+)[`']", why.message)
    return "" if found is None else found[1]


# ------------------------------------------------------------------------ shared variables


def _races(loop: Loop, places: Places) -> Iterator[Candidate]:
    """One change for each variable that iterations race for, all at once."""
    found = [races_cure(why, loop, places) for why in loop.why]
    for kind in (0, 1):
        chosen = [each[min(kind, len(each) - 1)] for each in found if each]
        if len(chosen) == len(found) and (kind == 0 or any(len(each) > 1 for each in found)):
            ensure = " ".join(dict.fromkeys(each.ensure for each in chosen))
            yield from _candidate("; ".join(each.title for each in chosen), ensure, *(each.edit for each in chosen))


def _shared(loop: Loop, why: Why, places: Places) -> Iterator[Candidate]:
    for clause in clauses_for(_quoted(why), loop, places):
        yield from _candidate(f"add {clause}", ensure_of(clause), places.with_clause(loop.first, clause))


def _last_pointer(loop: Loop, why: Why, places: Places) -> Iterator[Candidate]:
    found = places.clause(loop.first, "lastprivate")
    if found is not None:
        ensure = f"nothing after the loop uses `{_quoted(why)}`."
        yield from _candidate("private instead of lastprivate", ensure, places.replaced(found[0], "private"))


# ------------------------------------------------------------------------ clauses and directives


def _unsupported_clause(loop: Loop, why: Why, places: Places) -> Iterator[Candidate]:
    name = _quoted(why)
    ensure = f"no thread needs what `{name}` gives it, in this loop or later."
    yield from _candidate(f"remove `{name}`", ensure, places.without_clause(loop.first, name))


def _called_argument(loop: Loop, why: Why, places: Places) -> Iterator[Candidate]:
    found = places.clause(loop.first, _quoted(why))
    if found is None or len(found) < 4 or places.words[found[0]].line != places.words[found[-1]].line:
        return
    first, last = places.words[found[2]], places.words[found[-1]]
    argument = places.text[first.offset : last.offset]
    name = f"{_quoted(why)}_{loop.first}"
    edits = (
        Replace(loop.first, 1, "", f"{indentation(places.text, loop.first)}int {name} = {argument};\n"),
        Replace(first.line, first.column, argument, name),
    )
    yield from _candidate("compute the argument before the loop", "its value fits into an int.", *edits)


def _fewer_collapsed(loop: Loop, why: Why, places: Places) -> Iterator[Candidate]:
    found = places.clause(loop.first, "collapse")
    if found is None or len(found) != 4:
        return
    number = places.words[found[2]].text
    for fewer in range(int(number) - 1, 0, -1) if number.isdecimal() else ():
        ensure = "nothing: the inner loops then run within a thread each."
        yield from _candidate(f"collapse({fewer})", ensure, places.replaced(found[2], str(fewer)))


def _directives_inside(loop: Loop, why: Why, places: Places) -> Iterator[Candidate]:
    """All directives of the kind that is to blame, and the clause of the loop that belongs to it."""
    kinds = (("task", "taskwait", "taskyield", "taskgroup"), ("cancel", "cancellation"), ("ordered",))
    kind = next((kind for kind in kinds if kind[0] in why.message), None)
    if kind is None:
        return
    edits: list[Replace | None] = []
    for at in places.within(loop.first + 1, loop.last):
        words = places.words[at : at + 4]
        if [word.text for word in words[:3]] == ["#", "pragma", "omp"] and len(words) > 3 and words[3].text in kind:
            edits += places.without_directive(words[0].line)
    if kind[0] == "ordered" and places.clause(loop.first, "ordered"):
        edits.append(places.without_clause(loop.first, "ordered"))
    ensure = f"the answer does not need `{kind[0]}`: iterations then run in any order, all of them."
    yield from _candidate(f"leave `{kind[0]}` out", ensure, *edits)


def _kept_by_user(loop: Loop, why: Why, places: Places) -> Iterator[Candidate]:
    if why.line is not None:
        ensure = "nobody has put the pragma there for a reason that still holds."
        yield from _candidate("remove the pragma that keeps it there", ensure, *places.without_directive(why.line))


def _not_mapped(loop: Loop, why: Why, places: Places) -> Iterator[Candidate]:
    name, line = _quoted(why), places.pragma_before(loop.first, "target")
    if line is not None:
        ensure = f"`{name}` is meant to change: without the clause the program leaves it as it was."
        yield from _candidate(f"add map(tofrom: {name})", ensure, places.with_clause(line, f"map(tofrom: {name})"))


def _number_of_teams(loop: Loop, why: Why, places: Places) -> Iterator[Candidate]:
    line = places.pragma_before(loop.first, "num_teams")
    if line is not None:
        ensure = "no code of the region depends on the number of teams."
        yield from _candidate("remove `num_teams`", ensure, places.without_clause(line, "num_teams"))


def _vector_loop(loop: Loop, why: Why, places: Places) -> Iterator[Candidate]:
    found = places.clause(loop.first, "simd")
    if found is not None and "target" in loop.directive:
        ensure = "no iteration uses what another one writes: `simd` promises less than that."
        edit = places.replaced(found[0], "teams distribute parallel for simd")
        yield from _candidate("say that iterations are independent", ensure, edit)


def _own_line(loop: Loop, why: Why, places: Places) -> Iterator[Candidate]:
    at = places.find("#", loop.first, loop.first)
    if at is not None:
        word = places.words[at]
        yield from _candidate("put the pragma on its own line", "nothing.", Replace(word.line, word.column, "", "\n"))


# ------------------------------------------------------------------------ statements and declarations


_OUTPUT = frozenset(
    "printf fprintf vprintf vfprintf puts putchar putc fputs fputc fflush fwrite perror write "
    "usleep sleep nanosleep sched_yield srand srandom srand48 time".split()
)
"""Functions without which the loop computes the same."""


def _call(loop: Loop, why: Why, places: Places) -> Iterator[Candidate]:
    name = _quoted(why)
    found = places.statement(why.line, name) if why.line is not None and name in _OUTPUT else None
    if found is None:
        return
    alone = places.words[found[0] - 1].text in (";", "{", "}")
    ensure = f"what `{name}` does is not needed, or is done before or after the loop for all of its iterations."
    lines = range(places.words[found[0]].line, places.words[found[-1]].line + 1)
    others = [at for at in places.within(lines[0], lines[-1]) if at not in found]
    if alone and not others:
        edits: list[Replace | None] = [*places.without_lines(lines[0], lines[-1])]
    else:
        edits = [places.cut(found if alone else found[:-1])]
    yield from _candidate(f"take the call of `{name}` out of the loop", ensure, *edits)


def _print(loop: Loop, why: Why, places: Places) -> Iterator[Candidate]:
    for name in ("printf", "fprintf", "puts", "putchar", "fputs", "fputc", "putc"):
        named = Why(why.code, f"'{name}'", line=why.line)
        yield from _call(loop, named, places)


def _static_inside(loop: Loop, why: Why, places: Places) -> Iterator[Candidate]:
    for cure in without_static(_quoted(why), loop, places):
        yield from _candidate(cure.title, cure.ensure, cure.edit)


def _static_in_function(loop: Loop, why: Why, places: Places) -> Iterator[Candidate]:
    """To file scope: the same object, under a name that the launch sees."""
    found = None if why.line is None else places.declaration(why.line)
    start = None if why.line is None else places.function_start(why.line)
    if found is None or start is None:
        return
    first, last = places.words[found[0]], places.words[found[-1]]
    if [at for at in places.within(first.line, last.line) if at not in found]:
        return
    text = places.text[first.offset : last.offset + 1]
    edits = (Replace(start, 1, "", f"{text}\n\n"), *places.without_lines(first.line, last.line))
    ensure = f"no other object of the file is called `{_quoted(why)}`."
    yield from _candidate("declare it in front of the function", ensure, *edits)


def _volatile_counter(loop: Loop, why: Why, places: Places) -> Iterator[Candidate]:
    at = places.find("for", loop.first + 1, loop.last)
    if at is not None and "volatile or atomic" in why.message and places.words[at + 2].text == _counter(why):
        ensure = f"nothing after the loop, and no signal handler, uses `{_counter(why)}`."
        yield from _candidate(
            "declare the variable in the loop", ensure, places.replaced(at + 2, f"int {_counter(why)}")
        )


def _counter(why: Why) -> str:
    found = re.search(r"variable `(\w+)`", why.message)
    return "" if found is None else found[1]


def _volatile(loop: Loop, why: Why, places: Places) -> Iterator[Candidate]:
    """In the declarations of what the loop names."""
    used = {places.words[at].text for at in places.within(loop.first, loop.last)}
    edits: list[Replace | None] = []
    for at, word in enumerate(places.words):
        if word.text == "volatile":
            rest = places.words[at : at + 12]
            names = [each.text for each in rest[: next((k for k, w in enumerate(rest) if w.text == ";"), 12)]]
            if used.intersection(names[1:]):
                edits.append(places.cut(range(at, at + 1)))
    ensure = "no signal handler, other process or hardware reads or writes the object."
    yield from _candidate("remove `volatile`", ensure, *edits)


def _long_double(loop: Loop, why: Why, places: Places) -> Iterator[Candidate]:
    if "%L" in places.text:
        return
    edits: list[Replace | None] = []
    for at, word in enumerate(places.words[1:], 1):
        if word.text == "double" and places.words[at - 1].text == "long":
            edits.append(places.cut(range(at - 1, at)))
        if word.kind == "number" and word.text[-1] in "lL" and "." in word.text:
            edits.append(places.replaced(at, word.text[:-1]))
    ensure = "the precision of `double` suffices, also where functions such as sqrtl are called."
    yield from _candidate("`double` in place of `long double`", ensure, *edits)


def _string(loop: Loop, why: Why, places: Places) -> Iterator[Candidate]:
    for at in places.within(why.line, why.line) if why.line is not None else ():
        words = places.words[at : at + 4]
        if len(words) == 4 and words[0].text == "*" and words[2].text == "=" and words[3].kind == "string":
            star = Replace(words[0].line, words[0].column, "*", "")
            ensure = f"`{words[1].text}` is not made to point elsewhere later."
            edit = places.replaced(at + 1, f"{words[1].text}[]")
            yield from _candidate("an array in place of the pointer", ensure, star, edit)


def _packed(loop: Loop, why: Why, places: Places) -> Iterator[Candidate]:
    edits: list[Replace | None] = []
    for at, word in enumerate(places.words):
        if word.text == "__attribute__" and [w.text for w in places.words[at + 3 : at + 4]] == ["packed"]:
            end = places.closing(at + 1)
            edits.append(None if end is None else places.cut(range(at, end + 1)))
    ensure = "nothing relies on the struct's layout: no file, message or other program."
    yield from _candidate("remove the attribute", ensure, *edits)


_CURES: Mapping[str, Callable[[Loop, Why, Places], Iterator[Candidate]]] = {
    "OMPC304": _unsupported_clause,
    "OMPC305": _called_argument,
    "OMPC308": _volatile_counter,
    "OMPC313": _directives_inside,
    "OMPC314": _static_inside,
    "OMPC320": _call,
    "OMPC323": _long_double,
    "OMPC326": _static_in_function,
    "OMPC327": _volatile,
    "OMPC330": _directives_inside,
    "OMPC331": _shared,
    "OMPC334": _string,
    "OMPC336": _last_pointer,
    "OMPC337": _packed,
    "OMPC342": _own_line,
    "OMPC343": _fewer_collapsed,
    "OMPC352": _not_mapped,
    "OMPC353": _number_of_teams,
    "OMPC355": _vector_loop,
    "OMPC356": _kept_by_user,
    "OMPC362": _print,
}
