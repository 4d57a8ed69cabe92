/* Each thread of a region adds up in a struct of its own, member by member, and the threads merge what they have. */
/* args: 5000 */
/* args: 3 */
/* args: 0 */
/* expect-gpu: 10 */
/* expect-host: OMPC345 OMPC345 OMPC345 OMPC355 OMPC355 OMPC345 OMPC345 OMPC355 OMPC345 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct { double re, im; } complex_t;
struct tally { int count; unsigned bits; double sum, product; long unused; };
struct narrow { short count; unsigned char bytes; float sum; };
struct one { double value; };
struct with_array { double v[2]; };

#define ADD(a, b) (complex_t){(a).re + (b).re, (a).im + (b).im}

static double factor = 1.5;
static complex_t kept;
#pragma omp threadprivate(kept)

static complex_t add(complex_t a, complex_t b)
{
    complex_t c = {a.re + b.re, a.im + b.im};
    return c;
}

static inline complex_t add_members(const complex_t a, const complex_t b)
{
    complex_t c;
    c.re = a.re + b.re;
    c.im = a.im + b.im;
    return c;
}

static complex_t times(complex_t a, double by)
{
    return (complex_t){a.re * by, a.im * by};
}

static complex_t rotated(complex_t a, complex_t b)
{
    complex_t c = {a.re + b.re, a.im + a.re * b.im};
    return c;
}

static complex_t scaled(complex_t a, complex_t b)
{
    complex_t c = {a.re + factor * b.re, a.im + factor * b.im};
    return c;
}

static void add_to(complex_t *total, const complex_t *z, int n)
{
#pragma omp parallel
    {
        complex_t mine = {0.0, 0.0};
#pragma omp for schedule(static, 3)
        for (int k = 0; k < n; k++)
            mine = add(mine, times(z[k], 0.5));
#pragma omp critical
        *total = add(*total, mine);
    }
}

static void show(const char *what, complex_t z)
{
    printf("%s %.10g %.10g\n", what, z.re, z.im);
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 100;
    complex_t *z = malloc(sizeof *z * (n + 1)), total = {1.0, -1.0}, mine;
    for (int k = 0; k <= n; k++)
        z[k] = (complex_t){0.5 + (k * 37) % 101, 3.0 - (k * 11) % 17};

    /* a braced list, under a condition */
#pragma omp parallel
    {
        complex_t part = {0.0, 0.0};
#pragma omp for nowait
        for (int k = 0; k < n; k++)
            if (k % 3 != 1)
                part = ADD(part, z[k]);
#pragma omp critical
        total = ADD(total, part);
    }
    show("braces", total);

    /* a function of the members, several times around, private by a clause */
    for (int round = 0; round < 3; round++) {
#pragma omp parallel private(mine) num_threads(round + 1)
        {
            mine.re = 0.0;
            mine.im = round;
#pragma omp for
            for (int k = 0; k < n; k++)
                mine = add_members(mine, z[k]);
#pragma omp atomic
            total.re += mine.re;
#pragma omp single
            total.im += 1.0;
        }
    }
    show("members", total);

    add_to(&total, z, n);
    show("pointer", total);

    /* other operations, and a member that is left alone */
    struct tally all = {0, 0, 0.0, 1.0, 7};
#pragma omp parallel if (n > 10)
    {
        struct tally part = {0, 0, 0.0, 1.0, 9};
#pragma omp for
        for (int k = 0; k < n; k++) {
            part.count++;
            part.bits |= 1u << k % 13;
            part.sum = z[k].re + part.sum;
            part.product *= 1.0 + 1.0 / (1 << (10 + k % 10));
        }
#pragma omp critical
        {
            all.count += part.count;
            all.bits |= part.bits;
            all.sum += 2 * part.sum;
            all.product *= part.product;
            all.unused = part.unused;
        }
    }
    printf("tally %d %x %.10g %.8g %ld\n", all.count, all.bits, all.sum, all.product, all.unused);

    /* narrow integers wrap round */
    struct narrow few = {0, 0, 0.0f};
#pragma omp parallel
    {
        struct narrow part = {0, 0, 0.0f};
#pragma omp for
        for (int k = 0; k < n; k++) {
            part.count += 1;
            part.bytes ^= (unsigned char)k;
            part.sum += k % 8;
        }
#pragma omp critical
        {
            few.count += part.count;
            few.bytes ^= part.bytes;
            few.sum += part.sum;
        }
    }
    printf("narrow %d %d %g\n", few.count, few.bytes, few.sum);

    /* two at once, of which one has a sum in one member alone, and is merged with a sign */
    complex_t other = {0, 0};
#pragma omp parallel
    {
        complex_t part = {0, 0}, even = {0, 0};
#pragma omp for
        for (int k = 0; k < n; k++) {
            part = add(z[k], part);
            if (k % 2 == 0)
                even.re += z[k].re;
        }
#pragma omp critical
        {
            other = add(other, part);
            other.re -= even.re;
        }
    }
    show("two", other);

    /* threadprivate, of this region alone */
    complex_t sum = {0, 0};
