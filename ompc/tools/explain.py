"""The report in words: what `ompc explain`, the readiness report and its page say of a loop, each in its own layout.

    launch_words       n - 2 iterations; blocks of up to 256 threads; one thread per iteration; reductions: error by +
    independence_words Proved: no two iterations touch the same element
    refusal_words      Will be refused at run time: `p` is an array of alloca, filter.c:12 [OMPC452]

In: the report (schema 1; see `Translation.report`), which may lack keys or have new ones.   Out: text.
Not here: a loop in full -- explanation.py; the summary of a program -- overview.py; the page -- readiness/.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from enum import Enum

from ompc.base.visible import one_line

Record = Mapping[str, object]


class Standing(Enum):
    """Where a loop runs, and on what it rests that its iterations may run at the same time."""

    HOST = "on the host"
    PROMISED = "on the GPU, promised"
    CHECKED = "on the GPU, checked at each launch"
    PROVED = "on the GPU, proved"
    GPU = "on the GPU"
    """The report does not say."""


def standing(region: Record) -> Standing:
    """The state, with those apart that are proved if what their launcher looks at is so."""
    state, found = state_of(region), region.get("independence")
    if state == "promised" and isinstance(found, Mapping) and not records(found.get("promises")):
        return Standing.CHECKED
    return {"host": Standing.HOST, "promised": Standing.PROMISED, "proved": Standing.PROVED}.get(state, Standing.GPU)


def place_of(region: Record, source: object) -> str:
    """FILE:LINE of a loop."""
    return f"{shown(region.get('file') or source)}:{shown(region.get('line'))}"


def with_places(words: str, file: str) -> str:
    """Lines of `file` that a sentence names as places that a terminal or an editor follows: "line 12", "FILE:12"."""
    return re.sub(r"\blines? (?=\d)", f"{file}:", words)


def state_of(region: Record) -> str:
    """Of a loop: "proved", "promised" or "host"; "" where the report does not say. One that each launch will leave to
    the host is there.
    """
    found = region.get("independence")
    if region.get("target") != "gpu" or any(refusal.get("certain") for refusal in refusals(region)):
        return "host"
    return shown(found.get("state")) if isinstance(found, Mapping) else ""


def independence_words(found: object) -> list[str]:
    """On what it rests that the iterations run at the same time; what the launcher looks at besides."""
    if not isinstance(found, Mapping):
        return []
    state, because = shown(found.get("state")), shown(found.get("because"))
    told = [because[0].upper() + because[1:] if because.startswith("proved, ") else f"{state.capitalize()}: {because}"]
    checks = [shown(check.get("what")) + _in_brackets(check.get("code")) for check in records(found.get("checks"))]
    return [*told, f"Checked at each launch: {'; '.join(checks)}"] if checks else told


_SAME = ": they may be the same element in two iterations"


def promised_of(found: object) -> tuple[list[str], list[str]]:
    """What only the pragma promises: accesses by which two iterations may touch the same element, each once, with its
    line; and what is promised beyond that.
    """
    promises = records(found.get("promises")) if isinstance(found, Mapping) else []
    words = [shown(promise.get("what")) for promise in promises]
    pairs = [re.split(" and (?=`)", pair.removesuffix(_SAME)) for pair in words if pair.endswith(_SAME)]
    accesses = dict.fromkeys(access for pair in pairs for access in pair)
    return list(accesses), [pair for pair in words if not pair.endswith(_SAME)]


def version_words(region: Record) -> list[str]:
    """Of the loop's second kernel, if it has one: when it is launched, and how."""
    version = region.get("version")
    if not isinstance(version, Mapping):
        return []
    return [f"Where {shown(version.get('where'))}: {launch_words(version.get('launch'))}"]


def fusion_words(region: Record) -> list[str]:
    """Which loops are launched together with it."""
    fusion = region.get("fusion")
    if not isinstance(fusion, Mapping):
        return []
    others = _lines(fusion.get("lines") or ())
    if fusion.get("chain"):
        return [f"A chain with {others}: one block does them one after the other, where that takes less time"]
    return [f"Fused with {others}: one kernel, which moves {shown(fusion.get('saved'))} bytes less in each iteration"]


