"""The rules that keep the code in its shape: who may import whom, how long things are, who may print."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from functools import cache, wraps
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "ompc"
STAGES = (
    *("ompc", "runtime", "base", "frontend", "ir", "sema", "omp", "transform", "analysis", "plan", "render"),
    *("toolchain", "bytecode", "pipeline", "plain_pipeline", "driver", "tools", "python", "cc", "lsp"),
    *("command_options", "cli"),
    "__main__",
)
"""A module imports its own stage and earlier ones; `ompc` itself what its functions open the door to."""

ROOMS = {
    "omp": (
        *("grammar", "asked", "model", "constructs", "uses", "counter_wrap", "pointer_loops", "loops", "purity"),
        "volatile_bounds",
        *("declared_reductions", "reductions", "sharing", "iteration_numbers", "linear", "scans", "offload"),
        "without_pragma",
        *("parallel_loop", "loop_names", "regions", "wishes", "show", "verify"),
        *("reading", "resolve", "unread_text"),
    ),
    "analysis": (
        *("eligibility", "flow", "integers", "memory", "floats", "host", "reductions", "dependence"),
        *("privatisation", "facts", "independence", "loops", "scan_phases", "interchange", "locality"),
        *("chains", "show", "verify"),
    ),
    "plan": (
        *("machine", "model", "arguments", "parameters", "thesis", "mapping", "residency", "memory", "program"),
        *("alternatives", "nest", "groups", "forms", "schedule", "report", "kernel", "rewrites", "fused_loops"),
        *("chains", "plain", "show"),
        "decide",
        "verify",
    ),
    "render": (
        *("layout", "template_code", "environment", "line_marks", "provenance", "code"),
        *("local_names", "schedule", "forms", "comments", "launcher", "makefiles", "kernels", "kernel_headers"),
        *("macro_clashes", "inspectors"),
        *("device", "excerpts", "host", "plain"),
    ),
    "toolchain": (
        *("machine", "cache", "commands", "objects", "folder", "run", "installed_runtime", "build", "calibrate"),
        *("prebuilt", "doctor"),
    ),
    "tools": ("explain", "wrapping", "explanation", "overview", "profile", "readiness", "answers", "tune", "bisect"),
}
"""The rooms of a stage, and its modules that lie in none: each imports itself and those before it."""

ORDER = {name: number for number, name in enumerate(STAGES)}
MODULES = sorted(PACKAGE.rglob("*.py"))
MODULE_LINES = 400
FOLDER_MODULES = 25
FUNCTION_LINES = 60


def of_each(paths: Iterable[Path]) -> Callable[[Callable[[Path], None]], Callable[[], None]]:
    """One test of a rule for all files, which says of each what is wrong: 5,000 tests of a line took longer to hand out
    than to run.
    """
    every = list(paths)

    def of_all(rule: Callable[[Path], None]) -> Callable[[], None]:
        @wraps(rule)
        def test() -> None:
            wrong = list(filter(None, (broken(rule, path) for path in every)))
            assert every and not wrong, "\n".join(wrong)

        del test.__wrapped__  # pytest would ask for its arguments
        return test

    return of_all


def broken(rule: Callable[[Path], None], path: Path) -> str:
    """What the rule says of a file; nothing: it keeps it."""
    try:
        rule(path)
    except AssertionError as said:
        return f"{path.relative_to(ROOT)}: {said}"
    return ""


def stage_of(module: str) -> str:
    """`ompc.ir.types` belongs to sema."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else parts[0]


def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """Those that the rules are about, found once."""
    kinds = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.Call, ast.Attribute)
    return tuple(node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, kinds))


def imports_of(path: Path) -> Iterator[tuple[str, int]]:
    """Modules imported anywhere in the file, also inside functions, with their lines."""
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: imports are absolute"
            if node.module == "ompc":
                modules = [f"ompc.{alias.name}" if alias.name in ORDER else "ompc" for alias in node.names]
                yield from ((module, node.lineno) for module in modules)
            elif node.module is not None:
                yield node.module, node.lineno


