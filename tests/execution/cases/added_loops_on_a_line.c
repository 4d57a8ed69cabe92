/* Of loops without a pragma that stand on one line only the first can be asked about: what the host asks stands above the line. Where
   one launch was refused, the second loop's was done in the place of the first loop. */
/* args: 500 */
/* args: 1 */
/* expect-gpu: 5 */
/* expect-added: 1 */
#include <stdio.h>
#include <stdlib.h>

static double x[500], y[500];

int main(int argc, char **argv)
{
    const int n = atoi(argv[1]);
    double s = 0;
#pragma omp parallel for
    for (int i = 0; i < n; i++) x[i] = i;
    for (int i = 0; i < n; i++) y[i] = x[i] + 1; for (int i = 0; i < n; i++) x[i] = y[n - 1 - i] * 2;
#pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] += x[i];
    for (int t = 0; t < 3; t++) for (int i = 0; i < n; i++) x[i] = y[n - 1 - i] * 0.5 + x[i];
#pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] += x[i];
    for (int m = 1; m < n; m += 123) { double d[m]; for (int i = 0; i < m; i++) d[i] = x[i] * argc;
#pragma omp parallel for
    for (int i = 0; i < m; i++) y[i] += d[i]; }
#pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] += x[i];
    for (int i = 0; i < n; i++)
        s = s * 0.99 + y[i] + 3 * x[i];
    printf("%.12g\n", s);
    return 0;
}
