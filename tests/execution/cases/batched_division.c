/* Inner loops whose quotients and roots are tried in groups of iterations: usual operands, and those at which a group is
   done again; loops that must go one iteration after the other. Every bit as on the host. */
/* args: 67 */
/* args: 3 */
/* expect-gpu: 11 */
/* rtol: 0 */
/* fp: strict */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define N 67

static float x[N], m[N], fout[N];
static double a[N], b[N], table[N], dout[N], dout2[N];
static int first[N + 1], list[N * N], iout[N];

static void fill(void)
{
    static const double above[] = {-0.0, 4.9e-324, 1e-310, 1e305, -1e305, 0.0}, below[] = {1e-303, 1e308, -1.7e308, INFINITY};
    for (int i = 0; i < N; i++) {
        x[i] = i % 29 == 28 ? 1e-42f : i == 40 ? 3e19f : (float)i * 0.37f;
        m[i] = i % 7 == 3 ? 0.0f : i == 20 ? 1e-41f : (float)(i % 11) - 5.0f;
        a[i] = i % 9 == 8 ? above[i % 6] : (i % 5 == 0 ? 0.0 : 1.0 / (i + 3));
        b[i] = i % 13 == 12 ? below[i % 4] : 3.7 / (i + 2) - 0.02;
        table[i] = i * 0.125;
        first[i + 1] = first[i] + i * 5 % 13;
    }
    for (int k = 0; k < N * N; k++)
        list[k] = (k * 31 + 7) % N;
}

static void attract(int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float sx = 0.0f, sy = 0.0f;
        for (int j = 0; j < n; j++) {
            const float dx = x[j] - x[i], dy = m[j] - m[i], inverse = 1.0f / sqrtf(dx * dx + dy * dy + 0.01f);
            sx += m[j] * inverse * inverse * inverse * dx;
            sy += m[j] / (1 + dx * dx) * dy;
        }
        fout[i] = sx + 3 * sy;
    }
}

static void kinds(int n) /* counters of other types, downwards, in steps; `continue`; variables set anew, kept, counted */
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double t = 0, last = -1, q;
        int near = 0;
        unsigned char c;
        for (c = 60; c >= 2; c -= 2) {
            if (c % 9 == 4)
                continue;
            q = a[c] / b[c];
            t += q * 1e-6;
            last = q + i;
            near++;
        }
        for (long k = i; k < 200L; k += 3) {
            double w = table[k % N];
            w /= b[k % N];
            t -= w * 1e-6;
        }
        for (unsigned u = 0xfffffff0u; u != 0xffffffffu; u++)
            t += sqrt((double)u - 0xfffffff0u) / (i + u % 5 + 1);
        dout[i] = t + near;
        dout2[i] = last;
    }
}

static void distances(int n) /* its own particle is at distance 0 */
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double nearest = 1e300, sum = 0.0;
        for (int j = 0; j < n; j++) {
            const double d = sqrt((table[i] - table[j]) * (table[i] - table[j]));
            if (d < nearest && j != i)
                nearest = d;
            sum += d > 1.0 ? 1.0 : d;
        }
        dout[i] = nearest + sum;
    }
}

static void lists(int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double px = table[i], sx = 0.0, sy = 0.0;
        for (int k = first[i]; k < first[i + 1]; k++) {
            const int j = list[k];
            const double dx = table[j] - px, r2 = dx * dx;
            if (r2 > 9.0)
                continue;
            const double force = (24.0 * r2 - 48.0) / (r2 * r2 * r2);
            sx += force * dx;
            sy += force;
        }
        dout[i] = sx, dout2[i] = sy;
    }
}

static double mean(int n) /* the sum of all iterations is a reduction; lanes share the second loop */
{
    double total = 0.0;
    #pragma omp parallel for reduction(+:total)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 40; j++)
            total += (i + j) / (table[j] + 4.0);
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double s = 0.0;
        for (int k = first[i]; k < first[i + 1]; k++)
            s += table[k % N] / (1.0 + list[k]) + sqrt((double)list[k + 1]);
        dout[i] = s;
    }
    return total;
}

