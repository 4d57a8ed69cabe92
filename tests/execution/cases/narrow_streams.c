/* Elements of one and two bytes that neighbouring iterations have side by side: several iterations of a thread, 16 bytes at a
   time, at aligned and at odd addresses, in rows of any length; and loops that only look like that. Short loops of such
   elements. */
/* args: 1 1 0 */
/* args: 15 3 0 */
/* args: 16 2 1 */
/* args: 37 5 3 */
/* args: 64 4 0 */
/* args: 1030 7 2 */
/* args: 48 33 0 */
/* expect-gpu: 35 */
/* expect-added: 4 */
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 24000 };
static unsigned char ua[MOST], ub[MOST], uc[MOST], table[256], image[40][72], other[40][72];
static signed char sa[MOST];
static short ha[MOST], hb[MOST], hc[MOST];
static unsigned short ku[MOST];
static _Bool ya[MOST];
static int ia[MOST];
static float fa[MOST];
static double da[MOST];

static void fill(void)
{
    for (int i = 0; i < MOST; i++) {
        ua[i] = (unsigned char)(i * 7), ub[i] = (unsigned char)(i * 13 + i / 50), uc[i] = 9;
        sa[i] = (signed char)(i * 5), ha[i] = (short)(i * 301), hb[i] = (short)(i * 77 - 9000), hc[i] = -1;
        ku[i] = (unsigned short)(i * 999), ya[i] = i % 3 == 0, ia[i] = i, fa[i] = (float)i, da[i] = i;
    }
    for (int i = 0; i < 256; i++)
        table[i] = (unsigned char)(255 - i);
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 72; j++)
            image[i][j] = (unsigned char)(i * j), other[i][j] = (unsigned char)(i + j);
}

static void show(const char *name)
{
    unsigned long sum = 0;
    double f = 0;
    for (int i = 0; i < MOST; i++) {
        sum = sum * 31 + ua[i] + 3u * ub[i] + 5u * uc[i] + (unsigned)ha[i] + 7u * (unsigned)hc[i] + ku[i] + ya[i] + (unsigned)ia[i];
        f += fa[i] + 0.5 * da[i];
    }
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 72; j++)
            sum = sum * 31 + image[i][j];
    printf("%s %lu %.10g\n", name, sum, f);
    fill();
}

static void lines(unsigned char *a, const unsigned char *b, const unsigned char *c, short *h, int n, int limit)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = b[i] > limit ? 255 : 0;
    show("threshold");
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = (unsigned char)((b[i] * limit + c[i] * (256 - limit)) >> 8);
    show("blend");
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        h[i] = (short)(ha[i] + hb[i] - b[i]);
    show("short");
#pragma omp parallel for
    for (int i = 3; i < n; i++)
        a[i] += b[i];
    show("update");
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        if (a[i] > limit)
            a[i] = (unsigned char)limit;
    show("some");
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        a[i] = b[i];
        if (b[i] % 2)
            a[i]++;
        if (b[i] % 3 == 0)
            continue;
        a[i] = (unsigned char)(a[i] ^ c[i]);
    }
    show("continue");
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = table[b[i]];
    show("table");
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        unsigned char v = b[i];
        ia[i] = table[v] + v;
    }
    show("wider");
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        fa[i] = ha[i] * 0.25f;
    show("float");
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        da[i] = ha[i] * 0.25;
    show("double");
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        ya[i] = !ya[i];
        ku[i] = (unsigned short)(ku[i] + sa[i]);
    }
    show("bool");
}

static void sums(const unsigned char *b, int n, int limit)
{
    long sum = 0;
    int most = 0, own;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += b[i];
#pragma omp parallel for reduction(+ : sum) reduction(max : most) private(own)
    for (int i = 0; i < n; i++) {
        own = b[i] > limit ? b[i] - limit : limit - b[i];
        sum += own;
        most = own > most ? own : most;
    }
    printf("sums %ld %d\n", sum, most);
}

static void rows(unsigned char *a, const unsigned char *b, int n, int w)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < w; j++)
            a[i * w + j] = (unsigned char)(b[i * w + j] / 2 + i);
    show("rows");
#pragma omp parallel for
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 72; j++)
            image[i][j] = (unsigned char)(255 - other[i][j]);
    show("image");
