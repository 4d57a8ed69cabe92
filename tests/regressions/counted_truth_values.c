/* on device: 2
   C++ has no ++ and -- of bool: the device's compiler refused b++, of which C says that b becomes 1. */
#include <stdbool.h>
#include <stdio.h>

enum { N = 100 };
struct options {
    bool first, second;
    unsigned rest : 4;
};
static bool flags[N], others[N];
static struct options options[N];

static void count(void)
{
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        bool up = i % 3 == 0, down = i % 2;
        const int was = up++ + 2 * down--;

        others[i] = --down;
        flags[i]++;
        ++flags[i];
        flags[i]--;
        options[i].first--;
        ++options[i].second;
        options[i].rest = was + up + (--options[i].first) * 4;
        if (down--)
            others[i] += 3;
        for (bool more = false; !more; more++)
            flags[i] = !flags[i];
    }
}

static void count_together(void)
{
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
#pragma omp atomic
        flags[i % 7]++;
    }
}

int main(void)
{
    long sum = 0;

    count();
    count_together();
    for (int i = 0; i < N; i++) {
        sum = sum * 7 + flags[i] + others[i] * 2 + options[i].first * 4 + options[i].second * 8 + options[i].rest;
        sum %= 1000003;
    }
    printf("%ld\n", sum);
    return 0;
}
