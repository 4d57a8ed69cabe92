"""Critical sections and atomic operations of all kinds: sums, extremes with companions, lists, what is none of those.

    #pragma omp parallel for num_threads(1)     in order, whatever the sections do; without it, operations that commute
    for (int i = 0; i < 33; i++) {
        const long e = v[i] * 3 % 17;
        #pragma omp critical
        { if (e < best) { best = e; where = i; } if (best > 3) total += e; }
    }

In: a Site.   Out: variables and arrays of its own; one parallel loop; checks of them.
"""

from __future__ import annotations

import random

from .loops import check
from .scalars import DOUBLE, EXACT, FINE, LONG
from .sites import Site
from .tree import Clause, Pragma, Stmt, line, literally

_VALUES = ("{v}[i] * 3 % 17", "{v}[i] - 40", "{v}[({v}[i] + i) % {n}]", "i % 7", "{v}[i] ^ i", "{n} - i")
_COMMUTING = (
    "total += e;",
    "total = total + e * 2 - i;",
    "size = size + e * 0.5 + i - 3;",
    "bins[i & 7] = bins[i & 7] - e + i * 2;",
    "total += e; count++;",
    "if (e < least) least = e;",
    "most = e > most ? e : most;",
    "bins[e & 7] += e;",
    "count += e > 3;",
    "for (int k = 0; k < 8; k++) bins[k] += k * e;",
    "if (e * {n} + i < least) {{ least = e * {n} + i; where = i; }}",
    "if (e * {n} + i > most) {{ most = e * {n} + i; there = i; size = e * 0.5; }}",
    "if (e > most || (e == most && i < there)) {{ most = e; there = i; }}",
    "if ((i >= where && least == e) || e < least) {{ where = i; least = e; size += 0; }}",
    "if (e * 2 < least || (i > where && least == e * 2)) {{ least = e * 2; where = i; }}",
    "flags |= e & 255;",
    "flags |= e & 255; flags &= 1023;",
    "flags ^= e; twice = flags;",
    "total = (total + (e & 255)) % 1009;",
    "total += e; twice = 2 * total;",
    "count++; twice = count * 3;",
    "if (e < least) least = e; twice = 100 - least;",
    "if (e * {n} + i < least) {{ where = i; least = e * {n} + i; }}",
    "if (e * {n} + i < least) {{ least = e * {n} + i; where = i; }} twice = least;",
    "list[count++] = e;",
    "at = count++; list[at] = e + 1;",
    "list[count] = e; count += 2;",
    "list[count] = e; if (e > 7) count++; else count += 2;",
)
_IN_ORDER = (
    "if (e < least) {{ least = e; where = i; }}",
    "if (e <= least) {{ least = e; where = i; }}",
    "if (e < least) {{ least = e + 1; where = i; }}",
    "if (e < least) {{ where = i; least = e; size += where; }}",
    "if (e < least) {{ least = e; where = i; total += where; }}",
    "if (most < e) {{ most = e; where = least; }}",
    "total += e; if (total > 50) count++;",
    "total += e; bins[total & 7]++;",
    "total = total * 3 % 1009 + e;",
    "total = total + e + total % 7;",
    "total = total - e + bins[1] % 5;",
    "total += e; total -= count; count ^= 1;",
    "list[count++] = i;",
    "list[count] = i; count += 2;",
    "list[where & 63] = e; where++;",
    "at = count++; list[at] = i + total;",
    "least = e < least ? e : least; most = least;",
    "flags |= e & 255; flags &= 254;",
    "size += e * 0.25; if (size > 3) size = 1;",
    "size += e / 3; most += size;",
    "bins[e & 7] = e; bins[i & 7] += 1;",
    "least = e;",
    "where = i; list[i & 63] = where;",
)
_ATOMICS = (
    "total += e;", "count++;", "bins[e & 7] += e;", "bins[(e + i) & 7] -= 1;", "flags |= e & 255;",
    "bins[total & 7] += 1;", "flags ^= e;", "flags &= ~e;", "total = total + e;", "bins[i & 7] ^= 5;",
)  # fmt: skip
_BESIDE = (
    "total += 1;", "kept[i] = total;", "kept[i] = least;", "kept[i] = bins[e & 7];", "kept[i] = where;", "bins[1] = e;",
    "kept[i] = count;", "if (count > 9) kept[i] = 1;", "list[i & 63] += 1;",
)  # fmt: skip