def _lines(value: object) -> str:
    lines = value if isinstance(value, (list, tuple)) else (value,)
    return f"line{'' if len(lines) == 1 else 's'} {', '.join(map(str, lines))}"


def last_bits_words(region: Record) -> list[str]:
    """Because of what floating-point numbers may differ from the host's in their last bits."""
    found = records(region.get("last_bits"))
    return [f"Last bits may differ: {'; '.join(map(_last_bits, found))}"] if found else []


def _last_bits(found: Record) -> str:
    lines = found.get("lines")
    if not isinstance(lines, (list, tuple)) or not lines:
        return shown(found.get("what"))
    return f"{shown(found.get('what'))} (line{'' if len(lines) == 1 else 's'} {', '.join(map(str, lines))})"


def refusals(region: Record) -> list[Record]:
    """Launches of the loop that will be, or are likely to be, left to the host."""
    found = region.get("independence")
    return records(found.get("refusals")) if isinstance(found, Mapping) else []


def refusal_words(refusal: Record) -> str:
    how = "Will be" if refusal.get("certain") else "Is likely to be"
    place = f", {refusal['file']}:{refusal['line']}" if refusal.get("line") else ""
    return f"{how} refused at run time: {shown(refusal.get('what'))}{place} [{shown(refusal.get('code'))}]"


def launch_words(launch: object) -> str:
    """The launch of a kernel as a sentence; keys that are not known follow as they are."""
    if not isinstance(launch, Mapping):
        return shown(launch)
    words = [say(launch[key]) for key, say in _LAUNCH_WORDS.items() if launch.get(key) is not None]
    known = (*_LAUNCH_WORDS, "axes", "threads", "alone")
    unknown = {key: value for key, value in launch.items() if key not in known and value is not None}
    words += [f"{key}: {shown(value)}" for key, value in unknown.items()]
    return "; ".join(filter(None, (*words, *_alone(launch)))) or "-"


def _alone(launch: Record) -> Iterator[str]:
    """The long loops that one thread runs, but for those of which the mapping says so."""
    mapping = str(launch.get("mapping") or "")
    for loop in records(launch.get("alone")):
        if f"over {loop.get('loop')} stays" in mapping and str(loop.get("because")) in mapping:
            continue
        name = "a loop" if loop.get("loop") is None else f"the loop over {shown(loop.get('loop'))}"
        trips = "" if loop.get("iterations") is None else f", {shown(loop.get('iterations'))} iterations"
        yield f"one thread runs {name} (line {shown(loop.get('line'))}{trips}): {shown(loop.get('because'))}"


def _iterations(value: object) -> str:
    factors = [str(factor) for factor in value] if isinstance(value, (list, tuple)) else [shown(value)]
    alone = len(factors) == 1
    if not factors:
        return "a statement between launches"
    return " x ".join(f if alone or " " not in f else f"({f})" for f in factors) + " iterations"


def _in_brackets(code: object) -> str:
    return "" if code is None else f" [{shown(code)}]"


_LAUNCH_WORDS: Mapping[str, Callable[[object], str]] = {
    "iterations": _iterations,
    "chain": lambda value: f"a chain: the loops and statements of {_lines(value)}, where one block takes less time",
    "dimensions": lambda value: "" if value == 1 else f"a grid of {value} dimensions",
    "block": lambda value: f"blocks of {shown(value)}",
    "grid": str,
    "mapping": str,
    "reductions": lambda value: "reductions: " + (", ".join(value) if isinstance(value, list) else str(value)),
    "condition": lambda value: f"only if {value}",
    "transposed through tiles": lambda value: f"through tiles: {value}",
    "at once": str,
    "groups of threads": lambda value: f"where a group of threads has an iteration, {value}",
    "few points": lambda value: f"where there are few points, {value}",
    "messages": str,
}
"""How each key of a launch is put into words, in the order in which they are said."""


def shown(value: object) -> str:
    """A value of the report as a cell."""
    if value is None or value == "":
        return "-"
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {shown(inner)}" for key, inner in value.items())
    if isinstance(value, (list, tuple)):
        return " x ".join(map(shown, value))
    return one_line(str(value))


def records(value: object) -> list[Record]:
    """The entries of a list of the report."""
    return [entry for entry in value if isinstance(entry, Mapping)] if isinstance(value, (list, tuple)) else []
