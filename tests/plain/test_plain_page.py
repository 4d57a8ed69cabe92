"""docs/plain.md shows what ompc writes."""

from __future__ import annotations

import re

from tests.plain.plain_programs import PROGRAMS, ROOT, plain


def test_the_page_shows_what_is_written() -> None:
    page = (ROOT / "docs" / "plain.md").read_text()
    shown = re.search(r"^```cuda\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert shown is not None
    files = plain(PROGRAMS / "heat.c").files
    assert shown[1] in files["heat.cu"]
    loop = re.search(r"^```c\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert loop is not None
    assert loop[1] in files["heat.c"]
