"""What comes in: files, C that does not compile, C that cannot be analysed, misspelt pragmas."""

from __future__ import annotations

from pathlib import Path

import pytest
from pycparser.c_lexer import CLexer

from ompc.base.diagnostics import CompileError, Kind
from ompc.base.options import Options
from ompc.frontend import Unsupported, check_syntax, load, preprocess
from ompc.frontend.abi_flags import otherwise
from ompc.frontend.parse import parse
from ompc.frontend.preprocess import Preprocessed, read_source

GOOD = "int main(void) { return 0; }\n"


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("p.c").write_text(GOOD)
    return Path("p.c")


def code_of(source: Path, options: Options | None = None) -> str:
    with pytest.raises(CompileError) as caught:
        load(source, options or Options())
    assert caught.value.diagnostics[0].kind is Kind.ERROR
    return caught.value.diagnostics[0].code


def test_a_missing_file(source: Path) -> None:
    assert code_of(Path("no.c")) == "OMPC102"


def test_a_directory_and_a_binary_file_cannot_be_read(source: Path, tmp_path: Path) -> None:
    assert code_of(tmp_path) == "OMPC103"
    source.write_bytes(b"\x7fELF\0\0")
    assert code_of(source) == "OMPC103"


def test_no_c_compiler(source: Path) -> None:
    assert code_of(source, Options(cc="no-such-compiler")) == "OMPC104"


def test_c_that_does_not_compile_gives_the_compilers_words(source: Path) -> None:
    source.write_text("int main(void)\n{\n    return x;\n}\n")
    with pytest.raises(CompileError) as caught:
        check_syntax(source, Options())
    diagnostic = caught.value.diagnostics[0]
    assert diagnostic.code == "OMPC101"
    assert str(diagnostic.at) == "p.c:3:12"
    assert any("return x;" in note for note in diagnostic.notes)
    assert any("undeclared" in note for note in diagnostic.notes)


def test_functions_that_are_defined_twice_are_not_read() -> None:
    """gcc 12 rejects `begin declare variant`; what another compiler accepts is one function, chosen at each call."""
    text = "#pragma omp begin declare variant match(user={condition(1)})\nint f;\n#pragma omp end declare variant\n"
    with pytest.raises(Unsupported) as caught:
        parse(Preprocessed("p.c", text, text, ("p.c",), text, True))
    assert caught.value.diagnostic.code == "OMPC105"


def test_a_malformed_clause_is_the_compilers_error(source: Path) -> None:
    source.write_text("void f(void)\n{\n#pragma omp parallel for private(\n    for (int i = 0; i < 3; i++) ;\n}\n")
    assert code_of(source) == "OMPC101"


def test_the_users_flags_reach_the_compiler(source: Path) -> None:
    source.write_text("int x = N;\n")
    assert code_of(source) == "OMPC101"
    assert "int x = 3;" in preprocess(source, Options(cpp_flags=("-DN=3",))).text


@pytest.mark.parametrize(
    ("pragma", "help_text"),
    [
        ("omp paralle for", "did you mean 'parallel'?"),
        ("omp parralel", "did you mean 'parallel'?"),
        ("opm parallel for", "did you mean 'omp'?"),
        ("omp xyzzy", None),
    ],
)
def test_misspelt_pragmas_are_found(source: Path, pragma: str, help_text: str | None) -> None:
    source.write_text(f"int main(void)\n{{\n#pragma {pragma}\n    for (int i = 0; i < 3; i++) ;\n}}\n")
    (warning,) = check_syntax(source, Options())
    assert (warning.code, warning.kind, warning.help) == ("OMPC201", Kind.WARNING, help_text)
    assert str(warning.at) == "p.c:3"


def test_other_unknown_pragmas_are_none_of_our_business(source: Path) -> None:
    source.write_text("#pragma vendor thing\n#pragma once_upon\n" + GOOD)
    assert check_syntax(source, Options()) == ()


