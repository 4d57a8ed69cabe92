"""Where the body of `main` begins in a text.

In: tokens.   Out: the index of its `{`, or None when `main` is not defined once as plain text.
"""

from __future__ import annotations

from collections.abc import Sequence

from ompc.frontend.tokens import Token, closing


def main_body(found: Sequence[Token]) -> int | None:
    """The index of the `{` of `int main(...) {`; None for an old-style definition, two of them, or none."""
    bodies: list[int] = []
    depth = 0
    for index, token in enumerate(found):
        depth += {"{": 1, "}": -1}.get(token.text, 0)
        if token.text != "main" or depth != 0 or index + 1 >= len(found) or found[index + 1].text != "(":
            continue
        end = closing(found, index + 1)
        if end is not None and end + 1 < len(found) and found[end + 1].text == "{":
            bodies.append(end + 1)
    return bodies[0] if len(bodies) == 1 else None