@of_each(MODULES)
def test_stages_import_only_earlier_stages(path: Path) -> None:
    own = stage_of(name_of(path))
    assert own in ORDER, f"{own} has no place in the order of stages"
    if path == PACKAGE / "__init__.py":
        own = "python"
    for module, line in imports_of(path):
        if module == "ompc" or module.startswith("ompc."):
            other = stage_of(module)
            assert ORDER[other] <= ORDER[own], f"{path}:{line}: {own} must not import {module}"


@of_each([p for p in MODULES if stage_of(name_of(p)) in ROOMS])
def test_rooms_import_only_earlier_rooms(path: Path) -> None:
    _, stage, *rest = name_of(path).split(".")
    if not rest:
        return
    order = {name: number for number, name in enumerate(ROOMS[stage])}
    assert rest[0] in order, f"{rest[0]} has no place in the order of the rooms of {stage}"
    for module, line in imports_of(path):
        parts = module.split(".")
        if parts[:2] == ["ompc", stage]:
            assert len(parts) > 2, f"{path}:{line}: name the module"
            assert order[parts[2]] <= order[rest[0]], f"{path}:{line}: {rest[0]} must not import {module}"


DIVIDED = ("omp", "analysis", "plan", "render", "toolchain")
"""Stages of which each sub-package is a room."""
ROOM_FILES = sorted({*(path for stage in DIVIDED for path in PACKAGE.glob(f"{stage}/*/__init__.py")),
                     *(PACKAGE / name / "__init__.py" for name in ("base", "ir", "tools"))})  # fmt: skip


@of_each(ROOM_FILES)
def test_rooms_are_described_as_they_describe_themselves(path: Path) -> None:
    row = f"| `{path.parent.relative_to(ROOT).as_posix()}` | {ast.get_docstring(ast.parse(path.read_text()))} |"
    assert row in (ROOT / "docs" / "architecture.md").read_text().splitlines()


@of_each(MODULES)
def test_pycparser_is_known_to_frontend_and_sema_only(path: Path) -> None:
    if stage_of(name_of(path)) not in {"frontend", "sema"}:
        assert not [module for module, _ in imports_of(path) if module.split(".")[0] == "pycparser"]


READERS = ("ompc.ir", "ompc.frontend", "ompc.sema", "ompc.omp.reading")
"""Only `RESOLVE` asks the last of them."""
RESOLVE = PACKAGE / "omp" / "resolve.py"
WITHOUT_TREE = {
    PACKAGE / path for path in ("pipeline.py", "plan/thesis/array_uses.py", "render/host/copied_through.py")
}
"""They ask about texts of which there is no tree, or that are edited (omp/unread_text.py)."""
TAKES_APART = {"split", "partition", "rpartition", "strip", "removeprefix", "startswith", "endswith", "find", "replace"}
TEXT_OF_CLAUSES = {"spelling", "user_text"}
COMPARE_TEXT = {PACKAGE / "render" / "host" / "places.py", PACKAGE / "render" / "host" / "recheck.py"}
COMPARE_TEXT.add(PACKAGE / "render" / "plain" / "recheck.py")
"""They find a pragma again in the text of the edited file."""


