"""Diagnostics are values: a code, a place, a message, notes and help.

Three kinds (`Kind`): the user's error, "not supported, so on the host", and our own bug. Every code is declared in the
table below with its title, has a section in docs/diagnostics.md and a test case.

    OMPC1xx  the input cannot be compiled: files, C, options        (user's error)
    OMPC2xx  OpenMP directives and clauses                          (user's error or warning)
    OMPC3xx  a loop stays on the host, and why                      (unsupported)
    OMPC4xx  tools and machines: compilers, nvcc, GPU, running      (user's error or warning; from 450 on at run time)
    OMPC9xx  ompc itself is wrong                                   (bug)
"""

from __future__ import annotations

from enum import Enum

from ompc.base.frozen import dataclass
from ompc.base.source import Location
from ompc.base.visible import one_line, visible


class Kind(Enum):
    ERROR = "error"
    WARNING = "warning"
    HOST = "host"
    BUG = "internal error"


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a loop stays on the host: an OMPC3xx code and one sentence; `at` is the construct that is to blame."""

    code: str
    message: str
    at: Location | None = None


class StaysOnHost(Exception):
    """Ends the question whether a loop can go to the device: `reason` says why not. Who asks it catches it."""

    def __init__(self, code: str, message: str, at: Location | None = None) -> None:
        super().__init__(message)
        self.reason = Reason(code, message, at)


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One message. `notes` follow it, each on its own line; `help` says what the user can do."""

    code: str
    kind: Kind
    message: str
    at: Location | None = None
    notes: tuple[str, ...] = ()
    help: str | None = None


class CompileError(Exception):
    """Stops the pipeline: the diagnostics are the user's whole message. Only the CLI catches it."""

    def __init__(self, *diagnostics: Diagnostic) -> None:
        super().__init__("\n".join(f"{d.code}: {d.message}" for d in diagnostics))
        self.diagnostics = diagnostics


class InternalError(Exception):
    """ompc itself is wrong: a stage's product breaks an invariant. The message holds the product's text form."""


