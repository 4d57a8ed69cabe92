"""The front end: from a path to a parsed translation unit."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from pycparser import c_ast

from ompc.base.diagnostics import Diagnostic, Kind
from ompc.base.frozen import dataclass
from ompc.base.macros import Macro
from ompc.base.options import Options
from ompc.base.watch import Stage, unwatched
from ompc.frontend.abi_flags import otherwise
from ompc.frontend.parse import Unsupported, parse
from ompc.frontend.preprocess import Preprocessed, check_syntax, preprocess

__all__ = ["Loaded", "Preprocessed", "Unsupported", "check_syntax", "load", "parse", "preprocess"]


@dataclass(frozen=True, slots=True)
class Loaded:
    """A file that compiles: its preprocessed text, pycparser's tree, and warnings about unknown pragmas. `macros`:
    operands for which the user's text has macros, inner ones first."""

    preprocessed: Preprocessed
    ast: c_ast.FileAST
    macros: Mapping[c_ast.Node, tuple[Macro, ...]]
    warnings: tuple[Diagnostic, ...]


def load(source: Path, options: Options, stage: Stage = unwatched) -> Loaded:
    """Check, preprocess and parse. Raises CompileError (the user's error) or Unsupported (all stays on the host)."""
    with stage("preprocess"), ThreadPoolExecutor(max_workers=1) as pool:  # the compiler runs twice, at the same time
        checking = pool.submit(check_syntax, source, options)
        try:
            preprocessed = preprocess(source, options)
        finally:
            warnings = checking.result()  # first: what the C compiler refuses needs no other message
    why = otherwise(options.cpp_flags, preprocessed.expanded)
    if why is not None:
        message = f"this file cannot be analysed, so every loop stays on the host: {why}"
        raise Unsupported(Diagnostic("OMPC105", Kind.HOST, message))
    with stage("parse"):
        parsed = parse(preprocessed)
        return Loaded(preprocessed, parsed.ast, parsed.macros, warnings)
