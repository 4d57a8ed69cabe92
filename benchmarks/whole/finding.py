"""A first list of the programs in a folder, which its user then corrects; nothing is built or run for it.

    npb/CG/Makefile has -fopenmp, npb/CG/cg.c a pragma    build = 'make CC="$CC"'
    examples/pi.c has main and a pragma, no Makefile      build = "$CC -O3 -fopenmp -w pi.c -lm -o $OUT"

A file with a pragma belongs to the nearest Makefile above it, if that one (or what it includes) mentions OpenMP, and
lies beside it or is the only program under it. Other files with `main` are programs with the files beside them that
have none. A header that is not there, but somewhere else once, brings its folder and the C file of its name.

In: a folder.   Out: text of a list, as listing.py reads it.   Not here: whether any of it is right.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
MAIN = re.compile(r"\bmain\s*\([^;{}()]*\)\s*(?:[\w\s*\[\],]+;\s*)*\{")
"""Also with the types of its parameters behind them."""
PRAGMA = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+omp\b|_Pragma\s*\(\s*\"\s*omp\b", re.MULTILINE)
NOT_CODE = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
INCLUDED = re.compile(r'^[ \t]*#[ \t]*include[ \t]*["<]([^">]+)[">]', re.MULTILINE)
SYSTEM = Path("/usr/include")
OPENMP_OPTION = re.compile(r"-f?openmp|-qopenmp|-xopenmp|-mp\b|-homp\b", re.IGNORECASE)
MAKE_INCLUDES = re.compile(r"^-?include[ \t]+([^\n#]+)", re.MULTILINE)
COMPILER = re.compile(r"^(\w+)[ \t]*[:?]?=[ \t]*(?:\S*/)?(?:gcc|cc|icc|icx|clang|pgcc|nvc|xlc)\b", re.MULTILINE)
ASSIGNED = re.compile(r"^(\w+)[ \t]*[:?]?=[ \t]*([^#\n]*)", re.MULTILINE)
RULE = re.compile(r"^([^\s:#=][^:=\n]*):(?!=)[^\n]*\n((?:\t[^\n]*\n?)*)", re.MULTILINE)
OUTPUT = re.compile(r"\s-o[ \t]*(\S+)")
LARGEST = 2_000_000
IGNORED = r"(?i)time|seconds|\bm?s(ec)?\b|flops|threads|date"
HEAD = """\
# A first list: all of it is a guess. Of each program look at `build`, at `run` (arguments, and what `make` has made),
# and at `check`; delete what is no program. benchmarks/README.md of ompc has the keys.
"""


@dataclass(frozen=True, slots=True)
class Found:
    """A program, as far as it can be guessed; `remark` says of what to be careful."""

    name: str
    folder: Path
    build: str
    run: str = "$OUT"
    also: tuple[str, ...] = ()
    remark: str = ""


@dataclass(frozen=True)
class Tree:
    """The C files, headers and Makefiles of a folder."""

    root: Path

    @cached_property
    def files(self) -> tuple[Path, ...]:
        """All files but those of version control, in order; links are not followed."""
        found = []
        for where, folders, names in os.walk(self.root):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            found += [Path(where) / name for name in sorted(names)]
        return tuple(path for path in found if path.is_file())

    @cached_property
    def codes(self) -> Mapping[Path, str]:
        """The C files without comments."""
        wanted = (path for path in self.files if path.suffix == ".c" and path.stat().st_size <= LARGEST)
        return {path: NOT_CODE.sub(" ", path.read_text(encoding="utf-8", errors="replace")) for path in wanted}

    @cached_property
    def headers(self) -> Mapping[str, tuple[Path, ...]]:
        """Headers by name."""
        found: dict[str, tuple[Path, ...]] = {}
        for path in self.files:
            if path.suffix == ".h":
                found[path.name] = (*found.get(path.name, ()), path)
        return found

    @cached_property
    def makefiles(self) -> Mapping[Path, str]:
        """The text of each folder's Makefile, with the files that it includes, where they can be found."""
        at = {(path.parent, path.name): path for path in self.files if path.name in MAKEFILES}
        folders = {folder for folder, _ in at}
        first = {folder: next(at[folder, name] for name in MAKEFILES if (folder, name) in at) for folder in folders}
        return {folder: "".join(_with_included(path)) for folder, path in first.items()}

    def makefile_of(self, path: Path) -> Path | None:
        """The nearest folder with a Makefile."""
        inside = [folder for folder in path.parents if folder.is_relative_to(self.root)]
        return next((folder for folder in inside if folder in self.makefiles), None)

    def has_main(self, path: Path) -> bool:
        """Is it the file with which a program begins?"""
        return MAIN.search(self.codes[path]) is not None


def _with_included(path: Path) -> Iterator[str]:
    text = path.read_text(encoding="utf-8", errors="replace")
    for names in MAKE_INCLUDES.findall(text):
        for other in (path.parent / name for name in names.split() if "$" not in name):
            if other.is_file():
                yield other.read_text(encoding="utf-8", errors="replace") + "\n"
    yield text + "\n"


def first_list(folder: Path) -> tuple[str, int]:
    """The text of a list of the programs in `folder`, and how many there are."""
    tree = Tree(folder.resolve())
    parallel = [path for path, code in tree.codes.items() if PRAGMA.search(code)]
    found, covered = _by_makefiles(tree, parallel)
    found += [_alone(tree, path) for path in parallel if path not in covered and tree.has_main(path)]
    found.sort(key=lambda program: (program.folder, program.name))
    return _text(tree, found), len(found)


