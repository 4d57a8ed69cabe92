"""Plans of C text: `plan("...", Level.AUTO)`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ompc.analysis.facts import analyse_loops
from ompc.analysis.verify import verify_facts
from ompc.base.options import FloatingPoint, Level, Options
from ompc.frontend import parse, preprocess
from ompc.omp.openmpc import with_overrides
from ompc.omp.regions import find_parallel_loops
from ompc.omp.resolve import resolved
from ompc.plan.decide import Source, make_plan
from ompc.plan.model.plan import Plan
from ompc.plan.verify import verify_plan
from ompc.sema import analyse


@pytest.fixture
def plan_of(tmp_path: Path) -> Callable[..., Plan]:
    def run(text: str, level: Level = Level.AUTO, fp: FloatingPoint = FloatingPoint.DEFAULT) -> Plan:
        path = tmp_path / "t.c"
        path.write_text(text)
        options = Options(level=level, fp=fp)
        texts = preprocess(path, options)
        unit = resolved(analyse(parse(texts), texts.file, texts.source), texts.source)
        facts = analyse_loops(unit, with_overrides(find_parallel_loops(unit, texts.source), unit).loops)
        verify_facts(facts)
        plan = make_plan(Source("t", "t.c", texts.source, texts.expanded), unit, facts, options, {})
        verify_plan(plan)
        return plan

    return run
