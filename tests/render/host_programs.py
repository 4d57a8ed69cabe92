"""Plans small programs and runs their host text with launchers that always refuse: it must then be the original."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from ompc.base.options import Level, Options
from ompc.base.resources import Runtime, include_words, runtime_units
from ompc.driver import compile_to
from ompc.frontend import Preprocessed, preprocess
from ompc.plan.model.plan import Plan
from ompc.render.host.host import header_text, headers, host_text

ONE_LOOP = """\
int n = 10;
double a[10];
int main(void)
{
    int i;
    #pragma omp parallel for
    for (i = 0; i < n; i++)
        a[i] = i;
    return 0;
}
"""


@dataclass
class Planned:
    plan: Plan
    original: Preprocessed
    options: Options

    @property
    def host(self) -> str:
        return host_text(self.plan, self.original)

    @property
    def added(self) -> list[str]:
        """The lines of the host text that the user did not write, stripped."""
        own = self.original.source.splitlines()
        return [line.strip() for line in self.host.splitlines() if line not in own]


def planned(directory: Path, text: str, level: Level = Level.AUTO, flags: tuple[str, ...] = ()) -> Planned:
    """The plan of `text` as `program.c`."""
    source = directory / "program.c"
    source.write_bytes(text.encode())
    options = Options(level=level, cpp_flags=flags)
    return Planned(compile_to("plan", source, options), preprocess(source, options), options)


def run_both(program: Planned, directory: Path, *flags: str) -> tuple[str, str]:
    """What the original prints, and the host text with launchers that return 0; both under the sanitizers."""
    folder = directory / "folder"
    folder.mkdir()
    (folder / "program.c").write_bytes(program.host.encode())
    for name, text in headers(program.plan, program.original).items():
        (folder / name).write_text(text)
    launchers = re.findall(r"^(int ompc_\w+\([^;]*\));", header_text(program.plan), re.MULTILINE)
    answers = {"int ompc_all_stay(int loops)": "loops > 1", **dict.fromkeys(launchers, "0")}
    (folder / "launchers.c").write_text("".join(f"{head} {{ return {it}; }}\n" for head, it in answers.items()))
    sources = [folder / "program.c", folder / "launchers.c", *runtime_units(Runtime.COMMON, suffix=".c")]
    return (
        _printed([directory / "program.c"], directory / "original", flags),
        _printed(sources, directory / "translated", ("-Wno-unused-parameter", *include_words(Runtime.COMMON), *flags)),
    )


def _printed(sources: list[Path], program: Path, flags: tuple[str, ...]) -> str:
    checked = ["-fopenmp", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    subprocess.run(["cc", *checked, *flags, *map(str, sources), "-o", str(program), "-lm"], check=True)
    return subprocess.run([program], check=True, capture_output=True, text=True).stdout
