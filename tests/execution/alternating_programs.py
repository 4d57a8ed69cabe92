"""Random programs whose loops come in four sizes, each with arrays of its own, which host code touches between them: so
that decisions differ by size, and data goes to and fro.
"""

from __future__ import annotations

from random import Random

SIZES = (200, 5000, 60000, 400000)
_LOOPS = (
    "for (int i = 0; i < n; i++)\n        {a}[i] = {b}[i] * 0.5 + {c}[i] * 0.25 + {number};",
    "for (int i = 1; i < n - 1; i++)\n        {a}[i] = ({b}[i - 1] + {b}[i + 1]) * 0.5;",
    "for (int i = 0; i < n / 2; i++)\n        {a}[2 * i] = {b}[i] + 1;",
    "for (int i = 0; i < n; i++)\n        if (i % {number} == 0)\n            {a}[i] = {b}[n - 1 - i];",
    "for (int i = 0; i < n; i++) {{\n        double sum = 0;\n        for (int j = 0; j < 4 * {number}; j++)\n"
    "            sum += {b}[(i + j) % n] * 0.01;\n        {a}[i] = (long)sum % 50;\n    }}",
)
_HEAD = """/* expect-gpu: {loops} */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static unsigned hash;
static void note(double x) {{ hash = hash * 31 + (unsigned)(long)(x * 4); }}
"""
_MAIN = """
int main(void)
{{
    static const int sizes[] = {{{sizes}}};
    double *arrays[{count}][3];
    for (int s = 0; s < {count}; s++)
        for (int k = 0; k < 3; k++) {{
            arrays[s][k] = malloc(sizes[s] * sizeof(double));
            for (int i = 0; i < sizes[s]; i++)
                arrays[s][k][i] = (i * 7 + k) % 13;
        }}
    unsigned r = {seed};
    for (int t = 0; t < {steps}; t++) {{
        r = r * 1103515245u + 12345u;
        const int s = (r >> 16) % {count}, n = sizes[s];
        double *const *const of = arrays[s];
        switch ((r >> 20) % {loops}) {{
{calls}
        }}
        switch ((r >> 24) % 8) {{
        case 0: note(of[0][r % n]); break;
        case 1: of[1][(r >> 3) % n] = t; break;
        case 2: memset(of[2], 0, n / 4 * sizeof(double)); break;
        case 3: for (int i = 0; i < n; i += 97) note(of[1][i]); break;
        case 4: memcpy(of[0], of[1], n / 2 * sizeof(double)); break;
        }}
    }}
    for (int s = 0; s < {count}; s++)
        for (int k = 0; k < 3; k++)
            for (int i = 0; i < sizes[s]; i++)
                note(arrays[s][k][i]);
    printf("%u\\n", hash);
    return 0;
}}
"""


def alternating_program(seed: int, loops: int = 6, steps: int = 80) -> str:
    """The text of a program that prints a number of all that it has computed."""
    random = Random(seed)
    text = _HEAD.format(loops=loops)
    for k in range(loops):
        a, b, c = random.sample("xyz", 3)
        body = random.choice(_LOOPS).format(a=a, b=b, c=c, number=random.choice((2, 3, 17, 50)))
        head = f"static void f{k}(int n, double *x, double *y, double *z)"
        text += f"{head}\n{{\n    #pragma omp parallel for\n    {body}\n}}\n"
    calls = "\n".join(f"        case {k}: f{k}(n, of[0], of[1], of[2]); break;" for k in range(loops))
    values = {"count": len(SIZES), "sizes": ", ".join(map(str, SIZES)), "loops": loops, "steps": steps, "calls": calls}
    return text + _MAIN.format(seed=random.randrange(1 << 30), **values)
