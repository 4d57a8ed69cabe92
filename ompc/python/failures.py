"""What goes wrong before a library is there, and what is said beside it, as Python has it.

In: diagnostics.   Out: LoadError, OmpcWarning.
Not here: wrong arguments of calls, which are TypeError and ValueError.
"""

from __future__ import annotations

from collections.abc import Iterable

from ompc.base.diagnostics import Diagnostic, format_diagnostic


class LoadError(Exception):
    """The files could not be made a library; the text says why, in the compilers' words. `diagnostics` are the same."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n".join(format_diagnostic(diagnostic) for diagnostic in self.diagnostics))


class OmpcWarning(UserWarning):
    """Something about a library that its user should know: a loop that stays on the host, arrays that are copied."""
