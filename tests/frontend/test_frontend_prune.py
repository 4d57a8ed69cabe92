"""Prototypes of system headers that nobody names are not parsed; everything else is."""

from __future__ import annotations

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