#pragma omp parallel for
    for (int i = 0; i < 40; i++)
        for (int j = 5; j < 72; j++)
            image[i][j] = (unsigned char)(image[i][j] + other[39 - i][j]);
    show("upside down");
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (long j = 0; j < w; j++)
            a[i * (long)w + j] = b[(n - 1 - i) * (long)w + j] & 15;
    show("collapsed");
}

/* What keeps one iteration a thread at a time. */
static void others(unsigned char *a, const unsigned char *b, int n, int w, int few)
{
    int last = 0;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = (unsigned char)(b[i] + b[i + 1]);
    show("beside");
    unsigned char *const less = malloc((size_t)few);
    for (int i = 0; i < few; i++)
        less[i] = (unsigned char)(i + 1);
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        if (i < few)
            a[i] = less[i];
    show("some exist");
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        if (i >= few)
            continue;
        a[i] = less[i];
    }
    show("some exist in front of a jump");
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = (unsigned char)(i < few ? less[i] : b[i]);
    show("one or the other");
    free(less);
#pragma omp parallel for
    for (int i = n - 1; i >= 0; i--)
        a[i] = b[i];
    show("down");
#pragma omp parallel for
    for (int i = 0; i < n; i += 2)
        a[i] = b[i];
    show("every other one");
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = (unsigned char)(a[i + n] + 1);
    show("another part");
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        a[i] = b[i];
        a[i + n] = b[i + n];
    }
    show("two parts");
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = b[(unsigned char)(i + 250)];
    show("wraps");
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[n - 1 - i] = b[i];
    show("turned round");
#pragma omp parallel for lastprivate(last)
    for (int i = 0; i < n; i++) {
        last = b[i];
        a[i] = (unsigned char)(last + 1);
    }
    printf("%d ", last);
    show("last");
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int at = i * w;
        a[at] = b[i];
    }
    show("apart");
}

static void copy(unsigned char *to, const unsigned char *from, int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        to[i] = (unsigned char)(from[i] * 3);
    show("copy");
}

/* Loops of a few iterations stay in the thread: channels of pixels, and small matrices. */
static void channels(unsigned char *a, const unsigned char *b, int h, int w)
{
#pragma omp parallel for
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++)
            for (int c = 0; c < 3; c++)
                a[(i * w + j) * 3 + c] = (unsigned char)(b[(i * w + j) * 3 + 2 - c] / 2 + c);
    show("channels");
#pragma omp parallel for
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++) {
            int grey = 0;
            for (int c = 3; c > 0; c--)
                grey += c * b[(i * w + j) * 3 + c - 1];
            for (int c = 0; c < 3; c++)
                a[(c * h + i) * w + j] = (unsigned char)(grey / 6);
        }
    show("planes");
#pragma omp parallel for
    for (int i = 0; i < h; i++)
        for (int c = 0; c < 4; c++) {
            if ((b[i] + c) % 3 == 0)
                continue;
            hc[c * h + i] = ha[i * 4 + c];
        }
    show("shorts");
#pragma omp parallel for
    for (int i = 0; i < h; i++)
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++) {
                double s = 0;
                for (int k = 0; k < 3; k++)
                    s += fa[i * 9 + r * 3 + k] * fa[i * 9 + k * 3 + c];
                da[i * 9 + r * 3 + c] = s;
            }
    show("matrices");
#pragma omp parallel for
    for (int i = 0; i < h; i++)
        for (int c = 0; c < 4; c++)
            fa[i * 4 + c] *= ha[i];
    show("wide");
}

int main(int argc, char **argv)
{
    if (argc < 4)
        return 1;
    const int n = atoi(argv[1]), w = atoi(argv[2]), from = atoi(argv[3]);
    fill();
    lines(ua + from, ub + from, uc + 2 * from, hc + from, n, 100);
    lines(ua + from, ub, uc, hc, n, 100);
    sums(ub + from, n, 77);
    rows(ua + from, ub + from, w, n);
    others(ua, ub, n, w, n / 2 + 1);
    channels(ua + from, ub + from, w, n);
    channels(ua + from, ub + from, n < 500 ? n : 500, 3);
    copy(ua, ua + 2000, n);
    copy(ub, ub, n);
    return 0;
}
