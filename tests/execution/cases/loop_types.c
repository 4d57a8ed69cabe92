/* Loop variables and bounds of every integer type, mixed types, 64-bit counts with large offsets, ends of types. */
/* args: 50 */
/* args: 1 */
/* args: 0 */
/* expect-gpu: 19 */
/* expect-added: 1 */
#include <stdio.h>
#include <stdlib.h>
#include <stdint.h>
#include <limits.h>
#include <stddef.h>

static int hits[300];

static void come_round(int n) /* sequential loops whose variable passes by its bound and by the end of its type */
{
    static double sum[64], rows[64][256];
    for (int i = 0; i < 64 * 256; i++)
        rows[i / 256][i % 256] = i % 97 + 1;
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        sum[i] = i;
        for (unsigned char c = 250; c > 3; c -= 7)
            sum[i] += rows[i][c];
        for (signed char c = 100; c > 5; c += 100)
            sum[i] += c / rows[i][c];
        for (uint8_t c = 240; c != 5; c++)
            sum[i] += rows[i][c] / rows[i][(c + 1) % 256];
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (uint8_t c = 250; c != 5; c++)
            rows[i][c] += rows[i][(c + 1) % 256];
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 100; k++)
            for (uint8_t c = k + 200; c < 230; c++)
                rows[i][(uint8_t)(c - 150)] = rows[i][c] + k;
    double total = 0;
    for (int i = 0; i < 64 * 256; i++)
        total = total / 1.01 + rows[i / 256][i % 256] + sum[i % 64];
    printf("round: %.15e\n", total);
}
static void show(const char *name)
{
    unsigned sum = 0;
    for (int i = 0; i < 300; i++) {
        sum = sum * 31 + (unsigned)hits[i];
        hits[i] = 0;
    }
    printf("%s %u\n", name, sum);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 50;

    #pragma omp parallel for
    for (char c = 'a'; c <= 'z'; c++) hits[(int)c]++;
    show("char");
    #pragma omp parallel for
    for (signed char c = -50; c < 50; c += 9) hits[c + 128]++;
    show("signed char");
    #pragma omp parallel for
    for (unsigned char c = 240; c > (unsigned char)n; c -= 10) hits[c]++;
    show("unsigned char");
    #pragma omp parallel for
    for (short s = 20; s > -20; s -= 3) hits[s + 20]++;
    show("short");
    #pragma omp parallel for
    for (unsigned short s = 65530; s < 65535; s++) hits[65535 - s]++;
    show("unsigned short");
    #pragma omp parallel for
    for (unsigned u = 4294967290u; u < UINT_MAX; u += 2) hits[UINT_MAX - u]++;
    show("unsigned");
    #pragma omp parallel for
    for (unsigned u = (unsigned)n; u >= 1; u--) hits[u]++;
    show("unsigned down");
    #pragma omp parallel for
    for (int i = INT_MAX - 20; i < INT_MAX - 1; i += 4) hits[INT_MAX - i]++;
    show("int near its maximum");
    #pragma omp parallel for
    for (int i = INT_MIN + 8 + n; i > INT_MIN + 8; i -= 7) hits[i - INT_MIN]++;
    show("int near its minimum");
    #pragma omp parallel for
    for (long l = 10000000000L; l < 10000000000L + n; l++) hits[l - 10000000000L]++;
    show("long");
    #pragma omp parallel for
    for (long long l = 4000000000LL * 5; l > 4000000000LL; l -= 1000000000LL) hits[l / 1000000000LL]++;
    show("long long");
    #pragma omp parallel for
    for (unsigned long long l = 1ULL << 63; l < (1ULL << 63) + (unsigned)n; l += 3) hits[l - (1ULL << 63)]++;
    show("unsigned long long");
    #pragma omp parallel for
    for (size_t z = 0; z < (size_t)n; z++) hits[z]++;
    show("size_t");
    #pragma omp parallel for
    for (uint8_t b = 3; b < 200; b = b + 13) hits[b]++;
    show("uint8_t");
    #pragma omp parallel for
    for (int i = 0; i < (long long)n + 1; i++) hits[i]++;
    show("int below long long");
    #pragma omp parallel for
    for (ptrdiff_t d = n; d > -1; d--) hits[d]++;
    show("ptrdiff_t");
    come_round(n);
    return 0;
}
