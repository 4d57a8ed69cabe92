"""What `ompc explain` writes to files: the readiness report as a page, as SARIF and as JSON.

In: the program as it was translated, what was asked.   Out: the text of each file.
Not here: writing them, and telling how far it is -- cli/explaining.py.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from ompc.base.watch import Watch
from ompc.driver import translate_program
from ompc.tools.profile.ledger import Profile
from ompc.tools.readiness.gather import gather
from ompc.tools.readiness.measured import with_profile
from ompc.tools.readiness.model import Readiness
from ompc.tools.readiness.page import page
from ompc.tools.readiness.records import as_records
from ompc.tools.readiness.roofline import DEVICES
from ompc.tools.readiness.sarif import sarif
from ompc.tools.readiness.suggestions import Program, with_suggestions


def readiness(
    program: Program, device: str, seconds: float, watch: Watch, profile: tuple[str, Profile] | None = None
) -> Readiness:
    """The facts, with suggestions as far as they can be tried in so many seconds. `profile` of a run, and its name."""
    with watch.stage("", "report"):
        found = gather(program.translations, program.sources, DEVICES[device])
        if profile is not None:
            found = with_profile(found, profile[1], profile[0])
    return with_suggestions(found, program, translate_program, seconds, watch) if seconds else found


def texts(
    found: Readiness, program: Program, html: str | None, sarif_file: str | None, json_file: str | None
) -> Iterator[tuple[str, str]]:
    """Each file that is asked for, with its text."""
    if html is not None:
        yield html, page(found)
    if sarif_file is not None:
        yield sarif_file, _dumped(sarif(found))
    if json_file is not None:
        yield json_file, _dumped(as_records(found, [translation.report for translation in program.translations]))


def _dumped(record: Mapping[str, object]) -> str:
    return json.dumps(record, indent=2) + "\n"