def _by_makefiles(tree: Tree, parallel: Sequence[Path]) -> tuple[list[Found], set[Path]]:
    """The programs that `make` builds, and the files that are theirs."""
    groups: dict[Path, list[Path]] = {}
    for path in parallel:
        folder = tree.makefile_of(path)
        if folder is not None and OPENMP_OPTION.search(tree.makefiles[folder]):
            groups.setdefault(folder, []).append(path)
    found, covered = [], set()
    for folder, paths in groups.items():
        beside = [path for path in paths if path.parent == folder]
        single = sum(tree.has_main(path) for path in paths) == 1
        if beside or single:
            found.append(_made(tree, folder))
            covered |= set(paths if single else beside)
    return found, covered


def _made(tree: Tree, folder: Path) -> Found:
    text = tree.makefiles[folder]
    compilers = COMPILER.findall(text) or ["CC"]
    compiler = "CC" if "CC" in compilers else compilers[0]
    program = next(iter(_outputs(text)), None)
    remark = "which file make writes is a guess" if program else "make writes a file that is not known"
    if not re.search(rf"\$[({{]{compiler}[)}}]", text):
        remark += f"; is {compiler} the compiler in this Makefile?"
    run = program or folder.name
    return Found(folder.name, folder, f'make {compiler}="$CC"', run if "/" in run else f"./{run}", remark=remark)


def _outputs(text: str) -> Iterator[str]:
    """What the rules of a Makefile link."""
    values = {name: value.strip() for name, value in ASSIGNED.findall(text)}
    for targets, recipe in RULE.findall(text):
        for line in recipe.replace("\\\n", " ").splitlines():
            for output in OUTPUT.findall(line) if not re.search(r"\s-c\b", line) else ():
                name = _expanded(output.replace("$@", targets.split()[0]), values)
                if re.fullmatch(r"[\w.+/-]+", name) and not name.endswith(".o"):
                    yield name


def _expanded(text: str, values: Mapping[str, str]) -> str:
    for _ in range(5):
        text = re.sub(r"\$[({](\w+)[)}]", lambda match: values.get(match.group(1), match.group()), text)
    return text


def _alone(tree: Tree, path: Path) -> Found:
    beside = [other for other in tree.codes if other.parent == path.parent and not tree.has_main(other)]
    headers = _headers_elsewhere(tree, (path, *beside))
    linked = [code for header in headers if (code := header.with_suffix(".c")) in tree.codes]
    folders = sorted({header.parent for header in headers})
    options = [f"-I{_quoted(os.path.relpath(folder, path.parent))}" for folder in folders]
    files = [_quoted(os.path.relpath(code, path.parent)) for code in (path, *beside, *linked)]
    build = " ".join(["$CC -O3 -fopenmp -w", *options, *files, "-lm -o $OUT"])
    also = tuple(folder.relative_to(tree.root).as_posix() for folder in folders)
    return Found(path.stem, path.parent, build, also=also)


def _headers_elsewhere(tree: Tree, paths: Iterable[Path]) -> list[Path]:
    """Headers that these files include, which are not beside them but once in the tree."""
    found: dict[Path, None] = {}
    for path in paths:
        for name in INCLUDED.findall(tree.codes[path]):
            candidates = tree.headers.get(Path(name).name, ())
            elsewhere = not (path.parent / name).exists() and not (SYSTEM / name).exists()
            if elsewhere and "/" not in name and len(candidates) == 1:
                found[candidates[0]] = None
    return list(found)


def _quoted(text: str) -> str:
    return text if re.fullmatch(r"[\w./+-]+", text) else "'" + text.replace("'", "'\\''") + "'"


def _text(tree: Tree, found: Sequence[Found]) -> str:
    suites = sorted({_suite(tree, program) for program in found} - {""})
    blocks = [HEAD, *(f"[suite.{_toml(suite)}]\n{_CHECK}" for suite in suites)]
    seen: set[tuple[str, str]] = set()
    for program in found:
        suite, name = _suite(tree, program), program.name
        inside = program.folder.relative_to(tree.root).as_posix()
        if (suite, name.lower()) in seen:
            name = f"{inside.replace('/', '_')}_{name}"
        seen.add((suite, name.lower()))
        lines = [f"[[program]]\nname = {_toml(name)}", f"suite = {_toml(suite)}" if suite else _CHECK.rstrip()]
        lines += [f"folder = {_toml(inside)}"] if inside != "." else []
        lines += [f"also = {_toml(list(program.also))}"] if program.also else []
        lines += [f"build = {_toml(program.build)}", f"run = {_toml(program.run)}{_remark(program)}"]
        blocks.append("\n".join(lines) + "\n")
    return "\n".join(blocks)


_CHECK = f'check = "numbers 1e-6"\nignore = {json.dumps(IGNORED)}\n'


def _suite(tree: Tree, program: Found) -> str:
    """The folder directly in the user's, for programs that lie deeper."""
    parts = program.folder.relative_to(tree.root).parts
    return parts[0] if len(parts) > 1 else ""


def _remark(program: Found) -> str:
    return f"    # {program.remark}" if program.remark else ""


def _toml(value: str | list[str]) -> str:
    return json.dumps(value, ensure_ascii=False)
