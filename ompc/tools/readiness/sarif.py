"""The readiness report as SARIF 2.1.0, which editors and code review read.

A rule for each diagnostic code, with its section of docs/diagnostics.md as help; a result for each reason why a loop
stays on the host, with the suggestions that were tried as fixes; a result of kind "pass" for each loop on the device,
of rule "on-device" where its iterations are proved independent, else of "on-device-as-promised".

    Source: OASIS, Static Analysis Results Interchange Format (SARIF) Version 2.1.0.
    In: Readiness.   Out: plain dictionaries, lists, strings and numbers, ready for `json.dumps`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from urllib.parse import quote

from ompc.base.diagnostics import TITLES
from ompc.base.resources import section
from ompc.frontend.text import Replace
from ompc.tools.explain import records
from ompc.tools.readiness.colour import shown
from ompc.tools.readiness.findings import (
    FINGERPRINT,
    Finding,
    findings,
    findings_of_file,
    findings_of_loop,
    fingerprint_of_loop,
)
from ompc.tools.readiness.model import Loop, Readiness, SourceFile, Suggestion

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
ON_DEVICE = "on-device"
AS_PROMISED = "on-device-as-promised"
_ON_DEVICE = {
    ON_DEVICE: ("OnDevice", "A parallel loop that runs on the device; its iterations are proved independent."),
    AS_PROMISED: (
        "OnDeviceAsPromised",
        "A parallel loop that runs on the device because the pragma says so, or if what the launcher compares is so.",
    ),
}
Record = Mapping[str, object]


def sarif(found: Readiness) -> Record:
    """The log file: one run of ompc."""
    codes = sorted({finding.why.code for finding in findings(found)})
    rules = [*_ON_DEVICE, *codes]
    results = [result for file in found.files for result in _results(file, rules)]
    refused = any(finding.level == "error" for finding in findings(found))
    driver = {"name": "ompc", "version": found.version, "rules": [_rule(rule) for rule in rules]}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": not refused}],
        "results": results,
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def of_findings(found: Readiness, new: Sequence[bool] | None) -> Record:
    """The log file without what is as it should be. `new`: of each finding, whether a baseline lacks it."""
    log = sarif(found)
    (run,) = records(log["runs"])
    results = [result for result in records(run["results"]) if result["kind"] == "fail"]
    if new is not None:
        states = ("new" if is_new else "unchanged" for is_new in new)
        results = [{**result, "baselineState": state} for result, state in zip(results, states, strict=True)]
    return {**log, "runs": [{**run, "results": results}]}


def _rule(rule: str) -> Record:
    if rule in _ON_DEVICE:
        name, text = _ON_DEVICE[rule]
        level = {"level": "none"}
        return {"id": rule, "name": name, "shortDescription": {"text": text}, "defaultConfiguration": level}
    words = section(rule) or ""
    why = re.search(r"^\*\*Why\.\*\* (.*)$", words, re.MULTILINE)
    return {
        "id": rule,
        "name": "".join(word.capitalize() for word in re.findall(r"[A-Za-z]+", TITLES.get(rule, rule))),
        "shortDescription": {"text": _sentence(TITLES.get(rule, rule))},
        "fullDescription": {"text": why[1] if why is not None else _sentence(TITLES.get(rule, rule))},
        "help": {"text": _plain(words), "markdown": words},
        "defaultConfiguration": {"level": "warning" if rule.startswith("OMPC2") else "note"},
    }


def _results(file: SourceFile, rules: list[str]) -> Iterator[Record]:
    for finding in findings_of_file(file):
        place = {"artifactLocation": _artifact(file.path), "region": {"startLine": finding.line}}
        yield _head(finding, rules) | {"locations": [{"physicalLocation": place}]} | _fingerprint(finding.fingerprint)
    for loop in file.loops:
        if loop.on_device:
            mark = fingerprint_of_loop(loop, file, ON_DEVICE)
            yield _pass(loop, rules) | _places(loop) | _fingerprint(mark)
        for number, finding in enumerate(findings_of_loop(loop, file)):
            line = finding.why.line
            related = {} if line is None else {"relatedLocations": [_related(loop, line)]}
            # All races of a loop are cured together.
            fixes = [_fix(each) for each in loop.suggestions if _is_unicode(each)] if number == 0 else []
            more = {"fixes": fixes} if fixes else {}
            yield _head(finding, rules) | _places(loop) | related | more | _fingerprint(finding.fingerprint)


def _pass(loop: Loop, rules: list[str]) -> dict[str, object]:
    rule = ON_DEVICE if loop.state == "proved" else AS_PROMISED
    text = " ".join(f"{shown(each)}." for each in (f"The loop runs on the device: {loop.launch}", *loop.rests))
    return {"ruleId": rule, "ruleIndex": rules.index(rule), "kind": "pass", "level": "none", "message": {"text": text}}


def _head(finding: Finding, rules: list[str]) -> dict[str, object]:
    why = finding.why
    text = _sentence(("" if finding.loop is None else "The loop stays on the host: ") + shown(why.message))
    return {
        "ruleId": why.code,
        "ruleIndex": rules.index(why.code),
        "kind": "fail",
        "level": finding.level,
        "message": {"text": text + (f" To do: {shown(why.help)}." if why.help else "")},
    }


def _places(loop: Loop) -> dict[str, object]:
    region = {"startLine": loop.first, "endLine": loop.last}
    physical = {"artifactLocation": _artifact(loop.file), "region": region}
    logical = [{"name": shown(loop.function), "kind": "function"}]
    return {"locations": [{"physicalLocation": physical, "logicalLocations": logical}]}


def _related(loop: Loop, line: int) -> Record:
    physical = {"artifactLocation": _artifact(loop.file), "region": {"startLine": line}}
    return {"physicalLocation": physical, "message": {"text": "This is to blame."}}


def _fingerprint(mark: str) -> dict[str, object]:
    return {"partialFingerprints": {FINGERPRINT: mark}}


def _fix(suggestion: Suggestion) -> Record:
    text = f"{suggestion.title}. Make sure: {suggestion.ensure}"
    changes = {
        "artifactLocation": _artifact(suggestion.file),
        "replacements": [_replacement(edit) for edit in suggestion.edits],
    }
    return {"description": {"text": text}, "artifactChanges": [changes]}


def _is_unicode(suggestion: Suggestion) -> bool:
    """Has it edits, all of which can be written as JSON?"""
    texts = "".join(edit.old + edit.new for edit in suggestion.edits)
    return bool(suggestion.edits) and not re.search("[\ud800-\udfff]", texts)


def _replacement(edit: Replace) -> Record:
    breaks = edit.old.count("\n")
    end = len(edit.old) - edit.old.rfind("\n") if breaks else edit.column + len(edit.old)
    region = {
        "startLine": edit.line,
        "startColumn": edit.column,
        "endLine": edit.line + breaks,
        "endColumn": end,
    }
    return {"deletedRegion": region, **({"insertedContent": {"text": edit.new}} if edit.new else {})}


def _artifact(path: str) -> Record:
    if Path(path).is_absolute():
        return {"uri": "file://" + quote(path.encode(errors="surrogateescape"))}
    return {"uri": quote(Path(path).as_posix().encode(errors="surrogateescape")), "uriBaseId": "%SRCROOT%"}


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}".rstrip(".") + "."


def _plain(markdown: str) -> str:
    """Without fences and emphasis."""
    return re.sub(r"^```.*\n|\*\*|`", "", markdown, flags=re.MULTILINE)
