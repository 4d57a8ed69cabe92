"""The C compiler's options as nvcc takes them: it knows -l, -L and -Xlinker, and splits what it passes on at commas.

-g        -lineinfo -g    kernels stay as fast as they are, tools name the user's lines
-g -O0    -G -g           cuda-gdb can show every variable; kernels are not optimised
"""

from __future__ import annotations

from collections.abc import Sequence


def nvcc_options(words: Sequence[str]) -> list[str]:
    """`-Wl,-rpath,x` is `-Xlinker -rpath -Xlinker x`, `-pthread` is `-Xcompiler -pthread`, and so on."""
    out: list[str] = []
    verbatim = False
    for word in words:
        if verbatim or word.startswith(("-l", "-L")) or word in {"-Xlinker", "-shared"}:
            out.append(word)
            verbatim = not verbatim and word in {"-l", "-L", "-Xlinker"}
        elif word.startswith("-Wl,"):
            out += [part for piece in word.split(",")[1:] for part in ("-Xlinker", piece)]
        elif word.startswith("-fsanitize="):
            out += [part for name in word.split("=")[1].split(",") for part in ("-Xcompiler", f"-fsanitize={name}")]
        else:
            out += ["-Xcompiler", word]
    return out


def debug_options(compile_flags: Sequence[str]) -> list[str]:
    """What nvcc is given for kernels that name the user's lines. `compile_flags`: the host compiler's."""
    optimisation = next((flag for flag in reversed(compile_flags) if flag.startswith("-O")), "")
    if not debugs(compile_flags):
        return ["-lineinfo"]
    return ["-G" if optimisation in {"-O0", "-Og"} else "-lineinfo", "-g"]


def debugs(compile_flags: Sequence[str]) -> bool:
    """-g and its like: the program is to be looked at in a debugger."""
    last = next((flag for flag in reversed(compile_flags) if flag.startswith("-g")), "-g0")
    return last != "-g0"
