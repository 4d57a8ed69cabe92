"""What `ompc explain` writes to files: the readiness report.

In: the translations, what was asked.   Out: the text of each file.   Not here: writing them -- cli.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ompc.readiness.gather import gather
from ompc.readiness.page import page
from ompc.readiness.roofline import DEVICES
from ompc.toolchain.setting import Request
from ompc.translation import Translation


def readiness_texts(
    translations: Sequence[Translation], request: Request, html: str | None, device: str
) -> Mapping[str, str]:
    """The text of each file that is asked for, by its path."""
    found = gather(translations, request.sources, DEVICES[device])
    return {} if html is None else {html: page(found)}
