"""Which symbols of ompc's a program or library keeps to itself.

    ompc cc -shared ...      its copies of libstdc++'s templates: libstdc++, which is never unloaded, would be bound to
                             them, and the library would stay
    ompc cc -rdynamic ...    these, and its runtime: a library of ompc that the program loads with dlopen would use it,
                             and leave pointers in it to what is gone after dlclose

A version script of the program's own says what is private there. In `ompc cc` a program that is linked with libraries
of ompc's shares its runtime with them.

In: the words of a link.   Out: a version script, as text.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

_OF_LIBSTDCXX = (
    *("_ZNSt*", "_ZNKSt*", "_ZNVSt*", "_ZSt*", "_ZT?St*", "_ZT?NSt*"),
    *("_ZZNSt*", "_ZZNKSt*", "_ZGVZNSt*", "_ZN9__gnu_cxx*"),
)
_OF_RUNTIME = ("_Z*4ompc*", "ompc_*")
_EXPORTING = frozenset(("-E", "--export-dynamic", "-export-dynamic"))


def keeps_symbols(words: Sequence[str], shares: bool = False) -> bool:
    """Is there something to keep in the link with these `words`? `shares`: libraries that the program is linked with
    use its runtime.
    """
    if any("version-script" in word for word in words):
        return False
    return "-shared" in words or (exports_everything(words) and not shares)


def private_symbols(words: Sequence[str]) -> str:
    """The text of a version script for the link with these `words`."""
    names = _OF_LIBSTDCXX if "-shared" in words else (*_OF_LIBSTDCXX, *_OF_RUNTIME)
    return "{ local: " + " ".join(f"{name};" for name in names) + " };\n"


def exports_everything(words: Sequence[str]) -> bool:
    """Does the program export all of its symbols?"""
    linker = [part for word in words if word.startswith("-Wl,") for part in word.split(",")[1:]]
    linker += [after for before, after in pairwise(words) if before == "-Xlinker"]
    return "-rdynamic" in words or not _EXPORTING.isdisjoint(linker)