@pytest.mark.parametrize(
    "text",
    [
        "int f(int n) { int g(int m) { return m + n; } return g(n); }\n",
        "int f(void) { return " + "(" * 3000 + "1" + ")" * 3000 + "; }\n",
    ],
)
def test_valid_c_that_cannot_be_parsed_is_unsupported(source: Path, text: str) -> None:
    source.write_text(text)
    with pytest.raises(Unsupported) as caught:
        load(source, Options())
    assert caught.value.diagnostic.code == "OMPC105"
    assert caught.value.diagnostic.kind is Kind.HOST


@pytest.mark.skipif(not hasattr(CLexer, "_attribute_arguments"), reason="the parser for Python 3.10 knows ASCII alone")
def test_letters_beyond_ascii_are_in_names(source: Path) -> None:
    text = "double \u03b1[10];\nvoid f(void)\n{\n\u03b1[0] = 1;\n}\nconst char *s = \"\\\\u03b1 \u03b1\";\n"
    source.write_text(text, encoding="utf-8")
    preprocessed = load(source, Options()).preprocessed
    assert "double \u03b1[10];" in preprocessed.text
    assert '"\\\\u03b1 \u03b1"' in preprocessed.text


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("double \\u03b1[10];\n", "a name has a letter that is written as its number"),
        ("double \u03b1, a_u03b1;\n", "others look like what kernels call these"),
    ],
)
def test_letters_that_kernels_or_edits_would_confuse(source: Path, text: str, why: str) -> None:
    source.write_text(text, encoding="utf-8")
    with pytest.raises(Unsupported, match=why):
        load(source, Options())


def test_every_byte_of_the_source_survives(source: Path) -> None:
    data = b"/* latin-1 \xe9\xff, utf-8 \xc3\xa9 */\r\nint main(void) { return 0; }\r\n"
    source.write_bytes(data)
    assert read_source(source).encode("utf-8", "surrogateescape") == data
    assert load(source, Options()).preprocessed.source.encode("utf-8", "surrogateescape") == data


def test_the_files_that_were_read(source: Path) -> None:
    Path("own.h").write_text("int own;\n")
    source.write_text('#include "own.h"\n#include <stddef.h>\n' + GOOD)
    files = preprocess(source, Options()).files
    assert files[0] == "p.c"
    assert "own.h" in files
    assert any(f.endswith("stddef.h") for f in files)


def test_a_name_that_looks_like_an_option(source: Path) -> None:
    Path("-v.c").write_text(GOOD)
    assert load(Path("-v.c"), Options()).preprocessed.file == "./-v.c"


def test_unsigned_char_is_noticed(source: Path) -> None:
    assert preprocess(source, Options(cpp_flags=("-fsigned-char",))).char_signed
    assert not preprocess(source, Options(cpp_flags=("-funsigned-char",))).char_signed


@pytest.mark.parametrize(
    "flag",
    [
        *("-fshort-enums", "-fpack-struct", "-fpack-struct=2", "-funsigned-bitfields", "-fsingle-precision-constant"),
        *("-mlong-double-64", "-m32"),
    ],
)
def test_types_of_anotherwise_by_an_option(flag: str) -> None:
    assert flag in str(otherwise(("-O2", flag), GOOD))
    assert otherwise(("-O2", "-fno-strict-aliasing", "-fopenmp"), GOOD) is None


@pytest.mark.parametrize(
    ("text", "resized"),
    [
        ("enum __attribute__((packed)) e { A };", True),
        ("enum __attribute__((__packed__)) { A, B = 3 } x;", True),
        ("typedef enum { A, B = 3 } __attribute__((packed)) e;", True),
        ("enum __attribute__((mode(QI))) e { A };", True),
        ("enum e { A }; struct __attribute__((packed)) s { char c; enum e e; };", False),
        ("enum e { A, B } packed; int mode __attribute__((packed));", False),
        ("enum e { A __attribute__((deprecated)) }; int packed;", False),
    ],
)
def test_enums_of_another_size(text: str, resized: bool) -> None:
    assert (otherwise((), text) is not None) == resized


def test_a_file_with_anotherwise_stays_on_the_host(source: Path) -> None:
    with pytest.raises(Unsupported, match="another layout"):
        load(source, Options(cpp_flags=("-fpack-struct=2",)))
