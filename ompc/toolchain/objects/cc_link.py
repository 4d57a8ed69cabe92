"""Linking with `ompc cc`: what the device code in object files needs beside them, once for each program.

Every object that `ompc cc` made carries a mark, `ompc-object:cuda_0123abcd`: the target, and a hash of the runtime that
it was compiled with. The mark is found in objects, in the members of archives, and in shared libraries that are named
on the command line or lie in a -L directory; no mark, and the link is the host compiler's own affair. Else there are
added at the end

    ompc_rt.o, ompc_program.o     the runtime (runtime_object.py), and what only the link knows of the program
    -lcudart_static, -lcudart     CUDA's runtime; the shared one where shared libraries bring device code too, so that
                                  a process has one
    -lstdc++ -lm ...              what the launchers use

A shared library is complete in itself; in a process with several, the dynamic linker takes the first definition of all
that is ompc's, so that there is one table of blocks.

In: the command line, the objects.   Out: the words to add.   CompileError OMPC423: objects that do not go together.
"""

from __future__ import annotations

import mmap
import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ompc.base.diagnostics import CompileError, Diagnostic, Kind
from ompc.base.frozen import dataclass
from ompc.base.options import sanitizers_of
from ompc.base.resources import package_digest, runtime_digest
from ompc.toolchain.cache.cache import Cache
from ompc.toolchain.commands.commands import Variant, runtime_command, variant_of
from ompc.toolchain.commands.private_symbols import keeps_symbols, private_symbols
from ompc.toolchain.commands.runtime_object import runtime_object
from ompc.toolchain.commands.steps import Step, Workplace, run_together
from ompc.toolchain.machine.nvcc import cuda_libraries
from ompc.toolchain.machine.setting import Setting, Target
from ompc.toolchain.objects.cc_arguments import CommandLine

_MARK = re.compile(rb"ompc-object:(cuda|emulate)_([0-9a-f]{8})\0")
_CREATES_THREADS = re.compile(rb"(?:pthread_create|thrd_create|_ZNSt6thread15_M_start_thread\w*)\0")


@dataclass(frozen=True, slots=True)
class Contents:
    """What the inputs of a link hold.

    `marks`     those of objects and archives
    `shared`    those of shared libraries
    `threads`   the first input that creates threads
    `unmarked`  objects and archives without device code
    """

    marks: Mapping[tuple[str, str], Path]
    shared: Mapping[tuple[str, str], Path]
    threads: Path | None
    unmarked: tuple[Path, ...]

    @property
    def target(self) -> Target | None:
        """The target of the device code; None: there is none. CompileError OMPC423: several."""
        found = {**self.shared, **self.marks}
        wrong = [path for (target, digest), path in found.items() if digest != runtime_digest()[:8]]
        if wrong:
            raise _mixed(f"{wrong[0]} was compiled by another version of ompc")
        if len({target for target, _ in found}) > 1:
            paths = {target: path for (target, _), path in found.items()}
            raise _mixed(f"{paths['cuda']} was compiled for the GPU, {paths['emulate']} for the emulator")
        return next((Target(target) for target, _ in self.marks), None)


def _mixed(message: str) -> CompileError:
    return CompileError(Diagnostic("OMPC423", Kind.ERROR, message, help="compile all files again with this one"))


def linked_files(line: CommandLine, made: Mapping[int, Path]) -> dict[int, Path]:
    """The objects and archives that the command names, by position. `made`: what takes the place of inputs."""
    return {
        item.position: made.get(item.position, Path(item.text))
        for item in line.inputs
        if item.position in made or (not item.is_c and item.text != "-")
    }


def examine_inputs(line: CommandLine, made: Mapping[int, Path], front: Sequence[str] = ()) -> Contents:
    """Look into the objects, archives and libraries of the link. `made`: what takes the place of inputs; `front`: words
    in front of the command line's.
    """
    marks: dict[tuple[str, str], Path] = {}
    shared: dict[tuple[str, str], Path] = {}
    threads: Path | None = None
    unmarked: list[Path] = []
    named = linked_files(line, made).values()
    for path in (*named, *libraries([*front, *line.words])):
        for part in _parts(path):
            content = _content(part)
            found = {(m[1].decode(), m[2].decode()): path for m in _MARK.finditer(content)}
            if re.search(r"\.so(\.|$)", part.name):
                shared.update(found)
                continue
            marks.update(found)
            if threads is None and path in named and _CREATES_THREADS.search(content):
                threads = path
            if not found and path in named:
                unmarked.append(part)
    return Contents(marks, shared, threads, tuple(unmarked))


def _content(path: Path) -> bytes | mmap.mmap:
    try:
        with path.open("rb") as file:
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError):  # not there, empty, no file: the linker will say so
        return b""


def _parts(path: Path) -> Iterator[Path]:
    """The file itself; the members of a thin archive, which holds only their names."""
    yield path
    content = _content(path)
    if content[:8] == b"!<thin>\n":
        listed = subprocess.run(["ar", "t", str(path)], capture_output=True, text=True, check=False).stdout
        yield from (Path(name) for name in listed.splitlines())


