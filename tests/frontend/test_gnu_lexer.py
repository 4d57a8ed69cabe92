"""GnuLexer's short way for plain tokens gives what pycparser's own lexer gives."""

from __future__ import annotations

from typing import Any

import pytest
from pycparser.c_lexer import CLexer

from ompc.frontend.gnu import GnuLexer

TEXTS = [
    "int main(void) { return a[i]->b.c + 1; }",
    "a+b a++ a+=b a-b a--b a-=b a->b a*b a*=b a=b a==b a&b a&&b a&=b a<b a<=b a<<b a<<=b a>b a>=b a>>b a>>=b ~a ~=",
    "x<:0:> <%%> %: a<%b",
    "0 1 10 01 0x1F 0b11 1u 10UL 1.5 1. .5 1e3 1'000 0x1p3f 12ll 7.f 10i 100$",
    "L'a' u8\"text\" u\"a\" U'b' 'c' \"d\" L x",
    "[[deprecated]] int a; [ [noreturn] ] int b; [\n[maybe_unused]] int c; int d[3][4]; e[[0]] [",
    "[[gnu::aligned(8, (1))]] int f;",
    '# 3 "other.c"\nint g;\n\n   #pragma omp parallel for\n  for (;;) ;\n#line 7\nh',
    "\t\f\v x$y z\\u00e9 w",
    "sizeof(__typeof__(a)) if iffy _Atomic __int128",
    "a ? b : c ? : d ... a.b",
]


def _tokens(lexer: type[CLexer], text: str) -> list[tuple[Any, ...]]:
    found: list[tuple[Any, ...]] = []
    asked = lexer(lambda message, line, column: found.append((message, line, column)))
    asked.input(text, "a.c")
    while (token := asked.token()) is not None:
        place = (token.lineno, token.column) if hasattr(token, "filename") else ()
        found.append(("_ATOMIC" if token.value == "__typeof__" else token.type, token.value, *place))
    return found


@pytest.mark.skipif(not hasattr(CLexer, "_attribute_arguments"), reason="another lexer, which has no short way")
@pytest.mark.parametrize("text", TEXTS)
def test_plain_tokens_are_those_of_pycparser(text: str) -> None:
    assert _tokens(GnuLexer, text) == _tokens(CLexer, text)


@pytest.mark.skipif(not hasattr(CLexer, "_attribute_arguments"), reason="another lexer, which knows ASCII alone")
def test_letters_beyond_ascii() -> None:
    text = "w\u00e9\n\u03b1+1 \u6570_2\n gr\u00f6\u00dfe;"
    assert _tokens(GnuLexer, text) == [
        ("ID", "w\u00e9", 1, 1),
        ("ID", "\u03b1", 2, 1),
        ("PLUS", "+", 2, 2),
        ("INT_CONST_DEC", "1", 2, 3),
        ("ID", "\u6570_2", 2, 5),
        ("ID", "gr\u00f6\u00dfe", 3, 2),
        ("SEMI", ";", 3, 7),
    ]
