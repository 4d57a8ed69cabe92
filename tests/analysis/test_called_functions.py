"""Functions that nothing calls: OMPC368, and no kernel."""

from __future__ import annotations

from pathlib import Path

import pytest

from ompc.base.options import Options
from ompc.driver import translate_program

HEAD = "int a[99];\n#define EACH for (int i = 0; i < 99; i++)\n"
LOOP = "{\n#pragma omp parallel for\nEACH a[i] = i; }\n"


def on_host(tmp_path: Path, *texts: str) -> list[str]:
    files = [tmp_path / f"{number}.c" for number in range(len(texts))]
    for file, text in zip(files, texts, strict=True):
        file.write_text(HEAD.replace("int a", "extern int a" if file is not files[0] else "int a") + text)
    found = translate_program(files, Options())
    regions = [region for translation in found for region in translation.report["regions"]]
    assert {region["reason"]["code"] for region in regions if region["target"] == "host"} <= {"OMPC368"}
    return [region["function"] for region in regions if region["target"] == "host"]


@pytest.mark.parametrize(
    ("rest", "uncalled"),
    [
        ("", ["f"]),
        ("void g(void) { f(); }", []),
        ("static void g(void) { f(); }", ["f"]),
        ("static void g(void) { f(); } int main(void) { g(); }", []),
        ("void (*p)(void) = f;", []),
        ("__attribute__((constructor)) static void g(void) { f(); }", []),
        ("static void g(void); static void h(void) { g(); } static void g(void) { h(); f(); }", ["f"]),
    ],
)
def test_static_functions(tmp_path: Path, rest: str, uncalled: list[str]) -> None:
    assert on_host(tmp_path, f"static void f(void) {LOOP}{rest}\n") == uncalled


def test_a_program_of_several_files(tmp_path: Path) -> None:
    main = f"void g(void); void f(void) {LOOP} int main(void) {{ g(); }}\n"
    other = f"static void f(void) {LOOP} void g(void) {{ f(); }} void h(void) {LOOP}"
    assert on_host(tmp_path, main, other) == ["f", "h"]
    assert on_host(tmp_path, main.replace("main", "start"), other) == []  # whose functions other code may call
    assert on_host(tmp_path, main) == []