#pragma omp parallel
    {
        kept = (complex_t){0, 0};
#pragma omp for
        for (int k = 0; k < n; k++)
            kept = add(kept, z[k]);
#pragma omp critical
        sum = add(sum, kept);
    }
    show("kept", sum);

    /* one member, a copy of the variable's name further in */
    struct one single = {0};
#pragma omp parallel
    {
        struct one part = {0};
#pragma omp for
        for (int k = 0; k < n; k++) {
            part.value += z[k].re;
            {
                struct one part = {1};
                part.value += k;
                z[k].im = part.value;
            }
        }
#pragma omp atomic
        single.value += part.value;
    }
    printf("one %.10g %.10g\n", single.value, z[0].im);

    /* the total is an element of an array */
    complex_t totals[3] = {{0, 0}, {0, 0}, {0, 0}};
#pragma omp parallel
    {
        complex_t part = {0, 0};
#pragma omp for
        for (int k = 0; k < n; k++)
            part = add(part, z[k]);
#pragma omp critical
        totals[1] = add(totals[1], part);
    }
    show("element", totals[1]);

    /* -- on the host: one member is made of another one */
    complex_t turned = {0, 0};
#pragma omp parallel num_threads(1)
    {
        complex_t part = {0, 0};
#pragma omp for
        for (int k = 0; k < n; k++)
            part = rotated(part, z[k]);
#pragma omp critical
        turned = add(turned, part);
    }
    show("rotated", turned);

    /* the function names what is not its own */
    complex_t weighed = {0, 0};
#pragma omp parallel
    {
        complex_t part = {0, 0};
#pragma omp for
        for (int k = 0; k < n; k++)
            part = scaled(part, z[k]);
#pragma omp critical
        weighed = add(weighed, part);
    }
    show("scaled", weighed);

    /* two operations on one member */
    complex_t mixed = {0, 0};
#pragma omp parallel num_threads(1)
    {
        complex_t part = {0, 0};
#pragma omp for
        for (int k = 0; k < n; k++) {
            part.re += z[k].re;
            part.im += 1;
            if (k == 2)
                part.re *= 0.5;
        }
#pragma omp critical
        mixed = add(mixed, part);
    }
    show("mixed", mixed);

    /* one member is merged by another operation */
    complex_t crossed = {0, 1};
#pragma omp parallel num_threads(1)
    {
        complex_t part = {0, 0};
#pragma omp for
        for (int k = 0; k < n; k++)
            part = add(part, z[k]);
#pragma omp critical
        {
            crossed.re += part.re;
            crossed.im *= part.im;
        }
    }
    show("crossed", crossed);

    /* what it has come to decides whether it is merged */
#pragma omp parallel num_threads(1)
    {
        complex_t part = {0, 0};
#pragma omp for
        for (int k = 0; k < n; k++)
            part = add(part, z[k]);
        if (part.re > 10)
#pragma omp critical
            crossed.re += part.re;
    }
    show("asked", crossed);

    /* the loop reads it */
#pragma omp parallel num_threads(1)
    {
        complex_t part = {0, 0};
#pragma omp for
        for (int k = 0; k < n; k++) {
            part = add(part, z[k]);
            z[k].im = part.re;
        }
#pragma omp critical
        crossed = add(crossed, part);
    }
    show("read", crossed);

    /* all of it is copied out */
#pragma omp parallel num_threads(1)
    {
        complex_t part = {0, 0}, last = {0, 0};
#pragma omp for
        for (int k = 0; k < n; k++) {
            part = add(part, z[k]);
            last = z[k];
        }
#pragma omp critical
        {
            crossed = add(crossed, part);
            other = last;
        }
    }
    show("copied", other);

    /* what each thread has is kept */
    complex_t every[2] = {{0, 0}, {0, 0}};
#pragma omp parallel num_threads(2)
    {
        complex_t part = {0, 0};
#pragma omp for schedule(static)
        for (int k = 0; k < n; k++)
            part = add(part, z[k]);
        every[omp_get_thread_num()] = part;
#pragma omp critical
        crossed = add(crossed, part);
    }
    show("each", every[1]);

    /* members that are arrays */
    struct with_array pair = {{0, 0}};
#pragma omp parallel num_threads(1)
    {
        struct with_array part = {{0, 0}};
#pragma omp for
        for (int k = 0; k < n; k++)
            part.v[k % 2] += z[k].re;
#pragma omp critical
        for (int k = 0; k < 2; k++)
            pair.v[k] += part.v[k];
    }
    printf("arrays %.10g %.10g\n", pair.v[0], pair.v[1]);

    /* a pointer leads to it */
    complex_t seen = {0, 0};
#pragma omp parallel
    {
        complex_t part = {0, 0}, *way = &part;
#pragma omp for
        for (int k = 0; k < n; k++)
            part = add(part, z[k]);
#pragma omp critical
        {
            seen.re += way->re;
            seen.im += way->im;
        }
    }
    show("pointed", seen);
    free(z);
    return 0;
}
