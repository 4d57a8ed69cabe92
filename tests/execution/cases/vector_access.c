/* Members and elements that lie side by side, in arrays that are aligned, at odd addresses, and overlapping. */
/* args: 70 0 */
/* args: 37 1 */
/* args: 33 2 */
/* args: 1 3 */
/* expect-gpu: 21 */
/* expect-added: 2 */
#include <stdio.h>
#include <stdlib.h>

typedef struct { float x, y; } Two;
typedef struct { float x, y, z; } Three;
typedef struct { float x, y, z, w; } Four;
typedef struct { int a, b; float c, d, e; } Five;
typedef struct { short a, b, c, d; unsigned char e, f, g, h; float x, y, z; } Six; /* 24 bytes */
typedef struct { double x, y, z, unused; } Wide;
typedef struct { Four place, speed; int id; float own[3]; } Nested; /* 48 bytes */
typedef struct { unsigned char r, g, b, a; } Pixel;
typedef struct { char one, two; } Bytes;
typedef struct { double re, im; } Complex;
typedef struct { float AlignedElement, other; } Named;
typedef union { struct { float x, y; } both; float parts[4]; } Union;

enum { MOST = 80 };
static Four grid[5][MOST];

static float total(Four a) { return a.x + 2 * a.y + 3 * a.z + 4 * a.w; }
static float length(const Four *a) { return a->x * a->x + a->y * a->y; }
static float between(const Four *a, int i, int j) { return a[i].x - a[j].x + a[i].y - a[j].y; }

static void show(const char *name, const float *values, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += (i % 13 + 1) * values[i];
    printf("%s %.1f\n", name, sum);
}

/* the float at which a block of the program's begins: aligned to 16 bytes, or not */
static float *block(int count, int from, float **base)
{
    *base = malloc((count + 4) * sizeof(float));
    for (int i = 0; i < count + 4; i++)
        (*base)[i] = (float)(i * 7 % 31 - 12);
    return *base + from;
}

static void pairs(Two *p, Two *q, float *out, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int j = 0; j < n; j++)
            s += p[j].x * p[i].y - p[j].y;
        out[i] = s;
        q[i].x = s;
        q[i].y = (float)i;
    }
}

static void threes(const Three *p, float *out, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        out[i] = p[i].x + 2 * p[i].y + 3 * p[i].z;
}

static void fours(const Four *p, Four *q, float *out, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float sx = 0, sy = 0;
        for (int j = 0; j < n; j++) {
            const float dx = p[j].x - p[i].x, dy = p[j].y - p[i].y, dz = p[j].z - p[i].z;
            if (dx * dy < 40) {
                sx += p[j].w * dx + dz;
                sy += dy;
            }
        }
        out[i] = sx;
        q[i].x = sx, q[i].y = sy, q[i].z += 1, q[i].w -= sx;
    }
}

/* whole elements: read, written, passed on, chosen, and one that is a member of the next */
static void whole(const Four *p, Four *q, Nested *t, float *out, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        Four mine = p[i], other;
        other = p[n - 1 - i];
        mine.x += other.y;
        q[i] = i % 3 ? p[i] : mine;
        if (i % 5 == 0)
            q[i] = (Four){1, 2, 3, 4};
        out[i] = total(mine) + total(p[i]) + length(&p[i]);
        t[i].place = q[i];
        t[i].speed = p[n - 1 - i];
        t[i].id = i;
        for (int k = 0; k < 3; k++)
            t[i].own[k] += (float)k;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        const Nested copy = t[i];
        out[i] = copy.place.x + copy.speed.w + t[i].place.y + t[i].speed.z + t[i].own[0] + t[i].own[1] + (float)copy.id;
    }
}

/* some members of an element here, others there */
static void apart(const Four *p, const Two *two, const float *out_of, float *out, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float s = p[i].x * p[i].z;
        for (int j = 0; j < n; j++) {
            const int k = (j * 7 + i) % n;
            if (p[k].x > p[i].y) {
                s += p[k].w;
                if (two[k].x < 3)
                    s -= two[k].y * out_of[k];
            }
            if (p[k].x > 4)
                continue;
            s += p[k].y;
        }
        out[i] = s;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        out[i] += p[i].x - p[n - 1 - i].y + p[n - 1 - i].w + p[i].z;
}

/* through pointers: the kernel's own, a function's, the difference of two */
static void pointed(Four *p, float *out, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        const Four *own = &p[i];
        out[i] = own->x + own->y + p[i].z + p[i].w;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        const Four *own = p + i;
        out[i] += p[i].x * p[i].y + own->z;
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        out[i] += between(p, i, n - 1 - i) + p[i].x + p[i].y;
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        const Four *own = &p[n - 1 - i];
        out[i] += p[own - p].x + p[own - p].y + (*(p + i)).x + (*(p + i)).y + p->x + p->y;
    }
}

static void others(const Five *five, Six *six, Named *named, float *out, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        six[i].a += six[i].b, six[i].c = (short)i, six[i].d = (short)-i;
        six[i].e = 1, six[i].f = 2, six[i].g = 3, six[i].h = (unsigned char)i;
        six[i].x = six[i].y + six[i].z;
        named[i].other = named[i].AlignedElement;
        out[i] = (float)five[i].a + (float)five[i].b + five[i].c * five[i].d + five[i].e + six[i].y;
    }
}