TITLES: dict[str, str] = {
    "OMPC101": "the C compiler rejects the file",
    "OMPC102": "no such file",
    "OMPC103": "the file cannot be read as C text",
    "OMPC104": "no C compiler",
    "OMPC105": "the file cannot be analysed, so that all of it stays on the host",
    "OMPC106": "a line break in a name or an option",
    "OMPC107": "a file in another language than C",
    "OMPC108": "a compilation database that cannot be used",
    "OMPC201": "a pragma that is nearly an OpenMP directive",
    "OMPC202": "iterations that access the same element",
    "OMPC203": "a variable that iterations change and share",
    "OMPC204": "a shared variable that each iteration writes first",
    "OMPC303": "a loop inside another parallel construct",
    "OMPC304": "a clause that is not supported",
    "OMPC305": "a bound or argument with side effects",
    "OMPC307": "no line can be inserted above the pragma",
    "OMPC308": "a form of loop that is not supported",
    "OMPC309": "threadprivate data",
    "OMPC310": "a function that ompc cannot read",
    "OMPC311": "a pragma whose text cannot be read",
    "OMPC312": "the loop's variable or bounds change in its body",
    "OMPC313": "a directive in the body that ties iterations together",
    "OMPC314": "an object with static storage declared in the loop",
    "OMPC315": "a construct that is not supported",
    "OMPC316": "a part of the loop that ompc cannot read",
    "OMPC320": "a call to a function without a device version",
    "OMPC321": "a recursive function",
    "OMPC322": "a function pointer",
    "OMPC323": "a type that the device does not have",
    "OMPC324": "a statement that cannot run on the device",
    "OMPC325": "a variable-length array of the loop's own",
    "OMPC326": "a static variable of a called function",
    "OMPC327": "a volatile or atomic object",
    "OMPC328": "a stored pointer that cannot be followed",
    "OMPC329": "a pointer whose target is not known",
    "OMPC330": "a directive inside the loop's code",
    "OMPC331": "a shared variable that is read and written",
    "OMPC332": "a variable that cannot be named where the loop starts",
    "OMPC333": "too much private memory for each thread",
    "OMPC334": "a string constant",
    "OMPC336": "a result that cannot come back from the device",
    "OMPC337": "a struct whose layout is not known",
    "OMPC339": "a result that depends on the thread",
    "OMPC340": "a program that creates threads of its own",
    "OMPC341": "too many values passed to one kernel",
    "OMPC342": "a host text that cannot be edited",
    "OMPC343": "collapsed loops that no grid can have",
    "OMPC344": "a reduction variable that is more than accumulated into",
    "OMPC345": "a thread's own variable that carries a value into or out of the loop",
    "OMPC348": "an atomic or critical that is no single operation",
    "OMPC349": "iterations that wait for one another",
    "OMPC350": "a reduction that the device cannot do",
    "OMPC351": "at run time: a reduction that depends on the number of threads",
    "OMPC352": "a copy that a target or teams construct has of a variable",
    "OMPC353": "a loop beside other code of a teams region",
    "OMPC354": "a target region without a loop for the device",
    "OMPC355": "iterations that may depend on earlier ones",
    "OMPC356": "a loop that the user keeps on the host",
    "OMPC357": "a `#pragma cuda` or `#pragma ompc` that is not followed",
    "OMPC358": "a placement that the user asks for and that cannot be",
    "OMPC359": "a list or tree",
    "OMPC360": "a pointer that the loop stores",
    "OMPC361": "the value of a pointer",
    "OMPC362": "a print that the host cannot do for the loop",
    "OMPC363": "a program that changes how floating-point numbers are computed",
    "OMPC364": "threads that wait for one another beside the loop",
    "OMPC365": "a program that enters the system by assembly",
    "OMPC366": "a question about elements that is too large",
    "OMPC367": "the phases of a scan that cannot run apart",
    "OMPC368": "a loop in a function that nothing calls",
    "OMPC401": "no nvcc",
    "OMPC402": "no NVRTC",
    "OMPC403": "nvcc failed",
    "OMPC404": "the host compiler or the linker failed",
    "OMPC405": "the output folder is not ompc's to replace",
    "OMPC406": "the program was killed by a signal",
    "OMPC407": "no C++ compiler",
    "OMPC408": "an architecture that cannot be",
    "OMPC409": "the kernels run on the CPU",
    "OMPC410": "an output would replace what is not ompc's, or another output",
    "OMPC411": "a file cannot be written",
    "OMPC412": "the C compiler warns",
    "OMPC413": "the program cannot be started",
    "OMPC414": "the machine cannot be measured",
    "OMPC415": "the program wrote no profile",
    "OMPC416": "a GPU is required, and there is none",
    "OMPC417": "a loop that needs ompc's runtime, where plain output is asked for",
    "OMPC418": "`ompc lsp`: a Python package is missing",
    "OMPC419": "`ompc check`: a baseline that cannot be used",
    "OMPC420": "`ompc cc`: a setting that ompc does not have",
    "OMPC421": "`ompc cc`: a file that ompc could not compile for the device",
    "OMPC422": "`ompc cc`: a file that is compiled for the host alone",
    "OMPC423": "`ompc cc`: object files that do not go together",
    "OMPC424": "`ompc cc`: object files that create threads of their own",
    "OMPC425": "`ompc cc`: a file that is compiled again with the program's other files",
    "OMPC426": "`ompc cc`: calls of MPI that are not followed",
    "OMPC450": "at run time: no usable GPU",
    "OMPC451": "at run time: a loop reached inside an active parallel region",
    "OMPC452": "at run time: the extent of an array is not known",
    "OMPC453": "at run time: arrays overlap",
    "OMPC454": "at run time: not enough device memory",
    "OMPC455": "at run time: not enough host memory",
    "OMPC456": "at run time: the profile cannot be written",
    "OMPC457": "at run time: a thread of the team does not come to the loop while the others wait for it",
    "OMPC458": "at run time: the threads of the team have different values",
    "OMPC459": "at run time: measurements of the machine cannot be used",
    "OMPC460": "at run time: CUDA reports an error",
    "OMPC461": "emulation: an access out of bounds",
    "OMPC462": "emulation: too much local memory",
    "OMPC463": "emulation: a kernel that cannot go on",
    "OMPC464": "emulation: an access outside device memory",
    "OMPC465": "OMPC_VERIFY: the device and the host have different results",
    "OMPC467": "at run time: an array overlaps pointers that are followed",
    "OMPC468": "at run time: too much is printed",
    "OMPC469": "at run time: two copies that should be equal differ",
    "OMPC470": "at run time: several teams come to a loop",
    "OMPC471": "at run time: an array is used when the device has gone",
    "OMPC472": "at run time: a library that may not see page guards",
    "OMPC473": "at run time: a function that page guards do not go with",
    "OMPC474": "at run time: floating-point numbers are computed otherwise than usual",
    "OMPC475": "at run time: a loop that must be on the device cannot",
    "OMPC476": "at run time: a call of MPI behind which others may use memory at any time",
    "OMPC477": "at run time: a kernel leaves what it is said to overwrite",
    "OMPC478": "at run time: an iteration reads what it has not written",
    "OMPC480": "`ompc tune`: there is nothing to tune",
    "OMPC481": "`ompc tune`: the program does not give the host's answer on the device",
    "OMPC482": "output that cannot be compared",
    "OMPC483": "`ompc tune`: a shape gives another answer",
    "OMPC484": "measured shapes of launches cannot be used",
    "OMPC485": "`ompc bisect`: there is nothing to compare",
    "OMPC901": "internal error",
}
"""Every code that ompc and translated programs can print, with its title in docs/diagnostics.md."""


