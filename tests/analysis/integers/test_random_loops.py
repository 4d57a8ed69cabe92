"""What is claimed of random loops, against their iterations one by one (claims.py, enumeration.py)."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from claims import wrong_claims
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_loops import random_loop
from tables import DECLARATIONS, FUNCTION

from ompc.analysis.facts import Facts
from ompc.driver import compile_to

LOOPS = st.composite(lambda draw: random_loop(lambda among: draw(st.sampled_from(list(among)))))()
PROGRAMS = st.lists(LOOPS, min_size=10, max_size=10)
"""A file of several is little dearer than a file of one."""


@given(PROGRAMS)
@settings(max_examples=12, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_no_claim_is_more_than_what_is_so(loops: list[tuple[str, str]]) -> None:
    texts = (FUNCTION % (number, "", f"for ({head})", body) for number, (head, body) in enumerate(loops))
    with TemporaryDirectory() as folder:
        path = Path(folder) / "t.c"
        path.write_text(DECLARATIONS + "".join(texts))
        found = compile_to("analysis", path).facts.values()
    assert [claim for facts in found if isinstance(facts, Facts) for claim in wrong_claims(facts)] == []
