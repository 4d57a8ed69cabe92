"""docs/plain.md shows what ompc writes."""

from __future__ import annotations

import re

from tests.plain.plain_programs import PROGRAMS, ROOT, plain


def test_the_page_shows_what_is_written() -> None:
    shown = re.search(r"^```cuda\n(.*?)^```$", (ROOT / "docs" / "plain.md").read_text(), re.MULTILINE | re.DOTALL)
    assert shown is not None
    assert shown[1] in plain(PROGRAMS / "heat.c").files["heat.cu"]