def libraries(words: Sequence[str]) -> Iterator[Path]:
    """The files of -lNAME in the -L directories; the system's own libraries have no device code."""
    joined = "\0".join(words)
    directories = [Path(value) for value in re.findall(r"(?:^|\0)-L\0?([^\0]+)", joined)]
    static = "-static" in words
    for name in re.findall(r"(?:^|\0)-l\0?([^\0]+)", joined):
        usual = [f"lib{name}.a"] if static else [f"lib{name}.so", f"lib{name}.a"]
        names = [name[1:]] if name.startswith(":") else usual
        candidates = (directory / file for directory in directories for file in names)
        yield from [path for path in candidates if path.is_file()][:1]


def link_words(
    contents: Contents,
    line: CommandLine,
    setting: Setting,
    cache: Cache,
    directory: Path,
    mpi: Step | None = None,
) -> list[str]:
    """What to add to the end of the link's command line. `mpi`: what stands in front of MPI (cc_mpi.py)."""
    facts = directory / "ompc_program.c"
    text = program_text(contents.unmarked, contents.threads is not None)
    facts.write_text(text)
    variant, known = variant_of_link(line), directory / "ompc_program.o"
    command = runtime_command(setting, variant, facts, known)
    steps = [Step(command, known, "OMPC404", "the C compiler rejects ompc's runtime", (text, package_digest()))]
    steps += [] if mpi is None else [mpi]
    place = Workplace(directory, setting, {})
    run_together(steps, place, cache)
    objects = [runtime_object(place, variant, cache), *(step.output for step in steps)]
    words = ["-x", "none", *map(str, objects), *_private_words(contents, line, directory)]
    if contents.target is Target.CUDA:
        words += cuda_words(setting, shared="-shared" in line.words or bool(contents.shared))
    static = "-static-libstdc++" in line.words  # which a C compiler does not know
    return [*words, *(("-Wl,-Bstatic", "-lstdc++", "-Wl,-Bdynamic") if static else ("-lstdc++",)), "-lm"]


def _private_words(contents: Contents, line: CommandLine, directory: Path) -> list[str]:
    if not keeps_symbols(line.words, shares=bool(contents.shared)):
        return []
    script = directory / "ompc_private.map"
    script.write_text(private_symbols(line.words))
    return [f"-Wl,--version-script={script}"]


def program_text(plain: Sequence[Path], creates_threads: bool) -> str:
    """The C file that says what only the linking command knows of the program: whether it creates threads, and the
    objects of files without device code, whose extent a kernel of another file may need (`extern double a[];`)."""
    lines = ["/* What is known of the program when it is linked. */", '#include "ompc_host.h"']
    if creates_threads:
        lines.append('const char ompc_program_creates_threads[] = "its loops run on the host";')
    known = sorted(_objects_of(plain).items())
    for number, (name, _) in enumerate(known):  # weak: no member of an archive is linked for it
        lines.append(f'extern const char object_{number}[] __asm__("{name}") __attribute__((__weak__));')
    if known:
        entries = ", ".join(f"{{object_{number}, {size}}}" for number, (_, size) in enumerate(known))
        lines.append(f"OMPC_GLOBALS({entries})")
    return "\n".join(lines) + "\n"


_OBJECT = re.compile(
    r"\s*\d+:\s+[0-9a-f]+\s+(\d+|0x[0-9a-f]+)\s+(?:OBJECT|COMMON)\s+GLOBAL\s+\S+\s+(?!UND)\S+\s+(\w+)\s*"
)


def _objects_of(paths: Sequence[Path]) -> dict[str, int]:
    """The objects with external linkage that the object files and archives define, with their sizes."""
    files = [str(path) for path in paths if path.is_file()]
    if not files:
        return {}
    listed = subprocess.run(["readelf", "-sW", *files], capture_output=True, text=True, errors="replace", check=False)
    found = (match.groups() for line in listed.stdout.splitlines() if (match := _OBJECT.fullmatch(line)))
    return {name: int(size, 0) for size, name in found if int(size, 0) > 0}


def variant_of_link(line: CommandLine) -> Variant:
    return variant_of(sanitizers_of(line.flags), line.words)


def cuda_words(setting: Setting, shared: bool) -> list[str]:
    """CUDA's runtime library, by the directory it lies in."""
    assert setting.nvcc is not None
    library = "libcudart.so" if shared else "libcudart_static.a"
    places = cuda_libraries(setting.nvcc, setting.environ)
    directory = next((place for place in places if list(place.glob(library + "*"))), None)
    if directory is None:
        message = f"{library} was not found where {setting.nvcc.path} has its libraries"
        raise CompileError(Diagnostic("OMPC401", Kind.ERROR, message, help="install CUDA's runtime library"))
    if not shared:
        return [f"-L{directory}", "-lcudart_static", "-lrt", "-lpthread", "-ldl"]
    exact = sorted(directory.glob("libcudart.so*"))[0]  # PyPI's packages have libcudart.so.13 alone
    return [str(exact), f"-Wl,-rpath,{directory}"]
