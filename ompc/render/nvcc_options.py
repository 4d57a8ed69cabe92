"""The C compiler's options as nvcc takes them: it knows -l, -L and -Xlinker, and splits what it passes on at commas."""

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
