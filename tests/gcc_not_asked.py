"""Translations that do not ask gcc whether the user's text, and what becomes of it, is C: a sixth of what they cost.

For texts of which gcc has its say all the same, since they are built, and for tests of plans: there are thousands.
"""

from __future__ import annotations

import pytest


def do_not_ask_gcc(patch: pytest.MonkeyPatch) -> None:
    for module in ("ompc.frontend", "ompc.render.host.recheck"):
        patch.setattr(f"{module}.check_syntax", lambda source, options: ())
