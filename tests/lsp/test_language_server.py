"""`ompc lsp` by its protocol: what an editor is told of a text, saved or not."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from language_client import Client

from ompc.base.resources import page_of_codes
from ompc.cli import main

pytest.importorskip("pygls", reason="no pygls (extra `lsp`)")

SUM = """\
#include "n.h"
double a[N], s;
void f(void)
{
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        a[i] = i;
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        s += a[i];
}
"""


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """An editor that knows only the oldest parts of the protocol."""
    client = Client(tmp_path_factory.mktemp("editor"))
    yield client
    assert client.close() == 0


def applied(text: str, edits: list[dict[str, object]]) -> str:
    """The text with edits within lines, as an editor makes them."""
    lines = text.split("\n")
    for edit in reversed(edits):
        place = edit["range"]
        assert isinstance(place, dict) and place["start"]["line"] == place["end"]["line"]
        line, first, last = place["start"]["line"], place["start"]["character"], place["end"]["character"]
        lines[line] = f"{lines[line][:first]}{edit['newText']}{lines[line][last:]}"
    return "\n".join(lines)


def test_messages_loops_and_changes_of_a_file(client: Client, tmp_path: Path) -> None:
    (tmp_path / "n.h").write_text("#define N 100\n")
    source = tmp_path / "a.c"
    source.write_text(SUM)
    uri = client.open(source)
    (race,) = client.diagnostics(uri)
    assert (race["code"], race["severity"], race["source"]) == ("OMPC203", 2, "ompc")
    assert race["range"] == {"start": {"line": 7, "character": 0}, "end": {"line": 7, "character": 24}}
    assert "both access 's' (read and written at line 10)" in race["message"]
    assert race["message"].endswith("\nhelp: add reduction(+:s)")
    page, _, anchor = race["codeDescription"]["href"].partition("#")
    assert page == page_of_codes().as_uri()  # type: ignore[union-attr]
    assert anchor == "ompc203-a-variable-that-iterations-change-and-share"

    said = client.hover(uri, 5)["contents"]["value"]
    assert said.startswith("a.c:5  f  parallel for: on the GPU, proved\n")
    assert "Launch:     100 iterations" in said and str(tmp_path) not in said
    assert client.hover(uri, 6) is not None, "the line of the loop itself"
    assert client.hover(uri, 7) is None and client.hover(uri, 2) is None, "its body is the business of other servers"
    assert "What to do: add reduction(+:s)" in client.hover(uri, 8)["contents"]["value"]

    (action,) = client.actions(uri, 10, [race])
    assert action["title"].startswith("ompc: add reduction(+:s) (make sure: `s` is to hold the result")
    assert action["diagnostics"] == [race]
    changed = applied(SUM, action["edit"]["changes"][uri])
    assert changed == SUM.replace("for\n    for (int i = 0; i < N; i++)\n        s", "for reduction(+:s)\n"
                                  "    for (int i = 0; i < N; i++)\n        s")  # fmt: skip
    assert client.actions(uri, 6) == [], "it is on the device"

    client.change(uri, 2, changed)
    assert client.diagnostics(uri, 2) == [], "the changed text counts, though the disk has the old one"
    assert client.actions(uri, 10) == []


def test_a_text_that_does_not_parse_has_one_message_until_it_does(client: Client, tmp_path: Path) -> None:
    text = "double a[100];\nvoid f(void)\n{\n#pragma omp parallel for\n    for (int i = 0; i < 100; i++)\n%s\n}\n"
    source = tmp_path / "half.c"
    source.write_text(text % "        /* é𝄞 */ a[i] = 0;")
    uri = client.open(source, text % "        /* é𝄞 */ a[i] = ")
    (error,) = client.diagnostics(uri)
    assert (error["code"], error["severity"]) == ("OMPC101", 1)
    assert "expected expression" in error["message"] and "ompc-unsaved" not in error["message"]
    assert client.hover(uri, 4) is None
    client.change(uri, 2, text % "        /* é𝄞 */ a[i] = 0;")
    assert client.diagnostics(uri, 2) == []
    assert "on the GPU" in client.hover(uri, 4)["contents"]["value"]
    for version, broken in enumerate(("{" * 2000, "\0", "#include \"nothing.h\"", "#error no\n", ""), 3):
        client.change(uri, version, broken)
        assert [each["severity"] for each in client.diagnostics(uri, version)] == [1] * (broken != "")


def test_only_the_last_of_many_changes_is_looked_at(client: Client, tmp_path: Path) -> None:
    source = tmp_path / "typed.c"
    source.write_text("int x;\n")
    uri = client.open(source)
    assert client.diagnostics(uri) == []
    for version in range(2, 30):
        client.change(uri, version, f"int x = {'?' if version < 29 else 1};\n")
    said = client.wait_for(lambda message: message["params"].get("uri") == uri)
    assert said["params"] == {"uri": uri, "version": 29, "diagnostics": []}


def test_unsaved_headers_are_found(client: Client, tmp_path: Path) -> None:
    (tmp_path / "n.h").write_text("#define N 100\n")
    source = tmp_path / "a.c"
    source.write_text(SUM)
    header = client.open(tmp_path / "n.h", "#define N 70\n")
    uri = client.open(source)
    client.diagnostics(uri)
    assert "Launch:     70 iterations" in client.hover(uri, 5)["contents"]["value"]
    client.change(header, 2, "#define N 50\n#pragma omp paralel\n")
    (misspelt,) = client.diagnostics(header, 2)
    assert misspelt["code"] == "OMPC201" and misspelt["range"]["start"]["line"] == 1
    assert "Launch:     50 iterations" in client.hover(uri, 5)["contents"]["value"]
    client.tell("textDocument/didClose", textDocument={"uri": uri})
    assert client.diagnostics(uri) == [] and client.diagnostics(header) == [], "nothing is left of a closed file"


def test_what_is_no_c_file_is_left_alone(client: Client, tmp_path: Path) -> None:
    other = client.open(tmp_path / "a.cc", "#pragma omp paralel\n", "cpp")
    document = {"uri": "untitled:Untitled-1", "languageId": "c", "version": 1, "text": "int x"}
    client.tell("textDocument/didOpen", textDocument=document)
    client.tell("textDocument/didChange", textDocument=document, contentChanges=[{"text": "in"}])
    for uri in (other, "untitled:Untitled-1", (tmp_path / "never opened.c").as_uri()):
        assert client.hover(uri, 1) is None and client.actions(uri, 1) == []
    assert not [each for each in client.told if each["params"].get("uri") in {other, "untitled:Untitled-1"}]


def test_options_come_from_the_database_and_newer_editors_show_what_to_make_sure_of(tmp_path: Path) -> None:
    for name in ("src", "inc", "build"):
        (tmp_path / name).mkdir()
    (tmp_path / "inc" / "n.h").write_text("#define N 100\n")
    source = tmp_path / "src" / "a b.c"
    source.write_text(SUM.replace("s += a[i]", "s += a[i] * K"))
    command = {"directory": str(tmp_path / "build"), "file": str(source)}
    command |= {"arguments": ["cc", "-I../inc", "-DK=2", "-c", str(source)]}  # type: ignore[dict-item]
    (tmp_path / "build" / "compile_commands.json").write_text(json.dumps([command]))
    edit = {"documentChanges": True, "changeAnnotationSupport": {}}
    capabilities = {
        "workspace": {"workspaceEdit": edit},
        "textDocument": {"hover": {"contentFormat": ["markdown", "plaintext"]}},
    }
    client = Client(tmp_path, "--stdio", capabilities=capabilities)
    uri = client.open(source)
    (race,) = client.diagnostics(uri)
    assert race["code"] == "OMPC203"
    said = client.hover(uri, 8)["contents"]
    assert said["kind"] == "markdown" and said["value"].startswith("```text\na b.c:8  f  parallel for: on the host\n")
    (action,) = client.actions(uri, 8)
    assert action["title"] == "ompc: add reduction(+:s)"
    ((name, annotation),) = action["edit"]["changeAnnotations"].items()
    assert annotation["needsConfirmation"] and annotation["description"].startswith("Make sure: `s` is to hold")
    (changes,) = action["edit"]["documentChanges"]
    assert changes["textDocument"] == {"uri": uri, "version": 1}
    assert [each["annotationId"] for each in changes["edits"]] == [name]

    (tmp_path / "build" / "compile_commands.json").write_text("[")
    client.change(uri, 2, SUM)
    found = {each["code"]: each for each in client.diagnostics(uri, 2)}
    assert set(found) == {"OMPC108", "OMPC101"} and "is no JSON" in found["OMPC108"]["message"]
    assert client.close() == 0


FILES = {
    "main.c": "double f(int);\nint main(void) { return f(9) > 1; }\n",
    "half.c": "double half(double x) { return x / 2; }\n",
    "step.c": """\
