"""Prototypes of system headers that nobody names are not parsed; everything else is."""

from __future__ import annotations

import pytest

from ompc.frontend.prune import prune

TEXT = """# 1 "t.c"
# 1 "/usr/include/x.h" 1 3 4
extern int used (int __a) __attribute__ ((__nothrow__));
extern int unused (int __a,
   int __b) __attribute__ ((__nothrow__));
extern int by_header (void);
extern void (*handler (int __sig, void (*__f) (int))) (int);
extern int object;
extern __inline __attribute__ ((__gnu_inline__)) int attributed (int __x);
static inline int inner (void) { return by_header (); }
extern int one (void); extern int two (void);
# 3 "t.c" 2
extern int mine (void);
int f(void) { return used(1) + two(); }
"""


def test_only_unnamed_prototypes_of_system_headers_go() -> None:
    pruned = prune(TEXT)
    assert "unused" not in pruned
    assert "one (void)" not in pruned
    for kept in "used (int|by_header (void)|handler|object|attributed|inner|two (void)|mine (void)".split("|"):
        assert kept in pruned, kept


def test_lines_stay_where_they_are() -> None:
    pruned = prune(TEXT)
    assert pruned.count("\n") == TEXT.count("\n")
    assert pruned.splitlines()[13] == TEXT.splitlines()[13]


INLINE = "extern __inline __attribute__ ((__gnu_inline__)) __attribute__ ((__access__ (__read_only__, 1))) int\n"


@pytest.mark.parametrize(
    ("declared", "body", "goes"),
    [
        ("extern int f (const char *__p);", "{ return __f_chk (2, __p); }", True),
        ('extern int __f_alias (const char *) __asm__ ("" "f") __attribute__ ((__pure__));', "{ return 1; }", True),
        ("extern int f (const char *__p);", "{\n  if (*__p == '}') { return 0; }\n  return \"}\"[0];\n}", True),
        ("extern int g (const char *__p);", "{ return __f_chk (2, __p); }", False),
        ("", "{ return 1; }", False),
        ("extern int f (const char *__p);", '{\n# 7 "/usr/include/f.h" 3 4\n  return 1;\n}', False),
    ],
)
def test_bodies_of_what_the_library_defines(declared: str, body: str, goes: bool) -> None:
    """Functions that are inline alone, as compilers' intrinsic functions, keep them."""
    header = f'# 1 "/usr/include/f.h" 1 3 4\n{declared}\n{INLINE}f (const char *__p)\n{body}\n'
    text = f'{header}# 2 "a.c" 2\nint main(void) {{ return f("") + g("") + __f_alias("") + __f_chk(2, ""); }}\n'
    found = prune(text)
    assert ("return" not in found.partition('"a.c"')[0]) is goes
    assert found.count("\n") == text.count("\n")
    of_user = text.replace(" 1 3 4", " 1")
    assert prune(of_user) == of_user
