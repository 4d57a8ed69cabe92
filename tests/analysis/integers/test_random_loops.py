"""What is claimed of random loops, against their iterations one by one (claims.py, enumeration.py)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from claims import wrong_claims
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_loops import Choose, random_loop, random_private_elements
from tables import DECLARATIONS, FUNCTION
from test_private_elements import exposes

from ompc.analysis.facts import Facts
from ompc.driver import compile_to
from ompc.ir.queries import declared_in

Program = list[tuple[str, str]]


def programs(loop: Callable[[Choose], tuple[str, str]]) -> st.SearchStrategy[Program]:
    """A file of several loops is little dearer than a file of one."""
    loops = st.composite(lambda draw: loop(lambda among: draw(st.sampled_from(list(among)))))()
    return st.lists(loops, min_size=10, max_size=10)


def facts_of(loops: Program) -> list[Facts]:
    texts = (FUNCTION % (number, "", f"for ({head})", body) for number, (head, body) in enumerate(loops))
    with TemporaryDirectory() as folder:
        path = Path(folder) / "t.c"
        path.write_text(DECLARATIONS + "".join(texts))
        found = compile_to("analysis", path).facts.values()
    return [facts for facts in found if isinstance(facts, Facts)]


@given(programs(random_loop))
@settings(max_examples=12, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_no_claim_is_more_than_what_is_so(loops: Program) -> None:
    assert [claim for facts in facts_of(loops) for claim in wrong_claims(facts)] == []


@given(programs(random_private_elements))
@settings(max_examples=12, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_what_is_read_of_private_elements_has_been_written(loops: Program) -> None:
    for facts in facts_of(loops):
        body = facts.device_code.body
        (symbol,) = (symbol for symbol in declared_in(body) if symbol.name == "t")
        assert not facts.keeps_nothing(body, symbol) or not exposes(facts.loop, symbol), facts.loop.function
