"""Names that only a program's text has: in attributes, assembler and pragmas."""

from __future__ import annotations

import pytest

from ompc.frontend.hidden_words import hidden_words

WORDS = {
    "void f(void) __attribute__((aligned(sizeof(int)), constructor));": {"aligned", "sizeof", "int", "constructor"},
    '__attribute__\n# 3 "a.h" 3 4\n ((destructor))\n# 4 "a.c"\nvoid f(void);': {"destructor"},
    'extern int n __asm__("" "n" "x");': {"nx"},
    'asm volatile ("mov %0, (b)" : "=r"(a[f(1)]) :: "memory");': {"mov", "b", "r", "a", "f", "memory"},
    "[[gnu::constructor]] void f(void);": {"gnu", "constructor"},
    "#pragma omp parallel for private(i, n) shared(m) num_threads(k)\nfor (;;);": {
        "omp",
        "parallel",
        "for",
        "private",
        "i",
        "n",
    },
    "#pragma weak a = b": {"weak", "a", "b"},
    "int attribute, asmx; f(asmx);": set(),
    "void f(void) __attribute__((open": {"open"},
}


@pytest.mark.parametrize("text", WORDS)
def test_hidden_words(text: str) -> None:
    assert hidden_words(text) == WORDS[text]
