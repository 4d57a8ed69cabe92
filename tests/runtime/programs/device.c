#include "ompc_host.h"

#include <stdio.h>
#include <stdlib.h>

int ompc_device_test(const char *name, void *data, unsigned long bytes);

#define CHECK(condition)                                                  \
    do {                                                                  \
        if (!(condition)) {                                               \
            printf("line %d: %s does not hold\n", __LINE__, #condition);  \
            exit(1);                                                      \
        }                                                                 \
    } while (0)

struct cells {
    unsigned char u8[5];
    signed char s8;
    short s16[3];
    _Bool flag;
    int s32, low, high;
    unsigned u32, bits;
    long s64;
    unsigned long long u64;
    float f32;
    double f64, product;
};

int main(void)
{
    int x[7 * 96];
    for (int i = 0; i < 7 * 96; i++)
        x[i] = i;
    CHECK(ompc_device_test("reverse", x, sizeof x));
    for (int i = 0; i < 7 * 96; i++)
        CHECK(x[i] == i / 96 * 96 + 95 - i % 96);

    CHECK(ompc_device_test("mix", x, 40 * sizeof *x));
    for (int i = 0; i < 40; i++)
        CHECK(x[i] == (i ^ 1) + 1000 * (i / 32 * 32 + 5) + (i < 32 ? 0x11 : 0) * 1000000);

    struct cells c = {.low = 1000, .bits = ~0u, .product = 1, .s8 = 10};
    CHECK(ompc_device_test("atomics", &c, sizeof c));
    CHECK(c.u8[0] == 120 && c.u8[4] == 120 && c.s8 == (signed char)(10 - 600) && c.s16[0] == 600 && c.s16[2] == 600);
    CHECK(c.flag == 1 && c.s32 == -1200 && c.low == -499 && c.high == 599 && c.bits == (~0u << 7));
    CHECK(c.u32 == 0x00ffffffu && c.s64 == 600L << 33 && c.u64 == -600ull);
    CHECK(c.f32 == 150 && c.f64 == 300 && c.product == 1024);

    x[0] = 3;
    CHECK(ompc_device_test("exchange", x, 5 * sizeof *x));
    CHECK(x[0] == 42 && x[1] == 3 && x[2] == 7 && x[3] == 42 && x[4] == 6 + 5 + 12);
    puts("ok");
    return 0;
}
