"""The names visible at one place of a program, as data: what a pragma's clauses may name, and the launch in its place.

    int n; void f(int m) { int n;   #pragma ...      m, n (the inner one), f

In: the scopes around the place.   Out: a mapping of names to objects and functions.
Not here: what only sema asks (types, tags, declarations of headers that nothing has named yet) -- sema/scope.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ompc.ir.tree import Symbol


class Names(Mapping[str, Symbol]):
    """Innermost declaration first. Names of types and constants hide others, and are none of these.

    `outermost` is the file's scope itself, in which a declaration of a header stands when it is first named.
    """

    def __init__(self, outermost: Mapping[str, object], scopes: Sequence[Mapping[str, object]]) -> None:
        self.outermost = outermost
        self.scopes = scopes

    def entity(self, name: str) -> object:
        """What `name` means here, of whatever kind; None: nothing."""
        for scope in reversed(self.scopes):
            if (found := scope.get(name)) is not None:
                return found
        return self.outermost.get(name)

    def __getitem__(self, name: str) -> Symbol:
        found = self.entity(name)
        if not isinstance(found, Symbol):
            raise KeyError(name)
        return found

    def __iter__(self) -> Iterator[str]:
        names = {name: entity for scope in (self.outermost, *self.scopes) for name, entity in scope.items()}
        return (name for name, entity in names.items() if isinstance(entity, Symbol))

    def names_in_blocks(self) -> Iterator[str]:
        """The names of objects and functions that blocks declare."""
        names = {name for scope in self.scopes for name in scope}
        return (name for name in names if isinstance(self.entity(name), Symbol))

    def __len__(self) -> int:
        return sum(1 for _ in self)
