from __future__ import annotations

import pytest

from ompc.toolchain.machine.flags import Flags, MissingValueError, split_flags


def test_every_spelling_reaches_its_step() -> None:
    words = [
        "-DN=3",
        "-D",
        "M=4",
        "a.c",
        "-Iinc",
        "-std=c99",
        "-trigraphs",
        "-include",
        "x.h",
        "-O3",
        "-Wall",
        "-lm",
        "-o",
        "p",
        "-g",
    ]
    rest, flags = split_flags(words)
    assert rest == ["a.c", "-o", "p"]
    assert flags == Flags(
        preprocess=("-DN=3", "-D", "M=4", "-Iinc", "-std=c99", "-trigraphs", "-include", "x.h"),
        compile=("-O3", "-Wall", "-g"),
        link=("-lm",),
    )


def test_order_is_kept_since_u_after_d_undefines() -> None:
    assert split_flags(["-DA", "-UA", "-DA=2"])[1].preprocess == ("-DA", "-UA", "-DA=2")


def test_the_programs_arguments_are_left_alone() -> None:
    rest, flags = split_flags(["a.c", "-DA", "--", "-DB", "-O0"])
    assert rest == ["a.c", "--", "-DB", "-O0"]
    assert flags == Flags(preprocess=("-DA",))


def test_ompcs_own_options_are_left_alone() -> None:
    words = ["a.c", "--fp", "strict", "--opt=thesis", "-q", "-h", "--target", "emulate", "--force"]
    assert split_flags(words) == (words, Flags())


@pytest.mark.parametrize("words", [["a.c", "-include"], ["a.c", "-I"], ["-D", "--", "x"]])
def test_a_missing_value_is_said(words: list[str]) -> None:
    with pytest.raises(MissingValueError):
        split_flags(words)


def test_the_last_optimisation_counts() -> None:
    assert split_flags(["-O0", "-O3"])[1].optimisation == "-O3"
    assert Flags().optimisation == "-O2"


def test_linker_words_with_commas_are_kept_whole() -> None:
    assert split_flags(["-Wl,-rpath,/x", "-Wall"])[1] == Flags(compile=("-Wall",), link=("-Wl,-rpath,/x",))


def test_fopenmp_is_always_on() -> None:
    assert split_flags(["-fopenmp", "-funsigned-char"])[1] == Flags(preprocess=("-funsigned-char",))
