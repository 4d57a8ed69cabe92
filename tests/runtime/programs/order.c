/* What must wait for what, when copies run beside kernels. Each part is wrong when one wait is missing. With `precise`: and
   no part waits for more than it must.

   changed    the host changes what an earlier launch has read, and a later one reads it: the copy comes behind the first
   reading    the host changes what is still being copied in
   freed      both of its memory are used again while the launch is under way
   home       what the first of two launches has written is copied back
   constant   a constant array is filled on the device from what has come in just before
   mapped     the host changes mapped data (5.8.6) when the launch has returned */

#include "order.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 40000 };

static int precise;

static void must(int holds, int line)
{
    if (!holds) {
        printf("line %d\n", line);
        exit(1);
    }
}
#define MUST(condition) must(condition, __LINE__)

static void fill(double *x, double value)
{
    for (int i = 0; i < N; i++)
        x[i] = value;
}

static int all(const double *x, double value)
{
    int same = 0;
    for (int i = 0; i < N; i++)
        same += x[i] == value;
    return same == N;
}

static double *array(double value)
{
    double *x = malloc(N * sizeof *x);
    MUST(x != NULL);
    fill(x, value);
    return x;
}

static void test_changed(void)
{
    double *x = array(1), *y = array(0), *z = array(0), *other = array(7);
    MUST(ompc_twice(N, x, y) && ompc_twice(N, other, z));
    fill(x, 3);
    MUST(!precise || kernels_done() == 0); /* the copy of x is over then, and no kernel was needed for it */
    MUST(ompc_twice(N, x, z));
    fill(x, 5);
    MUST(!precise || kernels_done() == 1); /* the second copy is over, which waits for the first launch alone */
    MUST(all(y, 2) && all(z, 6));
}

static void test_reading(void)
{
    double *x = array(1), *y = array(0);
    MUST(ompc_twice(N, x, y));
    fill(x, 3);
    MUST(all(y, 2));
}

static void test_freed(void)
{
    double *x = array(1), *y = array(0), *z = array(0);
    MUST(ompc_twice(N, x, y));
    free(x);
    MUST(!precise || kernels_done() == 0);
    x = array(5);
    MUST(ompc_twice(N, x, z) && all(y, 2) && all(z, 10));
}

static void test_home(void)
{
    double *x = array(1), *y = array(0), *z = array(0);
    MUST(ompc_twice(N, x, y) && ompc_twice(N, x, z));
    MUST(y[N - 1] == 2 && all(y, 2));
    MUST(!precise || kernels_done() == 1);
    for (int k = 0; k < 20; k++) /* nobody looks: no events behind these */
        MUST(ompc_twice(N, y, x) && ompc_twice(N, x, z));
    MUST(all(x, 4) && all(z, 8));
}

static void test_constant(void)
{
    double *x = array(1), *table = array(0), *y = array(0);
    MUST(ompc_twice(N, x, table));
    table[1] = 7; /* a page of it, which the launch must copy in again; the rest is newer on the device */
    MUST(ompc_look_up(N, table, y) && y[0] == 2 && y[1] == 7 && y[TABLE - 1] == 2);
    x[0] = 4;
    MUST(ompc_twice(N, x, table) && ompc_look_up(N, table, y));
    table[2] = 9;
    MUST(y[0] == 8 && y[1] == 2 && y[2] == 2);
}

static void test_mapped(void)
{
    double *x = array(1), *y = array(0);
    const struct ompc_global ranges[] = {{x, N * sizeof *x}, {y, N * sizeof *y}};
    MUST(ompc_target_begin(ranges, 2) && ompc_twice_mapped(N, x, y));
    fill(x, 3);
    ompc_target_end();
    MUST(all(y, 2));
}

int main(int argc, char **argv)
{
    const struct {
        const char *name;
        void (*test)(void);
    } parts[] = {{"changed", test_changed}, {"reading", test_reading},   {"freed", test_freed},
                 {"home", test_home},       {"constant", test_constant}, {"mapped", test_mapped}};
    precise = argc > 2 && kernels_done() == 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (argc > 1 && strcmp(argv[1], parts[i].name) == 0)
            parts[i].test();
    puts("ok");
    return 0;
}
