/* An array of the thread, private by clause or declared in the body, through which the iterations of inner loops meet:
   the loops over j do not become one that goes outside. */
/* expect-gpu: 2 */
#include <stdio.h>
static double a[50][40], b[8][40];
int main(void) {
    for (int r = 0; r < 8; r++) for (int j = 0; j < 40; j++) b[r][j] = r * 40 + j;
    #pragma omp parallel for
    for (int k = 0; k < 50; k++) {
        double t[41];
        for (int j = 0; j < 41; j++) t[j] = 0;
        for (int r = 0; r < 8; r++) {
            for (int j = 0; j < 40; j++) t[j] = b[r][j] + k;
            for (int j = 0; j < 40; j++) a[k][j] += t[39 - j];
        }
    }
    double t[40];
    #pragma omp parallel for private(t)
    for (int k = 0; k < 50; k++) {
        for (int r = 0; r < 8; r++) {
            for (int j = 0; j < 40; j++) t[j] = b[r][j] + k;
            for (int j = 0; j < 40; j++) a[k][j] += t[39 - j];
        }
    }
    double s = 0; for (int k = 0; k < 50; k++) for (int j = 0; j < 40; j++) s += a[k][j] * (k * 7 + j);
    printf("%g\n", s); return 0; }