@of_each([p for p in MODULES if not name_of(p).startswith(READERS)])
def test_pragmas_are_read_by_one_pass_only(path: Path) -> None:
    """Others ask for the directive; they print the text, as a part of another one, and nothing else."""
    tree = ast.parse(path.read_text())
    modules = {module for module, _ in imports_of(path)}
    if path != RESOLVE:
        assert not any(module.startswith("ompc.omp.reading") for module in modules)
        assert path in WITHOUT_TREE or "ompc.omp.unread_text" not in modules
        assert "ompc.sema.expressions" not in modules, f"{path}: lowers text"
    if stage_of(name_of(path)) == "omp" and path.stem != "unread_text":
        assert "re" not in modules, f"{path}: matches text"
    printed = {part.value for part in ast.walk(tree) if isinstance(part, ast.FormattedValue)}
    printed |= {call.func for call in ast.walk(tree) if isinstance(call, ast.Call)}  # a method of that name is no text
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr == "spelling" and path not in COMPARE_TEXT:
            assert node in printed, f"{path}:{node.lineno}: reads the text of a pragma"
        if isinstance(node, ast.MatchClass) and isinstance(node.cls, ast.Attribute) and node.cls.attr == "Pragma":
            assert "spelling" not in node.kwd_attrs, f"{path}:{node.lineno}: matches the text of a pragma"
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in TAKES_APART:
            taken = node.func.value
            texts = TEXT_OF_CLAUSES | ({"text"} if stage_of(name_of(path)) == "omp" else set())
            is_text = isinstance(taken, ast.Attribute) and taken.attr in texts and path not in COMPARE_TEXT
            assert not is_text, f"{path}:{node.lineno}: takes a clause's text apart"


JUMPS = {"Break", "Continue", "Goto", "Return", "Leave", "Label", "Case"}
KNOW_JUMPS = {
    "ompc.ir.exits": "says where jumps lead",
    "ompc.ir.walk": "has the children of each class of nodes",
    "ompc.ir.show": "prints each class of nodes",
}


def classes_together(node: ast.AST) -> list[ast.AST]:
    """The parts of a collection or union of classes, in an expression or a pattern."""
    match node:
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
            return [part.value if isinstance(part, ast.Starred) else part for part in parts]
        case ast.Dict(keys=keys):
            return [key for key in keys if key is not None]
        case ast.BinOp(op=ast.BitOr(), left=left, right=right):
            return [*(classes_together(left) or [left]), right]
        case ast.MatchOr(patterns=patterns):
            return [pattern.cls for pattern in patterns if isinstance(pattern, ast.MatchClass)]
        case _:
            return []


@of_each([p for p in MODULES if stage_of(name_of(p)) not in {"frontend", "sema"}])
def test_jumps_are_known_in_one_place(path: Path) -> None:
    """Others ask `ompc.ir.exits`: what leaves a loop, and what stays inside, is understood once."""
    if name_of(path) in KNOW_JUMPS:
        return
    for node in ast.walk(ast.parse(path.read_text())):
        parts = classes_together(node)
        named = [part.attr if isinstance(part, ast.Attribute) else getattr(part, "id", "") for part in parts]
        assert len(JUMPS.intersection(named)) < 2, f"{path}:{getattr(node, 'lineno', 0)}: asks for jumps itself"


def takes_targets(node: ast.AST) -> bool:
    """Does a pattern take the target from assignments and ++ alike? With `a, b` it is about what the value is."""
    if not isinstance(node, ast.MatchOr):
        return False
    taken = {pattern.cls for pattern in node.patterns if isinstance(pattern, ast.MatchClass) and pattern.kwd_patterns}
    named = {cls.attr if isinstance(cls, ast.Attribute) else getattr(cls, "id", "") for cls in taken}
    return {"Assign", "IncDec"} <= named and "Comma" not in named


@of_each([p for p in MODULES if stage_of(name_of(p)) not in {"frontend", "sema"}])
def test_what_is_assigned_is_known_in_one_place(path: Path) -> None:
    """Others ask `ompc.ir.queries`: which lvalues code writes, and which variables by their names."""
    for node in ast.walk(ast.parse(path.read_text())):
        assert not takes_targets(node), f"{path}:{getattr(node, 'lineno', 0)}: asks for what is assigned itself"


def test_names_are_found_when_all_is_decided() -> None:
    """Before, the plan says which it wants. A tree that a rewrite makes is a C program, whose variables have names."""

    def who_imports(name: str) -> set[str]:
        return {name_of(path) for path in MODULES for node in nodes_of(path) if is_import(node, name)}

    def is_import(node: ast.AST, name: str) -> bool:
        return isinstance(node, ast.ImportFrom) and name in {alias.name for alias in node.names}

    asked = {module for module in who_imports("first_free") if stage_of(module) == "plan"}
    assert asked == {"ompc.plan.rewrites.free_names"}
    assert all(module.startswith("ompc.plan.rewrites.") for module in who_imports("FreeNames"))


