/* Elements that an inner loop goes on changing and that cannot stay in a variable meanwhile: something else reads them,
   functions change them, or the element that was there before is another one. */
/* args: 9 */
/* args: 1 */
/* args: 0 */
/* expect-gpu: 11 */
/* without: glue */
#include <stdio.h>
#include <stdlib.h>

#define N 40
#define FAR (1 << 27)

struct part { double x, y[2]; };
union both { double d; long l; };

static double y[2 * N + 2], z[N], val[N * 10];
static int first[N + 1], list[N], even[N], full[N], ends[N];
static struct part parts[N];
static union both unions[N];

static void halve(int at) { y[at] *= 0.5; }

static void show(const char *name)
{
    double sum = 0;
    for (int i = 0; i < 2 * N; i++)
        sum += y[i] * (i + 1);
    for (int i = 0; i < N; i++)
        sum += z[i] * (i % 7) + parts[i].x * i + parts[i].y[0] - parts[i].y[1] * (i % 3) + (double)unions[i].l;
    printf("%s %.12g\n", name, sum);
    for (int i = 0; i < 2 * N; i++)
        y[i] = i * 0.25 + 1;
    for (int i = 0; i < N; i++)
        z[i] = i, parts[i].x = i * 0.5, parts[i].y[0] = 1, parts[i].y[1] = 2 - i, unions[i].l = i;
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 9;
    for (int i = 0; i < N; i++)
        first[i + 1] = first[i] + (i % 4 == 2 ? 0 : i % 9), list[i] = (i * 3) % 7;
    for (int i = 0; i < N; i++) {
        ends[i] = first[i + 1];
        even[i] = i % 2 ? FAR : i;
        full[i] = first[i] == first[i + 1] ? FAR : i;
    }
    for (int k = 0; k < N * 10; k++)
        val[k] = (k * 11 % 17) * 0.5 - 3;
    show("begin");
    /* read before the loop, behind what gives it its value */
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        y[i] = i * 2;
        z[i] = i % 2 ? y[i] + 1 : 0;
        for (int k = first[i]; k < first[i + 1]; k++)
            y[i] += val[k];
    }
    show("read");
    /* the element before is another one */
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int at = 2 * i;
        y[at] = 0;
        at++;
        for (int k = first[i]; k < first[i + 1]; k++)
            y[at] += val[k];
    }
    show("moved");
    /* a function changes it */
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        y[i] = 3;
        for (int k = first[i]; k < first[i + 1]; k++) {
            y[i] += val[k];
            halve(i);
        }
    }
    show("halved");
    /* another element in each iteration */
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int at = 2 * i;
        y[at] = 1;
        for (int k = first[i]; k < first[i + 1]; k++) {
            y[at] += val[k];
            at = 2 * i + k % 2;
        }
    }
    show("changed");
    /* the same element by another subscript */
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        y[2 * i] = 1;
        for (int k = first[i]; k < first[i + 1]; k++) {
            y[2 * i] += val[k];
            y[2 * i + list[k % N] % 2] *= 0.5;
        }
    }
    show("subscript");
    /* one member by two ways, and what a union has in one place */
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        parts[i].y[0] = 1;
        for (int k = first[i]; k < first[i + 1]; k++) {
            parts[i].y[0] += val[k];
            parts[i].y[k % 2] -= 0.25;
        }
    }
    show("members");
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        unions[i].l = 3;
        for (int k = first[i]; k < first[i + 1]; k++) {
            unions[i].l += k;
            if (k == first[i] + 1)
                unions[i].d = 0;
        }
    }
    show("union");
    /* only some iterations come to it: elsewhere it does not exist */
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int k = first[i]; k < first[i + 1]; k++)
            if (i % 2 == 0)
                y[even[i]] += val[k];
    show("sometimes");
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int k = first[i]; k < first[i + 1]; k++)
            z[i] += i % 2 == 0 && (y[even[i]] += val[k]) > 3;
    show("perhaps");
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int k = first[i]; k < first[i + 1]; k++)
            y[full[i]] += val[k];
    show("empty");
    /* the bound is another one behind the loop */
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int k = first[i]; k < ends[i]; k++) {
            y[i] += val[k];
            if (k + 1 == first[i + 1])
                ends[i] = first[i];
        }
    show("bounds");
    return 0;
}