def make_criticals(site: Site) -> list[Stmt]:
    """One loop, with what it needs."""
    rng = site.rng
    n, in_order = rng.choice((1, 7, 33, 36, 64)), rng.random() < 0.4
    v, kept, lock = (site.names.file_scope(name) for name in ("v", "kept", "lock"))
    site.file.append(line(f"static long {v}[{n}], {kept}[{n}];", pinned=True))
    site.file.append(line(f"static omp_lock_t {lock}[8];", pinned=True))
    fill = line(f"for (int q = 0; q < {n}; q++) {v}[q] = q * {rng.choice((7, 37))} % 101, {kept}[q] = q;")
    body = [line(f"const long e = {rng.choice(_VALUES).format(v=v, n=n)};", pinned=True)]
    if rng.random() < 0.3:
        body.append(line(f"if ({rng.choice(('e & 1', 'i % 3 == 1', 'e > least')[: 2 + in_order])}) continue;"))
    body += _sections(rng, in_order, n, lock)
    if in_order and rng.random() < 0.3:
        body.insert(rng.randrange(1, len(body) + 1), line(rng.choice(_BESIDE).replace("kept", kept)))
    alone = (Clause("num_threads", ("1",)),) if in_order else ()
    nest = Stmt((f"for (int i = 0; i < {n}; i++)",), tuple(body), pragmas=(Pragma("parallel for", alone),))
    if n == 36:  # the same iterations as a triangle
        rest = (line("const int i = r * (r + 1) / 2 + h;", pinned=True), *body)
        pragma = Pragma("parallel for", (Clause("collapse", ("2",)), *alone))
        inner = Stmt(("for (int h = 0; h <= r; h++)",), rest)
        nest = Stmt(("for (int r = 0; r < 8; r++)",), (inner,), pragmas=(pragma,))
    declared = [
        line("long total = 1, least = 1000, most = -1000, bins[8] = {0}, list[900] = {0};", pinned=True),
        line("int count = 0, where = -1, there = -1, at = 0, flags = 0, twice = 0;", pinned=True),
        line("double size = 0;", pinned=True),
        line(f"for (int q = 0; q < 8; q++) omp_init_lock(&{lock}[q]);", pinned=True),
    ]
    text = "(((total * 31 + least) * 31 + most) * 31 + count) * 31 + where + flags * 7 + there * 63 + twice * 127"
    seen = [
        check(site, "total", 1, literally(text, LONG), EXACT),
        check(site, "bins", 8, literally("bins[q]", LONG), EXACT),
        line("long listed = 0; for (int q = 0; q < 900; q++) listed += list[q] * list[q] + list[q];"),
        check(site, "listed", 1, literally("listed", LONG), EXACT),
        check(site, "list", 900 if in_order else 0, literally("list[q]", LONG), EXACT),
        check(site, "size", 1, literally("size", DOUBLE), FINE),
        check(site, kept, n, literally(f"{kept}[q]", LONG), EXACT),
    ]
    return [Stmt((), (*declared, fill, nest, *(seen if site.checks else ())), pinned=True)]


def _sections(rng: random.Random, in_order: bool, n: int, lock: str) -> list[Stmt]:
    """Operations of one kind on each object, unless they come in order anyway."""
    if not in_order:
        forms = [rng.choice(_COMMUTING), "bins[e & 7] += e;"]
        forms = forms[: 1 if "bins" in forms[0] else rng.choice((1, 2))]
        if rng.random() < 0.3:
            return [_critical(" ".join(forms).format(n=n), _directive(rng, forms, lock))]
        return [_critical(form.format(n=n), _directive(rng, [form], lock)) for form in forms]
    found = []
    for _ in range(rng.choice((1, 1, 2, 3))):
        forms = rng.choices(_COMMUTING + _IN_ORDER, k=rng.choice((1, 1, 2)))
        critical = _critical(" ".join(forms).format(n=n), _directive(rng, forms, lock))
        atomic = Stmt((rng.choice(_ATOMICS),), pragmas=(Pragma("atomic", required=True),))
        found.append(rng.choice((critical, critical, critical, atomic)))
    return found


def _directive(rng: random.Random, forms: list[str], lock: str) -> str:
    """One of the ways to exclude other threads, or the lock that does it: each object is in sections of one way."""
    of_bin = forms == ["bins[e & 7] += e;"]
    locks = (f"&{lock}[e & 7]", f"{lock} + (e & 7) % 3") if of_bin else (f"&{lock}[3]", f"{lock} + 1")
    return rng.choice(("critical", "critical", "critical(one)", *locks))


def _critical(text: str, directive: str) -> Stmt:
    if directive.startswith("critical"):
        return Stmt((), (line(text),), pragmas=(Pragma(directive, required=True),))
    return line(f"omp_set_lock({directive}); {text} omp_unset_lock({directive});")
