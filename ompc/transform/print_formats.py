"""Analysis: what a format of printf takes (C11 7.21.6.1).

    "%5d of %-8.3g: %s\\n"      int, double, a text

In: a string constant as it is written.   Out: the types of the arguments, or why the host cannot be handed them.
Not here: `%n` writes, `%p` prints an address, `%m` an error of the host's: loops with those stay on the host.
"""

from __future__ import annotations

import re

from ompc.ir import types as ty

TEXT = "text"
"""What `%s` takes, which has no type here."""

Wanted = ty.Type | str

_ESCAPE = re.compile(r"\\(?:([0-7]{1,3})|x([0-9a-fA-F]+)|(.))", re.DOTALL)
_SPECIFICATION = re.compile(r"%[-+ #0']*(\*|\d+)?(?:\.(\*|\d*))?(hh|h|ll|l|q|j|z|t|L)?(.)", re.DOTALL)
_SIGNED = {"": ty.INT, "h": ty.INT, "hh": ty.INT, "l": ty.LONG, "j": ty.LONG, "z": ty.LONG, "t": ty.LONG}
_SIGNED |= {"ll": ty.LLONG, "q": ty.LLONG}
_UNSIGNED = {ty.INT: ty.UINT, ty.LONG: ty.ULONG, ty.LLONG: ty.ULLONG}


def characters(text: str) -> str | None:
    """What a string constant stands for; None: it is no plain one, or has an end in its middle."""
    if not re.fullmatch(r'"(?:[^"\\]|\\.)*"(?:\s*"(?:[^"\\]|\\.)*")*', text, re.DOTALL):
        return None
    joined = re.sub(r'(?<!\\)((?:\\\\)*)"\s*"', r"\1", text)[1:-1]
    found = _ESCAPE.sub(_character, joined)
    return None if "\0" in found else found


def _character(escape: re.Match[str]) -> str:
    octal, hexadecimal, letter = escape.groups()
    if octal is not None or hexadecimal is not None:
        return chr(int(octal, 8) if octal is not None else min(int(hexadecimal, 16), 255))
    return str({"n": "\n", "t": "\t"}.get(letter, letter))


def wanted_types(text: str) -> list[Wanted] | str:
    """The types of the arguments that the format `text` asks for, or which part of it is not supported."""
    read = characters(text)
    if read is None:
        return "is no plain text"
    if not read:
        return "is empty"
    found: list[Wanted] = []
    for place in re.finditer(r"%%|%", read):
        if place[0] == "%%":
            continue
        part = _SPECIFICATION.match(read, place.start())
        kind = None if part is None else _type_of(part[3] or "", part[4])
        if part is None or kind is None:
            return f"has the conversion '{read[place.start() : place.end() + 3 if part is None else part.end()]}'"
        found += [ty.INT for number in part.groups()[:2] if number == "*"]
        found.append(kind)
    return found


def _type_of(length: str, conversion: str) -> Wanted | None:
    if conversion in "di":
        return _SIGNED.get(length)
    if conversion in "ouxX":
        return _UNSIGNED[_SIGNED[length]] if length in _SIGNED else None
    if conversion in "fFeEgGaA":
        return ty.DOUBLE if length in ("", "l") else None
    if length or conversion not in "cs":
        return None
    return ty.INT if conversion == "c" else TEXT
