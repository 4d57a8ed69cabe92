/* Functions of the program with the names of the runtime's, and of libc's, on structs that are reduced. */
/* args: 3000 */
/* args: 1 */
/* expect-gpu: 1 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pair { long x; int y; };
static double v[3000];
static int w[3000];

static struct pair shuffle_down(unsigned mask, struct pair value, unsigned delta)
{
    value.x += (long)(mask + delta);
    return value;
}

static struct pair reduce_warp(struct pair value, unsigned lane, unsigned lanes)
{
    value.y += (int)(lane * lanes);
    return value;
}

static struct pair read_fresh(const struct pair *from) { return *from; }
static void reduce(const struct pair *values, unsigned count, struct pair *to) { to->x += values->x * count; }

static void add(struct pair *to, const struct pair *from)
{
    to->x += from->x;
    to->y += from->y;
}
#pragma omp declare reduction(sum : struct pair : add(&omp_out, &omp_in)) initializer(omp_priv = {0, 0})

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 5;
    struct pair total = {1, 2};
    for (int i = 0; i < n; i++)
        v[i] = i * 0.5;
    #pragma omp parallel for reduction(sum : total)
    for (int i = 0; i < n; i++) {
        long bits;
        struct pair one = {i, 1}, two = {0, 0};
        memcpy(&bits, &v[i], sizeof bits);
        one = reduce_warp(shuffle_down(3, one, 1), 2, 3);
        reduce(&one, 2, &two);
        two = read_fresh(&two);
        total.x += two.x + (bits >> 40);
        total.y += one.y;
        w[i] = memcmp(&one, &two, sizeof one.x) == 0;
    }
    printf("%ld %d", total.x, total.y);
    for (int i = 0; i < n; i += 500)
        printf(" %d", w[i]);
    printf("\n");
    return 0;
}
