/* switch, goto, while, do-while, break, continue, comma, conditional, labels, nested blocks and shadowing. */
/* args: 200 */
/* args: 1 */
/* expect-gpu: 8 */
#include <stdio.h>
#include <stdlib.h>

enum Colour { RED, GREEN = 5, BLUE };
static int out[200], i;
static enum Colour colours[200];

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int t = i;
        switch (i % 7) {
        case 0: t += 1; /* falls through */
        case 1: t *= 2; break;
        case 2: case 3: { int t = 4; out[i] = t; } continue;
        default:
            t = -t;
            if (i % 5 == 0) break;
            t--;
            break;
        case 6:
            while (1) { if (t++ > i + 3) break; else continue; }
        }
        out[i] = t;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int k = 0;
    again:
        k += 3;
        if (k < i % 40) goto again;
        if (k % 2) goto done;
        out[i] += k;
    done:
        out[i] -= 1;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        unsigned x = i + 1;
        int steps = 0;
        do {
            x = x % 2 ? 3 * x + 1 : x / 2;
            steps++;
        } while (x != 1 && steps < 500);
        out[i] += steps;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        for (int a = 0, b = 10; a < b; a++, b--) {
            if (a == 2) continue;
            if (b == 6) break;
            for (int c = 0;; c++) {
                if (c > a) break;
                int i = c * b;
                (void)i;
            }
        }
        int z = (out[i] += 1, out[i] * 2);
        out[i] = z > 50 ? z % 2 ? 1 : 2 : z;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        enum Colour c = i % 3 == 0 ? RED : i % 3 == 1 ? GREEN : BLUE;
        colours[i] = c;
        switch (c) {
        case RED: out[i]++; break;
        case GREEN: out[i] += GREEN; break;
        case BLUE: out[i] += (int)BLUE + sizeof(int); break;
        default: ;
        }
        if (-1 < (unsigned char)i || (unsigned)i >= 0u) /* as odd as what people write; no compiler of ours warns */
            switch (i) { case 3: { case 4: ; } break; out[i] = 5; default: { out[i] == 1; } }
        colours[i] = (enum Colour)((colours[i] + 1) % 7);
    }
    #pragma omp parallel for
    for (i = 0; i < n; i++)
        ;
    #pragma omp parallel for
    for (i = 0; i < n; i++)
        if (i & 1) out[i] = ~out[i]; else if (i & 2) out[i] = !out[i]; else { out[i] = -out[i]; }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int i2 = i;
        {
            double i = i2 * 0.5;
            { long i2 = (long)i; out[n - 1 - i2 * 0 - (int)(2 * i)] += (int)i2 & 1; }
        }
    }
    for (int j = 0; j < n; j++)
        printf("%d %d ", out[j], (int)colours[j]);
    printf("%d\n", i);
    return 0;
}
