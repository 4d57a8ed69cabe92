"""How `ompc cc` reads gcc's command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from ompc.toolchain.objects.cc_arguments import Stage, TooDeepError, parse_command_line, split_response


def test_inputs_flags_and_output() -> None:
    line = parse_command_line("-fopenmp -O2 -DN=3 -I inc -c src/a.c -oa.o -MD -MF x.d -Wl,-z -lm".split())
    assert [item.text for item in line.sources] == ["src/a.c"]
    assert (line.stage, line.output, line.openmp) == (Stage.ASSEMBLE, "a.o", True)
    assert line.flags == ("-fopenmp", "-O2", "-DN=3", "-I", "inc", "-Wl,-z", "-lm")
    assert line.dependencies == ("-MD", "-MF", "x.d")


def test_ompc_s_own_settings_are_taken_out_and_clang_s_target_is_not() -> None:
    line = parse_command_line(
        ["--opt", "thesis", "--target=emulate", "--target=aarch64-linux-gnu", "a.c", "--cc=clang"]
    )
    assert line.own == {"opt": "thesis", "target": "emulate", "cc": "clang"}
    assert line.given == ("--target=aarch64-linux-gnu", "a.c")


@pytest.mark.parametrize("word", ["-E", "-S", "-M", "-MM", "-fsyntax-only", "--version", "-###", "-print-search-dirs"])
def test_what_makes_no_object_is_the_host_compilers(word: str) -> None:
    assert parse_command_line([word, "-c", "a.c"]).stage is Stage.OTHER


def test_the_language_that_x_sets_holds_until_the_next() -> None:
    line = parse_command_line("-x c a.txt - -xnone b.c c.cpp d.o -xc++ e.c".split())
    assert [item.text for item in line.sources] == ["a.txt", "b.c"]


@pytest.mark.parametrize(
    ("words", "on"), [("-fopenmp", True), ("-fopenmp -fno-openmp", False), ("-fopenmp=libomp", True), ("-O2", False)]
)
def test_openmp_is_what_the_last_word_says(words: str, on: bool) -> None:
    assert parse_command_line([*words.split(), "a.c"]).openmp is on


def test_values_of_options_are_no_inputs() -> None:
    line = parse_command_line("-include x.c -Xlinker y.c -T script.c -o z.c -MT w.c a.c".split())
    assert [item.text for item in line.inputs] == ["a.c"]


def test_response_files_are_read_and_kept_as_written(tmp_path: Path) -> None:
    (tmp_path / "more").write_text(f"-DX=\"a b\" '-c' @{tmp_path}/most")
    (tmp_path / "most").write_text("a.c")
    line = parse_command_line(["-fopenmp", f"@{tmp_path}/more", "@absent"])
    assert line.flags == ("-fopenmp", "-DX=a b") and line.stage is Stage.ASSEMBLE
    assert line.given == ("-fopenmp", f"@{tmp_path}/more", "@absent")


def test_response_files_that_name_each_other(tmp_path: Path) -> None:
    (tmp_path / "loop").write_text(f"@{tmp_path}/loop")
    with pytest.raises(TooDeepError):
        parse_command_line([f"@{tmp_path}/loop"])


def test_words_of_a_response_file() -> None:
    assert split_response("a \"b c\" 'd\\'e' f\\ g\n -DX=\\\"3\\\" ''") == ["a", "b c", "d'e", "f g", '-DX="3"', ""]