static void narrow(const Pixel *pixel, Bytes *bytes, float *out, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        out[i] = pixel[i].r + 2 * pixel[i].g;
        if (pixel[i].b > 20)
            out[i] += pixel[i].a;
        bytes[i].two += bytes[i].one;
        bytes[i].one = (char)(i + bytes[i].two % 3);
    }
}

static void doubles(const Wide *p, Wide *sum, Complex *c, float *out, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double sx = 0, sy = 0, sz = 0;
        for (int j = 0; j < n; j++) {
            const double dx = p[j].x - p[i].x, dy = p[j].y - p[i].y, dz = p[j].z - p[i].z, r = dx * dx + dy * dy + dz * dz;
            if (r > 900)
                continue;
            sx += dx / (r + 1), sy += dy / (r + 1), sz += dz / (r + 1);
        }
        sum[i].x += sx, sum[i].y += sy, sum[i].z += sz;
        out[i] = (float)(sx + sy + sz > 0);
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        const double re = c[i].re * p[i].x - c[i].im * p[i].y;
        c[i].im = c[i].re * p[i].y + c[i].im * p[i].x;
        c[i].re = re;
        #pragma omp atomic
        sum[i % 3].unused += 1;
    }
}

/* no structs: rows, plain arrays, unions */
static void plain(float *a, float (*rows)[4], Union *u, double *c, float *out, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        out[i] = a[4 * i] + 2 * a[4 * i + 1] + 3 * a[4 * i + 2] + 4 * a[i * 4 + 3];
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        out[i] += rows[i][0] - rows[i][1] * rows[i][2] + rows[i][3];
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        u[i].both.x += u[i].both.y;
        out[i] += u[i].parts[0] + u[i].parts[3] + u[i].parts[2];
    }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        const double re = c[2 * i], im = c[(i << 1) + 1];
        c[2 * i] = re - im;
        c[2 * i + 1] = re + im;
    }
}

static void tables(int n, int m, Four table[n][m], float *out)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            table[i][j].x += table[i][j].y;
            table[i][j].z = table[i][j].w;
        }
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int j = 0; j < m; j++)
            s += grid[i % 5][j].x * grid[j % 5][i].y + grid[i % 5][j].y - grid[i % 5][j].z * grid[i % 5][j].w;
        out[i] = s + table[i][0].x;
    }
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 10, from = argc > 2 ? atoi(argv[2]) : 0;
    float *base[8], *out = malloc(n * sizeof *out);
    float *a = block(12 * n, from, &base[0]), *b = block(12 * n, 0, &base[1]), *c = block(12 * n, from, &base[2]);
    double *d = malloc((4 * n + 3) * sizeof *d), *e = malloc((4 * n + 3) * sizeof *e), *f = malloc((2 * n + 3) * sizeof *f);
    float automatic[4 * MOST + 3];
    for (int i = 0; i < 4 * n + 3; i++)
        d[i] = i * 5 % 17 - 3, e[i] = i % 7;
    for (int i = 0; i < 2 * n + 3; i++)
        f[i] = i % 9;
    for (int i = 0; i < 5 * MOST; i++)
        grid[i / MOST][i % MOST] = (Four){(float)(i % 3), (float)(i % 5), (float)(i % 7), (float)(i % 11)};
    for (int i = 0; i < 4 * MOST + 3; i++)
        automatic[i] = (float)(i % 19);

    pairs((Two *)a, (Two *)b, out, n), show("pairs", out, n), show("written", b, 2 * n);
    pairs((Two *)(a + n), (Two *)(c + n), out, n / 2), show("pairs", out, n / 2), show("written", c, 2 * n);
    threes((Three *)a, out, n), show("threes", out, n);
    fours((Four *)a, (Four *)b, out, n), show("fours", out, n), show("written", b, 4 * n);
    fours((Four *)c, (Four *)c, out, 1), show("same", out, 1), show("written", c, 4 * n);
    fours((Four *)a, (Four *)(a + 4 * n), out, n), show("beside", out, n), show("written", a, 8 * n);
    whole((Four *)a, (Four *)b, (Nested *)c, out, n), show("whole", out, n), show("written", c, 12 * n);
    apart((Four *)a, (Two *)(a + 2), b, out, n), show("apart", out, n);
    pointed((Four *)b, out, n), show("pointed", out, n);
    fours((Four *)(automatic + from), (Four *)b, out, n), show("automatic", out, n);
    for (int i = 0; i < 6 * n; i++)
        a[i] = b[i] = (float)(i % 4);
    others((Five *)a, (Six *)b, (Named *)c, out, n), show("others", out, n);
    narrow((Pixel *)((char *)base[0] + from), (Bytes *)((char *)base[1] + 2 * from), out, n), show("narrow", out, n);
    doubles((Wide *)(d + from), (Wide *)(e + from % 2), (Complex *)(f + from), out, n), show("doubles", out, n);
    for (int i = 0; i < 2 * n; i++)
        printf("%.6f %.6f%s", f[from + i], e[from % 2 + i], i % 8 == 7 ? "\n" : " ");
    for (int i = 0; i < 4 * n; i++)
        a[i] = (float)(i % 6), c[i] = (float)(i % 8);
    plain(a, (float (*)[4])a, (Union *)c, f + from, out, n), show("plain", out, n), show("written", c, 4 * n);
    tables(n, 3, (Four (*)[3])a, out), show("tables", out, n), show("written", a, 12 * n);
    for (int i = 0; i < 3; i++)
        free(base[i]);
    free(out), free(d), free(e), free(f);
    return 0;
}