static void decides(int n) /* what a wrong quotient would read, or how long it would go on */
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double s = 0.0;
        int seen = 0;
        for (int j = 0; j < n; j++) {
            const int k = (int)(table[j] / (table[i] + 0.25));
            s += k < N ? table[k] : 0.5;
        }
        for (int j = 0; j < n; j++)
            if (table[j] / (1.0 + i) < 0.5)
                seen += list[j * N];
        for (int j = 0; j < n; j++) {
            double r = table[j];
            while (r > 1.0)
                r = r / 2.5;
            s += r;
        }
        for (int j = 0; j < n; j++) {
            s += 1.0 / (j + 1.0);
            if (s > 50.0)
                break;
        }
        dout[i] = s;
        iout[i] = seen;
    }
}

static void stores(int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double own[4] = {0};
        for (int j = 0; j < 16; j++)
            own[j % 4] += table[j] / (i + 1.0);
        for (int j = 0; j < 16; j++)
            a[i] += table[j] / (i + 2.0);
        dout[i] = own[0] + 2 * own[1] + 3 * own[2] + 4 * own[3];
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int best = -1, second = -1, j;
        float most = -1.0f;
        for (int k = 0; k < n; k++) {
            float share = m[k] / (1.0f + fabsf((float)(i - k)));
            if (share > most)
                most = share, best = k;
        }
        for (j = 0; j < n; j++) {
            float share = m[j] / (1.0f + fabsf((float)(i - j)));
            if (share > most * 0.5f)
                second = j;
        }
        fout[i] = most;
        iout[i] = best + 100 * second + 10000 * j;
    }
}

static void last_values(int n) /* the last iteration's values are wanted behind the loop, where nothing reads them in it */
{
    double q = -1;
    float root = -1;
    int j = -1;
    #pragma omp parallel for lastprivate(q, root, j)
    for (int i = 0; i < n; i++) {
        double t = 0;
        for (j = 0; j < 35; j++) {
            q = a[j] / (b[i] + j);
            root = sqrtf(m[j] * m[j] + i);
            t += q + root;
        }
        dout[i] = t;
    }
    printf("%a %a %d\n", q, root, j);
}

static void show(const char *name, int n)
{
    printf("%s\n", name);
    for (int i = 0; i < n; i++)
        printf("%a %a %a %d\n", fout[i], dout[i], dout2[i], iout[i]);
}

static void proved(int n) /* conditions and constants bound the operands, or it looks as if they did */
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        const float px = x[i] - 2, wide = fmaxf(m[i], 0.25f);
        float s = 0.0f, r = 0.0f;
        double t = 0.0, u = 0.0;
        for (int j = 0; j < n; j++) {
            const float dx = x[j] - px, square = dx * dx + m[j] * m[j];
            if (square < 4.0f && j != i)
                s += 1.0f / (square + 0.01f) + sqrtf(square + 1);
            if (!(square > 1e30f))
                s += wide < 100 ? 3 / wide : 0;
        }
        for (int j = 0; j < n; j++) {
            const double d = b[j] - a[i], away = d > 0.125 ? d : 0.125;
            if (away >= 1e6 || isinf(d))
                continue;
            t += 1 / away - 2.5 / -away;
        }
        for (int j = 0; j < n; j++) { /* none of these are bounded */
            const float d = m[j] - m[i];
            float e = m[j];
            if (d < 1.0f)
                r += 1 / (d + 2.0f);
            if (e > 1.0f || j == 3)
                r += 1 / (e + 0.0f);
            if (e > 0.5f && e < 8.0f) {
                e = x[j];
                r += 1 / (e + 1e-39f);
            }
            u += 1 / (b[j] * b[j] + 0.5);
        }
        for (int j = 0; j < 16; j++) {
            dout2[i] += 1.0 / (1.0 + (j + i % 3 + 2) * 0.5) + sqrt(fmin(fmax(a[j], 0.5), 2.0));
            if (dout2[i] > 12.0)
                break;
        }
        fout[i] = s;
        dout[i] = t + u;
        dout2[i] += r < 1e30f ? r : 1;
    }
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : N;
    fill();
    attract(n);
    show("attract", n);
    kinds(n);
    show("kinds", n);
    distances(n);
    show("distances", n);
    lists(n);
    show("lists", n);
    printf("%.8e\n", mean(n));
    show("mean", n);
    decides(n);
    show("decides", n);
    stores(n);
    show("stores", n);
    last_values(n);
    show("last values", n);
    proved(n);
    show("proved", n);
    return 0;
}
