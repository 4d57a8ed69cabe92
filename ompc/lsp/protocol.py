"""Answers as the protocol has them: ranges in the client's units, severities, links, edits.

    In: an Answer or Fixes, the lines of the files that they are about.   Out: lsprotocol's types.
    Source: Language Server Protocol 3.17, "Basic JSON Structures".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from lsprotocol import types
from pygls.workspace import PositionCodec
from pygls.workspace.position_codec import ServerTextPosition, ServerTextRange

from ompc.base.diagnostics import TITLES, Diagnostic, Kind
from ompc.base.frozen import dataclass
from ompc.base.resources import page_of_codes
from ompc.base.visible import visible
from ompc.frontend.text import Replace
from ompc.lsp.answers import Fix, LoopAnswer

SOURCE = "ompc"
_SEVERITIES = {
    Kind.ERROR: types.DiagnosticSeverity.Error,
    Kind.BUG: types.DiagnosticSeverity.Error,
    Kind.WARNING: types.DiagnosticSeverity.Warning,
    Kind.HOST: types.DiagnosticSeverity.Information,
}
_ENSURE = "ompc-make-sure"
_ERRORS = re.compile(r"^.*?: (?:fatal )?error: (.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Client:
    """What the editor can do with an answer; `uri_of` a path, with the version of the text where it has one."""

    codec: PositionCodec
    uri_of: Callable[[str], tuple[str, int | None]]
    markdown: bool = False
    document_changes: bool = False
    annotations: bool = False

    def range(self, lines: Sequence[str], first: tuple[int, int], last: tuple[int, int]) -> types.Range:
        """Lines and columns count from 0, columns in characters."""
        start, end = (ServerTextPosition(line, character) for line, character in (first, last))
        return self.codec.range_to_client_units(lines, ServerTextRange(start, end))


def client_of(
    capabilities: types.ClientCapabilities, codec: PositionCodec, uri_of: Callable[[str], tuple[str, int | None]]
) -> Client:
    """As the editor has introduced itself."""
    documents, workspace = capabilities.text_document, capabilities.workspace
    hover = None if documents is None else documents.hover
    edit = None if workspace is None else workspace.workspace_edit
    return Client(
        codec,
        uri_of,
        markdown=hover is not None and types.MarkupKind.Markdown in (hover.content_format or ()),
        document_changes=edit is not None and bool(edit.document_changes),
        annotations=edit is not None and bool(edit.document_changes) and edit.change_annotation_support is not None,
    )


def message_of(found: Diagnostic) -> str:
    """What the command line prints, without the place and the source text, which the editor shows."""
    notes = _ERRORS.findall("\n".join(found.notes)) if found.code == "OMPC101" else found.notes
    said = [found.message, *notes, *([] if found.help is None else [f"help: {found.help}"])]
    return visible("\n".join(line.rstrip("\n") for line in said))


def diagnostic(found: Diagnostic, lines: Sequence[str], client: Client) -> types.Diagnostic:
    link = link_to(found.code)
    return types.Diagnostic(
        range=_range_of(found, lines, client),
        message=message_of(found),
        severity=_SEVERITIES[found.kind],
        code=found.code,
        code_description=None if link is None else types.CodeDescription(link),
        source=SOURCE,
    )


def link_to(code: str) -> str | None:
    """The code's section of docs/diagnostics.md, as it is installed here; its anchor is that of the heading."""
    page = page_of_codes()
    if page is None or code not in TITLES:
        return None
    anchor = re.sub(r"[^\w -]", "", f"{code}: {TITLES[code]}".lower()).replace(" ", "-")
    return f"{page.as_uri()}#{anchor}"


def _range_of(found: Diagnostic, lines: Sequence[str], client: Client) -> types.Range:
    """The word at the place, or all that stands in its line."""
    at = found.at
    line = min(max(0 if at is None else at.line - 1, 0), len(lines) - 1)
    text = lines[line].rstrip()
    start = len(text) - len(text.lstrip())
    end = len(text)
    if at is not None and start < at.column <= end:
        start = at.column - 1
        word = re.match(r"\w+", text[start:])
        end = start + (1 if word is None else word.end())
    return client.range(lines, (line, start), (line, end))


def hover(loop: LoopAnswer, lines: Sequence[str], client: Client) -> types.Hover:
    last = min(last_line_of_head(loop, lines), len(lines))
    value = f"```text\n{loop.text}```" if client.markdown else loop.text
    kind = types.MarkupKind.Markdown if client.markdown else types.MarkupKind.PlainText
    end = len(lines[last - 1].rstrip())
    return types.Hover(types.MarkupContent(kind, value), client.range(lines, (loop.first - 1, 0), (last - 1, end)))


def last_line_of_head(loop: LoopAnswer, lines: Sequence[str]) -> int:
    """The line in which the loop's statement begins, below its pragmas. Lines count from 1."""
    number, inside = loop.first, False
    while number < min(loop.last, len(lines)):
        text = lines[number - 1].strip()
        if not inside and text and not text.startswith("#"):
            break
        inside = text.endswith("\\")
        number += 1
    return number


def code_action(
    fix: Fix, lines: Sequence[str], client: Client, cures: Sequence[types.Diagnostic]
) -> types.CodeAction:
    """A change; what the user must make sure of is shown before it is made, or in its title."""
    title = f"ompc: {fix.title}"
    edits = [_text_edit(edit, lines, client) for edit in fix.edits]
    if not client.annotations:
        title += f" (make sure: {fix.ensure.rstrip('.')})"
    return types.CodeAction(
        title=title,
        kind=types.CodeActionKind.QuickFix,
        diagnostics=list(cures) or None,
        edit=_workspace_edit(fix, edits, client),
    )


def _workspace_edit(fix: Fix, edits: Sequence[types.TextEdit], client: Client) -> types.WorkspaceEdit:
    uri, version = client.uri_of(fix.file)
    if not client.document_changes:
        return types.WorkspaceEdit(changes={uri: edits})
    document = types.OptionalVersionedTextDocumentIdentifier(uri=uri, version=version)
    if not client.annotations:
        return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(document, edits)])
    annotated = [types.AnnotatedTextEdit(_ENSURE, edit.range, edit.new_text) for edit in edits]
    said = types.ChangeAnnotation(fix.title, needs_confirmation=True, description=f"Make sure: {fix.ensure}")
    changes: Mapping[str, types.ChangeAnnotation] = {_ENSURE: said}
    return types.WorkspaceEdit(
        document_changes=[types.TextDocumentEdit(document, annotated)], change_annotations=changes
    )


def _text_edit(edit: Replace, lines: Sequence[str], client: Client) -> types.TextEdit:
    breaks = edit.old.count("\n")
    first = edit.line - 1, edit.column - 1
    column = len(edit.old) - edit.old.rfind("\n") - 1 if breaks else edit.column - 1 + len(edit.old)
    return types.TextEdit(client.range(lines, first, (edit.line - 1 + breaks, column)), edit.new)
