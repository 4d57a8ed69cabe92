/* Global, static and automatic arrays of rank 1 to 4; parts written, the rest keeps its values; several element types. */
/* args: 6 */
/* args: 2 */
/* expect-gpu: 9 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double g1[64];
float g2[8][9];
static short g3[4][5][6];
static long long g4[3][4][5][6];
const int table[8] = {3, 1, 4, 1, 5, 9, 2, 6};

static unsigned hash(const void *p, size_t bytes)
{
    const unsigned char *c = p;
    unsigned h = 17;
    while (bytes--)
        h = h * 31 + *c++;
    return h;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 6;
    static int s1[100];
    int a1[50];
    double a2[10][11];
    unsigned char a3[6][7][8];
    memset(a1, 1, sizeof a1);
    memset(a2, 0, sizeof a2);
    memset(a3, 9, sizeof a3);
    for (int i = 0; i < 64; i++)
        g1[i] = -i;

    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        g1[2 * i + 1] = i * 0.5;
    #pragma omp parallel for
    for (int i = 1; i < 8; i++)
        for (int j = 0; j < n; j++)
            g2[i][j] = g2[i][j] * 0 + i * 10 + j;
    #pragma omp parallel for
    for (int i = 0; i < 4; i++)
        for (int j = 1; j < 4; j++)
            g3[i][j][n % 6] = (short)(i * 7 + j + table[i + j]);
    #pragma omp parallel for collapse(2)
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < n && k < 5; k++)
                g4[i][j][k][(i + j + k) % 6] = 1LL << (i + 3 * j + 5 * k);
    #pragma omp parallel for
    for (int i = 0; i < 10; i++)
        s1[i * i] = i + n;
    #pragma omp parallel for
    for (int i = 10; i < 10 + n; i++)
        a1[i] += i;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 11; j++)
            a2[i][j] = a1[i + j] * 0.25;
    #pragma omp parallel for
    for (int i = 0; i < 6; i += 2)
        for (int j = 0; j < 7; j++) {
            unsigned char *row = a3[i][j];
            row[i] = (unsigned char)(row[7] * 40 + j);
        }
    #pragma omp parallel for
    for (int i = 0; i < 5; i++)
        if (a1[i] != 0)
            (&a1[20])[i - 2] = -i;
    printf("%u %u %u %u %u %u %u %u\n", hash(g1, sizeof g1), hash(g2, sizeof g2), hash(g3, sizeof g3),
           hash(g4, sizeof g4), hash(s1, sizeof s1), hash(a1, sizeof a1), hash(a2, sizeof a2), hash(a3, sizeof a3));
    return 0;
}