double half(double);
static double a[100];
double f(int n)
{
#pragma omp parallel for
    for (int i = 0; i < 100; i++)
        a[i] = half(i);
    return a[n];
}
""",
}


def test_a_file_is_looked_at_with_the_others_of_its_program(tmp_path: Path) -> None:
    """What another one has that is not saved counts; one with a `main` of its own is no part of it."""
    entries = [{"directory": str(tmp_path), "file": name, "command": f"cc -c {name}"} for name in (*FILES, "test.c")]
    (tmp_path / "compile_commands.json").write_text(json.dumps(entries))
    for name, text in (*FILES.items(), ("test.c", "int main(void) { return 0; }\n")):
        (tmp_path / name).write_text(text)
    client = Client(tmp_path)
    uri = client.open(tmp_path / "step.c")
    assert [each["code"] for each in client.diagnostics(uri)] == ["OMPC320"], "by itself"
    assert client.diagnostics(uri) == []
    assert client.hover(uri, 5)["contents"]["value"].startswith("step.c:5  f  parallel for: on the GPU, proved\n")

    client.open(tmp_path / "half.c", FILES["half.c"].replace("return", "asm volatile(\"\"); return"))
    (found,) = client.diagnostics(uri)
    assert found["code"] == "OMPC324" and "half.c" in found["message"]
    assert client.close() == 0


def test_without_its_packages_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert main(["lsp"]) == 1
    said = capfd.readouterr()
    assert "[OMPC418]" in said.err and 'pip install "ompc[lsp]"' in said.err and not said.out
