"""What the tests cost: processor seconds of each test, with the compilers and programs that it started, and of all.

    ====================== 1302 processor seconds in 6180 tests, the dearest of them ======================
       41.8  tests/execution/test_execution.py::test_nvcc_accepts[aligned-]
       ...

      437.2  tests/execution/test_execution.py
       ...

Processor seconds, not those of the clock, which a busy machine stretches. What a fixture costs is counted with the
first test that needs it; a process that outlives its test is counted when it ends, if it does so before the session
(the one of ready_ompc.py, with the last test of its worker).
"""

from __future__ import annotations

import resource
from collections import defaultdict
from collections.abc import Iterator, Mapping

import pytest

SHOWN = 30
SHOWN_FILES = 120
PROPERTY = "processor_seconds"


class ProcessorSeconds:
    """A plugin: measures where tests run, adds up where they are reported."""

    def __init__(self) -> None:
        self._before = _used()
        self._of_test: defaultdict[str, float] = defaultdict(float)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self) -> Iterator[None]:
        """What was used between two tests is no test's."""
        self._before = _used()
        yield

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self) -> Iterator[None]:
        """Behind the setup, the call and the teardown of a test: the report of each says what was used in it."""
        now = _used()
        used, self._before = now - self._before, now
        outcome = yield
        outcome.get_result().user_properties.append((PROPERTY, round(used, 3)))  # type: ignore[attr-defined]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        for name, value in report.user_properties:
            if name == PROPERTY and isinstance(value, float):
                self._of_test[report.nodeid] += value

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if len(self._of_test) <= 1:
            return
        total = f"{sum(self._of_test.values()):.0f} processor seconds in {len(self._of_test)} tests"
        terminalreporter.section(f"{total}, the dearest of them")
        for line in [*_dearest(self._of_test, SHOWN), "", *_dearest(self._by_file(), SHOWN_FILES)]:
            terminalreporter.write_line(line)

    def _by_file(self) -> dict[str, float]:
        """Many cheap tests are dear together."""
        found: defaultdict[str, float] = defaultdict(float)
        for test, used in self._of_test.items():
            found[test.partition("::")[0]] += used
        return found


def _dearest(used: Mapping[str, float], most: int) -> list[str]:
    return [f"{used[name]:7.1f}  {name}" for name in sorted(used, key=lambda name: -used[name])[:most]]


def _used() -> float:
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return sum(each.ru_utime + each.ru_stime for each in (own, children))
