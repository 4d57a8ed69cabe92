/* on device: 5
   Found by differential fuzzing: arithmetic of a _Bool with a char; a name that hides a typedef of the system's headers
   and is used in its own initialiser; a loop that writes one member of every element, which keeps the others;
   a section whose bounds are divisions that round down; an array whose address a function gets and never follows. */
#include <stdio.h>
#include <stdlib.h>

static void truth_and_characters(int *a, int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        _Bool odd = i & 1;
        char c = (char)(i - 40);
        a[i] = (odd + c) * 2 - (c < odd);
    }
}

static void own_initialiser(int n)
{
    int *ulong = calloc(n, sizeof *ulong);
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        ulong[i] = 3 * i;
    long sum = 0;
    for (int i = 0; i < n; i++)
        sum += ulong[i];
    printf("%ld\n", sum);
    free(ulong);
}

static struct { int a, b; } records[8];
static struct { unsigned low : 5; int high : 7; } fields[8];

static void members(void)
{
    for (int i = 0; i < 8; i++) {
        records[i].a = i, records[i].b = 10 + i;
        fields[i].low = i, fields[i].high = -i;
    }
#pragma omp parallel for
    for (int i = 0; i < 8; i++)
        records[i].a = 2 * i;
#pragma omp parallel for
    for (int i = 0; i < 8; i++)
        fields[i].low = 3 * i;
    for (int i = 0; i < 8; i++)
        printf("%d %d %d %d\n", records[i].a, records[i].b, fields[i].low, fields[i].high);
}

static void rounded_down(const int *x, int n)
{
    int bins[12] = {0};
#pragma omp parallel for reduction(+ : bins)
    for (int i = n - 1; i < 1; i += 3)
        for (int j = n - 1; j < 3; j += 2)
            bins[2 * j + 6] += x[15 * i + 2 * j];
    for (int i = 0; i < 12; i++)
        printf("%d ", bins[i]);
}

static void looks_away(const short *p, int v)
{
    const unsigned unused = v + (p != NULL);
    (void)unused;
}

static void address_alone(long *a)
{
    short never[12];
    for (int i = 0; i < 12; i++)
        never[i] = 7 * i;
#pragma omp parallel for
    for (int i = 0; i < 11; i++) {
        a[i] += i;
        looks_away(&never[i + 1], 5);
    }
    printf("%ld %d\n", a[10], never[11]);
}

int main(void)
{
    members();
    address_alone((long[11]){0});
    int a[100];
    long sum = 0;
    truth_and_characters(a, 100);
    for (int i = 0; i < 100; i++)
        sum = sum * 3 % 1000003 + a[i];
    printf("%ld\n", sum);
    own_initialiser(50);
    for (int i = 0; i < 100; i++)
        a[i] = i * i;
    rounded_down(a + 60, 1);
    rounded_down(a + 60, -2);
    return 0;
}
