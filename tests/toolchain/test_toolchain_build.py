"""Building, with a translation made by hand and compilers that count how often they are started."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import made_by_hand
import pytest
from prepared_runtime import keeping_c_compiler, keeping_nvcc

from ompc.base.diagnostics import CompileError, Kind
from ompc.base.options import FloatingPoint, Options
from ompc.base.translation import Translation
from ompc.toolchain.build import Build, build_program
from ompc.toolchain.cache.cache import Cache
from ompc.toolchain.commands.commands import Scratch, device_command, link_command
from ompc.toolchain.machine.flags import Flags
from ompc.toolchain.machine.setting import Request, Setting, Target, choose_setting

COUNTED = ("cc", "c++", "gcc", "g++", "nvcc")


class Bench:
    """A source file, a cache, and a PATH on which every compiler first writes a line to a log.

    `known`: what some of them are.
    """

    def __init__(self, directory: Path, known: Mapping[str, str]) -> None:
        self.directory = directory
        self.source = made_by_hand.write_source(directory)
        self.cache = Cache(directory / "cache")
        self.log = directory / "started"
        self.translated = 0
        wrappers = directory / "bin"
        wrappers.mkdir()
        for name in COUNTED:
            real = known.get(name) or shutil.which(name)
            if real:
                (wrappers / name).write_text(f'#!/bin/sh\necho {name} >> {self.log}\nexec {real} "$@"\n')
                (wrappers / name).chmod(0o755)
        self.environ: Mapping[str, str] = {**os.environ, "PATH": f"{wrappers}:{os.environ['PATH']}"}

    def request(self, target: Target = Target.EMULATE, flags: Flags | None = None) -> Request:
        return Request(self.source, Options(), flags or Flags(compile=("-O0",)), target)

    def build(self, request: Request, output: str = "program") -> Build:
        setting = choose_setting(request, self.environ)
        return build_program(request, setting, self.translate, self.directory / output, self.cache)

    def translate(self) -> Translation:
        self.translated += 1
        return made_by_hand.translation(self.source)

    def starts(self) -> int:
        """Compilers started since the last call."""
        count = len(self.log.read_text().splitlines()) if self.log.exists() else 0
        self.log.unlink(missing_ok=True)
        return count

    def run(self, *arguments: str, output: str = "program") -> tuple[int, str]:
        done = subprocess.run([self.directory / output, *arguments], capture_output=True, text=True)
        return done.returncode, done.stdout


@pytest.fixture
def bench(tmp_path: Path, runtime_folder: Path, emulating_cxx: str) -> Bench:
    known = {"cc": keeping_c_compiler(runtime_folder), "c++": emulating_cxx}
    nvcc = {"nvcc": keeping_nvcc(runtime_folder)} if shutil.which("nvcc") else {}  # another finds its libraries itself
    return Bench(tmp_path, known | nvcc)


def test_emulated_build_runs_and_names_the_users_file(bench: Bench) -> None:
    assert not bench.build(bench.request()).from_cache
    assert bench.run("7") == (7, f"{bench.source} 14\n")


def test_second_build_starts_no_compiler_and_says_the_same(bench: Bench) -> None:
    first = bench.build(bench.request())
    assert bench.starts() > 0
    second = bench.build(bench.request(), "other")
    assert bench.starts() == 0
    assert bench.translated == 1
    assert second.from_cache and second.diagnostics == first.diagnostics
    assert bench.run(output="other") == (0, f"{bench.source} 42\n")


def test_changes_that_matter_build_again(bench: Bench) -> None:
    bench.build(bench.request())
    bench.source.write_text(made_by_hand.SOURCE.replace("21", "22"))
    assert not bench.build(bench.request()).from_cache
    assert bench.run() == (0, f"{bench.source} 44\n")
    (bench.directory / "amount.h").write_text("#define AMOUNT 5\n")
    assert not bench.build(bench.request()).from_cache
    assert not bench.build(bench.request(flags=Flags(preprocess=("-DX",), compile=("-O0",)))).from_cache
    assert not bench.build(bench.request(Target.HOST)).from_cache
    assert bench.build(bench.request()).from_cache


def test_a_change_of_the_host_file_alone_compiles_only_that(bench: Bench) -> None:
    bench.build(bench.request())
    bench.starts()
    bench.source.write_text(made_by_hand.SOURCE + "/* more */\n")
    bench.build(bench.request())
    assert bench.starts() == 2, "the host file and the link"


def test_another_compiler_builds_again(bench: Bench) -> None:
    bench.build(bench.request())
    wrapper = bench.directory / "bin" / "cc"
    wrapper.write_text(wrapper.read_text() + "# another version\n")
    assert not bench.build(bench.request()).from_cache


def test_the_time_of_day_is_not_cached(bench: Bench) -> None:
    bench.source.write_text(made_by_hand.SOURCE + "const char *when = __TIME__;\n")
    bench.build(bench.request(Target.HOST))
    assert not bench.build(bench.request(Target.HOST)).from_cache


def test_host_target_builds_the_users_file_without_translating(bench: Bench) -> None:
    bench.build(bench.request(Target.HOST))
    assert bench.translated == 0
    assert bench.run("4") == (0, f"{bench.source} 8\n")
    bench.starts()
    assert bench.build(bench.request(Target.HOST)).from_cache
    assert bench.starts() == 0


def test_program_without_device_code_is_the_users_own(bench: Bench) -> None:
    request = bench.request()
    setting = choose_setting(request, bench.environ)
    plain = replace(made_by_hand.translation(bench.source), has_device_code=False)
    build_program(request, setting, lambda: plain, bench.directory / "program", bench.cache)
    assert bench.run("4") == (0, f"{bench.source} 8\n")


def test_a_linker_error_is_a_diagnostic_and_leaves_nothing(bench: Bench) -> None:
    bench.source.write_text("int missing(void); int main(void) { return missing(); }\n")
    with pytest.raises(CompileError) as caught:
        bench.build(bench.request(Target.HOST))
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "OMPC404" and "missing" in diagnostic.notes[0]
    assert not (bench.directory / "program").exists()


def test_a_device_file_that_does_not_compile(bench: Bench) -> None:
    request = bench.request()
    broken = made_by_hand.translation(bench.source)
    broken = replace(broken, files={**broken.files, "twice.cu": "int f() { return nothing; }\n"})
    with pytest.raises(CompileError) as caught:
        build_program(
            request, choose_setting(request, bench.environ), lambda: broken, bench.directory / "program", bench.cache
        )
    assert caught.value.diagnostics[0].code == "OMPC404"
    assert "twice.cu:1" in caught.value.diagnostics[0].notes[0]


def test_warnings_are_shown_to_who_asks_for_them(bench: Bench) -> None:
    bench.source.write_text(made_by_hand.SOURCE.replace("int x[AMOUNT];", "int x[AMOUNT]; int idle;"))
    quiet = bench.build(bench.request())
    assert not [d for d in quiet.diagnostics if d.code == "OMPC412"]
    flags = Flags(compile=("-O0", "-Wall"))
    for _ in range(2):  # compiled, then from the cache
        (warning,) = [d for d in bench.build(bench.request(flags=flags)).diagnostics if d.code == "OMPC412"]
        assert warning.kind is Kind.WARNING and "twice.c" in warning.notes[0] and "idle" in warning.notes[0]


def test_an_output_that_cannot_be_written(bench: Bench) -> None:
    with pytest.raises(CompileError) as caught:
        bench.build(bench.request(Target.HOST), "no/such/folder/program")
    assert caught.value.diagnostics[0].code == "OMPC411"


def test_no_compilers_at_all(bench: Bench) -> None:
    nothing = {"PATH": str(bench.directory / "empty")}
    for target, code in ((Target.EMULATE, "OMPC104"), (Target.HOST, "OMPC104")):
        with pytest.raises(CompileError) as caught:
            choose_setting(bench.request(target), nothing)
        assert caught.value.diagnostics[0].code == code
    only_c = bench.directory / "only_c"
    only_c.mkdir()
    (only_c / "cc").symlink_to(bench.directory / "bin" / "cc")
    with pytest.raises(CompileError) as caught:
        choose_setting(bench.request(), {"PATH": str(only_c)})
    assert caught.value.diagnostics[0].code == "OMPC407"


def test_auto_without_a_gpu_says_so_and_emulates(bench: Bench) -> None:
    setting = choose_setting(bench.request(Target.AUTO), {**bench.environ, "CUDA_VISIBLE_DEVICES": ""})
    assert setting.target is Target.EMULATE
    assert [note.code for note in setting.notes] == ["OMPC409"]


@pytest.mark.nvcc
def test_auto_without_a_gpu_builds_for_any_where_the_program_is_kept(bench: Bench) -> None:
    request = replace(bench.request(Target.AUTO), portable=True)
    setting = choose_setting(request, {**bench.environ, "CUDA_VISIBLE_DEVICES": ""})
    assert (setting.target, setting.architecture, setting.notes) == (Target.CUDA, "-arch=all-major", ())


@pytest.mark.nvcc
def test_cuda_build_from_nvcc_on_the_path_or_from_pypi(bench: Bench) -> None:
    bench.build(replace(bench.request(Target.CUDA), arch="sm_90"))
    status, out = bench.run("7")
    assert (status, out) == (7, f"{bench.source} 14\n"), "on the GPU, or on the host where there is none"
    bench.starts()
    assert bench.build(replace(bench.request(Target.CUDA), arch="sm_90")).from_cache
    assert bench.starts() == 0


@pytest.mark.nvcc
def test_an_nvcc_error_is_a_diagnostic(bench: Bench) -> None:
    request = replace(bench.request(Target.CUDA), arch="sm_90")
    broken = made_by_hand.translation(bench.source)
    broken = replace(broken, files={**broken.files, "twice.cu": "int f() { return nothing; }\n"})
    setting = choose_setting(request, bench.environ)
    with pytest.raises(CompileError) as caught:
        build_program(request, setting, lambda: broken, bench.directory / "program", bench.cache)
    assert caught.value.diagnostics[0].code == "OMPC403"


def cuda_setting(bench: Bench) -> Setting:
    from ompc.toolchain.machine.cc import find_c_compiler, find_cxx_compiler
    from ompc.toolchain.machine.nvcc import Nvcc

    nvcc = Nvcc(Path("/t/bin/nvcc"), "test", (Path("/t/lib"),))
    environ = bench.environ
    return Setting(Target.CUDA, environ, find_c_compiler(environ), find_cxx_compiler(environ), nvcc, "-arch=sm_90")


def test_strict_arithmetic_reaches_nvcc(bench: Bench) -> None:
    request = bench.request(Target.CUDA)
    scratch = Scratch(bench.directory, "twice")
    assert "-fmad=false" not in device_command(request, cuda_setting(bench), scratch, contracts=True)
    strict = replace(request, options=Options(fp=FloatingPoint.STRICT))
    assert "-fmad=false" in device_command(strict, cuda_setting(bench), scratch, contracts=True)


def test_link_flags_are_spelled_for_nvcc(bench: Bench) -> None:
    flags = Flags(preprocess=("-fsanitize=address,undefined",), link=("-L", "d", "-lz", "-Wl,-rpath,/x", "-rdynamic"))
    command = link_command(
        bench.request(Target.CUDA, flags), cuda_setting(bench), Scratch(bench.directory, "twice"), []
    )
    text = " ".join(command)
    assert "-L/t/lib" in text and "-L d -lz" in text
    assert "-Xlinker -rpath -Xlinker /x" in text and "-Xcompiler -rdynamic" in text
    assert "-Xcompiler -fsanitize=address -Xcompiler -fsanitize=undefined" in text
