"""Is the text with calls the user's program but for the loops? The preprocessor is asked.

Both texts are preprocessed. They must be the same, token by token, but that where the one has a pragma and its loop,
the other has the call, and that there are calls around the statements of data regions. A loop for which that is not so
stays on the host.

    In: PlainFile, both texts, preprocessed.   Out: what is not where it is to be.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ompc.frontend.tokens import Token, tokens
from ompc.plan.plain.model import DataRegion, PlainFile, PlainLaunch
from ompc.render.plain.host import Edit, call_of, count_of, declarations_of, enter_of
from ompc.render.plain.statements import behind_statement, behind_statements

_PRAGMA = re.compile(r"#\s*pragma\s+(.*)", re.DOTALL)


def misplaced(file: PlainFile, original: str, edited: str, header: str) -> list[Edit]:
    """`header`: the file that only the edited text includes. All, if nobody knows which."""
    before = [token for token in tokens(original, "") if _counts(token)]
    after = [token for token in tokens(edited, "") if _counts(token) and not token.file.endswith(header)]
    waiting = sorted(file.launches, key=lambda launch: launch.region.loop.pragma.loc.line)
    teams = _Teams(file, before)
    entered = {region.enter: region for region in file.data}
    ends: dict[str, int] = {}
    at = now = 0
    while now < len(after):
        if after[now].text in entered:
            region = entered.pop(after[now].text)
            end = _behind_region(before, at, region)
            now = _behind_text(after, now, enter_of(region)) or len(after)
            if end is None or ends:
                break
            ends[region.leave] = end
        elif ends.get(after[now].text) == at and (end := _behind_text(after, now, f"{after[now].text}();")):
            ends, now = {}, end
        elif (passed := teams.passed(at, after, now)) is not None:
            at, now = passed
        elif waiting and (end := _behind_call(after, now, waiting[0])) is not None:
            behind = _behind_loop(before, at, waiting[0])
            if behind is None:
                return [waiting[0]]
            waiting.pop(0)
            at, now = behind, end
        elif at < len(before) and _text(before[at]) == _text(after[now]):
            at, now = at + 1, now + 1
        else:
            break
    rest = [token for token in after[now:] if token.text != ";"]
    is_assertion = all(token.text != "{" for token in rest) and (not rest or rest[0].text == "__extension__")
    if entered or ends:
        return list(file.data)
    if waiting or at < len(before) or teams.left or not is_assertion:
        return [*waiting[:1]] or [*file.launches, *file.data]
    return []


def _counts(token: Token) -> bool:
    return token.kind != "directive" or _PRAGMA.match(token.text) is not None


def _text(token: Token) -> str:
    return " ".join(token.text.split())


def _behind_region(found: Sequence[Token], at: int, region: DataRegion) -> int | None:
    """Behind its statements, if they are what begins here."""
    loc, head = region.statements[0].loc, found[at] if at < len(found) else None
    if head is None or (head.file, head.line) != (loc.file, loc.line):
        return None
    return behind_statements(found, at, count_of(region))


class _Teams:
    """Of what team regions lack, and have besides: what is `left` to be found."""

    def __init__(self, file: PlainFile, before: Sequence[Token]) -> None:
        directives = {(token.file, token.line): k for k, token in enumerate(before) if token.kind == "directive"}
        places = {p: directives.get((p.loc.file, p.loc.line), -1) for team in file.teams for p in team.pragmas}
        self._gone = set(places.values())
        declaring = (team for team in file.teams if team.declared)
        self._declared = {places[team.pragma] + 2: " ".join(declarations_of(team)) for team in declaring}

    @property
    def left(self) -> bool:
        return bool(self._gone or self._declared)

    def passed(self, at: int, after: Sequence[Token], now: int) -> tuple[int, int] | None:
        """Behind the pragma, or the declarations, that is next; None: there is none."""
        if at in self._gone:
            self._gone.remove(at)
            return at + 1, now
        end = _behind_text(after, now, self._declared[at]) if at in self._declared else None
        if end is None:
            return None
        del self._declared[at]
        return at, end


def _behind_call(found: Sequence[Token], at: int, launch: PlainLaunch) -> int | None:
    return _behind_text(found, at, call_of(launch)) if found[at].text == launch.launcher else None


def _behind_text(found: Sequence[Token], at: int, statement: str) -> int | None:
    wanted, text = "".join(statement.split()), ""
    while at < len(found) and len(text) < len(wanted):
        text += "".join(found[at].text.split())
        at += 1
    return at if text == wanted else None


def _behind_loop(found: Sequence[Token], at: int, launch: PlainLaunch) -> int | None:
    pragma = _PRAGMA.match(found[at].text) if at < len(found) and found[at].kind == "directive" else None
    if pragma is None or " ".join(pragma.group(1).split()) != " ".join(launch.region.loop.pragma.spelling.split()):
        return None
    if found[at + 1].text != "for":
        return None
    return behind_statement(found, at + 1)
