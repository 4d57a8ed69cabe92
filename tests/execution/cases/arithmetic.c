/* C's arithmetic: narrow types, promotions, wraparound, shifts, signed division, conversions, bool, characters. */
/* args: 300 */
/* expect-gpu: 6 */
#include <stdio.h>
#include <stdlib.h>
#include <stdbool.h>
#include <stdint.h>

static unsigned char uc[300];
static signed char sc[300];
static short sh[300];
static unsigned short us[300];
static unsigned u[300];
static int in[300];
static long long ll[300];
static uint64_t ull[300];
static bool flags[300];
static float fl[300];
static double db[300];

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    for (int i = 0; i < n; i++)
        in[i] = (i - 150) * 7919;
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        uc[i] = (unsigned char)in[i];
        uc[i] += 200;
        uc[i] <<= 1;
        uc[i] = ~uc[i];
        sc[i] = (signed char)(in[i] >> 3);
        sc[i]++;
        sc[i] -= 100;
        sh[i] = in[i];
        sh[i] *= 3;
        sh[i] /= -7;
        us[i] = -1;
        us[i] -= i;
        us[i]--;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        u[i] = (unsigned)in[i] * 2654435761u;
        u[i] ^= u[i] >> 15;
        u[i] = u[i] << (i % 32) | u[i] >> (31 - i % 31);
        ll[i] = in[i] / 7 * 1000 + in[i] % 7;
        ll[i] = ll[i] * 3 - (in[i] >> 4) + ((long long)in[i] * 1048576 >> 3);
        ull[i] = (uint64_t)in[i] * 0x9E3779B97F4A7C15ULL + in[i];
        ull[i] %= 1000000007u;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        flags[i] = in[i] & 4;
        flags[i] = flags[i] || in[i] > 500000;
        bool b = 0.5;
        flags[i] ^= b && i % 3;
        in[i] += flags[i] + (u[i] > -1) + (uc[i] == (unsigned char)~0) + (sc[i] < 200u) + (-1 < 1u);
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        fl[i] = in[i];
        db[i] = fl[i] / 3;
        fl[i] = 0.1;
        fl[i] += 0.2;
        fl[i] *= i;
        db[i] += 1 / 3 + 1.0 / 3 + 1.0f / 3 + (i / 2) * 0.5;
        in[i] = (int)db[i] + (int)-2.7;
        uc[i] = (unsigned char)(db[i] > 0 ? db[i] * 0 + 77.9 : 255.0);
        sh[i] = (short)(fl[i] * 1.5f);
        double below_zero = -1.0 - i; /* undefined, and what programs rely on */
        us[i] = below_zero;
        uc[i] ^= (unsigned char)below_zero + (unsigned char)(i * 10.5);
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        char c = 'a' + i % 26;
        c = c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c;
        sc[i] += c == 'B' ? '\n' : c == 'C' ? '\\' : c == 'D' ? '\'' : c == 'E' ? '\x41' : c == 'F' ? '\101' : 0;
        u[i] += sizeof c + sizeof 'a' + sizeof(i + 1.0f) + sizeof in[0];
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int a = i, b = i + 1;
        a += b -= 3;
        a = b = a ^ (b * 4 & 0xff);
        a = a + 1 > b ? a : b;
        in[i] += a - -b + +a - ~b;
        ll[i] = i - 2147483648LL + 0x7fffffff + 010 + 1e3 + 0x1p4;
        in[i] = -in[i] - -1;
    }
    for (int i = 0; i < n; i++)
        printf("%d %d %d %d %u %d %lld %llu %d %.9g %.17g\n", uc[i], sc[i], sh[i], us[i], u[i], in[i], ll[i],
               (unsigned long long)ull[i], flags[i], fl[i], db[i]);
    return 0;
}
