"""docs/diagnostics.md is true: each program in it gives the message that stands below it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ompc.base.options import Options
from ompc.cli import main
from ompc.driver import translate

PAGE = Path(__file__).parent.parent / "docs" / "diagnostics.md"
SECTIONS = {section[:7]: section for section in re.split(r"^## ", PAGE.read_text(), flags=re.MULTILINE)[1:]}
_EXAMPLE = re.compile(r"^```c\n(.*?)^```\n\n```\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
EXAMPLES = {code: found.groups() for code, section in SECTIONS.items() if (found := _EXAMPLE.search(section))}
_CURED = re.compile(r"^On the device:\n\n```c\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
CURED = {code: found[1] for code, section in SECTIONS.items() if (found := _CURED.search(section))}
WITHOUT_A_CURE = {"OMPC201", "OMPC340", "OMPC363", "OMPC349", "OMPC354", "OMPC356", "OMPC357", "OMPC358", "OMPC368"}
"""Where there is nothing to do, or a word to correct or to leave out; or a program too large for the page."""
WITHOUT_A_PROGRAM = {"OMPC102", "OMPC103", "OMPC104", "OMPC106", "OMPC107", "OMPC108", "OMPC311", "OMPC351"}
"""About files and tools; printed by the launcher; and a text that no compiler at hand accepts."""


def code_and_place(message: str) -> set[tuple[str, str]]:
    """Compilers differ in their words; ompc's own codes and lines are the same."""
    return set(re.findall(r"^a\.c:(\d+).*\[(OMPC\d+)\]$", message, re.MULTILINE))


@pytest.mark.parametrize("code", sorted(EXAMPLES))
def test_the_message_is_what_is_printed(
    code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    program, message = EXAMPLES[code]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.c").write_text(program)
    main(["translate", "a.c"])
    printed = capfd.readouterr().err
    assert code_and_place(printed) == code_and_place(message)
    if code > "OMPC200":
        assert printed.replace("ompc: wrote a.ompc\n", "") == message


def test_every_code_about_programs_has_one() -> None:
    about_programs = {code for code in SECTIONS if code < "OMPC400"}
    assert about_programs - WITHOUT_A_PROGRAM == set(EXAMPLES)


@pytest.mark.parametrize("code", sorted(CURED))
def test_the_cure_brings_the_loops_to_the_device(code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.c").write_text(CURED[code])
    translated = translate(Path("a.c"), Options())
    assert not translated.diagnostics
    assert {region["target"] for region in translated.report["regions"]} == {"gpu"}


def test_every_loop_on_the_host_has_a_cure() -> None:
    assert set(EXAMPLES) - {"OMPC101", "OMPC105"} - WITHOUT_A_CURE == set(CURED)


@pytest.mark.parametrize("code", sorted(code for code in SECTIONS if code > "OMPC400"))
def test_messages_of_tools_and_programs_are_shown(code: str) -> None:
    assert f"[{code}]\n" in SECTIONS[code] or code == "OMPC412"  # that one is gcc's own


@pytest.mark.parametrize("code", sorted(SECTIONS))
def test_every_section_says_why_and_what_to_do(code: str) -> None:
    assert re.search(r"^\*\*Why\.\*\* \S.*\.$", SECTIONS[code], re.MULTILINE)
    assert re.search(r"^\*\*What to do\.\*\* \S.*\.$", SECTIONS[code], re.MULTILINE)
