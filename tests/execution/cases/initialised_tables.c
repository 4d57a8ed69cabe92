/* Tables whose elements are in the text: const, of one file and never changed, of several dimensions, with gaps and
   designators, of small types; and those that only look like them: written, by name, through a pointer, by a callee. */
/* args: 40 */
/* flags: -DTHIRD=0.25 */
/* expect-gpu: 5 */
#include <stdio.h>
#include <stdlib.h>

#define COUNT 9
enum sign { MINUS = -1, PLUS = 1 };

static const double weight[COUNT] = {4. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 36, 1. / 36, 1. / 36, 1. / 36};
static int opposite[COUNT] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
static const signed char shift[2][COUNT] = {{0, 1, 0, -1, 0, 1, -1, -1, 1}, {[2] = 1, 0, -1, 1, 1, -1, -1}};
const float small[4] = {0.1, 1 / 3.f, THIRD, 'a'};
static enum sign signs[3] = {PLUS, MINUS};
static const unsigned long long large[2] = {~0ULL, 1ULL << 40};
static double written[3] = {1, 2, 3}, pointed[3] = {4, 5, 6}, given[3] = {7, 8, 9}, own[3] = {1, 1, 1};

static void change(double *table) { table[1] += 10; }

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 10;
    static const short inside[5] = {-3, 300, 0x7fff};
    static double out[64], in[64 + 2];
    double *p = pointed, sum = 0;
    unsigned long long bits = 0;

    for (int i = 0; i < 66; i++) in[i] = i * 0.37;
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = 0; k < COUNT; k++) s += weight[k] * in[i + 1 + shift[0][k]] * opposite[k] + shift[1][k];
        for (int k = 0; k < 4; k++) s += small[k] * signs[k % 3] + inside[k];
        out[i] = s;
    }
    for (int i = 0; i < n; i++) sum += out[i] * (i + 1);
    printf("%.12g\n", sum);
    #pragma omp parallel for reduction(^:bits)
    for (int i = 0; i < n; i++) bits ^= large[1] * i ^ large[0];
    printf("%llu\n", bits);
    /* lanes read different elements */
    #pragma omp parallel for
    for (int i = 0; i < n; i++) out[i] = weight[i % COUNT] * opposite[(i * 5) % COUNT] + inside[i % 5];
    for (int i = 0; i < n; i++) sum += out[i] * (i + 1);
    printf("%.12g\n", sum);
    for (int turn = 0; turn < 3; turn++) {
        written[turn] += 0.5, p[0] += turn, change(given);
        #pragma omp parallel for
        for (int i = 0; i < n; i++) out[i] = written[1] * i + pointed[0] + given[1];
        for (int i = 0; i < n; i++) sum += out[i] * (i + 1);
        printf("%.12g\n", sum);
    }
    {
        static double own[3] = {5, 6, 7};
        #pragma omp parallel for
        for (int i = 0; i < n; i++) out[i] = own[0] + own[2] * i;
    }
    for (int i = 0; i < n; i++) sum += out[i] * (i + 1) * own[1];
    printf("%.12g\n", sum);
    return 0;
}
