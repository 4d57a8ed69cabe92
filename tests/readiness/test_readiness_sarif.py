"""The readiness report for machines: SARIF by the rules of its standard, and JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from readiness_program import PROGRAM

from ompc.cli import main

REQUIRED: dict[str, set[str]] = {
    "log": {"version", "runs"},
    "run": {"tool"},
    "driver": {"name"},
    "reportingDescriptor": {"id"},
    "result": {"message"},
    "fix": {"artifactChanges"},
    "artifactChange": {"artifactLocation", "replacements"},
    "replacement": {"deletedRegion"},
    "message": {"text"},
    "invocation": {"executionSuccessful"},
}
"""Properties that SARIF 2.1.0 requires of each kind of object (section 3)."""
KINDS, LEVELS = (
    {"pass", "open", "informational", "notApplicable", "review", "fail"},
    {"none", "note", "warning", "error"},
)


def kinds(log: Any) -> Iterator[tuple[str, Any]]:
    yield "log", log
    for run in log["runs"]:
        yield "run", run
        yield "driver", run["tool"]["driver"]
        yield from (("reportingDescriptor", rule) for rule in run["tool"]["driver"]["rules"])
        yield from (("invocation", each) for each in run["invocations"])
        for result in run["results"]:
            yield "result", result
            yield "message", result["message"]
            for fix in result.get("fixes", []):
                yield "fix", fix
                yield "message", fix["description"]
                for change in fix["artifactChanges"]:
                    yield "artifactChange", change
                    yield from (("replacement", each) for each in change["replacements"])


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Any]:
    """SARIF and JSON as `ompc explain` writes them."""
    directory = tmp_path_factory.mktemp("sarif")
    source = directory / "a b.c"
    source.write_text(PROGRAM)
    files = directory / "a.sarif", directory / "a.json"
    assert main(["explain", str(source), "--sarif", str(files[0]), "--report", str(files[1])]) == 0
    sarif, report = (json.loads(file.read_text()) for file in files)
    return sarif, report


def test_the_standard_is_kept(written: tuple[Any, Any]) -> None:
    log, _ = written
    assert log["version"] == "2.1.0" and log["$schema"].endswith("sarif-schema-2.1.0.json")
    for kind, found in kinds(log):
        assert REQUIRED.get(kind, set()) <= found.keys(), kind
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert len({rule["id"] for rule in rules}) == len(rules)
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["kind"] in KINDS and result["level"] in LEVELS
        assert result["kind"] == "fail" or result["level"] == "none"  # 3.27.10
        assert result["message"]["text"].endswith(".")
        for place in (*result["locations"], *result.get("relatedLocations", [])):
            location = place["physicalLocation"]["artifactLocation"]
            assert re.fullmatch(r"file:///[\w/.%-]+a%20b\.c", location["uri"])
            region = place["physicalLocation"]["region"]
            assert 1 <= region["startLine"] <= region.get("endLine", region["startLine"])


def test_results_and_their_fixes(written: tuple[Any, Any]) -> None:
    log, _ = written
    results = log["runs"][0]["results"]
    assert [result["ruleId"] for result in results] == ["on-device", "OMPC203", "OMPC331", "OMPC320"]
    assert [result["level"] for result in results] == ["none", "warning", "note", "note"]
    race, fix = results[1], results[1]["fixes"][0]
    assert race["locations"][0]["physicalLocation"]["region"] == {"startLine": 16, "endLine": 18}
    assert race["relatedLocations"][0]["physicalLocation"]["region"] == {"startLine": 18}
    assert race["locations"][0]["logicalLocations"] == [{"name": "main", "kind": "function"}]
    (replacement,) = fix["artifactChanges"][0]["replacements"]
    assert replacement["insertedContent"] == {"text": " reduction(+:sum)"}
    assert replacement["deletedRegion"] == {"startLine": 16, "startColumn": 29, "endLine": 16, "endColumn": 29}
    assert "fixes" not in results[3]
    rule = log["runs"][0]["tool"]["driver"]["rules"][results[3]["ruleIndex"]]
    assert "What to do." in rule["help"]["text"] and "**What to do.**" in rule["help"]["markdown"]


def test_json_has_lines_and_suggestions(written: tuple[Any, Any]) -> None:
    _, report = written
    regions = report["regions"]
    assert [region["lines"] for region in regions][:2] == [{"first": 13, "last": 15}, {"first": 16, "last": 18}]
    (suggestion,) = regions[1]["suggestions"]
    assert suggestion["title"] == "add reduction(+:sum)"
    assert suggestion["edits"] == [{"line": 16, "column": 29, "old": "", "new": " reduction(+:sum)"}]
    assert regions[0]["suggestions"] == [] and regions[0]["tried"] is None and regions[3]["tried"] == 0


def run(capture: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = main(words)
    said = capture.readouterr()
    return status, said.out, said.err


def test_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    for name in "ab":
        (tmp_path / f"{name}.c").write_text(f"int {name}[9];\nint main_{name}(void) {{ return 0; }}\n")
    status, out, err = run(capfd, "explain", "a.c", "b.c", "--sarif", "-", "--html", "a.html")
    assert status == 0 and "ompc: wrote a.html" in err
    assert json.loads(out)["runs"][0]["results"] == []
    status, out, err = run(capfd, "explain", "a.c", "b.c", "--report", "-", "--try", "0")
    assert [Path(report["source"]).name for report in json.loads(out)["files"]] == ["a.c", "b.c"] and err == ""
    (tmp_path / "nested.c").write_text("void f(int n) {\n  int g(void) { return n; }\n#pragma omp parallel\n  g(); }\n")
    (tmp_path / "bad.c").write_text("#pragma omp parallel\nint main( {")
    status, out, err = run(capfd, "explain", "a.c", "bad.c", "nested.c", "--report", "-", "--sarif", "b.sarif")
    assert status == 1 and "[OMPC101]" in err
    own, bad, nested = json.loads(out)["files"]
    assert "problem" not in own and (bad["problem"]["code"], bad["problem"]["pragmas"]) == ("OMPC101", 1)
    assert {**nested["problem"], "message": ""} == {"code": "OMPC105", "message": "", "line": 2, "pragmas": 1}
    log = json.loads((tmp_path / "b.sarif").read_text())["runs"][0]
    assert not log["invocations"][0]["executionSuccessful"]
    assert [(result["ruleId"], result["level"]) for result in log["results"]] == [
        ("OMPC101", "error"),
        ("OMPC105", "note"),
    ]
    status, out, err = run(capfd, "explain", "bad.c", "nested.c")
    assert status == 1 and "bad.c: the file cannot be read, and has 1 parallel pragma\n" in out and "[OMPC101]" in out
    assert run(capfd, "explain", "bad.c", "--html", "b.html")[:2] == (1, "") and not Path("b.html").exists()
    status, _, err = run(capfd, "explain", "a.c", "--profile", "run.json")
    assert status == 2 and "name one by --html" in err
    (tmp_path / "run.json").write_text("{}")
    status, _, err = run(capfd, "explain", "a.c", "--html", "a.html", "--profile", "run.json")
    assert status == 1 and "run.json has no profile: " in err and "[OMPC415]" in err
    status, _, err = run(capfd, "explain", "a.c", "--html", "run.json", "--profile", "run.json")
    assert status == 1 and "[OMPC415]" not in err and (tmp_path / "run.json").read_text() == "{}"
    status, _, err = run(capfd, "explain", "a.c", "--html", "no/such/folder/a.html")
    assert status == 1 and "OMPC411" in err