ENTRIES = {"analyse", "resolved", "transformed", "for_kernels", "find_parallel_loops", "analyse_loops", "make_plan"}
"""The stages' own functions."""


@of_each(sorted((ROOT / "tests").rglob("*.py")))
def test_tests_use_the_pipeline_of_programs(path: Path) -> None:
    """`ompc.driver.compile_to`, which leaves no stage out; one stage alone is a unit's test."""
    imported = (node for node in nodes_of(path) if isinstance(node, ast.ImportFrom) and node.level == 0)
    names = {alias.name for node in imported if (node.module or "").startswith("ompc") for alias in node.names}
    assert len(names & ENTRIES) <= 1, f"{path} puts stages together: {sorted(names & ENTRIES)}"


@of_each(MODULES)
def test_sizes(path: Path) -> None:
    text = path.read_text()
    lines = len(text.splitlines())
    assert lines <= MODULE_LINES, f"{path} has {lines} lines"
    for node in nodes_of(path):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            assert lines <= FUNCTION_LINES, f"{path}:{node.lineno}: {node.name} has {lines} lines"


@of_each(sorted({path.parent for path in MODULES}))
def test_folders_have_few_modules(folder: Path) -> None:
    """One with more is divided."""
    assert len(list(folder.glob("*.py"))) <= FOLDER_MODULES


@of_each(MODULES)
def test_names_say_something(path: Path) -> None:
    assert path.stem not in {"utils", "util", "helpers", "helper", "misc", "common"}


SIGNALLED = (PACKAGE / "__main__.py", PACKAGE / "base" / "ending.py")
"""They end the process when it is told to."""
COMMANDS = (
    *((PACKAGE / "cli").glob("*.py")), *((PACKAGE / "cc").glob("*.py")), *SIGNALLED,
    PACKAGE / "python" / "load.py", PACKAGE / "python" / "magic.py",
)  # fmt: skip
FORBIDDEN_CALLS = {"print", "exit", "quit", "input", "breakpoint"}
FORBIDDEN_ATTRIBUTES = {
    ("sys", "exit"), ("sys", "stdout"), ("sys", "stderr"), ("sys", "stdin"), ("sys", "argv"),
    ("os", "environ"), ("os", "getenv"), ("os", "putenv"), ("os", "_exit"), ("os", "abort"),
}  # fmt: skip


@of_each([p for p in MODULES if p not in COMMANDS])
def test_only_commands_print_exit_and_read_the_environment(path: Path) -> None:
    for node in nodes_of(path):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in FORBIDDEN_CALLS, f"{path}:{node.lineno}: {node.func.id}()"
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            pair = (node.value.id, node.attr)
            assert pair not in FORBIDDEN_ATTRIBUTES, f"{path}:{node.lineno}: {'.'.join(pair)}"
        if isinstance(node, ast.ImportFrom) and node.module in {"os", "sys"}:
            names = {(node.module, alias.name) for alias in node.names}
            assert not names & FORBIDDEN_ATTRIBUTES, f"{path}:{node.lineno}"


def test_the_rules_are_not_vacuous() -> None:
    assert len(MODULES) > 20
    imported = {module for path in MODULES for module, _ in imports_of(path)}
    assert "ompc.omp.reading.directives" in imported and "spelling" in (PACKAGE / "ir" / "tree.py").read_text()
    known = ast.walk(ast.parse((PACKAGE / "ir" / "exits.py").read_text()))
    assert any({getattr(part, "attr", "") for part in classes_together(node)} >= JUMPS for node in known)
    follows = ast.walk(ast.parse("match e:\n case t.IncDec(operand=x) | t.Assign(target=x):\n  pass"))
    assert any(map(takes_targets, follows))
    assert "ompc.toolchain.machine.cc" in imported and "pycparser" in {module.split(".")[0] for module in imported}
