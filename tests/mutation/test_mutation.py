"""Every check of the table is a function of ompc, and what it answers when it is disabled is an answer of its kind."""

from __future__ import annotations

import inspect
from collections.abc import Iterable

import pytest

from .checks import Check
from .disabling import disabled, function_of, import_all, observed, owner_of
from .observing import Program, text_of
from .table import CHECKS

each_check = pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.name.replace(" ", "-"))
OF_ANSWERS = {
    bool: ("bool",),
    type(None): ("None",),
    tuple: ("tuple", "Iterator", "list"),
    str: ("str",),
    int: ("int",),
}


def test_names_and_places_are_unique() -> None:
    assert len({check.name for check in CHECKS}) == len(CHECKS)
    assert len({check.place for check in CHECKS}) == len(CHECKS)


@each_check
def test_the_answer_is_of_its_kind(check: Check) -> None:
    """Of a function that raises what is the matter, or yields it, too."""
    function = function_of(check)
    kind = inspect.get_annotations(function)["return"]
    names = {name: object() for name in inspect.signature(function).parameters}
    answer = check.disabled.give(names)
    words = OF_ANSWERS.get(type(answer))
    if isinstance(answer, frozenset):
        words = ("set", "Least")
    assert words is None or any(word in kind for word in words), f"{check.place} -> {kind}"


@each_check
def test_it_is_disabled_everywhere_and_for_a_while(check: Check) -> None:
    import_all()
    owner, name = owner_of(check)
    before = inspect.getattr_static(owner, name)
    with disabled(check):
        assert inspect.getattr_static(owner, name) is not before
    assert inspect.getattr_static(owner, name) is before
    assert check.without and check.rewrite


@pytest.mark.nightly
def test_a_disabled_check_changes_a_program_that_it_has_bitten() -> None:
    """The same in the other direction: what no check has bitten is not changed by one."""
    checks = {check.name: check for check in CHECKS}
    program = Program(1, 5)
    with observed(CHECKS) as bitten:
        text = text_of(program.translation())
    assert text == text_of(program.translation())
    assert bitten < checks.keys()
    for check in _some(check for name, check in checks.items() if name not in bitten):
        with disabled(check):
            assert text_of(program.translation()) == text


def _some(checks: Iterable[Check]) -> list[Check]:
    return list(checks)[::20]
