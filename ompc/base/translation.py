"""What the pipeline hands to whoever writes, builds or explains it: text and plain data, nothing of the stages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from ompc.base.diagnostics import Diagnostic
from ompc.base.frozen import dataclass, field


@dataclass(frozen=True, slots=True)
class Excerpt:
    """What the device file has of one loop: the `kernel`, with other kernels and functions that it needs, and the
    `launcher`.
    """

    kernel: str
    launcher: str


@dataclass(frozen=True, slots=True)
class Translation:
    """One translated source file. Bytes of the user's that are no UTF-8 are surrogate escapes in all texts.

    `files` has what was generated, by its name in the folder: `jacobi.c`, `jacobi.cu`, `jacobi.ompc.h`, `Makefile`.
    The runtime's files are not among them: they come from `ompc.base.resources` when the folder is written or built.
    `host_file` and `device_file` follow from `name`.
    """

    name: str
    files: Mapping[str, str]
    make_report: Callable[[], Mapping[str, object]]
    diagnostics: tuple[Diagnostic, ...] = ()
    dumps: Mapping[str, str] = field(default_factory=dict)
    """The product of each stage as text, in the order of the pipeline."""
    dependencies: tuple[Path, ...] = ()
    """Every file that was read: the source and all it includes."""
    has_device_code: bool = True
    """If this is false, no loop runs on the device, and the host file is all of the program."""
    text_beside_device_code: str | None = None
    """The host file of a file without device code in a program that has some: its arrays get pages of their own there.
    None: it is the same.
    """
    contracts: bool = True
    """The compiler of the device file may contract products and sums, unless --fp forbids it."""
    plain: bool = False
    """It needs nothing of the runtime."""
    offloads: bool = False
    """The host file has target constructs."""
    loops: tuple[int, int] = (0, 0)
    """The number of parallel loops, and how many of them are for the device."""
    missing: tuple[str, ...] = ()
    """Functions that loops on the host call, and whose source another file may have."""
    asks: tuple[str, ...] = ()
    """Functions of other files that threads of a team call as they ask for their number."""
    has_unseen_teams: bool = False
    """The teams of loops on the device run code of other files, too, where their threads may wait for one another."""
    make_excerpts: Callable[[], Mapping[str, Excerpt]] = dict
    """Makes excerpts of the device file, for people, by the id that a loop has in the report."""
    make_device_files: Callable[[], Mapping[str, str]] = dict
    """Makes the device file as two, for a folder whose runtime is a library: `jacobi.cu` with the kernels, and
    `jacobi_launchers.cu`, which includes it.
    """
    make_kernels: Callable[[], str] = str
    """Makes the text of the device file without launchers; code in it names the user's lines."""

    @property
    def report(self) -> Mapping[str, object]:
        """The report for machines (schema 1), ready for `json.dumps`; it is made when it is asked for."""
        return self.make_report()

    @property
    def host_file(self) -> str:
        return f"{self.name}.c"

    @property
    def device_file(self) -> str:
        return f"{self.name}.cu"
