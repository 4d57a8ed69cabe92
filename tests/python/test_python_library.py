"""A library as an object of Python: names that are taken, copies."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ompc

NAMES = Path(__file__).parent / "programs" / "names.c"


@pytest.fixture(scope="module")
def names() -> ompc.Library:
    return ompc.load(NAMES, target="host", quiet=True)


def test_functions_with_the_names_of_attributes(names: ompc.Library) -> None:
    assert names["report"](1) == 2 and names["explain"]() == 7 and names["count"]() == names.count()
    with pytest.raises(KeyError, match="has no function reprt; is it report"):
        names["reprt"]
    with pytest.warns(ompc.OmpcWarning) as said:
        ompc.load(NAMES, target="host")
    assert len(said) == 3
    assert str(said[0].message) == "function report() is lib['report']: lib.report is the library's own"


def test_variables_are_set_where_they_are(names: ompc.Library) -> None:
    wrong: Any = names
    with pytest.raises(AttributeError, match=r"counter is a variable of C: lib\.globals\.counter = 4"):
        wrong.counter = 4
    with pytest.raises(AttributeError, match="color cannot be set"):
        wrong.color = 4
    with pytest.raises(AttributeError, match=r"no function counter; the variable is lib\.globals\.counter"):
        names.counter  # noqa: B018
    assert not hasattr(names, "__array__")


def test_parameters_with_the_names_of_python_s(names: ompc.Library) -> None:
    assert names["report"](self=2) == 3 and names["globals"](from_=3) == 3
    with pytest.raises(TypeError, match=r"globals\(\) has no parameter 'from'; in Python it is from_: int globals"):
        names["globals"](**{"from": 3})


def test_options_that_mean_nothing_are_said() -> None:
    for wrong in (None, 5, [None], [NAMES, 3]):
        with pytest.raises(TypeError, match="source is a path, or a list of paths, not "):
            ompc.load(wrong)  # type: ignore[arg-type]
    text = "int f(void) { return 1; }\n"
    with pytest.warns(ompc.OmpcWarning, match="compiler='nvrtc' has no effect: .* for a GPU"):
        ompc.compile_string(text, target="host", compiler="nvrtc")


def test_copies_and_pickles(names: ompc.Library, loops: ompc.Library) -> None:
    assert copy.copy(names) is names and copy.deepcopy([names.count])[0] is names.count
    for each in (names, names.count):
        with pytest.raises(TypeError, match=r"cannot be pickled: call ompc\.load in each process"):
            pickle.dumps(each)
    for made in (pickle.dumps, copy.copy):
        with pytest.raises(TypeError, match=r"cannot be copied or pickled; get\(\) copies it"):
            made(loops.to_device(np.ones(3)))