def format_diagnostic(diagnostic: Diagnostic, source_line: str | None = None, color: bool = False) -> str:
    """The message as gcc prints one, without a final newline.

    `source_line` is the text of the line at `diagnostic.at`; it is shown where the column is known, with a caret below.
    What of the user's text no terminal may get is shown as escapes (visible.py).
    Without a place the message starts with `ompc:`. HOST messages are one line. `color`: with a terminal's colours.
    """
    kind = "note" if diagnostic.kind is Kind.HOST else diagnostic.kind.value
    at = one_line(str(diagnostic.at or "ompc"))
    head = f"{_BOLD}{at}:{_PLAIN} {_COLORS[diagnostic.kind]}{kind}:{_PLAIN}" if color else f"{at}: {kind}:"
    lines = [f"{head} {one_line(diagnostic.message)} [{diagnostic.code}]"]
    if diagnostic.kind is Kind.HOST:
        return lines[0]
    if source_line is not None and diagnostic.at is not None and diagnostic.at.column > 0:
        lines += _excerpt(source_line, diagnostic.at, _COLORS[diagnostic.kind] if color else "")
    notes = map(visible, diagnostic.notes)
    lines += (f"  note: {note}" if "\n" not in note else note.rstrip("\n") for note in notes)
    if diagnostic.help is not None:
        lines.append(f"  help: {one_line(diagnostic.help)}")
    return "\n".join(lines)


_BOLD, _PLAIN = "\033[1m", "\033[0m"
_COLORS = {
    Kind.ERROR: "\033[1;31m",
    Kind.BUG: "\033[1;31m",
    Kind.WARNING: "\033[1;35m",
    Kind.HOST: "\033[1;36m",
}
"""The colors that gcc uses, by kind of message."""


def _excerpt(source_line: str, at: Location, color: str) -> list[str]:
    text = source_line.rstrip("\r\n")
    # Tabs are kept in front of the caret, so that it stands below its column whatever the terminal's tab width is.
    indent = "".join("\t" if c == "\t" else " " for c in one_line(text[: at.column - 1]))
    caret = f"{color}^{_PLAIN}" if color else "^"
    return [f"{at.line:5} | {one_line(text)}", f"      | {indent}{caret}"]
