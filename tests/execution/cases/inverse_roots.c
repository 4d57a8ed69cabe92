/* 1 / sqrt(x), which is one operation on the device, except where a last bit decides: all integers are exact. Zeros,
   infinities and what is not a number give what the host gives. */
/* args: 67 */
/* expect-gpu: 6 */
/* rtol: 1e-5 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define N 67

static float x[N], m[N], large[N], small[N], fout[N];
static double d[N], dout[N], table[N];
static int iout[N], first[N + 1];

static float inverse(float square) { return 1.0f / sqrtf(square); }

static void fill(void)
{
    static const float odd[] = {0.0f, -0.0f, 1e-42f, INFINITY, 3e38f, 1.2e-38f};
    for (int i = 0; i < N; i++) {
        x[i] = i % 11 == 7 ? odd[i / 11 % 6] : 0.37f * (float)i + 0.01f;
        d[i] = i % 13 == 5 ? (i % 2 ? 4e-320 : 0.0) : 1.7 * i + 0.3;
        large[i] = i % 11 == 3 ? INFINITY : i % 5 == 1 ? 3e38f : 1.0f + (float)i;
        small[i] = i % 11 == 3 ? 1e-42f : i % 5 == 1 ? 1.2e-38f : 1.0f + (float)i;
        m[i] = (float)(i % 11) - 5.0f;
        table[i] = i * 0.125;
        first[i + 1] = first[i] + i * 5 % 13;
    }
}

static void attract(int n) /* in groups; the particle itself is at distance 0 */
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float sx = 0.0f;
        double sy = 0.0, most = 0.0;
        for (int j = 0; j < n; j++) {
            const float dx = (float)table[j] - (float)table[i], inverse = 1.0f / sqrtf(dx * dx + 0.01f);
            sx += m[j] * inverse * inverse * inverse * dx;
        }
        for (int j = 0; j < n; j++) {
            const double dx = table[j] - table[i];
            if (j != i)
                sy += 1 / sqrt(dx * dx) * dx;
            most = fmax(most, 1. / sqrt(dx * dx + 0.25));
        }
        fout[i] = sx;
        dout[i] = sy + most;
    }
}

static void sums(int n) /* operands of every kind, though no zeros: sums that show it, and others */
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float a = 0.0f, b = 0.0f;
        double e = 0.0, f = 0.0, g = 0.0;
        int count = 0;
        for (int j = 0; j < 200; j++) {
            const float r = 1.0f / sqrtf(large[(i + j) % N]), q = -r * (0.5f + m[j % N]);
            a += q + r;
            b -= 1e-21f * (1.0f / sqrtf(small[(i + j) % N])) / 3.0f;
            count += j & i;
        }
        for (int j = 0; j < 200; j++) {
            const double r = 1.0 / sqrt(d[(i + j) % N] + 1e-321);
            e += 1.0 / sqrt(r + 1.0);
            f += r * 1e-200;
        }
        for (int j = 0; j < 200; j++) {
            const float r = 1.0f / sqrtf(large[(i + j) % N]);
            g += fmin(r, 3.0f) + count;
        }
        fout[i] = a + b;
        dout[i] = e + f + g;
    }
}

static void single(int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        fout[i] = inverse(x[i]);
        dout[i] = 1 / sqrt(d[i]) + 2.0f * (1.0 / sqrt(table[i] + 1.0f));
    }
}

static void shared(int n) /* lanes share the loop */
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double s = 0.0;
        for (int k = first[i]; k < first[i + 1]; k++)
            s += table[k % N] * (1.0 / sqrt(table[k % N] + 0.5));
        dout[i] = s;
    }
}

static void decides(int n) /* at 1 / sqrt(49.0f * 49.0f) and the like, the last bit */
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        const float f = (float)(i + 1), r = 1.0f / sqrtf(f), near = (float)(1.0 / sqrt(i + 1.0));
        int seen = 0;
        double s = 0.0;
        for (int j = 1; j < 40; j++) {
            const double q = 1.0 / sqrt(j * (i + 1.0));
            seen += q * q * j * (i + 1.0) < 1.0;
            s += q;
        }
        seen += 100 * (r < near) + 200 * (r > near);
        iout[i] = seen + 1000 * (int)(1000000.0f * (1.0f / sqrtf(f + 0.5f)));
        fout[i] = (float)table[(int)(60 / (1 / sqrt(i + 1.0)) / 9.0)];
        dout[i] = s;
    }
}

static float sqrtd(float value) { return value * value; }

static void others(int n) /* two operations each */
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        const float f = (float)i + 1.5f;
        fout[i] = 1.0f / sqrtd(f) + 2.0f / sqrtf(f) + (float)(1.0 / sqrtf(f));
        dout[i] = 1.0f / sqrtf(f) / sqrt(f);
    }
}

static void show(const char *name, int n)
{
    printf("%s\n", name);
    for (int i = 0; i < n; i++)
        printf("%.8e %.8e %d\n", fout[i], dout[i], iout[i]);
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : N;
    fill();
    attract(n);
    show("attract", n);
    sums(n);
    show("sums", n);
    single(n);
    show("single", n);
    shared(n);
    show("shared", n);
    decides(n);
    show("decides", n);
    others(n);
    show("others", n);
    return 0;
}
